// Rate cards as commands name them: by a name in the database, or as a file.
import { basename, extname } from 'node:path'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { writtenWeight } from '../../../domain/rates/cardcells.ts'
import { cardOfLines } from '../../../domain/rates/cardtable.ts'
import { faultsOf, forFaults } from '../../../domain/parse.ts'
import { asksUnit } from '../../../domain/read/weight.ts'
import { RateCard } from '../../../domain/rates/cardschema.ts'
import { cardFaults } from '../../../domain/rates/ratecard.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { cardVersions, versionsInUse } from '../../../engine/accounts/ratecards.ts'
import { istDate } from '../../../domain/time.ts'
import type { Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { databaseThere } from '../../config/paths.ts'
import { workbookKind } from '../../files/foreignfiles.ts'
import { readWhole, textOf } from '../../files/userfiles.ts'
import { safe } from '../../terminal/safe.ts'
import { csvLines, workbookLines, type CardTable } from './cardtables.ts'

/** The largest card file, bytes: a card has at most a few thousand lines. */
const maxCardBytes = 33_554_432

/** Reads from the database if it exists; without it there is only the sample card. */
export async function reading<T>(context: Context, work: (engine: Engine) => Promise<T>, without: () => T): Promise<T> {
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

/** Reads a card file in any format; `sheet` names one of a workbook. Throws `invalid_input` with every fault. */
export async function readCard(
  context: Context,
  path: string,
  name: string | undefined,
  base: () => Promise<RateCard>,
  field = '<file>',
  sheet?: string,
): Promise<RateCard> {
  const bytes = await readWhole(context.io, path, maxCardBytes, field)
  const title = name ?? titleOf(path)
  if (workbookKind(bytes) !== undefined || sheet !== undefined)
    return inGrams(cardOfTable(await workbookLines(context.io, path, field, bytes, sheet), await base(), title))
  const content = textOf(bytes, path, field)
  if (extname(path).toLowerCase() === '.csv') return inGrams(cardOfTable(await csvLines(content), await base(), title))
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new ShipxError('invalid_file', `${safe(path)} is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
      hint: 'a spreadsheet of prices ends in .csv or .xlsx',
    })
  }
  return checked(name === undefined || typeof value !== 'object' || value === null ? value : { ...value, name })
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
  const counts = reading.rows === undefined ? 'line' : 'row'
  throw refused(
    made.faults.map((fault) => ({ ...fault, counts })),
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
  const doubtful = faults.filter(({ message }) => asksUnit(message))
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
    doubtful[0] && hint(columnOf(doubtful[0])),
  )
}

/** Whether a command's argument is a card file (.json, .csv or .xlsx) instead of the name of a card in the database. */
export const isFile = (word: string): boolean => /\.(json|csv|xlsx)$/i.test(word)

/** The card that supplies what a CSV cannot hold: the card of that name, or the sample card for a new one. */
export const baseOf = (context: Context, name: string): Promise<RateCard> =>
  cardNamed(context, name).catch((error: unknown) => {
    if (error instanceof ShipxError && error.code === 'not_found') return sampleCard
    throw error
  })

/** The versions of a card in a database by its name, or the card of a file. Throws as `givenCard` does. */
export const givenVersions = async (context: Context, word: string, field: string): Promise<Versions> =>
  isFile(word) ? [await givenCard(context, word, field)] : versionsNamed(context, word)

/** The card of a flag, a file or a name. Throws its faults, each with the card's name. */
export async function givenCard(context: Context, word: string, field: string): Promise<RateCard> {
  if (!isFile(word)) return cardNamed(context, word)
  try {
    return await readCard(context, word, undefined, () => baseOf(context, titleOf(word)), field)
  } catch (error) {
    if (!(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
    throw invalid(
      error.details.map((fault) =>
        fault.field === field ? fault : { ...fault, field: `${field} ${safe(word)} ${fault.field ?? ''}`.trimEnd() },
      ),
    )
  }
}

/** The note about prices of an account at a service that come from cards on this computer. */
export const pricedHere = (cards: readonly RateCard[]): string =>
  `priced here on ${cards.map(({ name }) => safe(name)).join(' and ')}, not by the service`

/** The card that prices come from on this computer. */
export const usedCard = (context: Context): Promise<RateCard> => cardNamed(context, undefined)
