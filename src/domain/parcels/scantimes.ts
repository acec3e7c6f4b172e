// When a scan happened, where a courier may say the day alone (docs/reference/tracking.md).
import { dayMs } from '../time.ts'
import { readMoment, type DayManner } from '../read/day.ts'
import type { Outcome } from '../read/typed.ts'
import { forwardEvents, returnEvents, type AnyEvent } from './journeys.ts'

/** A time as written, ms UTC; of a day without a time, its start. */
export interface WrittenTime {
  readonly start: number
  /** Whether it is a day without a time. */
  readonly day: boolean
}

/** Reads the time of a scan, or says why it is none. */
export function readScanTime(text: string, manner: DayManner): Outcome<WrittenTime> {
  const start = readMoment(text, manner)
  if ('fault' in start) return start
  // Every time of day has a colon.
  const end = text.includes(':') ? start : readMoment(text, { ...manner, end: true })
  return { value: { start: start.value, day: 'value' in end && end.value - start.value === dayMs - 1 } }
}

const order: readonly AnyEvent[] = [...forwardEvents, ...returnEvents]

/**
 * When a scan counts, ms UTC. A day without a time is its last second, or now where it is today: a scan at its start
 * would come before all that the courier did on that day. Events of one such day follow in the order of a journey.
 */
export function countedAt({ start, day }: WrittenTime, event: AnyEvent, now: number): number {
  if (!day) return start
  const end = start + dayMs - 1000
  // A day that has not begun is in the future.
  return (start > now ? end : Math.min(end, now)) + order.indexOf(event)
}
