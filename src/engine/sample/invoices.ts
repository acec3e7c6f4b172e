// Invented invoices of couriers for the parcels of an account, priced by the sample card: two months, and in the last
// one faults that are listed (docs/guides/money.md).
import sql from 'sql-template-tag'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { dayMs, istDate, readDay } from '../../domain/time.ts'
import { listWarehouses } from '../accounts/settings.ts'
import { rows, type Work } from '../database/port.ts'
import { recordPricer } from '../orders/recordprice.ts'
import { addFaults, type MadeFault } from './invoicefaults.ts'
import {
  honestLine,
  type BilledParcel,
  type Document,
  type Draft,
  type PriceOf,
  type SampleInvoice,
} from './invoicelines.ts'

/** The invoices of two months, the earlier one without faults, and the faults of the last one. */
export interface SampleInvoices {
  readonly invoices: readonly SampleInvoice[]
  readonly faults: readonly MadeFault[]
}

const firstOf = (ms: number): number => readDay(`${istDate(ms).slice(0, 7)}-01`)![0]

/** The first instant of the IST month that is `back` months before that of an instant, ms UTC. */
function monthStart(now: number, back: number): number {
  let first = firstOf(now)
  for (let i = 0; i < back; i++) first = firstOf(first - dayMs)
  return first
}

/** The invoices of the two whole months before an instant (ms UTC) for the parcels of an account. */
export function* sampleInvoices(account: number, now: number): Work<SampleInvoices> {
  const warehouses = new Map((yield* listWarehouses(account)).map(({ id, pincode }) => [id, pincode]))
  const price = recordPricer([sampleCard], warehouses)
  const [before, first, end] = [monthStart(now, 2), monthStart(now, 1), monthStart(now, 0)]
  const parcels = yield* rows<BilledParcel>(sql`
    select tracking_number as awb, order_display_id as order_name, status, granular_status, state,
      picked_up_at, carrier_id, carrier_name, warehouse_id, zone, is_cod, applied_weight, pincode,
      null as order_doc, total_price / 100.0 as worth, cod_amount / 100.0 as collected,
      coalesce(picked_up_at, ready_for_pickup_at, created_at) as day_at
    from shipments where account_id = ${account} and tracking_number is not null and carrier_id is not null
      and created_at >= ${before - 31 * dayMs} and created_at < ${end} order by created_at, id`)
  const within = (from: number, to: number): readonly BilledParcel[] =>
    parcels.filter(({ picked_up_at: at }) => at !== null && at >= from && at < to)
  const unshipped = parcels.filter(({ picked_up_at: at, status }) => at === null && status === 'cancelled')
  const earlier = documents(within(before, first), price, istDate(first), istDate(before).slice(0, 7))
  const drafts = documents(within(first, end), price, istDate(end), istDate(first).slice(0, 7))
  const { invoices, faults } = addFaults(drafts, { earlier, unshipped, priceOf: price })
  return { invoices: [...earlier.map(finished), ...invoices.map(finished)], faults }
}

const finished = ({ drafts, ...invoice }: Document): SampleInvoice => ({
  ...invoice,
  lines: drafts.map(({ line }) => line),
})

/** One invoice for each courier of the card that has parcels, its lines in the order of pickup. */
function documents(
  parcels: readonly BilledParcel[],
  priceOf: PriceOf,
  date: string,
  month: string,
): readonly Document[] {
  return sampleCard.services.flatMap(({ carrier_id: id, carrier_name: courier, carrier_code: code }) => {
    const drafts = parcels
      .filter(({ carrier_id: own }) => own === id)
      .toSorted((a, b) => a.picked_up_at! - b.picked_up_at! || (a.awb < b.awb ? -1 : 1))
      .flatMap((parcel): Draft[] => {
        const line = honestLine(parcel, priceOf)
        return line === undefined ? [] : [{ line, parcel }]
      })
    if (drafts.length === 0) return []
    const initials = courier.replace(/[^A-Z]/g, '')
    return [{ number: `${initials}/${month}`, code, courier, date, month, drafts }]
  })
}
