// The page of a reconciled invoice for people: what was billed, what was due, and why they differ.
import { count, counted } from '../../../domain/count.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { isReason, reasonName } from '../../../domain/money/reasonnames.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { Column } from '../../output/columns.ts'
import { showDay, showMoney, withZones } from '../../output/display.ts'
import { table } from '../../output/table.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { Accrual } from './accrual.ts'
import { termsText, type KeptTerms } from './keptterms.ts'
import type { Sum, Tally } from './tally.ts'

/** What the page says of the document. */
export interface PageFacts {
  readonly courier: string | undefined
  readonly number: string
  /** The IST day of the document. */
  readonly day: string | undefined
  readonly form: string
  readonly card: string
  readonly gst: boolean
  /** Undefined for a document that an earlier shipx kept. */
  readonly terms: KeptTerms | undefined
  readonly disputeBy: string | undefined
  readonly by: string
  /** What is still to come; undefined where it is not known. */
  readonly accrual: Accrual | undefined
  /** The command that prints all lines that cost too much. */
  readonly command: string
}

/** What a row of sums is called: a reason, or a group as --by has it. */
export const nameOf = (code: string): string => (isReason(code) ? reasonName(code) : withZones(code))

interface Row {
  readonly name: string
  /** The code that --only takes; '' for a group. */
  readonly code: string
  readonly sum: Sum
  readonly most: number
  readonly disputeBy: string
}

const amountText = (paise: number, screen: Screen): string => showMoney(rupeesOf(paise), screen)

const bar = (share: number, ascii: boolean): string => {
  const eighths = Math.round(share * 96)
  if (ascii) return '#'.repeat(Math.round(eighths / 8))
  const [full, rest] = [Math.floor(eighths / 8), eighths % 8]
  return '█'.repeat(full) + (rest === 0 ? '' : ' ▏▎▍▌▋▊▉'[rest]!)
}

const columns = (header: string, base: string): readonly Column<Row>[] => [
  { key: 'reason', header, rank: 1, main: true, raw: ({ name }) => name },
  { key: 'code', header: 'code', rank: 4, whole: true, sparse: true, raw: ({ code }) => code },
  {
    key: 'lines',
    header: 'lines',
    rank: 2,
    right: true,
    whole: true,
    raw: ({ sum }) => sum.lines,
    show: ({ sum }) => count(sum.lines),
  },
  {
    key: 'amount',
    header: `amount${base}`,
    rank: 3,
    right: true,
    whole: true,
    raw: ({ sum }) => rupeesOf(sum.paise),
    show: ({ sum }, screen) => amountText(sum.paise, screen),
  },
  {
    key: 'share',
    header: '',
    rank: 5,
    raw: () => '',
    show: ({ sum, most }, { ascii }) => bar(Math.abs(sum.paise) / most, ascii),
  },
  { key: 'dispute_by', header: 'dispute by', rank: 3, sparse: true, raw: ({ disputeBy }) => disputeBy },
]

const withoutParcels =
  'Without your parcels, shipx does not look for AWBs that are not yours, parcels of another courier or never ' +
  'shipped, and RTO of delivered ones.'

/** The page as text. */
export function pageText(tally: Tally, facts: PageFacts, screen: Screen): string {
  const { verdicts } = tally
  const money = (paise: number): string => amountText(paise, screen)
  const head = [
    `${safe([facts.courier, facts.number].filter((part) => part !== undefined).join(' '))}` +
      (facts.day === undefined ? '' : ` of ${showDay(facts.day)}`),
    counted(tally.lines, ['line', 'lines']),
    `form ${facts.form}`,
    facts.card === noCard ? 'no card: its lines are compared with each other' : `card ${safe(facts.card)}`,
  ].join(' · ')
  const gst = facts.gst ? 'with GST' : 'before GST'
  const unjudged = [...tally.unknown.values()].reduce((sum, { paise }) => sum + paise, 0)
  const compared = facts.card === noCard ? `, ${money(tally.billed - unjudged)} of it on lines with a comparison` : ''
  // What is expected is without credits: so is the amount that it is compared with.
  const { paise: back } = verdicts.credit
  const off = back === 0 ? '' : ` (${money(tally.billed - back)} less ${money(-back)} of credits)`
  const judged = [
    `Billed ${money(tally.billed)} ${gst}${off}${compared}, expected ${money(tally.expected)}`,
    `over ${money(verdicts.over.paise)} (${counted(verdicts.over.lines, ['line', 'lines'])})`,
    `under ${money(-verdicts.under.paise)} (${count(verdicts.under.lines)})`,
    ...(verdicts.credit.lines === 0
      ? []
      : [`credits ${money(-verdicts.credit.paise)} (${count(verdicts.credit.lines)})`]),
    `cannot be judged ${count(verdicts.unknown.lines)}`,
  ].join(' · ')
  // A line that no parcel is found for is not ours, unless parcels are not looked for.
  // Credits say nothing of that: they wait for their bills.
  const debits = tally.lines - verdicts.credit.lines - (tally.unknown.get('credit_first')?.lines ?? 0)
  const alone = facts.card === noCard && tally.found === 0 && debits > 0 && !tally.bare.has('unknown_awb')
  const byReason = facts.by === 'reason'
  // A group has its GST in it.
  const onGst = byReason ? tally.bare.get('gst_on_difference') : undefined
  const reasons = new Map([...tally.bare].filter(([code]) => code !== 'gst_on_difference'))
  const drawn = tableText(facts.by, byReason ? reasons : tally.groups, facts, screen)
  const unknown = [...tally.unknown].map(([code, { lines }]) => `${count(lines)} ${reasonName(code)}`).join(', ')
  const split = splitText(facts)
  const order = split === undefined || !byReason ? [] : [`In this order: ${split}.`]
  const terms = facts.terms === undefined ? '' : termsText(facts.terms, (rupees) => showMoney(rupees, screen))
  const left = creditedText(tally, money)
  return [
    head,
    judged,
    ...(left === undefined ? [] : [left]),
    ...(terms === '' ? [] : [`Judged with: ${terms}`]),
    ...(drawn === '' ? [] : ['', drawn.trimEnd(), ...order]),
    ...(onGst === undefined ? [] : [`GST on these differences: ${money(onGst.paise)}`]),
    ...patternLines(tally, screen),
    ...(alone ? [withoutParcels] : []),
    ...(unknown === '' ? [] : [`Without a judgement: ${unknown} (--only unknown)`]),
    ...(facts.accrual === undefined ? [] : accrualLines(facts.accrual, money)),
    ...tally.wrong.map(
      ({ counts, line, printed, sum }) =>
        `The total in ${counts} ${line} says ${money(printed)}, and the lines add up to ${money(sum)}.`,
    ),
    '',
  ].join('\n')
}

/** What is left to claim where the document itself credits some of it, a sentence; undefined where it does not. */
export const creditedText = (
  { credited, verdicts }: Pick<Tally, 'credited' | 'verdicts'>,
  money: (paise: number) => string,
): string | undefined =>
  credited === 0
    ? undefined
    : `It credits ${money(credited)} of what is over: ${money(verdicts.over.paise - credited)} is left to claim.`

/** The order in which differences were taken apart; undefined where that is not known, and without a card. */
export const splitText = ({ terms, card }: PageFacts): string | undefined =>
  terms === undefined || card === noCard
    ? undefined
    : `whole lines, ${terms.order === 'weight' ? 'weight, zone' : 'zone, weight'}, price, COD, others, GST`

/** Sums by their amount without regard to sign, the largest first. */
export const largestFirst = (sums: ReadonlyMap<string, Sum>): readonly (readonly [string, Sum])[] =>
  [...sums].toSorted(([, a], [, b]) => Math.abs(b.paise) - Math.abs(a.paise) || b.lines - a.lines)

/** `Sep 2026`, or `Aug 2026 to Sep 2026`. */
function monthsText([first, last]: Accrual['months']): string {
  const [from, to] = [first, last].map((month) => `${showDay(`${month}-01`).slice(3)} ${month.slice(0, 4)}`)
  return from === to ? from! : `${from} to ${to}`
}

/** What is still to come, a sentence without its end; undefined where every parcel is billed. */
export function accrualText(
  { months, parcels, amount, priced }: Accrual,
  money: (paise: number) => string,
): string | undefined {
  const of = `Never billed of ${monthsText(months)}`
  if (parcels === undefined) return `${of}: too many parcels to look at here`
  if (parcels === 0) return undefined
  const some = priced === parcels ? '' : ` for ${count(priced)} of them`
  const about =
    amount === undefined ? 'without a price on the card' : `about ${money(amount)} to come before GST${some} (accrual)`
  return `${of}: ${counted(parcels, ['parcel', 'parcels'])}, ${about}`
}

function accrualLines(accrual: Accrual, money: (paise: number) => string): readonly string[] {
  const said = accrualText(accrual, money)
  return said === undefined ? [] : [said, `  ${accrual.command}`]
}

/** Groups that a page shows. */
const mostGroups = 100

/** Patterns that a page shows. */
const mostPatterns = 5

/** What is wrong in the same way on many lines, a sentence each. */
export function patternLines({ patterns }: Tally, screen: Screen): readonly string[] {
  const all = patterns.found()
  const sentences = all.slice(0, mostPatterns).map(({ text, amount, example }) => {
    const said = `${withZones(text)}: ${amountText(amount, screen)} (for example ${example})`
    return `- ${safe(screen.ascii ? said.replaceAll('₹', 'Rs ') : said)}`
  })
  const more = all.length - sentences.length
  return all.length === 0
    ? []
    : ['', 'The same on many lines, before GST:', ...sentences, ...(more > 0 ? [`- and ${count(more)} more`] : [])]
}

/** Where the GST of a table is: reasons are before it, groups have it as the lines have it. */
export const baseText = (by: string, { gst }: Pick<PageFacts, 'gst'>): string =>
  gst ? (by === 'reason' ? ' before GST' : ' with GST') : ''

function tableText(by: string, sums: ReadonlyMap<string, Sum>, facts: PageFacts, screen: Screen): string {
  const all = largestFirst(sums)
  const most = Math.max(1, ...all.map(([, { paise }]) => Math.abs(paise)))
  const rows = all.map(([code, sum]) => ({
    name: nameOf(code),
    code: by === 'reason' ? code : '',
    sum,
    most,
    disputeBy: code === 'weight' && facts.disputeBy !== undefined ? showDay(facts.disputeBy.slice(0, 10)) : '',
  }))
  if (rows.length === 0) return ''
  const { text } = table(columns(by === 'sku' ? 'SKU' : by, baseText(by, facts)), rows.slice(0, mostGroups), screen)
  const more = rows.length - mostGroups
  return more > 0 ? `${text.trimEnd()}\nand ${count(more)} more (--xlsx has all)` : text
}
