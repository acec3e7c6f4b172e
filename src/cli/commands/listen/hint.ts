// What a status webhook says, read from its body: which record to ask for again. Nothing else of it is believed.
import { jsonTextFault } from '../../../domain/jsonlimits.ts'
import type { SentKind } from '../../../domain/foreign/records.ts'
import { recordId } from '../../../domain/parcels/shipments.ts'

/** A record that has changed, by what the webhook calls it; at least one of the names is there. */
export interface Hint {
  readonly kind: SentKind
  readonly id: string | null
  readonly awb: string | null
  readonly order: string | null
}

/** Text by which two hints about the same record are the same. */
export const hintKey = ({ kind, id, awb, order }: Hint): string => JSON.stringify([kind, id ?? [awb, order]])

/** A webhook's hint; undefined for one about no record, such as a test. */
export type ReadBody = { readonly hint: Hint | undefined } | { readonly fault: string }

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A name of a record, from text or a whole number; null for everything else, also for what no service looks for. */
function nameIn(value: unknown): string | null {
  const name = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const read = recordId.safeParse(typeof name === 'string' ? name.trim() : name)
  return read.success && !/\p{Cc}/u.test(read.data) ? read.data : null
}

/** Reads the body of a webhook (docs/guides/delivery.md, Status webhooks). */
export function readBody(text: string): ReadBody {
  let value: unknown
  try {
    const fault = jsonTextFault(text)
    if (fault !== undefined) return { fault: `the body ${fault}` }
    value = JSON.parse(text)
  } catch {
    return { fault: 'the body is not JSON' }
  }
  if (!isObject(value)) return { fault: 'the body is not a JSON object' }
  const data = isObject(value['data']) ? value['data'] : {}
  const hint: Hint = {
    kind: /return|reverse/i.test(String(data['shipment_type'])) ? 'returns' : 'shipments',
    id: nameIn(data['shipment_id']),
    awb: nameIn(data['tracking_number']),
    order: nameIn(data['order_display_id']),
  }
  if (hint.id !== null || hint.awb !== null || hint.order !== null) return { hint }
  return value['event'] === 'status_change' ? { fault: 'the body names no shipment' } : { hint: undefined }
}
