// The records of hints, as the service holds them now: many in one question where it knows the filter, else one
// search for each.
import type { Query } from '../../../domain/contract.ts'
import { readRecord, type SentKind } from '../../../domain/foreign/records.ts'
import { maxPerPage } from '../../../domain/page.ts'
import type { Return } from '../../../domain/parcels/returns.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { RemoteService } from '../../../client/service.ts'
import type { Hint } from './hint.ts'

/** The most hints in one question: their records fit on a page. */
export const mostAsked = 50

/** What a record is called, and what it says now. */
export interface Named {
  readonly id: string
  readonly awb: string | null
  readonly order: string | null
  readonly status: string | null
}

/** The names of a record from its JSON text, and its status. */
export function namedIn(kind: SentKind, text: string): Named {
  const { id, attributes } = readRecord(kind, text)
  const { order, status, granular_status } = attributes
  const own =
    kind === 'shipments'
      ? (attributes as Shipment['attributes']).tracking_number
      : (attributes as Return['attributes']).shipment?.tracking_number
  return { id, awb: own ?? null, order: order?.display_id ?? null, status: granular_status ?? status ?? null }
}

/** Whether a hint means a record: by the best name that it has. */
function means(hint: Hint, record: Named): boolean {
  if (hint.id !== null) return hint.id === record.id
  return hint.awb !== null ? hint.awb === record.awb : hint.order === record.order
}

/** The records of each hint of one kind, as JSON text; nothing where there are none. Throws what the client throws. */
export async function recordsOf(
  remote: RemoteService,
  kind: SentKind,
  hints: readonly Hint[],
): Promise<ReadonlyMap<Hint, readonly string[]>> {
  const found = new Map<Hint, readonly string[]>()
  const ask = async (query: object): Promise<void> => {
    const name = kind === 'shipments' ? 'listShipments' : 'listReturns'
    const { records } = await remote[name]({ ...(query as Query), per_page: maxPerPage } as never)
    const read = records.map((text) => ({ text, named: namedIn(kind, text) }))
    for (const hint of hints) {
      const own = read.filter(({ named }) => means(hint, named)).map(({ text }) => text)
      if (own.length > 0) found.set(hint, own)
    }
  }
  const left = (): readonly Hint[] => hints.filter((hint) => !found.has(hint))
  const namesOf = (part: 'awb' | 'order'): readonly string[] => [...new Set(left().flatMap((hint) => hint[part] ?? []))]
  if ((await remote.learn()).has('extra_filters')) {
    const awbs = namesOf('awb')
    if (awbs.length > 0) await ask({ tracking_number: awbs })
    const orders = kind === 'shipments' ? namesOf('order') : []
    if (orders.length > 0) await ask({ order_display_id: orders })
  }
  for (const hint of left()) {
    // What has an AWB is found by it at any deployment; a parcel that has lost it, by its other names.
    for (const search of [hint.awb, hint.id, hint.order]) if (search !== null && !found.has(hint)) await ask({ search })
  }
  return found
}
