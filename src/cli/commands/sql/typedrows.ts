// Rows of a query for the Parquet file of --parquet. SQLite gives each value its own type, and a column of the file has
// one type. So the rows wait in a temporary file until the last one is there, and the types of the columns are known.
import type { Context } from '../../command/context.ts'
import { list } from '../../command/flags.ts'
import type { ColumnType, TableFile, TableValue, WaitingRows } from '../../command/tablefile.ts'
import type { View } from '../../output/columns.ts'
import { isDay } from '../../output/excelcolumns.ts'
import { refuseUnknown, fieldsOf, type Printer } from '../../output/printing.ts'
import { readInstant } from '../../../domain/time.ts'

/** What a value is: null, text, a whole number, one beyond 2^53 (as text), or a number with a fraction (`kindsOf`). */
type Kind = 'n' | 't' | 'i' | 'b' | 'r'

/** The kinds that the values of a column have, and whether all its texts are days, or instants. */
interface Met {
  readonly kinds: Set<Kind>
  days: boolean
  instants: boolean
}

/** An instant with its zone, to the millisecond: more digits would be lost. */
const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && readInstant(text) !== undefined

/** The type of a column, and whether its values have several types: then all of them are text. */
function typeOf({ kinds, days, instants }: Met): { readonly type: ColumnType; readonly mixed: boolean } {
  const numbers = kinds.has('i') || kinds.has('b') || kinds.has('r')
  if (kinds.has('t')) {
    if (numbers) return { type: 'text', mixed: true }
    return { type: days ? 'day' : instants ? 'instant' : 'text', mixed: false }
  }
  if (!numbers) return { type: 'text', mixed: false }
  if (!kinds.has('r')) return { type: 'count', mixed: false }
  // A number with a fraction has 53 bits, and would lose digits of such a whole number.
  return kinds.has('b') ? { type: 'text', mixed: true } : { type: 'number', mixed: false }
}

/** A row as `sql` sends it for types: the kinds of its values, then the values as JSON. */
function rowIn(line: string): { readonly kinds: string; readonly values: () => TableValue[] } {
  const at = line.indexOf('[')
  return { kinds: line.slice(0, at), values: () => JSON.parse(line.slice(at)) as TableValue[] }
}

/** Looks at rows: what their values are. */
function looker(columns: number): { readonly met: readonly Met[]; readonly look: (line: string) => void } {
  const met = Array.from({ length: columns }, (): Met => ({ kinds: new Set(), days: true, instants: true }))
  const seen = new Set<string>()
  const open = (kinds: string): boolean => met.some(({ days, instants }, i) => kinds[i] === 't' && (days || instants))
  const look = (line: string): void => {
    const { kinds, values } = rowIn(line)
    if (!seen.has(kinds)) {
      seen.add(kinds)
      for (let i = 0; i < columns; i++) met[i]!.kinds.add(kinds[i] as Kind)
    }
    if (!open(kinds)) return
    const row = values()
    for (let i = 0; i < columns; i++) {
      const column = met[i]!
      if (kinds[i] !== 't' || !(column.days || column.instants)) continue
      const text = row[i] as string
      column.days &&= isDay(text)
      column.instants &&= isInstant(text)
    }
  }
  return { met, look }
}

/** The lines of a file, some at a time. */
async function* linesOf(file: WaitingRows): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const bytes of file.read()) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n')
    rest.push(lines.shift()!)
    if (lines.length === 0) continue
    lines.unshift(rest.join(''))
    rest = [lines.pop()!]
    yield lines
  }
}

/** A printer of rows with kinds. Throws `output_failed`, and `invalid_input` for a field that is no column. */
export function typedPrinter<R>(context: Context, view: View<R>, table: TableFile): Printer {
  const fields = fieldsOf(context, view)
  if (fields !== undefined) refuseUnknown(view, [Object.fromEntries(view.names.map((name) => [name, null]))], fields)
  const wanted = list(context.flags, 'fields')?.map((name) => name.trim()) ?? view.names
  const places = [...new Set(wanted)].map((name) => view.names.indexOf(name))
  const file = table.temporary()
  const { met, look } = looker(view.names.length)
  const write = async (): Promise<void> => {
    const types = places.map((at) => typeOf(met[at]!))
    const columns = places.map((at, i) => ({ name: view.names[at]!, type: types[i]!.type }))
    const rows = table.begin(view.noun, columns)
    for await (const lines of linesOf(file))
      rows.add(
        lines.map((line) => {
          const { kinds, values } = rowIn(line)
          const row = values()
          // JSON has no infinity: such a number comes as text.
          return places.map((at) => (kinds[at] === 'r' ? Number(row[at]) : row[at]!))
        }),
      )
    const mixed = columns.filter((_, i) => types[i]!.mixed).map(({ name }) => name)
    if (mixed.length > 0)
      await context.warn(`values of several types are written as text: ${mixed.join(', ')}; cast them in the query`)
  }
  return {
    batch: async (records) => {
      for (const record of records) look(record)
      file.append(Buffer.from(`${records.join('\n')}\n`))
    },
    end: async () => {
      try {
        await write()
      } finally {
        file.close()
      }
    },
    hidden: () => [],
  }
}
