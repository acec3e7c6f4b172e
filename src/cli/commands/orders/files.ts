// `shipx orders import` and `shipx orders template`: orders from a sheet, and a sheet to start with; src/cli/imports
// does the import.
import { istMinute } from '../../../domain/time.ts'
import { formNames } from '../../imports/forms/forms.ts'
import { fillFlags, filledBy, fillOptions, given, skusFor } from '../../imports/orders/fill.ts'
import type { OrderPlan } from '../../imports/orders/plan.ts'
import { orderImporter } from '../../imports/orders/importer.ts'
import { orderForms, orderRows } from '../../imports/orders/template.ts'
import { importFile } from '../../imports/run.ts'
import { courierFor, courierReader } from '../../listings/couriers.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { sayConverted, type Raw } from '../../args/input.ts'
import { flag, oneOf, orderDate, word } from '../../args/kinds.ts'
import { mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import { defaultStore, warehouseAlias } from '../../config/profiles.ts'
import { isRemote } from '../../source/open.ts'

/** The flags that set what a sheet leaves open, by the API's names. */
const flagsOf: ReadonlyMap<string, string> = new Map([
  ...fillFlags,
  ['order_date', '--order-date'],
  ['store_name', '--store'],
  ['carrier_id', '--courier'],
])

const importOptions = {
  from: oneOf(formNames, 'form'),
  ...fillOptions,
  order_date: orderDate,
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
  const defaults: Raw = {
    order_date: options.order_date ?? istMinute(now),
    ...filledBy(context, options),
    store_name: options.store ?? defaultStore(io),
    carrier_id: options.courier === undefined ? undefined : await courierFor(context, options.courier),
  }
  const plan: OrderPlan = {
    defaults: given(defaults),
    flags: flagsOf,
    warehouse: alias,
    courier: await courierReader(context),
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
