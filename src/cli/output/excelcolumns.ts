// The columns of a sheet for people: those of the table under readable headers, with times as Excel reads them. CSV for
// Excel and workbooks take them from here.
import type { WorkbookColumn } from '../command/workbook.ts'
import { readInstant } from '../../domain/time.ts'
import { chooseColumns, type Column, type Raw, type View } from './columns.ts'
import { words } from './display.ts'

/** A cell: an exact value, an instant (ms UTC), or a day `2026-09-29`. */
export type ExcelCell = Exclude<Raw, undefined> | { readonly instant: number } | { readonly day: string }

/** A column: its header, and its cell of a record. */
export interface ExcelColumn<R> extends WorkbookColumn {
  readonly cell: (record: R) => ExcelCell
}

/** Headers that `words` would not capitalise. */
const initials: Readonly<Record<string, string>> = { id: 'ID', qc: 'QC' }

const headerOf = (text: string): string => initials[text] ?? words(text.replace(/^\+ /, ''))

/** A value as people read it in a sheet; numbers stay numbers. */
function cellOf<R>({ raw, kind }: Column<R>, record: R): ExcelCell {
  const value = raw(record) ?? null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return value
  if (kind === 'words') return words(value)
  if (kind === 'day') return isDay(value) ? { day: value } : value
  const instant = kind === 'time' ? readInstant(value) : undefined
  return instant === undefined ? value : { instant }
}

/** Whether a text is a day of the calendar, `2026-09-29`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true

/** The named columns in that order, or all that the view has for a sheet. No two headers are the same. */
export function excelColumns<R>(view: View<R>, named: readonly string[] | undefined): readonly ExcelColumn<R>[] {
  const columns =
    named === undefined
      ? view.columns.filter(({ drawn, header }) => drawn !== true && header !== '')
      : chooseColumns(view, named, true)
  return columns.map((column) => {
    const { key, header, sheet, kind } = column
    const taken = columns.some((other) => other.key !== key && other.header === header)
    return {
      header: sheet ?? headerOf(taken ? key : header),
      ...(kind === 'money' || kind === 'share' ? { kind } : {}),
      cell: (record) => cellOf(column, record),
    }
  })
}
