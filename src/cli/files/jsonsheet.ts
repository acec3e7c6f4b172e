// A table as JSON Lines: an object a line, its keys found as the headers of a CSV are (docs/guides/sheets.md).
import { ShipxError } from '../../domain/errors.ts'
import type { BareWeight } from '../../domain/read/weight.ts'
import { cellFault } from './cellcontent.ts'
import { withoutDoubt } from './doubtfulweights.ts'
import { folded, placeColumns, type Heading } from './headers.ts'
import { shownHeader } from './shownheaders.ts'
import { linesOf } from './jsonlines.ts'
import { count } from '../../domain/count.ts'
import { safe } from '../terminal/safe.ts'
import type { Sheet, SheetRow } from './sheet.ts'

/** Rows that are given at once. */
const atOnce = 250

/** The longest line that is parsed, characters: that of a CSV's row. */
const mostCharacters = 1_000_000

/**
 * Opens a table of JSON Lines: the keys of its first object and the columns that it does not have are its headers.
 * Throws `invalid_input` where no key names a column of ours that must be there, and `invalid_file`.
 */
export async function openJson(
  plan: Heading & { readonly path: string },
  bytes: AsyncIterable<Uint8Array>,
): Promise<Sheet> {
  const lines = numbered(linesOf(bytes))
  const first = await lines.next()
  // It was looked at before: there is a first line.
  const { line, text } = first.value as Line
  const object = objectOf(text)
  if (typeof object === 'string')
    throw new ShipxError(
      'invalid_file',
      `${plan.path === '-' ? 'standard input' : safe(plan.path)}: line ${line} ${object}`,
      { hint: 'JSON Lines hold an object on each line; a CSV starts with the names of its columns' },
    )
  const keys = Object.keys(object)
  const given = placeColumns({ ...plan, json: true }, keys)
  const { places, unknown } = given
  // A key may come later only, under our own name or another.
  const later = plan.columns.filter(({ name }) => !places.has(name))
  const headers = [...keys, ...later.map(({ name }) => name)]
  const all = new Map([...places, ...later.map(({ name }, i) => [name, keys.length + i] as const)])
  const names = new Map(
    plan.columns.flatMap(({ name, aliases = [] }) =>
      [name, ...aliases].map((other) => [folded(other), all.get(name)!]),
    ),
  )
  const weights = new Map<string, BareWeight>(given.weights)
  for (const { name, weight } of later)
    if (weight !== undefined) weights.set(name, { unit: weight.usual, certain: weight.api === name })
  /** A weight goes by one key in a file: another one may mean another unit. */
  const strict = new Set([...weights.keys()].map((name) => all.get(name)!))
  const known = new Map(keys.map((key, i) => [key, i]))
  const placeOf = (key: string): number | undefined => known.get(key) ?? names.get(folded(key))
  const rowOf = ({ line: at, text: json }: Line): SheetRow => {
    const found = objectOf(json)
    if (typeof found === 'string') return { line: at, cells: headers.map(() => ''), fault: found }
    const cells = headers.map(() => '')
    let fault: string | undefined
    for (const [key, value] of Object.entries(found)) {
      const place = placeOf(key)
      if (place === undefined) continue
      if (strict.has(place) && key !== headers[place])
        fault ??=
          `${shownHeader(key)} is called ${shownHeader(headers[place]!)} elsewhere in the file; ` +
          'use one name for the weight'
      const cell = cellOf(value)
      if (cell === undefined)
        fault ??= `${safe(key.slice(0, 60))} is neither text nor a number that JSON can hold; write it in quotes`
      else if (cellFault(cell) !== undefined) fault ??= cellFault(cell)
      else cells[place] = cell
    }
    return { line: at, cells, fault }
  }
  const rows = async function* (): AsyncGenerator<readonly SheetRow[]> {
    let batch = [rowOf({ line, text })]
    for await (const next of lines) {
      batch.push(rowOf(next))
      if (batch.length < atOnce) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
  return {
    name: plan.field,
    headers,
    keys: keys.length,
    places: all,
    ...(given.more === undefined ? {} : { more: given.more }),
    unknown,
    weights,
    sizeUnit: given.sizeUnit,
    counts: 'line',
    headLine: line,
    rows: withoutDoubt({ places: all, weights, headers, field: plan.field }, rows()),
    notes: () => [],
    close: () => undefined,
  }
}

interface Line {
  readonly line: number
  readonly text: string
}

/** The lines that hold anything, with their numbers. */
async function* numbered(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let line = 0
  for await (const text of lines) {
    line++
    const own = line === 1 ? text.replace(/^\ufeff/, '') : text
    if (own.trim() !== '') yield { line, text: own }
  }
}

/** The object of a line, or why it is not one. */
function objectOf(text: string): Readonly<Record<string, unknown>> | string {
  if (text.length > mostCharacters) return `has more than ${count(mostCharacters)} characters`
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
    return 'is not a JSON object'
  } catch {
    return 'is not JSON'
  }
}

/** A value as the cell of a CSV has it. */
function cellOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  // A number of more than 15 digits may have become another one already.
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? String(value) : undefined
  return typeof value === 'boolean' ? String(value) : undefined
}
