// The statement of `reconcile cod --bank`: its credits next to the transfers of this remittance and of earlier ones.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import {
  matchBank,
  shareOf,
  transferKeys,
  type BankCredit,
  type BankMatch,
  type Transfer,
} from '../../../domain/money/bankmatch.ts'
import { notInBank } from '../../../domain/money/codjudge.ts'
import { knownUtrsIn, utrKey } from '../../../domain/money/utr.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import {
  creditChanges,
  creditRows,
  creditsNaming,
  utrsInBank,
  type CreditChanges,
  type KeptCredit,
} from '../../../engine/money/bankcredits.ts'
import { marksOf } from '../../../engine/money/codmarks.ts'
import { documentOf, type Document, type NewDocument } from '../../../engine/money/documents.ts'
import { linesOfUtrs, remittedUtrs, utrsOfLines } from '../../../engine/money/remittances.ts'
import { soughtText, transfersInBank, type Sought } from '../../../engine/money/transfers.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { noMaps } from '../../files/mapped.ts'
import { openBank, readStatement, type Statement, type UnreadRow, type Wanted } from './bankfile.ts'
import { lineOfKept, type KeptSums } from './codkeeper.ts'
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

/** What a kept statement says of transfers that shipx had not looked for in it, and credits that no file names. */
export interface BankNews {
  readonly statement: Document
  readonly text: string | undefined
  readonly credits: CreditChanges
}

/** What the bank says of the transfers of a run. */
export interface CodBank {
  readonly records: readonly BankRecord[]
  readonly matches: readonly BankMatch[]
  /** What the user asks the courier for, because transfers did not come in full, by their UTRs: paise. */
  readonly asked: ReadonlyMap<string, number>
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
  /** What a statement that is kept already says now and did not say before. */
  readonly news: BankNews | undefined
  /** Rows of the statement whose money in cannot be read. */
  readonly unread: readonly UnreadRow[]
}

/** No statement. */
export const noBank: CodBank = {
  records: [],
  matches: [],
  asked: new Map(),
  verdictOf: () => null,
  fresh: undefined,
  news: undefined,
  unread: [],
}

/** What the statement is matched with. */
interface Transfers {
  readonly lines: readonly CodLine[]
  readonly place: BesidePlace | undefined
  readonly bench: { readonly others: Pick<Others, 'inBank' | 'own'>; readonly tolerance: number }
}

/** The statement of --bank; of a kept remittance whose transfers are asked for, what kept statements say. */
export function bankFor(
  context: Context,
  options: CodOptions,
  transfers: Transfers,
  known: Document | undefined,
): Promise<CodBank> {
  if (options.bank !== undefined) return bankOf(context, options, transfers, known)
  const asked = options.mail || context.command.path[0] === 'cod' || options.only?.includes(notInBank) === true
  return known === undefined || !asked ? Promise.resolve(noBank) : bankKept(transfers, known)
}

/** What kept statements say of the transfers that were looked for in them. */
async function bankKept({ lines, place, bench: { others, tolerance } }: Transfers, known: Document): Promise<CodBank> {
  if (place === undefined) return noBank
  const { compared } = await place.database.read(() => transfersInBank(place.account))
  const own = new Set(transfersOf(lines).map(({ utrs }) => utrs.join(', ')))
  const unseen = new Set(marksOf(known).unseen)
  const seen = new Set(compared.filter((one) => !unseen.has(one)))
  const beside = await linesBeside(lines, place, others)
  const transfers = transfersOf([...lines, ...beside]).filter(({ utrs }) => {
    const transfer = utrs.join(', ')
    return own.has(transfer) && seen.has(transfer)
  })
  const matches = matchBank(transfers, await keptCreditsOf(place, transfers), tolerance).filter(({ utr }) =>
    own.has(utr),
  )
  const verdicts = new Map(matches.map(({ utr, verdict }) => [utr, verdict]))
  return {
    ...noBank,
    records: matches.map(bankRecord),
    matches,
    asked: askedOf(matches, lines, laterThan(known, beside)),
    verdictOf: (utrs) => verdictIn(verdicts, utrs),
  }
}

/** Reads the statement and matches it. */
async function bankOf(
  context: Context,
  options: CodOptions,
  { lines, place, bench: { others, tolerance } }: Transfers,
  before: Document | undefined,
): Promise<CodBank> {
  const sha256 = await contentOf(options.bank!, '--bank')
  const beside = await linesBeside(lines, place, others)
  const transfers = transfersOf([...lines, ...beside])
  const own = new Set(transfersOf(lines).map(({ utrs }) => utrs.join(', ')))
  const { file, statement } = await opened(context, options, {
    own: transferKeys(transfers),
    ...(await keptNames(place)),
    amounts: new Set(transfers.map(({ net }) => net)),
  })
  if (own.size === 0)
    await context.warn('No line of the remittance names a UTR: add --utr <utr> for a file of one transfer.')
  else if (statement.named === 0)
    await context.warn('No credit of the statement names a UTR. Nothing is matched by its amount alone.')
  const earlier = place === undefined ? [] : await keptCreditsOf(place, transfers)
  const found = matchBank(transfers, [...statement.credits, ...earlier], tolerance).filter(
    ({ utr, verdict }) => own.has(utr) || verdict === 'not_in_file',
  )
  const matches = await withoutOthers(place, others.own, found)
  const kept =
    place === undefined
      ? undefined
      : await place.database.read(() => documentOf(place.account, sha256, ['bank']), 'single')
  const verdicts = new Map(matches.map(({ utr, verdict }) => [utr, verdict]))
  const sought = soughtOf(matches.filter(({ utr }) => own.has(utr)))
  return {
    records: matches.map(bankRecord),
    matches,
    asked: askedOf(matches, lines, laterThan(before, beside)),
    verdictOf: (utrs) => verdictIn(verdicts, utrs),
    fresh:
      kept === undefined
        ? freshOf(file.form?.bank ?? 'Bank', file.name, sha256, statement, soughtText(sought)!)
        : undefined,
    news: kept === undefined ? undefined : await newsOf(place!, kept, statement, sought),
    unread: statement.unread,
  }
}

/** Opens and reads the statement, and says what is odd about it. */
async function opened(context: Context, options: CodOptions, wanted: Wanted) {
  const maps = { ...noMaps, map: options.map_bank ?? [] }
  const opening = { path: options.bank!, maps, sheet: options.bank_sheet, format: options.bank_format }
  const file = await openBank(context, opening).catch((error: unknown) => {
    throw byBankFlags(error)
  })
  let statement: Statement
  try {
    statement = await readStatement(file, wanted)
  } finally {
    file.sheet.close()
  }
  if (statement.turned)
    await context.warn('The balances say that money in stands under the header of money out: it was read like that.')
  if (statement.oddDay !== undefined)
    await context.warn(`The statement has days that shipx cannot read, such as ${safe(excerpt(statement.oddDay))}.`)
  return { file, statement }
}

/** What kept remittances and statements name, as keys. */
async function keptNames(place: BesidePlace | undefined): Promise<Pick<Wanted, 'kept' | 'came'>> {
  if (place === undefined) return { kept: new Set(), came: new Set() }
  return place.database.read(function* () {
    const named = yield* utrsOfLines(place.account)
    return { kept: new Set(namesByKey(named).keys()), came: yield* utrsInBank(place.account, 'all') }
  })
}

/** What a statement says of the transfers that were looked for in it. */
const soughtOf = (looked: readonly BankMatch[]): Sought => ({
  arrived: looked.filter(({ bank }) => bank > 0).map(({ utr }) => utr),
  missing: looked.filter(({ bank }) => bank === 0).map(({ utr }) => utr),
  short: Object.fromEntries(
    looked.flatMap(({ utr, file: said, verdict }) => (verdict === 'short' ? [[utr, said]] : [])),
  ),
})

/** What a kept statement has to write down. */
async function newsOf(
  { database, account }: BesidePlace,
  kept: Document,
  statement: Statement,
  sought: Sought,
): Promise<BankNews | undefined> {
  const text = soughtText(sought, kept)
  const credits = await database.read(() => creditChanges(account, kept.id, statement.credits), 'single')
  return text === undefined && credits.added.length === 0 ? undefined : { statement: kept, text, credits }
}

/** The verdict of the first of some UTRs that is not in order, else that of all. */
function verdictIn(verdicts: ReadonlyMap<string, string>, utrs: readonly string[]): string | null {
  const whole = verdicts.get(utrs.join(', '))
  if (whole !== undefined) return whole
  const found = utrs.flatMap((utr) => verdicts.get(utr) ?? [])
  return found.find((verdict) => verdict !== 'ok') ?? found[0] ?? null
}

/** A line of another remittance, and when that was kept: ms UTC. */
type BesideLine = CodLine & { readonly kept: number }

/** The lines of other remittances in the transfers of some lines, as far as they were compared with the bank. */
async function linesBeside(
  lines: readonly CodLine[],
  place: BesidePlace | undefined,
  { inBank }: Pick<Others, 'inBank'>,
): Promise<readonly BesideLine[]> {
  const utrs = [...new Set(lines.flatMap(({ utrs: names }) => (names.length === 0 ? [] : [names.join(', ')])))]
  if (place === undefined || utrs.length === 0) return []
  const { database, account } = place
  const others = await database.read(() => linesOfUtrs(database.dialect, account, utrs, inBank))
  return others.map((line) => ({ ...lineOfKept(line), kept: Number(line.created_at) }))
}

/** The lines of what was kept after a remittance; none where it is not kept yet. */
const laterThan = (known: Document | undefined, lines: readonly BesideLine[]): readonly CodLine[] =>
  known === undefined ? [] : lines.filter(({ kept }) => kept > Number(known.created_at))

const netsOf = (lines: readonly CodLine[]): ReadonlyMap<string, number> =>
  new Map(transfersOf(lines).map(({ utrs, net }) => [utrs.join(', '), net]))

/** What the user asks the courier for, of each transfer of a remittance. */
function askedOf(
  matches: readonly BankMatch[],
  lines: readonly CodLine[],
  later: readonly CodLine[],
): ReadonlyMap<string, number> {
  const [own, after] = [netsOf(lines), netsOf(later)]
  return new Map(matches.map((one) => [one.utr, shareOf(one, own.get(one.utr) ?? 0, after.get(one.utr) ?? 0)]))
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

/** What kept statements have of some transfers. */
function keptCreditsOf(
  { database, account }: BesidePlace,
  transfers: readonly Transfer[],
): Promise<readonly BankCredit[]> {
  const keys = [...transferKeys(transfers)]
  return keys.length === 0 ? Promise.resolve([]) : database.read(() => creditsNaming(account, keys))
}

/** A statement as it is kept: by its bank and its days. */
function freshOf(bank: string, form: string, sha256: string, statement: Statement, reasons: string): CodBank['fresh'] {
  const { from, to, credits } = statement
  const kept = creditRows(credits)
  const days = from === undefined || to === undefined ? '' : from === to ? ` of ${from}` : ` of ${from} to ${to}`
  return {
    document: { number: `${bank}${days}`, sha256, form, day: to ?? null },
    sums: { lines: kept.length, billed: kept.reduce((sum, { amount }) => sum + amount, 0), expected: 0, reasons },
    credits: kept,
  }
}
