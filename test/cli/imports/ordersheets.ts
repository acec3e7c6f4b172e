// Order sheets: as their texts are written, and as the orders and faults that they come to.
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import { sheetColumns } from '../../../src/cli/imports/forms/columns.ts'
import { orderReader, type OrderReader, type SheetOrder } from '../../../src/cli/imports/orders/sheet.ts'
import type { OrderPlan } from '../../../src/cli/imports/orders/plan.ts'
import { csvWriter } from '../../../src/cli/files/csv.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import { openSheet } from '../../../src/cli/files/opensheet.ts'
import type { Sheet } from '../../../src/cli/files/sheet.ts'
import { temporaryPath } from '../../support/engine.ts'

/** The plan of somebody who gave no flag. */
export const plain: OrderPlan = {
  defaults: { order_date: '2026-09-28 10:00' },
  flags: new Map([['order_date', '--order-date']]),
  warehouse: (name) => name,
  lenient: false,
  strict: false,
  now: () => Date.parse('2026-09-29T08:30:00Z'),
  exports: { from: undefined, ignore: [] },
  skus: new Map(),
}

/** The plan of somebody who gave every flag. */
export const flagged: OrderPlan = {
  ...plain,
  defaults: { ...plain.defaults, warehouse_id: 'main', length: 20, breadth: 15, height: 10 },
  flags: new Map([
    ['warehouse_id', '--warehouse'],
    ['length', '--size'],
    ['breadth', '--size'],
    ['height', '--size'],
    ['order_date', '--order-date'],
  ]),
  warehouse: (name) => (name === 'main' ? 'WHYYB5' : name),
}

/** A file of this text, opened as a sheet of orders. */
export const opened = (text: string, map: readonly string[] = []): Promise<Sheet> => {
  const path = temporaryPath('orders.csv')
  writeFileSync(path, text)
  return openSheet({} as Io, { path, field: '<file>', columns: sheetColumns, map })
}

/** A file of this text, opened as a reader of orders opens it: exports of other programs too. */
export const openedBy = ({ form }: OrderReader, text: string, map: readonly string[] = []): Promise<Sheet> => {
  const path = temporaryPath('export.csv')
  writeFileSync(path, text)
  const apart = (headers: readonly string[]): boolean => form(headers) !== undefined
  return openSheet({} as Io, { path, field: '<file>', columns: sheetColumns, map, apart })
}

/** The plan of somebody who gave --weight too. */
export const weighed: OrderPlan = { ...flagged, defaults: { ...flagged.defaults, weight: 0.5 } }

/** The orders of an export, and how many were left out. */
export async function readExport(text: string, plan: OrderPlan = weighed) {
  const reader = orderReader(plan)
  const orders: SheetOrder[] = []
  const sheet = await openedBy(reader, text)
  for await (const order of reader.orders(sheet, namesOf(text.split('\n').length))) orders.push(order)
  return { orders, left: Object.fromEntries(reader.left) }
}

/** The requests of an export whose orders are all good. */
export const inputOf = async (text: string, plan: OrderPlan = weighed) => {
  const { orders } = await readExport(text, plan)
  expect(orders.map(({ faults }) => faults)).toEqual(orders.map(() => []))
  return orders.map(({ input }) => input!)
}

/** The orders that a text means. */
export async function ordersIn(
  text: string,
  plan: OrderPlan = plain,
  reader = orderReader(plan),
): Promise<readonly SheetOrder[]> {
  const orders: SheetOrder[] = []
  for await (const order of reader.orders(await opened(text), namesOf(text.split('\n').length))) orders.push(order)
  return orders
}

/** The faults of its orders, each with its line and header. */
export const faultsIn = async (text: string, plan: OrderPlan = plain): Promise<readonly string[]> =>
  (await ordersIn(text, plan)).flatMap(({ faults }) =>
    faults.map(({ field, message, row }) => `${row ?? '-'} ${field ?? '-'}: ${message}`),
  )

/** Rows as our own writer writes them. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map(csvWriter({ raw: false, excel: false, tsv: false }).row).join('')

/** A sheet in the API's names, one line for each record: what is not named is as in the sample. */
export function api(...lines: readonly Readonly<Record<string, string>>[]): string {
  const sample: Readonly<Record<string, string>> = {
    order_id: 'A-1',
    order_date: '2026-09-28 10:15',
    billing_customer_name: 'Asha Rao',
    billing_phone: '9812345678',
    billing_address: '12 MG Road',
    billing_city: 'Bengaluru',
    billing_pincode: '560038',
    billing_state: 'Karnataka',
    billing_country: 'India',
    payment_method: 'PREPAID',
    sub_total: '998',
    item_name: 'Cotton romper',
    item_sku: 'CR-02',
    item_units: '2',
    item_selling_price: '499',
    length: '20',
    breadth: '15',
    height: '10',
    weight: '0.5',
    warehouse_id: 'WH1',
  }
  const names = [...new Set([...Object.keys(sample), ...lines.flatMap(Object.keys)])]
  return csv([names, ...lines.map((line) => names.map((name) => line[name] ?? sample[name] ?? ''))])
}

/** The header of the aggregators' sheet. */
const sheetHeader =
  'Customer name,Customer mobile no,Order Id,Payment method,Address line 1,Customer pincode,Product name,Product SKU Id,Product quantity,Product price,Product tax rate,Weight of the Package (in Kgs)'
/** A line of it. */
export const line = (
  over: Partial<
    Record<
      'name' | 'phone' | 'id' | 'payment' | 'address' | 'pincode' | 'item' | 'sku' | 'qty' | 'price' | 'weight',
      string
    >
  > = {},
): string => {
  const {
    name = 'Asha Rao',
    phone = '98123 45678',
    id = 'S-1',
    payment = 'Cash on Delivery',
    address = '12 MG Road',
    pincode = '560 038',
    item = 'Cotton romper',
    sku = 'CR-02',
    qty = '2',
    price = '499',
    weight = '0.5',
  } = over
  return csv([[name, phone, id, payment, address, pincode, item, sku, qty, price, '5', weight]]).trimEnd()
}
/** That sheet with its header. */
export const sheet = (...lines: readonly string[]): string => `${[sheetHeader, ...lines].join('\n')}\n`
