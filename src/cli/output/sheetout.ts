// Where the rows of a sheet go: CSV on standard output, a sheet in the workbook of --xlsx, or the table of --parquet.
import type { Context } from '../command/context.ts'
import type { ColumnType, TableFile, TableRows } from '../command/tablefile.ts'
import type { WorkbookCell, WorkbookColumn, Workbook, WorkbookSheet } from '../command/workbook.ts'
import type { Screen } from '../terminal/screen.ts'
import type { View } from './columns.ts'
import { writerFor } from './csvwriter.ts'
import { sheetSerial, sheetTime, words } from './display.ts'
import type { ExcelCell } from './excelcolumns.ts'
import type { Flat } from './flat.ts'

/** A column with what its values are in a Parquet file; without it, text. */
export interface SheetColumn extends WorkbookColumn {
  readonly type?: ColumnType
}

/** Rows below one header. */
export interface SheetOut {
  /** Writes rows of these columns; the first time after their header. */
  readonly put: (columns: readonly SheetColumn[], rows: readonly (readonly ExcelCell[])[]) => Promise<void>
  readonly end: () => Promise<void>
}

/** The sheet that the format of a command asks for. */
export const sheetOut = <R>(context: Context, view: View<R>): SheetOut =>
  context.table !== undefined
    ? tableOut(view, context.table)
    : context.workbook === undefined
      ? csvOut(context)
      : workbookOut(context, view, context.workbook)

function tableOut<R>({ noun }: View<R>, table: TableFile): SheetOut {
  let rows: TableRows | undefined
  return {
    put: async (columns, some) => {
      rows ??= table.begin(
        noun,
        columns.map(({ header, type = 'text' }) => ({ name: header, type })),
      )
      // Times and days are texts that the table reads itself.
      rows.add(some as readonly (readonly Flat[])[])
    },
    end: async () => undefined,
  }
}

/** Characters of a sheet that are written together: the rows of a batch as one large text are new memory each time. */
const atOnce = 16_384

function csvOut(context: Context): SheetOut {
  const { io, screen } = context
  const writer = writerFor(context)
  const textOf = (cell: ExcelCell): Flat =>
    typeof cell !== 'object' || cell === null ? cell : 'day' in cell ? cell.day : sheetTime(cell.instant, screen)
  let begun = false
  return {
    put: async (columns, rows) => {
      let out = begun ? '' : writer.header(columns.map(({ header }) => header))
      begun = true
      for (const row of rows) {
        out += writer.row(row.map(textOf))
        if (out.length < atOnce) continue
        await io.stdout.write(out)
        out = ''
      }
      if (out !== '') await io.stdout.write(out)
    },
    end: async () => undefined,
  }
}

/** A cell of a workbook; a time that Excel has no day for is text. */
function workbookCell(cell: ExcelCell, screen: Pick<Screen, 'tz'>): WorkbookCell {
  if (typeof cell !== 'object' || cell === null) return cell
  const day = 'day' in cell
  const serial = day ? sheetSerial(Date.parse(cell.day), { tz: 'UTC' }) : sheetSerial(cell.instant, screen)
  if (serial !== undefined) return { serial, timed: !day }
  return day ? cell.day : sheetTime(cell.instant, screen)
}

function workbookOut<R>({ screen }: Context, { noun }: View<R>, workbook: Workbook): SheetOut {
  let sheet: WorkbookSheet | undefined
  return {
    put: async (columns, rows) => {
      sheet ??= workbook.sheet(words(noun[1]), noun, columns)
      await sheet.add(rows.map((row) => row.map((cell) => workbookCell(cell, screen))))
    },
    end: async () => sheet?.end(),
  }
}
