// Defends --fields, --columns and the sheet for Excel: a table of cells holds what was named and nothing beside it.
// @module-tag full: a process for each field
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../src/cli/command/context.ts'
import { printer } from '../../src/cli/output/printer.ts'
import { plainView } from '../../src/cli/output/views.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  expect((await box.shipx(['local', 'seed', '--shipments', '3', '--returns', '3', '--quiet'])).exit).toBe(0)
})
afterAll(() => box.remove())

const header = async (kind: string, ...more: readonly string[]): Promise<readonly string[]> =>
  (await box.shipx([kind, 'list', '--quiet', ...more])).stdout
    .split(/\r?\n/)[0]!
    .replace(/^\ufeff/, '')
    .split(/[,\t]/)

test.each(first(1, ['shipments', 'returns']))(
  '--fields attributes of %s adds no empty id and type columns',
  async (kind) => {
    for (const format of ['--csv', '--tsv']) {
      const [all, attributes] = [await header(kind, format), await header(kind, format, '--fields', 'attributes')]
      expect(attributes).toEqual(all.filter((name) => name !== 'id' && name !== 'type'))
      expect(await header(kind, format, '--fields', 'id,attributes')).toEqual(['id', ...attributes])
      // The same where there is no record to tell by.
      const none = await header(kind, format, '--fields', 'attributes', '--search', 'nothing-has-this')
      expect(none.filter((name) => name === 'id' || name === 'type')).toEqual([])
      expect(none.length).toBeGreaterThan(10)
    }
  },
)

const first3 = ['shipments', 'list', '--limit', '3', '--quiet']
const cellsOf = (csv: string): readonly (readonly string[])[] =>
  csv
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','))

test('a sheet for Excel was a dump of the API with times in UTC: it has the columns of the table, in IST', async () => {
  const [sheet, api] = [await box.shipx([...first3, '--excel']), await box.shipx([...first3, '--json'])]
  const [head, ...rows] = cellsOf(sheet.stdout)
  expect(head!.join()).toBe(
    'AWB,Status,Detail,Courier,Order,Store,Customer,Phone,City,State,Pincode,Zone,Value (₹),COD (₹),Payment,' +
      'Weight (g),Tries,Reason,Warehouse,Created,Updated',
  )
  const { data } = JSON.parse(api.stdout) as {
    data: readonly { attributes: { created_at: string; status: string; total_price: number } }[]
  }
  expect(rows).toHaveLength(3)
  for (const [i, { attributes: a }] of data.entries()) {
    const ist = new Date(Date.parse(a.created_at) + 330 * 60_000).toISOString()
    expect(rows[i]![head!.indexOf('Created')]).toBe(`${ist.slice(0, 10)} ${ist.slice(11, 16)}`)
    expect(rows[i]![head!.indexOf('Status')]!.toLowerCase().replaceAll(' ', '_')).toBe(a.status)
    expect(Number(rows[i]![head!.indexOf('Value (₹)')])).toBe(a.total_price)
  }
  const utc = await box.shipx([...first3, '--excel', '--columns', 'created,awb', '--tz', 'UTC'])
  const [named, ...others] = cellsOf(utc.stdout)
  expect(named).toEqual(['Created', 'AWB'])
  expect(others.map(([created]) => created)).toEqual(
    data.map(({ attributes: { created_at: at } }) => `${at.slice(0, 10)} ${at.slice(11, 16)}`),
  )
  const fields = cellsOf((await box.shipx([...first3, '--excel', '--fields', 'created_at,status'])).stdout)
  expect([fields[0], fields[1]![0]]).toEqual([['created_at', 'status'], rows[0]![head!.indexOf('Created')]])
})

test('names of --columns were refused by --fields, and the other way round', async () => {
  const names = ['phone', 'cod', 'customer', 'value', 'weight', 'attempts', 'detail', 'to', 'updated', 'reason']
  const [csv, table] = [
    await box.shipx([...first3, '--csv', '--fields', names.join()]),
    await box.shipx([...first3, '--columns', names.join()]),
  ]
  expect([csv.stderr, cellsOf(csv.stdout)[0]]).toEqual(['', names])
  const plain = (text: string): string => text.replaceAll('"', '').replace(/(^|,)'/g, '$1')
  expect(
    cellsOf(csv.stdout)
      .slice(1)
      .map((row) => plain(row.join('\t'))),
  ).toEqual(table.stdout.split('\n').slice(0, -1))
  const paths = ['shipping_address.phone', 'cod_amount', 'granular_status', 'carrier.id']
  const byPath = await box.shipx([...first3, '--columns', paths.join()])
  expect([byPath.stderr, byPath.stdout]).toEqual([
    '',
    (await box.shipx([...first3, '--csv', '--no-header', '--raw', '--fields', paths.join()])).stdout.replaceAll(
      ',',
      '\t',
    ),
  ])
  const json = await box.shipx([...first3, '--jsonl', '--fields', 'cod,to'])
  expect(JSON.parse(json.stdout.split('\n')[0]!)).toEqual({
    attributes: { cod_amount: expect.any(Number) as number },
    to: expect.any(String) as string,
  })
  const wrong = await box.shipx([...first3, '--csv', '--fields', 'custmer'])
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean customer?')])
})

test('fields of rates have the words of the table', async () => {
  const quote = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--cod', '999', '-q']
  const names = ['courier', 'freight', 'cod', 'total', 'you_pay', 'delivery']
  const csv = await box.shipx([...quote, '--csv', '--fields', names.join()])
  expect([csv.stderr, cellsOf(csv.stdout)[0]]).toEqual(['', names])
  const table = await box.shipx([...quote, '--columns', names.join()])
  expect(
    cellsOf(csv.stdout)
      .slice(1)
      .map((row) => row.join('\t')),
  ).toEqual(table.stdout.trimEnd().split('\n'))
  const json = await box.shipx([...quote, '--json', '--fields', 'courier,you_pay', '--limit', '1'])
  const { result } = JSON.parse(json.stdout) as { result: { serviceable_couriers: readonly unknown[] } }
  expect(result.serviceable_couriers).toEqual([
    { carrier_name: cellsOf(csv.stdout)[1]![0], you_pay: Number(cellsOf(csv.stdout)[1]![4]) },
  ])
})

test('--tz ended a CSV with an internal error, and made 3 March of 31 February: such a time stays', async () => {
  const odd = ['2026-02-31T10:00:00Z', '2026-13-01T10:00:00Z', '2026-02-28T20:00:00+00:00', '2026-03-01']
  const records = odd.map((at, n) => ({
    id: `odd-${n}`,
    attributes: { created_at: '2026-01-01T00:00:00Z', note: at },
  }))
  box.file('odd.jsonl', records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const db = ['--db', 'odd.sqlite', '--quiet']
  expect((await box.shipx(['local', 'import', 'shipments', 'odd.jsonl', ...db])).exit).toBe(0)
  const list = ['shipments', 'list', '--all', '--csv', '--fields', 'id,note', ...db]
  const { stdout, stderr } = await box.shipx([...list, '--tz', 'Asia/Kolkata'])
  expect(stderr).toBe('')
  const shown = ['2026-02-31T10:00:00Z', '2026-13-01T10:00:00Z', '2026-03-01 01:30:00', '2026-03-01']
  expect(cellsOf(stdout).slice(1).toSorted()).toEqual(shown.map((at, n) => [`odd-${n}`, at]))
  const paris = await box.shipx([...list, '--tz', 'Europe/Paris'])
  expect(paris.stdout).toContain('odd-2,2026-02-28 21:00:00\n')
})

test('a column of SQL whose name is the start of another vanished from sheets, and --fields found no name with a dot', async () => {
  const query = `select 1 as a, 2 as "a.b", null as x, 'y' as "x.y", 3 as attributes`
  const said = async (...more: readonly string[]): Promise<string> =>
    (await box.shipx(['sql', query, ...more])).stdout.replace(/^\ufeff/, '').replaceAll('\r', '')
  expect(await said('--csv')).toBe('a,a.b,x,x.y,attributes\n1,2,,y,3\n')
  expect(await said('--tsv')).toBe('a\ta.b\tx\tx.y\tattributes\n1\t2\t\ty\t3\n')
  expect(cellsOf(await said('--excel'))).toEqual([
    ['a', 'a.b', 'x', 'x.y', 'attributes'],
    ['1', '2', '', 'y', '3'],
  ])
  expect(await said('--csv', '--fields', 'x.y,a')).toBe('x.y,a\ny,1\n')
  expect(await said('--jsonl', '--fields', 'a.b')).toBe('{"a.b":2}\n')
  const folder = ['--xlsx', 'names.xlsx', '--quiet'] as const
  await box.shipx(['sql', query, ...folder])
  const again = await box.shipx(['stores', 'import', 'names.xlsx', '--dry-run'])
  expect(again.stderr).toContain('a.b')
})

test('a text where other records have an object vanished from CSV without a word', async () => {
  const service = await startStandIn({ shipments: 0 })
  const carriers = ['Blue Dart', { id: 'C-1', name: 'Peepal Post' }, null]
  const put = (n: number, carrier: unknown): void =>
    service.put('shipments', `S-${n}`, Date.parse('2026-09-28T00:00:00Z') - n, { carrier })
  const read = async (...more: readonly string[]): Promise<Outcome> =>
    box.shipx(['shipments', 'list', '--all', '--base-url', service.url, '--csv', ...more], {
      env: { SHIPX_API_KEY: service.key },
    })
  try {
    put(1, carriers[1])
    put(2, carriers[2])
    // The object that is null makes no column.
    expect(cellsOf((await read()).stdout)[0]).not.toContain('carrier')
    put(0, carriers[0])
    for (const more of [[], ['--fields', 'id,carrier']]) {
      const { stdout, stderr } = await read(...more)
      const [names, ...rows] = cellsOf(stdout)
      const shown = rows.map((row) => ['id', 'carrier', 'carrier.name'].map((name) => row[names!.indexOf(name)]))
      expect([shown, stderr]).toEqual([
        [
          ['S-0', 'Blue Dart', ''],
          ['S-1', '', 'Peepal Post'],
          ['S-2', '', ''],
        ],
        '',
      ])
    }
    // Where the first records have no such text, shipx says that the sheet lacks it.
    for (let n = 3; n < 400; n++) put(n, carriers[n === 399 ? 0 : 1])
    put(0, carriers[1])
    expect((await read()).stderr).toContain('1 records have fields that the first ones lack')
  } finally {
    await service.close()
  }
})

test('a misspelt field was accepted in CSV where the first records were filtered away', async () => {
  const printed = async (field: string, ...batches: readonly (readonly string[])[]): Promise<string> => {
    let out = ''
    const stdout = { tty: false, write: async (text: string) => void (out += text) }
    const flags = new Map([['fields', [field]]])
    const context = { format: 'csv', flags, io: { stdout }, screen: { headless: false } } as unknown as Context
    const to = printer(
      context,
      plainView(['row', 'rows'], () => '', ['awb', 'expected']),
    )
    for (const batch of batches) await to.batch(batch)
    await to.end()
    return out
  }
  const record = '{"awb":"A-1","expected":12}'
  await expect(printed('expcted', [], [record])).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await printed('expected', [], [record], [])).toBe('expected\n12\n')
  // Without any record there is the header, as before.
  expect([await printed('awb', []), await printed('awb')]).toEqual(['awb\n', 'awb\n'])
})
