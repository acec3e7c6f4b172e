// Defends what a courier's words say of the way back: an RTO is never told as a delivery (docs/reference/tracking.md).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { courierVocabulary, nearestEvent, statusIn, turnedBy } from '../../src/domain/parcels/courierwords.ts'
import { sandbox } from '../support/sandbox.ts'
import { waitingParcels } from '../support/waitingparcels.ts'

const words = courierVocabulary()

describe('a status and what is behind its dash', () => {
  test.each([
    'Delivered - RTO',
    'Delivered - returned to origin',
    'Delivered - Returned to shipper',
    'Delivered - to seller',
    'Delivered - Failed',
    'Delivered - refused',
    'In Transit - RTO',
    'Out for Delivery - RTO',
    'Undelivered - RTO',
    'Undelivered - Customer refused, RTO',
    'Undelivered - not available, returned to seller',
    'Undelivered - who knows',
    'Pickup failed - RTO',
  ])('%s was read without its second half', (status) => {
    expect(statusIn(status, words).event).toBeUndefined()
  })

  test.each([
    ['RTO - Delivered', 'rto_delivered', undefined],
    ['Undelivered - Customer not available', 'attempt_failed', 'Customer not available'],
    ['Pickup failed - Seller not available', 'not_picked', 'Seller not available'],
    ['RTO Initiated - Customer refused, returned to seller', 'rto_initiated', 'Customer refused, returned to seller'],
  ])('%s is %s', (status, event, reason) => {
    expect(statusIn(status, words)).toEqual({ event, ...(reason === undefined ? {} : { reason }) })
  })

  test('the whole of it is a word that --words can name', () => {
    const own = courierVocabulary({ events: { 'Delivered - RTO': 'rto_delivered' }, reasons: {} })
    expect(statusIn('DELIVERED - RTO', own).event).toBe('rto_delivered')
  })
})

test.each([
  ['delivered', 'RTO delivered to seller', 'rto_delivered'],
  ['delivered', 'Returned to the shipper', 'rto_delivered'],
  ['delivered', 'Delivered to seller', 'rto_delivered'],
  ['in_transit', 'Customer not available, RTO', 'rto_in_transit'],
  ['attempt_failed', 'Refused. RTO marked', 'rto_initiated'],
  ['attempt_failed', "Don't mark RTO, customer wants it", undefined],
  ['in_transit', 'Left the origin hub', undefined],
  ['delivered', 'Delivered to customer', undefined],
  ['rto_delivered', 'RTO delivered to seller', undefined],
] as const)('%s beside "%s" may be %s', (event, remark, turned) => {
  expect(turnedBy(remark, event)).toBe(turned)
})

test.each([
  'Never Delivered',
  'Not Deliverd',
  'In Transit (Return)',
  'Delivered to origin',
  'Delivered - RTO',
  'RTO attempt failed',
])('%s got an advice to write the opposite', (word) => {
  expect(nearestEvent(word)).toBeUndefined()
})

test.each([
  ['deliverd', 'delivered'],
  ['attempt_faild', 'attempt_failed'],
  ['rto_deliverd', 'rto_delivered'],
  ['return_deliverd', 'return_delivered'],
  ['not_pickd', 'not_picked'],
])('%s is near to %s', (word, event) => {
  expect(nearestEvent(word)).toBe(event)
})

test.each([
  ['Not Delivered', 'attempt_failed'],
  ['Shipment Out For Delivery', 'out_for_delivery'],
  ['Shipment Picked Up', 'picked_up'],
  ['Shipment In Transit', 'in_transit'],
  ['PKD', 'picked_up'],
  ['shipment_rto_created', 'rto_initiated'],
])('%s of couriers was not known', (word, event) => {
  expect(words.event(word)).toBe(event)
})

describe('a file', () => {
  const box = sandbox()
  let awb = ''
  beforeAll(async () => {
    awb = (await waitingParcels(box, ['R-1']))[0]!
  })
  afterAll(() => box.remove())

  test('Delivered beside "RTO delivered to seller" was a delivery, and the customer was told so', async () => {
    const at = box.env['SHIPX_NOW']!
    const head = 'AWB,Status,Scan Date Time,Remarks\n'
    const file = box.file('mis.csv', `${head}${awb},Delivered,${at},RTO delivered to seller\n`)
    const sentence =
      'delivered with the remark "RTO delivered to seller" may be delivered or rto_delivered: write rto_delivered as ' +
      'the event, or the remark without the RTO'
    const rehearsed = await box.shipx(['local', 'track', '--file', file, '--dry-run'])
    expect([rehearsed.exit, rehearsed.stderr]).toEqual([2, expect.stringContaining(`line 2: ${sentence}`)])
    const { exit, stderr } = await box.shipx(['local', 'track', '--file', file, '--yes'])
    expect([exit, stderr]).toEqual([expect.any(Number), expect.stringContaining(sentence)])
    expect((await box.shipx(['track', awb, '--json'])).stdout).not.toContain('"delivered"')
    const one = await box.shipx(['local', 'track', awb, 'delivered', '--reason', 'RTO delivered to seller'])
    expect([one.exit, one.stderr]).toEqual([2, expect.stringContaining(`--reason: ${sentence}`)])
  })

  test('Delivered - RTO was a delivery', async () => {
    const file = box.file('dash.csv', `AWB,Status,Scan Date Time\n${awb},Delivered - RTO,${box.env['SHIPX_NOW']!}\n`)
    const { exit, stderr } = await box.shipx(['local', 'track', '--file', file, '--dry-run'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('"Delivered - RTO" is not a known event; name it with')])
  })
})
