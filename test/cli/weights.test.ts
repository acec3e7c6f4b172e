// Defends weights against the wrong unit: however one is spelled, a flag, a prompt and the cells of both kinds of sheets read
// the same parcel, and a bare number that could be grams or kilograms is priced nowhere.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weight as question } from '../../src/cli/ask/fields.ts'
import type { Asker } from '../../src/cli/ask/asker.ts'
import type { Asking } from '../../src/cli/ask/missing.ts'
import type { FlagValues } from '../../src/cli/command/flags.ts'
import { grams } from '../../src/cli/args/kinds.ts'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

const parcels = (header: string, weights: readonly string[]): string =>
  [
    `ref,from,to,${header},length,width,height,payment`,
    ...weights.map((weight, n) => `P${n},400001,560001,"${weight}",1,1,1,prepaid`),
  ].join('\n')

const orders = (header: string, weights: readonly string[]): string =>
  [
    `order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_sku,item_units,item_selling_price,"${header}"`,
    ...weights.map((weight, n) => `O${n},Asha Rao,9812345678,12 MG Road,560038,prepaid,CR-02,1,499,"${weight}"`),
  ].join('\n')

const priced = async (text: string, ...args: readonly string[]) => {
  const { stdout, stderr, exit } = await box.shipx(
    ['rates', '--file', '-', '--jsonl', '--fields', 'weight,reason', ...args],
    { input: text },
  )
  return {
    exit,
    stderr,
    lines: stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { weight: number | null; reason: string | null }),
  }
}

/** The grams of orders as an import of a sheet saves them, or the reasons of those that it does not save. */
const imported = async (text: string, ...args: readonly string[]) => {
  const own = sandbox()
  try {
    await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
    const file = own.file('o.csv', text)
    const { stderr, exit } = await own.shipx([
      'orders',
      'import',
      file,
      '--warehouse',
      'WH1',
      '--size',
      '1x1x1',
      '--no-assign',
      '--yes',
      ...args,
    ])
    const { stdout } = await own.shipx([
      'shipments',
      'list',
      '--all',
      '--jsonl',
      '--fields',
      'order.display_id,applied_weight.value',
      '-q',
    ])
    const grams = new Map<string, number>()
    for (const line of stdout.split('\n').slice(0, -1)) {
      const { attributes: a } = JSON.parse(line) as {
        attributes: { order: { display_id: string }; applied_weight: { value: number } }
      }
      grams.set(a.order.display_id, a.applied_weight.value)
    }
    return { exit, stderr, grams }
  } finally {
    own.remove()
  }
}

/** What a prompt makes of what is typed: the flag that it stands for, or why it asks again. */
async function prompted(typed: string): Promise<{ readonly weight?: unknown; readonly again?: string }> {
  let again: string | undefined
  const asker = {
    line: async ({ fault }: Parameters<Asker['line']>[0]) => {
      again = await fault(typed)
      return typed
    },
  } as unknown as Asker
  const fault = async (answer: object): Promise<string | undefined> =>
    grams(new Map(Object.entries(answer)) as FlagValues, 'weight', 0).faults[0]?.message
  const answer = await question([]).ask({ asker, fault, context: { flags: new Map() } } as unknown as Asking)
  return again === undefined ? answer : { again }
}

const flagged = (typed: string) => grams(new Map([['weight', typed]]), 'weight', 0)

/** Grams in spellings that name their unit. */
const spelled = fc
  .record({
    grams: fc.integer({ min: 1, max: 40_000 }),
    unit: fc.constantFrom('g', 'gm', 'gms', 'grams', 'G', 'kg', 'kgs', 'KG', 'Kgs', 'kilograms'),
    space: fc.constantFrom('', ' ', '  ', '\u00a0'),
    end: fc.constantFrom('', '.', ' '),
  })
  .map(({ grams, unit, space, end }) => ({
    grams,
    text: `${unit.toLowerCase().startsWith('k') ? grams / 1000 : grams}${space}${unit}${end}`,
  }))

describe('a weight with its unit', () => {
  test(
    'is the same parcel by flag, prompt and in both kinds of sheets, whatever the header says',
    { tags: ['full'] },
    async () => {
      const sample = fc.sample(spelled, { numRuns: 300, seed: 3 })
      const texts = sample.map(({ text }) => text)
      for (const { text, grams } of sample) {
        expect(flagged(text), text).toEqual({ value: grams, faults: [] })
        expect(await prompted(text)).toEqual({ weight: text })
      }
      for (const header of ['weight', 'Weight (kg)', 'dead_weight']) {
        const { lines } = await priced(parcels(header, texts))
        expect(lines.map(({ weight }) => weight)).toEqual(sample.map(({ grams }) => grams))
      }
      const { grams } = await imported(orders('weight', texts))
      expect(texts.map((_, n) => grams.get(`O${n}`))).toEqual(sample.map((one) => one.grams))
    },
  )
})

describe('a bare weight that could be grams or kilograms', () => {
  const doubtful = ['2', '0.5', '9', '9.99', '12.5', '750.5', '.5']

  test.each(doubtful)('%s is asked at a prompt and refused as a flag', async (typed) => {
    const again = `${typed} what? Write ${typed}kg or ${typed}g`
    expect(flagged(typed).faults).toEqual([{ field: '--weight', message: again }])
    expect(await prompted(typed)).toEqual({ again })
    const words = ['--from', '400001', '--to', '560001', '-s', '20x15x10', '--prepaid', '-w', typed]
    const { stdout, stderr, exit } = await box.shipx(['rates', ...words])
    expect([stdout, stderr, exit]).toEqual(['', `\u2717 --weight: ${again}\n`, 2])
  })

  test('is refused by orders create, and nothing is made', async () => {
    const { stderr, exit } = await box.shipx(['orders', 'create', '--order-id', 'T-1', '--weight', '0.5'])
    expect(exit).toBe(2)
    expect(stderr).toContain('0.5 what? Write 0.5kg or 0.5g')
    expect(stderr).not.toContain('!')
  })

  test('is the fault of its line among weights that are clear, and of nothing else', { tags: ['full'] }, async () => {
    const clear = ['500', '750', '1200', '10', '500g', '2kg', '600', '800', '900', '1000', '1100']
    const { lines, exit } = await priced(parcels('weight', [...clear, ...doubtful]))
    expect(lines.slice(0, clear.length).map(({ weight }) => weight)).toEqual([
      500, 750, 1200, 10, 500, 2000, 600, 800, 900, 1000, 1100,
    ])
    expect(lines.slice(clear.length).map(({ weight, reason }) => [weight, reason])).toEqual(
      doubtful.map((text) => [null, `weight: ${text} what? Write ${text}kg or ${text}g`]),
    )
    expect(exit).toBe(7)
    const bulk = await imported(orders('weight', ['0.3', '2', '50', '51', '500']))
    expect([...bulk.grams].toSorted()).toEqual([
      ['O0', 300],
      ['O1', 2000],
      ['O2', 50_000],
    ])
    expect(bulk.stderr).toContain('500 what? Write 500kg or 500g')
  })

  test('in most lines refuses the sheet before anything is priced or saved', { tags: ['full'] }, async () => {
    const kilograms = await priced(parcels('Weight', ['2', '0.3', '500']))
    expect([kilograms.exit, kilograms.lines]).toEqual([2, []])
    expect(kilograms.stderr).toContain(
      'line 2 standard input: the weights under \\"Weight\\" have no unit, and 2 could be 2 kg or 2 g',
    )
    expect(kilograms.stderr).toContain('--map Weight=weight_kg or --map Weight=weight_g')
    const grams = await imported(orders('Weight', ['500', '750', '2']))
    expect([grams.exit, grams.grams.size]).toEqual([2, 0])
    expect(grams.stderr).toContain('500 could be 500 kg or 500 g')
  })

  const headers = [
    ['Weight (kg)', 1000],
    ['Wt. in gms', 1],
    ['WeightKg', 1000],
    ['weight_kg', 1000],
    ['Weight in KG', 1000],
    ['Weight of the Package (in Kgs)', 1000],
    ['Weight (gms)', 1],
    ['weight_g', 1],
    ['Weight (grams)', 1],
  ] as const
  test.each(first(1, headers))('is what the header "%s" says', async (header, factor) => {
    const weights = ['2', '3.5', '12', '500']
    const { lines, exit } = await priced(parcels(header, weights.slice(0, 3)))
    expect([exit, lines.map(({ weight }) => weight)]).toEqual([
      0,
      weights.slice(0, 3).map((text) => Number(text) * factor),
    ])
    const { grams } = await imported(orders(header, weights))
    expect(weights.map((_, n) => grams.get(`O${n}`))).toEqual(weights.map((text) => Number(text) * factor))
  })

  test(
    'is what --map says of a header of its own, and what the header says whatever --map leaves open',
    { tags: ['full'] },
    async () => {
      const text = parcels('Pkg load', ['2', '3.5'])
      for (const [target, grams] of [
        ['weight_kg', [2000, 3500]],
        ['weight_g', [2, 3.5]],
      ] as const)
        expect((await priced(text, '--map', `Pkg load=${target}`)).lines.map(({ weight }) => weight)).toEqual(grams)
      expect((await priced(text, '--map', 'Pkg load=weight')).exit).toBe(2)
      const said = await priced(parcels('Heft (kg)', ['2']), '--map', 'Heft (kg)=weight')
      expect(said.lines.map(({ weight }) => weight)).toEqual([2000])
      const torn = await priced(parcels('Heft (kg)', ['2']), '--map', 'Heft (kg)=weight_g')
      expect([torn.exit, torn.stderr.includes('says kg, and --map says g')]).toEqual([2, true])
      const pounds = await priced(parcels('Weight (lbs)', ['2']))
      expect([pounds.exit, pounds.stderr.includes('says lbs; shipx reads kg and g')]).toEqual([2, true])
    },
  )

  test('is what the API says under the API\u2019s own names', { tags: ['full'] }, async () => {
    expect((await priced(parcels('dead_weight', ['2', '3.5']))).lines.map(({ weight }) => weight)).toEqual([2, 3.5])
    const flag = await box.shipx([
      'rates',
      '--from',
      '400001',
      '--to',
      '560001',
      '-s',
      '1x1x1',
      '--prepaid',
      '--dead-weight',
      '2',
      '--json',
    ])
    expect(flag.exit).toBe(0)
    const json = {
      order_id: 'O0',
      billing_customer_name: 'Asha',
      billing_phone: '9812345678',
      billing_address: 'MG Road',
      billing_pincode: '560038',
      payment_method: 'PREPAID',
      item_sku: 'S',
      item_units: 1,
      item_selling_price: 9,
    }
    const saved = await imported(`${JSON.stringify({ ...json, weight: 75 })}\n`)
    expect([...saved.grams]).toEqual([['O0', 75_000]])
    const mixed = await imported(
      `${JSON.stringify({ ...json, weight_g: 750 })}\n${JSON.stringify({ ...json, order_id: 'O1', weight: 2 })}\n`,
    )
    expect([...mixed.grams]).toEqual([['O0', 750]])
  })
})

describe('a cell of 300,000 tabs', () => {
  const cell = `1${'\t'.repeat(300_000)}x`

  test.each(first(1, ['length', 'weight', 'item_selling_price', 'billing_pincode', 'order_date']))(
    'ends an import soon, in %s',
    { tags: ['full'], timeout: 20_000 },
    async (column) => {
      const [head, row] = orders('weight', ['0.5']).split('\n') as [string, string]
      const places = head.split(',').map((name) => name.replaceAll('"', ''))
      const at = places.indexOf(column)
      const cells = row.split(',')
      const text =
        at === -1 ? `${head},${column}\n${row},"${cell}"` : `${head}\n${cells.with(at, `"${cell}"`).join(',')}`
      const { exit, grams } = await imported(text)
      expect([exit, grams.size]).toEqual([2, 0])
    },
  )

  test.each(first(1, ['weight', 'length', 'payment', 'from']))(
    'ends a pricing soon, in %s',
    { tags: ['full'], timeout: 20_000 },
    async (column) => {
      const places = ['ref', 'from', 'to', 'weight', 'length', 'width', 'height', 'payment']
      const cells = ['P', '400001', '560001', '500', '1', '1', '1', 'prepaid'].with(places.indexOf(column), `"${cell}"`)
      const { exit, lines } = await priced(`${places.join(',')}\n${cells.join(',')}`)
      expect([exit, lines[0]!.weight]).toEqual([7, null])
    },
  )
})

describe('a weight in a filter', () => {
  const listed = (...filter: readonly string[]) => box.shipx(['shipments', 'list', ...filter, '--all', '--ids', '-q'])

  test('is read with its unit, and a bare number is grams', { tags: ['full'], timeout: 60_000 }, async () => {
    await box.shipx(['local', 'seed', '--yes'])
    const grams = await listed('--applied-weight-min', '800', '--applied-weight-max', '1200')
    expect(grams.stdout.split('\n').length).toBeGreaterThan(10)
    for (const [least, most] of [
      ['800g', '1200 gms'],
      ['0.8kg', '1.2kg'],
    ] as const)
      expect((await listed('--applied-weight-min', least, '--applied-weight-max', most)).stdout).toBe(grams.stdout)
    expect((await listed('--applied-weight-min', '0')).exit).toBe(0)
  })

  test.each(first(1, ['0.5', '2', '750.5']))(
    'that could be either, %s, is refused with both readings',
    async (typed) => {
      for (const flag of ['--applied-weight-min', '--applied-weight-max'])
        expect(await listed(flag, typed)).toMatchObject({
          stdout: '',
          stderr: `✗ ${flag}: ${typed} what? Write ${typed}kg or ${typed}g\n`,
          exit: 2,
        })
      expect((await listed('--applied-weight-min', 'heavy')).stderr).toContain('"heavy" is not a weight')
    },
  )
})

describe('the weight of an order as JSON', () => {
  beforeAll(() => box.shipx(['local', 'warehouse', 'set', 'WH1', '400001']))

  const order = (weight: unknown): string =>
    JSON.stringify({
      order_id: 'A-1',
      order_date: '2026-09-28 10:00',
      billing_customer_name: 'Asha',
      billing_phone: '9812345678',
      billing_address: 'MG Road',
      billing_city: 'Bengaluru',
      billing_pincode: '560038',
      billing_state: 'Karnataka',
      billing_country: 'India',
      shipping_is_billing: true,
      warehouse_id: 'WH1',
      payment_method: 'PREPAID',
      sub_total: 9,
      length: 20,
      breadth: 15,
      height: 10,
      weight,
      order_items: [{ name: 'S', sku: 'S', units: 1, selling_price: 9 }],
    })
  const created = async (weight: unknown, ...more: readonly string[]) => {
    const file = box.file('order.json', order(weight))
    const { stdout, stderr, exit } = await box.shipx([
      'orders',
      'create',
      '--file',
      file,
      '--dry-run',
      '--json',
      ...more,
    ])
    const body = exit === 0 ? (JSON.parse(stdout) as { dry_run: { body: { weight: number } } }).dry_run.body : undefined
    return { exit, stderr, weight: body?.weight }
  }

  test.each(
    first(1, [
      ['500g', 0.5],
      ['750 gms', 0.75],
      ['1.2kg', 1.2],
      ['0.5', 0.5],
      [0.5, 0.5],
    ]),
  )('%j is %d kg', async (written, kilograms) => {
    expect(await created(written)).toMatchObject({ exit: 0, weight: kilograms })
  })

  test('that is none is the fault of the file, and a flag goes before it', async () => {
    const { exit, stderr } = await created('heavy')
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('order.json weight: \\"heavy\\" is not a weight; write 500g or 0.5kg'),
    ])
    expect(stderr).not.toContain('--weight')
    expect((await created('heavy', '--weight', '800g')).weight).toBe(0.8)
  })
})
