// `shipx disputes`: found, raised, answered, credited by a later invoice; clocks, evidence, sheets; what is refused.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { png } from '../../support/pictures.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { contract, prepare, shipment } from '../reconcile/invoices.ts'

interface Shown extends Record<string, unknown> {
  readonly id: string
  readonly awb: string
  readonly reason: string
  readonly amount: number
  readonly status: string
  readonly due_at: string | null
  readonly missing: readonly string[]
  readonly credited: number
  readonly note: string | null
}

const head = 'awb,order,zone,weight_g,freight,rto,gst,total'
/** Two of a weight too much, one of a zone, one that is right, and one small. */
const september = [
  '1001,A-1001,c,900,70,0,12.60,82.60',
  '1002,A-1002,c,900,70,0,12.60,82.60',
  '1003,A-1003,d,400,45.40,0,8.17,53.57',
  '1004,A-1004,c,400,40,0,7.20,47.20',
  '1005,A-1005,c,400,41.5,0,7.47,48.97',
]

const prepared = (box: Sandbox): Promise<void> =>
  prepare(
    box,
    ['1001', '1002', '1003', '1004', '1005'].map((awb) => shipment(awb)),
    contract({ holidays: ['2026-10-05'] }),
  )

const at = (now: string): { readonly env: Record<string, string> } => ({ env: { SHIPX_NOW: now } })

/** Commands of a box at an instant. */
function desk(box: Sandbox, own: Record<string, string> = {}) {
  let now = '2026-10-03T06:30:00Z'
  const run = (...words: readonly string[]): Promise<Outcome> => box.shipx(words, { env: { ...own, ...at(now).env } })
  const ok = async (...words: readonly string[]): Promise<Outcome> => {
    const outcome = await run(...words)
    expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, expect.any(String)])
    return outcome
  }
  const code = async (...words: readonly string[]): Promise<readonly [unknown, string]> => {
    const { exit, stderr } = await run(...words, '--json')
    return [exit, (JSON.parse(stderr) as { error: { code: string } }).error.code]
  }
  const list = async (...words: readonly string[]): Promise<readonly Shown[]> => {
    const { stdout } = await ok('disputes', 'list', ...words, '--json')
    return (JSON.parse(stdout) as { data: readonly Shown[] }).data
  }
  const get = async (name: string) =>
    (
      JSON.parse((await ok('disputes', 'get', name, '--json')).stdout) as {
        data: Shown & { readonly events: readonly { readonly status: string; readonly source: string }[] }
      }
    ).data
  const keep = (number: string, day: string, rows: readonly string[], ...more: readonly string[]): Promise<Outcome> =>
    ok(
      'reconcile',
      'invoice',
      box.file(`${number}.csv`, [head, ...rows, ''].join('\n')),
      '--courier',
      'Delhivery',
      '--number',
      number,
      '--date',
      day,
      '--yes',
      ...more,
    )
  return { run, ok, code, list, get, keep, go: (to: string) => (now = to) }
}

const box = sandbox()
afterAll(() => box.remove())
const { ok, code, list, get, keep, go, run } = desk(box)

beforeAll(async () => {
  await prepared(box)
  const kept = await keep('SEP', '2026-10-03', september)
  expect(kept.stderr).toContain('Next: shipx disputes create --from invoice SEP')
})

describe('disputes', () => {
  test('are found once, with the deadline of the policy and what it wants to see', async () => {
    await ok('courier', 'policy', 'set', 'Delhivery', 'weight_window=2wd', 'weight_proof=length,scale')
    const dry = await ok('disputes', 'create', '--from', 'invoice', 'SEP', '--dry-run')
    expect(dry.stdout).toContain('"disputes":2')
    expect(await list()).toEqual([])
    const made = await ok('disputes', 'create', '--from', 'invoice', 'SEP', '--min', '5', '--json')
    expect((JSON.parse(made.stdout) as { data: unknown }).data).toEqual([
      // Sat 3 Oct and two working days: Sun 4 off, Mon 5 a holiday of the card, Tue 6 = 1, Wed 7 = 2.
      {
        courier: 'Delhivery',
        invoice: 'SEP',
        reason: 'weight',
        disputes: 2,
        amount: 70.8,
        due_at: '2026-10-07T18:29:59.999Z',
        lapsed: 0,
      },
      { courier: 'Delhivery', invoice: 'SEP', reason: 'zone', disputes: 1, amount: 6.37, due_at: null, lapsed: 0 },
    ])
    const again = await ok('disputes', 'create')
    expect(again.stderr).toContain('3 of these lines have disputes already')
    expect(
      (await list('--min', '5')).map(({ id, awb, reason, status, missing }) => [id, awb, reason, status, missing]),
    ).toEqual([
      ['D0000001', '1001', 'weight', 'found', ['length', 'scale']],
      ['D0000002', '1002', 'weight', 'found', ['length', 'scale']],
      ['D0000003', '1003', 'zone', 'found', []],
    ])
  })

  test('that lapse soon come first, and --quiet says so with exit 7', async () => {
    expect((await run('disputes', 'list', '--due', '3d', '--quiet')).exit).toBe(0)
    go('2026-10-05T06:30:00Z')
    const due = await run('disputes', 'list', '--due', '3d', '--quiet', '--jsonl')
    expect([due.exit, due.stdout.trim().split('\n')]).toEqual([
      7,
      [expect.stringContaining('1001'), expect.stringContaining('1002')],
    ])
    expect((await run('disputes', 'list', '--due', '3d')).exit).toBe(0)
    expect((await run('disputes', 'list', '--due', 'soon')).exit).toBe(2)
  })

  test('evidence is kept once under its content, and the policy says what is missing', async () => {
    const picture = box.file('1001-length.png', png())
    box.file("it's; $(rm -rf) \u202e scale.png", png(3))
    const both = await ok('disputes', 'evidence', '1001', picture, "it's; $(rm -rf) \u202e scale.png")
    expect(both.stderr).toContain('D0000001 (weight) has all that it wants')
    await ok('disputes', 'evidence', 'D1', picture, picture)
    const folder = join(box.folder, 'data', 'evidence')
    expect(readdirSync(folder)).toHaveLength(2)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const missing = (await list('--courier', 'delhivery')).map((one) => [one.awb, one.missing])
    expect(missing.slice(0, 2)).toEqual([
      ['1001', []],
      ['1002', ['length', 'scale']],
    ])
    mkdirSync(join(box.folder, 'folder.png'))
    writeFileSync(join(box.folder, 'large.png'), Buffer.concat([png(), Buffer.alloc(21 * 2 ** 20)]))
    for (const bad of [
      'missing.png',
      'folder.png',
      'large.png',
      box.file('empty.png', ''),
      box.file('text.png', 'hello'),
    ])
      expect((await run('disputes', 'evidence', '1002', bad)).exit, bad).toBe(2)
    expect((await run('disputes', 'evidence', '9999', picture)).exit).toBe(3)
    expect((await ok('disputes', 'evidence', '1002', '--json')).stdout).toBe('{"data":[]}\n')
  })

  test('a sheet with the columns of the courier, and a ZIP with evidence by AWB, marked as raised', async () => {
    await ok(
      'disputes',
      'export',
      '--courier',
      'Delhivery',
      '--zip',
      'd.zip',
      '--mark',
      'raised',
      '--status',
      'found',
      '--min',
      '5',
    )
    const zip = readFileSync(join(box.folder, 'd.zip'))
    expect(namesIn(zip)).toEqual([
      'disputes-delhivery.csv',
      'evidence/1001-length.png',
      'evidence/1001-it_s_rm_-rf_scale.png',
    ])
    const [header, first] = entryOf(zip, 'disputes-delhivery.csv')
      .split(/\r?\n/)
      .map((line) => line.replace(/^\ufeff/, ''))
    expect(header).toBe(
      'waybill_num,order_id,invoice,zone,charged_weight,total_amount,actual_zone,actual_weight,expected_amount,disputed_amount,reason,remark,evidence,our_reference',
    )
    expect(first).toContain('1001,A-1001,SEP,')
    expect((await list()).filter(({ amount }) => amount >= 5).map(({ status }) => status)).toEqual([
      'raised',
      'raised',
      'raised',
    ])
    expect((await run('disputes', 'export', '--courier', 'Delhivery', '--zip', 'd.zip')).exit).toBe(2)
    expect((await run('disputes', 'export')).exit).toBe(2)
    expect((await run('disputes', 'export', '--courier', 'Nobody', '--csv')).exit).toBe(2)
  })

  test('answers that cannot be are refused, and nothing is changed', { tags: ['full'] }, async () => {
    expect(await code('disputes', 'set', '1001', '--status', 'partly')).toEqual([2, 'invalid_input'])
    expect(await code('disputes', 'set', '1001', '--status', 'partly', '--amount', '35.41')).toEqual([
      2,
      'invalid_input',
    ])
    expect(await code('disputes', 'set', '1001', '--status', 'accepted', '--amount', '99999')).toEqual([
      2,
      'invalid_input',
    ])
    expect(await code('disputes', 'set', '1001', '--status', 'credited')).toEqual([2, 'invalid_input'])
    expect(await code('disputes', 'set', '1001', '--status', 'closed')).toEqual([5, 'wrong_state'])
    expect(await code('disputes', 'set', '9999', '--status', 'accepted')).toEqual([3, 'not_found'])
    expect(await code('disputes', 'set', '9998', 'D77', '9999', '--status', 'closed')).toEqual([3, 'not_found'])
    expect((await get('1001')).events.map(({ status }) => status)).toEqual(['found', 'raised'])
  })

  test('of two answers for a dispute, by its id and by its AWB, the last was set', { tags: ['full'] }, async () => {
    box.file('two.csv', 'awb,id,status\n,D3,rejected\n1003,,in review\n')
    const { exit, stderr } = await run('disputes', 'set', '--file', 'two.csv', '--yes')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('1003 is in line 2 already, as D3')])
    expect(readFileSync(join(box.folder, 'two.failed.csv'), 'utf8')).toContain(
      'D3 has another answer in line 3, as 1003',
    )
    expect((await get('D3')).status).toBe('raised')
  })

  test('a sheet of answers, with AWBs that nobody knows', { tags: ['full'] }, async () => {
    box.file(
      'answers.csv',
      'AWB,Outcome,Approved amount,Remarks\n1001,partially accepted,20,half\n1002,Rejected by courier,,no label\n9999,accepted,,\n1003,perhaps,,\n',
    )
    const { exit, stderr } = await run('disputes', 'set', '--file', 'answers.csv', '--yes', '--json')
    expect([exit, stderr]).toEqual([7, expect.any(String)])
    expect((await get('1001')).status).toBe('partly')
    expect((await get('1002')).status).toBe('rejected')
    expect((await get('D3')).status).toBe('raised')
    // The same file again changes nothing.
    expect((await run('disputes', 'set', '--file', 'answers.csv', '--yes', '--force')).exit).toBe(7)
    expect((await get('1001')).events.map(({ status }) => status)).toEqual(['found', 'raised', 'partly'])
  })

  test(
    'accepted and not credited after 30 days comes back to the top; a later invoice alone credits',
    { tags: ['full'] },
    async () => {
      await ok('disputes', 'set', 'D3', '--status', 'accepted')
      go('2026-11-08T06:30:00Z')
      expect((await list()).slice(0, 2).map(({ awb, note }) => [awb, note])).toEqual([
        ['1001', 'partly, ₹20 not credited for 34 days'],
        ['1003', 'accepted, ₹6.37 not credited for 34 days'],
      ])
      const october = await keep('OCT', '2026-11-05', [
        '1001,A-1001,c,900,-16.95,0,-3.05,-20',
        '1003,A-1003,d,400,-1,0,-0.18,-1.18',
      ])
      expect(october.stderr).toContain('It credits 1 dispute')
      expect(await get('1001')).toMatchObject({ status: 'credited', credited: 20 })
      expect(await get('D3')).toMatchObject({ status: 'accepted', credited: 1.18 })
      expect((await get('1001')).events.at(-1)).toMatchObject({ status: 'credited', source: 'invoice OCT' })
      // Taken back with its invoice, and there again with it.
      await ok('invoices', 'remove', 'OCT', '--yes')
      expect(await get('1001')).toMatchObject({ status: 'partly', credited: 0 })
      await keep('OCT', '2026-11-05', ['1001,A-1001,c,900,-16.95,0,-3.05,-20'])
      await ok('disputes', 'set', '1001', '--status', 'closed')
      expect((await get('1001')).status).toBe('closed')
    },
  )

  test('an AWB with two disputes asks which one', { tags: ['full'] }, async () => {
    await keep('NOV', '2026-11-06', ['1002,A-1002,c,400,40,0,7.20,47.20'])
    await ok('disputes', 'create', '--from', 'invoice', 'NOV')
    const { exit, stderr } = await run('disputes', 'set', '1002', '--status', 'withdrawn')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('name one of D0000002 (weight), D')])
  })
})

describe('clocks', () => {
  const other = sandbox()
  afterAll(() => other.remove())
  const it = desk(other)

  test(
    'what nobody raised in time has lapsed by itself; --late raises it all the same',
    { tags: ['full'] },
    async () => {
      await prepared(other)
      await it.keep('SEP', '2026-10-03', september)
      await it.ok('disputes', 'create')
      it.go('2026-10-05T18:29:59Z')
      // 72 hours from 00:00 of the 3rd end at 00:00 of the 6th in India.
      expect((await it.list('--status', 'found')).map(({ reason }) => reason)).toContain('weight')
      it.go('2026-10-05T18:30:01Z')
      expect((await it.list()).map(({ reason }) => reason)).not.toContain('weight')
      expect((await it.list('--status', 'lapsed')).map(({ awb, status }) => [awb, status])).toEqual([
        ['1001', 'lapsed'],
        ['1002', 'lapsed'],
      ])
      // The contract says more: the deadlines follow.
      await it.ok('courier', 'policy', 'set', 'Delhivery', 'weight_window=7wd')
      expect((await it.ok('disputes', 'create')).stderr).toContain('Moved 2 deadlines to the policy as it is now')
      expect(await it.list('--status', 'lapsed')).toEqual([])
      await it.ok('courier', 'policy', 'remove', 'Delhivery')
      expect((await it.ok('disputes', 'create')).stderr).toContain('Moved 2 deadlines')
      expect(await it.code('disputes', 'set', '1001', '--status', 'raised')).toEqual([5, 'deadline_passed'])
      const sheet = await it.ok('disputes', 'export', '--courier', 'Delhivery', '--json')
      expect(sheet.stdout).not.toContain('1001')
      await it.ok('disputes', 'set', '1001', '--status', 'raised', '--late')
      // The lapse is written down with the change after it, at the instant at which it happened.
      expect((await it.get('1001')).events.map(({ status, source }) => [status, source])).toEqual([
        ['found', 'disputes create, invoice SEP'],
        ['lapsed', 'deadline'],
        ['found', 'disputes create, invoice SEP'],
        ['found', 'disputes create, invoice SEP'],
        ['raised', 'disputes set'],
      ])
    },
  )

  test(
    'the money of a passbook is taken: its dispute counts as accepted, and so does that of an AWB it bills later',
    { tags: ['full'] },
    async () => {
      it.go('2026-10-20T06:30:00Z')
      const entries = [
        'awb_code,description,debit_amount,credit_amount,charged_weight',
        '1004,Excess Weight Charge,30,0,0.9',
        '1002,Excess Weight Charge,30,0,0.9',
      ]
      await it.ok(
        'reconcile',
        'invoice',
        other.file('pass.csv', entries.join('\n')),
        '--format',
        'passbook',
        '--number',
        'PB',
        '--date',
        '2026-10-10',
        '--yes',
      )
      expect((await it.list('--status', 'auto_accepted')).map(({ awb }) => awb)).toEqual(['1002'])
      expect(await it.list('--status', 'lapsed')).toEqual([])
    },
  )

  test('a replaced invoice withdraws what nobody raised, and keeps what was', { tags: ['full'] }, async () => {
    await it.keep(
      'SEP',
      '2026-10-03',
      september
        .map((row) => row.replace('1003,A-1003,d,400,45.40,0,8.17,53.57', '1003,A-1003,d,400,45.40,0,8.17,53.57 '))
        .concat('1005,A-1005,c,400,60,0,10.80,70.80'),
      '--replace',
    )
    const statuses = async (): Promise<unknown> =>
      Object.fromEntries(
        (await it.list('--status', 'raised,withdrawn', '--limit', 'all')).map(({ id, status }) => [id, status]),
      )
    expect(await statuses()).toMatchObject({ D0000001: 'raised', D0000003: 'withdrawn' })
    await it.ok('disputes', 'create', '--from', 'invoice', 'SEP')
    // The raised one is the dispute of its line in the new invoice.
    expect(
      (await it.list('--status', 'found,raised,auto_accepted,lapsed', '--limit', 'all')).filter(
        ({ awb }) => awb === '1001',
      ),
    ).toHaveLength(1)
  })
})

test('two that create and answer at once make each dispute once', { tags: ['full'] }, async () => {
  const shared = sandbox()
  onTestFinished(() => shared.remove())
  const all = desk(shared)
  await prepared(shared)
  await all.keep('SEP', '2026-10-03', september)
  const runs = await Promise.all([1, 2, 3].map(() => all.run('disputes', 'create')))
  expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0])
  const disputes = await all.list()
  expect(new Set(disputes.map(({ id }) => id)).size).toBe(4)
  const answers = await Promise.all(
    ['raised', 'withdrawn'].map((status) => all.run('disputes', 'set', 'D1', '--status', status)),
  )
  // An answer that another one made impossible is an error, and no answer is reported that was not kept.
  const { events } = await all.get('D1')
  expect(events.length).toBe(1 + answers.filter(({ exit }) => exit === 0).length)
})

test('the same disputes on PostgreSQL', { tags: ['full'] }, async () => {
  const postgres = await testDatabase()
  onTestFinished(() => postgres.drop())
  const said: unknown[] = []
  for (const env of [{}, { SHIPX_DATABASE_URL: postgres.url }]) {
    const own = sandbox()
    onTestFinished(() => own.remove())
    const it = desk(own, env)
    for (const words of [
      [
        'local',
        'import',
        'shipments',
        own.file('s.jsonl', ['1001', '1002', '1003', '1004', '1005'].map((awb) => shipment(awb)).join('\n')),
        '--yes',
      ],
      ['local', 'warehouse', 'set', 'WH1', '400001'],
      ['ratecard', 'import', own.file('contract.json', JSON.stringify(contract())), '--use'],
    ])
      await it.ok(...words)
    await it.keep('SEP', '2026-10-03', september)
    await it.ok('disputes', 'create')
    await it.ok('disputes', 'export', '--courier', 'Delhivery', '--mark', 'raised', '--csv')
    await it.ok('disputes', 'set', '1001', '--status', 'accepted')
    await it.keep('OCT', '2026-11-05', ['1001,A-1001,c,900,-30,0,-5.40,-35.40'])
    said.push([await it.list('--status', 'raised,credited,found', '--limit', 'all'), (await it.get('1001')).events])
  }
  expect(said[1]).toEqual(said[0])
  expect(JSON.stringify(said[0])).toContain('"credited"')
})

/** The names in a ZIP, from its directory. */
function namesIn(zip: Buffer): readonly string[] {
  const names: string[] = []
  for (let from = 0; (from = zip.indexOf('PK\u0001\u0002', from, 'latin1')) !== -1; from++)
    names.push(zip.toString('utf8', from + 46, from + 46 + zip.readUInt16LE(from + 28)))
  return names
}

/** The text of a file in a ZIP. */
function entryOf(zip: Buffer, name: string): string {
  for (let from = 0; (from = zip.indexOf('PK\u0001\u0002', from, 'latin1')) !== -1; from++)
    if (zip.toString('utf8', from + 46, from + 46 + zip.readUInt16LE(from + 28)) === name) {
      const [method, size, local] = [
        zip.readUInt16LE(from + 10),
        zip.readUInt32LE(from + 20),
        zip.readUInt32LE(from + 42),
      ]
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const bytes = zip.subarray(start, start + size)
      return (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8')
    }
  throw new Error(`no ${name}`)
}
