// The headers of a table and the columns of ours that they stand for: by our own names, by those that other programs use, and as
// the user says with --map; knows no file (docs/bulk.md).
import { invalid, type Fault } from '../../domain/errors.ts'
import { readWeightUnit, type BareWeight, type WeightUnit } from '../../domain/rates/measures.ts'
import { nearest } from '../../domain/nearest.ts'
import { shortened } from '../../domain/messages/plaintext.ts'
import { safe } from '../terminal/safe.ts'

/** A column that a table may have, under its own name and those that other programs give it. */
export interface SheetColumn {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly required?: boolean
  /** Of weights: the usual unit of a bare number, and the API's own name for the field, which means that unit. */
  readonly weight?: { readonly usual: WeightUnit; readonly api: string } | undefined
}

/** A header as it is compared: letters and digits of any script alone. */
export const folded = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Units of weights that shipx does not read; a header that names one must not pass for another. */
const otherUnits: ReadonlySet<string> = new Set([
  'lb',
  'lbs',
  'pound',
  'pounds',
  'oz',
  'ounce',
  'ounces',
  'mg',
  'ton',
  'tons',
  'tonne',
  'tonnes',
  'quintal',
  'quintals',
])

/** The unit of weight that a header names (`Weight (kg)`, `weight_kg`, `Wt. in gms`), and the header without it, folded. */
function unitIn(header: string): { readonly rest: string; readonly unit?: WeightUnit; readonly other?: string } {
  const words = header.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{M}\p{N}]+/u)
  const units = [...new Set(words.flatMap((word) => readWeightUnit(word) ?? []))]
  const other = words.find((word) => otherUnits.has(word.toLowerCase()))
  const named = (word: string): boolean =>
    readWeightUnit(word) !== undefined || otherUnits.has(word.toLowerCase()) || /^in$/i.test(word)
  const rest = folded(words.filter((word) => !named(word)).join(''))
  return { rest, ...(units.length === 1 ? { unit: units[0]! } : {}), ...(other === undefined ? {} : { other }) }
}

/** The longest header, UTF-16 units, and the most of them that a message holds. */
const [longestShown, mostShown] = [60, 20]

/** A header as people are told of it: a long one is cut. */
export const shownHeader = (header: string): string => safe(shortened(header, longestShown))

/** Headers as people are told of them: the first ones, and how many more there are. */
export function shownHeaders(headers: readonly string[]): string {
  const more = headers.length - mostShown
  const first = headers.slice(0, mostShown).map(shownHeader).join(', ')
  return more > 0 ? `${first} … and ${more.toLocaleString('en-IN')} more` : first
}

/** Where our columns are. */
export interface Placed {
  /** Where a column stands, by its name; a column that the file does not have is not in it. */
  readonly places: ReadonlyMap<string, number>
  /** Headers that are no column of ours. */
  readonly unknown: readonly string[]
  /** What a bare number is in each column of weights that the file has. */
  readonly weights: ReadonlyMap<string, BareWeight>
}

/** What headers are read by. */
export interface Heading {
  /** The flag or argument that named the file. */
  readonly field: string
  readonly columns: readonly SheetColumn[]
  /** `Company=brand_name`: the file's headers that stand for columns of ours. */
  readonly map?: readonly string[]
  /** The headers are the keys of JSON objects. */
  readonly json?: true
}

/** Finds our columns among the headers. Throws `invalid_input` with every fault of the header. */
export function placed(heading: Heading, headers: readonly string[]): Placed {
  const { columns, map = [], field } = heading
  const faults: Fault[] = []
  const names = new Map<string, string>()
  for (const { name, aliases = [] } of columns) for (const known of [name, ...aliases]) names.set(folded(known), name)
  const ofWeight = new Map(
    columns.flatMap(({ name, weight }) => (weight === undefined ? [] : [[name, weight] as const])),
  )
  const weightNamed = (header: string): string | undefined => {
    const name = names.get(unitIn(header).rest)
    return name !== undefined && ofWeight.has(name) ? name : undefined
  }
  const given = new Map<string, string>()
  /** The names that --map has for columns, as they were typed: of a weight they may end in its unit. */
  const targets = new Map<string, string>()
  for (const pair of map) {
    const at = pair.lastIndexOf('=')
    const [header, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    const column = columns.find((known) => known.name === name)?.name ?? weightNamed(name)
    if (at <= 0 || column === undefined) {
      const near = nearest(
        name,
        columns.map((known) => known.name),
      )
      faults.push({
        field: '--map',
        message: `"${shownHeader(pair)}" is not <header>=<column>${near === undefined ? `; columns: ${columns.map((known) => known.name).join(', ')}` : `. Did you mean ${near}?`}`,
      })
    } else if (!headers.includes(header))
      faults.push({
        field: '--map',
        message: `the file has no header "${shownHeader(header)}"; it has: ${shownHeaders(headers)}`,
      })
    else {
      given.set(header, column)
      targets.set(header, name)
    }
  }
  const found = new Map<string, number[]>()
  const unknown: string[] = []
  const taken = new Set(given.values())
  for (const [i, header] of headers.entries()) {
    const own = given.get(header)
    const loose = names.get(folded(header)) ?? weightNamed(header)
    // A header that was named for a column leaves it to nobody else.
    const name = own ?? (loose !== undefined && !taken.has(loose) ? loose : undefined)
    if (name === undefined) unknown.push(header)
    else found.set(name, [...(found.get(name) ?? []), i])
  }
  for (const [name, places] of found)
    if (places.length > 1)
      faults.push({
        field,
        message: `${places.length} headers are taken for ${name}: ${shownHeaders(places.map((i) => headers[i]!))}; rename all but one, or name it: --map "${shownHeader(headers[places[0]!]!)}=${name}"`,
        row: 1,
      })
  const missing = columns.filter(({ name, required }) => required === true && !found.has(name)).map(({ name }) => name)
  if (missing.length > 0)
    faults.push({
      field,
      message: `the header lacks ${missing.join(', ')}; it has: ${shownHeaders(headers)}. Where another header means one of them: --map "<header>=${missing[0]}"`,
      row: 1,
    })
  const weights = new Map<string, BareWeight>()
  for (const [name, { usual, api }] of ofWeight) {
    const place = found.get(name)?.[0]
    if (place === undefined) continue
    const header = headers[place]!
    const [own, mapped] = [unitIn(header), unitIn(targets.get(header) ?? '')]
    const other = own.other ?? mapped.other
    if (other !== undefined)
      faults.push({
        field,
        message: `the header "${shownHeader(header)}" says ${safe(other)}; shipx reads kg and g`,
        row: 1,
      })
    if (own.unit !== undefined && mapped.unit !== undefined && own.unit !== mapped.unit)
      faults.push({
        field: '--map',
        message: `the header "${shownHeader(header)}" says ${own.unit}, and --map says ${mapped.unit}`,
      })
    const unit = own.unit ?? mapped.unit
    // The API's name is an everyday word where it is the column's own: in a sheet it says nothing of the unit.
    const said = header === api && (heading.json === true || api !== name)
    weights.set(name, { unit: unit ?? usual, certain: unit !== undefined || said })
  }
  if (faults.length > 0) throw invalid(faults)
  return { places: new Map([...found].map(([name, places]) => [name, places[0]!])), unknown, weights }
}
