// Orders of a sheet as parcels to price: what a price depends on in an order, and nothing else of it.
import type { Fault } from '../../../../domain/errors.ts'
import { countryFault } from '../../../../domain/orders.ts'
import { pincodeKnown } from '../../../../domain/pincodes.ts'
import { scaled } from '../../../../domain/rates/measures.ts'
import type { RateRequest } from '../../../../domain/rates/rates.ts'
import { readPincode } from '../../../../domain/read/pincode.ts'
import { sheetColumns } from '../../../imports/forms/columns.ts'
import { failureOf } from '../../../imports/orders/importer.ts'
import { sideFields } from '../../../imports/orders/skuparcel.ts'
import type { SheetOrder } from '../../../imports/orders/sheet.ts'
import type { FilledOrder, OrderUse } from '../../../imports/orders/use.ts'
import { safe, quoted } from '../../../terminal/safe.ts'
import { checkedRequest, takenBy } from './checkedrequest.ts'
import { lightest, type Listener } from './heard.ts'
import type { ParcelLine } from './parcelfile.ts'
import { noSide } from './parcelsides.ts'

/** The columns that prices depend on, and those of an address, which say where the parcel goes. */
const read: ReadonlySet<string> = new Set(
  [
    'order_id billing_pincode billing_country payment_method sub_total cod_collectible discount',
    'length breadth height parcel_size weight warehouse_id item_sku item_units item_selling_price item_discount',
    'shipping_is_billing shipping_address shipping_city shipping_pincode shipping_state shipping_country',
  ].flatMap((names) => names.split(' ')),
)

const required: ReadonlySet<string> = new Set(['order_id', 'billing_pincode'])

/** The columns of a sheet of orders as prices need them. */
export const pricedColumns = sheetColumns
  .filter(({ name }) => read.has(name))
  .map((column) => ({ ...column, required: required.has(column.name) }))

/** Where parcels of orders start. */
export interface Starts {
  /** The pincodes of warehouses that are known. */
  readonly warehouses: ReadonlyMap<string, string>
  /** The pincode for the others; undefined when there is none. */
  readonly other: string | undefined
}

/** What pricing orders heard, beside the news of lines. */
export interface OrderNews {
  /** Orders whose warehouse has no pincode here, and that start at the other place. */
  elsewhere: number
  /** Orders without sides, which the sheet has no columns for, and those with sides, also from SKUs. */
  flat: number
  sized: number
}

/** The values of a rate request by the fields of the order that they come from. */
const fieldOf = (place: string, cod: boolean): Readonly<Record<string, string>> => ({
  origin_pincode: 'warehouse_id',
  destination_pincode: `${place}_pincode`,
  dead_weight: 'weight',
  width: 'breadth',
  shipment_value: cod ? 'cod_collectible' : 'sub_total',
})

/** What makes rate requests of orders. `named` tells which unknown pincodes may be asked for. */
export function parcelsOf(
  starts: Starts,
  named: (pincode: string) => boolean,
  { unknown, light }: Pick<Listener, 'unknown' | 'light'>,
  news: OrderNews,
): OrderUse<RateRequest> {
  const takes = takenBy(named)
  return {
    columns: pricedColumns,
    needed: ['payment_method', 'weight', ...(starts.other === undefined ? ['warehouse_id'] : [])],
    made: (order) => {
      const { raw, sheet, line } = order
      const place = raw['shipping_is_billing'] === false ? 'shipping' : 'billing'
      const [cod, origin] = [raw['payment_method'] === 'COD', originOf(order, starts, news)]
      const destination = readPincode(String(raw[`${place}_pincode`] ?? ''))
      if (!pincodeKnown(destination) && takes(destination)) unknown(destination)
      const flat = sideFields.every((side) => raw[side] === undefined && !sheet.places.has(side))
      if (flat) news.flat++
      else news.sized++
      const [length, width, height] = sideFields.map((side) => (flat ? noSide : numberIn(raw[side])))
      const weight = numberIn(raw['weight'])
      const grams = weight === undefined ? undefined : scaled(weight, 1000)
      if (grams !== undefined && grams < lightest) light(`${sheet.counts} ${line} weighs ${grams} g`)
      const value = numberIn(raw[cod ? 'cod_collectible' : 'sub_total'])
      const asked = {
        journey_type: 'forward',
        origin_pincode: origin.pincode,
        destination_pincode: destination,
        dead_weight: grams,
        length,
        width,
        height,
        payment_method: cod ? 'cod' : 'prepaid',
        ...(value === undefined ? {} : { shipment_value: value }),
      }
      const own = [...origin.faults, ...orderFaults(raw, place)]
      const checked = checkedRequest(asked, takes)
      if ('request' in checked && own.length === 0) return { value: checked.request, faults: [], notes: [] }
      const names = fieldOf(place, cod)
      const contract = ('faults' in checked ? checked.faults : []).map((fault) => ({
        ...fault,
        field: names[fault.field ?? ''] ?? fault.field,
      }))
      const named = new Set(own.map(({ field }) => field))
      return { faults: [...own, ...contract.filter(({ field }) => !named.has(field))], notes: [] }
    },
  }
}

const numberIn = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value))

/** What is wrong with an order that the contract of rates does not look at. */
function orderFaults({ payment_method: payment, ...raw }: FilledOrder['raw'], place: string): readonly Fault[] {
  const field = `${place}_country`
  const foreign = raw[field] === undefined ? undefined : countryFault(String(raw[field]))
  return [
    ...(payment === undefined ? [{ field: 'payment_method', message: 'is required' }] : []),
    ...(foreign === undefined ? [] : [{ field, message: foreign }]),
  ]
}

/** Where an order starts: at its warehouse, or at the other place when that is not known. */
function originOf(
  { raw: { warehouse_id: id } }: FilledOrder,
  { warehouses, other }: Starts,
  news: OrderNews,
): { readonly pincode: string; readonly faults: readonly Fault[] } {
  const known = warehouses.get(String(id ?? ''))
  if (known !== undefined) return { pincode: known, faults: [] }
  if (other !== undefined) {
    if (id !== undefined) news.elsewhere++
    return { pincode: other, faults: [] }
  }
  const name = String(id)
  const way = `shipx local warehouse set ${quoted(name)} <pincode>, or give --from`
  const message = id === undefined ? 'is required' : `the pincode of warehouse ${safe(name)} is not known: ${way}`
  return { pincode: '', faults: [{ field: 'warehouse_id', message }] }
}

/** A read order as a line of parcels. */
export function lineOf({ order_id: ref, rows, input: request, faults }: SheetOrder<RateRequest>): ParcelLine {
  const { line } = rows[0]!
  if (request !== undefined) return { line, ref, request, code: undefined, reason: undefined }
  const { code, message } = failureOf(faults, line)
  return { line, ref, request, code, reason: message }
}
