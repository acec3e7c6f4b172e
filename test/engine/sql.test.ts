// Defends `shipx sql`: nothing is changed or reached that is not a view of the account, whatever is asked; what has no end is
// ended; a million rows take no more memory than ten; and what views show is what records hold.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { driver } from '../support/sqlite.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { first } from '../support/size.ts'
import type { ShipxError } from '../../src/domain/errors.ts'
import type { Connection, Driver } from '../../src/engine/database/sqlitedriver.ts'
import { runQuery } from '../../src/engine/sql/query.ts'
import { sqlViews } from '../../src/engine/sql/views.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { testDatabase } from '../support/testdatabase.ts'
import { root } from '../support/checkout.ts'

type Row = Readonly<Record<string, unknown>>

let box: Sandbox
let database: string

beforeAll(async () => {
  box = sandbox()
  database = join(box.folder, 'data', 'shipx.sqlite')
  expect((await box.shipx(['local', 'seed', '--shipments', '400', '--returns', '60', '--stores', '4'])).exit).toBe(0)
  const neighbour = [
    'local',
    'seed',
    '--shipments',
    '50',
    '--returns',
    '5',
    '--stores',
    '2',
    '--seed',
    '7',
    '--account',
    'neighbour',
  ]
  expect((await box.shipx(neighbour)).exit).toBe(0)
  expect((await box.shipx(['local', 'price', '-q'])).exit).toBe(0)
  expect((await box.shipx(['keys', 'create', 'default', '-q'])).exit).toBe(0)
  const db = new driver(database)
  db.exec('analyze')
  db.close()
})
afterAll(() => box.remove())

const ask = (statement: string, ...flags: readonly string[]): Promise<Outcome> =>
  box.shipx(['sql', statement, '-q', ...flags])

async function rowsOf(statement: string, ...flags: readonly string[]): Promise<readonly Row[]> {
  const { stdout, stderr, exit } = await ask(statement, '--jsonl', ...flags)
  expect([stderr, exit]).toEqual(['', 0])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

const codeOf = ({ stderr }: Outcome): unknown => (JSON.parse(stderr) as { error: { code: string } }).error.code

describe('what changes something', () => {
  test.each(
    first(10, [
      ['delete from shipments', 'statement_refused'],
      ['update stores set status = 1', 'statement_refused'],
      ['insert into keys values (1)', 'statement_refused'],
      ['replace into stores values (1)', 'statement_refused'],
      ['create table x (a)', 'statement_refused'],
      ['create temp table x (a)', 'statement_refused'],
      ['drop view shipments', 'statement_refused'],
      ['attach database "other.sqlite" as other', 'statement_refused'],
      ["/* a */ -- b\n attach 'other.sqlite' as other", 'statement_refused'],
      ['detach main', 'statement_refused'],
      ['pragma journal_mode = delete', 'statement_refused'],
      ['pragma user_version', 'statement_refused'],
      ['vacuum', 'statement_refused'],
      ["vacuum into 'copy.sqlite'", 'statement_refused'],
      ['reindex', 'statement_refused'],
      ['analyze', 'statement_refused'],
      ['begin', 'statement_refused'],
      ["select load_extension('x')", 'statement_refused'],
      ['select "load_extension"(\'x\')', 'statement_refused'],
      ["select fts3_tokenizer('simple')", 'statement_refused'],
      ['select * from pragma_database_list', 'statement_refused'],
      ["select * from [pragma_table_info]('keys')", 'statement_refused'],
      ['with x as (select 1) delete from stores', 'statement_failed'],
      ['with x as (select 1) insert into shipments (id) select 1', 'statement_failed'],
      ['select 1; select 2', 'statement_refused'],
      ['select 1; drop table shipments', 'statement_refused'],
      ["select ';'; delete from stores", 'statement_refused'],
      ['', 'statement_refused'],
      [' ; -- nothing', 'statement_refused'],
      ['select ?', 'statement_refused'],
      ['select :id', 'statement_refused'],
      ['selec 1', 'statement_refused'],
      ['select 1 from', 'statement_failed'],
      ['select nope from shipments', 'statement_failed'],
      ['select * from nope', 'statement_failed'],
      ['select hex(zeroblob(900000000))', 'statement_failed'],
    ]),
  )('%s', async (statement, code) => {
    const before = readFileSync(database)
    const outcome = await ask(statement, '--json')
    expect([codeOf(outcome), outcome.exit, outcome.stdout]).toEqual([code, 2, ''])
    expect(readFileSync(database).equals(before)).toBe(true)
    for (const made of ['other.sqlite', 'copy.sqlite']) expect(existsSync(join(box.folder, made))).toBe(false)
  })

  test.each(
    first(1, [
      ['select pincod from shipments', 'no such column: pincod. Did you mean pincode?'],
      ['select s.statuss from shipments s', 'no such column: s.statuss. Did you mean status?'],
      ['select * from shipment', 'no such table: shipment. Did you mean shipments?'],
      ['select xyzzy from shipments', 'no such column: xyzzy'],
    ]),
  )('%s names the nearest name', async (statement, message) => {
    const { stderr } = await ask(statement, '--json')
    expect((JSON.parse(stderr) as { error: { message: string } }).error.message).toBe(message)
  })

  test('a semicolon at the end, comments and quotes are no harm', async () => {
    expect(await rowsOf("select 'a;b' as x, \"y\" from (select 'it''s; -- no' as y) /* ; */ ; -- end")).toEqual([
      { x: 'a;b', y: "it's; -- no" },
    ])
  })
})

describe('a name that may not be read, as text', () => {
  test.each(
    first(2, [
      ["select 'sqlite_master' as x", 'sqlite_master'],
      [
        "select x from (select 'pragma_table_list' as x) where x in ('dbstat', 'pragma_table_list')",
        'pragma_table_list',
      ],
      ["select e.value as x from (select 1), json_each('[\"dbstat\"]') e where e.value = 'dbstat'", 'dbstat'],
      ["select max('edit', 'dbstat') as x from stores join returns on ('edit' = 'edit') group by 'edit'", 'edit'],
      ["select 'dbstat' || '' as x /* sqlite_master */ -- pragma_x", 'dbstat'],
      ["values ('edit')", 'edit'],
    ]),
  )('is text: %s', async (statement, text) => {
    expect(Object.values((await rowsOf(statement))[0]!)).toEqual([text])
  })

  test.each(
    first(3, [
      "select * from 'sqlite_master'",
      "select * from stores, 'sqlite_master'",
      "select * from (stores, ('sqlite_master'))",
      "select * from stores join 'pragma_table_list'",
      "select * from stores s join stores t on (s.id = t.id), 'dbstat'",
      "select * from 'pragma_table_info'('keys')",
      "select 1 in 'sqlite_master'",
      "select 1 where 1 not in main . 'sqlite_master'",
      "select * from stores where id in (select id from stores /* , */ , 'sqlite_schema')",
      "select 'x' from stores union select 1 from 'sqlite_temp_master'",
    ]),
  )('is a name where a table may stand, and refused: %s', async (statement) => {
    const outcome = await ask(statement, '--json')
    expect([codeOf(outcome), outcome.stdout]).toEqual(['statement_refused', ''])
  })
})

describe('what is not a view of the account', { tags: ['full'] }, () => {
  const raw = (): readonly string[] => {
    const db = new driver(database, { readonly: true })
    const names = db.prepare(`select name from sqlite_schema where type in ('table', 'view')`).pluck().all() as string[]
    db.close()
    return names
  }
  /** The rows of a query of the first account, asked in this process. */
  const here = (text: string): Iterable<readonly unknown[]> => {
    const empty = box.file('empty.sqlite', '')
    const query = { path: database, empty, account: 1, text, schema: 'abcdefghijklmnopqrstuvwxyz' }
    const { rows, close } = runQuery(driver, query)
    onTestFinished(close)
    return rows
  }
  /** What it ends with: the code of its error, or the number of its rows. */
  const outcomeOf = (rows: () => Iterable<readonly unknown[]>): unknown => {
    try {
      return [...rows()].length
    } catch (error) {
      return (error as ShipxError).code
    }
  }

  test('no table of the file can be read, by any spelling of its name', async () => {
    const views = new Set(sqlViews.map(({ name }) => name))
    const tables = raw()
    expect(tables).toEqual(expect.arrayContaining(['keys', 'accounts', 'ratecards', 'shipment_search', 'sqlite_stat1']))
    const spellings = (name: string): readonly string[] =>
      [`"main".${name}`, ...(views.has(name) ? [] : [name, `'${name}'`])].map(
        (spelling) => `select count(*) as n from ${spelling}`,
      )
    // What the program starts for a query asks it in this way: a process for each name would prove the same.
    expect([...here('select count(*) from shipments')]).toEqual([[400n]])
    for (const statement of tables.flatMap(spellings)) {
      const code = expect.stringMatching(/^statement_(?:refused|failed)$/)
      expect([statement, outcomeOf(() => here(statement))]).toEqual([statement, code])
    }
    for (const statement of ['keys', 'shipments'].flatMap(spellings)) {
      const { stdout, exit } = await ask(statement, '--jsonl')
      expect([statement, stdout, exit]).toEqual([statement, '', 2])
    }
  })

  test('records of another account are not there', async () => {
    const [mine] = await rowsOf(
      'select (select count(*) from shipments) as s, (select count(*) from returns) as r, (select count(*) from stores) as t',
    )
    expect(mine).toEqual({ s: 400, r: 60, t: 4 })
    const [theirs] = await rowsOf(
      'select (select count(*) from shipments) as s, (select count(*) from stores) as t',
      '--account',
      'neighbour',
    )
    expect(theirs).toEqual({ s: 50, t: 2 })
  })

  test('the place of the tables has another name each time', async () => {
    const plans = await Promise.all([1, 2].map(() => rowsOf('explain query plan select id from shipments')))
    expect(JSON.stringify(plans)).not.toMatch(/[a-z]{30}/)
  })
})

describe('what has no end', { tags: ['full'] }, () => {
  const endless = 'with recursive c (x) as (select 1 union all select x + 1 from c) select count(*) from c'
  const trickling = 'with recursive c (x) as (select 1 union all select x + 1 from c) select x from c'

  test('is stopped at the time limit', async () => {
    const outcome = await ask(endless, '--timeout', '700ms', '--json')
    expect([codeOf(outcome), outcome.exit]).toEqual(['time_limit', 6])
    expect(outcome.took).toBeLessThan(6000)
  })

  test('is cut at the limit of rows, and says so', async () => {
    const { stdout, stderr, exit } = await box.shipx(['sql', trickling, '--limit', '1000', '--ids'])
    expect(exit).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1000)
    expect(stderr).toContain('more than 1,000 rows; --limit all')
  })

  const processes = (): string => execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  const left = (): readonly string[] =>
    processes()
      .split('\n')
      .filter((line) => line.includes('sql.cjs') && line.includes(root))

  test.skipIf(process.platform === 'win32').each([endless, trickling])(
    'ends with Ctrl-C: %s',
    async (statement) => {
      const before = left().length
      const { child, ended } = box.begin(['sql', statement, '--timeout', '0', '--limit', 'all', '--json', '-q'])
      await wait(1500)
      child.kill('SIGINT')
      const outcome = await ended
      expect(outcome.exit).toBe(130)
      expect((JSON.parse(outcome.stderr) as { error: { code: string } }).error.code).toBe('interrupted')
      expect(outcome.took).toBeLessThan(8000)
      await wait(300)
      expect(left().length).toBeLessThanOrEqual(before)
    },
    20_000,
  )

  test.skipIf(process.platform === 'win32')(
    'ends with whoever asked, even killed',
    async () => {
      const { child, ended } = box.begin(['sql', endless, '--timeout', '0', '-q'])
      const own = (): readonly string[] =>
        execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' })
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .filter(([, parent]) => parent === String(child.pid))
          .map(([pid]) => pid!)
      let asked: readonly string[] = []
      for (let i = 0; i < 50 && asked.length === 0; i++) {
        await wait(100)
        asked = own()
      }
      expect(asked).toHaveLength(1)
      await wait(700)
      child.kill('SIGKILL')
      await ended
      for (let i = 0; i < 50 && existsSync(`/proc/${asked[0]!}`); i++) await wait(100)
      expect(() => process.kill(Number(asked[0]), 0)).toThrow()
    },
    20_000,
  )

  test.skipIf(process.platform === 'win32')(
    'ends quietly when the reader has gone',
    async () => {
      const { child, ended } = box.begin(['sql', trickling, '--timeout', '0', '--limit', 'all', '--csv', '-q'])
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.stdout.destroy()
      expect((await ended).exit).toBe(0)
    },
    20_000,
  )
})

test.skipIf(process.platform !== 'linux')('a million rows take no memory', { tags: ['full'] }, async () => {
  const million =
    "with recursive c (x) as (select 1 union all select x + 1 from c limit 1000000) select x as id, hex(x) || '-some-text-that-is-there' as text, x * 1.5 as n from c"
  const { child, ended } = box.begin(['sql', million, '--limit', 'all', '--timeout', '0', '--csv', '-q'])
  let [most, lines] = [0, 0]
  child.stdout.on('data', (chunk: string) => (lines += chunk.split('\n').length - 1))
  const rss = (pid: number): number => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      return 0
    }
  }
  const children = (): readonly number[] =>
    readFileSync(`/proc/${child.pid!}/task/${child.pid!}/children`, 'utf8').trim().split(' ').map(Number)
  const looking = setInterval(() => {
    try {
      most = Math.max(most, rss(child.pid!), ...children().map(rss))
    } catch {
      // It has ended.
    }
  }, 100)
  const { exit } = await ended
  clearInterval(looking)
  expect([exit, lines]).toEqual([0, 1_000_001])
  expect(most).toBeGreaterThan(30)
  expect(most).toBeLessThan(150)
})

describe('values', () => {
  test('NULL, bytes, numbers beyond counting and names that come twice', async () => {
    const [row] = await rowsOf(
      "select 1 as id, 2 as id, null as n, 9223372036854775807 as big, x'00ff' as bytes, 9e999 as inf, 1021.4399999999999 as real, 1e15 + 1 as whole, '' as empty, 3 as [__proto__]",
    )
    expect(Object.entries(row!)).toEqual([
      ['id', 1],
      ['id_2', 2],
      ['n', null],
      ['big', '9223372036854775807'],
      ['bytes', '00ff'],
      ['inf', 'Infinity'],
      ['real', 1021.44],
      ['whole', 1_000_000_000_000_001],
      ['empty', ''],
      ['__proto__', 3],
    ])
  })

  const nasty = "select char(27) || '[31mred' || char(10, 0, 8238) as x, '=1+1' as f, 'कुर्ता, \"x\"' as s"

  test('what would move the cursor is shown and not done', { tags: ['full'] }, async () => {
    const { stdout } = await box.shipx(['sql', nasty, '-q'], { env: { SHIPX_FORCE_TTY: '120', NO_COLOR: '1' } })
    expect(stdout).toContain('\\u{1b}[31mred')
    for (const sign of ['\u001b', '\0', '\u202e']) expect(stdout).not.toContain(sign)
    const piped = await ask(nasty)
    for (const sign of ['\u001b', '\0', '\u202e']) expect(piped.stdout).not.toContain(sign)
    expect(piped.stdout.split('\n')).toHaveLength(2)
  })

  test('every format carries them', { tags: ['full'] }, async () => {
    expect((await ask(nasty, '--csv')).stdout).toBe('x,f,s\n"\u001b[31mred\n\0\u202e",\'=1+1,"कुर्ता, ""x"""\n')
    const json = JSON.parse((await ask(nasty, '--json')).stdout) as { data: readonly Row[] }
    expect(json.data).toEqual([{ x: '\u001b[31mred\n\0\u202e', f: '=1+1', s: 'कुर्ता, "x"' }])
    expect((await ask('select 1 as a where 0', '--csv')).stdout).toBe('a\n')
    expect((await ask('select 1 as a where 0', '--json')).stdout).toBe('{"data":[]}\n')
    expect((await ask('select 7 as a, 8 as id', '--ids')).stdout).toBe('8\n')
    expect((await ask('select 7 as a, 8 as b', '--csv', '--fields', 'b')).stdout).toBe('b\n8\n')
    expect((await ask('select 7 as a', '--columns', 'b')).stderr).toContain("isn't a column")
  })

  test('the statement comes out of a file or a pipe', { tags: ['full'] }, async () => {
    writeFileSync(join(box.folder, 'q.sql'), '-- how many\nselect count(*) as n from shipments;\n')
    expect((await box.shipx(['sql', '--file', 'q.sql', '-q'])).stdout).toBe('400\n')
    expect((await box.shipx(['sql', '-', '-q'], { input: 'select 5' })).stdout).toBe('5\n')
    expect((await box.shipx(['sql', '--file', '-', '-q'], { input: 'select 6' })).stdout).toBe('6\n')
    expect((await box.shipx(['sql'])).exit).toBe(2)
    expect((await box.shipx(['sql', 'select 1', '--file', 'q.sql'])).exit).toBe(2)
    expect((await box.shipx(['sql', 'select 1', '--timeout', 'soon'])).exit).toBe(2)
  })
})

describe('the views', () => {
  const records = async (
    kind: 'shipments' | 'returns',
    // oxlint-disable-next-line typescript/no-explicit-any -- whatever a record holds
  ): Promise<readonly { id: string; attributes: Record<string, any> }[]> =>
    (await box.shipx([kind, 'list', '--all', '--jsonl', '-q'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('have the columns that --schema tells, and no column has no meaning', { tags: ['full'] }, async () => {
    const [failed] = (await box.shipx(['shipments', 'list', '--status', 'ndr_raised', '--ids', '-q'])).stdout.split(
      '\n',
    )
    await box.shipx(['shipments', 'ndr', 'answer', failed!, '--rto'])
    const awbs = (await box.shipx(['sql', "select awb from shipments where status = 'delivered' limit 3", '-q'])).stdout
    const bill = box.file('bill.csv', `awb,weight_g,freight\n${awbs.trim().replaceAll('\n', ',500,900\n')},500,900\n`)
    const paid = box.file('paid.csv', 'awb,remitted,utr\nX1,10,HDFCN52026091412345678\n')
    const bank = box.file('bank.csv', 'date,narration,credit\n14-09-2026,NEFT HDFCN52026091412345678,10\n')
    const cod = await box.shipx(['reconcile', 'cod', paid, '--bank', bank, '--yes', '-q'])
    expect([cod.exit, cod.stderr]).toEqual([0, ''])
    const kept = await box.shipx(['reconcile', 'invoice', bill, '--number', 'B/1', '--courier', '', '--yes', '-q'])
    expect([kept.exit, kept.stderr]).toEqual([0, ''])
    const opened = await box.shipx(['disputes', 'create', '--from', 'invoice', 'B/1', '-q'])
    expect([opened.exit, opened.stderr]).toEqual([0, ''])
    const waiting = "select awb from shipments where status = 'pending' and awb is not null limit 1"
    const [awb] = (await box.shipx(['sql', waiting, '-q'])).stdout.split('\n')
    const printed = await box.shipx(['orders', 'label', awb!, '--out', box.file('labels.pdf', ''), '--force', '-q'])
    expect(printed.exit).toBe(0)
    const told = (await rowsOf('--schema')) as readonly { view: string; column: string; means: string }[]
    for (const view of sqlViews) {
      const [row] = await rowsOf(`select * from ${view.name} limit 1`)
      expect(Object.keys(row!)).toEqual(told.filter((line) => line.view === view.name).map(({ column }) => column))
    }
    expect(told.every(({ means }) => means.length > 2)).toBe(true)
    expect(sqlViews.map(({ name }) => name)).toEqual([
      'shipments',
      'shipment_items',
      'shipment_milestones',
      'returns',
      'return_items',
      'stores',
      'orders',
      'ndr_answers',
      'charges',
      'rto',
      'invoices',
      'invoice_lines',
      'invoice_reasons',
      'disputes',
      'dispute_events',
      'remittances',
      'remittance_lines',
      'bank_credits',
      'prints',
    ])
  })

  test('show what the records of shipments hold', async () => {
    const found = new Map((await rowsOf('select * from shipments')).map((row) => [row['id'], row]))
    const all = await records('shipments')
    expect(found.size).toBe(all.length)
    for (const { id, attributes: a } of all) {
      const reached: readonly Row[] = a['shipment_milestones']
      const told = [
        ...a['tracking_details'].map((scan: Row) => scan['event_date_time']),
        ...reached.filter((one) => one['milestone'] !== 'ready_for_pickup').map((one) => one['milestone_at']),
      ]
      const scans = (told.length === 0 ? reached.map((one) => one['milestone_at']) : told).map((text) =>
        Date.parse(String(text)),
      )
      const last = scans.length === 0 ? null : new Date(Math.max(...scans)).toISOString()
      expect(found.get(id)).toMatchObject({
        tracking_number: a['tracking_number'],
        status: a['status'],
        created_at: new Date(a['created_at']).toISOString(),
        created_at_ms: Date.parse(a['created_at']),
        order_id: a['order'].id,
        carrier_name: a['carrier']?.name ?? null,
        is_cod: Number(a['is_cod']),
        total_price: a['total_price'],
        total_price_paise: Math.round(a['total_price'] * 100),
        cod_amount_paise: Math.round(a['cod_amount'] * 100),
        applied_weight_g: a['applied_weight'].value,
        city: a['shipping_address'].city,
        customer_phone: a['shipping_address'].phone,
        last_scan_at: last,
      })
      expect(JSON.parse(String(found.get(id)!['record']))).toEqual({ id, type: 'shipment', attributes: a })
    }
  })

  test('have a row for each item and milestone', { tags: ['full'] }, async () => {
    const all = await records('shipments')
    const items = all.flatMap(({ id, attributes: a }) =>
      a['items'].map((item: Row, i: number) => [id, i + 1, item['sku'], item['quantity'], item['price']]),
    )
    const shown = await rowsOf('select * from shipment_items', '--limit', 'all')
    expect(
      new Set(
        shown.map((row) =>
          JSON.stringify([row['shipment_id'], row['line'], row['sku'], row['quantity'], row['price']]),
        ),
      ),
    ).toEqual(new Set(items.map((item) => JSON.stringify(item))))
    const milestones = all.flatMap(({ id, attributes: a }) =>
      a['shipment_milestones'].map((one: Row) => [id, one['milestone'], Date.parse(String(one['milestone_at']))]),
    )
    const told = await rowsOf('select * from shipment_milestones', '--limit', 'all')
    expect(
      new Set(told.map((row) => JSON.stringify([row['shipment_id'], row['milestone'], row['milestone_at_ms']]))),
    ).toEqual(new Set(milestones.map((one) => JSON.stringify(one))))
    const [sum] = await rowsOf('select count(*) as n from return_items i join returns r on r.id = i.return_id')
    expect(sum!['n']).toBe((await records('returns')).reduce((n, { attributes: a }) => n + a['return_items'].length, 0))
  })

  test(
    'read all records of the account in their order, where no index leaves some out or saves sorting',
    { tags: ['full'] },
    async () => {
      const db = join(box.folder, 'plain.sqlite')
      for (const [account, shipments] of [
        ['default', '120'],
        ['neighbour', '30'],
      ] as const)
        await box.shipx(['local', 'seed', '--shipments', shipments, '--account', account, '--db', db])
      const planOf = async (query: string) => JSON.stringify(await rowsOf(`explain query plan ${query}`, '--db', db))
      const inOrder = 'INTEGER PRIMARY KEY (rowid>? AND rowid<?)'
      const cities = 'select city, count(*) as n from shipments group by city'
      expect(await planOf(cities)).toContain(inOrder)
      expect(await planOf("select sum(total_price) from shipments where city = 'Pune'")).toContain(inOrder)
      expect(await planOf('select id from shipments order by created_at desc limit 3')).not.toContain(inOrder)
      expect(await planOf("select city from shipments where status = 'delivered'")).not.toContain(inOrder)
      // The newest five with all their columns took 14 s of a million: the text of each record was read.
      const newest = 'select * from shipments order by created_at desc'
      for (const query of [newest, `${newest} limit 5`, 'select id, city from returns r order by r.created'])
        expect(await planOf(query)).toMatch(/(?:shipments|returns)_wide \(account_id=\?\)(?!.*FOR ORDER BY)/)
      // A query with a quick way of its own goes by that.
      for (const way of ["awb = 'x'", "status in ('delivered', 'lost')", 'ndr_reason is not null', "id in ('x', 'y')"])
        expect(await planOf(`select * from shipments where ${way} order by created_at limit 5`)).toMatch(
          /USING INDEX (?!\w+_wide)\w+ \(account_id=\? AND \w+[=>]/,
        )
      const sorted = await rowsOf(newest, '--db', db, '--limit', 'all')
      const times = sorted.map((row) => Number(row['created_at_ms']))
      expect([new Set(times).size, times]).toEqual([120, times.toSorted((a, b) => b - a)])
      expect(await rowsOf(`${newest} limit 5`, '--db', db)).toEqual(sorted.slice(0, 5))
      const renamed = "select city as created_at from shipments where city <> '' order by created_at limit 9"
      const cityNames = (await rowsOf(renamed, '--db', db)).map((row) => String(row['created_at']))
      expect([cityNames.length, cityNames]).toEqual([9, cityNames.toSorted()])
      // A view that looks up the lines of each parcel walked the parcels by an index, and all lines for each of them.
      const returned = await planOf('select sum(cost_paise) from rto')
      expect(returned).toContain(inOrder)
      expect(returned).toContain('document_lines_awb (account_id=? AND awb=?)')
      const counted = (rows: readonly Row[]) => rows.reduce((sum, { n }) => sum + Number(n), 0)
      expect(counted(await rowsOf(cities, '--db', db, '--limit', 'all'))).toBe(120)
      expect(counted(await rowsOf(cities, '--db', db, '--limit', 'all', '--account', 'neighbour'))).toBe(30)
    },
  )

  test('a query read all returns before it began: 0.1 s at a million records', async () => {
    const db = join(box.folder, 'unread.sqlite')
    await box.shipx(['local', 'seed', '--shipments', '3', '--returns', '3', '--stores', '1', '--db', db, '-q'])
    const plans: string[] = []
    const schema = 'abcdefghijklmnopqrstuvwxyz'
    let cacheSize: unknown
    const watched = function (file: string, options: ConstructorParameters<Driver>[1]) {
      const opened = new driver(file, options) as unknown as Connection
      const { prepare, close } = opened
      return Object.assign(opened, {
        close() {
          cacheSize = opened.pragma(`${schema}.cache_size`, { simple: true })
          return close.call(opened)
        },
        prepare(text: string) {
          if (text.startsWith('select 1 from')) {
            const plan = prepare.call(opened, `explain query plan ${text}`).all(1) as readonly { detail: string }[]
            plans.push(...plan.map(({ detail }) => detail))
          }
          return prepare.call(opened, text)
        },
      })
    } as unknown as Driver
    const empty = box.file('unread-empty.sqlite', '')
    const query = { path: db, empty, account: 1, text: 'select 1', schema }
    runQuery(watched, query).close()
    expect(cacheSize).toBe(-4000)
    expect(plans).toHaveLength(3)
    for (const plan of plans) expect(plan).toMatch(/ USING (?:COVERING )?INDEX \w+ \(account_id=\? AND \w+=\?\)$/)
  })

  test('find a record by an index', async () => {
    const plan = await rowsOf("explain query plan select city from shipments where tracking_number = 'x'")
    expect(JSON.stringify(plan)).toContain('shipments_tracking_number (account_id=? AND tracking_number=?)')
  })
})

test('a query has one process beside shipx, which starts before shipx is read; help has none', async () => {
  const log = box.file('processes.log', '')
  const noting = `const { appendFileSync } = require('node:fs')
    const { threadId } = require('node:worker_threads')
    const note = (text) => appendFileSync(${JSON.stringify(log)}, text + '\\n')
    if (threadId === 0) note(require('node:path').basename(process.argv[1]))
    const { Script } = require('node:vm')
    require('node:vm').Script = class extends Script {
      constructor(...given) {
        note('reads shipx')
        super(...given)
      }
    }
    const { spawn } = require('node:child_process')
    require('node:child_process').spawn = (...given) => {
      note('starts a process')
      return spawn(...given)
    }`
  const env = { NODE_OPTIONS: `--require ${box.file('noting.cjs', noting)}` }
  const notes = (): readonly string[] => readFileSync(log, 'utf8').trim().split('\n')
  expect((await box.shipx(['sql', 'select 1 as n', '--jsonl', '-q'], { env })).stdout).toBe('{"n":1}\n')
  expect(notes().filter((note) => note !== 'sql.cjs')).toEqual(['shipx.js', 'starts a process', 'reads shipx'])
  expect(notes().filter((note) => note === 'sql.cjs')).toHaveLength(1)
  writeFileSync(log, '')
  expect((await box.shipx(['sql', '--help'], { env })).exit).toBe(0)
  expect(notes()).toEqual(['shipx.js', 'reads shipx'])
})

describe('where there is no file of SQLite', () => {
  test('none has been made yet', async () => {
    const outcome = await ask('select 1', '--json', '--db', join(box.folder, 'none.sqlite'))
    expect([codeOf(outcome), outcome.exit]).toEqual(['not_found', 3])
    expect(existsSync(join(box.folder, 'none.sqlite'))).toBe(false)
  })

  test('a deployment says what it needs', async () => {
    const outcome = await box.shipx(['sql', 'select 1', '--json'], {
      env: { SHIPX_BASE_URL: 'http://127.0.0.1:9', SHIPX_API_KEY: 'sk_12345678' },
    })
    expect([codeOf(outcome), outcome.exit]).toEqual(['not_supported', 2])
    expect(outcome.stderr).toContain('--local')
  })

  test('PostgreSQL has a program of its own', { tags: ['full'] }, async () => {
    const { url, drop } = await testDatabase()
    try {
      const outcome = await ask('select 1', '--json', '--database', url)
      expect([codeOf(outcome), outcome.exit]).toEqual(['not_supported', 2])
      expect(outcome.stderr).toContain('psql')
    } finally {
      await drop()
    }
  })
})
