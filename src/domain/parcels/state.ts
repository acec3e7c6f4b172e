// Where a record stands, read out of it and put back: what tracking events change, and nothing else; knows no storage.
import type { Standing } from './journeys.ts'
import type { Return } from './returns.ts'
import type { Shipment } from './shipments.ts'
import { granularOf, returnBuckets, shipmentBuckets } from './statuses.ts'

/** Where a shipment stands. */
export function shipmentStanding({ attributes }: Shipment): Standing {
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

/** The shipment at another standing. */
export function shipmentAt(shipment: Shipment, standing: Standing): Shipment {
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

/** Where a return stands; its scans are beside its milestones. */
export function returnStanding({ attributes }: Return): Standing {
  const shipment = attributes.shipment ?? {}
  return {
    granular: granularOf(attributes, returnBuckets),
    attempts: 0,
    ndr_reason: null,
    rto_reason: null,
    qc: attributes.qc_status ?? null,
    milestones: shipment.shipment_milestones ?? [],
    scans: (shipment['tracking_details'] as Standing['scans'] | undefined) ?? [],
  }
}

/** The return at another standing. */
export function returnAt(back: Return, standing: Standing): Return {
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
