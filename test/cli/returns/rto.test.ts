// Defends docs/guides/returns.md: what `shipx shipments rto` counts, what it costs, and what it suggests, against
// another way of computing.
// @module-tag full: months of parcels counted twice
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { key, startShapes } from '../../support/recordshapes.ts'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { runs } from '../../support/size.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { prepare, shipment } from '../reconcile/invoices.ts'
import {
  cardOf,
  costIn,
  isBack,
  isPickedUp,
  isSettled,
  limitsOf,
  parcelsOf,
  percentOf,
  recordsOf,
  weightedPercent,
  type Ended,
} from './parcels.ts'

type Json = Readonly<Record<string, unknown>>
const linesIn = (stdout: string): readonly Json[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json)

async function ask(box: Sandbox, ...words: readonly string[]): Promise<readonly Json[]> {
  const { stdout, stderr, exit } = await box.shipx(['shipments', 'rto', ...words, '--jsonl'])
  expect([words, stderr, exit]).toEqual([words, expect.any(String), 0])
  return linesIn(stdout)
}

/** The key of a parcel: one value, or several. */
const keysOf: Readonly<Record<string, (one: Ended) => readonly (string | null)[]>> = {
  all: () => ['all'],
  courier: ({ courier }) => [courier[1]],
  payment: ({ cod }) => [cod ? 'cod' : 'prepaid'],
  zone: ({ zone }) => [zone],
  pincode: ({ zip }) => [zip],
  sku: ({ skus }) => skus,
  week: ({ created }) => {
    const ist = new Date(Date.parse(created) + 19_800_000)
    ist.setUTCHours(0, 0, 0, 0)
    ist.setUTCDate(ist.getUTCDate() - ((ist.getUTCDay() + 6) % 7))
    return [ist.toISOString().slice(0, 10)]
  },
}

/** A parcel with a failed attempt. */
const failed = (one: Ended): boolean =>
  one.ndr !== null || (one.attempts ?? 0) > 1 || one.status === 'ndr_raised' || ((one.attempts ?? 0) > 0 && isBack(one))

/** What parcels cost, rupees; `by` is the key. */
function expectedOf(by: string, name: string | null, all: readonly Ended[]): Json {
  const own = all.filter((one) => keysOf[by]!(one).includes(name))
  const back = own.filter(isBack)
  const delivered = own.filter(({ status }) => status === 'delivered')
  const settled = back.length + delivered.length
  const picked = own.filter(isPickedUp)
  const ndr = own.filter(failed)
  const unknown = delivered.filter(({ attempts }) => (attempts ?? 0) === 0)
  const costs = back.map((one) => costIn('contract', one.courier[1], one))
  const sum = costs.reduce((paise, cost) => paise + (cost === undefined ? 0 : cost.freight + cost.rto + cost.cod), 0)
  const priced = costs.filter((cost) => cost !== undefined).length
  const [low, high] = settled === 0 ? [null, null] : limitsOf(back.length, settled)
  const rounded = (share: number | null): unknown => (share === null ? null : expect.closeTo(share * 100, 2))
  return {
    by,
    key: name,
    orders: own.length,
    delivered: delivered.length,
    rto: back.length,
    settled,
    rto_percent: percentOf(back.length, settled),
    rto_percent_of_picked_up: percentOf(back.length, picked.length),
    first_attempt_percent:
      delivered.length > 0 && delivered.length === unknown.length
        ? null
        : percentOf(delivered.filter(({ attempts }) => attempts === 1).length, settled - unknown.length),
    ndr_percent: percentOf(ndr.length, picked.length),
    ndr_recovered_percent: percentOf(ndr.filter(({ status }) => status === 'delivered').length, ndr.length),
    rto_cost: priced === 0 && back.length > 0 ? null : sum / 100,
    low: rounded(low),
    high: rounded(high),
    few: settled < 30,
    picked_up: picked.length,
    settled_percent: percentOf(settled, picked.length),
    cost_by: priced === 0 ? null : 'card',
    rto_unpriced: back.length - priced,
  }
}

interface Seeded {
  readonly box: Sandbox
  readonly parcels: readonly Ended[]
}

const boxes: Sandbox[] = []
afterAll(() => boxes.forEach((box) => box.remove()))

async function filled(seed: number, n: number): Promise<Seeded> {
  const box = sandbox()
  boxes.push(box)
  const parcels = parcelsOf(seed, n)
  for (const words of [
    ['local', 'import', 'shipments', box.file('parcels.jsonl', recordsOf(parcels)), '--yes'],
    ['ratecard', 'import', box.file('contract.json', cardOf('contract')), '--use'],
  ]) {
    const { exit, stderr } = await box.shipx(words)
    expect([words, stderr, exit]).toEqual([words, expect.any(String), 0])
  }
  return { box, parcels }
}

const known = new Map<string, Promise<Seeded>>()

/** A sandbox with the parcels of a seed and the contract, for tests that read it. */
function seeded(seed: number, n = 400): Promise<Seeded> {
  const made = known.get(`${seed} ${n}`) ?? filled(seed, n)
  known.set(`${seed} ${n}`, made)
  return made
}

describe('against nested loops over the records', () => {
  const seeds = Array.from({ length: process.env['SHIPX_ORACLE'] === 'all' ? 20 : runs(4, 12) }, (_, i) => i + 1)
  test.each(seeds)('seed %i: counts, percentages, limits and costs of every key', async (seed) => {
    const { box, parcels } = await seeded(seed)
    const found = await ask(box, '--by', Object.keys(keysOf).join(','))
    const wanted = Object.keys(keysOf).flatMap((by) =>
      [...new Set(parcels.flatMap((one) => keysOf[by]!(one)))].map((name) => expectedOf(by, name, parcels)),
    )
    expect(found).toHaveLength(wanted.length)
    for (const row of wanted)
      expect(found.find(({ by, key: name }) => by === row['by'] && name === row['key'])).toEqual(row)

    const crossed = await ask(box, '--by', 'courier,zone', '--cross')
    for (const row of crossed) {
      const own = parcels.filter(({ courier, zone }) => courier[1] === row['courier'] && zone === row['zone'])
      const { by: _, key: __, ...figures } = expectedOf('all', 'all', own)
      expect(row).toMatchObject(figures)
    }
    expect(crossed.reduce((sum, row) => sum + Number(row['orders']), 0)).toBe(parcels.length)
  })

  test.each(seeds)('seed %i: couriers in the mix of the account', async (seed) => {
    const { box, parcels } = await seeded(seed)
    const found = await ask(box, '--like-for-like', 'courier')
    const settled = parcels.filter(isSettled)
    const cellOf = ({ zone, cod }: Ended): string => `${zone ?? 'no zone'} ${cod ? 'cod' : 'prepaid'}`
    const cells = [...new Set(settled.map(cellOf))]
    const inCell = (list: readonly Ended[], cell: string): readonly Ended[] =>
      list.filter((one) => cellOf(one) === cell)
    const back = (list: readonly Ended[]): number => list.filter(isBack).length
    for (const name of new Set(settled.map(({ courier }) => courier[1]))) {
      const own = settled.filter(({ courier }) => courier[1] === name)
      const has = cells.filter((cell) => inCell(own, cell).length > 0)
      const weight = (cell: string): number => inCell(settled, cell).length
      const mine = weightedPercent(has.map((cell) => [weight(cell), back(inCell(own, cell)), inCell(own, cell).length]))
      const theirs = weightedPercent(has.map((cell) => [weight(cell), back(inCell(settled, cell)), weight(cell)]))
      expect(found.find(({ courier }) => courier === name)).toMatchObject({
        settled: own.length,
        rto: back(own),
        rto_percent: percentOf(back(own), own.length),
        standardised_percent: mine / 100,
        account_percent: theirs / 100,
        difference: expect.closeTo((mine - theirs) / 100, 9),
        covered_percent: percentOf(
          has.reduce((sum, cell) => sum + weight(cell), 0),
          settled.length,
        ),
        missing: cells.filter((cell) => !has.includes(cell)).toSorted(),
        few: own.length < 30,
      })
    }
  })

  test.each(seeds)('seed %i: pincodes where COD loses money', async (seed) => {
    const { box, parcels } = await seeded(seed, 700)
    const margin = 2 + seed
    const found = await ask(box, '--suggest', 'cod-off', '--margin', `${margin}%`)
    const wanted: Json[] = []
    for (const zip of new Set(parcels.map((one) => one.zip))) {
      const own = parcels.filter((one) => one.zip === zip && one.cod && isSettled(one))
      if (own.length < 30) continue
      const back = own.filter(isBack)
      const costs = back.flatMap((one) => costIn('contract', one.courier[1], one) ?? [])
      const cost = costs.reduce((sum, { freight, rto, cod }) => sum + freight + rto + cod, 0)
      const there = own.filter((one) => !isBack(one))
      const value = there.reduce((sum, one) => sum + Math.round(one.value * 100), 0)
      const earned = Math.floor((2 * value * margin + 100) / 200)
      const [a, b] = [cost / costs.length, ((value / there.length) * margin) / 100]
      // Returns cost what deliveries earn: p x a = (1 - p) x b.
      if (cost <= earned || limitsOf(back.length, own.length)[0] <= b / (a + b)) continue
      wanted.push({
        pincode: zip,
        settled: own.length,
        rto: back.length,
        saves: (cost - earned) / 100,
        margin: earned / 100,
      })
    }
    expect(found).toHaveLength(wanted.length)
    for (const row of wanted) expect(found.find(({ pincode }) => pincode === row['pincode'])).toMatchObject(row)
  })
})

describe('costs of returned parcels', () => {
  const box = sandbox()
  afterAll(() => box.remove())
  const head = 'awb,order,zone,weight_g,freight,rto,cod_fee,gst,total'
  const keep = async (number: string, rows: readonly string[]): Promise<void> => {
    const file = box.file(`${number}.csv`, [head, ...rows].join('\n'))
    const kept = await box.shipx(['reconcile', 'invoice', file, '--number', number, '--yes', '--courier', 'Delhivery'])
    expect([kept.stderr, kept.exit]).toEqual([expect.any(String), 0])
  }

  beforeAll(async () => {
    const back = { status: 'rto_delivered', is_cod: true, cod_amount: 1000 }
    await prepare(box, [
      ...['1', '2', '3', '4'].map((awb) => shipment(awb, back)),
      shipment('5', { ...back, carrier_id: 'NONE', carrier_name: 'Nobody' }),
      shipment('6'),
    ])
    // 1 is billed both ways; of 2 only the way out; 3 was credited in part, before GST 10.00 of 80.00.
    await keep('SEP', ['1,,c,400,41,39,0,14.40,94.40', '2,,c,400,40,0,0,7.20,47.20', '3,,c,400,40,40,0,14.40,94.40'])
    await keep('OCT', ['3,,c,400,-10,0,0,-1.80,-11.80'])
  })

  test('invoices come first where they bill the way back, then the card, and no price is never zero', async () => {
    // By the card: 40.00 out, 40.00 back, and the COD fee is given back.
    const [all] = await ask(box, '--by', 'all')
    expect(all).toMatchObject({ rto: 5, rto_cost: 80 + 80 + 70 + 80, cost_by: 'both', rto_unpriced: 1 })
    const couriers = await ask(box, '--by', 'courier')
    expect(couriers.find(({ key: name }) => name === 'Nobody')).toMatchObject({
      rto: 1,
      rto_cost: null,
      cost_by: null,
      rto_unpriced: 1,
      rto_percent: 100,
      few: true,
    })
    // The view has a card's price once it is saved.
    const query = "select sum(cost_paise), count(*) - count(cost_paise) from rto where outcome = 'rto'"
    const bare = await box.shipx(['sql', query, '--csv', '--no-header'])
    expect(bare.stdout).toBe('15000,3\n')
    await box.shipx(['local', 'price'])
    const priced = await box.shipx(['sql', query, '--csv', '--no-header'])
    expect(priced.stdout).toBe('31000,1\n')
  })
})

test('the same records on SQLite, PostgreSQL and beside a mirror give the same bytes', { tags: ['full'] }, async () => {
  const parcels = parcelsOf(77, 300)
  const shapes = await startShapes({ shipments: recordsOf(parcels).trim().split('\n') })
  const postgres = await testDatabase()
  onTestFinished(async () => {
    await shapes.close()
    await postgres.drop()
  })
  const told = async (env: Readonly<Record<string, string>>, local: readonly string[]): Promise<readonly string[]> => {
    const box = sandbox()
    onTestFinished(() => box.remove())
    const run = async (words: readonly string[], own = env): Promise<string> => {
      const { stdout, stderr, exit } = await box.shipx(words, { env: own })
      expect([words, stderr, exit]).toEqual([words, expect.any(String), 0])
      return stdout
    }
    const place = local.length === 0 ? env : {}
    await run(['ratecard', 'import', box.file('contract.json', cardOf('contract')), '--use'], place)
    await run(
      local.length === 0
        ? ['local', 'import', 'shipments', box.file('parcels.jsonl', recordsOf(parcels)), '--yes']
        : ['pull', 'shipments'],
    )
    const said: string[] = []
    for (const words of [
      ['--by', Object.keys(keysOf).join(',')],
      ['--by', 'courier,zone,payment', '--cross', '--since', '2026-07-20'],
      ['--like-for-like', 'courier'],
      ['--suggest', 'cod-off', '--margin', '5%'],
    ])
      said.push(await run(['shipments', 'rto', ...words, '--jsonl', ...local]))
    said.push(await run(['ratecard', 'simulate', '--cards', 'contract', '--jsonl', ...local]))
    return said
  }
  const sqlite = await told({}, [])
  expect(sqlite[0]).toContain('"by":"week"')
  expect(await told({ SHIPX_DATABASE_URL: postgres.url }, [])).toEqual(sqlite)
  expect(await told({ SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: key }, ['--local'])).toEqual(sqlite)
})
