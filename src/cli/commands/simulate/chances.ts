// How likely each courier returns a parcel: the account's share in its zone and payment, by the courier's own share
// like for like (docs/guides/whatif.md, Another share of returns).
import type { Query } from '../../../domain/contract.ts'
import type { Service } from '../../../domain/rates/ratecard.ts'
import { whole } from '../../../domain/rates/whatif.ts'
import type { ParcelRow } from '../../../engine/orders/recordprice.ts'
import { countOutcomes, groupsIn } from '../../../engine/records/outcomes.ts'
import type { Engine } from '../../source/engine.ts'
import { placeOf } from '../../source/source.ts'
import { alikeOf } from '../shipments/outcomes.ts'

/** A courier's returns like for like. */
export interface CourierReturns {
  readonly courier: string | null
  readonly standardised_percent: number
  readonly account_percent: number
}

/** The chances of a return. */
export interface Chances {
  /** In ten-thousandths. */
  readonly of: (
    service: Pick<Service, 'carrier_id' | 'carrier_name'>,
    row: Pick<ParcelRow, 'zone' | 'is_cod'>,
  ) => number
  readonly couriers: readonly CourierReturns[]
  /** Couriers without a settled parcel: they count as the account's average. */
  readonly unknown: () => readonly string[]
}

/** The chances by the parcels of an account that match. */
export async function chancesOf(engine: Engine, input: Query): Promise<Chances> {
  const place = placeOf(engine)
  const [groups = []] = await engine.database.read(function* () {
    return (yield* countOutcomes(place, input, [['carrier', 'zone', 'payment']])).map(groupsIn)
  })
  const couriers = alikeOf(groups)
  const byName = new Map(couriers.map((one) => [(one.courier ?? '').toLowerCase(), one]))
  const all = new Map<string, { settled: number; rto: number }>()
  for (const { keys, sums } of groups) {
    const key = `${keys[1] ?? ''} ${keys[2] ?? ''}`
    const sum = all.get(key) ?? { settled: 0, rto: 0 }
    all.set(key, { settled: sum.settled + sums.delivered + sums.rto, rto: sum.rto + sums.rto })
  }
  const known = new Map<string, number>()
  const unknown = new Set<string>()
  const chance = (
    { carrier_id: id, carrier_name: name }: Pick<Service, 'carrier_id' | 'carrier_name'>,
    cell: string,
  ): number => {
    const own = byName.get(name.toLowerCase()) ?? byName.get(id.toLowerCase())
    if (own === undefined) unknown.add(name)
    const { settled, rto } = all.get(cell) ?? { settled: 0, rto: 0 }
    if (settled === 0 || rto === 0) return 0
    // The account's share of the cell, times the courier's over the account's on the cells of the courier.
    const [part, base] =
      own === undefined || own.account.part === 0n
        ? [1n, 1n]
        : [own.own.part * own.account.whole, own.own.whole * own.account.part]
    const [n, d] = [BigInt(rto) * part * BigInt(whole), BigInt(settled) * base]
    return Math.min(whole, Number((2n * n + d) / (2n * d)))
  }
  return {
    couriers,
    unknown: () => [...unknown].toSorted(),
    of: (service, { zone, is_cod: cod }) => {
      const cell = `${zone ?? ''} ${cod === 1 ? 'cod' : cod === 0 ? 'prepaid' : ''}`
      const key = `${service.carrier_id} ${cell}`
      let found = known.get(key)
      if (found === undefined) known.set(key, (found = chance(service, cell)))
      return found
    },
  }
}
