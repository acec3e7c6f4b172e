// Whose unpaid parcels are listed next to a remittance: those of the couriers whose parcels it has, or that it names.
import type { CourierName } from '../../../domain/money/codjudge.ts'
import type { CodOutcome } from './codjudging.ts'
import { courierCheck } from './judging.ts'

/** The couriers of a remittance. */
export interface CodCouriers {
  /** The one courier of the remittance; undefined where it has several, or where none is known. */
  readonly only: string | undefined
  /** Whether an unpaid parcel of this courier is listed. */
  readonly wanted: (one: CourierName) => boolean
}

/** The couriers of judged parcels; `named` is the one of --courier, which then counts alone. */
export function couriersIn(named: string | undefined, outcomes: readonly Pick<CodOutcome, 'by'>[]): CodCouriers {
  const same = courierCheck()
  if (named !== undefined) return { only: named, wanted: (one) => same(named, one) }
  const keys = new Set<string>()
  const names = new Set<string>()
  for (const { by } of outcomes) {
    if (by.carrier_id !== null) keys.add(by.carrier_id)
    if (by.carrier_name !== null) names.add(by.carrier_name)
  }
  if (keys.size === 0 && names.size === 0) return { only: undefined, wanted: () => true }
  const [first, ...others] = names
  const known = new Map<string, boolean>()
  return {
    only: others.length === 0 ? first : undefined,
    wanted: (one) => {
      const key = `${one.carrier_id ?? ''}\n${one.carrier_name ?? ''}`
      let wanted = known.get(key)
      if (wanted === undefined) {
        wanted = (one.carrier_id !== null && keys.has(one.carrier_id)) || [...names].some((name) => same(name, one))
        known.set(key, wanted)
      }
      return wanted
    },
  }
}
