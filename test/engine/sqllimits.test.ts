// The limits of `shipx sql` hold: a long value, a sort that fills the disk, names that only look like others, and files that are
// damaged or cannot be made end in time and say what they are.
// @module-tag full: values of many megabytes
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlTokens } from '../../src/engine/sql/tokens.ts'
import { sandbox, type Sandbox, type Outcome, type Run } from '../support/sandbox.ts'

let bench: Sandbox

beforeAll(async () => {
  bench = sandbox()
  expect((await bench.shipx(['local', 'seed', '--shipments', '300', '--quiet'])).exit).toBe(0)
})
afterAll(() => bench.remove())

const ask = (statement: string, more: readonly string[] = [], how?: Run): Promise<Outcome> =>
  bench.shipx(['sql', statement, '--json', ...more], how)
const ended = ({ exit, stderr }: Outcome): readonly unknown[] => [
  exit,
  (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string } }).error.code,
]

describe('one long value', () => {
  test('of 19 MB is printed whole', async () => {
    const { stdout, exit } = await ask("select printf('%.*c', 19000000, 'x') as x")
    expect([exit, (JSON.parse(stdout) as { data: { x: string }[] }).data[0]!.x.length]).toEqual([0, 19_000_000])
  })

  test.each([
    ["printf('%.*c', 100000000, 'x')", ''],
    ['json_group_array(record)', ' from shipments, (select 1 from shipments limit 60)'],
    ['randomblob(30000000)', ''],
  ])('%s is refused and not read for ever', async (value, from) => {
    expect(ended(await ask(`select ${value} as x${from}`))).toEqual([2, 'statement_failed'])
  })

  test('is stopped at --timeout', async () => {
    const outcome = await ask("select printf('%.*c', 90000000, 'x'), printf('%.*c', 90000000, 'y') as x", [
      '--timeout',
      '10ms',
    ])
    expect(ended(outcome)).toEqual([6, 'time_limit'])
  })
})

test.skipIf(process.platform === 'win32')('a sort that would fill the disk is ended', async () => {
  const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000000)'
  const outcome = await ask(`${rows} select i, printf('%.*c', 2000, 'x') as y from n order by y desc, i desc`)
  expect(ended(outcome)).toEqual([2, 'statement_failed'])
  expect(outcome.stderr).toContain('more than 1 GB of temporary files')
})

describe('a name behind a byte-order mark, which SQLite takes for a blank', () => {
  const mark = '\ufeff'
  // prettier-ignore
  test.each(['sqlite_temp_master', 'pragma_database_list', 'pragma_table_list', 'dbstat', '"sqlite_master"', '[sqlite_schema]'])(
    '%s is refused',
    async (name) => {
      for (const text of [`select * from ${mark}${name}`, `select * from${mark}${mark} ${name}`, `select 1 from (select * from ${mark}${name})`])
        expect(ended(await ask(text))).toEqual([2, 'statement_refused'])
    },
  )

  test('tokens are those that SQLite sees', () => {
    const seen = (text: string): readonly string[] =>
      [...sqlTokens(text)].map((token) => (token === undefined ? 'open' : `${token.kind} ${token.text}`))
    expect(seen(`${mark}a${mark}b`)).toEqual([`word a${mark}b`])
    expect(seen('\'it\'\'s\' "a""b" `c` [d]]')).toEqual(["text it's", 'quoted a"b', 'quoted c', 'quoted d', 'sign ]'])
    expect(seen('a--b\nc/*d*/e/**/f/*/g*/h /* never closed')).toEqual([
      'word a',
      'word c',
      'word e',
      'word f',
      'word h',
    ])
    expect(seen("select 'never closed")).toEqual(['word select', 'open'])
    expect(seen('😀x é$1 1a')).toEqual(['word 😀x', 'word é$1', 'sign 1', 'word a'])
  })

  test.each(['[', "'a' '", '/*/', '-', '"'])('%s, half a million times, is judged at once', async (piece) => {
    const path = join(bench.folder, 'long.sql')
    writeFileSync(path, `select ${piece.repeat(Math.floor(500_000 / piece.length))}`)
    const outcome = await bench.shipx(['sql', '--file', path, '--json', '--timeout', '2s'])
    expect([2, 6]).toContain(outcome.exit)
  })
})

describe('what is wrong with files is told as that', () => {
  /** Where the first page of the table that is asked lies in the file, bytes. */
  function pageOfShipments(path: string): readonly [from: number, to: number] {
    const db = new driver(path, { readonly: true })
    try {
      const root = db.prepare("select rootpage from sqlite_schema where name = 'shipments'").pluck().get() as number
      const size = db.pragma('page_size', { simple: true }) as number
      return [(root - 1) * size, root * size]
    } finally {
      db.close()
    }
  }

  test.each<[string, (path: string) => readonly [from: number, to: number]]>([
    ['the first pages', () => [4096, 200_000]],
    ['a page in the middle', pageOfShipments],
    ['everything behind the header', () => [100, 2_000_000]],
  ])('%s are damaged', async (_, part) => {
    const path = join(bench.folder, 'damaged.sqlite')
    copyFileSync(join(bench.folder, 'data', 'shipx.sqlite'), path)
    const bytes = readFileSync(path)
    const [from, to] = part(path)
    bytes.fill(0x5a, from, Math.min(to, bytes.length))
    writeFileSync(path, bytes)
    const outcome = await ask('select count(record), max(city), sum(total_price_paise) from shipments', ['--db', path])
    expect([
      ['database_corrupt', 1],
      ['database_foreign', 2],
    ]).toContainEqual(ended(outcome).toReversed())
  })

  test('a damaged record is damage to the file and no mistake in the question', async () => {
    const path = join(bench.folder, 'damaged.sqlite')
    copyFileSync(join(bench.folder, 'data', 'shipx.sqlite'), path)
    const db = new driver(path)
    db.exec(`update shipment_docs set doc = substr(doc, 1, 200) where seq = (select max(seq) from shipments)`)
    db.close()
    const outcome = await ask('select count(*), max(customer_name) from shipments', ['--db', path])
    expect(ended(outcome)).toEqual([1, 'database_corrupt'])
    expect(outcome.stderr).toContain(`"hint":"shipx local check --db ${path}"`)
    const check = await bench.shipx(['local', 'check', '--json', '--db', path])
    expect([ended(check), check.stderr]).toEqual([
      [1, 'database_corrupt'],
      expect.stringContaining('1 record of shipments cannot be read'),
    ])
  })

  test('a copy made by shipx local backup is not taken for damaged', async () => {
    const copy = join(bench.folder, 'copy.sqlite')
    expect((await bench.shipx(['local', 'backup', copy])).exit).toBe(0)
    const outcome = await ask('select count(*) > 0 as there from shipments', ['--db', copy, '--json'])
    expect([outcome.exit, outcome.stderr]).toEqual([0, ''])
    expect(outcome.stdout).toContain('"there":1')
  })

  test('a record without its text, which lists leave out, and a text without a record are found by the check', async () => {
    const path = join(bench.folder, 'halves.sqlite')
    copyFileSync(join(bench.folder, 'data', 'shipx.sqlite'), path)
    const db = new driver(path)
    db.exec('delete from shipment_docs where seq = (select max(seq) from shipments)')
    db.exec('delete from returns where seq in (select seq from returns order by seq limit 2)')
    db.close()
    const check = await bench.shipx(['local', 'check', '--json', '--db', path])
    expect(ended(check)).toEqual([1, 'database_corrupt'])
    expect(check.stderr).toContain('1 record of shipments cannot be shown: no row in shipment_docs')
    expect(check.stderr).toContain('2 records in return_docs cannot be found: no row in returns')
  })

  test('text of a question that is no JSON is a mistake in the question', async () => {
    const outcome = await ask("select 'x{' -> '$.a' as x")
    expect(ended(outcome)).toEqual([2, 'statement_failed'])
    expect(outcome.stderr).toContain('malformed JSON')
  })

  test('a temporary folder that is not there', async () => {
    const outcome = await ask('select 1', [], { env: { TMPDIR: join(bench.folder, 'nowhere') } })
    expect(ended(outcome)).toEqual([1, 'output_failed'])
    expect(outcome.stderr).toContain('TMPDIR')
    expect(readdirSync(bench.folder)).not.toContain('nowhere')
  })
})
