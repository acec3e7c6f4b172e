// The statement of `reconcile cod --bank`: its credits next to the transfers of this remittance and of earlier ones.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { matchBank, transferKeys, type BankCredit, type BankMatch } from '../../../domain/money/bankmatch.ts'
import { notInBank } from '../../../domain/money/codjudge.ts'
import { knownUtrsIn, utrKey } from '../../../domain/money/utr.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { documentOf, type Document, type NewDocument } from '../../../engine/money/documents.ts'
import {
  creditsOf,
  linesOfUtrs,
  remittedUtrs,
  utrsOfLines,
  type Counted,
  type KeptCredit,
} from '../../../engine/money/remittances.ts'
import { soughtText, transfersInBank, type Sought } from '../../../engine/money/transfers.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { noMaps } from '../../files/mapped.ts'
import { openBank, readStatement, type Statement, type UnreadRow } from './bankfile.ts'
import { keptCredits, lineOfKept, type KeptSums } from './codkeeper.ts'
import type { CodLine } from './codlines.ts'
import type { CodOptions } from './codoptions.ts'
import type { Others } from './codpaid.ts'
import { bankRecord, transfersOf, type BankRecord } from './codrecords.ts'
import { safe } from '../../terminal/safe.ts'
import { contentOf } from './keeper.ts'

/** An error of a sheet whose columns are named with --map: a statement's are named with --map-bank. */
function byBankFlags(error: unknown): unknown {
  if (!(error instanceof ShipxError) || error.code !== 'invalid_input') return error
  const bank = (text: string): string => text.replaceAll(/--map(?=$| ")/g, '--map-bank')
  const faults = error.details.map((fault) => ({
    ...fault,
    field: fault.field && bank(fault.field),
    message: bank(fault.message),
  }))
  return invalid(faults, error.hint)
}

/** What the bank says of the transfers of a run. */
export interface CodBank {
  readonly records: readonly BankRecord[]
  readonly matches: readonly BankMatch[]
  /** The verdict of the transfer with some UTRs; null without a statement. */
  readonly verdictOf: (utrs: readonly string[]) => string | null
  /** The statement, where it is not kept yet. */
  readonly fresh:
    | {
        readonly document: Pick<NewDocument, 'number' | 'sha256' | 'form' | 'day'>
        readonly sums: KeptSums
        readonly credits: readonly KeptCredit[]
      }
    | undefined
  /** What a statement that is kept already says of transfers that nobody looked for in it before. */
  readonly news: { readonly statement: string; readonly text: string } | undefined
  /** Rows of the statement whose money in cannot be read. */
  readonly unread: readonly UnreadRow[]
}

/** No statement. */
export const noBank: CodBank = {
  records: [],
  matches: [],
  verdictOf: () => null,
  fresh: undefined,
  news: undefined,
  unread: [],
}

/** What the statement is matched with. */
interface Transfers {
  readonly lines: readonly CodLine[]
  readonly place: BesidePlace | undefined
  readonly bench: { readonly others: Pick<Others, 'counted' | 'own'>; readonly tolerance: number }
}

/** The statement of --bank; of a kept remittance whose transfers are asked for, what kept statements say. */
export function bankFor(
  context: Context,
  options: CodOptions,
  transfers: Transfers,
  known: Document | undefined,
): Promise<CodBank> {
  if (options.bank !== undefined) return bankOf(context, options, transfers)
  const asked = options.mail || context.command.path[0] === 'cod' || options.only?.includes(notInBank) === true
  return known === undefined || !asked ? Promise.resolve(noBank) : bankKept(transfers)
}

/** What kept statements say of the transfers that were looked for in them. */
async function bankKept({ lines, place, bench: { others, tolerance } }: Transfers): Promise<CodBank> {
  if (place === undefined) return noBank
  const { compared } = await place.database.read(() => transfersInBank(place.account))
  const own = new Set(transfersOf(lines).map(({ utrs }) => utrs.join(', ')))
  const seen = new Set(compared)
  const transfers = transfersOf(await withEarlier(lines, place, others.counted)).filter(({ utrs }) => {
    const transfer = utrs.join(', ')
    return own.has(transfer) && seen.has(transfer)
  })
  const keys = transfers.flatMap(({ utrs }) => utrs.map(utrKey))
  const matches = matchBank(transfers, await keptCreditsOf(place, keys, ''), tolerance).filter(({ utr }) =>
    own.has(utr),
  )
  const verdicts = new Map(matches.map(({ utr, verdict }) => [utr, verdict]))
  return { ...noBank, records: matches.map(bankRecord), matches, verdictOf: (utrs) => verdictIn(verdicts, utrs) }
}

/** Reads the statement and matches it. */
async function bankOf(
  context: Context,
  options: CodOptions,
  { lines, place, bench: { others, tolerance } }: Transfers,
): Promise<CodBank> {
  const path = options.bank!
  const sha256 = await contentOf(path, '--bank')
  const known = await withEarlier(lines, place, others.counted)
  const transfers = transfersOf(known)
  const own = new Set(transfersOf(lines).map(({ utrs }) => utrs.join(', ')))
  const maps = { ...noMaps, map: options.map_bank ?? [] }
  const opening = { path, maps, sheet: options.bank_sheet, format: options.bank_format }
  const file = await openBank(context, opening).catch((error: unknown) => {
    throw byBankFlags(error)
  })
  let statement: Statement
  try {
    statement = await readStatement(file, transferKeys(transfers), new Set(transfers.map(({ net }) => net)))
  } finally {
    file.sheet.close()
  }
  if (statement.turned)
    await context.warn('The balances say that money in stands under the header of money out: it was read like that.')
  if (statement.oddDay !== undefined)
    await context.warn(`The statement has days that shipx cannot read, such as ${safe(excerpt(statement.oddDay))}.`)
  if (own.size === 0)
    await context.warn('No line of the remittance names a UTR: add --utr <utr> for a file of one transfer.')
  else if (statement.named === 0)
    await context.warn('No credit of the statement names a UTR. Nothing is matched by its amount alone.')
  // What an earlier statement had stays there: only UTRs that this one lacks are looked for.
  const named = new Set(statement.credits.flatMap(({ utrs }) => utrs.map(utrKey)))
  const lacking = transfers.flatMap(({ utrs }) => (utrs.some((utr) => named.has(utrKey(utr))) ? [] : utrs.map(utrKey)))
  const earlier = place === undefined ? [] : await keptCreditsOf(place, lacking, sha256)
  const found = matchBank(transfers, [...statement.credits, ...earlier], tolerance).filter(
    ({ utr, credits }) => own.has(utr) || credits.some((credit) => statement.credits.includes(credit)),
  )
  const matches = await withoutOthers(place, others.own, found)
  const kept =
    place === undefined
      ? undefined
      : await place.database.read(() => documentOf(place.account, sha256, ['bank']), 'single')
  const verdicts = new Map(matches.map(({ utr, verdict }) => [utr, verdict]))
  const looked = matches.filter(({ utr }) => own.has(utr))
  const sought: Sought = {
    arrived: looked.filter(({ credits }) => credits.length > 0).map(({ utr }) => utr),
    missing: looked.filter(({ credits }) => credits.length === 0).map(({ utr }) => utr),
    short: Object.fromEntries(
      looked.flatMap(({ utr, file: said, verdict }) => (verdict === 'short' ? [[utr, said]] : [])),
    ),
  }
  return {
    records: matches.map(bankRecord),
    matches,
    verdictOf: (utrs) => verdictIn(verdicts, utrs),
    fresh:
      kept === undefined
        ? freshOf(file.form?.bank ?? 'Bank', file.name, sha256, statement, soughtText(sought)!)
        : undefined,
    news: kept === undefined ? undefined : newsOf(kept, sought),
    unread: statement.unread,
  }
}

/** What a kept statement has to write down. */
function newsOf(kept: Document, sought: Sought): CodBank['news'] {
  const text = soughtText(sought, kept)
  return text === undefined ? undefined : { statement: kept.id, text }
}

/** The verdict of the first of some UTRs that is not in order, else that of all. */
function verdictIn(verdicts: ReadonlyMap<string, string>, utrs: readonly string[]): string | null {
  const whole = verdicts.get(utrs.join(', '))
  if (whole !== undefined) return whole
  const found = utrs.flatMap((utr) => verdicts.get(utr) ?? [])
  return found.find((verdict) => verdict !== 'ok') ?? found[0] ?? null
}

/** The lines of a remittance with those of earlier remittances in the same transfers. */
async function withEarlier(
  lines: readonly CodLine[],
  place: BesidePlace | undefined,
  counting: Counted,
): Promise<readonly CodLine[]> {
  if (place === undefined) return lines
  const utrs = [...new Set(lines.flatMap(({ utrs: own }) => (own.length === 0 ? [] : [own.join(', ')])))]
  if (utrs.length === 0) return lines
  const earlier = await place.database.read(() => linesOfUtrs(place.database.dialect, place.account, utrs, counting))
  return [...lines, ...earlier.map(lineOfKept)]
}

/** The texts of lines that name a UTR, by its key: a line of one transfer may name several. */
function namesByKey(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const text of texts)
    for (const utr of text.split(', ')) found.set(utrKey(utr), [...(found.get(utrKey(utr)) ?? []), text])
  return found
}

/** Matches without the credits of other kept remittances, whenever these were kept: a remittance names their UTRs. */
async function withoutOthers(
  place: BesidePlace | undefined,
  own: readonly string[],
  matches: readonly BankMatch[],
): Promise<readonly BankMatch[]> {
  const strangers = matches.filter(({ verdict }) => verdict === 'not_in_file')
  if (place === undefined || strangers.length === 0) return matches
  const { database, account } = place
  const names = namesByKey(await database.read(() => utrsOfLines(account), 'single'))
  const sizes = new Set([...names.keys()].map(({ length }) => length))
  const keysIn = ({ utrs, reference, narration }: BankCredit): readonly string[] => [
    ...utrs.map(utrKey),
    ...[reference, narration].flatMap((text) => knownUtrsIn(text, names, sizes)),
  ]
  const named = new Map(
    strangers.map((one) => [one, one.credits.flatMap(keysIn).flatMap((key) => names.get(key) ?? [])]),
  )
  const asked = [...new Set([...named.values()].flat())]
  const counting = new Set(await database.read(() => remittedUtrs(database.dialect, account, asked, { except: own })))
  return matches.filter((one) => named.get(one)?.some((utr) => counting.has(utr)) !== true)
}

async function keptCreditsOf(
  { database, account }: BesidePlace,
  utrs: readonly string[],
  except: string,
): Promise<readonly BankCredit[]> {
  if (utrs.length === 0) return []
  const found = await database.read(() => creditsOf(account, utrs, except))
  const seen = new Set<string>()
  // Statements of overlapping months have one credit twice.
  return found.flatMap(({ line, day, amount, narration, reference, utr }) => {
    const key = `${utr}\n${day}\n${amount}\n${narration}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ line, day: day ?? undefined, amount, narration, reference, utrs: [utr] }]
  })
}

/** A statement as it is kept: by its bank and its days. */
function freshOf(bank: string, form: string, sha256: string, statement: Statement, reasons: string): CodBank['fresh'] {
  const { from, to, credits } = statement
  const kept = keptCredits(credits)
  const days = from === undefined || to === undefined ? '' : from === to ? ` of ${from}` : ` of ${from} to ${to}`
  return {
    document: { number: `${bank}${days}`, sha256, form, day: to ?? null },
    sums: { lines: kept.length, billed: kept.reduce((sum, { amount }) => sum + amount, 0), expected: 0, reasons },
    credits: kept,
  }
}
