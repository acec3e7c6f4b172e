// @module-tag full: commands and a receiver over five weeks
// Webhooks hear of disputes: each change once, a deadline that is near and one that passed once, and only those that
// asked for it.
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { startReceiver, type Receiver } from '../../support/receiver.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { contract, shipment } from '../reconcile/invoices.ts'

const head = 'awb,order,zone,weight_g,freight,rto,gst,total'
const weights = ['1001', '1002', '1003'].map((awb) => `${awb},A-${awb},c,900,70,0,12.60,82.60`)

interface Told {
  readonly event: string
  readonly event_timestamp: string
  readonly data: { readonly id: string; readonly status: string; readonly accepted: number | null }
}

const box = sandbox()
afterAll(() => box.remove())
let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

/** Commands of a box at an instant. */
function desk(place: Sandbox, own: Record<string, string> = {}) {
  let now = '2026-10-03T06:30:00Z'
  const run = async (...words: readonly string[]): Promise<Outcome> => {
    const outcome = await place.shipx(words, { env: { ...own, SHIPX_NOW: now } })
    expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, expect.any(String)])
    return outcome
  }
  /** What was posted since the last time, in order. */
  const told = async (): Promise<readonly string[]> => {
    const before = receiver.posts.length
    await run('messages', 'deliver', '--allow-private')
    return receiver.posts
      .slice(before)
      .map(({ json }) => json as unknown as Told)
      .map(({ event, data: { id, status } }) => `${id} ${event} ${status}`)
      .toSorted()
  }
  return { run, told, go: (to: string) => (now = to) }
}

async function story(place: Sandbox, own: Record<string, string>): Promise<void> {
  const { run, told, go } = desk(place, own)
  const keep = (number: string, day: string, lines: readonly string[]) => {
    const file = place.file(`${number}.csv`, [head, ...lines, ''].join('\n'))
    const words = ['--courier', 'Delhivery', '--number', number, '--date', day, '--yes']
    return run('reconcile', 'invoice', file, ...words)
  }
  const parcels = ['1001', '1002', '1003'].map((awb) => shipment(awb)).join('\n')
  await run('local', 'import', 'shipments', place.file('s.jsonl', parcels), '--yes')
  await run('local', 'warehouse', 'set', 'WH1', '400001')
  await run('ratecard', 'import', place.file('contract.json', JSON.stringify(contract())), '--use')
  await run('courier', 'policy', 'set', 'Delhivery', 'weight_window=5d', 'weight_from=invoice')
  await run('webhooks', 'set', receiver.url, '--allow-private', '--events', 'disputes')
  await keep('SEP', '2026-10-03', weights)
  await run('disputes', 'create')
  expect(await told()).toEqual([])
  await run('disputes', 'set', 'D1', '--status', 'raised')
  expect(await told()).toEqual(['D0000001 dispute_raised raised'])

  // The 8th of October is the last day: from the 6th to its end it is near.
  go('2026-10-07T06:30:00Z')
  expect(await told()).toEqual(['D0000002 dispute_deadline_near found', 'D0000003 dispute_deadline_near found'])
  expect(await told()).toEqual([])
  go('2026-10-09T06:30:00Z')
  await run('disputes', 'set', 'D2', '--status', 'raised', '--late')
  expect(await told()).toEqual([
    'D0000002 dispute_lapsed lapsed',
    'D0000002 dispute_raised raised',
    'D0000003 dispute_lapsed lapsed',
  ])
  expect(await told()).toEqual([])

  // A longer window by the contract: the deadline moves, and is near and over once more.
  await run('courier', 'policy', 'set', 'Delhivery', 'weight_window=7d')
  await run('disputes', 'create')
  expect(await told()).toEqual(['D0000003 dispute_deadline_near found', 'D0000003 dispute_found found'])
  go('2026-10-20T06:30:00Z')
  expect(await told()).toEqual(['D0000003 dispute_lapsed lapsed'])

  await run('disputes', 'set', 'D1', '--status', 'accepted')
  await run('disputes', 'set', 'D2', '--status', 'rejected')
  expect(await told()).toEqual(['D0000001 dispute_accepted accepted', 'D0000002 dispute_rejected rejected'])
  await keep('OCT', '2026-11-03', ['1001,A-1001,c,900,-30,0,-5.40,-35.40'])
  expect(await told()).toEqual(['D0000001 dispute_credited credited'])
  await run('disputes', 'set', 'D1', 'D2', 'D3', '--status', 'closed')
  expect(await told()).toEqual(['D1', 'D2', 'D3'].map((id) => `D000000${id[1]!} dispute_closed closed`))
  const { stdout } = await run('messages', 'list', '--step', 'dispute', '--all', '--jsonl')
  expect(stdout.trim().split('\n')).toHaveLength(15)
}

test('webhooks heard nothing of disputes', async () => {
  await story(box, {})
})

test('webhooks hear of disputes on PostgreSQL as they do on SQLite', async () => {
  const own = await testDatabase()
  const place = sandbox()
  try {
    await story(place, { SHIPX_DATABASE_URL: own.url })
  } finally {
    place.remove()
    await own.drop()
  }
})
