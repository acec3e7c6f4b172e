// The same month on SQLite, on PostgreSQL and beside a mirror: the same bytes, kept and read again.
// @module-tag full: a month on three kinds of database
import { expect, onTestFinished, test } from 'vitest'
import { key, startShapes } from '../../support/recordshapes.ts'
import { sandbox } from '../../support/sandbox.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { contract, shipment } from './invoices.ts'

const shipments = [
  ...['1001', '1002', '1003'].map((awb) => shipment(awb)),
  shipment('1004', { status: 'rto_delivered', is_cod: true, cod_amount: 1000 }),
  shipment('1005', { carrier_id: 'BLU', carrier_name: 'Blue Dart', weight: 900 }),
  shipment('1006', { is_cod: true, cod_amount: 500 }),
  shipment('1007', { is_cod: true, cod_amount: 700, delivered: '2026-09-27T20:00:00Z' }),
]
const remittance = [
  '1006,400,HDFCN52026091412345678,14-09-2026',
  'X,500,HDFCN52026091412345678,14-09-2026',
  'Freight adjusted,-50,HDFCN52026091412345678,14-09-2026',
]
const statement = [
  'Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance',
  '14 Sep 2026,14 Sep 2026,BY TRANSFER-NEFT*HDFCN5 2026091412345678,,,850,1850',
]
const head = 'awb,order,zone,weight_g,freight,rto,cod_fee,gst,total'
const september = [
  '1001,,c,400,40,0,0,7.20,47.20',
  '1002,,d,1000,91.20,0,0,16.42,107.62',
  '1004,,c,400,40,40,30,19.80,129.80',
]
const october = [
  '1001,,c,400,40,0,0,7.20,47.20',
  '1003,,c,400,40,0,0,7.20,47.20',
  '9999,,c,400,40,0,0,7.20,47.20',
  'X1,A-1005,c,900,70,0,0,12.60,82.60',
]

test('the same month on SQLite, PostgreSQL and beside a mirror gives the same bytes', async () => {
  const shapes = await startShapes({ shipments })
  const postgres = await testDatabase()
  onTestFinished(async () => {
    await shapes.close()
    await postgres.drop()
  })
  const month = async (
    env: Readonly<Record<string, string>>,
    records: 'import' | 'pull',
  ): Promise<readonly string[]> => {
    const box = sandbox()
    onTestFinished(() => box.remove())
    const said: string[] = []
    const run = async (words: readonly string[], own: Readonly<Record<string, string>> = env): Promise<void> => {
      const { stdout, stderr, exit } = await box.shipx(words, { env: own })
      expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
      if (
        ['reconcile', 'invoices', 'cod', 'disputes', 'report'].includes(words[0]!) ||
        ['cost', 'summary'].includes(words[1]!)
      )
        said.push(stdout)
    }
    const place = records === 'import' ? env : {}
    await run(['local', 'warehouse', 'set', 'WH1', '400001'], place)
    await run(['ratecard', 'import', box.file('contract.json', JSON.stringify(contract())), '--use'], place)
    const file = box.file('shipments.jsonl', shipments.join('\n'))
    await run(records === 'import' ? ['local', 'import', 'shipments', file, '--yes'] : ['pull', 'shipments'])
    const local = records === 'import' ? [] : ['--local']
    const keep = (name: string, rows: readonly string[], ...words: readonly string[]): Promise<void> =>
      run([
        'reconcile',
        'invoice',
        box.file(`${name}.csv`, [head, ...rows].join('\n')),
        '--number',
        name,
        '--jsonl',
        '--yes',
        ...words,
        ...local,
      ])
    await keep('SEP', september)
    await keep('OCT', october, '--courier', '')
    await keep('SEP', september)
    await run(['invoices', 'get', 'OCT', '--lines', '--csv', ...local])
    // With what is still to come.
    await run(['invoices', 'get', 'SEP', '--by', 'sku', ...local])
    await run(['shipments', 'summary', '--by', 'courier', '--billed', '--jsonl', ...local])
    await run(['invoices', 'list', '--jsonl', '--fields', 'number,lines,billed,over,reasons', ...local])
    await run(['invoices', 'unbilled', '--jsonl', ...local])
    await run(['shipments', 'cost', '1001', '1005', '--jsonl', ...local])
    const paid = box.file('paid.csv', ['AWB,Remitted,UTR,Date', ...remittance].join('\n'))
    const bank = box.file('bank.csv', statement.join('\n'))
    await run(['reconcile', 'cod', paid, '--bank', bank, '--json', '--yes', ...local])
    await run(['reconcile', 'cod', paid, '--json', ...local])
    await run(['cod', 'due', '--json', ...local])
    await run(['cod', 'due', '--jsonl', ...local])
    await run(['cod', 'due', '--forecast', '--json', ...local])
    await run(['cod', 'list', '--jsonl', '--fields', 'number,lines,amount,due', ...local])
    await run(['shipments', 'cost', '1006', '--jsonl', ...local])
    await run(['disputes', 'create', '--json', ...local])
    await run(['disputes', 'list', '--jsonl', ...local])
    await run(['disputes', 'export', '--courier', 'Delhivery', '--csv', '--mark', 'raised', ...local])
    await run(['disputes', 'set', 'D1', '--status', 'accepted', '--json', ...local])
    await run(['disputes', 'list', '--jsonl', ...local])
    await run(['disputes', 'get', 'D1', '--json', ...local])
    await run(['report', '--month', '2026-09', '--json', '--fields', 'money,rto,billed', ...local])
    return said
  }
  const sqlite = await month({}, 'import')
  expect(sqlite[1]).toContain('"category":"billed_before"')
  expect(sqlite[1]).toContain('"matched_by":"order"')
  expect(sqlite[2]).toBe(sqlite[0])
  expect(sqlite[5]).toContain('"billed_parcels":4,')
  expect(sqlite[9]).toContain('"verdict":"short"')
  expect(sqlite[9]).toContain('"file":850,"bank":850,"difference":0,"verdict":"ok"')
  expect(sqlite[12]).toContain('"awb":"1007"')
  expect(sqlite[17]).toMatch(/"id":"D0000001".*"status":"found"/)
  expect(sqlite[20]).toMatch(/"id":"D0000001".*"status":"accepted"/)
  expect(sqlite[22]).toMatch(/"accepted":[1-9].*"cod":\{"until":"2026-09-29"/)
  expect(await month({ SHIPX_DATABASE_URL: postgres.url }, 'import')).toEqual(sqlite)
  expect(await month({ SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: key }, 'pull')).toEqual(sqlite)
})
