// The headers of a table and our columns that they name: by our own names, by those of other programs, and as the user
// says with --map (docs/guides/sheets.md).
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import { readWeightUnit, type BareWeight, type WeightUnit } from '../../domain/read/weight.ts'
import type { SideUnit } from '../../domain/read/sides.ts'
import { didYouMean } from '../../domain/nearest.ts'
import { safe } from '../terminal/safe.ts'
import { lengthIn, otherLength } from './lengthheaders.ts'
import { lacksColumns, shownHeader, shownHeaders } from './shownheaders.ts'

/** A column that a table may have, under its own name and those of other programs. */
export interface SheetColumn {
  readonly name: string
  readonly aliases?: readonly string[]
  /** Further names, which count only where no other header names the column. */
  readonly weaker?: readonly string[]
  /** Where a file has several headers of the column, the first of these that it has; the others are not ours. */
  readonly preferred?: readonly string[]
  readonly required?: boolean
  /**
   * Of weights: the usual unit of a bare number, and the API's own name for the field, which means that unit; `certain`
   * where a flag says the unit.
   */
  readonly weight?: { readonly usual: WeightUnit; readonly api: string; readonly certain?: true } | undefined
  /** A side of a parcel, in centimetres. */
  readonly side?: true
  /** All three sides of a parcel in one cell. */
  readonly size?: true
  /** An amount: the reader adds up its headers, where --map names one of them for it. */
  readonly adds?: true
}

/** A header as it is compared: letters and digits of any script alone. */
export const folded = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** What a header means of some names, which are folded; `#` reads as `no` too: `Bill #` is `bill_no`. */
export const meaningOf = <T>(names: ReadonlyMap<string, T>, header: string): T | undefined =>
  names.get(folded(header)) ?? (header.includes('#') ? names.get(folded(header.replace('#', ' no '))) : undefined)

/** Units of weights that shipx does not read; a header that names one must not pass for another. */
const otherUnits: ReadonlySet<string> = new Set(
  'lb lbs pound pounds oz ounce ounces mg ton tons tonne tonnes quintal quintals'.split(' '),
)

/**
 * The unit of weight that a header names (`Weight (kg)`, `weight_kg`, `Wt. in gms`), and the header without it, folded.
 */
export function unitIn(header: string): { readonly rest: string; readonly unit?: WeightUnit; readonly other?: string } {
  const words = header.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{M}\p{N}]+/u)
  const units = [...new Set(words.flatMap((word) => readWeightUnit(word) ?? []))]
  const other = words.find((word) => otherUnits.has(word.toLowerCase()))
  const named = (word: string): boolean =>
    readWeightUnit(word) !== undefined || otherUnits.has(word.toLowerCase()) || /^in$/i.test(word)
  const rest = folded(words.filter((word) => !named(word)).join(''))
  return { rest, ...(units.length === 1 ? { unit: units[0]! } : {}), ...(other === undefined ? {} : { other }) }
}

/** Where our columns are. */
export interface Placed {
  /** Where a column stands, by its name; a column that the file does not have is not in it. */
  readonly places: ReadonlyMap<string, number>
  /** The further places of a column that adds up, where --map names several headers for it. */
  readonly more?: ReadonlyMap<string, readonly number[]>
  /** Headers that are not columns of ours. */
  readonly unknown: readonly string[]
  /** What a bare number is in each column of weights that the file has. */
  readonly weights: ReadonlyMap<string, BareWeight>
  /** The unit of sizes without one, where the header or --map says it. */
  readonly sizeUnit?: SideUnit | undefined
  /** The file is another program's export: only --map named columns of ours, and its form reads the rest. */
  readonly apart?: true
}

/** What headers are read by. */
export interface Heading {
  /** The file as messages name it. */
  readonly field: string
  readonly columns: readonly SheetColumn[]
  /** `Company=brand_name`: the file's headers that name columns of ours. */
  readonly map?: readonly string[]
  /** Headers that are no column of ours, whatever they are called. */
  readonly ignore?: readonly string[]
  /** Those of `map` and `ignore` whose header the file may lack. */
  readonly saved?: readonly string[]
  /** Whether these headers are those of another program's export, which its form reads. */
  readonly apart?: (headers: readonly string[]) => boolean
  /**
   * What a file of another kind is, in a sentence; undefined for one that shipx does not know. `lacking` says that it
   * lacks a column of ours.
   */
  readonly otherwise?: (headers: readonly string[], lacking: boolean) => string | undefined
  /** What else the header lacks, in sentences; of several columns one may be enough. */
  readonly lacks?: (places: Placed['places']) => readonly string[]
  /** The headers are the keys of JSON objects. */
  readonly json?: true
  /** Rows of totals are handed on: the reader compares them with what is above. */
  readonly keepTotals?: true
}

/** Headers on their way to their columns, and what is wrong with them. */
interface Search {
  readonly heading: Heading
  readonly headers: readonly string[]
  /** Our columns by every name they have, folded. */
  readonly names: ReadonlyMap<string, string>
  /** Those of them that count only where no other header names the column. */
  readonly weaker: ReadonlyMap<string, string>
  readonly ofWeight: ReadonlyMap<string, NonNullable<SheetColumn['weight']>>
  readonly faults: Fault[]
}

function searchOf(heading: Heading, headers: readonly string[]): Search {
  const [names, weaker] = [new Map<string, string>(), new Map<string, string>()]
  for (const { name, weaker: further = [] } of heading.columns)
    for (const known of further) {
      names.set(folded(known), name)
      weaker.set(folded(known), name)
    }
  for (const { name, aliases = [] } of heading.columns)
    for (const known of [name, ...aliases]) names.set(folded(known), name)
  const weights = heading.columns.flatMap(({ name, weight }) => (weight === undefined ? [] : [[name, weight] as const]))
  return { heading, headers, names, weaker, ofWeight: new Map(weights), faults: [] }
}

/** The column of weights, sides or sizes that a header names together with a unit. */
function unitNamed({ names, ofWeight, heading }: Search, header: string): string | undefined {
  const weight = names.get(unitIn(header).rest)
  if (weight !== undefined && ofWeight.has(weight)) return weight
  const long = names.get(folded(lengthIn(header).rest))
  return heading.columns.some(({ name, side, size }) => name === long && (side ?? size) === true) ? long : undefined
}

/** What --map says of a header: its column, and the column's name as typed, which may end in a unit. */
interface Mapped {
  readonly column: string
  readonly typed: string
}

/** The headers that --map names, with their columns. */
function mappedHeaders(search: Search): ReadonlyMap<string, Mapped> {
  const { columns, map = [], saved = [] } = search.heading
  const names = columns.map(({ name }) => name)
  const mapped = new Map<string, Mapped>()
  for (const pair of map) {
    const at = pair.lastIndexOf('=')
    const [header, typed] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    const column = names.includes(typed) ? typed : unitNamed(search, typed)
    const refuse = (message: string): unknown => search.faults.push({ field: '--map', message })
    const guess = didYouMean(typed, names)
    const rest = guess === '' ? `; columns: ${names.join(', ')}` : guess
    if (at <= 0) refuse(`"${shownHeader(pair)}" is not <header>=<column>${rest}`)
    else if (column === undefined) refuse(`"${shownHeader(pair)}": there is no column "${shownHeader(typed)}"${rest}`)
    else if (!search.headers.includes(header) && saved.includes(pair)) continue
    else if (!search.headers.includes(header))
      refuse(`the file has no header "${shownHeader(header)}"; it has: ${shownHeaders(search.headers)}`)
    else mapped.set(header, { column, typed })
  }
  return mapped
}

/** A fault for each header of --ignore that the file does not have. */
function refuseUnknownIgnored({ heading: { ignore = [], saved = [] }, headers, faults }: Search): void {
  for (const header of ignore) {
    if (headers.includes(header) || saved.includes(header)) continue
    const has = `it has: ${shownHeaders(headers)}`
    faults.push({ field: '--ignore', message: `the file has no header "${shownHeader(header)}"; ${has}` })
  }
}

/** Whether a header names its column only where no other one does. */
const isWeak = ({ weaker }: Search, header: string, mapped: ReadonlyMap<string, Mapped>): boolean =>
  !mapped.has(header) && (meaningOf(weaker, header) !== undefined || weaker.has(unitIn(header).rest))

/** Where each column is; a fault for two headers of one column. */
function columnPlaces(
  search: Search,
  columnOf: (header: string) => string | undefined,
  mapped: ReadonlyMap<string, Mapped>,
): Pick<Placed, 'places' | 'more' | 'unknown'> {
  const { columns, field } = search.heading
  const { headers, faults } = search
  const found = new Map<string, readonly number[]>()
  const unknown: string[] = []
  for (const [i, header] of headers.entries()) {
    const name = columnOf(header)
    if (name === undefined) unknown.push(header)
    else found.set(name, [...(found.get(name) ?? []), i])
  }
  for (const [name, places] of found) {
    const strong = places.filter((i) => !isWeak(search, headers[i]!, mapped))
    const kept = strong.length === 0 ? places.slice(0, 1) : strong
    found.set(name, kept)
    unknown.push(...places.filter((i) => !kept.includes(i)).map((i) => headers[i]!))
  }
  for (const { name, preferred = [] } of columns) {
    const places = found.get(name) ?? []
    const best = preferred
      .map((one) => places.filter((i) => folded(headers[i]!) === folded(one)))
      .find(({ length }) => length > 0)
    if (best === undefined) continue
    found.set(name, best)
    unknown.push(...places.filter((i) => !best.includes(i)).map((i) => headers[i]!))
  }
  const adds = new Set(columns.flatMap((column) => (column.adds === true ? [column.name] : [])))
  const more = new Map<string, readonly number[]>()
  for (const [name, places] of found) {
    if (places.length === 1) continue
    if (adds.has(name) && places.some((i) => mapped.has(headers[i]!))) {
      more.set(name, places.slice(1))
      continue
    }
    const taken = shownHeaders(places.map((i) => headers[i]!))
    const first = `--map "${shownHeader(headers[places[0]!]!)}=${name}"`
    const way = adds.has(name)
      ? `add them up: ${first}; or leave one out: --ignore "${shownHeader(headers[places.at(-1)!]!)}"`
      : `rename all but one, or name it: ${first}`
    const message = `${places.length} headers mean ${name}: ${taken}; ${way}`
    faults.push({ field, message, row: 1 })
  }
  return {
    places: new Map([...found].map(([name, places]) => [name, places[0]!])),
    ...(more.size === 0 ? {} : { more }),
    unknown,
  }
}

/** A fault for a file of another kind, or for the required columns that no header names. */
function refuseLacks({ heading, headers, faults }: Search, places: Placed['places']): void {
  const { columns, field, otherwise, lacks } = heading
  const missing = columns.filter(({ name, required }) => required === true && !places.has(name)).map(({ name }) => name)
  // A map with a slip in it is why a column is missing.
  const mapped = faults.some((fault) => fault.field === '--map')
  const other = otherwise?.(headers, missing.length > 0 && !mapped)
  // What else is wrong with the header of another kind of file does not help.
  if (other !== undefined) return void faults.splice(0, faults.length, { field, message: other, row: 1 })
  if (mapped) return
  const required = missing.length > 0 ? [lacksColumns(missing, headers)] : []
  faults.push(...[...required, ...(lacks?.(places) ?? [])].map((message) => ({ field, message, row: 1 })))
}

/** What a bare number is in each column of weights; a fault for a unit that shipx does not read, and for two units. */
function bareWeights(
  { heading, headers, ofWeight, faults }: Search,
  places: Placed['places'],
  mapped: ReadonlyMap<string, Mapped>,
): Placed['weights'] {
  const weights = new Map<string, BareWeight>()
  for (const [name, { usual, api, certain }] of ofWeight) {
    const place = places.get(name)
    if (place === undefined) continue
    const header = headers[place]!
    const [own, typed] = [unitIn(header), unitIn(mapped.get(header)?.typed ?? '')]
    const other = own.other ?? typed.other
    if (other !== undefined) {
      const message = `the header "${shownHeader(header)}" says ${safe(other)}; shipx reads kg and g`
      faults.push({ field: heading.field, message, row: 1 })
    }
    if (own.unit !== undefined && typed.unit !== undefined && own.unit !== typed.unit) {
      const message = `the header "${shownHeader(header)}" says ${own.unit}, and --map says ${typed.unit}`
      faults.push({ field: '--map', message })
    }
    const unit = own.unit ?? typed.unit
    // The API's name is an everyday word where it is the column's own: in a sheet it does not name the unit.
    const named = header === api && (heading.json === true || api !== name)
    weights.set(name, { unit: unit ?? usual, certain: unit !== undefined || named || certain === true })
  }
  return weights
}

/** The unit of sizes without one; a fault for each column of sides or sizes whose header names another unit. */
function lengthsOf(
  { heading, headers, faults }: Search,
  places: Placed['places'],
  mapped: ReadonlyMap<string, Mapped>,
): Pick<Placed, 'sizeUnit'> {
  let sizeUnit: SideUnit | undefined
  for (const { name, side, size } of heading.columns) {
    const header = headers[places.get(name) ?? -1]
    if (header === undefined || (side ?? size) === undefined) continue
    const message = otherLength(header, size === true)
    if (message !== undefined) faults.push({ field: heading.field, message, row: 1 })
    if (size === true) sizeUnit = lengthIn(header).unit ?? lengthIn(mapped.get(header)?.typed ?? '').unit
  }
  return sizeUnit === undefined ? {} : { sizeUnit }
}

/** The required columns that headers lack, and the headers that are columns; none when anything else is wrong. */
export function lackedColumns(
  heading: Heading,
  headers: readonly string[],
): { readonly columns: readonly SheetColumn[]; readonly taken: readonly string[] } {
  const none = { columns: [], taken: [] }
  if (heading.apart?.(headers) === true) return none
  const given = { ...heading, otherwise: () => undefined }
  const optional = heading.columns.map((column) => ({ ...column, required: false }))
  try {
    const { places } = placeColumns({ ...given, columns: optional }, headers)
    const columns = heading.columns.filter(({ name, required }) => required === true && !places.has(name))
    if (columns.length > 0 && heading.otherwise?.(headers, true) !== undefined) return none
    return { columns, taken: [...places.values()].map((at) => headers[at]!) }
  } catch (error) {
    if (error instanceof ShipxError) return none
    throw error
  }
}

/** Finds our columns among the headers. Throws `invalid_input` with every fault of the header. */
export function placeColumns(heading: Heading, headers: readonly string[]): Placed {
  const search = searchOf(heading, headers)
  const { ignore = [], json, apart } = heading
  const ofForm = json !== true && apart?.(headers) === true
  const mapped = mappedHeaders(search)
  refuseUnknownIgnored(search)
  const taken = new Set([...mapped.values()].map(({ column }) => column))
  for (const { name, adds } of heading.columns) if (adds === true) taken.delete(name)
  const columnOf = (header: string): string | undefined => {
    const given = mapped.get(header)?.column
    if (given !== undefined || ofForm || ignore.includes(header)) return given
    const loose = meaningOf(search.names, header) ?? unitNamed(search, header)
    // A header that --map names for a column leaves it to no other header, unless they add up.
    return loose !== undefined && !taken.has(loose) ? loose : undefined
  }
  const { unknown, ...found } = columnPlaces(search, columnOf, mapped)
  const { places } = found
  if (!ofForm) refuseLacks(search, places)
  const weights = bareWeights(search, places, mapped)
  const sizes = lengthsOf(search, places, mapped)
  if (search.faults.length > 0) throw invalid(search.faults)
  return ofForm ? { ...found, unknown: [], weights, apart: true } : { ...found, ...sizes, unknown, weights }
}
