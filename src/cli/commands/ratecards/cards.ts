// Rate cards as commands name them: by a name in the database, or as a file in either format.
import { basename, extname } from 'node:path'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { cardColumns, cardOfLines, type CardLine } from '../../../domain/rates/cardtable.ts'
import { faultsOf } from '../../../domain/parse.ts'
import { RateCard } from '../../../domain/rates/cardschema.ts'
import { cardFaults } from '../../../domain/rates/ratecard.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { cardInUse, findCard } from '../../../engine/accounts/settings.ts'
import type { Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { databaseThere } from '../../config/paths.ts'
import { unguard } from '../../files/csv.ts'
import { readText } from '../../files/userfiles.ts'
import { safe } from '../../terminal/safe.ts'

/** The largest card file, bytes: a card has at most a few thousand lines. */
const maxCardBytes = 33_554_432

/** Reads from the database if it exists; without it there is only the sample card. */
export async function reading<T>(context: Context, work: (engine: Engine) => Promise<T>, without: () => T): Promise<T> {
  if (!databaseThere(context)) return without()
  const { withEngine } = await import('../../source/engine.ts')
  return withEngine(context, 'read', work)
}

/** The card of a name; without a name, the one in use. */
export function cardNamed(context: Context, name: string | undefined): Promise<RateCard> {
  return reading(
    context,
    ({ database, account }) => database.read(() => (name === undefined ? cardInUse(account) : findCard(account, name))),
    () => {
      if (name === undefined || name === sampleCard.name) return sampleCard
      throw new ShipxError('not_found', `there is no rate card ${safe(name)}`, { hint: 'shipx ratecard list' })
    },
  )
}

/** The name of a card from its file name. */
export const titleOf = (path: string): string => basename(path, extname(path))

/** Reads a card file in either format. Throws `invalid_input` with every fault. */
export async function readCard(
  context: Context,
  path: string,
  name: string | undefined,
  base: () => Promise<RateCard>,
  field = '<file>',
): Promise<RateCard> {
  const content = await readText(context.io, path, maxCardBytes, field)
  const title = name ?? titleOf(path)
  if (extname(path).toLowerCase() === '.csv') return checked(await cardOfCsv(content, await base(), title))
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new ShipxError('invalid_file', `${safe(path)} is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
      hint: 'a spreadsheet of prices ends in .csv',
    })
  }
  return checked(name === undefined || typeof value !== 'object' || value === null ? value : { ...value, name })
}

/** The card in a value. Throws `invalid_input` with every fault of its shape and its prices. */
export function checked(value: unknown): RateCard {
  const parsed = RateCard.safeParse(value, { reportInput: true })
  if (!parsed.success) throw invalid(faultsOf(parsed.error))
  const faults = cardFaults(parsed.data)
  if (faults.length > 0) throw invalid(faults)
  return parsed.data
}

async function cardOfCsv(content: string, base: RateCard, name: string): Promise<RateCard> {
  const { parse } = await import('csv-parse/sync')
  let rows: Record<string, string>[]
  try {
    rows = parse(content, {
      bom: true,
      columns: (header: string[]) => headerOf(header),
      skip_empty_lines: true,
      delimiter: [',', ';', '\t'],
    })
  } catch (error) {
    if (error instanceof ShipxError) throw error
    throw new ShipxError('invalid_file', `the CSV cannot be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
  const lines = rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, unguard(cell)])) as CardLine,
  )
  const made = cardOfLines(lines, base, name)
  if ('faults' in made) throw invalid(made.faults)
  return made.card
}

function headerOf(header: readonly string[]): string[] {
  const names = header.map((cell) => cell.trim().toLowerCase().replaceAll(' ', '_'))
  const missing = cardColumns.filter((column) => !names.includes(column))
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  const faults: Fault[] = [
    ...missing.map((column) => ({ field: column, message: 'this column is missing', row: 1 })),
    ...twice.map((column) => ({ field: column, message: 'this column appears twice', row: 1 })),
  ]
  if (faults.length > 0) throw invalid(faults, 'shipx ratecard export sample --csv shows the form')
  return names
}

/** Whether a command's argument is a card file (.json or .csv) instead of the name of a card in the database. */
export const isFile = (word: string): boolean => /\.(json|csv)$/i.test(word)

/** The card that supplies what a CSV cannot hold: the card of that name, or the sample card for a new one. */
export const baseOf = (context: Context, name: string): Promise<RateCard> =>
  cardNamed(context, name).catch((error: unknown) => {
    if (error instanceof ShipxError && error.code === 'not_found') return sampleCard
    throw error
  })

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

/** The card that the embedded engine quotes with. Without a database it is the sample card, and shipx says so. */
export async function usedCard(context: Context): Promise<RateCard> {
  if (!databaseThere(context)) await context.note('embedded engine, sample rate card')
  return cardNamed(context, undefined)
}
