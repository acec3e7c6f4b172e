// The terms of COD: when it is due by courier, and what an early payment costs.
import type { CourierName } from '../../../domain/money/codjudge.ts'
import { creditDay, deadlineOf, windowWords, workingDays, type Window } from '../../../domain/money/deadlines.ts'
import { policyOf, termsFor, type OwnPolicy, type Policy } from '../../../domain/money/policies.ts'
import { percentOf } from '../../../domain/money.ts'
import { istDate, istDayNumber } from '../../../domain/time.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** The terms of the couriers of an account. */
export interface CodTerms {
  /** The IST day on which the COD of a parcel is due that was delivered at an instant, ms UTC. */
  readonly dueDate: (courier: CourierName, delivered: number) => string
  /** What the early payment of an amount costs, paise; undefined where no percentage is known. */
  readonly feeOf: (courier: CourierName, remitted: number) => number | undefined
  /** When COD of a courier is due, in words: `8 working days after delivery (default, not your contract)`. */
  readonly words: (courier: string | undefined) => string
}

/** The terms of policies; `cycle` is what --cycle says in the place of all of theirs. */
export function codTermsOf(
  own: readonly OwnPolicy[],
  holidays: ReadonlySet<string>,
  cycle: Window | undefined,
): CodTerms {
  const policies = new Map<string, Policy>()
  const named = ({ carrier_id: id, carrier_name: name }: CourierName): string => name ?? id ?? ''
  const policy = (courier: CourierName): Policy => {
    const name = named(courier)
    let known = policies.get(name)
    if (known === undefined) policies.set(name, (known = policyOf(name, own)))
    return known
  }
  const working = workingDays(holidays)
  const days = new Map<string, string>()
  return {
    dueDate: (courier, delivered) => {
      const { cod_cycle: usual, cod_days: credited } = policy(courier)
      const window = cycle ?? usual
      // Parcels of one day are due on one day, unless hours count.
      const exact = window.unit === 'hours' ? delivered : istDayNumber(delivered)
      const key = `${exact}\n${named(courier)}`
      let day = days.get(key)
      if (day === undefined) {
        day = creditDay(istDate(deadlineOf(delivered, window, working)), credited, holidays)
        if (days.size > 20_000) days.clear()
        days.set(key, day)
      }
      return day
    },
    feeOf: (courier, remitted) => {
      const { early_cod: percent } = policy(courier)
      if (percent === null) return undefined
      const fee = percentOf(Math.abs(remitted), Number(percent))
      return remitted < 0 ? -fee : fee
    },
    words: (courier = '') => {
      if (cycle !== undefined) return `${windowWords(cycle)} after delivery (--cycle)`
      const term = termsFor(courier, own).find(({ field }) => field === 'cod_cycle')!
      const from = term.setAt === null ? 'default, not your contract' : 'your contract'
      return `${windowWords(policyOf(courier, own).cod_cycle)} after delivery (${from})`
    },
  }
}

/** The terms of an account: its policies, and the holidays of its rate card. */
export async function codTermsHere(
  context: Context,
  place: BesidePlace | undefined,
  cycle: Window | undefined,
): Promise<CodTerms> {
  const own = (await place?.database.read(() => listPolicies(place.account), 'single')) ?? []
  const versions = await versionsNamed(context, undefined)
  return codTermsOf(own, new Set(versions.flatMap(({ holidays }) => holidays)), cycle)
}
