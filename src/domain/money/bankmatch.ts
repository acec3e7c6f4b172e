// The transfers of remittance files against the credits of a bank statement, by their UTRs and never by an amount alone
// (docs/guides/cod.md, The bank).
import { utrKey } from './utr.ts'

/** The verdicts of a UTR. */
export const bankVerdicts = ['ok', 'short', 'excess', 'not_in_bank', 'not_in_file'] as const
export type BankVerdict = (typeof bankVerdicts)[number]

/** What a file says of a transfer: paise, net of deductions. */
export interface Transfer {
  /** One UTR, or several where the file names several for one transfer. */
  readonly utrs: readonly string[]
  readonly net: number
}

/** A credit of a statement: paise, an IST day. */
export interface BankCredit {
  /** Which statement has it: the id of a kept one, '' for the one that is read. */
  readonly statement: string
  readonly line: number
  readonly day: string | undefined
  /** Below 0 for a row of money out that names a UTR: the transfer went back. */
  readonly amount: number
  readonly narration: string
  readonly reference: string
  /** The keys of the UTRs that it names; of a transfer that no file names, the UTR itself. */
  readonly utrs: readonly string[]
}

/** A UTR of either file: paise. */
export interface BankMatch {
  readonly utr: string
  readonly file: number
  /** What came, without what went back. */
  readonly bank: number
  /** What came and went back. */
  readonly returned: number
  readonly verdict: BankVerdict
  readonly credits: readonly BankCredit[]
  /** Credits without a known UTR that have the amount of a transfer which the bank does not name. */
  readonly candidates: readonly BankCredit[]
}

/**
 * What a remittance is asked for of a transfer that the bank did not get in full, where others pay in it too: what came
 * counts for those that were kept first. Paise; `net` is what it pays itself, and `later` what those do that were kept
 * after it.
 */
export function shareOf(
  { file, bank, verdict }: Pick<BankMatch, 'file' | 'bank' | 'verdict'>,
  net: number,
  later: number,
): number {
  if (verdict !== 'short' && verdict !== 'not_in_bank') return 0
  return Math.max(0, Math.min(file - bank - later, net))
}

/** Credits that may be offered for one transfer. */
const mostCandidates = 5

function verdictOf(file: number, bank: number, tolerance: number): BankVerdict {
  if (bank <= 0) return 'not_in_bank'
  if (Math.abs(bank - file) <= tolerance) return 'ok'
  return bank < file ? 'short' : 'excess'
}

/** Whether any of some transfers names a UTR key. */
export const transferKeys = (transfers: readonly Transfer[]): ReadonlySet<string> =>
  new Set(transfers.flatMap(({ utrs }) => utrs.map(utrKey)))

/**
 * Credits of several statements, each once: those of one UTR, day and amount are one credit in two statements, whatever
 * their narrations, and two credits in one statement.
 */
export function eachOnce<Credit extends Pick<BankCredit, 'statement' | 'day' | 'amount'>>(
  credits: readonly Credit[],
  utrOf: (credit: Credit) => string,
): readonly Credit[] {
  const same = new Map<string, Map<string, Credit[]>>()
  for (const credit of credits) {
    const key = `${utrOf(credit)}\n${credit.day ?? ''}\n${credit.amount}`
    const statements = same.get(key) ?? new Map<string, Credit[]>()
    statements.set(credit.statement, [...(statements.get(credit.statement) ?? []), credit])
    same.set(key, statements)
  }
  return [...same.values()].flatMap((statements) =>
    [...statements.values()].reduce((most, own) => (own.length > most.length ? own : most)),
  )
}

/** What the bank got of a transfer, by all statements. */
export interface Came {
  readonly credits: readonly BankCredit[]
  readonly bank: number
  readonly returned: number
}

/** What the bank got of the transfer with some UTR keys: all its credits, each once, less what went back. */
export function cameOf(keys: readonly string[], credits: readonly BankCredit[]): Came {
  const own = credits.filter(({ utrs }) => keys.some((key) => utrs.includes(key)))
  return summed(eachOnce(own, ({ utrs }) => keys.find((key) => utrs.includes(key))!))
}

function summed(credits: readonly BankCredit[]): Came {
  const sum = (sign: 1 | -1): number =>
    credits.reduce((all, { amount }) => all + (Math.sign(amount) === sign ? amount * sign : 0), 0)
  return { credits, bank: Math.max(0, sum(1) - sum(-1)), returned: sum(-1) }
}

/**
 * Each transfer of the files with the credits that name one of its UTRs, and then each UTR of the statements that no
 * file names. A credit counts for one transfer.
 */
export function matchBank(
  transfers: readonly Transfer[],
  credits: readonly BankCredit[],
  tolerance: number,
): readonly BankMatch[] {
  const byKey = new Map<string, BankCredit[]>()
  for (const credit of credits) for (const key of credit.utrs) byKey.set(key, [...(byKey.get(key) ?? []), credit])
  const used = new Set<BankCredit>()
  const matched = transfers.map((transfer) => {
    const keys = [...new Set(transfer.utrs.map(utrKey))]
    const own = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].filter((credit) => !used.has(credit))
    for (const credit of own) used.add(credit)
    return { transfer, came: cameOf(keys, own) }
  })
  const free = new Map<number, BankCredit[]>()
  for (const credit of credits)
    if (!used.has(credit) && credit.amount > 0) free.set(credit.amount, [...(free.get(credit.amount) ?? []), credit])
  const found = matched.map(({ transfer: { utrs, net }, came }): BankMatch => {
    const verdict = verdictOf(net, came.bank, tolerance)
    const candidates = verdict === 'not_in_bank' ? (free.get(net) ?? []).slice(0, mostCandidates) : []
    return { utr: utrs.join(', '), file: net, ...came, verdict, candidates }
  })
  const strangers = new Map<string, BankCredit[]>()
  for (const credit of credits) {
    const [utr] = credit.utrs
    if (!used.has(credit) && utr !== undefined) strangers.set(utr, [...(strangers.get(utr) ?? []), credit])
  }
  return [
    ...found,
    ...[...strangers]
      .filter(([, own]) => own.some(({ amount }) => amount > 0))
      .map(([utr, own]): BankMatch => ({
        utr,
        file: 0,
        ...summed(eachOnce(own, () => utr)),
        verdict: 'not_in_file',
        candidates: [],
      })),
  ]
}
