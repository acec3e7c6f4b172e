// The columns of a sheet for people: those of the table under readable headers, with times as Excel reads them. What
// writes for Excel takes them from here.
import { readInstant } from '../../domain/time.ts'
import { chooseColumns, type Column, type Raw, type View } from './columns.ts'
import { words } from './display.ts'

/** A cell: an exact value, or an instant, ms UTC. */
export type ExcelCell = Exclude<Raw, undefined> | { readonly instant: number }

/** A column: its header, and its cell of a record. */
export interface ExcelColumn<R> {
  readonly header: string
  readonly cell: (record: R) => ExcelCell
}

/** Headers that `words` would not capitalise. */
const initials: Readonly<Record<string, string>> = { id: 'ID', qc: 'QC' }

const headerOf = (text: string): string => initials[text] ?? words(text.replace(/^\+ /, ''))

/** A value as people read it in a sheet; numbers stay numbers. */
function cellOf<R>({ raw, kind }: Column<R>, record: R): ExcelCell {
  const value = raw(record) ?? null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string' || kind === undefined) return value
  if (kind === 'words') return words(value)
  const instant = readInstant(value)
  return instant === undefined ? value : { instant }
}

/** The named columns in that order, or all that the view has for a sheet. No two headers are the same. */
export function excelColumns<R>(view: View<R>, named: readonly string[] | undefined): readonly ExcelColumn<R>[] {
  const columns =
    named === undefined
      ? view.columns.filter(({ drawn, header }) => drawn !== true && header !== '')
      : chooseColumns(view, named, true)
  return columns.map((column) => {
    const { key, header, sheet } = column
    const taken = columns.some((other) => other.key !== key && other.header === header)
    return {
      header: sheet ?? headerOf(taken ? key : header),
      cell: (record) => cellOf(column, record),
    }
  })
}
