// Defends filters at a deployment that may ignore them: records that do not match are left out, counted once and named, or
// end the command with --strict; and what is no evidence raises no alarm.
import { beforeEach, describe, expect, test } from 'vitest'
import { matchingWalk } from '../../src/client/matching.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { lineTo, startShapes, type Line, type Shapes } from '../support/recordshapes.ts'

const plan = { shipments: 250, returns: 60, stores: 2, days: 20, seed: 9, now: testNow }
const shipments = [...seedShipments(plan)]
const returns = [...seedReturns(plan)]

let remote: Shapes
let line: Line

beforeEach(async () => {
  remote = await startShapes({
    shipments: shipments.map((record) => JSON.stringify(record)),
    returns: returns.map((record) => JSON.stringify(record)),
  })
  line = lineTo(remote)
  return async () => {
    line.remove()
    await remote.close()
  }
})

const shipx = (words: string) => line.shipx(words.split(' '))

/** One record of the kind with other attributes. */
const send = (noun: 'shipments' | 'returns', attributes: object): void => {
  const [record] = noun === 'shipments' ? shipments : returns
  remote.sent[noun] = [JSON.stringify({ ...record, attributes: { ...record!.attributes, ...attributes } })]
}

const [one] = shipments
const a = one!.attributes

test.each([
  [
    'shipments',
    'status',
    '--status ndr_raised',
    shipments.filter(({ attributes }) => attributes.status === 'ndr_raised').length,
  ],
  [
    'shipments',
    'granular_status',
    '--granular-status need_attention',
    shipments.filter(({ attributes }) => attributes.granular_status === 'need_attention').length,
  ],
  ['shipments', 'zone', '--zone e', shipments.filter(({ attributes }) => attributes.zone === 'zone_e').length],
  ['shipments', 'is_cod', '--prepaid', shipments.filter(({ attributes }) => attributes.is_cod === false).length],
  [
    'shipments',
    'carrier_id',
    `--carrier-id ${a.carrier?.id}`,
    shipments.filter(({ attributes }) => attributes.carrier?.id === a.carrier?.id || attributes.carrier == null).length,
  ],
  [
    'shipments',
    'warehouse_ids',
    `--warehouse-ids ${a.warehouse_id}`,
    shipments.filter(({ attributes }) => attributes.warehouse_id === a.warehouse_id).length,
  ],
  [
    'shipments',
    'channel',
    `--channel ${a.order?.channel}`,
    shipments.filter(({ attributes }) => attributes.order?.channel === a.order?.channel).length,
  ],
  [
    'returns',
    'status',
    '--status return_requested',
    returns.filter(({ attributes }) => attributes.status === 'return_requested' || attributes.status === 'lost').length,
  ],
  [
    'returns',
    'refund_status',
    '--refund pending',
    returns.filter(({ attributes }) => attributes.refund_status === 'pending').length,
  ],
] as const)(
  '%s: a deployment that ignores %s is noticed, what does not match is left out and counted once',
  async (noun, field, flags, kept) => {
    const all = remote.sent[noun].length
    expect(kept).toBeLessThan(all)
    const { stdout, stderr, exit } = await shipx(`${noun} list --all --ids ${flags}`)
    expect([exit, stdout.split('\n').length - 1]).toEqual([0, kept])
    expect(stderr.match(/ignores the filter/g)).toHaveLength(1)
    expect(stderr).toContain(`ignores the filter ${field} and sent ${all - kept} records that do not match it`)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`shipx pull, then shipx ${noun} list --local`)
    const strict = await shipx(`${noun} list --all --json --strict ${flags}`)
    expect([strict.stdout, strict.exit]).toEqual(['', 5])
    expect(JSON.parse(strict.stderr)).toMatchObject({ error: { code: 'filter_ignored' } })
  },
)

test('the count of other orders is that of the whole walk, with the way out without --strict too', async () => {
  const wanted = shipments.at(-1)!.attributes.order!.display_id!
  const { stdout, stderr } = await line.shipx(['shipments', 'list', '--all', '--ids', '--order-display-id', wanted])
  expect(stdout).toBe(`${shipments.at(-1)!.id}\n`)
  expect(stderr).toContain('sent 249 records that do not match it')
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/shipx shipments get '?#?\w+/)
})

test('a walk gives what matches while it reads, and keeps none of it', async () => {
  const asked: number[] = []
  const told: string[] = []
  const batches = async function* () {
    for (const n of [1, 2, 3]) {
      asked.push(n)
      yield { records: [`${n}a`, `${n}b`], next: undefined, ignored: ['status', undefined] as const }
    }
  }
  const report = { note: () => void told.push('note'), tell: () => void told.push('tell') }
  const walk = await matchingWalk({ total: 6, batches: batches() }, report)
  expect(walk.total).toBeUndefined()
  const source = walk.batches[Symbol.asyncIterator]()
  expect([(await source.next()).value, asked]).toEqual([{ records: ['1b'], next: undefined }, [1]])
  expect([(await source.next()).value, asked]).toEqual([{ records: ['2b'], next: undefined }, [1, 2]])
  await source.return!()
  expect([asked, told]).toEqual([
    [1, 2],
    ['note', 'note', 'tell'],
  ])
})

test('--limit counts what matches after it too', async () => {
  const delivered = shipments.filter(({ attributes }) => attributes.status === 'delivered')
  const other = shipments.find(({ attributes }) => attributes.status === 'ndr_raised')!
  const many = Array.from({ length: 350 }, (_, n) => ({ ...delivered[0]!, id: `D-${n}` }))
  remote.sent.shipments = [other, ...many, { ...other, id: 'N-2' }].map((record) => JSON.stringify(record))
  const { stdout, stderr } = await shipx('shipments list --limit 120 --json --status delivered')
  const { data, meta } = JSON.parse(stdout) as { data: unknown[]; meta: unknown }
  expect([data.length, meta]).toEqual([120, expect.objectContaining({ per_page: 120, total: 350 })])
  expect(stderr).toContain('sent 2 records that do not match it')
})

test('a walk in which nothing matches says so', async () => {
  remote.sent.shipments = shipments
    .filter(({ attributes }) => attributes.status !== 'delivered')
    .map((record) => JSON.stringify(record))
  const none = await shipx('shipments list --all --json --status delivered')
  expect([JSON.parse(none.stdout), none.exit]).toEqual([{ data: [], meta: expect.objectContaining({ total: 0 }) }, 0])
  const { stdout, stderr } = await shipx('shipments list --all --status delivered')
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('No shipments match: delivered.')])
})

test('records that do not match on a later page alone are left out, and told at the end', async () => {
  const delivered = shipments.filter(({ attributes }) => attributes.status === 'delivered')
  const other = shipments.find(({ attributes }) => attributes.status === 'ndr_raised')!
  const many = Array.from({ length: 150 }, (_, n) => ({ ...delivered[0]!, id: `D-${n}` }))
  remote.sent.shipments = [...many, other].map((record) => JSON.stringify(record))
  const { stdout, stderr } = await shipx('shipments list --all --ids --status delivered')
  expect(stdout.split('\n')).toHaveLength(151)
  expect(stderr).toContain('sent 1 record that does not match it')
  expect((await shipx('shipments list --all --ids --status delivered --strict')).exit).toBe(5)
})

describe('no alarm, the record stays:', () => {
  test.each([
    ['no status', '--status ndr_raised', { status: null, sub_status: null, granular_status: null }],
    [
      'a status that shipx does not know',
      '--status ndr_raised',
      { status: 'Undelivered', sub_status: null, granular_status: null },
    ],
    [
      'a detailed status in its place',
      '--status ndr_raised',
      { status: 'need_attention', sub_status: null, granular_status: null },
    ],
    [
      'a coarse status with a detailed one that fits',
      '--status ndr_raised',
      { status: 'in_transit', sub_status: 'Need Attention', granular_status: null },
    ],
    [
      'a coarse status with a detailed one that shipx does not know',
      '--status ndr_raised',
      { status: 'in_transit', sub_status: 'Consignee out', granular_status: null },
    ],
    [
      'a status in words',
      '--status out_for_delivery',
      { status: 'Out For-Delivery', sub_status: null, granular_status: null },
    ],
    [
      'a granular status that shipx does not know',
      '--granular-status delivered',
      { granular_status: 'DLVD', status: 'in_transit' },
    ],
    [
      'a granular status where the record has it as status',
      '--granular-status need_attention',
      { granular_status: 'ndr_raised', sub_status: 'need_attention' },
    ],
    ['a zone letter', '--zone c', { zone: 'C' }],
    ['a zone of another name', '--zone c', { zone: 'Metro' }],
    ['COD as text', '--cod', { is_cod: 'Y' }],
    ['COD that cannot be read', '--prepaid', { is_cod: 'perhaps' }],
    ['a warehouse as a number', '--warehouse-ids 12', { warehouse_id: 12 }],
    ['a channel in capitals', '--channel shopify', { order: { ...a.order, channel: 'SHOPIFY' } }],
    ['no channel', '--channel shopify', { order: null }],
    ['no courier', '--carrier-id CAR1', { carrier: null }],
    ['a courier as text', '--carrier-id CAR1', { carrier: 'CAR1' }],
    ['an order without its #', '--order-display-id #1200', { order: { ...a.order, display_id: 1200 } }],
    ['a status that only the deployment knows', '--granular-status held', { granular_status: 'in_transit' }],
  ] as const)('%s', async (_, flags, attributes) => {
    send('shipments', attributes)
    for (const way of ['--all', '--limit 20']) {
      const { stdout, stderr, exit } = await shipx(`shipments list ${way} --ids --strict ${flags}`)
      expect([stdout, exit], stderr).toEqual([`${one!.id}\n`, 0])
      expect(stderr).not.toContain('ignores')
    }
  })

  test('a received return, which shows delivered', async () => {
    send('returns', { status: 'delivered', granular_status: null })
    expect((await shipx('returns list --all --ids --strict --status return_received')).exit).toBe(0)
    expect((await shipx('returns list --all --ids --strict --status return_requested')).exit).toBe(5)
  })
})

test('a summary counts as the deployment counts, and says that it may not know the filter', async () => {
  const { stdout, stderr } = await shipx('shipments summary --by zone --csv')
  expect(stdout).toContain('zone_a,250')
  expect(stderr).toContain('it may not know this filter')
  expect(stderr).not.toContain('leaves them out')
})

test('a summary of other records than were asked for is refused, never shown', async () => {
  const { stdout, stderr, exit } = await shipx('shipments summary --zone e --by status --json')
  expect([stdout, exit]).toEqual(['', 5])
  expect(JSON.parse(stderr.split('\n').at(-2)!)).toMatchObject({ error: { code: 'filter_ignored' } })
  expect((await shipx('shipments summary --by zone --csv --strict')).exit).toBe(5)
})
