// Defends the count of attempts: one for each trip to the door, whatever scans tell it, and how often.
import { describe, expect, test } from 'vitest'
import { fold, type ForwardEvent } from '../../src/domain/parcels/journeys.ts'
import type { ParcelState } from '../../src/domain/parcels/parcelstate.ts'

const nothing: ParcelState = {
  granular: 'in_transit',
  attempts: 0,
  ndr_reason: null,
  rto_reason: null,
  qc: null,
  milestones: [],
  scans: [],
}

let id = 0
/** `attempt_failed 23 18:00`: an event of November 2026 in IST. */
const scan = (told: string, more: { reason?: string | null; location?: string | null; id?: string } = {}) => {
  const [event, day, clock] = told.split(' ') as [ForwardEvent, string, string]
  const at = Date.parse(`2026-11-${day}T${clock.length === 5 ? `${clock}:00` : clock}+05:30`)
  return {
    id: `e${String(++id).padStart(3, '0')}`,
    event,
    at,
    reason: null,
    location: null,
    description: null,
    ...more,
  }
}
const after = (...told: readonly string[]) =>
  fold(
    nothing,
    told.map((one) => scan(one)),
  )

describe('attempts', () => {
  // prettier-ignore
  test.each([
    ['a hub scan before the result made two attempts of one trip', 1, 'out_for_delivery 23 09:00', 'in_transit 23 17:00', 'attempt_failed 23 18:00'],
    ['a hub scan before the delivery', 1, 'out_for_delivery 23 09:00', 'in_transit 23 17:00', 'delivered 23 18:00'],
    ['three days out and one result were one attempt', 3, 'out_for_delivery 21 09:00', 'out_for_delivery 22 09:00', 'out_for_delivery 23 09:00', 'attempt_failed 23 18:00'],
    ['out twice on one day without a result', 1, 'out_for_delivery 23 09:00', 'out_for_delivery 23 11:00', 'attempt_failed 23 18:00'],
    ['out twice on one day with a result', 2, 'out_for_delivery 23 09:00', 'attempt_failed 23 11:00', 'out_for_delivery 23 14:00', 'delivered 23 18:00'],
    ['back at the hub, and out again on the same day', 1, 'out_for_delivery 23 09:00', 'in_transit 23 11:00', 'out_for_delivery 23 14:00'],
    ['the result of the night', 1, 'out_for_delivery 23 21:00', 'attempt_failed 24 00:10'],
    ['results alone', 2, 'attempt_failed 23 18:00', 'attempt_failed 24 18:00'],
    ['results without their trips, after one with it', 2, 'out_for_delivery 23 09:00', 'attempt_failed 23 11:00', 'in_transit 23 20:00', 'attempt_failed 23 21:00'],
    ['a day whose trip was not scanned', 2, 'out_for_delivery 22 09:00', 'in_transit 22 20:00', 'attempt_failed 23 18:00'],
  ] as const)('%s', (_, count, ...told) => {
    expect(after(...(told as readonly string[])).standing.attempts).toBe(count)
  })

  test('one failed attempt in two dumps was two attempts and two messages', () => {
    const first = scan('attempt_failed 23 18:00', { reason: null, location: null })
    const again = scan('attempt_failed 23 18:00', { reason: 'customer_refused', location: 'Pune' })
    const other = scan('attempt_failed 23 18:00:00.400', { reason: 'other', location: 'PUNE' })
    const { standing, tells, repeats, ignored } = fold(nothing, [other, again, first])
    expect([standing.attempts, tells.map(({ step }) => step), ignored.size]).toEqual([1, ['attempt_failed:1'], 0])
    expect([...repeats]).toEqual([
      [again.id, first.id],
      [other.id, first.id],
    ])
    // What the first telling left out comes from the other.
    expect(standing.ndr_reason).toBe('customer_refused')
    expect(standing.scans).toMatchObject([{ id: first.id, status: 'ndr_raised', last_location: 'Pune' }])
  })

  test('a repeated failed attempt replaced the reason that was known', () => {
    const refused = scan('attempt_failed 23 18:00', { reason: 'customer_refused' })
    const locked = scan('attempt_failed 23 18:00:20', { reason: 'customer_not_available' })
    const { standing, repeats } = fold(nothing, [locked, refused])
    expect([standing.ndr_reason, repeats.size]).toEqual(['customer_refused', 1])
    expect(fold(fold(nothing, [refused]).standing, [locked]).standing.ndr_reason).toBe('customer_refused')
  })

  test.each(['customer_not_available', 'other'])('the reason of an earlier day replaced the later %s', (later) => {
    const days = [scan('attempt_failed 22 18:00'), scan('attempt_failed 23 18:00', { reason: later })]
    const kept = fold(nothing, days).standing
    const again = scan('attempt_failed 22 18:00', { reason: 'customer_refused' })
    const { standing, repeats } = fold(kept, [again])
    expect([standing.ndr_reason, repeats.size]).toEqual([later, 1])
  })

  test('one failed attempt told to the minute and to the second was two', () => {
    const told = ['out_for_delivery 23 09:00', 'attempt_failed 23 14:05', 'out_for_delivery 23 09:00:12'] as const
    const { standing, repeats, ignored } = after(...told, 'attempt_failed 23 14:05:41')
    expect([standing.attempts, repeats.size, ignored.size]).toEqual([1, 1, 0])
    expect(after(...told, 'attempt_failed 23 14:06').standing.attempts).toBe(2)
  })

  test.each(['in_transit', 'out_for_delivery', 'delivered', 'rto_initiated', 'rto_in_transit', 'rto_delivered'])(
    'a parcel that was lost before its pickup and found by %s was never picked up',
    (found) => {
      const waiting: ParcelState = { ...nothing, granular: 'ready_for_pickup' }
      const { standing } = fold(waiting, [scan('lost 23 10:00'), scan(`${found} 24 11:00`)])
      const picked = { milestone: 'picked_up', milestone_at: '2026-11-24T05:30:00.000Z' }
      expect(standing.milestones).toContainEqual(picked)
      const before = fold(waiting, [scan('picked_up 22 10:00'), scan('lost 23 10:00'), scan(`${found} 24 11:00`)])
      expect(before.standing.milestones.filter(({ milestone }) => milestone === 'picked_up')).toEqual([
        { milestone: 'picked_up', milestone_at: '2026-11-22T04:30:00.000Z' },
      ])
    },
  )

  test('the same delivery in two dumps was kept as one that cannot follow', () => {
    const { standing, repeats, ignored } = after('delivered 23 18:00', 'delivered 23 18:00')
    expect([standing.attempts, repeats.size, ignored.size]).toEqual([1, 1, 0])
  })

  test('two trips within one second are two', () => {
    const told = [
      'attempt_failed 23 18:00:00.100',
      'out_for_delivery 23 18:00:00.200',
      'attempt_failed 23 18:00:00.300',
    ]
    expect(after(...told).standing.attempts).toBe(2)
  })
})
