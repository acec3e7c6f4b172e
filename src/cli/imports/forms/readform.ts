// Reads an export by its form: a sheet with our own columns, whose rows keep the file's own cells in front.
import { invalid } from '../../../domain/errors.ts'
import { folded } from '../../files/headers.ts'
import { lacksColumns } from '../../files/shownheaders.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { itemColumns, orderColumns, type ItemName, type OrderName } from './columns.ts'
import { stateWord, type ExportLine, type ExportOrder, type Form, type Left, type Refund, type Source } from './form.ts'
import { stateIn, unknownState } from './states.ts'

/** An order that its export calls off: its id, and how (`cancelled`). */
export interface CalledOff {
  readonly id: string
  readonly as: string
}

/** Receives each order that is left out: what it is, and that it is called off. */
export type Leave = (as: string, off: CalledOff | undefined) => unknown

/** What reading an export needs besides the sheet. */
export interface FormReading {
  readonly form: Form
  /** Headers that must not be read (--ignore). */
  readonly ignore: readonly string[]
  /** Columns that need no header, because a flag fills them. */
  readonly filled: ReadonlySet<string>
  readonly leave: Leave
  /** Called for an order that has something under a header that is not read. */
  readonly miss: (header: string) => unknown
  /** Rows of one order at most that are held at once. */
  readonly most: number
}

/** A value of ours with the header that faults name. */
interface Made<T> {
  readonly name: string
  readonly header: string
  readonly value: (of: T) => string
}

/** Finds a column by its header; undefined where the file has none that may be read. */
type Find = (header: string) => number | undefined

/** The place of what is still to pay for an order, in its first row; no column of ours, and not of every form. */
export const outstanding = 'outstanding'

/** The places of what an export says of a refund, likewise. */
export const refundColumns: Readonly<Record<keyof Refund, string>> = {
  header: 'refund',
  total: 'refund_total',
  left: 'refund_left',
}

/** The sheet of an export in our own columns. Throws `invalid_input` when it lacks a column that is needed. */
export function readByForm(sheet: Sheet, reading: FormReading): Sheet {
  const { form } = reading
  const ignored = new Set(reading.ignore)
  const known = new Map(
    sheet.headers.map((header, at) => [folded(header), ignored.has(header) ? -1 : at] as const).toReversed(),
  )
  const find: Find = (header) => {
    const at = known.get(folded(header)) ?? -1
    return at === -1 ? undefined : at
  }
  const open = ({ name }: { readonly name: string }): boolean => !sheet.places.has(name)
  const ofOrder = orderValues(form, find, sheet.places.get('billing_address')).filter(open)
  const ofItem = Object.entries(form.item)
    .flatMap(([name, source]) => made(name, source, find))
    .filter(open)
  const beside = besideOrder(form, sheet, find)
  const width = sheet.headers.length
  const own = [...ofOrder, ...ofItem, ...beside]
  const places = new Map([...sheet.places, ...own.map(({ name }, i) => [name, width + i] as const)])
  refuseLacks(sheet, places, reading.filled)
  const cellsOf = (rows: readonly SheetRow[], order: ExportOrder): readonly SheetRow[] => {
    return rows.map((row, n) => {
      const line = order.lines[n]!
      // Its first line says what an order is; the id makes the others a part of it.
      const more = ofOrder.map(({ name, value }) => (n === 0 || name === 'order_id' ? value(order) : ''))
      const ours = [
        ...more,
        ...ofItem.map(({ value }) => value(line)),
        ...beside.map(({ value }) => (n === 0 ? value(order) : '')),
      ]
      return { ...row, cells: [...row.cells, ...ours.map(inOneLine)] }
    })
  }
  return {
    ...sheet,
    headers: [...sheet.headers, ...own.map(({ header }) => sheet.headers[find(header) ?? -1] ?? header)],
    places,
    rows: ordersOf(sheet, reading, find, cellsOf),
  }
}

/** What is read of an order besides our columns: money still to pay, its state, its refund. */
function besideOrder({ outstanding: toPay, states = [], refund }: Form, sheet: Sheet, find: Find) {
  const own = (header: string): string => sheet.headers[find(header) ?? -1] ?? header
  // A column that the user maps says what the courier collects.
  const mapped = sheet.headers[sheet.places.get('cod_collectible') ?? -1]
  const ofRefund = refund === undefined ? [] : Object.entries({ ...refund, ...(mapped && { left: mapped }) })
  return [
    ...(toPay === undefined ? [] : made(outstanding, toPay, find)),
    ...states.flatMap((state, n) => made(`${unknownState}${n}`, stateIn(state, own(state.header)), find)),
    ...ofRefund.flatMap(([part, header]) => made<ExportOrder>(refundColumns[part as keyof Refund], header, find)),
  ]
}

/** Shops let customers break lines inside a name or an address, which no courier prints. */
const inOneLine = (cell: string): string =>
  cell
    .split(/[\r\n]/)
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line !== '')
    .join(', ')

function refuseLacks(sheet: Sheet, places: Sheet['places'], filled: ReadonlySet<string>): void {
  const columns = [...orderColumns, ...itemColumns]
  const missing = columns.flatMap(({ name, required }) =>
    required === true && !places.has(name) && !filled.has(name) ? [name] : [],
  )
  if (missing.length > 0)
    throw invalid([
      { field: sheet.name, message: lacksColumns(missing, sheet.headers), row: sheet.headLine, counts: sheet.counts },
    ])
}

/** A value of ours, where the file has a header for it. */
function made<T extends ExportLine>(name: string, source: Source<T>, find: Find): readonly Made<T>[] {
  const computed = typeof source === 'object' && 'value' in source ? source : undefined
  const from = typeof source === 'string' ? [source] : (computed?.from ?? (source as readonly string[]))
  const header = from.find((one) => find(one) !== undefined)
  if (header === undefined) return []
  const first = ({ cell }: T): string => from.map(cell).find((text) => text !== '') ?? ''
  return [{ name, header, value: computed?.value ?? first }]
}

/** The values of an order, its address among them: each address is taken as a whole. */
function orderValues(form: Form, find: Find, street: number | undefined): readonly Made<ExportOrder>[] {
  const addresses = form.addresses.map(({ key, fields }) => ({
    key,
    fields: new Map(
      Object.entries(fields).flatMap(([name, source]) => made(name, source, find).map((one) => [name, one] as const)),
    ),
  }))
  const names = [...new Set(addresses.flatMap(({ fields }) => [...fields.keys()]))]
  const addressOf = addressFrom(addresses, street === undefined ? undefined : ({ key }) => find(key) === street)
  const ofAddress = names.map((name): Made<ExportOrder> => {
    const { header } = addresses.find(({ fields }) => fields.has(name))!.fields.get(name)!
    // Where the file has a delivery address without a street, the fault names the street that it lacks.
    const lacked =
      name === 'billing_address' && addresses[0]!.fields.has('billing_pincode') ? addresses[0]!.key : header
    return { name, header: lacked, value: (order) => addressOf(order).fields.get(name)?.value(order) ?? '' }
  })
  const others: Readonly<Partial<Record<OrderName | ItemName, Source<ExportOrder>>>> = {
    order_id: form.id,
    ...form.order,
  }
  return [...Object.entries(others).flatMap(([name, source]) => made(name, source, find)), ...ofAddress]
}

/** An address of an export where the file has it. */
interface FoundAddress {
  readonly key: string
  readonly fields: ReadonlyMap<string, Made<ExportOrder>>
}

/** The fields that say where an address is, and whose; its street is the key. */
const placeFields: readonly OrderName[] = [
  'billing_customer_name',
  'billing_last_name',
  'address_line_2',
  'billing_city',
  'billing_pincode',
  'billing_state',
]

/**
 * Which address an order goes to: the first one with a street. One without a street that names another place or person
 * than it comes first, so that the reader misses its street. `mapped` finds the address whose street --map names.
 */
function addressFrom(
  addresses: readonly FoundAddress[],
  mapped: ((address: FoundAddress) => boolean) | undefined,
): (order: ExportOrder) => FoundAddress {
  const [delivery] = addresses as readonly [FoundAddress, ...FoundAddress[]]
  if (mapped !== undefined) {
    const street = addresses.find(mapped) ?? delivery
    return () => street
  }
  return (order) => {
    const whole = addresses.find(({ key }) => order.cell(key) !== '') ?? delivery
    const differs = (name: string): boolean => {
      const said = delivery.fields.get(name)?.value(order) ?? ''
      return said !== '' && folded(said) !== folded(whole.fields.get(name)?.value(order) ?? '')
    }
    return whole !== delivery && placeFields.some(differs) ? delivery : whole
  }
}

/** The lines of an order as a form reads them. */
const linesIn = (rows: readonly SheetRow[], find: Find): readonly ExportLine[] =>
  rows.map(({ cells }) => ({ cell: (header) => cells[find(header) ?? -1]?.trim() ?? '' }))

/** An order of some lines; a line that is left out may still say what the order is. */
const orderOf = (all: readonly ExportLine[], lines: readonly ExportLine[]): ExportOrder => ({
  lines,
  cell: (header) => all.map(({ cell }) => cell(header)).find((text) => text !== '') ?? '',
})

const isLeft = ({ header, words, unless }: Left, line: ExportLine): boolean => {
  const text = line.cell(header)
  return (words === undefined ? text !== '' : words.includes(stateWord(text))) && unless?.(line) !== true
}

/** The rows of the orders that are imported, in our columns. */
async function* ordersOf(
  sheet: Sheet,
  { form, leave, miss, most }: FormReading,
  find: Find,
  cellsOf: (rows: readonly SheetRow[], order: ExportOrder) => readonly SheetRow[],
): AsyncGenerator<readonly SheetRow[]> {
  const idAt = sheet.places.get('order_id') ?? find(form.id)!
  const idOf = (row: SheetRow): string => row.cells[idAt]!.trim()
  const kept = (rows: readonly SheetRow[]): readonly SheetRow[] => {
    const lines = linesIn(rows, find)
    const order = orderOf(lines, lines)
    if (rows.some(({ fault }) => fault !== undefined)) return cellsOf(rows, order)
    const rules = form.left?.filter((rule) => isLeft(rule, order)) ?? []
    const stays = lines.map((line) => form.leftLines?.some((rule) => isLeft(rule, line)) !== true)
    const own = rows.filter((_, n) => stays[n])
    const all = rules.length > 0 || own.length > 0 ? rules : form.leftLines!.slice(0, 1)
    if (all.length > 0) {
      const off = all.find((rule) => rule.off === true)
      leave(all[0]!.as, off === undefined ? undefined : { id: idOf(rows[0]!), as: off.as })
      return []
    }
    for (const header of form.unread ?? []) if (order.cell(header) !== '') miss(sheet.headers[find(header)!]!)
    return cellsOf(
      own,
      orderOf(
        lines,
        lines.filter((_, n) => stays[n]),
      ),
    )
  }
  let held: SheetRow[] = []
  for await (const batch of sheet.rows) {
    const done: SheetRow[] = []
    for (const row of batch) {
      const same = held.length > 0 && held.length < most && idOf(row) !== '' && idOf(row) === idOf(held[0]!)
      if (!same && held.length > 0) done.push(...kept(held.splice(0)))
      held.push(row)
    }
    if (done.length > 0) yield done
  }
  if (held.length > 0) yield kept(held)
  held = []
}
