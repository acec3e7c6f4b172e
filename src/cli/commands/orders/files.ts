// `shipx orders import` and `shipx orders template`: orders from a sheet, and a sheet to start with; src/cli/imports
// does the import.
import type { Sku } from '../../../engine/accounts/skus.ts'
import { scaled } from '../../../domain/rates/measures.ts'
import { istMinute } from '../../../domain/time.ts'
import { formNames } from '../../imports/forms/forms.ts'
import { skusOf } from '../../imports/skus.ts'
import type { OrderPlan } from '../../imports/orders/plan.ts'
import { orderImporter } from '../../imports/orders/importer.ts'
import { orderForms, orderRows } from '../../imports/orders/template.ts'
import { importFile } from '../../imports/run.ts'
import { courierFor } from '../../listings/couriers.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { sayConverted, type Raw } from '../../args/input.ts'
import { flag, grams, oneOf, orderDate, payment, size, word } from '../../args/kinds.ts'
import { mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import { databaseThere } from '../../config/paths.ts'
import { defaultStore, defaultWarehouse, warehouseAlias } from '../../config/profiles.ts'
import type { Context } from '../../command/context.ts'
import { isRemote } from '../../source/open.ts'

/** The flags that set what a sheet leaves open, by the API's names. */
const flagsOf: ReadonlyMap<string, string> = new Map([
  ['payment_method', '--payment'],
  ['weight', '--weight'],
  ['warehouse_id', '--warehouse'],
  ['length', '--size'],
  ['breadth', '--size'],
  ['height', '--size'],
  ['order_date', '--order-date'],
  ['store_name', '--store'],
  ['carrier_id', '--courier'],
])

const importOptions = {
  from: oneOf(formNames, 'form'),
  weight: grams,
  size,
  payment,
  order_date: orderDate,
  warehouse: word,
  store: word,
  courier: word,
  no_assign: flag,
  strict: flag,
  ...mapOptions,
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
    weight: options.weight === undefined ? undefined : scaled(options.weight, 0.001),
    payment_method: options.payment?.toUpperCase(),
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
    skus: await skusFor(context, options),
    exports: { from: options.from, ignore: mapsOf(context, options).ignore },
  }
  await sayConverted(context, options.size?.said ?? [])
  const kind = orderImporter(context, plan, { assign: !options.no_assign })
  return importFile(context, kind)
})

/** The merchant's SKUs, where a weight or a size may be needed from them; none where flags say both. */
async function skusFor(
  context: Context,
  { weight, size: given }: { readonly weight: number | undefined; readonly size: unknown },
): Promise<ReadonlyMap<string, Sku>> {
  const open = (weight === undefined || given === undefined) && !context.flags.has('template')
  const needed = open && ((await isRemote(context)) || databaseThere(context))
  return new Map((needed ? await skusOf(context) : []).map((one) => [one.sku, one]))
}

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
