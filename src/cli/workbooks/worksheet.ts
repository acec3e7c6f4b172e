// A worksheet as a stream of rows: the texts of their cells, and the faults of those that cannot be read.
import { count } from '../../domain/count.ts'
import { cellText, type CellReading } from './cellvalue.ts'
import { mostColumns, mostRows } from './limits.ts'
import { damaged, type Refuse } from './refusal.ts'
import { longestText } from './sharedstrings.ts'
import { parseXml, type Attributes } from './xml.ts'

/** A row that holds anything. */
export interface WorkbookRow {
  /** Its number in the sheet, from 1. */
  readonly row: number
  /** Its texts by column; empty where there is none. */
  readonly cells: readonly string[]
  /** What keeps a cell from being read, by column. */
  readonly faults: ReadonlyMap<number, string>
}

const noFaults: ReadonlyMap<number, string> = new Map()

/** The letters of a column, from 0: A, Z, AA. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}

/** The column of a cell's name (`B17` is 1); -1 where it has no letters. */
function columnOf(name: string): number {
  let column = 0
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 65 || code > 90) break
    column = column * 26 + code - 64
  }
  return column - 1
}

/** The row that is being read, and the cell in it. */
interface Reading {
  row: number
  cells: string[]
  faults: Map<number, string> | undefined
  column: number
  type: string
  style: number
  value: string | undefined
  formula: boolean
  inCell: boolean
  inText: boolean
  phonetic: boolean
}

/** The rows of a worksheet that hold anything, those of one piece of it at a time. Throws `invalid_file`. */
export async function* worksheetRows(
  part: AsyncIterable<Buffer>,
  reading: CellReading,
  refuse: Refuse,
): AsyncGenerator<readonly WorkbookRow[]> {
  let ready: WorkbookRow[] = []
  const handlers = rowsInto((row) => ready.push(row), reading, refuse)
  for await (const _ of parseXml(part, handlers, refuse)) {
    if (ready.length === 0) continue
    yield ready
    ready = []
  }
}

/** Handlers that collect rows. */
function rowsInto(add: (row: WorkbookRow) => void, reading: CellReading, refuse: Refuse) {
  const now: Reading = {
    row: 0,
    cells: [],
    faults: undefined,
    column: -1,
    type: 'n',
    style: 0,
    value: undefined,
    formula: false,
    inCell: false,
    inText: false,
    phonetic: false,
  }
  return {
    open: (name: string, attributes: Attributes): void => {
      if (name === 'row') startRow(now, attributes, refuse)
      else if (name === 'c') startCell(now, attributes, refuse)
      else if (!now.inCell) return
      else if (name === 'f') now.formula = true
      else if (name === 'rPh') now.phonetic = true
      else if (name === 'is') now.value ??= ''
      else if (name === 'v' || (name === 't' && !now.phonetic)) {
        now.inText = true
        now.value ??= ''
      }
    },
    close: (name: string): void => {
      if (name === 'v' || name === 't') now.inText = false
      else if (name === 'rPh') now.phonetic = false
      else if (name === 'c') endCell(now, reading)
      else if (name === 'row') {
        if (now.cells.length > 0 || now.faults !== undefined)
          add({ row: now.row, cells: filled(now.cells), faults: now.faults ?? noFaults })
        now.cells = []
      }
    },
    text: (piece: string): void => {
      if (!now.inText) return
      const held = now.value ?? ''
      if (held.length < longestText) now.value = held + piece.slice(0, longestText - held.length)
    },
  }
}

function startRow(now: Reading, { r }: Attributes, refuse: Refuse): void {
  const row = r === undefined ? now.row + 1 : Number(r)
  if (!Number.isSafeInteger(row) || row <= now.row) throw damaged(refuse, `row ${r} follows row ${now.row}`)
  if (row > mostRows) throw damaged(refuse, `it has more than ${count(mostRows)} rows`)
  now.row = row
  now.cells = []
  now.faults = undefined
  now.column = -1
}

function startCell(now: Reading, { r, t, s }: Attributes, refuse: Refuse): void {
  const named = r === undefined ? -1 : columnOf(r)
  now.column = named === -1 ? now.column + 1 : named
  if (now.column >= mostColumns) throw damaged(refuse, `row ${now.row} has more than ${count(mostColumns)} columns`)
  now.type = t ?? 'n'
  now.style = s === undefined ? 0 : Number(s)
  now.value = undefined
  now.formula = false
  now.inCell = true
  now.inText = false
}

function endCell(now: Reading, reading: CellReading): void {
  now.inCell = false
  const { text, fault } = cellText(now, reading)
  if (fault !== undefined) {
    now.faults ??= new Map()
    now.faults.set(now.column, `${columnLetters(now.column)}${now.row}: ${fault}`)
  }
  if (text !== '') now.cells[now.column] = text
}

/** Cells without holes. */
function filled(cells: string[]): readonly string[] {
  for (let at = 0; at < cells.length; at++) cells[at] ??= ''
  return cells
}
