// `shipx rates --orders`: prices every order of an order sheet or of a shop's export as it is. Saves nothing.
import { inBatches } from '../../listings/inorder.ts'
import { counted } from '../../../domain/count.ts'
import { listWarehouses } from '../../../engine/accounts/settings.ts'
import { sayConverted } from '../../args/input.ts'
import { oneOf, word } from '../../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { warehouseAlias } from '../../config/profiles.ts'
import { lackingText, openMapped } from '../../files/mapped.ts'
import { askColumns } from '../../imports/askcolumns.ts'
import { formNames } from '../../imports/forms/forms.ts'
import { otherKind } from '../../imports/kinds.ts'
import { fillFlags, filledBy, fillOptions, skusFor } from '../../imports/orders/fill.ts'
import type { OrderPlan } from '../../imports/orders/plan.ts'
import { owingText } from '../../imports/orders/outstanding.ts'
import { findings, readNotes } from '../../imports/orders/readnotes.ts'
import { refundText } from '../../imports/orders/refunds.ts'
import { readerFor } from '../../imports/orders/sheet.ts'
import { namesOf } from '../../imports/uniquenames.ts'
import { isRemote } from '../../source/open.ts'
import { reading } from '../ratecards/cards.ts'
import { flatWarning, listening, noteHeard } from './many/heard.ts'
import { endOptions, endsOf, oneParcelFaults } from './many/options.ts'
import { lineOf, parcelsOf, pricedColumns, type OrderNews } from './many/orderparcels.ts'
import type { ParcelLine } from './many/parcelfile.ts'
import { cardFaults, priceOptions, pricingOf, printPrices } from './many/prices.ts'

const orderOptions = {
  ...priceOptions,
  orders: word,
  form: oneOf(formNames, 'form'),
  ...fillOptions,
  ...mapOptions,
  sheet: word,
  ...endOptions,
}

/** Orders in one batch. */
const step = 200

/** Names that the set of order ids has room for at first. */
const firstNames = 10_000

/** Prints the price of every order of a file, in the order of its lines. */
export const orderRates = verb(orderOptions, async (context, options) => {
  const { flags, io } = context
  const { orders: path = '' } = options
  const kind = 'is an order sheet or the export of a shop (CSV, Excel, JSON Lines), or - for standard input'
  refuse(context, [
    ...oneParcelFaults(flags, '--orders', ['weight', 'size']),
    ...['to', 'destination-pincode']
      .filter((name) => flags.has(name))
      .map((name) => ({ field: `--${name}`, message: 'is for one parcel; each order has its delivery pincode' })),
    ...cardFaults(options),
    ...(path === '' ? [{ field: '--orders', message: kind }] : []),
    ...mapFaults(options),
  ])
  const ends = endsOf(context, options)
  const pricing = await pricingOf(context, options)
  const [given, heard] = [mapsOf(context, options), listening()]
  const news: OrderNews = { elsewhere: 0, flat: 0, sized: 0 }
  const plan: OrderPlan = {
    defaults: filledBy(context, options),
    flags: new Map([...fillFlags, ['warehouse_id', '--from']]),
    warehouse: (name) => warehouseAlias(io, flags, name),
    lenient: pricing.asked,
    strict: false,
    now: io.host.now,
    skus: await skusFor(context, options),
    exports: { from: options.form, flag: '--form', ignore: given.ignore },
  }
  await sayConverted(context, options.size?.said ?? [])
  const starts = { warehouses: await warehousesOf(context), other: ends.from ?? ends.home }
  const reader = readerFor(plan, parcelsOf(starts, pricing.named, heard, news))
  const heading = {
    field: '--orders',
    columns: pricedColumns,
    apart: (headers: readonly string[]) => reader.form(headers) !== undefined,
    otherwise: (headers: readonly string[], lacking: boolean) =>
      lacking ? otherKind('orders import', headers) : undefined,
  }
  const { name, maps } = await askColumns(context, { path, sheet: options.sheet, maps: given, dry: false }, heading)
  const sheet = await openMapped(io, { path, ...heading, sheet: options.sheet }, maps)
  const form = sheet.apart === true ? reader.form(sheet.headers) : undefined
  if (form !== undefined) await context.note(`Read as ${form}.`)
  await keepMaps(context, name ?? options.save_map, maps)
  const found = findings()
  const lines = async function* (): AsyncGenerator<readonly ParcelLine[]> {
    for await (const orders of inBatches(reader.orders(sheet, namesOf(firstNames)), step)) {
      for (const { notes } of orders) found.add(notes)
      yield orders.map(lineOf)
    }
  }
  const note = async (): Promise<void> => {
    for (const text of lackingText(sheet)) await context.warn(text)
    for (const sentence of [...sheet.notes(), ...readNotes(reader)]) await context.note(sentence)
    if (news.elsewhere > 0) {
      const which = counted(news.elsewhere, ['order names', 'orders name'])
      await context.warn(`${which} a warehouse without a pincode here; priced from ${starts.other!}`)
    }
    if (news.flat > 0 && news.sized === 0) await context.warn(flatWarning)
    else if (news.flat > 0) {
      const which = counted(news.flat, ['order has no sides: it is', 'orders have no sides: they are'])
      await context.warn(`${which} priced on dead weight alone`)
    }
    for (const text of [owingText(reader.owing), refundText(reader.refunds), found.text()])
      if (text !== undefined) await context.warn(text)
    await noteHeard(context, heard, pricing.asked)
  }
  return printPrices(context, options, pricing, { sheet, path, lines: lines(), note })
})

/** The pincodes of the warehouses on this computer, by their ids; those of an account at a service are not known. */
async function warehousesOf(context: Context): Promise<ReadonlyMap<string, string>> {
  if (await isRemote(context)) return new Map()
  const known = await reading(
    context,
    ({ database, account }) => database.read(() => listWarehouses(account)),
    () => [],
  )
  return new Map(known.map(({ id, pincode }) => [id, pincode]))
}
