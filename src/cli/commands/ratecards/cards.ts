// Rate cards as commands name them: by a name in the database, or as a file.
import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { writtenWeight } from '../../../domain/rates/cardcells.ts'
import { cardOfLines } from '../../../domain/rates/cardtable.ts'
import { faultsOf, forFaults } from '../../../domain/parse.ts'
import { asksMeaning, asksUnit } from '../../../domain/read/weight.ts'
import { RateCard } from '../../../domain/rates/cardschema.ts'
import { cardFaults } from '../../../domain/rates/ratecard.ts'
import { cardOfSmall } from '../../../domain/rates/smallcard.ts'
import { toTemplate } from '../../../domain/rates/smallcolumns.ts'
import type { SmallSheet } from '../../../domain/rates/smallform.ts'
import type { SmallPlan } from '../../../domain/rates/smallreading.ts'
import type { Zone } from '../../../domain/rates/zones.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { noFirstDay, versionAt, versionOn, type Versions } from '../../../domain/rates/cardversions.ts'
import { cardVersions, versionsInUse } from '../../../engine/accounts/ratecards.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import type { Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { databaseThere, refuseMissing } from '../../config/paths.ts'
import { documentIn, workbookKind } from '../../files/foreignfiles.ts'
import { readWhole, textOf } from '../../files/userfiles.ts'
import { safe } from '../../terminal/safe.ts'
import type { CardTable } from './cardtables.ts'

/** The largest card file, bytes: a card has at most a few thousand lines. */
const maxCardBytes = 33_554_432

/** Reads from the database if it exists; without it there is only the sample card. */
export async function reading<T>(context: Context, work: (engine: Engine) => Promise<T>, without: () => T): Promise<T> {
  if (context.flags.has('db')) refuseMissing(context)
  if (!databaseThere(context)) return without()
  const { withEngine } = await import('../../source/engine.ts')
  return withEngine(context, 'read', work)
}

/** The versions of the card of a name; without a name, of the one in use. */
export function versionsNamed(context: Context, name: string | undefined): Promise<Versions> {
  return reading<Versions>(
    context,
    ({ database, account }) =>
      database.read(function* () {
        return name === undefined ? yield* versionsInUse(account) : yield* cardVersions(account, name)
      }),
    () => {
      if (name === undefined || name === sampleCard.name) return [sampleCard]
      throw new ShipxError('not_found', `there is no rate card ${safe(name)}`, { hint: 'shipx ratecard list' })
    },
  )
}

/** The card of a name, or the one in use, as it is today; a card that has ended or not begun is its nearest version. */
export const cardNamed = async (context: Context, name: string | undefined): Promise<RateCard> =>
  versionAt(await versionsNamed(context, name), today(context))

/** Today in IST, `YYYY-MM-DD`. */
export const today = ({ io }: Context): string => istDate(io.host.now())

/** The name of a card from its file name. */
export const titleOf = (path: string): string => basename(path, extname(path))

/** A card from a file, and what shipx filled in that a small sheet does not say, in short sentences. */
export interface ReadCard {
  readonly card: RateCard
  readonly filled: readonly string[]
  /** Which prices of a card that is there the sheet takes away. */
  readonly lost: readonly string[]
}

/** What a card file is read with. */
interface CardPlan {
  /** The name of the card; without it, its own or that of the file. */
  readonly name?: string | undefined
  /** The card that has what a table leaves out. */
  readonly base: () => Promise<RateCard>
  /** The flag or argument that names the file. */
  readonly field?: string
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined
  /** The one of the five that each of the courier's own zones counts in, by its name in small letters. */
  readonly zones?: ReadonlyMap<string, Zone>
}

/** Reads a card file in any format. Throws `invalid_input` with every fault. */
export async function readCard(context: Context, path: string, plan: CardPlan): Promise<ReadCard> {
  const { name, base, field = '<file>', sheet, zones = new Map() } = plan
  const bytes = await readWhole(context.io, path, maxCardBytes, field)
  const title = name ?? titleOf(path)
  const workbook = workbookKind(bytes) !== undefined || sheet !== undefined
  if (workbook || !isJson(path, cardText(bytes, path, field))) {
    const { tableOf } = await import('./cardtables.ts')
    const table = await tableOf(context, { path, field, bytes, sheet })
    if ('long' in table) return { card: inGrams(cardOfTable(table.long, await base(), title)), filled: [], lost: [] }
    return cardOfSheet(table.small, { base: await base(), name: title, zones })
  }
  const value = parsedJson(textOf(bytes, path, field), path)
  const named = name === undefined || typeof value !== 'object' || value === null ? value : { ...value, name }
  return { card: checked(named), filled: [], lost: [] }
}

/** The text of a card file. Throws `invalid_file` for a PDF or a picture, and `invalid_input` for another encoding. */
function cardText(bytes: Uint8Array, path: string, field: string): string {
  const other = documentIn(bytes)
  if (other !== undefined)
    throw new ShipxError('invalid_file', `${safe(path)} is ${other}; a price list is a sheet or JSON`, {
      hint: toTemplate,
    })
  try {
    return textOf(bytes, path, field)
  } catch (error) {
    if (!/\.xls[xm]?$/i.test(path)) throw error
    const message = `${safe(path)} is neither an Excel workbook nor text, by its first bytes`
    throw new ShipxError('invalid_file', message, { cause: error, hint: 'open it in Excel, and save it as .xlsx' })
  }
}

/** Whether a text file is JSON: by its name, else by its first character. Everything else is a table. */
function isJson(path: string, text: string): boolean {
  const ending = extname(path).toLowerCase()
  return ending === '.json' || (ending !== '.csv' && ending !== '.tsv' && /^\ufeff?\s*[{[]/.test(text))
}

function parsedJson(content: string, path: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new ShipxError('invalid_file', `${safe(path)} is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
      hint: `a spreadsheet of prices ends in .csv or .xlsx; ${toTemplate}`,
    })
  }
}

/** Checks a card whose weights are grams for certain: it is saved, or the cells of its table say so. */
export const inGrams = (card: RateCard): RateCard => checked(JSON.parse(JSON.stringify(card, writtenWeight)))

/** A card that is sound. Throws `invalid_input` with every fault of its prices. */
export function sound(card: RateCard): RateCard {
  const faults = cardFaults(card)
  if (faults.length > 0) throw invalid(faults)
  return card
}

/** The card in a value. Throws `invalid_input` with every fault of its shape and its prices. */
function checked(value: unknown): RateCard {
  const parsed = RateCard.safeParse(value, forFaults)
  if (!parsed.success) throw refused(faultsOf(parsed.error), () => 'write each weight of the card as "0.5kg" or "500g"')
  return sound(parsed.data)
}

/** The card of the lines of a table. Throws `invalid_input` with every fault. */
function cardOfTable({ lines, ...reading }: CardTable, base: RateCard, name: string): RateCard {
  const made = cardOfLines(lines, base, name, reading)
  if ('card' in made) return made.card
  throw refused(
    made.faults.map((fault) => ({ ...fault, counts: reading.counts })),
    (column) => `for all lines, name the unit in the header: ${column}_kg`,
  )
}

/** The card of a small sheet. Throws `invalid_input` with every fault. */
function cardOfSheet(sheet: SmallSheet, plan: SmallPlan): ReadCard {
  const made = cardOfSmall(sheet, plan)
  if ('card' in made) return { ...made, card: inGrams(made.card) }
  throw refused(
    made.faults.map((fault) => ({ ...fault, counts: sheet.counts })),
    (column) => `for all lines, name the unit in the header: ${column}_kg`,
  )
}

/**
 * The refusal of a card. A card in kilograms has the same fault in each of its bands: each column and number is named
 * once, and `hint` says what helps in all of them.
 */
function refused(faults: readonly Fault[], hint: (column: string) => string): ShipxError {
  const columnOf = ({ field }: Fault): string => field?.split('.').at(-1) ?? ''
  const keyOf = (fault: Fault): string => `${columnOf(fault)} ${fault.message}`
  const doubtful = faults.filter(({ message }) => asksMeaning(message))
  const weight = doubtful.find(({ message }) => asksUnit(message))
  const times = new Map<string, number>()
  for (const fault of doubtful) times.set(keyOf(fault), (times.get(keyOf(fault)) ?? 0) + 1)
  return invalid(
    faults.flatMap((fault) => {
      if (!doubtful.includes(fault)) return [fault]
      const count = times.get(keyOf(fault))
      times.delete(keyOf(fault))
      if (count === undefined) return []
      return [count === 1 ? fault : { ...fault, message: `${fault.message} (the first of several)` }]
    }),
    weight && hint(columnOf(weight)),
  )
}

/** Whether a word is a card file by its name, or a file that is there, and not the name of a card in the database. */
export const isFile = (word: string): boolean =>
  /\.(json|csv|tsv|xlsx)$/i.test(word) || (/[./\\]/.test(word) && existsSync(word))

/** The card that supplies what a CSV cannot hold: the card of that name, or the sample card for a new one. */
export const baseOf = (context: Context, name: string): Promise<RateCard> =>
  cardNamed(context, name).catch((error: unknown) => {
    if (error instanceof ShipxError && error.code === 'not_found') return sampleCard
    throw error
  })

/** The versions of a card in a database by its name, or the card of a file. Throws as `givenCard` does. */
export async function givenVersions(context: Context, word: string, { field, sheet }: CardWord): Promise<Versions> {
  if (isFile(word)) return [await givenCard(context, word, { field, sheet })]
  if (sheet !== undefined)
    throw invalid([
      { field: '--card-sheet', message: `goes with a workbook; ${safe(word)} is a rate card by its name` },
    ])
  return versionsNamed(context, word)
}

/** The flag or argument that names a card, and the sheet of its workbook. */
interface CardWord {
  readonly field: string
  readonly sheet?: string | undefined
}

/** The card of a flag, a file or a name. Throws its faults, each with the card's name. */
export async function givenCard(context: Context, word: string, { field, sheet }: CardWord): Promise<RateCard> {
  if (!isFile(word)) return cardNamed(context, word)
  try {
    return (await readCard(context, word, { base: () => baseOf(context, titleOf(word)), field, sheet })).card
  } catch (error) {
    if (!(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
    throw invalid(
      error.details.map((fault) =>
        fault.field === field ? fault : { ...fault, field: `${field} ${safe(word)} ${fault.field ?? ''}`.trimEnd() },
      ),
      error.hint,
    )
  }
}

/** A version as people write it: `contract@2026-10-01`; `contract@beginning` is the one without a first day (''). */
export function versionNamed(word: string, field: string): { readonly name: string; readonly day: string } | undefined {
  const at = word.lastIndexOf('@')
  if (at < 1) return undefined
  const [name, day] = [word.slice(0, at), word.slice(at + 1)]
  if (day === noFirstDay) return { name, day: '' }
  if (readDay(day) === undefined) throw invalid([{ field, message: `"${safe(day)}" is not a day, such as 2026-10-01` }])
  return { name, day }
}

/**
 * The card of a word: a file, a name, or the version of a day (`contract@2026-10-01`); without a word, the one in use.
 * Throws `not_found`.
 */
export async function cardMeant(context: Context, word: string | undefined, field: string): Promise<RateCard> {
  if (word !== undefined && isFile(word)) return givenCard(context, word, { field })
  const version = word === undefined ? undefined : versionNamed(word, field)
  if (version === undefined) return cardNamed(context, word)
  const { name, day } = version
  const found = versionOn(await versionsNamed(context, name), day)
  if (found !== undefined) return found
  throw new ShipxError('not_found', `${safe(name)} has no version of ${day || noFirstDay}`, {
    hint: `shipx ratecard versions ${safe(name)}`,
  })
}

/** The note about prices of an account at a service that come from cards on this computer. */
export const pricedHere = (cards: readonly RateCard[]): string =>
  `priced here on ${cards.map(({ name }) => safe(name)).join(' and ')}, not by the service`

/** The card that prices come from on this computer. */
export const usedCard = (context: Context): Promise<RateCard> => cardNamed(context, undefined)
