// The headers of a table and the columns of ours that they stand for: by our own names, by those that other programs use, and as
// the user says with --map; knows no file (docs/bulk.md).
import { invalid, type Fault } from '../domain/errors.ts'
import { nearest } from '../domain/nearest.ts'
import { safe } from './safe.ts'

/** A column that a table may have, under its own name and those that other programs give it. */
export interface SheetColumn {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly required?: boolean
}

/** A header as it is compared: letters and digits of any script alone. */
export const folded = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

const shown = (names: readonly string[]): string => names.map((name) => safe(name)).join(', ')

/** Where our columns are. */
export interface Placed {
  /** Where a column stands, by its name; a column that the file does not have is not in it. */
  readonly places: ReadonlyMap<string, number>
  /** Headers that are no column of ours. */
  readonly unknown: readonly string[]
}

/** What headers are read by. */
export interface Heading {
  /** The flag or argument that named the file. */
  readonly field: string
  readonly columns: readonly SheetColumn[]
  /** `Company=brand_name`: the file's headers that stand for columns of ours. */
  readonly map?: readonly string[]
}

/** Finds our columns among the headers. Throws `invalid_input` with every fault of the header. */
export function placed({ columns, map = [], field }: Heading, headers: readonly string[]): Placed {
  const faults: Fault[] = []
  const names = new Map<string, string>()
  for (const { name, aliases = [] } of columns) for (const known of [name, ...aliases]) names.set(folded(known), name)
  const given = new Map<string, string>()
  for (const pair of map) {
    const at = pair.lastIndexOf('=')
    const [header, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    const column = columns.find((known) => known.name === name)
    if (at <= 0 || column === undefined) {
      const near = nearest(name, columns.map((known) => known.name)) // prettier-ignore
      faults.push({ field: '--map', message: `"${safe(pair)}" is not <header>=<column>${near === undefined ? `; columns: ${columns.map((known) => known.name).join(', ')}` : `. Did you mean ${near}?`}` }) // prettier-ignore
    } else if (!headers.includes(header))
      faults.push({ field: '--map', message: `the file has no header "${safe(header)}"; it has: ${shown(headers)}` }) // prettier-ignore
    else given.set(header, name)
  }
  const found = new Map<string, number[]>()
  const unknown: string[] = []
  const taken = new Set(given.values())
  for (const [i, header] of headers.entries()) {
    const own = given.get(header)
    const loose = names.get(folded(header))
    // A header that was named for a column leaves it to nobody else.
    const name = own ?? (loose !== undefined && !taken.has(loose) ? loose : undefined)
    if (name === undefined) unknown.push(header)
    else found.set(name, [...(found.get(name) ?? []), i])
  }
  for (const [name, places] of found)
    if (places.length > 1)
      faults.push({ field, message: `${places.length} headers are taken for ${name}: ${shown(places.map((i) => headers[i]!))}; rename all but one, or name it: --map "${safe(headers[places[0]!]!)}=${name}"`, row: 1 }) // prettier-ignore
  const missing = columns.filter(({ name, required }) => required === true && !found.has(name)).map(({ name }) => name)
  if (missing.length > 0)
    faults.push({ field, message: `the header lacks ${missing.join(', ')}; it has: ${shown(headers)}. Where another header means one of them: --map "<header>=${missing[0]}"`, row: 1 }) // prettier-ignore
  if (faults.length > 0) throw invalid(faults)
  return { places: new Map([...found].map(([name, places]) => [name, places[0]!])), unknown }
}
