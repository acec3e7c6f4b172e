// The state of a parcel, read from its record and written back: only what tracking events change.
import type { ParcelState } from './parcelstate.ts'
import type { Return } from './returns.ts'
import type { Shipment } from './shipments.ts'
import { granularOf, returnBuckets, shipmentBuckets } from './statuses.ts'

/** The state of a shipment. */
export function shipmentState({ attributes }: Shipment): ParcelState {
  return {
    granular: granularOf(attributes, shipmentBuckets),
    attempts: attributes.attempt_count ?? 0,
    ndr_reason: attributes.ndr_reason ?? null,
    rto_reason: attributes.rto_reason ?? null,
    qc: null,
    milestones: attributes.shipment_milestones ?? [],
    scans: attributes.tracking_details ?? [],
  }
}

/** The shipment in another state. */
export function shipmentAt(shipment: Shipment, standing: ParcelState): Shipment {
  const granular = standing.granular as keyof typeof shipmentBuckets
  const status = shipmentBuckets[granular]
  return {
    ...shipment,
    attributes: {
      ...shipment.attributes,
      status,
      sub_status: granular === status ? null : granular,
      granular_status: granular,
      attempt_count: standing.attempts,
      ndr_reason: standing.ndr_reason,
      rto_reason: standing.rto_reason,
      shipment_milestones: [...standing.milestones] as NonNullable<Shipment['attributes']['shipment_milestones']>,
      tracking_details: [...standing.scans] as NonNullable<Shipment['attributes']['tracking_details']>,
    },
  }
}

/** The state of a return; its scans are next to its milestones. */
export function returnState({ attributes }: Return): ParcelState {
  const shipment = attributes.shipment ?? {}
  return {
    granular: granularOf(attributes, returnBuckets),
    attempts: 0,
    ndr_reason: null,
    rto_reason: null,
    qc: attributes.qc_status ?? null,
    milestones: shipment.shipment_milestones ?? [],
    scans: (shipment['tracking_details'] as ParcelState['scans'] | undefined) ?? [],
  }
}

/** The return in another state. */
export function returnAt(back: Return, standing: ParcelState): Return {
  const granular = standing.granular as keyof typeof returnBuckets
  const { shown } = returnBuckets[granular]
  const { attributes } = back
  return {
    ...back,
    attributes: {
      ...attributes,
      status: shown,
      granular_status: granular,
      ...(standing.qc === (attributes.qc_status ?? null) ? {} : { qc_status: standing.qc }),
      shipment: {
        ...attributes.shipment,
        status: shown,
        shipment_milestones: [...standing.milestones] as NonNullable<
          NonNullable<Return['attributes']['shipment']>['shipment_milestones']
        >,
        tracking_details: [...standing.scans],
      },
    },
  }
}
