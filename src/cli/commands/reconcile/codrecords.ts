// Judged COD as records for programs and as tables for people, and the transfers of its UTRs.
import type { BankMatch, Transfer } from '../../../domain/money/bankmatch.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { istDate } from '../../../domain/time.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { CodOutcome } from './codjudging.ts'

/** A record of `shipx reconcile cod`: rupees, IST days. */
export interface CodRecord extends Record<string, unknown> {
  readonly awb: string
  readonly order: string | null
  readonly courier: string | null
  readonly delivered: string | null
  readonly due_date: string | null
  readonly due: number
  readonly remitted: number
  readonly fee: number
  readonly adjusted: number
  readonly unexplained: number
  readonly difference: number
  readonly verdict: string
  readonly utr: string | null
  readonly remitted_on: string | null
  readonly days_late: number | null
  readonly bank: string | null
  readonly fee_due: number | null
  readonly matched_by: string | null
  readonly before: readonly { readonly remittance: string; readonly amount: number }[]
}

/** A judgement as a record; `bank` is the verdict of its transfer. */
export const codRecord = (one: CodOutcome, bank: string | null): CodRecord => ({
  awb: one.awb,
  order: one.order,
  courier: one.courier,
  delivered: one.delivered === null ? null : istDate(one.delivered),
  due_date: one.dueDate,
  due: rupeesOf(one.due),
  remitted: rupeesOf(one.paid.amount),
  fee: rupeesOf(one.fee),
  adjusted: rupeesOf(one.paid.adjusted),
  unexplained: rupeesOf(one.paid.unexplained),
  difference: rupeesOf(one.difference),
  verdict: one.verdict,
  utr: one.utrs.length === 0 ? null : one.utrs.join(', '),
  remitted_on: one.paid.on ?? null,
  days_late: one.daysLate,
  bank,
  fee_due: one.feeDue === null ? null : rupeesOf(one.feeDue),
  matched_by: one.matchedBy ?? null,
  before: one.before.map(({ remittance, amount }) => ({ remittance, amount: rupeesOf(amount) })),
})

type Cell = string | number | null

const plain = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
  over: Partial<Column<R>> = {},
): Column<R> => ({
  key,
  field: key,
  header,
  rank,
  raw: (record) => {
    const value = record[key]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as Cell)
  },
  ...over,
})

const money = <R extends Record<string, unknown>>(key: keyof R & string, header: string, rank: number): Column<R> =>
  plain(key, header, rank, {
    right: true,
    whole: true,
    kind: 'money',
    show: (record, screen) => {
      const amount = record[key]
      return typeof amount === 'number' ? showMoney(amount, screen) : '-'
    },
  })

const day = <R extends Record<string, unknown>>(key: keyof R & string, header: string, rank: number): Column<R> =>
  plain(key, header, rank, {
    kind: 'day',
    show: (record) => {
      const value = record[key]
      return typeof value === 'string' ? showDay(value) : '-'
    },
  })

/** A verdict in words: its code with blanks, as `--only` takes it too. */
export const verdictWords = (verdict: string): string =>
  verdict.replaceAll('_', ' ').replace(/\b(?:awb|rto)\b/g, (word) => word.toUpperCase())

/** The view of judged COD. */
export const codView: View<CodRecord> = {
  noun: ['parcel', 'parcels'],
  id: ({ awb }) => awb,
  names: [
    'awb',
    'order',
    'courier',
    'delivered',
    'due_date',
    'due',
    'remitted',
    'fee',
    'adjusted',
    'unexplained',
    'difference',
    'verdict',
    'utr',
    'remitted_on',
    'days_late',
    'bank',
    'fee_due',
    'matched_by',
    'before',
  ],
  columns: [
    plain('awb', 'AWB', 1, { whole: true }),
    plain('order', 'order', 9),
    plain('courier', 'courier', 8),
    day('delivered', 'delivered', 10),
    day('due_date', 'due date', 6),
    money('due', 'due', 4),
    money('remitted', 'remitted', 5),
    money('fee', 'fee', 13),
    money('adjusted', 'adjusted', 14),
    plain('unexplained', 'unexplained', 4, {
      right: true,
      whole: true,
      kind: 'money',
      sparse: true,
      show: ({ unexplained }, screen) => (unexplained === 0 ? '' : showMoney(unexplained, screen)),
    }),
    money('difference', 'difference', 2),
    plain('verdict', 'verdict', 3, { raw: ({ verdict }) => verdictWords(verdict) }),
    plain('days_late', 'days late', 7, { right: true }),
    day('remitted_on', 'remitted on', 12),
    plain('utr', 'UTR', 11),
    plain('bank', 'bank', 15, { sparse: true }),
  ],
}

/** A record of a UTR: rupees. */
export interface BankRecord extends Record<string, unknown> {
  readonly utr: string
  readonly file: number
  readonly bank: number
  readonly difference: number
  readonly verdict: string
  /** The IST day of the credit. */
  readonly date: string | null
  readonly narration: string | null
  readonly candidates: readonly {
    readonly line: number
    readonly date: string | null
    readonly amount: number
    readonly narration: string
  }[]
  /** What came and went back. */
  readonly returned: number
}

/** The first credit, and one that went back where there is no other. */
const cameIn = (credits: BankMatch['credits']) => credits.find(({ amount }) => amount > 0) ?? credits[0]

/** A UTR as a record. */
export const bankRecord = ({ utr, file, bank, returned, verdict, credits, candidates }: BankMatch): BankRecord => ({
  utr,
  file: rupeesOf(file),
  bank: rupeesOf(bank),
  difference: rupeesOf(bank - file),
  verdict,
  date: cameIn(credits)?.day ?? null,
  narration: cameIn(credits)?.narration ?? null,
  candidates: candidates.map(({ line, day: on, amount, narration }) => ({
    line,
    date: on ?? null,
    amount: rupeesOf(amount),
    narration,
  })),
  returned: rupeesOf(returned),
})

const railWords: ReadonlySet<string> = new Set('NEFT RTGS IMPS UPI CR DR UTR BY TRANSFER INW'.split(' '))

/** A narration whose names and numbers are dots, those of UTRs and words of banks aside; whole with `--show-pii`. */
export function maskNarration(text: string, utr: string, { pii, ascii }: Pick<Screen, 'pii' | 'ascii'>): string {
  if (pii === true) return text
  const dots = ascii ? '***' : '•••'
  return text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
    railWords.has(word.toUpperCase()) || (word.length > 5 && utr.includes(word.toUpperCase())) ? word : dots,
  )
}

/** The view of UTRs. */
export const bankView: View<BankRecord> = {
  noun: ['UTR', 'UTRs'],
  id: ({ utr }) => utr,
  names: ['utr', 'file', 'bank', 'difference', 'verdict', 'date', 'narration', 'candidates', 'returned'],
  columns: [
    plain('utr', 'UTR', 1, { whole: true }),
    money('file', 'file', 4),
    money('bank', 'bank', 3),
    money('difference', 'difference', 2),
    plain('returned', 'returned', 5, {
      right: true,
      whole: true,
      kind: 'money',
      sparse: true,
      raw: ({ returned }) => (returned === 0 ? '' : returned),
      show: ({ returned }, screen) => (returned === 0 ? '' : showMoney(returned, screen)),
    }),
    plain('verdict', 'verdict', 2, { raw: ({ verdict }) => verdictWords(verdict) }),
    day('date', 'date', 6),
    plain('narration', 'narration', 7, {
      show: ({ narration, utr }, screen) => (narration === null ? '-' : maskNarration(narration, utr, screen)),
    }),
    plain('candidates', 'same amount', 5, {
      sparse: true,
      raw: ({ candidates }) => (candidates.length === 0 ? '' : candidates.map(({ line }) => `line ${line}`).join(', ')),
    }),
  ],
}

/** What a line says of its transfer, paise. */
interface Paying {
  readonly utrs: readonly string[]
  readonly batch: string
  readonly remitted: number
  readonly fee: number
  readonly adjusted: number
  readonly unexplained: number
}

/** What the lines of a file, and kept lines with the same UTRs, say of each transfer: net of its deductions. */
export function transfersOf(lines: readonly Paying[]): readonly Transfer[] {
  const found = new Map<string, { readonly utrs: readonly string[]; net: number }>()
  const namesOf = ({ utrs, batch }: Pick<Paying, 'utrs' | 'batch'>): readonly string[] =>
    utrs.length > 0 ? utrs : batch === '' ? [] : [batch]
  const all = new Set(lines.flatMap((line) => (namesOf(line).length === 0 ? [] : [namesOf(line).join(', ')])))
  // A deduction below the lines of one transfer is of that transfer.
  const only = all.size === 1 ? namesOf(lines.find((line) => namesOf(line).length > 0)!) : []
  for (const line of lines) {
    const { remitted, fee, adjusted, unexplained } = line
    const own = namesOf(line)
    const names = own.length > 0 ? own : only
    if (names.length === 0) continue
    const key = names.join(', ')
    const known = found.get(key) ?? { utrs: names, net: 0 }
    known.net += remitted - fee - adjusted - unexplained
    found.set(key, known)
  }
  return [...found.values()]
}
