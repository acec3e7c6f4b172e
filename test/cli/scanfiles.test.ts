// Defends files of scans that contradict what is kept, or leave something out: shipx says so, and loses none.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { sandbox } from '../support/sandbox.ts'
import { waitingParcels } from '../support/waitingparcels.ts'

const box = sandbox()
let awbs: readonly string[] = []
beforeAll(async () => {
  const ids = Array.from({ length: 12 }, (_, n) => `F-${n + 1}`)
  awbs = await waitingParcels(box, ids, '2026-09-20T04:30:00Z')
})
afterAll(() => box.remove())

let files = 0
const tracked = (head: string, lines: readonly string[], ...more: readonly string[]) => {
  const file = box.file(`scans${++files}.csv`, `${head}\n${lines.join('\n')}\n`)
  return box.shipx(['local', 'track', '--file', file, '--yes', '--force', ...more])
}
interface Shown {
  readonly data: { readonly attributes: { readonly granular_status: string; readonly attempt_count: number } }
}
const parcel = async (awb: string) =>
  (JSON.parse((await box.shipx(['shipments', 'get', awb, '--json'])).stdout) as Shown).data.attributes

test('the same failed attempt with another place and remark was two attempts and two messages', async () => {
  const [awb] = awbs
  const first = await tracked('AWB,Status,Date,Remarks', [`${awb},Undelivered,27/09/2026 18:00,Door Locked`])
  expect(first.stderr).toContain('✓ 1 scan created')
  const dump = [`${awb},Undelivered,27/09/2026 18:00,DOOR LOCKED,Pune`]
  const rehearsed = await tracked('AWB,Status,Date,Remarks,Location', dump, '--dry-run')
  expect(JSON.parse(rehearsed.stdout)).toMatchObject({ dry_run: { create: 0, unchanged: 1 } })
  const again = await tracked('AWB,Status,Date,Remarks,Location', dump)
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('1 scan unchanged')])
  expect(await parcel(awb!)).toMatchObject({ granular_status: 'ndr_raised', attempt_count: 1 })
})

describe('a day without a time', () => {
  test('an NDR of a day without a time came before that morning and was lost', async () => {
    const [, awb] = awbs
    await tracked('AWB,Status,Date', [`${awb},OFD,27/09/2026 09:15`])
    const { stderr } = await tracked('AWB,Status,Date', [`${awb},Undelivered,27/09/2026`])
    expect(stderr).toContain('✓ 1 scan created')
    expect(stderr).toContain('1 row has a day and no time; shipx takes the end of that day (now, if it is today)')
    expect(await parcel(awb!)).toMatchObject({ granular_status: 'ndr_raised', attempt_count: 1 })
    const again = await tracked('AWB,Status,Date', [`${awb},Undelivered,27/09/2026`])
    expect(again.stderr).toContain('1 scan unchanged')
  })

  test('today is now, and events of one day follow in the order of a journey', async () => {
    const awb = awbs[2]!
    const lines = ['Delivered', 'In Transit', 'OFD'].map((status) => `${awb},${status},29/09/2026`)
    const { exit, stderr } = await tracked('AWB,Status,Date', lines)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('✓ 3 scans created on this computer')])
    expect(await parcel(awb)).toMatchObject({ granular_status: 'delivered', attempt_count: 1 })
  })

  test('a future day without a time was taken as now, and the parcel was delivered', async () => {
    const awb = awbs[4]!
    for (const day of ['09/11/2026', '30/09/2026', '09/11/2026 14:05']) {
      const file = await tracked('AWB,Status,Date', [`${awb},Delivered,${day}`])
      expect([file.exit, file.stderr]).toEqual([
        2,
        expect.stringMatching(/2026-\d\d-\d\d \d\d:\d\d IST is in the future/),
      ])
    }
    const one = await box.shipx(['local', 'track', awb, 'delivered', '--at', '2027-01-05'])
    expect([one.exit, one.stderr]).toEqual([2, expect.stringContaining('2027-01-05 23:59 IST is in the future')])
    expect(await parcel(awb)).toMatchObject({ granular_status: 'ready_for_pickup' })
  })

  test('an hour is taken as it is, and nothing is said', async () => {
    const { stderr } = await tracked('AWB,Status,Date', [`${awbs[3]!},OFD,27/09/2026 00:00`])
    expect(stderr).not.toContain('no time')
  })

  test('--at with a day was its first moment', async () => {
    const awb = awbs[4]!
    await box.shipx(['local', 'track', awb, 'out_for_delivery', '--at', '2026-09-27 09:15'])
    await box.shipx(['local', 'track', awb, 'attempt_failed', '--at', '2026-09-27'])
    expect(await parcel(awb)).toMatchObject({ granular_status: 'ndr_raised' })
  })
})

describe('event ids', () => {
  test('ids that count per parcel lost the scans of all parcels but one', async () => {
    const [one, two] = [awbs[5]!, awbs[6]!]
    const head = 'AWB,Status,Date,Event ID'
    const lines = [`${one},Picked up,27/09/2026 10:00,1`, `${two},Picked up,27/09/2026 11:00,1`]
    const rehearsed = await tracked(head, lines, '--dry-run')
    const fault =
      `the event id 1 is another scan's already (picked_up of ${one}, 2026-09-27 10:00): give each scan an id ` +
      'of its own, or none'
    expect(rehearsed.stderr).toContain(`line 3: ${fault}`)
    const both = await tracked(head, lines)
    expect([both.exit, both.stderr]).toEqual([7, expect.stringContaining(fault)])
    // In a file of its own, against what is kept.
    const later = await tracked(head, [lines[1]!])
    expect(later.stderr).toContain(`the event id 1 is another scan's already (picked_up of ${one}`)
    const other = await tracked(head, [`${one},OFD,28/09/2026 09:00,1`])
    expect(other.stderr).toContain("the event id 1 is another scan's already (picked_up of this parcel")
    const same = await tracked(head, [lines[0]!])
    expect([same.exit, same.stderr]).toEqual([0, expect.stringContaining('1 scan unchanged')])
    const words = ['local', 'track', two, 'picked_up', '--event-id', '1', '--at', '2026-09-27 11:00']
    const single = await box.shipx(words)
    expect([single.exit, single.stderr]).toEqual([2, expect.stringContaining('--event-id: the event id 1 is another')])
  })

  test('an id of a day without a time is the same on the next day', async () => {
    const line = `${awbs[7]!},Undelivered,29/09/2026,D-9`
    await tracked('AWB,Status,Date,Event ID', [line])
    const file = box.file('again.csv', `AWB,Status,Date,Event ID\n${line}\n`)
    const next = await box.shipx(['local', 'track', '--file', file, '--yes'], {
      env: { SHIPX_NOW: '2026-09-30T08:30:00Z' },
    })
    expect([next.exit, next.stderr]).toEqual([0, expect.stringContaining('1 scan unchanged')])
  })
})

test('a late scan took the effect of a delivery without a word', async () => {
  const [one, two] = [awbs[8]!, awbs[9]!]
  await tracked('AWB,Status,Date', [`${one},Delivered,27/09/2026 12:00`, `${two},Delivered,27/09/2026 12:00`])
  const { stderr } = await tracked('AWB,Status,Date', [`${one},RTO Initiated,27/09/2026 11:00`])
  expect(stderr).toContain(
    `1 scan kept before has lost its effect:\n${one}: delivered of 2026-09-27 12:00 cannot follow rto_initiated of ` +
      '2026-09-27 11:00, and changes nothing now',
  )
  const single = await box.shipx(['local', 'track', two, 'rto_initiated', '--at', '2026-09-27 11:00'])
  expect(single.stderr).toContain('delivered of 2026-09-27 12:00 cannot follow rto_initiated of 2026-09-27 11:00')
  expect(JSON.parse(single.stdout)).toMatchObject({ data: { displaced: [{ event: 'delivered' }] } })
})

test('the note of a scan without effect named a status of now and steps of another one', async () => {
  const awb = awbs[10]!
  await tracked('AWB,Status,Date', [`${awb},Delivered,27/09/2026 12:00`])
  const { stderr } = await tracked('AWB,Status,Date', [`${awb},Reattempt,27/09/2026 10:00`])
  expect(stderr).toContain(
    `${awb}: reattempt cannot follow; the parcel was ready_for_pickup then, and is delivered now; possible then: `,
  )
  const final = await tracked('AWB,Status,Date', [`${awb},Picked up,28/09/2026 10:00`])
  expect(final.stderr).toContain(`${awb}: picked_up cannot follow; the parcel is delivered, which is final`)
})

test('more scans than a transaction has, in no order and with unknown parcels: none is lost, none comes twice', async () => {
  const own = sandbox()
  const ids = Array.from({ length: 14 }, (_, n) => `M-${n + 1}`)
  const numbers = [...(await waitingParcels(own, ids, '2026-09-20T04:30:00Z')), '900000000001', '900000000002']
  const scans = Array.from({ length: 4800 }, (_, n) => {
    const minute = String((n * 7) % 60).padStart(2, '0')
    return `${numbers[(n * 11) % numbers.length]!},In Transit,2${1 + (n % 6)}/09/2026 12:${minute},Hub ${n}`
  })
  const file = own.file('many.csv', `AWB,Status,Date,Location\n${scans.join('\n')}\n`)
  const { exit, stderr } = await own.shipx(['local', 'track', '--file', file, '--yes'])
  expect([exit, stderr]).toEqual([7, expect.stringContaining('4,200 scans created')])
  expect(stderr).toContain('600 failed')
  const { stdout } = await own.shipx(['shipments', 'list', '--all', '--jsonl'])
  const kept = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Shipment).attributes)
  const counts = kept.map(({ tracking_number, tracking_details }) => [tracking_number, tracking_details?.length])
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(numbers.slice(0, 14).map((number) => [number, 300])))
  const failed = readFileSync(file.replace('.csv', '.failed.csv'), 'utf8').trim().split('\n').slice(1)
  expect(failed.map((line) => line.slice(0, 12))).toEqual(
    scans.map((line) => line.split(',')[0]!).filter((number) => number.startsWith('90000000000')),
  )
  const again = await own.shipx(['local', 'track', '--file', file, '--yes', '--force'])
  expect(again.stderr).toContain('4,200 scans unchanged')
  own.remove()
})
