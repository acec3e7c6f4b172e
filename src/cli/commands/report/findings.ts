// What a month's money comes to, in three to five findings for an owner (docs/guides/report.md, A month's money).
import { counted } from '../../../domain/count.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { showDay } from '../../output/display.ts'
import { rupees } from '../../pages/amounts.ts'
import type { MonthCod, MonthDisputes, MonthInvoices, MonthMoney } from './month.ts'
import type { RtoReport } from './rto.ts'

/** A month in words: `Sep 2026`. */
export const monthName = (month: string): string => `${showDay(`${month}-01`).slice(3)} ${month.slice(0, 4)}`

/** The findings, each a sentence or a few. */
export function findingsOf({ month, invoices, disputes, cod }: MonthMoney, rto: RtoReport | undefined): string[] {
  return [
    ...(invoices === null
      ? [`No invoice of ${monthName(month)} is kept yet. To keep one: shipx reconcile invoice <file>`]
      : [billed(invoices), over(invoices), disputed(invoices, disputes)]),
    cod === null ? 'No COD remittance is kept yet. To keep one: shipx reconcile cod <file>' : owed(cod),
    ...(rto === undefined ? [] : [returned(rto)]),
  ].filter((text) => text !== '')
}

function billed({ billed: sum, parcels, billed_per_parcel: each, ...rest }: MonthInvoices): string {
  const { expected, expected_per_parcel: ours, unknown_lines: unknown } = rest
  const apart = unknown === 0 ? '' : ` ${counted(unknown, ['line', 'lines'])} cannot be judged.`
  return (
    `Couriers billed ${rupees(sum)} for ${counted(parcels, ['parcel', 'parcels'])}, ${rupees(each ?? 0)} each. ` +
    `The rate card says ${rupees(expected)}${ours === null ? '' : `, ${rupees(ours)} each`}.${apart}`
  )
}

/** Reasons that a finding names. */
const mostNamed = 3

function over({ over: sum, over_lines: lines, by_reason: reasons }: MonthInvoices): string {
  if (lines === 0) return 'No line that can be judged costs too much.'
  const named = reasons
    .filter(({ reason, amount }) => amount > 0 && reason !== 'gst_on_difference')
    .slice(0, mostNamed)
    .map(({ reason, amount }) => `${reasonName(reason)} ${rupees(amount)}`)
  const largest = named.length === 0 ? '' : ` The largest reasons: ${named.join(', ')}.`
  return `They billed ${rupees(sum)} too much on ${counted(lines, ['line', 'lines'])}.${largest}`
}

function disputed({ over_lines: lines }: MonthInvoices, disputes: MonthDisputes | null): string {
  if (disputes === null)
    return lines === 0 ? '' : 'No dispute is open about it. To open disputes: shipx disputes create'
  const { raised, accepted, credited, lapsed, not_raised: open } = disputes
  const said =
    raised === 0
      ? 'You raised no dispute yet.'
      : accepted === 0 && credited === 0
        ? `You disputed ${rupees(raised)}, and couriers accepted none of it yet.`
        : `You disputed ${rupees(raised)}. Couriers accepted ${rupees(accepted)} and credited ${rupees(credited)}.`
  const left = open === 0 ? '' : ` ${rupees(open)} waits to be raised.`
  return `${said}${left}${lapsed === 0 ? '' : ` ${rupees(lapsed)} lapsed.`}`
}

function owed({ owed: sum, late, parcels, until, not_in_bank: away }: MonthCod): string {
  const by = `delivered by ${showDay(until)}`
  if (parcels === 0) return `Couriers owe no COD for parcels ${by}.`
  const rest = late === 0 ? 'None of it is late.' : `${late === sum ? 'All' : rupees(late)} of it is late.`
  return `Couriers owe ${rupees(sum)} of COD for ${counted(parcels, ['parcel', 'parcels'])} ${by}. ${rest}${
    away === 0 ? '' : ` Remittances pay ${rupees(away)} of it that the bank never got.`
  }`
}

function returned({ totals, like_for_like: couriers }: RtoReport): string {
  const cost = totals.rto_cost === null ? '' : ` That cost ${rupees(totals.rto_cost)}.`
  const said = `${(totals.rto_percent ?? 0).toFixed(1)}% of the month's settled parcels came back.${cost}`
  // Beyond what chance leaves likely.
  const worst = couriers
    .filter(({ few, low, account_percent: account }) => !few && low > account)
    .toSorted((a, b) => b.difference - a.difference)[0]
  if (worst === undefined) return said
  const { courier, standardised_percent: share, account_percent: account } = worst
  const name = courier ?? 'Parcels without a courier'
  return `${said} Like for like, ${name} has ${share.toFixed(1)}% where the account has ${account.toFixed(1)}%.`
}
