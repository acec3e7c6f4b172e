// The failed deliveries of a source with the merchant's answers, the most urgent first.
import type { Query } from '../../../domain/contract.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import { maxPerPage } from '../../../domain/page.ts'
import type { KeptAnswer } from '../../../domain/parcels/ndranswers.ts'
import { undeliveredOf, undeliveredOrder, withAnswer, type Undelivered } from '../../../domain/parcels/worklists.ts'
import { lastAnswers } from '../../../engine/records/ndranswers.ts'
import type { Context } from '../../command/context.ts'
import { gathered } from '../../output/gathered.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { Source } from '../../source/source.ts'

/** A failed delivery, and the answer that counts for it. */
export interface Failed {
  readonly parcel: Undelivered
  readonly kept: KeptAnswer | undefined
}

/** The failed deliveries that match; a place without answers is undefined. Throws what the source throws. */
export async function failedDeliveries(
  context: Context,
  source: Source,
  input: Query,
  place: BesidePlace | undefined,
): Promise<readonly Failed[]> {
  const walk = await source.service.walkShipments({ ...input, per_page: maxPerPage })
  const now = context.io.host.now()
  const failed: Undelivered[] = []
  await gathered(context, 'Reading failed deliveries', walk.total, walk.batches, (batch) => {
    for (const text of batch.records) failed.push(undeliveredOf(readRecord('shipments', text, context.missed), now))
    return batch.records.length
  })
  const ids = failed.map(({ id }) => id)
  const answers = await place?.database.read(() => lastAnswers(place.account, ids))
  return failed
    .map((one) => {
      const kept = answers?.get(one.id)
      const parcel = withAnswer(one, kept)
      return { parcel, kept: parcel.answer === null ? undefined : kept }
    })
    .toSorted((a, b) => undeliveredOrder(a.parcel, b.parcel))
}
