// Counts what a courier does at the door: each trip is one attempt, and its result belongs to it
// (docs/reference/tracking.md).
import { istDate, readInstant } from '../time.ts'
import type { ParcelState, Scan } from './parcelstate.ts'

/** The events that are the result of an attempt, and the status that a record's scan has after each. */
const results: ReadonlyMap<string, string> = new Map([
  ['attempt_failed', 'ndr_raised'],
  ['delivered', 'delivered'],
])
const shown: ReadonlySet<string> = new Set(results.values())

const timeOf = ({ event_date_time: at }: Scan): number => readInstant(at ?? '') ?? NaN

/** How many attempts a parcel has had after an event that begins or ends one. */
export function attemptsAfter(
  { granular, attempts, milestones, scans }: ParcelState,
  at: number,
  ends: boolean,
): number {
  const last = milestones.find(({ milestone }) => milestone === 'out_for_delivery')?.milestone_at
  const out = readInstant(last ?? '')
  const today = out !== undefined && istDate(out) === istDate(at)
  const atDoor = granular === 'out_for_delivery'
  if (atDoor) return ends || today || out === undefined ? attempts : attempts + 1
  // A courier may scan a parcel at the hub again before it tells the result of the trip.
  const back = granular === 'in_transit' || granular === 'lost'
  const told = (scan: Scan): boolean => shown.has(scan.status ?? '') && timeOf(scan) >= out!
  return back && today && !scans.some(told) ? attempts : attempts + 1
}

/** Whether no scan of a failed attempt is later than this one. */
export const isLatestFailure = (scans: readonly Scan[], one: Scan): boolean =>
  !scans.some((scan) => scan.status === results.get('attempt_failed') && timeOf(scan) > timeOf(one))

/** The scan of a record that tells the same result: a parcel has one in one minute. Undefined where there is none. */
export function sameResult(
  { granular, scans }: Pick<ParcelState, 'granular' | 'scans'>,
  { event, at }: { readonly event: string; readonly at: number },
): Scan | undefined {
  const status = results.get(event)
  if (status === undefined) return undefined
  // Couriers' panels show minutes where their files have seconds.
  const minute = (time: number): number => Math.floor(time / 60_000)
  return scans.findLast((scan) => {
    if (scan.status !== status) return false
    const time = timeOf(scan)
    // A trip between the two makes them two, however fast it is.
    return time === at || (granular === status && minute(time) === minute(at))
  })
}
