// What shipx knows of a parcel that an invoice bills: from its record, or from a file of what was shipped.
import { dayMs } from '../time.ts'

/**
 * Where our weight of a parcel is from: its order, its SKUs, its record, the file of --parcels; of one box of several
 * the line, since only the weight of the whole is known.
 */
export type WeightBy = 'order' | 'skus' | 'record' | 'parcels' | 'line'

/** A parcel of the merchant's: grams, centimetres, paise, ms UTC. */
export interface KnownParcel {
  readonly awb: string
  readonly order: string | null
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly journey: 'forward' | 'return'
  /** The pincodes of the merchant's place and the customer's. */
  readonly merchant: string | null
  readonly customer: string | null
  /** The zone that its record names. */
  readonly zone: string | null
  /** When it was picked up, else made ready, else created. */
  readonly day_at: number | null
  /** Its status, as its record says it. */
  readonly status: string | null
  /** False for one that was cancelled or never picked up. */
  readonly shipped: boolean
  /** The manifest that says that the courier did not take it. */
  readonly struck?: string
  /** Whether it came back undelivered; undefined where only the invoice says that. */
  readonly back: boolean | undefined
  readonly delivered_at: number | null
  /** Undefined where nothing says how it is paid. */
  readonly cod: boolean | undefined
  /** What its record says is collected, ₹0 as it stands; null where it does not say. */
  readonly cod_amount: number | null
  /** What is collected, and what it is worth; undefined when not known. */
  readonly collected: number | undefined
  readonly worth: number | undefined
  /** Dead weight; undefined when not known. */
  readonly dead: number | undefined
  readonly length: number
  readonly width: number
  readonly height: number
  readonly weight_by: WeightBy
}

/** Couriers use an AWB again after a while: pickups that are this far apart are of two parcels, ms. */
export const reusedAfter = 90 * dayMs

const backStatuses: ReadonlySet<string | null> = new Set(['rto_initiated', 'rto_in_transit', 'rto_delivered'])

/** Whether a shipment came back, is on its way back, or was lost on it, by both of its statuses. */
export const cameBack = (status: string | null, granular: string | null): boolean =>
  backStatuses.has(status) || granular === 'rto_lost'
