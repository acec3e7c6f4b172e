// The text of a mail to a courier's COD desk about a remittance (docs/guides/cod.md, The COD desk).
import { count, counted } from '../../../domain/count.ts'
import type { CodVerdict } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { CodOutcome } from './codjudging.ts'
import type { CodFacts, CodTally } from './codpage.ts'

/** A line of the mail: what it is about, paise, and more in words. */
interface Row {
  readonly about: string
  readonly amount: number
  readonly more: string
}

/** Lines of one kind. */
interface Part {
  readonly title: string
  readonly noun: readonly [string, string]
  readonly rows: readonly Row[]
}

/** The most lines of a part that the text holds. */
const mostRows = 200

const parcel = ['parcel', 'parcels'] as const
const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, { amount }) => sum + amount, 0)

/** The subject and the text of the mail; it asks for nothing where nothing is wrong. */
export function codMail({ found }: CodTally, facts: CodFacts, screen: Screen): string {
  const money = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const [lacking, above, late] = [lackingIn(found, facts, money), aboveIn(found, money), lateIn(found)]
  const [owed, over] = [lacking, above].map((parts) => parts.reduce((sum, { rows }) => sum + sumOf(rows), 0)) as [
    number,
    number,
  ]
  const about = `COD remittance ${safe(facts.number)}`
  const day = facts.day === undefined ? '' : ` of ${showDay(facts.day)}`
  const taken = facts.remitted === facts.net ? '' : `, ${money(facts.net)} after deductions`
  const paid = `Your ${about}${day} pays ${money(facts.remitted)}${taken}.`
  if (lacking.length + above.length + late.length === 0)
    return `Subject: ${about}\n\nDear team,\n\n${paid} We found nothing to correct.\n`
  const asked = [
    ...(owed === 0 ? [] : [`${money(owed)} to pay`]),
    ...(over === 0 ? [] : [`${money(over)} paid too much`]),
    ...(late.length === 0 ? [] : ['paid late']),
  ]
  return [
    `Subject: ${about}: ${asked.join(', ')}`,
    '',
    'Dear team,',
    '',
    paid,
    ...(lacking.length === 0 ? [] : ['', `Please pay ${money(owed)}:`, ...linesOf(lacking, money)]),
    ...(above.length === 0 ? [] : ['', `You paid ${money(over)} too much. Please say how you settle it:`]),
    ...linesOf(above, money),
    ...(late.length === 0 ? [] : ['', 'These came after their day:', ...linesOf(late, money)]),
    '',
    'Please check them and answer with the day and the UTR of the payment.',
    '',
    'Regards',
    '',
  ].join('\n')
}

/** Parts as lines: each with its sum, and its rows below it. */
const linesOf = (parts: readonly Part[], money: (paise: number) => string): readonly string[] =>
  parts.flatMap(({ title, noun, rows }) => {
    const rest = rows.slice(mostRows)
    return [
      '',
      `${title}: ${counted(rows.length, noun)}, ${money(sumOf(rows))}`,
      ...rows
        .slice(0, mostRows)
        .map(({ about, amount, more }) => `- ${safe(about)}: ${money(amount)}${more === '' ? '' : `, ${more}`}`),
      ...(rest.length === 0 ? [] : [`- and ${count(rest.length)} more in the attached sheet: ${money(sumOf(rest))}`]),
    ]
  })

const partOf = (title: string, rows: readonly Row[], noun: Part['noun'] = parcel): readonly Part[] =>
  rows.length === 0 ? [] : [{ title, noun, rows }]

/** The parcels of some verdicts. */
const rowsOf = (
  found: readonly CodOutcome[],
  verdicts: readonly CodVerdict[],
  amount: (one: CodOutcome) => number,
  more: (one: CodOutcome) => string,
): readonly Row[] =>
  found
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map((one) => ({ about: one.awb, amount: amount(one), more: more(one) }))

const dueWords = ({ dueDate }: CodOutcome): string => (dueDate === null ? '' : `due ${showDay(dueDate)}`)

const returnedWords = (rupees: number, date: string | null, money: (paise: number) => string): string => {
  const when = date === null ? '' : ` of ${showDay(date)}`
  return `the ${money(Math.round(rupees * 100))}${when} went back`
}

/** What did not come. */
function lackingIn(
  found: readonly CodOutcome[],
  { unexplained, bank, asked }: CodFacts,
  money: (paise: number) => string,
): readonly Part[] {
  const lacks = ({ difference }: CodOutcome): number => -difference
  const shortWords = ({ due, paid }: CodOutcome): string => `${money(paid.amount)} of ${money(due)}`
  const taken = unexplained.map(({ awb, utr, amount }): Row => {
    const transfer = utr === null ? '' : `UTR ${utr}`
    return { about: awb ?? (transfer || 'the whole remittance'), amount, more: awb === undefined ? '' : transfer }
  })
  const away = bank.filter(({ utr, verdict }) => verdict === 'not_in_bank' && asked.get(utr)! > 0)
  return [
    ...partOf('Not paid', rowsOf(found, ['overdue'], lacks, dueWords)),
    ...partOf('Paid too little', rowsOf(found, ['short'], lacks, shortWords)),
    ...partOf('Taken off without a reason', taken, ['amount', 'amounts']),
    ...partOf(
      'Not in our bank',
      away.map(({ utr, returned, date }) => ({
        about: `UTR ${utr}`,
        amount: asked.get(utr)!,
        more: returned === 0 ? '' : returnedWords(returned, date, money),
      })),
      ['transfer', 'transfers'],
    ),
  ]
}

/** What came and is not due. */
function aboveIn(found: readonly CodOutcome[], money: (paise: number) => string): readonly Part[] {
  const parts: readonly (readonly [title: string, verdict: CodVerdict])[] = [
    ['Paid twice', 'twice'],
    ['Paid too much', 'excess'],
    ['Paid for prepaid parcels', 'remitted_on_prepaid'],
    ['Paid for parcels that came back', 'remitted_on_rto'],
    ['Paid for AWBs that are not ours', 'unknown_awb'],
  ]
  const above = ({ difference }: CodOutcome): number => difference
  const paidWords = ({ due, paid }: CodOutcome): string => `${money(paid.amount)} paid, ${money(due)} due`
  return parts.flatMap(([title, verdict]) => partOf(title, rowsOf(found, [verdict], above, paidWords)))
}

/** What came late: all of it is here. */
function lateIn(found: readonly CodOutcome[]): readonly Part[] {
  const paid = (one: CodOutcome): number => one.paid.amount
  const lateWords = (one: CodOutcome): string => `${dueWords(one)}, ${counted(one.daysLate ?? 0, ['day', 'days'])} late`
  return partOf('Paid late', rowsOf(found, ['late'], paid, lateWords))
}
