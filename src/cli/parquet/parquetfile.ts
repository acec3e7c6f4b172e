// Writes a Parquet file group by group: rows wait in columns until they are a group, and no others are in memory.
import type { ColumnType, TableColumn, TableRows } from '../command/tablefile.ts'
import { cellMaker, type Cell, type Misfits } from './cells.ts'
import { ByteWriter, ParquetWriter } from './library.ts'

/** What a file is written with. */
export interface Making {
  /** Takes the bytes of the file in their order. Throws `output_failed`. */
  readonly write: (bytes: Uint8Array) => void
  /** The program that writes it, in Parquet's own form. */
  readonly createdBy: string
  /** The misfits of a column. */
  readonly misfits: (name: string) => Misfits
}

/** A file with one table that is being written. */
export interface ParquetFile extends TableRows {
  readonly rows: () => number
  /** Writes what waits and the end of the file, with what it says about itself. Throws what `write` throws. */
  readonly end: (about: ReadonlyMap<string, string>) => void
}

/** Rows of a group at most, and characters of their texts: so many wait in memory. */
const [groupRows, groupText] = [20_000, 6_000_000]

type Named = ParquetWriter['schema'][number]

/**
 * How types are stored, and what that means to readers. Amounts are decimals, since sums of binary fractions are not
 * exact. Texts get their older name at the end of the file: under it the library makes bytes of a whole group at once.
 */
const elements: Readonly<Record<ColumnType, Omit<Named, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', logical_type: { type: 'STRING' } },
  truth: { type: 'BOOLEAN' },
  count: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  money: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    scale: 2,
    precision: 18,
    logical_type: { type: 'DECIMAL', precision: 18, scale: 2 },
  },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
}

/** Names that no other column has: id, id_2. The library finds columns by their names. */
function distinct(columns: readonly TableColumn[]): readonly TableColumn[] {
  const taken = new Set<string>()
  return columns.map(({ name: wanted, type }) => {
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
    taken.add(name)
    return { name, type }
  })
}

/** Opens a file with these columns. */
export function openParquetFile(given: readonly TableColumn[], { write, createdBy, misfits }: Making): ParquetFile {
  const columns = distinct(given)
  const bytes = new ByteWriter(65_536)
  const flush = (): void => {
    write(bytes.getBytes())
    bytes.index = 0
  }
  const schema: Named[] = [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[type] })),
  ]
  const writer = new ParquetWriter({ writer: Object.assign(bytes, { flush, finish: flush }), schema, createdBy })
  const makers = columns.map(({ name, type }) => cellMaker(type, misfits(name)))
  let waiting: Cell[][] = columns.map(() => [])
  let [held, text, all] = [0, 0, 0]
  const writeGroup = (): void => {
    const columnData = columns.map(({ name }, i) => ({ name, data: waiting[i]! }))
    void writer.write({ columnData, rowGroupSize: held })
    waiting = columns.map(() => [])
    ;[held, text] = [0, 0]
  }
  return {
    add: (rows) => {
      for (const row of rows) {
        for (let i = 0; i < makers.length; i++) {
          const cell = makers[i]!(row[i] ?? null)
          if (typeof cell === 'string') text += cell.length
          waiting[i]!.push(cell)
        }
        held++
        all++
        if (held === groupRows || text > groupText) writeGroup()
      }
    },
    rows: () => all,
    end: (about) => {
      if (held > 0) writeGroup()
      for (const element of schema) if (element.logical_type?.type === 'STRING') element.converted_type = 'UTF8'
      writer.kvMetadata = Array.from(about, ([key, value]) => ({ key, value }))
      void writer.finish()
    },
  }
}
