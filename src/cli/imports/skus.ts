// The importer of SKUs: what one piece weighs and measures, kept on this computer beside the records.
import { scaled } from '../../domain/rates/measures.ts'
import { readSide, readSize } from '../../domain/read/sides.ts'
import type { Outcome as Read } from '../../domain/read/typed.ts'
import { readGrams, type BareWeight } from '../../domain/read/weight.ts'
import { listSkus, saveSkus, type Sku } from '../../engine/accounts/skus.ts'
import type { Context } from '../command/context.ts'
import { shownHeader } from '../files/shownheaders.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import { hasSizes, sideColumns, sizeColumn } from '../files/sidecolumns.ts'
import { besideOf, besidePlace, type BesidePlace } from '../source/beside.ts'
import { sourceOf, withSource } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import type { Failure, Importer, Item, Label, Outcome, Target, Wanted } from './importer.ts'

const columns = [
  { name: 'sku', aliases: ['SKU code', 'Item SKU', 'Item SKU Code', 'Product SKU', 'Master SKU'], required: true },
  { name: 'weight', aliases: ['Wt', 'Item weight'], required: true, weight: { usual: 'g', api: 'dead_weight' } },
  ...sideColumns,
  sizeColumn,
] as const

/** Of one gram and of one centimetre, what the database counts in. */
const [milligrams, hundredths] = [1000, 1000]

/** Above this weight of one piece, grams, a bare number under a header of kilograms could be grams. */
const heaviest = 100_000

/** The three sides in centimetres; without a size, none. */
type Sides = readonly [number | null, number | null, number | null]

const noSides: Read<Sides> = { value: [null, null, null] }

/** The sides of a cell with all three; `Size` may also be that of a garment. */
function sizeOf(text: string, { places, headers, sizeUnit }: Sheet): Read<Sides> {
  if (text === '') return noSides
  const read = readSize(text, sizeUnit)
  const ignore = `--ignore "${shownHeader(headers[places.get('size')!]!)}"`
  return 'fault' in read ? { fault: `size ${read.fault}; or do not read the column: ${ignore}` } : read
}

/** The sides of three cells: all, or none. */
function sidesOf(cell: (name: string) => string): Read<Sides> {
  const given = sideColumns.map(({ name }) => ({ name, text: cell(name) })).filter(({ text }) => text !== '')
  const lengths: number[] = []
  for (const { name, text } of given) {
    const read = readSide(text)
    if ('fault' in read) return { fault: `${name} ${read.fault}` }
    if (!(read.value > 0)) return { fault: `${name} must be more than 0` }
    lengths.push(read.value)
  }
  const [length, width, height] = lengths
  if (length === undefined) return noSides
  if (width === undefined || height === undefined) return { fault: 'give all three sides, or none' }
  return { value: [length, width, height] }
}

function itemOf(row: SheetRow, sheet: Sheet, bare: BareWeight): Item<Sku> {
  const { places } = sheet
  const cell = (name: string): string => (places.has(name) ? row.cells[places.get(name)!]!.trim() : '')
  const sku = cell('sku')
  const failed = (message: string, code: Failure['code'] = 'invalid_input'): Item<Sku> => ({
    rows: [row],
    name: sku,
    value: undefined,
    failure: { code, message },
  })
  if (row.fault !== undefined) return failed(row.fault, 'invalid_file')
  if (sku === '') return failed('sku is empty')
  const weight = readGrams(cell('weight'), bare)
  if ('fault' in weight) return failed(`weight ${weight.fault}`)
  const bareCell = cell('weight')
  if (bare.unit === 'kg' && weight.grams > heaviest && /^[\d.]+$/.test(bareCell))
    return failed(`weight ${bareCell} kg of one piece? Write ${bareCell}kg or ${bareCell}g`)
  const size = hasSizes(sheet) ? sizeOf(cell('size'), sheet) : sidesOf(cell)
  if ('fault' in size) return failed(size.fault)
  const [length, width, height] = size.value.map((cm) => (cm === null ? null : Math.round(scaled(cm, hundredths))))
  const grams = Math.round(scaled(weight.grams, milligrams))
  const value = { sku, weight: grams, length: length!, width: width!, height: height! }
  return { rows: [row], name: sku, value, failure: undefined }
}

/** A SKU as shipx shows it: grams of one piece, and centimetres. */
export interface ShownSku extends Record<string, unknown> {
  readonly sku: string
  readonly weight: number
  readonly length: number | null
  readonly width: number | null
  readonly height: number | null
}

export function shownSku({ sku, weight, length, width, height }: Sku): ShownSku {
  const cm = (side: number | null): number | null => (side === null ? null : side / hundredths)
  return { sku, weight: weight / milligrams, length: cm(length), width: cm(width), height: cm(height) }
}

/** All SKUs that are kept for the account that answers. */
export const skusOf = (context: Context): Promise<readonly Sku[]> =>
  withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      return (await place?.database.read(() => listSkus(place.account))) ?? []
    } finally {
      await place?.close()
    }
  })

/** The import of SKUs. */
export const skuImporter = (context: Context): Importer<Sku> => ({
  noun: ['SKU', 'SKUs'],
  columns,
  command: 'skus import',
  items: async function* (sheet) {
    const bare = sheet.weights.get('weight') ?? { unit: 'g', certain: false }
    for await (const batch of sheet.rows) yield batch.map((row) => itemOf(row, sheet, bare))
  },
  open: async ({ use, rule }) => {
    const source = await sourceOf(context, use === 'bulk' || context.flags.has('dry-run') ? 'beside' : 'read')
    try {
      return skuTarget(context, source, await besideOf(context, source, use), rule === 'update')
    } catch (error) {
      await source.close()
      throw error
    }
  },
  template: [
    ['sku', 'weight', 'length', 'width', 'height'],
    ['CR-02', '180g', '20', '15', '3'],
    ['BL-7', '1.2kg', '25', '20', '20'],
  ],
})

/** A SKU of a sheet as it will be: without a size there, it keeps the one that it has. */
const merged = (given: Sku, before: Sku | undefined): Sku =>
  given.length === null && before !== undefined ? { ...before, weight: given.weight } : given

const conflict: Failure = {
  code: 'invalid_input',
  message: 'is there with another weight or size; --on-conflict update',
}

function skuTarget(context: Context, source: Source, place: BesidePlace | undefined, update: boolean): Target<Sku> {
  let known: ReadonlyMap<string, Sku> | undefined
  const label = async (wanted: readonly Wanted<Sku>[]): Promise<readonly Label[]> => {
    const kept = async () => (await place?.database.read(() => listSkus(place.account))) ?? []
    known ??= new Map((await kept()).map((one) => [one.sku, one]))
    return wanted.map(({ name, value }) => {
      const before = known!.get(name)
      if (before === undefined) return 'create'
      return JSON.stringify(before) === JSON.stringify(merged(value, before)) ? 'unchanged' : 'conflict'
    })
  }
  return {
    where: besidePlace(context, source),
    label,
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const { database, account } = place!
        const labels = await label(wanted)
        const outcomes = labels.map((one): Outcome | Failure =>
          one === 'create' ? 'created' : one === 'unchanged' ? 'unchanged' : update ? 'updated' : conflict,
        )
        const changed = wanted.filter((_, i) => outcomes[i] === 'created' || outcomes[i] === 'updated')
        const values = changed.map(({ name, value }) => merged(value, known!.get(name)))
        await database.write(() => saveSkus(account, values, context.io.host.now()))
        return outcomes
      },
    },
    close: async () => {
      await place?.close()
      await source.close()
    },
  }
}
