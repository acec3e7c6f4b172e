// Defends status dumps: couriers' panels show the latest status alone, so that the scans before it are missing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { courierVocabulary } from '../../src/domain/parcels/courierwords.ts'
import { sandbox } from '../support/sandbox.ts'
import { waitingParcels } from '../support/waitingparcels.ts'

const box = sandbox()
let awbs: readonly string[] = []
beforeAll(async () => {
  awbs = await waitingParcels(box, ['D-1', 'D-2', 'D-3', 'D-4', 'D-5'])
})
afterAll(() => box.remove())

let minute = 0
const dump = (...lines: readonly (readonly [awb: string, status: string])[]) => {
  const at = new Date(Date.parse(box.env['SHIPX_NOW']!) + ++minute * 20_000).toISOString()
  const rows = lines.map((line) => `${line.join()},${at}\n`)
  return box.file('dump.csv', `Waybill,Current Status,Scan Date Time\n${rows.join('')}`)
}
const tracked = (file: string, ...more: readonly string[]) =>
  box.shipx(['local', 'track', '--file', file, '--yes', '--force', ...more])

test('a status of words without a space between them was not known', () => {
  const { event } = courierVocabulary({ events: { 'Bag Lost': 'lost' }, reasons: {} })
  expect(event('RTO-Intransit')).toBe('rto_in_transit')
  expect(event('InTransit')).toBe('in_transit')
  expect(event('OUTFORDELIVERY')).toBe('out_for_delivery')
  expect(event('bag-lost')).toBe('lost')
  expect(event('baglost')).toBe('lost')
  expect(event('transit')).toBeUndefined()
})

describe('a status dump', () => {
  test('an RTO of a parcel without a pickup scan was dropped, and the parcel stayed pending', async () => {
    const file = dump([awbs[0]!, 'RTO Initiated'], [awbs[1]!, 'RTO Delivered'], [awbs[2]!, 'RTO In Transit'])
    const { exit, stderr } = await tracked(file)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('✓ 3 scans created on this computer')])
    const { stdout } = await box.shipx(['shipments', 'list', '--status', 'rto_initiated,rto_delivered', '--csv'])
    expect(stdout).toContain(awbs[0]!)
    expect(stdout).toContain(awbs[1]!)
    expect((await box.shipx(['track', awbs[2]!, '--json'])).stdout).toContain('"rto_in_transit"')
  })

  test('the header Status Date was not known as the time of a scan', async () => {
    const file = box.file('dated.csv', `AWB No,Status,Status Date\n${awbs[0]!},Delivered,29/09/2026 14:05\n`)
    const { exit, stdout } = await tracked(file, '--dry-run')
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { dry_run: { create: 1 } }])
  })

  test.each([
    ['Waybill No.', 'Current Status', 'Status Date & Time'],
    ['Waybill No', 'Latest Status', 'Last Updated On'],
    ['Airwaybill', 'Last Scan', 'Last Scan Date'],
    ['Airwaybill No', 'Shipment Status', 'Updated On'],
    ['Tracking ID', 'Status', 'Last Update'],
    ['Docket No', 'Status', 'Status Date/Time'],
  ])('the headers %s, %s and %s of a panel were refused', async (...headers) => {
    const lines = `${headers.join()},Instructions/Remarks\n${awbs[0]!},RTO-Intransit,29/09/2026 14:05,Customer refused\n`
    const { exit, stdout, stderr } = await tracked(box.file('panel.csv', lines), '--dry-run')
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { dry_run: { create: 1 } }])
    expect(stderr).not.toContain('not used')
  })

  test('Instructions/Remarks was not read as the reason', async () => {
    const head = 'Waybill No,Current Status,Status Date & Time,Instructions/Remarks\n'
    const at = box.env['SHIPX_NOW']!
    await tracked(box.file('ndr.csv', `${head}${awbs[3]!},Undelivered,${at},Door locked\n`))
    expect((await box.shipx(['track', awbs[3]!, '--json'])).stdout).toContain('premises_closed')
  })

  test('a reason behind the dash of a status was not known', async () => {
    const words = 'Undelivered - Customer not available'
    const file = dump([awbs[4]!, words])
    expect(JSON.parse((await tracked(file, '--dry-run')).stdout)).toMatchObject({ dry_run: { bad: 0 } })
    await tracked(file)
    expect((await box.shipx(['track', awbs[4]!, '--json'])).stdout).toContain('customer_not_available')
    const unknown = await tracked(dump([awbs[3]!, 'Flown - to the moon']), '--dry-run')
    expect(unknown.stderr).toContain('"Flown - to the moon" is not a known event')
  })

  test('Dispatched of Delhivery, which is out for delivery, was in transit', async () => {
    const file = dump([awbs[0]!, 'Dispatched'])
    const { exit, stderr } = await tracked(file, '--dry-run')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('"Dispatched" is out_for_delivery for some couriers')])
    const words = box.file('delhivery.json', '{"events":{"Dispatched":"out_for_delivery"},"reasons":{}}')
    const told = await tracked(file, '--dry-run', '--words', words)
    expect(JSON.parse(told.stdout)).toMatchObject({ dry_run: { bad: 0 } })
  })

  test('a scan that changes nothing was counted as one that does', async () => {
    const file = dump([awbs[1]!, 'Delivered'], [awbs[3]!, 'Delivered'])
    const { exit, stderr } = await tracked(file)
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining('✓ 1 scan created · 1 kept without effect on this computer'),
    ])
    expect(stderr).toContain('1 scan is kept and changes nothing:')
    const again = await tracked(dump([awbs[1]!, 'Picked up']), '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ data: { created: 0, kept_without_effect: 1 } })
  })

  test('a dry run promised a scan of an AWB that no parcel has', async () => {
    const file = dump([awbs[0]!, 'RTO Delivered'], ['99999999999999', 'Delivered'])
    const { exit, stdout, stderr } = await tracked(file, '--dry-run')
    expect([exit, stderr]).toEqual([7, expect.stringContaining('line 3: no parcel has the tracking number 9999999')])
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: { create: 1, bad: 1 } })
  })

  test('two AWBs in one cell were one tracking number that no parcel has', async () => {
    const file = dump([`${awbs[0]!} / ${awbs[1]!}`, 'Delivered'])
    const { stderr } = await tracked(file, '--dry-run')
    expect(stderr).toContain('several AWBs stand in one cell: write a line for each')
  })
})
