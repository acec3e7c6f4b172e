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
  readonly line: number
  readonly day: string | undefined
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
  readonly bank: number
  readonly verdict: BankVerdict
  readonly credits: readonly BankCredit[]
  /** Credits without a known UTR that have the amount of a transfer which the bank does not name. */
  readonly candidates: readonly BankCredit[]
}

/** Credits that may be offered for one transfer. */
const mostCandidates = 5

function verdictOf(file: number, bank: number, tolerance: number): BankVerdict {
  if (Math.abs(bank - file) <= tolerance) return 'ok'
  return bank < file ? 'short' : 'excess'
}

/** Whether any of some transfers names a UTR key. */
export const transferKeys = (transfers: readonly Transfer[]): ReadonlySet<string> =>
  new Set(transfers.flatMap(({ utrs }) => utrs.map(utrKey)))

/**
 * Each transfer of the files with the credits that name one of its UTRs, and then each UTR of the statement that no
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
    const own = [...new Set(transfer.utrs.flatMap((utr) => byKey.get(utrKey(utr)) ?? []))].filter(
      (credit) => !used.has(credit),
    )
    for (const credit of own) used.add(credit)
    return { transfer, own }
  })
  const free = new Map<number, BankCredit[]>()
  for (const credit of credits)
    if (!used.has(credit)) free.set(credit.amount, [...(free.get(credit.amount) ?? []), credit])
  const found = matched.map(({ transfer: { utrs, net }, own }): BankMatch => {
    const bank = own.reduce((sum, { amount }) => sum + amount, 0)
    const missing = own.length === 0
    return {
      utr: utrs.join(', '),
      file: net,
      bank,
      verdict: missing ? 'not_in_bank' : verdictOf(net, bank, tolerance),
      credits: own,
      candidates: missing ? (free.get(net) ?? []).slice(0, mostCandidates) : [],
    }
  })
  const strangers = new Map<string, BankCredit[]>()
  for (const credit of credits) {
    const [utr] = credit.utrs
    if (!used.has(credit) && utr !== undefined) strangers.set(utr, [...(strangers.get(utr) ?? []), credit])
  }
  return [
    ...found,
    ...[...strangers].map(([utr, own]): BankMatch => {
      const bank = own.reduce((sum, { amount }) => sum + amount, 0)
      return { utr, file: 0, bank, verdict: 'not_in_file', credits: own, candidates: [] }
    }),
  ]
}
