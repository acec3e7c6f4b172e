// What a table that a user wrote is, once it is open: its rows, and what is read of each; reads no file.
import type { Heading, Placed } from './headers.ts'

/** A row of a table. */
export interface SheetRow {
  /** The line of the file that it starts in, or the row of a workbook; the first is 1. */
  readonly line: number
  /** The file's own cells, the guard against formulas taken off, as many as there are headers. */
  readonly cells: readonly string[]
  /** Why the row cannot be read as one. */
  readonly fault: string | undefined
}

/** A sheet of a workbook; the first is number 1. */
export interface Tab {
  readonly name: string
  readonly number: number
}

/** A table whose header has been read. */
export interface Sheet extends Placed {
  /** The file as messages name it. */
  readonly name: string
  /** The file's own headers. */
  readonly headers: readonly string[]
  /** The character between cells; JSON Lines have none. */
  readonly delimiter?: string
  /** What the number of a row counts: lines of a text, or rows of a workbook. */
  readonly counts: 'line' | 'row'
  /** Of JSON Lines: so many headers are keys of the first record; the others may come later. */
  readonly keys?: number
  /** The line or row of the header. */
  readonly headLine: number
  /** The cells of the rows above the header. */
  readonly titles?: readonly (readonly string[])[]
  /** The sheet that it is, where it is one of a workbook. */
  readonly tab?: Tab
  /** The rows, some hundreds at a time. Can be walked once; throws `invalid_file`. */
  readonly rows: AsyncIterable<readonly SheetRow[]>
  /** The headers with their columns that --use-map names and the file does not have. */
  readonly lacking?: readonly string[]
  /** What was left out, in sentences: complete once the rows were walked. */
  readonly notes: () => readonly string[]
  /** Deletes what was kept of the file, where its rows are not walked to their end. */
  readonly close: () => void
}

/** What is read. */
export interface SheetPlan extends Heading {
  /** The flag or argument that named the file. */
  readonly field: string
  /** The file, or - for standard input. */
  readonly path: string
  /** Its bytes, where they were opened already. */
  readonly bytes?: () => AsyncIterable<Uint8Array>
  /** Headers that tell where a table without columns of ours begins, folded. */
  readonly known?: readonly string[]
  /** The sheet of a workbook: its name, or its number from 1. */
  readonly sheet?: string | undefined
  /** Whether a sheet with such a row is meant: of several sheets the one that has it; two of them are asked about. */
  readonly meant?: (headers: readonly string[]) => boolean
}
