// The money of a month for its report: what couriers billed for its parcels, what is disputed, and the COD that they
// owe (docs/guides/report.md, A month's money). The figures are those of `invoices list`, `disputes list` and
// `cod due`.
import { rupeesOf } from '../../../domain/money.ts'
import type { DisputeStatus } from '../../../domain/money/disputes.ts'
import { istDate } from '../../../domain/time.ts'
import type { Work } from '../../../engine/database/port.ts'
import { codKinds, keepsAny, type Document } from '../../../engine/money/documents.ts'
import { disputesAbout, invoicesOfMonth, parcelsBilled, type DisputeSums } from '../../../engine/money/months.ts'
import { owedByCourier, owedTogether, unremittedOf, type CourierDue } from '../cod/couriersdue.ts'
import type { CodTerms } from '../reconcile/codterms.ts'
import { totalsOf, wrongSums, type WrongSum } from '../reconcile/keptterms.ts'
import { unbilledIn, type MonthUnbilled, type UnbilledPlace } from './monthunbilled.ts'

/** A month in IST: ms UTC of its first and its last moment. */
export interface Month {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The month whose first and last ms these are. */
export const monthFrom = ([start, end]: readonly [start: number, end: number]): Month => ({
  name: istDate(start).slice(0, 7),
  start,
  end,
})

/** An invoice of the month, rupees. */
export interface MonthInvoice {
  readonly number: string
  readonly courier: string | null
  readonly day: string | null
  readonly gst: 'included' | 'none'
  readonly lines: number
  readonly billed: number
  readonly expected: number
  readonly over: number
  readonly under: number
  readonly unknown_lines: number
  /** Totals that the file prints and that are not the sum of its lines. */
  readonly wrong_totals: readonly WrongSum[]
}

/** What a reason adds up to, rupees before GST; `gst_on_difference` is the GST on all of them. */
export interface ReasonSum {
  readonly reason: string
  readonly lines: number
  readonly amount: number
}

/** The invoices of the month, rupees as they bill them: with GST where an invoice has it. */
export interface MonthInvoices {
  readonly invoices: number
  readonly lines: number
  readonly parcels: number
  readonly billed: number
  readonly expected: number
  readonly over: number
  readonly over_lines: number
  /** What the invoices themselves credit of what is over. */
  readonly over_credited: number
  readonly under: number
  readonly unknown_lines: number
  readonly billed_per_parcel: number | null
  /** Of the parcels with a line that could be judged. */
  readonly expected_per_parcel: number | null
  /** The greatest amount first. */
  readonly by_reason: readonly ReasonSum[]
  readonly rows: readonly MonthInvoice[]
}

/** Disputes with a status, rupees. */
export interface StatusSum {
  readonly status: DisputeStatus
  readonly disputes: number
  readonly amount: number
  readonly accepted: number
  readonly credited: number
}

/** The disputes about the invoices of the month, rupees. */
export interface MonthDisputes {
  readonly disputes: number
  readonly amount: number
  /** Found and not raised yet. */
  readonly not_raised: number
  /** Raised, whatever came of it. */
  readonly raised: number
  readonly accepted: number
  readonly credited: number
  /** What of it was credited of disputes that nobody raised. */
  readonly credited_unraised: number
  /** Nobody raised it in time. */
  readonly lapsed: number
  readonly by_status: readonly StatusSum[]
}

/** The COD that couriers owe for what was delivered by the end of the month, rupees. */
export interface MonthCod {
  /** The last IST day of delivery that counts. */
  readonly until: string
  readonly parcels: number
  readonly owed: number
  readonly late: number
  /** What remittances pay of it and the bank never got. */
  readonly not_in_bank: number
  /** What remittances pay of all parcels delivered by then, and the part that was never compared with a statement. */
  readonly remitted: number
  readonly not_compared: number
  /** The couriers of whose parcels no kept remittance pays any: what they owe may be paid already. */
  readonly without_remittance: readonly Pick<CourierDue, 'courier' | 'parcels' | 'owed'>[]
  readonly by_courier: readonly CourierDue[]
}

/** The money of a month. */
export interface MonthMoney {
  readonly month: string
  /** Null while no invoice bills the month. */
  readonly invoices: MonthInvoices | null
  /** What no invoice bills of the parcels picked up in it; null while no invoice is kept. */
  readonly unbilled: MonthUnbilled | null
  /** Null while no dispute is about its invoices. */
  readonly disputes: MonthDisputes | null
  /** Null while no remittance is kept. */
  readonly cod: MonthCod | null
}

const each = (paise: number, parcels: number): number | null =>
  parcels === 0 ? null : rupeesOf(Math.round(paise / parcels))

const added = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((sum, one) => sum + of(one), 0)

/** What the reasons of documents add up to before GST, and all GST on them as one: the greatest amount first. */
function reasonsOf(documents: readonly Document[]): readonly ReasonSum[] {
  const sums = new Map<string, { lines: number; paise: number }>()
  for (const { code, lines, amount } of documents.flatMap((one) => totalsOf(one).reasons)) {
    const known = sums.get(code) ?? { lines: 0, paise: 0 }
    sums.set(code, { lines: known.lines + lines, paise: known.paise + Math.round(amount * 100) })
  }
  return [...sums]
    .toSorted(([, a], [, b]) => b.paise - a.paise)
    .map(([reason, { lines, paise }]) => ({ reason, lines, amount: rupeesOf(paise) }))
}

function* billedFor(account: number, documents: readonly Document[]): Work<MonthInvoices> {
  const { parcels, judged } = yield* parcelsBilled(
    account,
    documents.map(({ id }) => id),
  )
  const [billed, expected] = [added(documents, (one) => one.billed), added(documents, (one) => one.expected)]
  return {
    invoices: documents.length,
    lines: added(documents, (one) => one.lines),
    parcels,
    billed: rupeesOf(billed),
    expected: rupeesOf(expected),
    over: rupeesOf(added(documents, (one) => one.over_paise)),
    over_lines: added(documents, (one) => one.over_lines),
    over_credited: rupeesOf(added(documents, (one) => totalsOf(one).credited ?? 0)),
    under: rupeesOf(added(documents, (one) => one.under_paise)),
    unknown_lines: added(documents, (one) => one.unknown_lines),
    billed_per_parcel: each(billed, parcels),
    expected_per_parcel: each(expected, judged),
    by_reason: reasonsOf(documents),
    rows: documents.map((one) => ({
      number: one.number,
      courier: one.courier === '' ? null : one.courier,
      day: one.day,
      gst: one.gst,
      lines: one.lines,
      billed: rupeesOf(one.billed),
      expected: rupeesOf(one.expected),
      over: rupeesOf(one.over_paise),
      under: rupeesOf(one.under_paise),
      unknown_lines: one.unknown_lines,
      wrong_totals: wrongSums(one),
    })),
  }
}

/** The statuses of disputes that nobody raised. */
const unraised: ReadonlySet<DisputeStatus> = new Set(['found', 'lapsed', 'auto_accepted', 'withdrawn'])

function disputesOf(sums: readonly DisputeSums[]): MonthDisputes | null {
  if (sums.length === 0) return null
  const amountOf = (counts: (status: DisputeStatus) => boolean): number =>
    rupeesOf(added(sums, ({ status, amount }) => (counts(status) ? amount : 0)))
  return {
    disputes: added(sums, ({ disputes }) => disputes),
    amount: amountOf(() => true),
    not_raised: amountOf((status) => status === 'found'),
    raised: rupeesOf(added(sums, (one) => (unraised.has(one.status) ? 0 : one.amount - one.unraised))),
    accepted: rupeesOf(added(sums, ({ accepted }) => accepted)),
    credited: rupeesOf(added(sums, ({ credited }) => credited)),
    credited_unraised: rupeesOf(added(sums, (one) => one.unraised_credited)),
    lapsed: amountOf((status) => status === 'lapsed' || status === 'auto_accepted'),
    by_status: sums.map(({ status, disputes, amount, accepted, credited }) => ({
      status,
      disputes,
      amount: rupeesOf(amount),
      accepted: rupeesOf(accepted),
      credited: rupeesOf(credited),
    })),
  }
}

/** Where the money of a month is kept, and the terms of its COD. */
export interface MoneyPlace extends UnbilledPlace {
  readonly terms: CodTerms
}

/** The money of a month at `now`, ms UTC; or why there is none. */
export function* moneyOf(place: MoneyPlace, { name, start, end }: Month, now: number): Work<MonthMoney | string> {
  const { account, terms } = place
  const [billed, paid] = [yield* keepsAny(account), yield* keepsAny(account, codKinds)]
  if (start > now) return 'Left out: the month has not begun.'
  if (!billed && !paid)
    return 'Left out: no invoice and no COD remittance is kept yet. To keep one: shipx reconcile invoice <file>'
  const documents = billed ? yield* invoicesOfMonth(account, name) : []
  const ids = documents.map(({ id }) => id)
  const until = Math.min(end, now)
  const { sums, couriers } = paid
    ? yield* owedByCourier(place, terms, { since: 0, until }, istDate(now))
    : { sums: [], couriers: [] }
  const { parcels, owed, late, away } = owedTogether(couriers)
  return {
    month: name,
    invoices: ids.length === 0 ? null : yield* billedFor(account, documents),
    unbilled: billed ? yield* unbilledIn(place, start, until) : null,
    disputes: ids.length === 0 ? null : disputesOf(yield* disputesAbout(account, documents, now)),
    cod: paid
      ? {
          until: istDate(until),
          parcels,
          owed: rupeesOf(owed),
          late: rupeesOf(late),
          not_in_bank: rupeesOf(away),
          remitted: rupeesOf(added(sums, (one) => one.paid)),
          not_compared: rupeesOf(added(sums, ({ unseen }) => unseen)),
          without_remittance: unremittedOf(couriers, sums).map((one) => ({
            courier: one.courier,
            parcels: one.parcels,
            owed: one.owed,
          })),
          by_courier: couriers,
        }
      : null,
  }
}
