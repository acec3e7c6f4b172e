// The page of a reconciled remittance for people: what was paid, what is due and late, deductions, and the bank.
import { count, counted } from '../../../domain/count.ts'
import { codVerdicts, type CodVerdict } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { Column } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { table } from '../../output/table.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { Deduction, Unexplained, WrongCodTotal } from './coddeductions.ts'
import { unexplainedName } from './coddeductions.ts'
import type { CodOutcome } from './codjudging.ts'
import { bankView, verdictWords, type BankRecord } from './codrecords.ts'

/** What the parcels of a verdict add up to: paise, and the most days that one is late. */
interface Sums {
  parcels: number
  due: number
  remitted: number
  difference: number
  late: number
}

/** What outcomes add up to, by verdict. */
export interface CodTally {
  readonly verdicts: ReadonlyMap<CodVerdict, Readonly<Sums>>
  /** The outcomes that are not in order, where a mail wants them. */
  readonly found: readonly CodOutcome[]
  readonly add: (outcome: CodOutcome) => void
}

/** A tally of nothing; one for a mail keeps the outcomes. */
export function codTally(keeps = false): CodTally {
  const found: CodOutcome[] = []
  const verdicts = new Map<CodVerdict, Sums>()
  return {
    verdicts,
    found,
    add: (outcome) => {
      const { verdict, difference, due, paid, daysLate } = outcome
      if (keeps && verdict !== 'ok' && verdict !== 'not_due') found.push(outcome)
      const known = verdicts.get(verdict) ?? { parcels: 0, due: 0, remitted: 0, difference: 0, late: 0 }
      known.parcels++
      known.due += due
      known.remitted += paid.amount
      known.difference += difference
      known.late = Math.max(known.late, daysLate ?? 0)
      verdicts.set(verdict, known)
    },
  }
}

/** What the page says of the document: paise. */
export interface CodFacts {
  readonly courier: string | undefined
  readonly number: string
  readonly day: string | undefined
  readonly form: string
  readonly lines: number
  readonly remitted: number
  readonly net: number
  readonly cycle: string
  readonly deductions: readonly Deduction[]
  readonly unexplained: readonly Unexplained[]
  readonly wrong: readonly WrongCodTotal[]
  readonly bank: readonly BankRecord[]
  /** What the user asks the courier for, because transfers did not come in full, by their UTRs: paise. */
  readonly asked: ReadonlyMap<string, number>
  /** How many unpaid parcels of other couriers are left out. */
  readonly others: number
}

interface Row extends Readonly<Sums> {
  readonly verdict: CodVerdict
}

const money = (key: 'due' | 'remitted' | 'difference', rank: number): Column<Row> => ({
  key,
  header: key,
  rank,
  right: true,
  whole: true,
  raw: (row) => rupeesOf(row[key]),
  show: (row, screen) => showMoney(rupeesOf(row[key]), screen),
})

const columns: readonly Column<Row>[] = [
  { key: 'verdict', header: 'verdict', rank: 1, main: true, raw: ({ verdict }) => verdictWords(verdict) },
  {
    key: 'parcels',
    header: 'parcels',
    rank: 3,
    right: true,
    whole: true,
    raw: ({ parcels }) => parcels,
    show: ({ parcels }) => count(parcels),
  },
  money('due', 4),
  money('remitted', 5),
  money('difference', 2),
  {
    key: 'late',
    header: 'days late at most',
    rank: 6,
    right: true,
    sparse: true,
    raw: ({ late }) => (late === 0 ? '' : late),
  },
]

/** The page as text. */
export function codPage({ verdicts }: CodTally, facts: CodFacts, screen: Screen): string {
  const money = (rupees: number): string => showMoney(rupees, screen)
  const head = [
    safe([facts.courier, facts.number].filter((part) => part !== undefined).join(' ')) +
      (facts.day === undefined ? '' : ` of ${showDay(facts.day)}`),
    counted(facts.lines, ['line', 'lines']),
    `form ${facts.form}`,
    `due ${facts.cycle}`,
  ].join(' · ')
  const { remitted, net } = facts
  const taken = remitted === net ? '' : `, ${money(rupeesOf(net))} after deductions`
  const rows = codVerdicts.flatMap((verdict): Row[] => {
    const sum = verdicts.get(verdict)
    return sum === undefined ? [] : [{ verdict, ...sum }]
  })
  const wrong = rows.find(({ verdict }) => verdict !== 'ok' && verdict !== 'not_due')?.verdict
  const drawn = rows.length === 0 ? '' : table(columns, rows, screen).text.trimEnd()
  return [
    head,
    `Remitted ${money(rupeesOf(remitted))}${taken}`,
    ...(drawn === '' ? [] : ['', drawn]),
    ...(wrong === undefined ? [] : [`To list the parcels of a verdict, add: --only ${wrong}`]),
    ...deductionLines(facts.deductions, money),
    ...totalTexts(facts, screen),
    ...bankLines(facts.bank, screen),
    '',
  ].join('\n')
}

/** The printed totals that are wrong, a sentence each. */
export const totalTexts = ({ wrong }: Pick<CodFacts, 'wrong'>, screen: Screen): readonly string[] =>
  wrong.map(({ line, printed, sum }) => {
    const [said, added] = [printed, sum].map((paise) => showMoney(rupeesOf(paise), screen))
    return `The total in line ${line} says ${said}, and the lines add up to ${added}.`
  })

function deductionLines(deductions: readonly Deduction[], money: (rupees: number) => string): readonly string[] {
  if (deductions.length === 0) return []
  const said = deductions.map(({ name, amount, lines, utr }) => {
    const of = utr === null ? '' : ` of ${safe(utr)}`
    const what = name === unexplainedName ? `${name}: nothing says why` : safe(name)
    return `- ${money(amount)}${of}, ${counted(lines, ['line', 'lines'])}: ${what}`
  })
  return [
    '',
    'Deductions:',
    ...said.slice(0, 12),
    ...(said.length > 12 ? [`- and ${count(said.length - 12)} more`] : []),
  ]
}

/** UTRs that a page shows: what is not in order comes first. */
const mostUtrs = 20

function bankLines(bank: readonly BankRecord[], screen: Screen): readonly string[] {
  if (bank.length === 0) return []
  const wrong = bank.filter(({ verdict }) => verdict !== 'ok')
  const fine = bank.length - wrong.length
  const usual = bankView.columns.filter(({ wide }) => wide !== true)
  const drawn = wrong.length === 0 ? [] : [table(usual, wrong.slice(0, mostUtrs), screen).text.trimEnd()]
  const more = wrong.length - mostUtrs
  return [
    '',
    `Bank: ${counted(fine, ['UTR', 'UTRs'])} in order, ${count(wrong.length)} not.`,
    ...drawn,
    ...(more > 0 ? [`and ${count(more)} more (--out-bank has all)`] : []),
  ]
}
