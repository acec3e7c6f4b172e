// Order sheets: reads the lines of a table as orders. The contract checks each; faults name the file's own headers and
// lines (docs/guides/sheets.md, Orders).
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { count } from '../../../domain/count.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import type { Raw } from '../../args/input.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import type { Names } from '../uniquenames.ts'
import { orderSheet, type OrderSheet } from './placedcolumns.ts'
import { completeOrder } from './checkorder.ts'
import { creation } from './creation.ts'
import { agreed, discountFault, type Given } from './agreed.ts'
import { itemField } from '../forms/columns.ts'
import { formOf } from '../forms/forms.ts'
import type { CalledOff, Leave } from '../forms/readform.ts'
import { stateFaults } from '../forms/states.ts'
import { fillFromSkus, sideFields, type SkuFault } from './skuparcel.ts'
import { countOwing, outstandingIn, paymentWay, type Owing } from './outstanding.ts'
import { countRefund, refundIn, type Refunds } from './refunds.ts'
import { takeSize } from './parcelsize.ts'
import { mostRows, ourSheet, type OrderPlan } from './plan.ts'
import { fittedTags } from './tags.ts'
import type { OrderUse } from './use.ts'

/** One order from a sheet, and what it became. */
export interface SheetOrder<T = OrderCreate> {
  readonly order_id: string
  /** The lines where its rows start. */
  readonly lines: readonly number[]
  readonly rows: readonly SheetRow[]
  /** The checked request; undefined when there are faults. */
  readonly input: T | undefined
  /** Its faults, by the file's header or the flag, with the line. */
  readonly faults: readonly Fault[]
  /** Values that are unusual and may be intended. */
  readonly notes: readonly string[]
}

const together = 'the lines of one order must be together'

/** When this many orders have lines in separate places, the file is sorted by something else. */
const mostApart = 10_000

/** A reader of one sheet. */
export interface OrderReader<T = OrderCreate> {
  /** What a file with these headers is the export of. Throws `invalid_input` when it is not what the user says. */
  readonly form: (headers: readonly string[]) => string | undefined
  /** A field of an order as its sheet or a flag names it; called after the first order. */
  readonly shown: (field: string) => string
  /** The orders of an export that are not imported: how many are cancelled, fulfilled and so on. */
  readonly left: ReadonlyMap<string, number>
  /** Those of them so far that are cancelled or refunded; the caller takes them out. */
  readonly off: CalledOff[]
  /** Headers that are not read and have text in some order. */
  readonly unread: ReadonlySet<string>
  /** How many orders have a weight, and how many a size, from their SKUs. */
  readonly bySku: { readonly weighed: number; readonly sized: number }
  /** The prepaid orders that the export says are not paid in full, and what is still to pay. */
  readonly owing: Readonly<Owing>
  /** The orders of which money went back to the customer. */
  readonly refunds: Readonly<Refunds>
  /**
   * The orders in the order of their first lines. Throws `invalid_input` when no header and no flag supplies a required
   * field, and `invalid_file` when orders are scattered all over the file.
   */
  readonly orders: (sheet: Sheet, names: Names) => AsyncGenerator<SheetOrder<T>>
  /** After the last order: the faults of orders with further lines below, by their first lines. */
  readonly late: () => ReadonlyMap<number, Fault>
}

/** Reads a sheet under a plan as orders to create. */
export const orderReader = (plan: OrderPlan): OrderReader => readerFor(plan, creation(plan))

/**
 * Reads a sheet under a plan. The lines of an order must follow each other. When an order returns after others, both
 * places get a fault, since the order may be incomplete.
 */
export function readerFor<T>(plan: OrderPlan, use: OrderUse<T>): OrderReader<T> {
  /** The line where an order returned, by its first line. */
  const apart = new Map<number, { readonly id: string; readonly line: number }>()
  let field = 'order_id'
  let headerOf: (name: string) => string | undefined = () => undefined
  const left = new Map<string, number>()
  const bySku = { weighed: 0, sized: 0 }
  const owing: Owing = { orders: 0, paise: 0 }
  const refunds: Refunds = { all: 0, first: [] }
  const off: CalledOff[] = []
  const unread = new Set<string>()
  const leave: Leave = (as, called) => {
    left.set(as, (left.get(as) ?? 0) + 1)
    if (called !== undefined) off.push(called)
  }
  let counts: Sheet['counts'] = 'line'
  const stands = (id: string, line: number, other: number): Fault => ({
    field,
    message: `${excerpt(id)} is in ${counts} ${other} too, with other orders between; ${together}`,
    row: line,
    counts,
  })
  return {
    form: (headers) => formOf(headers, plan.exports.from, plan.exports.flag)?.title,
    shown: (name) => headerOf(name) ?? plan.flags.get(name) ?? name,
    left,
    off,
    unread,
    bySku,
    owing,
    refunds,
    orders: async function* (opened, names) {
      const sheet = ourSheet(plan, use, opened, { leave, miss: (header) => unread.add(header) })
      const torn = (id: string, line: number): Fault | undefined => {
        const first = id === '' ? line : names.claim(id, line)
        if (first === line) return undefined
        if (!apart.has(first)) apart.set(first, { id, line })
        if (apart.size > mostApart)
          throw new ShipxError(
            'invalid_file',
            `the lines of ${count(mostApart)} orders are apart, ` +
              `those of ${excerpt(id)} in lines ${first} and ${line}`,
            { hint: 'sort the file by its order ids' },
          )
        return stands(id, line, first)
      }
      const read = orderOf(plan, use, sheet, torn, { bySku, owing, refunds })
      const place = sheet.places.get('order_id')!
      field = sheet.headers[place]!
      headerOf = (name) => sheet.headers[sheet.places.get(name) ?? -1]
      counts = sheet.counts
      let rows: SheetRow[] = []
      let id = ''
      for await (const batch of sheet.rows)
        for (const row of batch) {
          const own = row.cells[place]!.trim().normalize('NFC')
          if (own === id && own !== '' && rows.length < mostRows) rows.push(row)
          else {
            if (rows.length > 0) yield read(id, rows)
            rows = [row]
            id = own
          }
        }
      if (rows.length > 0) yield read(id, rows)
    },
    late: () => new Map([...apart].map(([line, back]) => [line, stands(back.id, line, back.line)])),
  }
}

/** An order during reading. */
interface Draft {
  readonly rows: readonly SheetRow[]
  /** Its first line. */
  readonly line: number
  readonly faults: Fault[]
  readonly notes: string[]
  /** The sheet's values, by column. */
  readonly given: Map<string, Given>
  readonly raw: Raw
  /** Fields whose faults are already reported. */
  readonly covered: Set<string>
  /** Paise that its export says are still to pay. */
  readonly toPay: number
}

/** What is counted over all orders. */
interface Counted {
  readonly bySku: { weighed: number; sized: number }
  readonly owing: Owing
  readonly refunds: Refunds
}

/** Returns a function that reads the order of an id from its rows. */
function orderOf<T>(
  plan: OrderPlan,
  use: OrderUse<T>,
  sheet: Sheet,
  torn: (id: string, line: number) => Fault | undefined,
  { bySku, owing, refunds }: Counted,
): (order_id: string, rows: readonly SheetRow[]) => SheetOrder<T> {
  const columns = orderSheet(sheet, use.columns, plan.courier)
  return (order_id, rows) => {
    const lines = rows.map(({ line }) => line)
    const line = lines[0]!
    const refused = (faults: readonly Fault[]): SheetOrder<T> => ({
      order_id,
      lines,
      rows,
      input: undefined,
      faults: faults.map((fault) => ({ ...fault, counts: sheet.counts })),
      notes: [],
    })
    const apart = torn(order_id, line)
    const faults: Fault[] = apart === undefined ? [] : [apart]
    // The cells of such a row may be in the wrong columns, so more faults would mislead.
    const ragged = rows.flatMap(({ fault, line: row }) =>
      fault === undefined ? [] : [{ field: null, message: fault, row }],
    )
    if (ragged.length > 0) return refused([...faults, ...ragged])
    const toPay = outstandingIn(sheet, rows[0]!)
    faults.push(...stateFaults(sheet, rows[0]!))
    const draft: Draft = { rows, line, faults, notes: [], given: new Map(), raw: {}, covered: new Set(), toPay }
    readOrder(columns, draft)
    const items = readItems(columns, draft)
    const parcel = fillFromSkus(plan, draft.raw, items)
    refuseSkus(columns, draft, parcel.faults)
    completeOrder(plan, draft.raw, items)
    const { refund, fault } = refundIn(sheet, rows[0]!, draft.raw['payment_method'] === 'COD')
    if (fault !== undefined) faults.push(fault)
    const lineOf = (name: string): number => draft.given.get(name)?.line ?? line
    const made = use.made({ raw: draft.raw, sheet, line, lineOf })
    coverConsequences(draft, made.faults)
    for (const fault of made.faults) {
      const shown = faultInSheet(plan, columns, draft, fault)
      if (shown !== undefined) faults.push(shown)
    }
    faults.push(...(made.ofSheet ?? []))
    if (faults.length > 0) return refused(inOrder(faults, sheet.headers))
    if (parcel.weighed) bySku.weighed++
    if (parcel.sized) bySku.sized++
    if (toPay > 0 && draft.raw['payment_method'] === 'PREPAID') countOwing(owing, toPay)
    if (refund !== undefined) countRefund(refunds, order_id, refund)
    return { order_id, lines, rows, input: made.value, faults, notes: [...draft.notes, ...made.notes] }
  }
}

/** Reads the cells of the order itself; all its lines must agree on each. */
function readOrder({ sheet: { headers, counts, sizeUnit }, manner, ofOrder, ofItem }: OrderSheet, draft: Draft): void {
  const { rows, faults, given, raw, covered } = draft
  for (const { name, read, at } of ofOrder) {
    const first = agreed(rows, at, headers[at]!, counts, faults)
    if (first === undefined) continue
    given.set(name, first)
    if (name === 'parcel_size') {
      takeSize(draft, first, { header: headers[at]!, counts, unit: sizeUnit })
      continue
    }
    const cell = read?.(first.text, manner) ?? { value: first.text }
    if ('value' in cell) {
      const fitted = name === 'tags' ? fittedTags(cell.value) : cell
      raw[name] = fitted.value
      if (fitted.said !== undefined) draft.notes.push(`${counts} ${first.line}: ${headers[at]!} ${fitted.said}`)
    } else {
      const way = name === 'payment_method' ? paymentWay(headers[at]!, first.text, draft.toPay) : ''
      faults.push({ field: headers[at]!, message: `${cell.fault}${way}`, row: first.line })
      covered.add(name)
    }
  }
  const discount = ofOrder.find(({ name }) => name === 'discount')
  if (discount === undefined || given.has('sub_total') || ofItem.some(({ name }) => name === 'item_discount')) return
  const fault = discountFault(rows, discount.at, headers[discount.at]!)
  if (fault !== undefined) faults.push(fault)
}

/** The faults of items without a SKU that the parcel could be taken from. */
function refuseSkus({ sheet: { headers, places } }: OrderSheet, draft: Draft, faults: readonly SkuFault[]): void {
  if (faults.length === 0) return
  const field = headers[places.get('item_sku') ?? -1] ?? 'item_sku'
  for (const { item, message } of faults) draft.faults.push({ field, message, row: draft.rows[item]!.line })
  for (const part of ['weight', ...sideFields]) draft.covered.add(part)
}

/** Reads the items of an order, one a line. */
function readItems({ sheet: { headers }, manner, ofItem }: OrderSheet, draft: Draft): readonly Raw[] {
  return draft.rows.map(({ cells, line: row }, n) => {
    const item: Raw = {}
    for (const { name, read, at } of ofItem) {
      const text = cells[at]!.trim()
      if (text === '') continue
      const cell = read?.(text, manner) ?? { value: text }
      if ('value' in cell) item[itemField(name)] = cell.value
      else {
        draft.faults.push({ field: headers[at]!, message: cell.fault, row })
        draft.covered.add(`order_items.${n}.${itemField(name)}`)
      }
    }
    return item
  })
}

/**
 * Covers the fields that are wrong only because of another one: the place of a wrong pincode, the sum of wrong items.
 */
function coverConsequences({ raw, given, covered }: Draft, faults: readonly Fault[]): void {
  for (const field of ['billing', 'shipping']) {
    const pincode = raw[`${field}_pincode`]
    const known = pincode !== undefined && !covered.has(`${field}_pincode`)
    if (!known || pincodeFault(readPincode(String(pincode))) !== undefined)
      for (const part of ['city', 'state']) covered.add(`${field}_${part}`)
  }
  const badItems = faults.some(({ field }) => field?.startsWith('order_items') === true)
  if (badItems || covered.has('sub_total'))
    for (const sum of ['sub_total', 'cod_collectible']) if (!given.has(sum)) covered.add(sum)
}

/**
 * A fault of an API field as a fault of the sheet: its header, or the flag that sets it; undefined for a covered field.
 */
function faultInSheet(
  { flags }: OrderPlan,
  { sheet: { places, headers } }: OrderSheet,
  { rows, line, given, covered }: Draft,
  { field, message }: Fault,
): Fault | undefined {
  const header = (name: string): string | undefined => (places.has(name) ? headers[places.get(name)!] : undefined)
  const [top, n, part] = (field ?? '').split('.') as [string, string?, string?]
  if (field === null || covered.has(field) || covered.has(top)) return undefined
  if (top === 'order_items' && n !== undefined) {
    const name = `item_${part ?? 'name'}`
    const row = rows[Number(n)]
    const text = row?.cells[places.get(name) ?? -1]?.trim()
    return { field: header(name) ?? name, message: quotingCell(message, text), row: row?.line ?? line }
  }
  const flag = flags.get(top)
  const own = header(top) ?? (given.has(top) ? undefined : flag)
  return {
    field: own ?? (top === 'order_items' ? null : top),
    message:
      message === 'is required' && flag !== undefined
        ? `is required, here or as ${flag}`
        : quotingCell(message, given.get(top)?.text),
    row: given.get(top)?.line ?? line,
  }
}

/** A fault of a number with the cell, which the contract does not repeat. */
const quotingCell = (message: string, cell: string | undefined): string =>
  cell === undefined
    ? message
    : message.replace(/^must be (a (?:whole )?number)$/, (_, number: string) => `${excerpt(cell)} is not ${number}`)

/** Sorts faults as a person reads a sheet: by line, from left to right. */
const inOrder = (faults: readonly Fault[], headers: readonly string[]): readonly Fault[] =>
  faults.toSorted(
    (a, b) => (a.row ?? 0) - (b.row ?? 0) || headers.indexOf(a.field ?? '') - headers.indexOf(b.field ?? ''),
  )
