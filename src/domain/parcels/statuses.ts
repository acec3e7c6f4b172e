// Statuses, their groups, milestones and closed lists of values of shipments and returns. "Granular" is the API's word
// for a detailed status. A bucket is the listing status that counts it.

/** The values of the `status` filter of shipments (spec 3.2). */
export const shipmentStatuses = [
  'pending',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'ndr_raised',
  'rto_initiated',
  'rto_in_transit',
  'rto_delivered',
  'cancelled',
  'others',
] as const

/** One of the ten statuses of a shipment. */
export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** Each granular status of a shipment and its bucket (docs/inside/decisions.md, Listings). */
export const shipmentBuckets = {
  pending: 'pending',
  rejected: 'cancelled',
  processing: 'pending',
  ready_for_pickup: 'pending',
  pickup_scheduled: 'pending',
  not_picked: 'pending',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  ndr_raised: 'ndr_raised',
  need_attention: 'ndr_raised',
  reattempt_delivery: 'out_for_delivery',
  cancelled: 'cancelled',
  lost: 'others',
  externally_fulfilled: 'others',
  rto_initiated: 'rto_initiated',
  rto_cancelled: 'others',
  rto_in_transit: 'rto_in_transit',
  rto_need_attention: 'rto_in_transit',
  rto_delivered: 'rto_delivered',
  rto_lost: 'others',
} as const satisfies Record<string, ShipmentStatus>

/** A granular status of a shipment. */
export type GranularStatus = keyof typeof shipmentBuckets

/** The values of the `status` filter of returns (spec 3.3). */
export const returnStatuses = [
  'return_requested',
  'pickup_scheduled',
  'in_transit',
  'return_received',
  'cancelled',
] as const

/** One of the five statuses that returns are filtered by. */
export type ReturnStatus = (typeof returnStatuses)[number]

/**
 * Each granular status of a return: its bucket, by which it is filtered (null: none), and the status that the record
 * shows (docs/inside/decisions.md, Listings; the record of a received return shows `delivered`, spec 2.5).
 */
export const returnBuckets = {
  return_requested: { filter: 'return_requested', shown: 'return_requested' },
  return_rejected: { filter: 'cancelled', shown: 'cancelled' },
  return_pickup_scheduled: { filter: 'pickup_scheduled', shown: 'pickup_scheduled' },
  return_not_picked: { filter: 'pickup_scheduled', shown: 'pickup_scheduled' },
  return_in_transit: { filter: 'in_transit', shown: 'in_transit' },
  return_delivered: { filter: 'return_received', shown: 'delivered' },
  return_cancelled: { filter: 'cancelled', shown: 'cancelled' },
  return_ndr_raised: { filter: 'in_transit', shown: 'in_transit' },
  return_need_attention: { filter: 'in_transit', shown: 'in_transit' },
  return_qc_failed: { filter: 'cancelled', shown: 'cancelled' },
  return_lost: { filter: null, shown: 'lost' },
} as const satisfies Record<string, { readonly filter: ReturnStatus | null; readonly shown: string }>

/** A granular status of a return. */
export type ReturnGranularStatus = keyof typeof returnBuckets

/** The statuses of shipments that have not ended. `others` also holds lost parcels, so it is not one of them. */
export const openStatuses = [
  'pending',
  'in_transit',
  'out_for_delivery',
  'ndr_raised',
  'rto_initiated',
  'rto_in_transit',
] as const satisfies readonly ShipmentStatus[]

/** The statuses of returns that have not ended. */
export const openReturnStatuses = [
  'return_requested',
  'pickup_scheduled',
  'in_transit',
] as const satisfies readonly ReturnStatus[]

/**
 * Detailed statuses, and the statuses of the listings, that are final for a parcel. `others` is not among them: it
 * counts lost parcels, and a service may count parcels there that still move.
 */
export const settledShipments = {
  granular: ['rejected', 'delivered', 'cancelled', 'lost', 'externally_fulfilled', 'rto_delivered', 'rto_lost'],
  status: ['delivered', 'rto_delivered', 'cancelled'],
} as const satisfies { readonly granular: readonly GranularStatus[]; readonly status: readonly ShipmentStatus[] }

/**
 * Final statuses of returns. A received return is still open while a status in `waiting` holds for its refund or
 * quality check.
 */
export const settledReturns = {
  granular: ['return_rejected', 'return_delivered', 'return_cancelled', 'return_qc_failed', 'return_lost'],
  status: ['return_received', 'cancelled', 'lost'],
  waiting: { refund: ['pending', 'initiated'], qc: ['pending'] },
} as const satisfies {
  readonly granular: readonly ReturnGranularStatus[]
  readonly status: readonly string[]
  readonly waiting: {
    readonly refund: readonly (typeof refundStatuses)[number][]
    readonly qc: readonly (typeof qcStatuses)[number][]
  }
}

/** Whether a parcel keeps its status for good: by its detailed status where that is one of ours, else by its status. */
export function isSettled({
  status,
  granular_status: detailed,
}: Readonly<Partial<Record<'status' | 'granular_status', string | null | undefined>>>): boolean {
  const holds = (list: readonly string[], value: string | null | undefined): boolean =>
    value != null && list.includes(value)
  return detailed != null && Object.hasOwn(shipmentBuckets, detailed)
    ? holds(settledShipments.granular, detailed)
    : holds(settledShipments.status, status)
}

/** The status of ours that a text names in other capitals, with spaces or hyphens; the text itself where it is none. */
function statusOf(text: string, known: Readonly<Record<string, unknown>>): string {
  if (Object.hasOwn(known, text)) return text
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return Object.hasOwn(known, plain) ? plain : text
}

const among = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]))
/** Every status that a record of the kind may show. */
const shownStatuses = {
  shipment: { ...among(shipmentStatuses), ...shipmentBuckets },
  return: { ...among(returnStatuses), ...returnBuckets, delivered: true, lost: true },
}

/** The status of a record, as `statusOf`: `In Transit` is in_transit. */
export const statusIn = (kind: 'shipment' | 'return', text: string | null | undefined): string | null | undefined =>
  text && statusOf(text, shownStatuses[kind])

/**
 * The detailed status of a record: its own attribute, else its sub-status or status where that is a known detailed one
 * (deployments without the extra attribute send it there).
 */
export function granularOf(
  attributes: {
    readonly granular_status?: string | null | undefined
    readonly sub_status?: unknown
    readonly status?: string | null | undefined
  },
  known: Readonly<Record<string, unknown>>,
): string | null {
  const own = attributes.granular_status
  if (typeof own === 'string' && own !== '') return statusOf(own, known)
  for (const value of [attributes.sub_status, attributes.status]) {
    const named = typeof value === 'string' ? statusOf(value, known) : ''
    if (Object.hasOwn(known, named)) return named
  }
  return null
}

/** Milestones of a shipment in the order of a journey. */
export const shipmentMilestones = [
  'ready_for_pickup',
  'picked_up',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'rto_initiated',
  'rto_delivered',
] as const

/** Milestones of a return in the order of a journey. */
export const returnMilestones = ['return_pickup_scheduled', 'return_delivered'] as const

/** The fields that the date range of the shipment listing may apply to (spec 4.8). */
export const shipmentDates = [
  'order_date',
  'created_at',
  'ready_for_pickup_at',
  'picked_up_at',
  'in_transit_at',
  'out_for_delivery_at',
  'delivered_at',
  'rto_initiated_at',
  'rto_delivered_at',
] as const

/** Our engine's results of a return's quality check. A mirror may hold others. */
export const qcStatuses = ['pending', 'passed', 'failed', 'not_applicable'] as const

/** Our engine's statuses of a return's refund. A mirror may hold others. */
export const refundStatuses = ['pending', 'initiated', 'processed', 'failed'] as const

/** Our engine's reasons of a failed delivery and of a return to origin. A mirror may hold others. */
export const failureReasons = [
  'customer_not_available',
  'address_incomplete',
  'customer_refused',
  'premises_closed',
  'customer_unreachable',
  'payment_not_ready',
  'future_delivery_requested',
  'self_pickup',
  'out_of_delivery_area',
  'shipment_damaged',
  'fake_attempt',
  'other',
] as const
