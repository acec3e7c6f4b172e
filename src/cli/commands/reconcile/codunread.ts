// The headers of a remittance that nothing reads: whether its amounts do not add up without them.
import { count } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { receivedPaise } from '../../../domain/money/amounts.ts'
import type { CodField } from '../../../domain/money/codforms.ts'
import { saidBy } from '../../../domain/money/unreadheaders.ts'
import { shownHeader } from '../../files/shownheaders.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { quoted } from '../../terminal/safe.ts'
import type { WrongCodTotal } from './coddeductions.ts'
import type { CodFile } from './codfile.ts'
import type { CodOutcome } from './codjudging.ts'
import type { CodLine } from './codlines.ts'
import { looked } from './doubts.ts'

/** A column that nothing reads, with its amounts in the first rows by line: paise. */
interface Column {
  readonly header: string
  readonly at: number
  /** Cells with something in them. */
  filled: number
  readonly paise: Map<number, number>
}

/** What the first rows have under headers that nothing reads. */
export interface CodUnread {
  readonly headers: readonly string[]
  readonly add: (row: SheetRow) => void
  /** Throws `unread_amounts` where amounts are missing without which lines do not add up. */
  readonly refuse: (given: Judged) => void
}

/** A remittance that was read and judged. */
interface Judged {
  readonly lines: readonly CodLine[]
  readonly outcomes: readonly CodOutcome[]
  readonly wrong: readonly WrongCodTotal[]
}

/** An amount that is off by less than this fits, paise. */
const near = 100

/** Words of money in a remittance, whatever stands beside them. */
const moneyWord =
  /\b(?:cod|cash|payout|paid|(?:collect|remit|settle|ded|adj|recover)\w*|less|penalty|wallet|h[eo]ld|tds|tcs)\b/i

/** A header of what is left for the bank. */
const netWord = /\b(?:net|payout|payable|credited|transferred|final)\b/i

/** What a header of an amount is, as far as its words say so. */
const guesses: readonly (readonly [field: CodField, word: RegExp])[] = [
  ['net', netWord],
  ['tds', /\b(?:tds|tcs|tax)\b/i],
  ['fee', /\b(?:early|fees?)\b/i],
  ['freight', /\b(?:freight|frt|shipping|shpg|courier|forward|fwd|rto|weight)\b/i],
  ['cod_amount', /\b(?:gross|collected|collectable|cod)\b/i],
]

/** Whether a column has amounts, and its header says nothing against it. */
const isAmount = ({ header, filled, paise }: Column): boolean =>
  paise.size * 10 >= filled * 9 &&
  [...paise.values()].some((one) => one !== 0) &&
  (saidBy(header) !== 'other' || moneyWord.test(header))

/** The unread columns of a file with no row looked at yet. */
export function codUnreadOf(file: CodFile): CodUnread {
  const columns = file.unread.map((header): Column => ({
    header,
    at: file.sheet.headers.indexOf(header),
    filled: 0,
    paise: new Map(),
  }))
  let rows = 0
  return {
    headers: file.unread,
    add: ({ cells, line }) => {
      if (columns.length === 0 || rows++ >= looked) return
      for (const column of columns) {
        const text = (cells[column.at] ?? '').trim()
        if (text === '') continue
        column.filled++
        const paise = receivedPaise(text)
        if (!Number.isNaN(paise)) column.paise.set(line, paise)
      }
    },
    refuse: ({ lines, outcomes, wrong }) => {
      const amounts = columns.filter(isAmount)
      if (amounts.length === 0) return
      const differences = new Map(
        outcomes.flatMap(({ verdict, difference, lines: own }) =>
          verdict === 'short' && own.length === 1 ? [[own[0]!, -difference] as const] : [],
        ),
      )
      let [known, misfits, explained] = [0, 0, 0]
      for (const line of lines.slice(0, looked)) {
        if (line.fault !== undefined || line.awb === '') continue
        known++
        const missing = missingOf(line, file, amounts, differences.get(line))
        if (Math.abs(missing) < near) continue
        misfits++
        if (explains(line, amounts, missing)) explained++
      }
      if (explained * 2 > misfits)
        throw refusal(file, amounts, `${count(misfits)} of the first ${count(known)} lines do`)
      if (lines.length <= looked && wrong.some((total) => isTotalOf(total, amounts)))
        throw refusal(file, amounts, 'its totals do')
    },
  }
}

/** What a line lacks, paise: of its net amount, of one that nothing reads, or of what is due. */
function missingOf(line: CodLine, { places }: CodFile, amounts: readonly Column[], short: number | undefined): number {
  const { remitted, fee, adjusted, unexplained, bare } = line
  if (places.has('net')) return unexplained - bare
  const net = amounts.find(({ header }) => netWord.test(header))?.paise.get(line.line)
  return net === undefined ? (short ?? 0) : remitted - fee - adjusted - unexplained - net
}

/** Whether unread amounts of a line are what it lacks: one of them, all of them, or a net amount itself. */
function explains({ line, remitted }: CodLine, amounts: readonly Column[], missing: number): boolean {
  const net = amounts.find(({ header }) => netWord.test(header))?.paise.get(line)
  if (net !== undefined) return true
  const own = amounts.map(({ paise }) => Math.abs(paise.get(line) ?? 0)).filter((one) => one < Math.abs(remitted))
  const all = own.reduce((sum, one) => sum + one, 0)
  return [...own, all].some((one) => one !== 0 && Math.abs(Math.abs(missing) - one) < near)
}

/** Whether a printed total lacks just what an unread column adds up to. */
const isTotalOf = ({ printed, sum }: WrongCodTotal, amounts: readonly Column[]): boolean =>
  amounts.some(({ paise }) => {
    const all = [...paise.values()].reduce((one, other) => one + other, 0)
    return all !== 0 && Math.abs(Math.abs(printed - sum) - Math.abs(all)) < near
  })

function refusal(file: CodFile, columns: readonly Column[], what: string): ShipxError {
  const taken = new Set<CodField>(file.places.keys())
  const flags = columns.map(({ header }) => {
    const field = guesses.find(([, word]) => word.test(header))?.[0] ?? 'adjusted'
    if (taken.has(field)) return `--ignore ${quoted(header)}`
    taken.add(field)
    return `--map ${quoted(`${header}=${field}`)}`
  })
  const names = columns.map(({ header }) => `"${shownHeader(header)}"`).join(', ')
  const them = columns.length === 1 ? 'it' : 'them'
  return new ShipxError(
    'unread_amounts',
    `shipx reads only some amounts of this remittance, not ${names}: ${what} not add up without ${them}`,
    { hint: `--force reads the file as it is; or say what each column is: ${flags.join(' ')}` },
  )
}
