// A sheet of an Excel workbook as a table: which sheet, where its header is, and its rows.
import { ShipxError, invalid } from '../../domain/errors.ts'
import { openWorkbook, type SheetName, type Workbook } from '../workbooks/workbook.ts'
import type { WorkbookRow } from '../workbooks/worksheet.ts'
import { safe } from '../terminal/safe.ts'
import { cellFault } from './cellcontent.ts'
import { unguard } from './csv.ts'
import { unreadable } from './csvsheet.ts'
import { withoutDoubt } from './doubtfulweights.ts'
import { headerIn, isHeader, mostTitles, skippedNote, type Line } from './headerrow.ts'
import { folded } from './headers.ts'
import { shownHeaders } from './shownheaders.ts'
import { withoutHeaders } from './repeatedheaders.ts'
import type { Sheet, SheetPlan, SheetRow } from './sheet.ts'
import type { TempFile } from './tempfile.ts'
import { withoutTotals } from './totals.ts'

/**
 * Opens a sheet of a workbook, whose bytes are read to their end. Throws `invalid_input` for a sheet that is not there
 * or a header that lacks a column, and `invalid_file`.
 */
export async function openWorkbookSheet(
  plan: SheetPlan,
  bytes: AsyncIterable<Uint8Array>,
  temporary: () => TempFile,
): Promise<Sheet> {
  const shown = plan.path === '-' ? 'standard input' : safe(plan.path)
  const workbook = await openWorkbook(shown, bytes, temporary)
  try {
    const at = (await sheetMeant(plan, workbook)) ?? sheetAt(plan, workbook)
    const batches = await workbook.rows(at)
    const first = await firstRows(plan, batches)
    if (first.length === 0)
      throw unreadable(plan.path, `its sheet ${safe(workbook.sheets[at]!.name)} is empty`, otherSheet(workbook))
    return tableOf(plan, workbook, at, first, batches)
  } catch (error) {
    workbook.close()
    throw asRows(error, otherSheets(plan, workbook))
  }
}

/** Of several sheets the one that is meant; undefined where none is. Throws `invalid_input` where two are. */
async function sheetMeant(plan: SheetPlan, workbook: Workbook): Promise<number | undefined> {
  const { meant, sheet } = plan
  const shown = workbook.sheets.flatMap(({ hidden }, at) => (hidden ? [] : [at]))
  if (meant === undefined || sheet !== undefined || shown.length < 2) return undefined
  const found: number[] = []
  for (const at of shown) {
    const batches = await workbook.rows(at)
    const first = await batches.next()
    await batches.return(undefined)
    const rows = first.done === true ? [] : first.value.slice(0, mostTitles)
    if (rows.some(({ cells }) => meant(cells.map((cell) => cell.trim())))) found.push(at)
  }
  if (found.length < 2) return found[0]
  const names = shownHeaders(found.map((at) => `${at + 1} ${workbook.sheets[at]!.name}`))
  throw invalid([{ field: '--sheet', message: `is required: more than one sheet could be meant: ${names}` }])
}

/** The sheet that a plan names, or else the first one that is not hidden. */
function sheetAt({ sheet, path }: SheetPlan, { sheets }: Workbook): number {
  if (sheet === undefined) {
    const first = sheets.findIndex(({ hidden }) => !hidden)
    if (first === -1) throw unreadable(path, 'it has no sheet that is not hidden', 'name one with --sheet')
    return first
  }
  const exact = sheets.findIndex(({ name }) => name === sheet)
  const loose = exact === -1 ? sheets.findIndex(({ name }) => folded(name) === folded(sheet)) : exact
  const number = /^\d{1,4}$/.test(sheet) ? Number(sheet) - 1 : -1
  const found = loose === -1 && number in sheets ? number : loose
  if (found === -1) {
    const message = `the workbook has no sheet "${safe(sheet)}"; it has: ${listed(sheets)}`
    throw invalid([{ field: '--sheet', message }])
  }
  return found
}

const listed = (sheets: readonly SheetName[]): string =>
  shownHeaders(sheets.map(({ name, hidden }, i) => `${i + 1} ${name}${hidden ? ' (hidden)' : ''}`))

const otherSheet = ({ sheets }: Workbook): string =>
  sheets.length > 1
    ? `name another one with --sheet: ${listed(sheets)}`
    : 'its first row holds the names of the columns'

const lineOf = ({ row, cells }: WorkbookRow): Line => ({ line: row, cells })

/** The rows that the header is looked for in: the first one alone where that is it. */
async function firstRows(
  plan: SheetPlan,
  batches: AsyncGenerator<readonly WorkbookRow[]>,
): Promise<readonly WorkbookRow[]> {
  const rows: WorkbookRow[] = []
  while (rows.length < mostTitles && !(rows.length > 0 && isHeader(plan, lineOf(rows[0]!)))) {
    const next = await batches.next()
    if (next.done === true) break
    rows.push(...next.value)
  }
  return rows
}

function tableOf(
  plan: SheetPlan,
  workbook: Workbook,
  at: number,
  first: readonly WorkbookRow[],
  batches: AsyncGenerator<readonly WorkbookRow[]>,
): Sheet {
  const found = headerIn(plan, first.map(lineOf))
  const { headers, line, above } = found
  const used = new Set(found.places.values())
  for (const [place, header] of headers.entries()) if (plan.known?.includes(folded(header)) === true) used.add(place)
  const rows = rowsOf(first.slice(above + 1), batches, headers.length, used, workbook.close)
  const once = withoutHeaders(headers, rows, 'row')
  const table = withoutTotals(plan, found, once.rows, 'row')
  return {
    name: plan.field,
    headers,
    places: found.places,
    ...(found.more === undefined ? {} : { more: found.more }),
    unknown: found.unknown,
    weights: found.weights,
    sizeUnit: found.sizeUnit,
    ...(found.apart === true ? { apart: true } : {}),
    counts: 'row',
    headLine: line,
    titles: found.titles,
    tab: { name: workbook.sheets[at]!.name, number: at + 1 },
    rows: naming(withoutDoubt({ ...found, field: plan.field }, table.rows)),
    notes: () => [
      ...firstSheetNote(plan, workbook, at),
      ...skippedNote(above, line, 'row'),
      ...once.notes(),
      ...table.notes(),
    ],
    close: workbook.close,
  }
}

/** Says which sheet was read where there are several and none was named. */
function firstSheetNote({ sheet }: SheetPlan, { sheets }: Workbook, at: number): readonly string[] {
  const others = sheets.filter(({ hidden }, i) => !hidden && i !== at)
  if (sheet !== undefined || others.length === 0) return []
  const names = shownHeaders(others.map(({ name }) => name))
  return [`Read the sheet ${safe(sheets[at]!.name)}; --sheet reads another: ${names}`]
}

/** The rows of a table. `used` are the columns in which an unreadable cell is a fault; where it is empty, all are. */
async function* rowsOf(
  first: readonly WorkbookRow[],
  batches: AsyncGenerator<readonly WorkbookRow[]>,
  width: number,
  used: ReadonlySet<number>,
  close: () => void,
): AsyncGenerator<readonly SheetRow[]> {
  const made = ({ row, cells, faults }: WorkbookRow): SheetRow => {
    const own = Array.from({ length: width }, (_, at) => unguard(cells[at] ?? ''))
    const unread =
      faults.size === 0 ? undefined : [...faults].find(([at]) => (used.size === 0 ? at < width : used.has(at)))
    return { line: row, cells: own, fault: unread?.[1] ?? own.map(cellFault).find((fault) => fault !== undefined) }
  }
  const holdsAny = ({ cells, fault }: SheetRow): boolean =>
    fault !== undefined || cells.some((cell) => cell.trim() !== '')
  try {
    if (first.length > 0) yield first.map(made).filter(holdsAny)
    for await (const batch of batches) yield batch.map(made).filter(holdsAny)
  } finally {
    close()
  }
}

/** Rows whose errors count rows and not lines. */
async function* naming(rows: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield* rows
  } catch (error) {
    throw asRows(error)
  }
}

/** An error whose faults are in rows of a workbook. */
function asRows(error: unknown, hint?: string): unknown {
  if (!(error instanceof ShipxError) || error.code !== 'invalid_input') return error
  return invalid(
    error.details.map((fault) => ({ ...fault, counts: 'row' })),
    error.hint ?? hint,
  )
}

/** What to do about the header of the first sheet where the workbook has others, and none was named. */
function otherSheets({ sheet }: SheetPlan, { sheets }: Workbook): string | undefined {
  const others = sheets.flatMap(({ name, hidden }, at) => (hidden ? [] : [`${at + 1} ${name}`])).slice(1)
  return sheet !== undefined || others.length === 0 ? undefined : `--sheet reads another sheet: ${shownHeaders(others)}`
}
