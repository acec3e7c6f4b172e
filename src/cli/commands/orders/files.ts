// `shipx orders import` and `shipx orders template`: orders from a sheet, and a sheet to start with; src/cli/imports
// does the import.
import { istMinute } from '../../../domain/time.ts'
import type { OrderPlan } from '../../imports/orders/sheet.ts'
import { orderImporter } from '../../imports/orders/importer.ts'
import { orderForms, orderRows } from '../../imports/orders/template.ts'
import { importFile } from '../../imports/run.ts'
import { courierFor } from '../../listings/couriers.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { sayConverted, type Raw } from '../../args/input.ts'
import { flag, oneOf, orderDate, size, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { defaultStore, defaultWarehouse, warehouseAlias } from '../../config/profiles.ts'
import { isRemote } from '../../source/open.ts'

/** The flags that set what a sheet leaves open, by the API's names. */
const flagsOf: ReadonlyMap<string, string> = new Map([
  ['warehouse_id', '--warehouse'],
  ['length', '--size'],
  ['breadth', '--size'],
  ['height', '--size'],
  ['order_date', '--order-date'],
  ['store_name', '--store'],
  ['carrier_id', '--courier'],
])

const importOptions = {
  size,
  order_date: orderDate,
  warehouse: word,
  store: word,
  courier: word,
  no_assign: flag,
  strict: flag,
}

const importOrders = verb(importOptions, async (context, options) => {
  const { io, flags } = context
  const now = io.host.now()
  const alias = (name: string): string => warehouseAlias(io, flags, name)
  const [length, breadth, height] = options.size?.sides ?? []
  const defaults: Raw = {
    order_date: options.order_date ?? istMinute(now),
    length,
    breadth,
    height,
    warehouse_id: options.warehouse ?? defaultWarehouse(io, flags),
    store_name: options.store ?? defaultStore(io),
    carrier_id: options.courier === undefined ? undefined : await courierFor(context, options.courier),
  }
  const plan: OrderPlan = {
    defaults: Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined)),
    flags: flagsOf,
    warehouse: alias,
    lenient: await isRemote(context),
    strict: options.strict,
    now: context.io.host.now,
  }
  await sayConverted(context, options.size?.said ?? [])
  const kind = orderImporter(context, plan, { assign: !options.no_assign })
  return importFile(context, kind)
})

const template = verb({ form: oneOf(orderForms, 'form') }, async (context, { form = 'api' }) => {
  const { flags, io } = context
  const formats = ['json', 'jsonl', 'ids'].filter((name) => flags.has(name))
  refuse(
    context,
    formats.map((name) => ({ field: `--${name}`, message: 'a sheet is CSV' })),
  )
  const { header, row } = writerFor(context)
  const [headers, ...rows] = orderRows(form, io.host.now())
  await io.stdout.write(header(headers!) + rows.map(row).join(''))
  return 0
})

export const verbs = { 'orders import': importOrders, 'orders template': template }
