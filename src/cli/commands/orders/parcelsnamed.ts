// The parcels that `orders label` and `orders manifest` are about: those that a user names, or those that filters find.
import type { Query } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Context } from '../../command/context.ts'
import { shipmentKind } from '../../listings/listing.ts'
import { lookUpShipments } from '../../listings/lookup.ts'
import { argumentsOf, referencesIn, type Asked } from '../../listings/namedshipments.ts'
import type { Source } from '../../source/source.ts'

/** A parcel as its record says it: read, and as it was sent. */
export interface Parcel {
  readonly record: Shipment
  readonly text: string
}

/** The detailed statuses of parcels that have a courier and wait for it. */
export const waitingForPickup = ['ready_for_pickup', 'pickup_scheduled', 'not_picked'] as const

/** Requests at the same time, where a deployment looks up each name. */
const lookUps = 4

/** Parcels that are worked on together. */
const atOnce = 256

const parcelOf = (text: string): Parcel => ({ text, record: shipmentKind.read(text) })

/** The parcels that match a question, some hundreds at a time. */
export async function* parcelsMatching(source: Source, input: Query): AsyncGenerator<readonly Parcel[]> {
  const { batches } = await source.service.walkShipments(input)
  for await (const { records } of batches) yield records.map(parcelOf)
}

/**
 * The parcels that arguments or a file name, each once, some hundreds at a time. `missing` gets the names that no
 * shipment has. Throws `not_found` for a name of several shipments.
 */
export async function* parcelsNamed(
  context: Context,
  source: Source,
  { file, sheet }: { readonly file: string | undefined; readonly sheet: string | undefined },
  missing: (asked: Asked) => void,
): AsyncGenerator<readonly Parcel[]> {
  const asked = file === undefined ? argumentsOf(context.args) : referencesIn(context, file, sheet)
  const seen = new Set<string>()
  let batch: Parcel[] = []
  for await (const { reference, records } of lookUpShipments(source, asked, lookUps)) {
    if (records.length === 0) missing(reference)
    if (records.length > 1) throw severalNamed(reference.name, records)
    for (const parcel of records.map(parcelOf)) {
      if (seen.has(parcel.record.id)) continue
      seen.add(parcel.record.id)
      batch.push(parcel)
    }
    if (batch.length < atOnce) continue
    yield batch
    batch = []
  }
  yield batch
}

function severalNamed(name: string, records: readonly string[]): ShipxError {
  const ids = records.map((record) => shipmentKind.view.id(shipmentKind.read(record)))
  return new ShipxError('not_found', `${name} names ${records.length} shipments; use one of their ids`, {
    details: [{ field: null, message: ids.join(', ') }],
  })
}
