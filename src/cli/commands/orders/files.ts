// `shipx orders import` and `shipx orders template`: orders from a sheet, and a sheet to begin with; what an import is lies
// in bulk/.
import { invalid, type Fault } from '../../../domain/errors.ts'
import { istMinute } from '../../../domain/time.ts'
import { notOneOf } from '../../../domain/values.ts'
import type { OrderPlan } from '../../imports/orders/sheet.ts'
import { orderImporter } from '../../imports/orders/importer.ts'
import { orderForms, orderRows, type OrderForm } from '../../imports/orders/template.ts'
import { importFile } from '../../imports/run.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { text } from '../../command/flags.ts'
import { orderDateFrom, sizeFrom, type Raw } from '../../args/input.ts'
import { warehouseAlias } from '../../config/profiles.ts'
import { isRemote } from '../../source/open.ts'

/** The flags that fill what a sheet leaves open, by the API's names. */
const flagsOf: ReadonlyMap<string, string> = new Map([
  ['warehouse_id', '--warehouse'],
  ['length', '--size'],
  ['breadth', '--size'],
  ['height', '--size'],
  ['order_date', '--order-date'],
  ['store_name', '--store'],
  ['carrier_id', '--courier'],
])

/** The warehouse of a profile that stands for the one that is meant when none is named. */
const usualWarehouse = 'default'

async function importOrders(context: Context): Promise<number> {
  const { io, flags } = context
  const faults: Fault[] = []
  const size = sizeFrom(flags)
  faults.push(...size.faults)
  const now = io.host.now()
  const dated = orderDateFrom(flags, now)
  faults.push(...dated.faults)
  const alias = (name: string): string => warehouseAlias(io, flags, name)
  const usual = alias(usualWarehouse)
  const [length, breadth, height] = size.value ?? []
  const defaults: Raw = {
    order_date: dated.value ?? istMinute(now),
    length,
    breadth,
    height,
    warehouse_id: text(flags, 'warehouse') ?? (usual === usualWarehouse ? undefined : usual),
    store_name: text(flags, 'store'),
    carrier_id: text(flags, 'courier'),
  }
  const plan: OrderPlan = {
    defaults: Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined)),
    flags: flagsOf,
    warehouse: alias,
    lenient: await isRemote(context),
    now: context.io.host.now,
  }
  const kind = orderImporter(context, plan, { assign: !flags.has('no-assign') })
  return importFile({ ...context, faults: [...context.faults, ...faults] }, kind)
}

async function template(context: Context): Promise<number> {
  const { flags, io } = context
  const form = text(flags, 'form') ?? 'api'
  const faults: Fault[] = []
  if (!(orderForms as readonly string[]).includes(form))
    faults.push({ field: '--form', message: notOneOf(form, orderForms, 'form') })
  for (const other of ['json', 'jsonl', 'ids'])
    if (flags.has(other)) faults.push({ field: `--${other}`, message: 'a sheet is CSV' })
  refuse(context, faults)
  if (faults.length > 0) throw invalid(faults)
  const { header, row } = writerFor(context)
  const [headers, ...rows] = orderRows(form as OrderForm, io.host.now())
  await io.stdout.write(header(headers!) + rows.map(row).join(''))
  return 0
}

export const verbs = { 'orders import': importOrders, 'orders template': template }
