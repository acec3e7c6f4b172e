// The weights of a table before anything is made of its rows: a sheet whose weights could be grams or kilograms is
// refused once (docs/guides/sheets.md, Weights).
import { invalid, type ShipxError } from '../../domain/errors.ts'
import { couldBeEither, readWeight, type BareWeight } from '../../domain/read/weight.ts'
import type { Placed } from './headers.ts'
import { shownHeader } from './shownheaders.ts'
import { quoted } from '../terminal/safe.ts'
import type { SheetRow } from './sheet.ts'

/** Rows that are looked at before the first of them is handed on. */
const looked = 1000

/** A table whose columns were found. */
interface Table extends Pick<Placed, 'places' | 'weights'> {
  /** The file as messages name it. */
  readonly field: string
  readonly headers: readonly string[]
}

/**
 * The rows of a table as they are. Throws `invalid_input` before the first of them when most of the bare weights in the
 * first thousand could be either unit.
 */
export async function* withoutDoubt(
  table: Table,
  rows: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  const open = [...table.weights].filter(([, bare]) => !bare.certain)
  if (open.length === 0) return yield* rows
  const held: (readonly SheetRow[])[] = []
  let count = 0
  const heldRows = (): readonly (readonly SheetRow[])[] => {
    for (const [name, bare] of open) refuseDoubt(table, name, bare, held.flat())
    return held.splice(0)
  }
  try {
    for await (const batch of rows) {
      if (count >= looked) yield batch
      else {
        count += batch.length
        held.push(batch)
        if (count >= looked) yield* heldRows()
      }
    }
  } catch (error) {
    // What comes before a fault of the file is handed on before it.
    yield* heldRows()
    throw error
  }
  yield* heldRows()
}

function refuseDoubt(
  { field, places, headers }: Table,
  name: string,
  bare: BareWeight,
  rows: readonly SheetRow[],
): void {
  const place = places.get(name)!
  const weights = rows.flatMap(({ cells, line, fault }) => {
    const written = fault === undefined ? readWeight(cells[place]!) : undefined
    return written === undefined || written.unit !== undefined || written.value === 0 ? [] : [{ written, line }]
  })
  const doubtful = weights.filter(({ written }) => couldBeEither(written, bare))
  const first = weights[0]
  if (first !== undefined && doubtful.length * 2 > weights.length)
    throw eitherUnit(field, headers[place]!, name, first.written.number, first.line)
}

function eitherUnit(field: string, header: string, name: string, number: string, line: number): ShipxError {
  const way = (unit: string): string => `--map ${quoted(`${header}=${name}_${unit}`)}`
  const weights = `the weights under "${shownHeader(header)}" have no unit`
  const message = `${weights}, and ${number} could be ${number} kg or ${number} g`
  return invalid([{ field, message, row: line }], `add ${way('kg')} or ${way('g')}, or name the unit in the header`)
}
