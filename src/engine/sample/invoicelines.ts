// The lines of invented invoices: what a courier should bill for a parcel by the sample card (docs/guides/money.md).
// Amounts are integer paise, weights grams.
import { percentage } from '../../domain/money.ts'
import { cameBack } from '../../domain/money/parcel.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { istDate } from '../../domain/time.ts'
import type { ParcelRow, RecordPrice } from '../orders/recordprice.ts'

/** A parcel that couriers bill. */
export interface BilledParcel extends ParcelRow, Record<string, unknown> {
  readonly awb: string
  readonly order_name: string | null
  readonly status: string | null
  readonly granular_status: string | null
  readonly state: string | null
  readonly picked_up_at: number | null
  readonly carrier_id: string
}

/** A line of an invoice: paise, grams, an IST day, a zone as `D`. */
export interface InvoiceLine {
  readonly awb: string
  readonly order: string
  readonly pickedUp: string
  readonly zone: string
  readonly cod: boolean
  readonly status: string
  readonly weight: number
  readonly freight: number
  readonly rto: number
  readonly codFee: number
  readonly other: number
  readonly gross: number
  readonly tax: number
  readonly total: number
}

/** A line with the parcel that it bills and what prices it. */
export interface Draft {
  readonly line: InvoiceLine
  readonly parcel: BilledParcel
}

/** An invoice of a courier for a month. */
export interface SampleInvoice {
  readonly number: string
  /** `peepal_post`. */
  readonly code: string
  readonly courier: string
  /** The day of the invoice, and the month that it bills, `2026-10`. */
  readonly date: string
  readonly month: string
  readonly lines: readonly InvoiceLine[]
}

/** An invoice on its way. */
export interface Document extends Omit<SampleInvoice, 'lines'> {
  readonly drafts: readonly Draft[]
}

/** The price of a parcel as it is, or as if it had another zone or weight. */
export type PriceOf = (parcel: BilledParcel) => RecordPrice

const gstOf = percentage(sampleCard.gst_percent)

/** A line with its sums, from its parts. */
export function summed(line: Omit<InvoiceLine, 'gross' | 'tax' | 'total'>): InvoiceLine {
  const gross = line.freight + line.rto + line.codFee + line.other
  const tax = gross < 0 ? -gstOf(-gross) : gstOf(gross)
  return { ...line, gross, tax, total: gross + tax }
}

/** The line that the card asks for; undefined for a parcel that has no price. */
export function honestLine(parcel: BilledParcel, priceOf: PriceOf): InvoiceLine | undefined {
  const price = priceOf(parcel)
  if ('reason' in price || parcel.picked_up_at === null) return undefined
  const { charges } = price
  const back = cameBack(parcel.status, parcel.granular_status)
  return summed({
    awb: parcel.awb,
    order: parcel.order_name ?? '',
    pickedUp: istDate(parcel.picked_up_at),
    zone: charges.zone.replace('zone_', '').toUpperCase(),
    cod: parcel.is_cod === 1,
    status: back ? 'RTO' : 'Delivered',
    weight: charges.slab / 1000,
    freight: charges.freight + charges.surcharges,
    rto: back ? charges.rto : 0,
    codFee: back ? charges.cod_kept : charges.cod,
    other: 0,
  })
}
