// Parquet files that --parquet writes: the types of their columns, that another library reads every value back, and that a
// file is written whole or not at all.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parquetMetadata, parquetRead, type FileMetaData } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TableColumn, TableValue } from '../../src/cli/command/tablefile.ts'
import { openParquetFile } from '../../src/cli/parquet/parquetfile.ts'
import { sandbox } from '../support/sandbox.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { runs } from '../support/size.ts'

const box = sandbox()
const env = { SHIPX_DB: 'seeded.sqlite' }
beforeAll(async () => {
  await box.shipx(['local', 'seed', '--shipments', '300', '--returns', '20'], { env })
})
afterAll(box.remove)

const shipx = (...args: readonly string[]) => box.shipx(args, { env })
const bytesOf = (name: string): Buffer => readFileSync(join(box.folder, name))

interface Found {
  readonly metadata: FileMetaData
  /** `name: physical type, what it means`. */
  readonly types: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** The values of a column. */
  readonly column: (name: string) => readonly unknown[]
}

/** What another library finds in a file; amounts in paise, as they are stored. */
async function read(bytes: Uint8Array): Promise<Found> {
  const file = Uint8Array.from(bytes).buffer
  const metadata = parquetMetadata(file)
  const columns = metadata.schema.slice(1)
  const types = columns.map(({ name, type, converted_type, precision, scale, logical_type }) =>
    [
      `${name}: ${type}`,
      ...(converted_type === undefined ? [] : [converted_type]),
      ...(precision === undefined ? [] : [`(${precision},${scale})`]),
      ...(logical_type?.type === 'TIMESTAMP' && logical_type.isAdjustedToUTC ? ['UTC'] : []),
    ].join(' '),
  )
  const stored = {
    ...metadata,
    schema: metadata.schema.map(({ converted_type, logical_type, ...element }) =>
      converted_type === 'DECIMAL'
        ? element
        : {
            ...element,
            ...(converted_type === undefined ? {} : { converted_type }),
            ...(logical_type === undefined ? {} : { logical_type }),
          },
    ),
  } as FileMetaData
  const rows: unknown[][] = []
  await parquetRead({ file, metadata: stored, onComplete: (found) => void rows.push(...(found as unknown[][])) })
  const names = columns.map(({ name }) => name)
  return { metadata, types, rows, column: (name) => rows.map((row) => row[names.indexOf(name)]) }
}

const readFile = (name: string): Promise<Found> => read(bytesOf(name))

/** A file with these rows, and the names of values that do not fit. */
async function made(columns: readonly TableColumn[], rows: readonly (readonly TableValue[])[]) {
  const pieces: Uint8Array[] = []
  const misfits: string[] = []
  const file = openParquetFile(columns, {
    write: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    createdBy: 'test',
    misfits: (name) => ({
      missed: () => void misfits.push(`${name} missed`),
      rounded: () => void misfits.push(`${name} rounded`),
    }),
  })
  file.add(rows)
  file.end(new Map())
  return { ...(await read(Buffer.concat(pieces))), misfits }
}

describe('a column', () => {
  test('of each type has that type for other programs, and nulls', async () => {
    const types = ['text', 'truth', 'count', 'number', 'money', 'instant', 'day'] as const
    const { types: found, rows } = await made(
      types.map((type) => ({ name: type, type })),
      [
        ['a', true, 7, 0.1, 1499.5, '2026-09-29T14:00:00.250+05:30', '2026-09-29'],
        types.map(() => null),
        ['', false, -1, -1e300, -0.01, '2026-09-29T08:30:00Z', '1969-12-31'],
      ],
    )
    expect(found).toEqual([
      'text: BYTE_ARRAY UTF8',
      'truth: BOOLEAN',
      'count: INT64',
      'number: DOUBLE',
      'money: INT64 DECIMAL (18,2)',
      'instant: INT64 TIMESTAMP_MILLIS UTC',
      'day: INT32 DATE',
    ])
    expect(rows).toEqual([
      ['a', true, 7n, 0.1, 149950n, new Date('2026-09-29T08:30:00.250Z'), new Date('2026-09-29')],
      types.map(() => null),
      ['', false, -1n, -1e300, -1n, new Date('2026-09-29T08:30:00Z'), new Date('1969-12-31')],
    ])
  })

  test('is null where a value is not of its type, which is reported, and an amount is rounded to the paisa', async () => {
    const { rows, misfits } = await made(
      [
        { name: 'n', type: 'count' },
        { name: 'at', type: 'instant' },
        { name: 'on', type: 'day' },
        { name: 'cod', type: 'money' },
      ],
      [
        [1.5, 'soon', '2026-02-30x', 84.745763],
        ['9223372036854775807', '', null, 1e15],
      ],
    )
    expect(rows).toEqual([
      [null, null, null, 8475n],
      [9223372036854775807n, null, null, null],
    ])
    expect(misfits).toEqual(['n missed', 'at missed', 'on missed', 'cod rounded', 'cod missed'])
  })

  test('keeps any text and any number that JSON can hold', { tags: ['full'] }, async () => {
    const value = fc.tuple(
      fc.option(fc.string({ unit: 'binary' })),
      fc.option(fc.double({ noNaN: true })),
      fc.option(fc.maxSafeInteger()),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 60 }), async (values) => {
        const { rows } = await made(
          [
            { name: 'text', type: 'text' },
            { name: 'number', type: 'number' },
            { name: 'count', type: 'count' },
          ],
          values,
        )
        expect(rows).toEqual(values.map(([a, b, c]) => [a, b, c === null ? null : BigInt(c)]))
      }),
      { numRuns: runs(20, 500) },
    )
  })

  test('keeps hostile names and texts, and names that are there twice are apart', async () => {
    const hostile = ['', '__proto__', 'a.b', 'a\nb', '\u001b[31m', 'दिल्ली 😀', 'x', 'x', 'constructor']
    const texts = ['=1+1', '\u0000', '\u202egpj', '"', "'; drop table", '\r\n', ' ', 'null', '🧨'.repeat(20_000)]
    const { types, rows } = await made(
      hostile.map((name) => ({ name, type: 'text' })),
      [texts],
    )
    expect(rows).toEqual([texts])
    expect(types.map((type) => type.replace(': BYTE_ARRAY UTF8', ''))).toEqual(
      hostile.map((name, i) => (i === 7 ? 'x_2' : name)),
    )
  })

  test('goes on in the next group of rows', { tags: ['full'] }, async () => {
    const some = Array.from({ length: 45_000 }, (_, i) => [i, i % 3 === 0 ? null : `AWB-${i}`] as const)
    const { metadata, rows } = await made(
      [
        { name: 'n', type: 'count' },
        { name: 'awb', type: 'text' },
      ],
      some,
    )
    expect(metadata.row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([20_000, 20_000, 5_000])
    expect(rows).toEqual(some.map(([n, awb]) => [BigInt(n), awb]))
  })
})

describe('shipments list --all --parquet', () => {
  test('has the names and values of --csv under types, and says so on stderr', async () => {
    const { exit, stdout, stderr } = await shipx('shipments', 'list', '--all', '--parquet', 'all.parquet')
    expect([exit, stdout, stderr]).toEqual([0, '', '✓ Wrote 300 shipments to all.parquet\n'])
    const { types, rows, column } = await readFile('all.parquet')
    const csv = (await shipx('shipments', 'list', '--limit', '1', '--csv')).stdout
    expect(types.map((type) => type.split(':')[0])).toEqual(csv.split('\n')[0]!.split(','))
    expect(types.filter((type) => !type.endsWith('UTF8'))).toEqual([
      'created_at: INT64 TIMESTAMP_MILLIS UTC',
      'total_price: INT64 DECIMAL (18,2)',
      'cod_amount: INT64 DECIMAL (18,2)',
      'is_cod: BOOLEAN',
      'applied_weight.value: DOUBLE',
      'attempt_count: INT64',
      'order.order_date: INT64 TIMESTAMP_MILLIS UTC',
    ])
    interface Sent {
      readonly attributes: Readonly<Record<string, unknown>>
    }
    const sent = (await shipx('shipments', 'list', '--all', '--jsonl')).stdout.trimEnd().split('\n')
    const records = sent.map((line) => (JSON.parse(line) as Sent).attributes)
    expect(rows).toHaveLength(300)
    expect(column('total_price')).toEqual(records.map((a) => BigInt(Math.round(Number(a['total_price']) * 100))))
    expect(column('created_at')).toEqual(records.map((a) => new Date(String(a['created_at']))))
    expect(column('tracking_number')).toEqual(records.map((a) => a['tracking_number'] ?? null))
    expect(column('items').map((text) => JSON.parse(String(text)) as unknown)).toEqual(records.map((a) => a['items']))
  })

  test('says in the file which command wrote it, who answered and when', async () => {
    const { metadata } = await readFile('all.parquet')
    expect(metadata.created_by).toMatch(/^shipx version [\d.]+ \(build shipx\)$/)
    expect(metadata.key_value_metadata).toEqual([
      { key: 'shipx.command', value: 'shipx shipments list --all --parquet all.parquet' },
      { key: 'shipx.answered', value: 'on this computer' },
      { key: 'shipx.time', value: '2026-09-29T08:30:00.000Z' },
    ])
  })

  test('without a record has the same columns and types', { tags: ['full'] }, async () => {
    const line = ['shipments', 'list', '--search', 'nobody-has-this', '--parquet', 'empty.parquet']
    const { exit, stderr } = await shipx(...line)
    expect([exit, stderr]).toEqual([0, '✓ Wrote 0 shipments to empty.parquet\n'])
    const [none, all] = [await readFile('empty.parquet'), await readFile('all.parquet')]
    expect([none.types, none.rows]).toEqual([all.types, []])
  })

  test('keeps what --fields name under the names as typed', { tags: ['full'] }, async () => {
    const fields = 'awb,payment,value,updated,order.order_date'
    await shipx('shipments', 'list', '--fields', fields, '--parquet', 'fields.parquet')
    expect((await readFile('fields.parquet')).types).toEqual([
      'awb: BYTE_ARRAY UTF8',
      'payment: BYTE_ARRAY UTF8',
      'value: INT64 DECIMAL (18,2)',
      'updated: INT64 TIMESTAMP_MILLIS UTC',
      'order.order_date: INT64 TIMESTAMP_MILLIS UTC',
    ])
  })
})

test('a value that shipx cannot read is null in its column, and is named', { tags: ['full'] }, async () => {
  const service = await startStandIn()
  try {
    for (const id of service.ids('shipments')) service.drop('shipments', id)
    service.put('shipments', 'S-1', Date.parse('2026-09-28T00:00:00Z'), {
      tracking_number: 1434494001234,
      total_price: '1,299.50',
      is_cod: 'perhaps',
      attempt_count: '2',
      surprise: { of: 7 },
      constructor: 'x',
    })
    const line = ['shipments', 'list', '--base-url', service.url, '--parquet', 'foreign.parquet']
    const { exit, stderr } = await box.shipx(line, { env: { SHIPX_API_KEY: service.key } })
    expect([exit, stderr]).toEqual([0, expect.stringContaining('is_cod')])
    const { column } = await readFile('foreign.parquet')
    const names = ['tracking_number', 'total_price', 'is_cod', 'attempt_count', 'surprise.of', 'constructor']
    expect(names.map((name) => column(name)[0])).toEqual(['1434494001234', 129950n, null, 2n, '7', 'x'])
  } finally {
    await service.close()
  }
})

describe('every list with types has --parquet:', () => {
  const lines = [
    ['shipments summary --by day,courier', ['day: INT32 DATE', 'shipments: INT64', 'value: INT64 DECIMAL (18,2)']],
    ['shipments stuck --days 1', ['days: INT64', 'last_scan_at: INT64 TIMESTAMP_MILLIS UTC']],
    ['shipments ndr', ['answer_by: INT32 DATE', 'cod: INT64 DECIMAL (18,2)']],
    ['shipments get FIRST', ['is_cod: BOOLEAN']],
    ['returns list', ['is_exchange: BOOLEAN', 'weight.value: DOUBLE']],
    ['returns summary', ['received_share: DOUBLE']],
    ['stores list', ['created_at: INT64 TIMESTAMP_MILLIS UTC']],
    ['sql --schema', ['means: BYTE_ARRAY UTF8']],
  ] as const
  test.each(lines)('%s', { tags: ['full'] }, async (line, types) => {
    const awb = (await shipx('shipments', 'list', '--limit', '1', '--ids')).stdout.trim()
    const words = line.replace('FIRST', awb).split(' ')
    const csv = (await shipx(...words, '--csv')).stdout.trimEnd().split('\n')
    const { exit, stdout } = await shipx(...words, '--parquet', 'list.parquet')
    const found = await readFile('list.parquet')
    expect([exit, stdout, found.rows.length]).toEqual([0, '', csv.length - 1])
    expect(found.types.map((type) => type.split(':')[0])).toEqual(csv[0]!.split(','))
    expect(found.types).toEqual(expect.arrayContaining([...types]))
  })
})

describe('shipx sql --parquet', () => {
  const sql = async (query: string, ...more: readonly string[]) => {
    const { exit, stderr } = await shipx('sql', query, ...more, '--parquet', 'sql.parquet')
    return { exit, stderr, ...(await readFile('sql.parquet')) }
  }

  test('has the types that SQLite found: whole numbers of 64 bits, fractions, instants, days, texts', async () => {
    const { stderr, types, rows } = await sql(
      "select 9223372036854775807 as big, 5.0 as real, created_at, '2026-09-01' as day, '007' as text, null as none, " +
        "x'00ff' as bytes, 9e999 as endless from shipments limit 1",
    )
    expect(stderr).toBe('✓ Wrote 1 row to sql.parquet\n')
    expect(types).toEqual([
      'big: INT64',
      'real: DOUBLE',
      'created_at: INT64 TIMESTAMP_MILLIS UTC',
      'day: INT32 DATE',
      'text: BYTE_ARRAY UTF8',
      'none: BYTE_ARRAY UTF8',
      'bytes: BYTE_ARRAY UTF8',
      'endless: DOUBLE',
    ])
    expect(rows[0]).toEqual([
      9223372036854775807n,
      5,
      expect.any(Date),
      new Date('2026-09-01'),
      '007',
      null,
      '00ff',
      Infinity,
    ])
  })

  test(
    'has one type for whole numbers and fractions, and text for values of several types, which it says',
    { tags: ['full'] },
    async () => {
      const values =
        "values (1, 1, 1, '2026-09-01'), (0.5, 'two', 9007199254740993, '2026-09-01T00:00:00Z'), (2, null, 0.5, '')"
      const { stderr, types, rows } = await sql(values)
      expect(types).toEqual([
        'column1: DOUBLE',
        'column2: BYTE_ARRAY UTF8',
        'column3: BYTE_ARRAY UTF8',
        'column4: BYTE_ARRAY UTF8',
      ])
      expect(rows).toEqual([
        [1, '1', '1', '2026-09-01'],
        [0.5, 'two', '9007199254740993', '2026-09-01T00:00:00Z'],
        [2, null, '0.5', ''],
      ])
      expect(stderr).toBe(
        '! values of several types are written as text: column2, column3; cast them in the query\n' +
          '✓ Wrote 3 rows to sql.parquet\n',
      )
    },
  )

  test('knows the type of a column that changes in its last row', { tags: ['full'] }, async () => {
    const numbers = 'with recursive c (n) as (select 1 union all select n + 1 from c limit 50000)'
    const { types, column } = await sql(`${numbers} select n, iif(n < 50000, n, 'last') as x from c`, '--limit', 'all')
    expect(types).toEqual(['n: INT64', 'x: BYTE_ARRAY UTF8'])
    expect(column('x').slice(-2)).toEqual(['49999', 'last'])
  })

  test('adds up paise beyond 2^53 without losing one', async () => {
    const { rows } = await sql('select sum(column1) as s from (values (9007199254740992), (1))')
    expect(rows).toEqual([[9007199254740993n]])
  })

  test('without a row has its columns, and --fields keeps some of them', { tags: ['full'] }, async () => {
    const none = await sql('select id, zone from shipments where 0')
    expect([none.types, none.rows]).toEqual([['id: BYTE_ARRAY UTF8', 'zone: BYTE_ARRAY UTF8'], []])
    const some = await sql("select 1 as a, 'x' as b, 2.5 as c", '--fields', 'c,a')
    expect([some.types, some.rows]).toEqual([['c: DOUBLE', 'a: INT64'], [[2.5, 1n]]])
    const wrong = await shipx('sql', 'select 1 as alpha', '--fields', 'alpa', '--parquet', 'wrong.parquet')
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean alpha?')])
    expect(existsSync(join(box.folder, 'wrong.parquet'))).toBe(false)
  })

  test('keeps rows of hostile text, which look like other rows or notes', async () => {
    const { rows } = await sql(`select '!{"error":1}' || char(10) || 'nt[null]' as "a.b", ']' as "__proto__"`)
    expect(rows).toEqual([['!{"error":1}\nnt[null]', ']']])
  })
})

test('last_scan_at_ms in SQL is a whole number, as --schema says', { tags: ['full'] }, async () => {
  const types = 'select distinct typeof(last_scan_at_ms) from shipments where last_scan_at_ms is not null'
  expect((await shipx('sql', types, '--csv')).stdout.split('\n')[1]).toBe('integer')
})

describe('a Parquet file', () => {
  test('of our own is replaced, any other is not, and nothing is left behind', { tags: ['full'] }, async () => {
    const list = ['shipments', 'list', '--limit', '2', '--parquet', 'daily.parquet'] as const
    expect((await shipx(...list)).exit).toBe(0)
    expect((await shipx(...list)).exit).toBe(0)
    for (const other of [Buffer.from('PAR1'), Buffer.from(''), bytesOf('daily.parquet').subarray(0, -9)]) {
      writeFileSync(join(box.folder, 'daily.parquet'), other)
      const refused = await shipx(...list)
      expect([refused.exit, bytesOf('daily.parquet').equals(other)]).toEqual([2, true])
      expect(refused.stderr).toContain('daily.parquet is there already, and not as shipx wrote it; name another file')
    }
    expect(readdirSync(box.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test.each([
    ['shipments list --parquet -', 'needs the name of a file'],
    ['shipments list --parquet list.csv', 'does not end in .parquet'],
    ['shipments list --parquet no/where.parquet', 'no: there is no such folder'],
    ['shipments list --parquet a.parquet --csv', 'are two formats; choose one'],
    ['shipments list --parquet a.parquet --no-header', '--no-header: does not go with --parquet'],
    ['shipments list --parquet a.parquet --raw', '--raw: goes with --csv'],
    ['shipments list --parquet a.parquet --columns awb', 'for parquet use --fields'],
    ['shipments list --parquet a.parquet --split-by courier --out x', '--parquet: is not a sheet'],
    ['ratecard list --parquet a.parquet', 'for shipx ratecard list use --csv or --json'],
    ['stores create --name acme --parquet a.parquet', 'for shipx stores create use --csv or --json'],
  ])('is refused before anything is done: %s', { tags: ['full'] }, async (line, said) => {
    const { exit, stderr } = await shipx(...line.split(' '))
    expect([exit, stderr]).toEqual([2, expect.stringContaining(said)])
    expect(existsSync(join(box.folder, 'a.parquet'))).toBe(false)
  })

  test('had null in every column of times with --tz, and the command exited 0: they do not go together', async () => {
    const lists = [
      'shipments list --limit 2',
      'shipments summary --by day',
      "sql select~1~as~n,~'2026-09-01T00:00:00Z'~as~t",
    ]
    for (const line of lists) {
      const words = line.split(' ').map((word) => word.replaceAll('~', ' '))
      const { exit, stderr } = await shipx(...words, '--tz', 'Asia/Kolkata', '--parquet', 'zoned.parquet')
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining('--tz: does not go with --parquet: its times are in UTC'),
      ])
      expect(existsSync(join(box.folder, 'zoned.parquet'))).toBe(false)
    }
  })

  test('is not there after Ctrl-C', { tags: ['full'] }, async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'
    const { child, ended } = box.begin(['sql', endless, '--limit', 'all', '--parquet', 'stopped.parquet'], { env })
    setTimeout(() => child.kill('SIGINT'), 1500)
    const { exit, stderr } = await ended
    expect([exit, stderr]).toEqual([130, expect.stringContaining('stopped')])
    expect(readdirSync(box.folder).filter((name) => /stopped|\.tmp$/.test(name))).toEqual([])
  })
})

test.skipIf(process.platform !== 'linux')('many rows take no memory', { tags: ['full'] }, async () => {
  const numbers = 'with recursive c (x) as (select 1 union all select x + 1 from c limit 300000)'
  const many = `${numbers} select x as id, hex(x) || '-text' as text, '2026-09-29T08:30:00Z' as at, x * 1.5 as n from c`
  const line = ['sql', many, '--limit', 'all', '--timeout', '0', '--parquet', 'many.parquet']
  const { child, ended } = box.begin(line, { env })
  let most = 0
  const looking = setInterval(() => {
    if (!existsSync(`/proc/${child.pid!}/status`)) return
    const status = readFileSync(`/proc/${child.pid!}/status`, 'utf8')
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 100)
  const { exit, stderr } = await ended
  clearInterval(looking)
  expect([exit, stderr]).toEqual([0, '✓ Wrote 3,00,000 rows to many.parquet\n'])
  expect(most).toBeGreaterThan(30)
  expect(most).toBeLessThan(150)
})
