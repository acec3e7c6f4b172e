// Answers to failed deliveries: kept with who and when, the last one counts, a courier's sheet has what it does not have
// yet; on this computer, at a deployment and beside a mirror. At a deployment, lists that it lacks offer a pull.
import { undeliveredView } from '../../src/cli/commands/shipments/worklistviews.ts'
import type { Screen } from '../../src/cli/terminal/screen.ts'
import type { Undelivered } from '../../src/domain/parcels/worklists.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { undeliveredOf, undeliveredOrder } from '../../src/domain/parcels/worklists.ts'
import { dayMs, istDate, isoOf } from '../../src/domain/time.ts'
import { keepAnswers, lastAnswers } from '../../src/engine/records/ndranswers.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { openPostgresEngine, testNow } from '../support/engine.ts'
import { shipxOn } from '../support/pty.ts'
import { ndrAnswer } from '../support/requests.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'
import { first } from '../support/size.ts'

const plan = { shipments: 700, returns: 30, stores: 5, days: 40, seed: 3, now: testNow }
const all = [...seedShipments(plan)]
const failed = all.filter(({ attributes: a }) => a.status === 'ndr_raised')
const awbs = failed.map(({ attributes: a }) => a.tracking_number!)
const moving = all.find(({ attributes: a }) => a.status === 'in_transit')!.attributes.tracking_number!

/** The day after tomorrow, and as people in India write it. */
const day = istDate(testNow + 2 * dayMs)
const [year, month, date] = day.split('-')

let box: Sandbox
let service: TestService
let here: Readonly<Record<string, string>>
let remote: Readonly<Record<string, string>>

beforeAll(async () => {
  box = sandbox()
  const path = join(box.folder, 'served.sqlite')
  service = await startService({ path, readers: 0 })
  await service.engine.save('shipment', all)
  const own = { SHIPX_NOW: isoOf(testNow), USER: 'asha' }
  remote = { ...own, SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
  here = { ...own, SHIPX_DB: path }
})
afterAll(async () => {
  await service.close()
  box.remove()
})

type Row = Readonly<Record<string, unknown>>
const dataOf = ({ stdout }: Outcome): readonly Row[] => (JSON.parse(stdout) as { data: readonly Row[] }).data
const shipx = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  box.shipx(['shipments', 'ndr', ...args, '-q'], { env })
const answers = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  new Map(dataOf(await shipx(env, '--json', ...args)).map((row) => [row['tracking_number'], row]))

describe('on this computer', () => {
  test('a dry run did not say which day it had understood', async () => {
    const { exit, stdout } = await box.shipx(
      ['shipments', 'ndr', 'answer', awbs[0]!, '--reattempt', `${date}/${month}/${year}`, '--dry-run'],
      { env: { ...here, SHIPX_FORCE_TTY: '80' } },
    )
    expect([exit, stdout]).toEqual([0, expect.stringMatching(new RegExp(`try again on ${date} [A-Z][a-z]{2}\\.`, 'u'))])
  })

  test('the confirmation and the list said only "try again": the new phone and address too', async () => {
    const env = { ...here, SHIPX_FORCE_TTY: '200', NO_COLOR: '1' }
    const asked = ['--reattempt', 'tomorrow', '--phone', '9876543210', '--note', 'ring twice', '--dry-run']
    const called = await box.shipx(['shipments', 'ndr', 'answer', awbs[0]!, ...asked], { env })
    expect(called.stdout).toMatch(/: try again on \d+ [A-Z][a-z]{2}, new phone \+91 98•{6}10\. Nothing/)
    const place = ['--address', '14 MG Road', '--pincode', '560001']
    const moved = await box.shipx(['shipments', 'ndr', 'answer', awbs[0]!, ...asked, ...place], { env })
    expect(moved.stdout).toContain('••10, new address 14 MG Road 560001. Nothing')
    const listed = (given: object): unknown =>
      undeliveredView.columns.find(({ key }) => key === 'answer')!.show!(
        { reattempt_on: null, new_phone: null, new_address: null, sent_at: null, ...given } as Undelivered,
        {} as Screen,
      )
    expect(listed({ answer: 'reattempt', reattempt_on: '2026-11-29', new_phone: '9' })).toBe('again 29 Nov +phone')
    expect(listed({ answer: 'address', new_phone: '9', new_address: 'x', sent_at: 'x' })).toBe(
      'new phone +address, sent',
    )
    expect(listed({ answer: 'rto' })).toBe('RTO')
  })

  test('at 80 columns the list said nothing about the money to collect', async () => {
    const { stdout } = await box.shipx(['shipments', 'ndr'], {
      env: { ...here, SHIPX_FORCE_TTY: '80', NO_COLOR: '1' },
    })
    expect(stdout.split('\n')[0]).toMatch(/AWB .*DAYS LEFT .*COD/u)
  })

  test('an answer is kept with who and when, the last one counts, and those before it stay', async () => {
    expect(awbs.length).toBeGreaterThan(4)
    const before = await shipx(
      here,
      'answer',
      awbs[0]!,
      '--reattempt',
      `${date}/${month}/${year}`,
      '--note',
      'after 6 pm',
      '--json',
    )
    expect(dataOf(before)).toMatchObject([{ tracking_number: awbs[0], answer: 'reattempt', reattempt_on: day }])
    const order = failed[0]!.attributes.order!.display_id!
    const second = await shipx({ ...here, USER: 'ravi' }, 'answer', order, '--phone', '+91 98765-43210')
    expect([second.stdout, second.stderr, second.exit]).toEqual(['', '', 0])
    const now = await answers(here)
    expect(now.get(awbs[0])).toMatchObject({
      answer: 'phone',
      new_phone: '9876543210',
      reattempt_on: null,
      answered_by: 'ravi',
      answered_at: isoOf(testNow),
      sent_at: null,
    })
    expect([...(await answers(here, '--unanswered')).keys()].toSorted()).toEqual(awbs.slice(1).toSorted())
    const asked = 'select number, is_last, answer, note, decided_by from ndr_answers order by number'
    const history = await box.shipx(['sql', asked, '--csv', '-q'], { env: here })
    expect(history.stdout).toBe(
      'number,is_last,answer,note,decided_by\n1,0,reattempt,after 6 pm,asha\n2,1,phone,,ravi\n',
    )
  })

  test.each(
    first(4, [
      [[], '<shipment>'],
      [['A'], '--reattempt: <day>, --phone'],
      [['A', '--rto', '--phone', '9876543210'], '--phone and --rto exclude each other'],
      [['A', '--phone', '12345'], '"12345" is not an Indian mobile number'],
      [['A', '--reattempt', 'soon'], '"soon" is not a day; write tomorrow'],
      [['A', '--reattempt', isoOf(testNow - 2 * dayMs).slice(0, 10)], 'is over: today is'],
      [['A', '--reattempt', istDate(testNow + 40 * dayMs)], 'more than 30 days'],
      [['A', '--phone', '9876543210', '--pincode', '560001'], '--pincode: goes with an address'],
      [['A', '--address', 'x', '--pincode', '000000'], '--pincode'],
      [['A', '--rto', '--force'], '--force: goes with --file'],
      [['A', '--cod', '--rto'], 'has no flag --cod'],
    ]),
  )('answer %j is refused', async (args, why) => {
    const { exit, stdout, stderr } = await shipx(here, 'answer', ...args)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain(why)
  })

  test(
    'of several parcels, one that is not in NDR or not there keeps all of them without an answer',
    { tags: ['full'] },
    async () => {
      const one = await shipx(here, 'answer', awbs[1]!, moving, '--rto')
      expect([one.exit, one.stderr]).toEqual([5, expect.stringContaining(`${moving} is not in NDR: its status is`)])
      const two = await shipx(here, 'answer', awbs[1]!, moving, 'nothing', '--rto')
      expect([two.exit, two.stderr]).toEqual([5, expect.stringContaining('2 parcels cannot have an answer')])
      expect((await answers(here, '--unanswered')).has(awbs[1])).toBe(true)
    },
  )

  test(
    'our own list read back leaves out the rows without an answer, and they are no faults',
    { tags: ['full'] },
    async () => {
      const list = (await shipx(here, '--excel')).stdout.trimEnd().split('\n')
      const at = list[0]!.split(',').indexOf('Answer')
      const filled = list.map((line, i) =>
        i === 1 ? [...line.split(',').slice(0, at), 'rto', ...line.split(',').slice(at + 1)].join(',') : line,
      )
      box.file('filled.csv', `${filled.join('\n')}\n`)
      const line = 'shipments ndr answer --file filled.csv --dry-run'.split(' ')
      const { exit, stderr } = await box.shipx(line, { env: here })
      expect([exit, stderr]).toEqual([0, expect.stringMatching(/Left out \d+ rows without an answer\./)])
    },
  )

  test('a sheet of answers is read as the flags are, and its bad rows go to a file that is imported when fixed', async () => {
    const rows = [
      `${awbs[1]!},Re-attempt,${date}-${month}-${year},098765 43210,`,
      `'${awbs[2]!},RTO,,,gone`,
      `${moving},rto,,,`,
    ]
    box.file('answers.csv', `AWB,Action,Date,Mobile,Remarks\n${rows.join('\n')}\n${awbs[3]!},,,,ask again\n`)
    const run = await shipx(here, 'answer', '--file', 'answers.csv', '--yes', '--json')
    expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([7, { data: { created: 2, failed: 2 } }])
    expect(readFileSync(join(box.folder, 'answers.failed.csv'), 'utf8')).toContain('answer is missing')
    const now = await answers(here)
    expect(now.get(awbs[1])).toMatchObject({ answer: 'reattempt', reattempt_on: day, new_phone: '9876543210' })
    expect(now.get(awbs[2])).toMatchObject({ answer: 'rto', note: 'gone' })
    const again = await shipx(here, 'answer', '--file', 'answers.csv', '--yes', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ data: { unchanged: 2, created: 0, failed: 2 } })
    box.file('line.jsonl', `{"awb":"${awbs[3]!}","answer":"new address","address":"14 MG Road","pincode":560001}\n`)
    expect((await shipx(here, 'answer', '--file', 'line.jsonl', '--yes')).exit).toBe(0)
    expect((await answers(here)).get(awbs[3])).toMatchObject({ answer: 'address', new_pincode: '560001' })
  })

  test('of two answers for a parcel in one sheet the first was saved', async () => {
    const before = (await answers(here)).get(awbs[1])
    box.file('two.csv', `awb,answer,date\n${awbs[1]!},rto,\n${awbs[1]!},reattempt,${day}\n`)
    const dry = await shipx(here, 'answer', '--file', 'two.csv', '--dry-run', '--json')
    expect([dry.exit, JSON.parse(dry.stdout)]).toMatchObject([2, { dry_run: { create: 0, bad: 2 } }])
    const run = await shipx(here, 'answer', '--file', 'two.csv', '--yes', '--json')
    expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([2, { data: { created: 0, failed: 2 } }])
    const failed = readFileSync(join(box.folder, 'two.failed.csv'), 'utf8')
    expect(failed).toContain(`${awbs[1]!} has another answer in line 3`)
    expect(failed).toContain(`${awbs[1]!} is in line 2 already`)
    expect((await answers(here)).get(awbs[1])).toEqual(before)
  })

  test('of two answers for a parcel, by its order and by its AWB, the last was saved in silence', async () => {
    const before = (await answers(here)).get(awbs[1])
    const order = failed[1]!.attributes.order!.display_id!
    box.file('names.csv', `awb,answer,date\n${order},address,\n${order},reattempt,${day}\n${awbs[1]!},rto,\n`)
    const run = await shipx(here, 'answer', '--file', 'names.csv', '--yes', '--json')
    expect([run.exit, JSON.parse(run.stdout)]).toMatchObject([2, { data: { created: 0, failed: 3 } }])
    const rows = readFileSync(join(box.folder, 'names.failed.csv'), 'utf8')
    expect(rows).toContain(`${order} has another answer in line 4, as ${awbs[1]!}`)
    expect(rows).toContain(`${awbs[1]!} is in line 3 already, as ${order}`)
    expect((await answers(here)).get(awbs[1])).toEqual(before)
    box.file('equal.csv', `awb,answer\n${order},rto\n${awbs[1]!},rto\n`)
    const equal = await shipx(here, 'answer', '--file', 'equal.csv', '--dry-run', '--json')
    expect([equal.exit, JSON.parse(equal.stdout)]).toMatchObject([7, { dry_run: { create: 1, bad: 1 } }])
  })

  test('the headers of a courier (Waybill No, Customer response, Alt Mobile) were refused or not used', async () => {
    const head = 'Waybill No,Order No,Customer response,Next attempt date,Alt Mobile,Landmark / new addr,Pin'
    box.file(
      'bluedart.csv',
      `NDR 26-Nov,,,,,,\n${head}\n${awbs[1]!},#1,Re-Attempt,${day},98200-11224,Near bank,400053\n`,
    )
    const given = ['shipments', 'ndr', 'answer', '--file', 'bluedart.csv', '--dry-run']
    const { exit, stdout, stderr } = await box.shipx(given, { env: here })
    expect([exit, stdout]).toEqual([0, expect.stringContaining('"rows":1')])
    expect(stderr).toContain('Columns that are not used: Order No\n')
  })

  test('the sheet of a courier has what was not sent, with whole phones, and names what left NDR', async () => {
    const several = await shipx(here, 'export', '--out', 'one.csv')
    expect([several.exit, several.stderr]).toEqual([
      2,
      expect.stringContaining('is one sheet, and the answers are for'),
    ])
    const sheets = ['export', '--split-by', 'courier', '--out', 'sheets']
    // A dry run demanded --out, although it only counts.
    const counted = JSON.parse((await shipx(here, 'export', '--dry-run')).stdout) as { dry_run: { sheets: Row[] } }
    const dry = await shipx(here, ...sheets, '--dry-run')
    const named = JSON.parse(dry.stdout) as typeof counted
    const bySheet = (list: readonly Row[]) => new Set(list.map((row) => `${row['courier']} ${row['records']}`))
    expect(bySheet(counted.dry_run.sheets)).toEqual(bySheet(named.dry_run.sheets))
    expect(counted.dry_run.sheets.every(({ file }) => file === null)).toBe(true)
    expect(existsSync(join(box.folder, 'sheets'))).toBe(false)
    const written = await shipx(here, ...sheets, '--json')
    expect(JSON.parse(dry.stdout)).toEqual({ dry_run: { sheets: dataOf(written) } })
    const files = readdirSync(join(box.folder, 'sheets'))
    expect(dataOf(written).map(({ file }) => file)).toEqual(files.map((file) => `sheets/${file}`))
    const text = files.map((file) => readFileSync(join(box.folder, 'sheets', file), 'utf8')).join('')
    const head = 'awb,order,customer,phone,reason,attempts,answer,date,new_phone,new_address,new_pincode,note\n'
    expect(text.split(head)).toHaveLength(files.length + 1)
    for (const i of [0, 1, 2, 3]) expect(text).toContain(failed[i]!.attributes.shipping_address!.phone!)
    expect((await answers(here)).get(awbs[0])).toMatchObject({ sent_at: isoOf(testNow) })
    const more = await shipx(here, 'export', '--split-by', 'courier', '--out', 'more', '--json')
    expect(more.stdout).toBe('{"data":[]}\n')
    const again = await shipx(here, 'export', '--split-by', 'courier', '--out', 'sheets', '--again', '--force')
    expect(again.stdout.match(/\d+ parcel/g)).toHaveLength(files.length)

    // One parcel is delivered after its answer, before the sheet.
    expect((await shipx(here, 'answer', awbs[4]!, awbs[0]!, '--rto')).exit).toBe(0)
    const gone = failed[4]!
    const delivered = {
      ...gone,
      attributes: { ...gone.attributes, status: 'delivered', granular_status: 'delivered' },
    }
    await service.engine.save('shipment', [delivered])
    const courier = failed[0]!.attributes.carrier!.id!
    const last = await box.shipx(
      ['shipments', 'ndr', 'export', '--carrier-id', courier, '--out', 'last.csv', '--excel'],
      { env: here },
    )
    expect([last.stdout, last.exit]).toEqual(['last.csv, 1 parcel\n', 0])
    expect(last.stderr).toContain('! phones are whole in this sheet: send it to its courier only')
    const sheet = readFileSync(join(box.folder, 'last.csv'), 'utf8')
    expect([sheet.includes(awbs[0]!), sheet.includes(awbs[4]!)]).toEqual([true, false])
    const left = await box.shipx(['shipments', 'ndr', 'export', '--split-by', 'courier', '--out', 'left'], {
      env: here,
    })
    expect(left.stderr).toContain('1 answered parcel left NDR meanwhile; no sheet has it')
    await service.engine.save('shipment', [gone])
  })

  test('the list for Excel was not read back: "2 headers mean awb"', { tags: ['full'] }, async () => {
    for (const format of ['--excel', '--csv']) {
      const { stdout } = await shipx(here, format)
      const [head, ...rows] = stdout.trimEnd().split('\n')
      const answered = rows.filter((row) => [1, 2, 3].some((i) => row.includes(awbs[i]!)))
      box.file('list.csv', [head, ...answered, ''].join('\n'))
      const read = await shipx(here, 'answer', '--file', 'list.csv', '--dry-run', '--json')
      const { dry_run: counted } = JSON.parse(read.stdout) as { dry_run: unknown }
      expect([read.stderr, counted]).toEqual(['', expect.objectContaining({ rows: 3, unchanged: 3, bad: 0 })])
    }
  })

  test('shows the answers on a terminal, and masks what a list masks', async () => {
    const screen = { ...here, SHIPX_FORCE_TTY: '160', NO_COLOR: '1' }
    const { stdout } = await shipx(screen)
    expect(stdout).toMatch(/ANSWER/)
    expect(stdout).toMatch(/again .*, sent/)
    expect(stdout).not.toContain('9876543210')
  })

  test(
    'a terminal of 80 columns hid the answers, and counted answered parcels as due',
    { tags: ['full'] },
    async () => {
      const screen = { ...here, SHIPX_FORCE_TTY: '80', NO_COLOR: '1' }
      const { stdout, stderr } = await box.shipx(['shipments', 'ndr'], { env: screen })
      const { answered, due } = dataOf(await shipx(here, '--json')).reduce<{ answered: number; due: number }>(
        (sum, { answer, days_left }) => ({
          answered: sum.answered + Number(answer !== null),
          due: sum.due + Number(answer === null && Number(days_left) <= 0),
        }),
        { answered: 0, due: 0 },
      )
      const rows = stdout.trimEnd().split('\n')
      expect(rows[0]).toMatch(/ANSWER$/)
      expect(stderr).toContain(`${failed.length} failed deliveries, ${answered} answered, ${due} due today or over`)
      const open = rows.slice(1).map((row) => row.endsWith(' -'))
      expect([open.includes(true), open]).toEqual([true, open.toSorted((a, b) => Number(b) - Number(a))])
    },
  )

  test('a shipment did not show the answer that was kept for it', async () => {
    const screen = { ...here, SHIPX_FORCE_TTY: '120', NO_COLOR: '1' }
    const { stdout } = await box.shipx(['track', awbs[1]!, '-q'], { env: screen })
    expect(stdout).toMatch(/^Answer +try again on \d\d \w+, new phone \+91 98•+10 · by asha, .* · sent /m)
  })
})

test('an answered parcel that is overdue came before one that waits for an answer', () => {
  const record = {
    id: 'x',
    attributes: { status: 'ndr_raised', attempt_count: 1, created_at: isoOf(testNow - 9 * dayMs) },
  } as Shipment
  const answered = undeliveredOf(record, testNow, { ...ndrAnswer, decided_at: testNow, failed_at: null, sent_at: null })
  const waits = undeliveredOf({ ...record, attributes: { ...record.attributes, created_at: isoOf(testNow) } }, testNow)
  expect([answered, waits].toSorted(undeliveredOrder).map(({ answer }) => answer)).toEqual([null, 'reattempt'])
})

test('a parcel that failed again waits for a new answer', () => {
  const record = (attempts: number, hours: number) =>
    ({
      id: 'x',
      attributes: {
        status: 'ndr_raised',
        attempt_count: attempts,
        tracking_details: [{ status: 'ndr_raised', event_date_time: isoOf(testNow - hours * 3_600_000) }],
      },
    }) as Shipment
  const kept = {
    ...ndrAnswer,
    decided_at: testNow - 10 * 3_600_000,
    failed_at: testNow - 20 * 3_600_000,
    sent_at: null,
  }
  expect(undeliveredOf(record(1, 20), testNow, kept).answer).toBe('reattempt')
  expect(undeliveredOf(record(2, 20), testNow, kept).answer).toBeNull()
  expect(undeliveredOf(record(1, 5), testNow, kept).answer).toBeNull()
  // A courier's clock that is ahead takes no answer away.
  expect(undeliveredOf(record(1, -2), testNow, { ...kept, failed_at: testNow + 2 * 3_600_000 }).answer).toBe(
    'reattempt',
  )
})

test('on PostgreSQL too, two that answer at the same moment both stay, and one of them is the last', async () => {
  const { database, account, close } = await openPostgresEngine()
  try {
    const both = ['a', 'b'].map((id) => ({ ...ndrAnswer, id, note: id }))
    await Promise.all(both.map((one) => database.write(() => keepAnswers(database.dialect, account, [one]))))
    const last = await database.read(() => lastAnswers(account, ['x', 'y']))
    expect([...last.keys()]).toEqual(['x'])
    expect(last.get('x')).toMatchObject({ decided_at: 2, attempts: 1, sent_at: null, reattempt_on: '2026-10-01' })
  } finally {
    await close()
  }
})

describe('at a deployment', () => {
  test(
    'answers are kept on this computer, the same with and without --local, and no pull removes them',
    { tags: ['full'] },
    async () => {
      const data = { ...remote, SHIPX_DATA_DIR: join(box.folder, 'answered') }
      expect((await shipx(data, 'answer', awbs[0]!, '--rto')).exit).toBe(0)
      expect((await answers(data)).get(awbs[0])).toMatchObject({ answer: 'rto', answered_by: 'asha' })
      const none = await shipx(data, 'answer', awbs[1]!, '--rto', '--local')
      expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('there is no mirror')])
      for (const more of [[], ['--full']])
        expect((await box.shipx(['pull', 'shipments', ...more, '-q'], { env: data })).exit).toBe(0)
      const dry = await shipx(data, 'answer', awbs[1]!, '--rto', '--local', '--dry-run')
      expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: { answer: { answer: 'rto' } } })
      expect((await shipx(data, 'answer', awbs[1]!, '--rto', '--local')).exit).toBe(0)
      const [with_, without] = [await answers(data, '--local'), await answers(data)]
      expect([with_.get(awbs[0])?.['answer'], with_.get(awbs[1])?.['answer']]).toEqual(['rto', 'rto'])
      expect([...without]).toEqual([...with_])
      const sheet = await shipx(data, 'export', '--split-by', 'courier', '--out', 'remote')
      expect(sheet.stdout).toMatch(/\d parcel/)
      expect((await answers(data, '--local')).get(awbs[0])).toMatchObject({ sent_at: isoOf(testNow) })
    },
  )

  test('a list that it lacks names the one command in a pipe, and that command works', { tags: ['full'] }, async () => {
    const data = { ...remote, SHIPX_DATA_DIR: join(box.folder, 'piped') }
    const args = ['shipments', 'stuck', '--days', '1', '--csv', '-q']
    const refused = await box.shipx(args, { env: data })
    expect([refused.exit, refused.stdout]).toEqual([2, ''])
    const way = /→ (shipx pull .*)/.exec(refused.stderr)?.[1]
    expect(way).toBe('shipx pull shipments && shipx shipments stuck --csv --quiet --days 1 --local')
    const done = await box.bash(way!, { env: data })
    const own = await box.shipx(args, { env: here })
    expect(done.stdout.endsWith(own.stdout)).toBe(true)
    for (const [lacking, what] of [
      [['sql', 'select 1'], "shipx pull && shipx sql 'select 1' --local"],
      [['report', '--json'], 'shipx pull && shipx report --json --local'],
      [['returns', 'summary', '--by', 'reason'], 'shipx pull returns && shipx returns summary --by reason --local'],
    ] as const) {
      const { exit, stderr } = await box.shipx(lacking, { env: data })
      expect([exit, stderr]).toEqual([2, expect.stringContaining(what)])
    }
  })

  test('a list that it lacks offers a pull on a terminal, and goes on after it', { tags: ['full'] }, async () => {
    const data = { ...remote, SHIPX_DATA_DIR: join(box.folder, 'offered') }
    const no = shipxOn(box, ['shipments', 'stuck', '--days', '1'], { env: data })
    await no.shows('Pull 700 shipments now?')
    no.type('n\r')
    expect(await no.ended()).toBe(130)
    const yes = shipxOn(box, ['shipments', 'stuck', '--days', '1'], { env: data })
    await yes.shows('Pull 700 shipments now?')
    yes.type('y\r')
    expect(await yes.ended()).toBe(0)
    expect(yes.screen()).toContain('without a scan for 1 day or more')
  })
})
