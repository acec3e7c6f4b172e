// The format of a report's days, stages and names, the same in charts, tables and text.
import { showDay, words } from '../../output/display.ts'
import { addDays } from '../../../domain/time.ts'
import type { Stage, Step } from './figures.ts'

/** Average days as `3.4`. */
export const days = (value: number | null): string => (value === null ? '–' : value.toFixed(1))

const stageWords: Readonly<Record<Stage, string>> = {
  created: 'Created',
  picked_up: 'Picked up',
  not_picked_up: 'Waiting for pick-up',
  cancelled: 'Cancelled',
  not_shipped: 'Not shipped',
  delivered: 'Delivered',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  ndr: 'NDR open',
  rto: 'RTO',
  lost_or_other: 'Lost or other',
  rto_under_way: 'On the way back',
  rto_delivered: 'Back',
  rto_lost: 'Lost on the way back',
}
/** A stage's name for people. */
export const stageName = (stage: Stage): string => stageWords[stage]

/** The name of a group: an API value in words, users' text unchanged. */
export const groupName = (value: string | null, worded: boolean): string =>
  value === null ? 'Not known' : worded ? words(value) : value

/** The last day of a step that starts on a date. */
const lastOf = (step: Step, from: string): string =>
  step === 'day' ? from : step === 'week' ? addDays(from, 6) : addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1)

/**
 * The label of a step below a chart: `03 Sep`, or `Sep 2026` for a month. A week or a month that goes beyond `end` has
 * `so far` below it.
 */
export function stepName(step: Step, from: string, end: string): string {
  const day = showDay(from)
  const name = step === 'month' ? `${day.slice(3)} ${from.slice(0, 4)}` : day
  return lastOf(step, from) > end ? `${name}\n(so far)` : name
}

/**
 * The days of a step in a sentence or a table: `03 Sep`, `16 to 22 Nov`, `23 to 24 Nov (so far)`, `Sep 2026`. A step
 * that began before `begin` is named from then on.
 */
export function stepSpan(step: Step, from: string, end: string, begin = from): string {
  const last = lastOf(step, from)
  const since = from < begin ? begin : from
  if (step === 'day' || (step === 'month' && last <= end && since === from)) return stepName(step, from, last)
  const until = last > end ? end : last
  const [first, to] = [showDay(since), showDay(until)]
  const alike = first.slice(3) === to.slice(3)
  const span = since >= until ? first : `${alike ? first.slice(0, 2) : first} to ${to}`
  return last > end ? `${span} (so far)` : span
}

/** The mark of a group that is too small to say much; the end of the page explains it once. */
export const fewMark = ' *'
