// Defends cost on the command line: what `local price` saves is what lists, summaries, the report and SQL add up.
// @module-tag full: reports of whole months
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'

let box: Sandbox
const seed = ['local', 'seed', '--shipments', '300', '--returns', '10', '--days', '25', '--quiet']

beforeAll(async () => {
  box = sandbox()
  expect((await box.shipx(seed)).exit).toBe(0)
})
afterAll(() => box.remove())

type Json = Readonly<Record<string, unknown>>
const rowsOf = ({ stdout }: Outcome): readonly Json[] => (JSON.parse(stdout) as { data: readonly Json[] }).data
const ask = async (...args: readonly string[]): Promise<Outcome> => {
  const outcome = await box.shipx(args)
  expect([args, outcome.stderr, outcome.exit]).toEqual([args, expect.any(String), 0])
  return outcome
}
const total = (rows: readonly Json[], name: string): number =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0) * 100) / 100

interface Report {
  readonly data: {
    readonly cost?: {
      readonly totals: Json
      readonly by_courier: { readonly rows: readonly Json[]; readonly others: Json | null }
      readonly by_month: readonly Json[]
    }
  }
}

test('nothing has a price before it is priced, and then list, summary, report and SQL agree', async () => {
  const bare = JSON.parse((await ask('report', '--json', '--since', '25d')).stdout) as Report
  expect(bare.data).not.toHaveProperty('cost')
  const [none] = rowsOf(await ask('shipments', 'summary', '--by', 'channel', '--cost', '--json'))
  expect(none).toMatchObject({ priced: 0, freight: 0, cost: 0, cost_per_order: null, cost_share: null })
  const foreseen = await ask('local', 'price', '--dry-run', '--json')
  const priced = await box.shipx(['local', 'price', '--json'])
  expect(priced.exit).toBe(0)
  const told = (JSON.parse(priced.stdout) as { data: Json }).data
  expect((JSON.parse(foreseen.stdout) as { dry_run: { price: Json } }).dry_run.price).toEqual(told)
  expect(told).toMatchObject({ card: 'sample', parcels: 300, already: 0, without_price: [] })
  expect(Number(told['priced']) + Number(told['without_courier'])).toBe(300)

  const list = rowsOf(
    await ask(
      'shipments',
      'list',
      '--all',
      '--json',
      '--fields',
      'awb,status,freight,surcharges,cod_fee,rto_freight,cost',
    ),
  )
  expect(list).toHaveLength(300)
  const counts = list.filter((row) => (row['attributes'] as Json)['status'] !== 'cancelled')
  const groups = rowsOf(await ask('shipments', 'summary', '--by', 'courier', '--cost', '--json'))
  expect(total(groups, 'cost')).toBe(total(counts, 'cost'))
  expect(total(groups, 'freight')).toBe(total(counts, 'freight'))
  expect(total(groups, 'priced')).toBe(counts.filter((row) => row['cost'] !== null).length)
  for (const row of groups.filter((one) => Number(one['priced']) > 0))
    expect(row['cost_per_order']).toBeCloseTo(Number(row['cost']) / Number(row['priced']), 1)

  const { data } = JSON.parse((await ask('report', '--json', '--since', '2026-09-01')).stdout) as Report
  const since = rowsOf(
    await ask('shipments', 'summary', '--by', 'courier', '--cost', '--since', '2026-09-01', '--json'),
  )
  const { totals, by_courier, by_month } = data.cost!
  for (const name of ['priced', 'freight', 'surcharges', 'cost']) {
    expect([name, totals[name]]).toEqual([name, total(since, name)])
    expect([name, total(by_month, name)]).toEqual([name, totals[name]])
  }
  for (const row of by_courier.rows) expect(since).toContainEqual(expect.objectContaining(row))
  expect(totals['unpriced']).toBe(0)
  expect(totals['invented']).toBe(totals['priced'])

  const [sums] = rowsOf(
    await ask(
      'sql',
      "select sum(c.cost_paise) as cost, sum(c.freight_paise) as freight from charges c join shipments s on s.id = c.shipment_id where s.status <> 'cancelled'",
      '--json',
    ),
  )
  expect([sums!['cost'], sums!['freight']]).toEqual([
    Math.round(total(groups, 'cost') * 100),
    Math.round(total(groups, 'freight') * 100),
  ])
})

test('the page of a report shows cost, and a sheet has its columns', async () => {
  await box.shipx(['local', 'price', '-q'])
  const page = (await ask('report', '--out', '-', '--since', '25d')).stdout
  expect(page).toContain('<h2>Cost by courier</h2>')
  const csv = (await ask('shipments', 'list', '--limit', '3', '--csv', '--fields', 'awb,freight,cost')).stdout
  expect(csv.split('\n')[0]).toBe('awb,freight,cost')
  const sheet = (await ask('shipments', 'list', '--limit', '3', '--excel', '--columns', 'awb,freight,cod_fee')).stdout
  expect(sheet.split('\r\n')[0]).toMatch(/Freight \(₹\).COD fee \(₹\)/)
  const usual = (await ask('shipments', 'list', '--limit', '3', '--json')).stdout
  expect(usual).not.toContain('rto_freight')
})

test('a summary of cost has a total before GST, its priced parcels at 80 columns, and names invented prices', async () => {
  await box.shipx(['local', 'price', '-q'])
  const { stdout, stderr } = await box.shipx(['shipments', 'summary', '--by', 'zone', '--cost'], {
    env: { SHIPX_FORCE_TTY: '80', NO_COLOR: '1' },
  })
  expect(stdout.split('\n')[0]).toMatch(/^ZONE +SHIPMENTS +PRICED +FREIGHT +COST +PER ORDER +COST %$/)
  expect(stderr).toMatch(/\n300 shipments; \d+ priced ones cost ₹[\d,.]+ before GST, ₹[\d.]+ each/)
  expect(stderr).toMatch(/Prices of \d+ shipments are invented \(rate card sample\)/)
  const list = await ask('shipments', 'list', '--limit', '1', '--columns', 'awb,freight')
  expect(list.stderr).toContain('Prices are invented (rate card sample)')
})

test('a parcel whose courier is not on the card is counted, named, and ends with 7', async () => {
  const [record] = rowsOf(await ask('shipments', 'list', '--status', 'delivered', '--limit', '1', '--json'))
  const attributes = {
    ...(record!['attributes'] as Json),
    tracking_number: 'X-1',
    carrier: { id: '9', name: 'Nobody\u001b[2J' },
  }
  box.file('one.jsonl', `${JSON.stringify({ ...record, id: '00000000-0000-4000-8000-000000000009', attributes })}\n`)
  await ask('local', 'import', 'shipments', 'one.jsonl')
  const outcome = await box.shipx(['local', 'price', '--awb', 'X-1'])
  expect(outcome.exit).toBe(7)
  expect(outcome.stderr).toContain('1 parcel: its courier is not on the card (X-1, Nobody')
  expect(outcome.stderr).not.toContain('\u001b[2J')
  const { stderr } = await ask('shipments', 'summary', '--by', 'courier', '--awb', 'X-1', '--cost')
  expect(stderr).toContain('1 with a courier has no price: shipx local price')
})

test('costs of an account at a service are refused, and a card file with the way to import it', async () => {
  const env = { SHIPX_BASE_URL: 'http://127.0.0.1:1', SHIPX_API_KEY: 'sk_123456789' }
  const outcome = await box.shipx(['shipments', 'summary', '--cost'], { env })
  expect([outcome.exit, outcome.stderr]).toEqual([2, expect.stringContaining('saved on this computer')])
  const file = await box.shipx(['local', 'price', '--card', 'new.json'])
  expect([file.exit, file.stderr]).toEqual([2, expect.stringContaining('shipx ratecard import new.json')])
  const absent = await box.shipx(['local', 'price', '--card', 'absent'])
  expect(absent.exit).toBe(3)
})
