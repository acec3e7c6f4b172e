// What a month's money comes to, in three to five findings for an owner (docs/guides/report.md, A month's money).
import { count, counted } from '../../../domain/count.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { showDay } from '../../output/display.ts'
import { rupees } from '../../pages/amounts.ts'
import { quoted } from '../../terminal/safe.ts'
import { courierNames } from '../cod/couriersdue.ts'
import type { MonthCod, MonthDisputes, MonthInvoice, MonthInvoices, MonthMoney } from './month.ts'
import { mostUnbilled, type MonthUnbilled } from './monthunbilled.ts'
import type { RtoReport } from './rto.ts'

/** A month in words: `Sep 2026`. */
export const monthName = (month: string): string => `${showDay(`${month}-01`).slice(3)} ${month.slice(0, 4)}`

/** The findings, each a sentence or a few. */
export function findingsOf(money: MonthMoney, rto: RtoReport | undefined): string[] {
  const { month, invoices, unbilled, disputes, cod } = money
  return [
    ...(invoices === null
      ? [`No invoice of ${monthName(month)} is kept yet. To keep one: shipx reconcile invoice <file>`]
      : [billed(invoices), wrongTotals(invoices)]),
    notBilled(month, unbilled),
    ...(invoices === null ? [] : [over(invoices), disputed(invoices, disputes)]),
    cod === null ? 'No COD remittance is kept yet. To keep one: shipx reconcile cod <file>' : owed(cod),
    cod === null ? '' : notRemitted(cod),
    ...(rto === undefined ? [] : [returned(rto)]),
  ].filter((text) => text !== '')
}

/** The findings about what is not read yet, so that the figures of the month are not whole. */
export const gapsOf = ({ month, unbilled, cod }: MonthMoney): string[] =>
  [notBilled(month, unbilled), cod === null ? '' : notRemitted(cod)].filter((text) => text !== '')

function notBilled(month: string, unbilled: MonthUnbilled | null): string {
  if (unbilled === null || unbilled.parcels === 0) return ''
  const { parcels, expected, unpriced, since, until } = unbilled
  const many = parcels === null ? `more than ${count(mostUnbilled)} parcels` : counted(parcels, ['parcel', 'parcels'])
  const some = unpriced === 0 ? '' : ` for ${count(parcels! - unpriced)} of them`
  const about = expected === null ? '' : `, ${rupees(expected)} by the card before GST${some}`
  return (
    `No invoice bills ${many} picked up in ${monthName(month)}${about}: the freight of the month is not whole. ` +
    `To list them: shipx invoices unbilled --since ${since} --until ${until}`
  )
}

function notRemitted({ without_remittance: none, until }: MonthCod): string {
  if (none.length === 0) return ''
  const [only] = none
  const parcels = none.reduce((sum, one) => sum + one.parcels, 0)
  const sum = none.reduce((paise, one) => paise + Math.round(one.owed * 100), 0) / 100
  const by = none.length === 1 ? ` --courier ${quoted(only!.courier!)}` : ''
  return (
    `No remittance read so far pays a parcel of ${courierNames(none)}: ${rupees(sum)} for ` +
    `${counted(parcels, ['parcel', 'parcels'])} counts as owed, paid or not. ` +
    `To list them: shipx cod due --parcels${by} --until ${until}`
  )
}

function billed({ billed: sum, parcels, billed_per_parcel: each, ...rest }: MonthInvoices): string {
  const { expected, expected_per_parcel: ours, unknown_lines: unknown } = rest
  const apart = unknown === 0 ? '' : ` ${counted(unknown, ['line', 'lines'])} cannot be judged.`
  return (
    `Couriers billed ${rupees(sum)} for ${counted(parcels, ['parcel', 'parcels'])}, ${rupees(each ?? 0)} each. ` +
    `The rate card says ${rupees(expected)}${ours === null ? '' : `, ${rupees(ours)} each`}.${apart}`
  )
}

/** Invoices whose total a finding names. */
const mostTotals = 5

function wrongTotals({ rows }: MonthInvoices): string {
  const all = rows.flatMap(({ number, wrong_totals: wrong }) =>
    wrong.map(({ printed, sum }) => `${number} says ${rupees(printed)}, and its lines add up to ${rupees(sum)}`),
  )
  if (all.length === 0) return ''
  const more = all.length > mostTotals ? ` And ${count(all.length - mostTotals)} more.` : ''
  return `The total of an invoice is not the sum of its lines: ${all.slice(0, mostTotals).join('; ')}.${more}`
}

/** Reasons that a finding names. */
const mostNamed = 3

/** Where the GST of what invoices bill is. */
export const gstText = (rows: readonly MonthInvoice[]): string =>
  rows.every(({ gst }) => gst === 'included')
    ? 'with GST'
    : rows.every(({ gst }) => gst === 'none')
      ? 'before GST'
      : 'with GST where the invoice has it'

function over({ over: sum, over_lines: lines, over_credited: back, by_reason: reasons, rows }: MonthInvoices): string {
  if (lines === 0) return 'No line that can be judged costs too much.'
  const named = reasons
    .filter(({ reason, amount }) => amount > 0 && reason !== 'gst_on_difference')
    .slice(0, mostNamed)
    .map(({ reason, amount }) => `${reasonName(reason)} ${rupees(amount)}`)
  const largest = named.length === 0 ? '' : ` The largest reasons, before GST: ${named.join(', ')}.`
  const credited = back === 0 ? '' : ` The same invoices credit ${rupees(back)} of it.`
  const billedOn = `${rupees(sum)} too much on ${counted(lines, ['line', 'lines'])}`
  return `They billed ${billedOn}, ${gstText(rows)}.${credited}${largest}`
}

function disputed({ over: sum, over_credited: back }: MonthInvoices, disputes: MonthDisputes | null): string {
  if (disputes === null)
    return sum === back ? '' : 'No dispute is open about it. To open disputes: shipx disputes create'
  const { raised, accepted, credited, credited_unraised: unasked, lapsed, not_raised: open } = disputes
  const asked = credited - unasked
  const came = unasked === 0 ? '' : ` Couriers credited ${rupees(unasked)} that you had not raised.`
  const said =
    raised === 0
      ? 'You raised no dispute yet.'
      : accepted === 0 && asked === 0
        ? `You disputed ${rupees(raised)}, and couriers accepted none of it yet.`
        : `You disputed ${rupees(raised)}. Couriers accepted ${rupees(accepted)} and credited ${rupees(asked)}.`
  const left = open === 0 ? '' : ` ${rupees(open)} waits to be raised.`
  return `${said}${came}${left}${lapsed === 0 ? '' : ` ${rupees(lapsed)} lapsed.`}`
}

function owed({ owed: sum, late, parcels, until, not_in_bank: away, not_compared: unseen }: MonthCod): string {
  const by = `delivered by ${showDay(until)}`
  const never = unseen === 0 ? '' : ` ${rupees(unseen)} that remittances pay was never compared with a bank statement.`
  if (parcels === 0) return `Couriers owe no COD for parcels ${by}.${never}`
  const rest = late === 0 ? 'None of it is late.' : `${late === sum ? 'All' : rupees(late)} of it is late.`
  return `Couriers owe ${rupees(sum)} of COD for ${counted(parcels, ['parcel', 'parcels'])} ${by}. ${rest}${
    away === 0 ? '' : ` Remittances pay ${rupees(away)} of it that the bank never got.`
  }${never}`
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
