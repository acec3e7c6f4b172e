// Defends how one shipment or return is shown: its lines on every width, what is missing, who pays, how long it took.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Paint, Screen } from '../../../src/cli/terminal/screen.ts'
import { timelineOf } from '../../../src/cli/output/timeline.ts'
import { widthOf } from '../../../src/cli/terminal/width.ts'
import type { Return } from '../../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../../src/domain/parcels/shipments.ts'
import { seedReturns, seedShipments } from '../../../src/engine/sample/seed.ts'

const same = (text: string): string => text
const paint: Paint = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  cyan: same,
  magenta: same,
}
const now = Date.parse('2026-09-29T08:30:00Z')
const screenOf = (width: number): Screen => ({
  width,
  paint,
  ascii: false,
  placing: false,
  wide: false,
  tz: 'Asia/Kolkata',
  now,
  pii: false,
  tty: true,
})
const plan = { shipments: 60, returns: 30, stores: 3, days: 60, seed: 3, now }
const textOf = (attributes: object, width = 80): string =>
  timelineOf(
    { id: 'S-1', type: 'shipment', attributes: { created_at: '2026-09-20T04:30:00Z', ...attributes } } as Shipment,
    screenOf(width),
  )
const lineOf = (attributes: object, name: string): string | undefined =>
  textOf(attributes, 120)
    .split('\n')
    .find((line) => line.startsWith(name))

describe('a timeline', () => {
  const records = [...seedShipments(plan), ...seedReturns(plan)].map(
    (record) => JSON.parse(JSON.stringify(record)) as Shipment | Return,
  )
  const names = ['राजेश कुमार शर्मा', 'தமிழ்ச்செல்வி இளங்கோவன்', 'محمد علي', '👩‍🚀 Crew', 'Asha Rao', null]
  const remove = <T>(value: T, keys: readonly string[]): T =>
    JSON.parse(JSON.stringify(value), (key: string, part: unknown) => (keys.includes(key) ? undefined : part)) as T

  test.each([40, 60, 80])('of any record, whatever it lacks, has no line wider than %i columns', (width) => {
    const optional = [
      'carrier',
      'order',
      'items',
      'return_items',
      'shipping_address',
      'shipment_milestones',
      'tracking_details',
      'applied_weight',
      'zone',
      'phone',
      'city',
      'state',
      'description',
      'last_location',
      'store_name',
      'milestone_at',
      'event_date_time',
      'tracking_number',
      'status',
      'cod_amount',
      'total_price',
      'shipment',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...records),
        fc.subarray(optional),
        fc.constantFrom(...names),
        (record, missing, name) => {
          const whole = remove(record, missing)
          const { attributes } = whole as Shipment
          const named = {
            ...whole,
            attributes: { ...attributes, shipping_address: { ...attributes.shipping_address, name } },
          }
          const text = timelineOf(named as Shipment, screenOf(width))
          for (const line of text.trimEnd().split('\n')) expect([line, widthOf(line) <= width]).toEqual([line, true])
          expect(text).toContain(whole.id)
          expect(text).not.toMatch(/undefined|null|NaN|\[object/)
        },
      ),
    )
  })

  test('says who pays, and whether that is done', () => {
    const cod = { is_cod: true, cod_amount: 1499, total_price: 1499 }
    expect(lineOf({ ...cod, status: 'in_transit' }, 'Parcel')).toContain('COD ₹1,499.00, to be collected')
    expect(lineOf({ ...cod, status: 'delivered' }, 'Parcel')).toContain('COD ₹1,499.00, collected')
    expect(lineOf({ ...cod, status: 'rto_delivered' }, 'Parcel')).toContain('COD ₹1,499.00, not collected')
    expect(lineOf({ is_cod: false, total_price: 499 }, 'Parcel')).toContain('prepaid ₹499.00')
  })

  test('says how long it has been on its way, and by how much a promise was missed', () => {
    const picked = { milestone: 'picked_up', milestone_at: '2026-09-22T06:30:00Z' }
    const delivered = { milestone: 'delivered', milestone_at: '2026-09-26T06:30:00Z' }
    const on = { status: 'in_transit', shipment_milestones: [picked] }
    expect(lineOf(on, 'Time')).toBe('Time    7 days so far, picked up 22 Sep 12:00')
    expect(lineOf({ ...on, edd: '2026-09-27' }, 'Time')).toMatch(/; promised for 27 Sep, 2 days late$/)
    expect(lineOf({ ...on, expected_delivery_date: '2026-10-02' }, 'Time')).toMatch(/; promised for 02 Oct$/)
    const over = { status: 'delivered', shipment_milestones: [picked, delivered] }
    expect(lineOf(over, 'Time')).toBe('Time    4 days to deliver, picked up 22 Sep 12:00')
    expect(lineOf({ status: 'cancelled' }, 'Time')).toBeUndefined()
  })

  test('has milestones beside scans, and none of them twice', () => {
    const text = textOf({
      shipment_milestones: [
        { milestone: 'picked_up', milestone_at: '2026-09-22T06:30:00Z' },
        { milestone: 'delivered', milestone_at: '2026-09-26T06:30:00Z' },
      ],
      tracking_details: [
        {
          status: 'delivered',
          event_date_time: '2026-09-26T06:30:00Z',
          last_location: 'Pune',
          description: 'Delivered, OTP verified',
        },
      ],
    })
    expect(text.split('\n\n')[1]).toBe(
      '  26 Sep 12:00  Pune  Delivered, OTP verified\n  22 Sep 12:00        Picked up\n',
    )
  })
})
