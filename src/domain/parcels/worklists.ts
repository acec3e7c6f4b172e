// Shipments that need the merchant's attention, and how soon: open parcels without a scan, and failed deliveries that
// wait for an answer (docs/guides/worklists.md).
import { stillAnswers, type AnswerName, type KeptAnswer } from './ndranswers.ts'
import type { ParcelRecord } from '../foreign/records.ts'
import type { Shipment } from './shipments.ts'
import { dayMs, isoOf, istDate, istDayNumber, readInstant } from '../time.ts'

/** How often couriers try before a parcel goes back (docs/guides/worklists.md). */
export const mostAttempts = 3

/** Days that a courier waits for an answer to a failed attempt, and to the last one. */
const patience = { usual: 2, last: 1 }

const latest = (times: readonly (string | null | undefined)[]): number | undefined => {
  let last: number | undefined
  for (const text of times) {
    const at = typeof text === 'string' ? readInstant(text) : undefined
    if (at !== undefined && (last === undefined || at > last)) last = at
  }
  return last
}

/** Milestones of the merchant's own side: they say when a parcel was entered, and an import may enter it days late. */
const ownMilestone = /^(ready_for_pickup|((order_)?(created|placed|pending|processing)))$/

/**
 * The latest scan or milestone by the courier, ms UTC. A parcel without one has the latest milestone of the merchant's
 * own; undefined when it has none at all.
 */
export function lastScanAt({ attributes: a }: Shipment): number | undefined {
  const milestones = a.shipment_milestones ?? []
  const moved = milestones.filter(({ milestone }) => !ownMilestone.test(milestone))
  return (
    latest([
      ...(a.tracking_details ?? []).map((scan) => scan.event_date_time),
      ...moved.map((milestone) => milestone.milestone_at),
    ]) ?? latest(milestones.map((milestone) => milestone.milestone_at))
  )
}

/** The columns that both lists share. */
interface Parcel {
  readonly id: string
  readonly tracking_number: string | null
  readonly order: string | null
  readonly courier: string | null
  readonly status: string | null
  readonly store: string | null
  readonly customer: string | null
  readonly phone: string | null
  readonly city: string | null
}

function parcelOf({ id, attributes: a }: ParcelRecord): Parcel {
  return {
    id,
    tracking_number: a.tracking_number ?? null,
    order: a.order?.display_id ?? a.order?.external_id ?? null,
    courier: a.carrier?.name ?? a.carrier?.id ?? null,
    status: a.granular_status ?? a.sub_status ?? a.status ?? null,
    store: a.order?.store_name ?? null,
    customer: a.shipping_address?.name ?? null,
    phone: a.shipping_address?.phone ?? null,
    city: a.shipping_address?.city ?? null,
  }
}

/** An open parcel without a scan. */
export interface Stuck extends Parcel {
  /** ISO 8601; null when it was never scanned. */
  readonly last_scan_at: string | null
  /** Whole days since then, or since the shipment was made; null where neither is known. */
  readonly days: number | null
}

/** The news of a shipment, ms UTC: its last scan (`lastScanAt`), and when it was made (0: not known). */
export interface News {
  readonly last_scan_at: number | null
  readonly created_at: number
}

/** A shipment as stuck when it has no news from `before` (ms UTC) on; else undefined. */
export function stuckOf(record: ParcelRecord, news: News, before: number, now: number): Stuck | undefined {
  const since = news.last_scan_at ?? news.created_at
  if (since > before) return undefined
  const last_scan_at = news.last_scan_at === null ? null : isoOf(news.last_scan_at)
  const days = since === 0 ? null : Math.floor((now - since) / dayMs)
  return Object.assign(parcelOf(record), { last_scan_at, days })
}

const byText = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null || a < b ? -1 : 1

/** By courier, the oldest first within each; shipments without a courier last. */
export const stuckOrder = (a: Stuck, b: Stuck): number =>
  byText(a.courier, b.courier) ||
  (b.days ?? Number.MAX_SAFE_INTEGER) - (a.days ?? Number.MAX_SAFE_INTEGER) ||
  byText(a.last_scan_at, b.last_scan_at) ||
  byText(a.id, b.id)

/** A failed delivery that waits for an answer. */
export interface Undelivered extends Parcel {
  readonly reason: string | null
  readonly attempts: number
  readonly attempts_left: number
  readonly failed_at: string | null
  /** The IST day by whose end the courier should have an answer; null where no time is known. */
  readonly answer_by: string | null
  /** Days from today to that one: 0 is today, less is overdue. */
  readonly days_left: number | null
  /** Rupees to be collected; 0 for a prepaid order. */
  readonly cod: number
  /** What the merchant decided since the last attempt; null, as are the columns below, before that. */
  readonly answer: AnswerName | null
  /** The IST day to try again. */
  readonly reattempt_on: string | null
  readonly new_phone: string | null
  readonly new_address: string | null
  readonly new_pincode: string | null
  readonly note: string | null
  readonly answered_by: string | null
  readonly answered_at: string | null
  /** When the answer last went into a sheet for the courier. */
  readonly sent_at: string | null
}

/** When delivery last failed: the latest scan of a failure, else the latest scan of any kind. */
function failedAt(record: Shipment): number | undefined {
  const failures = (record.attributes.tracking_details ?? []).filter((scan) =>
    /ndr|undeliver|need_attention|fail/i.test(scan.status ?? ''),
  )
  return latest(failures.map((scan) => scan.event_date_time)) ?? lastScanAt(record)
}

/** The columns of an answer. */
const answerColumns = (kept: KeptAnswer | undefined) => ({
  answer: kept?.answer ?? null,
  reattempt_on: kept?.reattempt_on ?? null,
  new_phone: kept?.phone ?? null,
  new_address: kept?.address ?? null,
  new_pincode: kept?.pincode ?? null,
  note: kept?.note ?? null,
  answered_by: kept?.decided_by ?? null,
  answered_at: kept === undefined ? null : isoOf(kept.decided_at),
  sent_at: kept?.sent_at == null ? null : isoOf(kept.sent_at),
})

/** What the latest scan says. */
const lastDescription = (scans: NonNullable<Shipment['attributes']['tracking_details']>): string | null =>
  scans.toSorted((x, y) => (readInstant(y.event_date_time ?? '') ?? 0) - (readInstant(x.event_date_time ?? '') ?? 0))[0]
    ?.description ?? null

/** A shipment with a failed delivery, as of `now` (ms UTC). `kept` is the last answer about it. */
export function undeliveredOf(record: Shipment, now: number, kept?: KeptAnswer): Undelivered {
  const { attributes: a } = record
  const failed = failedAt(record)
  const attempts = a.attempt_count ?? 0
  const attempts_left = Math.max(0, mostAttempts - attempts)
  const wait = attempts_left === 0 ? patience.last : patience.usual
  const since = failed ?? readInstant(a.created_at)
  const due = since === undefined ? undefined : since + wait * dayMs
  const failure = {
    reason: a.ndr_reason ?? lastDescription(a.tracking_details ?? []),
    attempts,
    attempts_left,
    failed_at: failed === undefined ? null : isoOf(failed),
    answer_by: due === undefined ? null : istDate(due),
    days_left: due === undefined ? null : istDayNumber(due) - istDayNumber(now),
    cod: a.is_cod === true ? (a.cod_amount ?? 0) : 0,
  }
  // A literal with two spreads is slow in V8: 50 µs a row.
  return withAnswer(Object.assign(parcelOf(record), failure, answerColumns(undefined)), kept)
}

/** A failed delivery with the last answer about it, which no longer counts once the courier has tried again. */
export function withAnswer(parcel: Undelivered, kept: KeptAnswer | undefined): Undelivered {
  const { attempts, failed_at } = parcel
  const at = failed_at === null ? undefined : readInstant(failed_at)
  if (kept === undefined || !stillAnswers(kept, { attempts, at })) return parcel
  return Object.assign({}, parcel, answerColumns(kept))
}

/** Whether an answer is due today or overdue. */
export const isDue = ({ answer, days_left }: Undelivered): boolean =>
  answer === null && days_left !== null && days_left <= 0

const daysOf = ({ days_left }: Undelivered): number => days_left ?? Number.MAX_SAFE_INTEGER

/** Those without an answer first, then the fewest days left, the fewest attempts left, the highest COD amount. */
export const undeliveredOrder = (a: Undelivered, b: Undelivered): number =>
  Number(a.answer !== null) - Number(b.answer !== null) ||
  daysOf(a) - daysOf(b) ||
  a.attempts_left - b.attempts_left ||
  b.cod - a.cod ||
  byText(a.failed_at, b.failed_at) ||
  byText(a.id, b.id)
