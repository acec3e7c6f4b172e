// Defends work lists: many shipments by what people call them, in order and with the missing ones told; parcels without a
// scan; failed deliveries and how urgent they are; all of it embedded, on PostgreSQL and over HTTP, where it can be.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { first } from '../support/size.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { dayMs, isoOf } from '../../src/domain/time.ts'
import { openStatuses } from '../../src/domain/parcels/statuses.ts'
import { lastScanAt, stuckOf, undeliveredOf, undeliveredOrder, type Stuck } from '../../src/domain/parcels/worklists.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { stuckShipments } from '../../src/engine/records/stuck.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { startService, type TestService } from '../support/service.ts'

const plan: SeedPlan = { shipments: 700, returns: 30, stores: 5, days: 40, seed: 3, now: testNow }
const all = [...seedShipments(plan)]

let box: Sandbox
let service: TestService
let remote: Readonly<Record<string, string>>
/** The same database, embedded. */
let embedded: Readonly<Record<string, string>>

beforeAll(async () => {
  box = sandbox()
  const path = join(box.folder, 'served.sqlite')
  service = await startService({ path, readers: 0 })
  await service.engine.save('shipment', all)
  const now = { SHIPX_NOW: isoOf(testNow) }
  remote = { ...now, SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
  embedded = { ...now, SHIPX_DB: path }
})
afterAll(async () => {
  await service.close()
  box.remove()
})

type Json = Readonly<Record<string, unknown>>
const lines = ({ stdout }: Outcome): readonly Json[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json)
const failure = ({ stderr }: Outcome) =>
  (
    JSON.parse(stderr.trim().split('\n').at(-1)!) as {
      error: { code: string; exit_code: number; details: readonly { message: string; row: number | null }[] }
    }
  ).error
const both = (): readonly Readonly<Record<string, string>>[] => [embedded, remote]

describe('many shipments at once', () => {
  const withAwb = all.filter(({ attributes: a }) => a.tracking_number != null)
  /** What people have in their sheets: AWBs, ids, numbers of orders, in any order. */
  const picked = withAwb.filter((_, i) => i % 9 === 0)
  const named = picked.map(
    ({ id, attributes: a }, i) => [a.tracking_number!, id, a.order!.display_id!, a.order!.id!][i % 4]!,
  )

  test('are found by every name that they have, in the order of the file', { tags: ['full'] }, async () => {
    writeFileSync(join(box.folder, 'awbs.txt'), `\ufeffAWB\r\n${named.join('\r\n')}\r\n\r\n`)
    for (const env of both()) {
      const outcome = await box.shipx(['shipments', 'get', '--file', 'awbs.txt', '--jsonl', '-q'], { env })
      expect([outcome.stderr, outcome.exit]).toEqual(['', 0])
      expect(lines(outcome).map((record) => record['id'])).toEqual(picked.map(({ id }) => id))
    }
  })

  test('are listed again where they are asked for again, and cells of Excel are read', { tags: ['full'] }, async () => {
    const [a, b] = [picked[0]!, picked[1]!]
    const input = `="${a.attributes.tracking_number!}"\n"${b.id}"\n  ${a.id}  \n`
    for (const env of both()) {
      const outcome = await box.shipx(['shipments', 'get', '--file', '-', '--ids', '-q'], { env, input })
      expect(outcome.stdout).toBe(`${a.id}\n${b.id}\n${a.id}\n`)
    }
  })

  test(
    'are found under a header in other words, and with the mark that spreadsheets put before digits',
    { tags: ['full'] },
    async () => {
      const [a, b] = picked.filter(({ attributes }) => /^\d+$/.test(attributes.tracking_number!))
      const input = `Order No.\n'${a!.attributes.tracking_number!}\n${b!.attributes.tracking_number!}\n`
      for (const env of both()) {
        const outcome = await box.shipx(['shipments', 'get', '--file', '-', '--ids', '-q'], { env, input })
        expect([outcome.stdout, outcome.stderr]).toEqual([`${a!.id}\n${b!.id}\n`, ''])
      }
    },
  )

  test(
    'are found in a sheet of many columns, such as our own list, by the first column of ours that has a value',
    { tags: ['full'] },
    async () => {
      const list = await box.shipx(['shipments', 'list', '--limit', '30', '--excel', '-q'], { env: embedded })
      const ids = await box.shipx(['shipments', 'list', '--limit', '30', '--ids', '-q'], { env: embedded })
      writeFileSync(join(box.folder, 'list.csv'), list.stdout)
      const found = await box.shipx(['shipments', 'get', '--file', 'list.csv', '--ids', '-q'], { env: embedded })
      expect([found.stderr, found.stdout]).toEqual(['', ids.stdout])
      const [a, b] = [picked[0]!, picked[1]!]
      const orders = `Name;Order No;AWB\nAsha;${a.attributes.order!.display_id!};\nRavi;none;'${b.attributes.tracking_number!}\n`
      for (const env of both()) {
        const outcome = await box.shipx(['shipments', 'get', '--file', '-', '--ids', '-q'], { env, input: orders })
        expect([outcome.stderr, outcome.stdout]).toEqual(['', `${a.id}\n${b.id}\n`])
      }
    },
  )

  test.each(
    first(1, [
      ['name,city\nAsha,Pune\n', 'line 1 standard input: has several columns; keep one column, or add a header: awb'],
      ['AWB\n1\n1,2\n', 'line 3 standard input: has several columns; keep one column, or add a header: awb'],
      [`AWB\n${'1'.repeat(300)}\n`, 'line 2 standard input: "111'],
      ['AWB\n3.48E+13\n', 'line 2 standard input: "3.48E+13" is a number that a spreadsheet has rounded'],
    ]),
  )('in a file that cannot be read name its line: %j', async (input, said) => {
    const { stderr, stdout, exit } = await box.shipx(['shipments', 'get', '--file', '-'], { env: embedded, input })
    expect([stdout, exit, stderr]).toEqual(['', 2, expect.stringContaining(said)])
  })

  test('some of which are not there: those are told, exit 7', { tags: ['full'] }, async () => {
    const input = `${named[0]!}\nNO-1\n${named[1]!}\nNO-2\u001b[31m\n`
    for (const env of both()) {
      const outcome = await box.shipx(['shipments', 'get', '--file', '-', '--json', '-q'], { env, input })
      expect(outcome.exit).toBe(7)
      const { data } = JSON.parse(outcome.stdout) as { data: readonly Json[] }
      expect(data.map(({ id }) => id)).toEqual([picked[0]!.id, picked[1]!.id])
      expect(failure(outcome)).toMatchObject({
        code: 'partial',
        details: [
          { message: 'NO-1', row: 2 },
          { message: expect.stringContaining('NO-2'), row: 4 },
        ],
      })
      const told = await box.shipx(['shipments', 'get', '--file', '-', '-q'], { env, input })
      expect(told.stderr).toContain('2 of 4 shipments not found')
      expect(told.stderr).toContain('line 2: NO-1')
      expect(told.stderr).not.toContain('\u001b[31m')
    }
  })

  test('none of which is there: exit 3', { tags: ['full'] }, async () => {
    for (const env of both()) {
      const outcome = await box.shipx(['shipments', 'get', 'NO-1', 'NO-2', '--json', '-q'], { env })
      expect([outcome.exit, failure(outcome).code, outcome.stdout]).toEqual([3, 'not_found', ''])
    }
  })

  test('as arguments, in each format; one alone is shown as ever', { tags: ['full'] }, async () => {
    const [a, b] = [named[4]!, named[3]!]
    const csv = await box.shipx(['shipments', 'get', a, b, '--csv', '--fields', 'id', '-q'], { env: embedded })
    expect(csv.stdout).toBe(`id\n${picked[4]!.id}\n${picked[3]!.id}\n`)
    const one = await box.shipx(['shipments', 'get', a, '--json', '-q'], { env: embedded })
    expect((JSON.parse(one.stdout) as { data: { id: string } }).data.id).toBe(picked[4]!.id)
  })

  test.each(
    first(2, [
      [['shipments', 'get'], '<shipment>'],
      [['shipments', 'get', 'x', '--file', 'y'], '--file'],
      [['shipments', 'get', '--file', 'nowhere.txt'], 'no such file'],
      [['shipments', 'get', 'x', 'y', '--concurrency', '0'], '--concurrency'],
      [['shipments', 'get', 'x', 'y', '--max-rps', '0'], '--max-rps'],
      [['returns', 'get', 'x', 'y'], 'too many'],
    ]),
  )('%j is refused', async (args, why) => {
    const outcome = await box.shipx(args, { env: embedded })
    expect([outcome.exit, outcome.stdout]).toEqual([2, ''])
    expect(outcome.stderr).toContain(why)
  })

  test('that nobody knows leave the output of every format whole', { tags: ['full'] }, async () => {
    for (const format of ['--json', '--jsonl', '--csv']) {
      const none = await box.shipx(['shipments', 'summary', '--search', 'nobody-at-all', format, '-q'], {
        env: embedded,
      })
      expect(none.stdout).toBe(
        format === '--json' ? '{"data":[]}\n' : format === '--jsonl' ? '' : `${none.stdout.split('\n')[0]!}\n`,
      )
      expect(none.exit).toBe(0)
    }
  })

  test('an empty file is refused', async () => {
    const outcome = await box.shipx(['shipments', 'get', '--file', '-'], { env: embedded, input: '\n\nAWB\n' })
    expect([outcome.exit, outcome.stdout]).toEqual([2, ''])
  })

  test('a deployment is asked no faster than it may be', { tags: ['full'] }, async () => {
    const input = named.slice(0, 12).join('\n')
    const outcome = await box.shipx(
      ['shipments', 'get', '--file', '-', '--ids', '-q', '--max-rps', '10', '--concurrency', '8'],
      { env: remote, input },
    )
    expect(outcome.exit).toBe(0)
    expect(outcome.took).toBeGreaterThan(1100)
  })
})

/** Parcels entered today, of which the first three have old scans or milestones of the courier. */
function enteredLate(): readonly Shipment[] {
  const ago = (days: number): string => isoOf(testNow - days * dayMs)
  const moved = [
    { milestone: 'ready_for_pickup', milestone_at: ago(0) },
    { milestone: 'picked_up', milestone_at: ago(3.5) },
  ]
  const ready = moved.slice(0, 1)
  const scans = [{ id: 'a', status: 'in_transit', event_date_time: ago(3) }]
  const parcel = (id: string, fields: object) => ({
    ...all[0]!,
    id,
    attributes: { ...all[0]!.attributes, tracking_number: id, created_at: ago(0), status: 'in_transit', ...fields },
  })
  return [
    parcel('late-1', { shipment_milestones: moved, tracking_details: scans }),
    parcel('late-2', { shipment_milestones: ready, tracking_details: scans }),
    parcel('late-3', { shipment_milestones: moved, tracking_details: [] }),
    parcel('late-4', { shipment_milestones: ready, tracking_details: [] }),
  ] as unknown as readonly Shipment[]
}

describe('parcels without a scan', () => {
  let engines: readonly TestEngine[] = []
  beforeAll(async () => {
    engines = [await openEngine(), await openPostgresEngine()]
    for (const engine of engines) {
      await engine.save('shipment', all)
      await (await engine.as('neighbour')).save('shipment', all.slice(0, 200))
    }
  })
  afterAll(() => Promise.all(engines.map((engine) => engine.close())))

  /** The last time of a record that its courier told, else when it was ready or made. */
  function heard({ attributes: a }: Shipment): number {
    const ready = a.shipment_milestones!.filter(({ milestone }) => milestone === 'ready_for_pickup')
    const told = [
      ...a.tracking_details!.map((scan) => scan.event_date_time),
      ...a.shipment_milestones!.filter((one) => !ready.includes(one)).map((one) => one.milestone_at),
    ]
    const own = ready.length === 0 ? [a.created_at] : ready.map((one) => one.milestone_at)
    return Math.max(...(told.length === 0 ? own : told).map((text) => Date.parse(text!)))
  }

  test.each([
    [{}, () => true],
    [{ zone: ['zone_d'] }, ({ attributes: a }: Shipment) => a.zone === 'zone_d'],
    [{ status: 'in_transit' }, ({ attributes: a }: Shipment) => a.status === 'in_transit'],
    [{ status: 'delivered' }, () => false],
    [
      { is_cod: true, attempts_count__gte: 1 },
      ({ attributes: a }: Shipment) => a.is_cod === true && a.attempt_count! >= 1,
    ],
  ] as const)('under %j are all that nobody has heard of, on both databases', async (raw, keeps) => {
    for (const days of [0, 1, 3, 7]) {
      const before = testNow - days * dayMs
      const wanted = all.filter(
        (record) =>
          keeps(record) &&
          (openStatuses as readonly unknown[]).includes(record.attributes.status) &&
          record.attributes.tracking_number != null &&
          heard(record) <= before,
      )
      for (const { database, account } of engines) {
        const found: Stuck[] = []
        const place = { dialect: database.dialect, account }
        for await (const part of stuckShipments(database, place, parseInput('listShipments', raw), {
          before,
          now: testNow,
        }))
          found.push(...part.stuck)
        expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
      }
      if (days === 1 && Object.keys(raw).length === 0) expect(wanted.length).toBeGreaterThan(5)
    }
  })

  test('are listed by courier, the oldest first, phones masked', { tags: ['full'] }, async () => {
    const outcome = await box.shipx(['shipments', 'stuck', '--days', '1', '--jsonl', '-q'], { env: embedded })
    const found = lines(outcome) as unknown as readonly Stuck[]
    const couriers = found.map(({ courier }) => courier!)
    expect(couriers).toEqual(couriers.toSorted())
    expect(new Set(couriers).size).toBeGreaterThan(2)
    for (const [i, one] of found.entries()) {
      const next = found[i + 1]
      if (next?.courier === one.courier)
        expect(Date.parse(next.last_scan_at!)).toBeGreaterThanOrEqual(Date.parse(one.last_scan_at!))
    }
    expect(found.every(({ phone }) => /^\d{10}$/.test(phone!))).toBe(true)
    const table = await box.shipx(['shipments', 'stuck', '--days', '1d', '--limit', '2', '--wide'], {
      env: { ...embedded, SHIPX_FORCE_TTY: '200', NO_COLOR: '1' },
    })
    expect(table.stdout).toContain('••••••')
    expect(table.stderr).toContain('without a scan for 1 day or more')
    expect(table.stdout).not.toContain(found[0]!.phone!)
    const shown = await box.shipx(['shipments', 'stuck', '--days', '1', '--show-pii'], {
      env: { ...embedded, SHIPX_FORCE_TTY: '200', NO_COLOR: '1' },
    })
    expect(shown.stdout).toContain(found[0]!.phone!)
  })

  test('need a mirror on a deployment', { tags: ['full'] }, async () => {
    const outcome = await box.shipx(['shipments', 'stuck', '--json', '-q'], { env: remote })
    expect([outcome.exit, failure(outcome).code, outcome.stdout]).toEqual([2, 'not_supported', ''])
  })

  test('a parcel that a courier was told of and never saw counts from when it was made', () => {
    const made = testNow - 5 * dayMs
    const record = { id: 'x', attributes: { created_at: isoOf(made), status: 'pending' } } as Shipment
    const told = (last_scan_at: number | null) =>
      stuckOf(record, { last_scan_at, created_at: made }, testNow - 3 * dayMs, testNow)
    expect(told(null)).toMatchObject({ last_scan_at: null, days: 5 })
    expect(told(testNow - dayMs)).toBeUndefined()
  })

  test('a parcel imported today whose last scan is 3 days old is stuck: the import is no scan', async () => {
    const late = enteredLate()
    expect(late.map((one) => lastScanAt(one))).toEqual([3, 3, 3.5, 0].map((days) => testNow - days * dayMs))
    for (const engine of engines) {
      const other = await engine.as('late')
      await other.save('shipment', late)
      const place = { dialect: engine.database.dialect, account: other.account }
      const asked = { before: testNow - 2 * dayMs, now: testNow }
      const found: (readonly [string, number | null])[] = []
      for await (const { stuck } of stuckShipments(engine.database, place, parseInput('listShipments', {}), asked))
        found.push(...stuck.map(({ id, days }) => [id, days] as const))
      expect(found.toSorted()).toEqual([
        ['late-1', 3],
        ['late-2', 3],
        ['late-3', 3],
      ])
    }
  })
})

describe('failed deliveries', () => {
  const failed = all.filter(({ attributes: a }) => a.status === 'ndr_raised')

  test('are all there, the most urgent first, the same embedded and over HTTP', async () => {
    expect(failed.length).toBeGreaterThan(3)
    const [here, there] = await Promise.all(
      both().map((env) => box.shipx(['shipments', 'ndr', '--jsonl', '-q'], { env })),
    )
    expect(here!.stdout).toBe(there!.stdout)
    const wanted = failed.map((record) => undeliveredOf(record, testNow)).toSorted(undeliveredOrder)
    expect(lines(here!)).toEqual(wanted.map((one) => ({ ...one })))
    expect(wanted.map(({ days_left }) => days_left)).toEqual(
      wanted.map(({ days_left }) => days_left).toSorted((a, b) => a! - b!),
    )
  })

  test('the list held every record: 1,500 of 40 KB ran out of memory', { tags: ['full'] }, async () => {
    const path = join(box.folder, 'large.sqlite')
    const { engine, close } = await startService({ path, readers: 0 })
    const remarks = 'x'.repeat(40_000)
    const large = Array.from({ length: 1500 }, (_, i) => {
      const { attributes } = failed[i % failed.length]!
      return { ...failed[0]!, id: `large-${i}`, attributes: { ...attributes, remarks } }
    })
    await engine.save('shipment', large)
    await close()
    const env = { ...embedded, SHIPX_DB: path, NODE_OPTIONS: '--max-old-space-size=40' }
    const { exit, stdout } = await box.shipx(['shipments', 'ndr', '--jsonl', '-q'], { env })
    expect(exit).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(large.length)
  })

  test('can be narrowed down, masked and shown whole', { tags: ['full'] }, async () => {
    const cod = await box.shipx(['shipments', 'ndr', '--cod', '--jsonl', '-q'], { env: remote })
    expect(
      lines(cod)
        .map((row) => row['id'])
        .toSorted(),
    ).toEqual(
      failed
        .filter(({ attributes: a }) => a.is_cod === true)
        .map(({ id }) => id)
        .toSorted(),
    )
    const phone = failed[0]!.attributes.shipping_address!.phone!
    const screen = { ...embedded, SHIPX_FORCE_TTY: '200', NO_COLOR: '1' }
    expect((await box.shipx(['shipments', 'ndr'], { env: screen })).stdout).not.toContain(phone)
    expect((await box.shipx(['shipments', 'ndr', '--show-pii'], { env: screen })).stdout).toContain(phone)
  })

  const at = (attempts: number, hours: number, more: object = {}) =>
    undeliveredOf(
      {
        id: 'x',
        attributes: {
          created_at: isoOf(testNow - 9 * dayMs),
          status: 'ndr_raised',
          attempt_count: attempts,
          tracking_details: [
            { status: 'ndr_raised', event_date_time: isoOf(testNow - hours * 3_600_000), description: 'Door locked' },
            { status: 'out_for_delivery', event_date_time: isoOf(testNow - hours * 3_600_000 - 7_200_000) },
          ],
          ...more,
        },
      } as Shipment,
      testNow,
    )

  test.each([
    [1, 0, 2, 2],
    [1, 30, 1, 2],
    [2, 48, 0, 1],
    [2, 72, -1, 1],
    [3, 0, 1, 0],
    [3, 24, 0, 0],
    [5, 48, -1, 0],
  ])('after %i attempts, the last one %i hours ago, there are %i days left', (attempts, hours, left, more) => {
    expect(at(attempts, hours)).toMatchObject({ attempts, days_left: left, attempts_left: more })
  })

  test('without a reason of its own the last scan tells it', () => {
    expect(at(1, 0)).toMatchObject({ reason: 'Door locked', cod: 0 })
    expect(at(1, 0, { ndr_reason: 'other', is_cod: true, cod_amount: 99.5 })).toMatchObject({
      reason: 'other',
      cod: 99.5,
    })
    expect(at(1, 0, { tracking_details: null, shipment_milestones: null })).toMatchObject({
      failed_at: null,
      days_left: -7,
      reason: null,
    })
  })
})

describe('summaries of a deployment', () => {
  test.each(first(1, ['status', 'granular_status', 'zone', 'ndr_reason', 'rto_reason', 'payment']))(
    'by %s count as the engine does',
    async (key) => {
      const [full, counted] = await Promise.all(
        both().map((env) => box.shipx(['shipments', 'summary', '--by', key, '--jsonl', '-q'], { env })),
      )
      const counts = (outcome: Outcome) => new Map(lines(outcome).map((row) => [row[key], row['shipments']]))
      expect([full!.exit, counted!.exit]).toEqual([0, 0])
      expect(counts(counted!)).toEqual(counts(full!))
      // The same names; what the deployment has no figures for is null.
      expect(Object.keys(lines(counted!)[0]!).toSorted()).toEqual(Object.keys(lines(full!)[0]!).toSorted())
      expect(lines(counted!)[0]).toMatchObject({ value: null, rto_share: null })
    },
  )

  test('keep to the filters, also to one of the key itself', async () => {
    const args = ['shipments', 'summary', '--by', 'zone', '--zone', 'd,e', '--cod', '--jsonl', '-q']
    const [full, counted] = await Promise.all(both().map((env) => box.shipx(args, { env })))
    const counts = ({ zone, shipments }: Json): Json => ({ zone, shipments })
    expect(lines(counted!).map(counts)).toEqual(lines(full!).map(counts))
    expect(lines(full!)).toHaveLength(2)
  })

  test.each(first(1, ['city', 'sku', 'day', 'status,zone']))('by %s say what they need', async (by) => {
    const outcome = await box.shipx(['shipments', 'summary', '--by', by, '--json', '-q'], { env: remote })
    expect([outcome.exit, failure(outcome).code]).toEqual([2, 'not_supported'])
    expect(outcome.stderr).toContain('--local')
  })

  test.each([
    ['nothing', "isn't a key"],
    ['status,zone,city', 'one key or two'],
    ['sku,tag', 'not both'],
    ['zone,zone', 'twice'],
  ])('by %s are refused', async (by, why) => {
    const outcome = await box.shipx(['shipments', 'summary', '--by', by], { env: embedded })
    expect([outcome.exit, outcome.stdout]).toEqual([2, ''])
    expect(outcome.stderr).toContain(why)
  })
})
