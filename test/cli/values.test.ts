// Defends values against two readings: each spelling of each kind means one value through every door, that is as a flag, at
// a prompt, in a cell, in JSON Lines and as text in a JSON file.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Asker } from '../../src/cli/ask/asker.ts'
import { typed as question } from '../../src/cli/ask/fields.ts'
import type { Asking } from '../../src/cli/ask/missing.ts'
import { rawInput } from '../../src/cli/args/input.ts'
import type { FlagValues } from '../../src/cli/command/flags.ts'
import { readFile } from '../../src/cli/commands/orders/orderfile.ts'
import { orders as commands } from '../../src/cli/commands/orders/rows.ts'
import type { Io } from '../../src/cli/terminal/io.ts'
import { readMonth } from '../../src/domain/read/day.ts'
import { istDate, istMinute } from '../../src/domain/time.ts'
import { sandbox } from '../support/sandbox.ts'
import { runs } from '../support/size.ts'
import { csv, flagged, ordersIn } from './imports/ordersheets.ts'

const box = sandbox()
afterAll(() => box.remove())

const now = Date.parse('2026-09-29T08:30:00Z')
const io = { host: { now: () => now } } as unknown as Io
const command = commands.find(({ path }) => path.join(' ') === 'orders create')!

/** An order in texts: what a test is about replaces one of them. */
const texts: Readonly<Record<string, string>> = {
  order_id: 'V-1',
  order_date: '2026-09-28 14:05',
  billing_customer_name: 'Asha Rao',
  billing_phone: '9812345678',
  billing_address: '12 MG Road',
  billing_pincode: '560038',
  payment_method: 'PREPAID',
  sub_total: '499',
  weight: '500g',
  item_sku: 'CR-02',
  item_units: '1',
  item_selling_price: '499',
}

/** What a door made of a text: a value of the API, or that it was refused. */
type Come = { readonly value: unknown } | 'refused'

const flagValue = (flags: FlagValues, field: string): Come => {
  const { value, faults } = rawInput({ io, command, flags })
  return faults.length > 0 ? 'refused' : { value: value[field] }
}

const flagName = (field: string): string =>
  command.flags.find(({ key, hidden }) => key === field && hidden !== true)!.name

async function asked(field: string, text: string): Promise<Come> {
  const asker = { line: async () => text } as unknown as Asker
  const context = { flags: new Map() }
  const answer = await question(flagName(field), 'Value').ask({ asker, context } as unknown as Asking)
  return flagValue(new Map(Object.entries(answer)), field)
}

async function inSheet(field: string, sheet: string): Promise<Come> {
  const [order] = await ordersIn(sheet, flagged)
  if (order!.faults.length > 0) return 'refused'
  return { value: order!.input![field as 'sub_total'] }
}

const doors: Readonly<Record<string, (field: string, text: string) => Come | Promise<Come>>> = {
  flag: (field, text) => flagValue(new Map([[flagName(field), text]]), field),
  prompt: asked,
  cell: (field, text) => {
    const cells = { ...texts, [field]: text }
    return inSheet(field, csv([Object.keys(cells), Object.values(cells)]))
  },
  'JSON Lines': (field, text) => inSheet(field, `${JSON.stringify({ ...texts, [field]: text })}\n`),
  'JSON file': (field, text) => {
    const { value, faults } = readFile({ [field]: text })
    return faults.length > 0 ? 'refused' : { value: value[field] }
  },
}

/** A value as the contract sees it: numbers may still be text. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) && value.length < 10 ? Number(value) : value

async function through(field: string, text: string, but: readonly string[] = []): Promise<readonly unknown[]> {
  const names = Object.keys(doors).filter((name) => !but.includes(name))
  return Promise.all(
    names.map(async (name) => {
      const come = await doors[name]!(field, text)
      return [name, come === 'refused' ? come : plain(come.value)]
    }),
  )
}

const all = (value: unknown, but: readonly string[] = []): readonly unknown[] =>
  Object.keys(doors)
    .filter((name) => !but.includes(name))
    .map((name) => [name, value])

// prettier-ignore
const spellings: readonly (readonly [field: string, value: unknown, texts: readonly string[]])[] = [
  ['sub_total',       1499,   ['1499', '1,499', '1,499.00', '₹1,499', '₹ 1499', 'Rs. 1499', 'Rs 1,499', '1499 rs', 'INR 1499', '1499 INR', '1499/-', "'1499", ' 1499 ']],
  ['sub_total',       100000, ['1,00,000', '₹1,00,000', '100000', '100,000']],
  ['weight',          0.5,    ['500g', '500 g', '500gm', '500 gms', '500G', '0.5kg', '0.5 kgs', '.5kg', '0.50 KG', '0.5 kilo', '500 grams.']],
  ['length',          20,     ['20', '20 cm', '20cms', '20.0', '200mm', '200 mm', "'20"]],
  ['length',          20.32,  ['8in', '8 in', '8"', '8 inches', '8″', '20.32', '203.2 mm']],
  ['order_date',      '2026-09-01 00:00', ['2026-09-01', '01-09-2026', '01/09/2026', '1.9.2026', '1 Sep 2026', '1-Sep-2026', '1 September 2026', '2026/09/01']],
  ['order_date',      '2026-09-21 18:05', ['2026-09-21 18:05:11 +0530', '2026-09-21T18:05:11+05:30', '2026-09-21T12:35:11Z', '21-09-2026 18:05', '21 Sep 2026 18:05']],
  ['print_label',     true,   ['yes', 'true', 'y', '1', 'YES', 'True']],
  ['print_label',     false,  ['no', 'false', 'n', '0', 'No']],
  ['billing_phone',   '9876543210', ['9876543210', '98765 43210', '+91-98765-43210', '+91 98765 43210', '09876543210', '919876543210', "'9876543210", '9876543210.0']],
  ['billing_pincode', '110017', ['110017', '110 017', "'110017", ' 110017', '110017.0']],
  ['billing_state',   'Delhi', ['Delhi', 'DL', 'dl', 'New Delhi', 'DELHI']],
  ['payment_method',  'COD',  ['COD', 'cod', 'Cash on Delivery', 'Cash on Delivery (COD)', 'Pay on delivery']],
  ['payment_method',  'PREPAID', ['prepaid', 'Paid', 'Online', 'UPI', 'Credit Card', 'Direct bank transfer', 'PREPAID']],
]

// prettier-ignore
const refused: readonly (readonly [field: string, texts: readonly string[]])[] = [
  ['sub_total',       ['1.499', 'about 500', '1,49,9', '$5', '1e3']],
  ['weight',          ['2lb', '1 kg 200 g', '500 ml', 'heavy']],
  ['length',          ['2ft', '20-15', 'long', '8inx']],
  ['order_date',      ['09/21/2026', '2026-02-30', '21-13-2026', 'soon', '18:05']],
  ['print_label',     ['maybe', '2', 'on']],
  ['billing_phone',   ['12345', '9.87E+09', '022 2345 6789', '9876543210 / 9876543211']],
  ['payment_method',  ['cheque', 'barter', 'transfer on delivery']],
]

describe('one value through every door', () => {
  test.each(spellings)('%s is %s however it is written', async (field, value, written) => {
    for (const text of written) expect(await through(field, text), text).toEqual(all(plain(value)))
  })

  test.each(refused)('%s is refused where it means nothing, or two things', async (field, written) => {
    for (const text of written) expect(await through(field, text), text).toEqual(all('refused'))
  })

  test('words such as yesterday count where somebody types them, and nowhere else', async () => {
    const files = ['cell', 'JSON Lines', 'JSON file']
    for (const [text, value] of [
      ['yesterday', '2026-09-28 00:00'],
      ['today', '2026-09-29 00:00'],
      ['3d', '2026-09-26 14:00'],
      ['12h', '2026-09-29 02:00'],
    ] as const) {
      expect(await through('order_date', text, files), text).toEqual(all(value, files))
      expect(await through('order_date', text, ['flag', 'prompt']), text).toEqual(all('refused', ['flag', 'prompt']))
    }
  })

  test('any amount, day and length', async () => {
    const amount = fc.integer({ min: 1, max: 99_999_99 })
    const form = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `₹${text}`,
      (text) => `Rs. ${text}`,
      (text) => `${text}/-`,
      (text) => `${text} INR`,
    )
    const day = fc.integer({ min: Date.UTC(2001, 0), max: now })
    const month = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
    const dayForm = fc.constantFrom<(y: string, m: string, d: string) => string>(
      (y, m, d) => `${y}-${m}-${d}`,
      (y, m, d) => `${d}-${m}-${y}`,
      (y, m, d) => `${Number(d)}/${Number(m)}/${y}`,
      (y, m, d) => `${d}.${m}.${y}`,
      (y, m, d) => `${d} ${month[Number(m) - 1]!} ${y}`,
      (y, m, d) => `${d}-${month[Number(m) - 1]!}-${y}`,
    )
    await fc.assert(
      fc.asyncProperty(amount, form, day, dayForm, fc.integer({ min: 1, max: 900 }), async (paise, as, at, on, mm) => {
        const rupees = paise / 100
        expect(await through('sub_total', as(rupees.toLocaleString('en-IN')))).toEqual(all(rupees))
        const date = istMinute(at).slice(0, 10)
        const [y, m, d] = date.split('-') as [string, string, string]
        expect(await through('order_date', on(y, m, d))).toEqual(all(`${date} 00:00`))
        expect(await through('height', `${mm}mm`)).toEqual(all(mm / 10))
      }),
      { numRuns: runs(8, 300) },
    )
  })
})

// prettier-ignore
const strange: Readonly<Record<string, string>> = {
  order_id: "'1500", order_date: '28/09/2026', billing_phone: '+91-98765 43210', billing_pincode: '110 017', billing_state: 'DL',
  billing_country: 'India', payment_method: 'Cash on Delivery (COD)', sub_total: '₹1,499', weight: '0.5 kgs', length: '8in', breadth: '150mm',
  height: '10 cm', print_label: 'yes', billing_customer_name: 'Asha Rao', billing_address: '12 MG Road', warehouse_id: 'WH1',
}
const meant = {
  order_id: '1500',
  order_date: '2026-09-28 00:00',
  billing_phone: '9876543210',
  billing_pincode: '110017',
  billing_state: 'Delhi',
  payment_method: 'COD',
  weight: 0.5,
  length: 20.32,
  breadth: 15,
  height: 10,
  print_label: true,
}

describe('a month', () => {
  const at = Date.parse('2026-09-29T08:30:00Z')
  const days = (text: string): string | undefined =>
    readMonth(text, at)
      ?.map((ms) => istDate(ms))
      .join()

  // prettier-ignore
  test.each([
    ['2026-09-01,2026-09-30', ['2026-09', '2026-9', '09/2026', 'sep', 'Sept', ' September ', 'Sep 2026', 'sep-2026', 'Sep. 2026', 'this month', 'this-month']],
    ['2026-08-01,2026-08-31', ['last month', 'Last-Month', 'august', 'AUG']],
    ['2025-10-01,2025-10-31', ['october', 'oct', 'Oct 2025', 'October, 2025', '10-2025']],
    [undefined, ['10', '2026', 'octember', 'oct 26', '2026-13', '0/2026', 'next month', 'o', '', `oct${' '.repeat(9999)}`]],
  ])('%s is meant by each of %j; by its name the last one that has begun', (meant, written) => {
    for (const text of written) expect([text, days(text)]).toEqual([text, meant])
  })

  test('in January, last month and December are those of the year before', () => {
    const january = Date.parse('2026-01-01T00:00:00+05:30')
    for (const text of ['last month', 'december']) expect(istDate(readMonth(text, january)![0])).toBe('2025-12-01')
    expect(istDate(readMonth('january', january)![0])).toBe('2026-01-01')
  })
})

describe('the built program', () => {
  beforeAll(() => box.shipx(['local', 'warehouse', 'set', 'WH1', '400001']))

  const body = (stdout: string): unknown => (JSON.parse(stdout) as { dry_run: { body: unknown } }).dry_run.body

  test('reads strange spellings as flags and in a JSON file, and says what it converted', async () => {
    const flags = Object.entries(strange).map(([field, text]) => `--${flagName(field)}=${text}`)
    const item = ['--item', 'CR:1:Rs. 1499:Romper', '--cod-collectible', '1,499/-']
    const typed = await box.shipx(['orders', 'create', '--dry-run', '--json', ...flags, ...item])
    expect([typed.stderr, typed.exit]).toEqual(['', 0])
    expect(body(typed.stdout)).toMatchObject(meant)
    const items = [{ sku: 'CR', name: 'Romper', units: '1', selling_price: 'Rs. 1499' }]
    const file = box.file('order.json', JSON.stringify({ ...strange, cod_collectible: '1,499/-', order_items: items }))
    const read = await box.shipx(['orders', 'create', '--dry-run', '--json', '--file', file])
    expect([read.stderr, read.exit]).toEqual(['', 0])
    expect(body(read.stdout)).toMatchObject(meant)
  })

  test('reads them in a sheet, and names the lines of what it converted', async () => {
    const cells = { ...strange, item_sku: 'CR', item_units: '1', item_selling_price: 'Rs. 1499' }
    const file = box.file('strange.csv', csv([Object.keys(cells), Object.values(cells)]))
    const { stderr, exit } = await box.shipx(['orders', 'import', file, '--yes'])
    expect([exit, stderr]).toEqual([0, expect.stringContaining('line 2: length 8 in is 20.32 cm')])
    const { stdout } = await box.shipx(['shipments', 'get', '1500', '--jsonl'])
    expect(JSON.parse(stdout)).toMatchObject({
      attributes: { shipping_address: { phone: '9876543210', state: 'Delhi', zip: '110017' }, is_cod: true },
    })
  })

  test('reads them in a file of parcels, and says once what it converted', { tags: ['full'] }, async () => {
    const input = csv([
      ['ref', 'from', 'to', 'weight', 'length', 'width', 'height', 'payment', 'value'],
      ['A', '400 001', "'560001", '500 gms', '8in', '6"', '100mm', 'Cash on Delivery', 'Rs. 1,499'],
      ['B', '400001', '560001.0', '0.5 kgs', '20.32', '15.24', '10', 'COD', '1499/-'],
    ])
    const priced = (...more: readonly string[]) => box.shipx(['rates', '--file', '-', ...more], { input })
    const { stdout, exit } = await priced('--jsonl', '--fields', 'total,weight,reason')
    const [a, b] = stdout.split('\n').slice(0, 2)
    expect([a, exit]).toEqual([b, 0])
    expect((await priced()).stderr).toContain('line 2: 8 in is 20.32 cm; 2 more sides in inches or millimetres\n')
  })

  test('refuses a header of inches, whose numbers would pass for centimetres', async () => {
    const head = 'ref,from,to,weight,"Length (cm)","L (inches)",height,payment'
    const words = ['rates', '--file', '-', '--map', 'Length (cm)=length', '--map', 'L (inches)=width', '--jsonl']
    const { stdout, stderr, exit } = await box.shipx(words, { input: `${head}\nA,400001,560001,500g,8,6,4,prepaid\n` })
    expect([stdout, exit]).toEqual(['', 2])
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        message: expect.stringContaining('says inches, and bare numbers are cm; write the unit in its cells'),
      },
    })
  })

  test('reads a pincode of a profile as everywhere', { tags: ['full'] }, async () => {
    await box.shipx(['profile', 'set', 'home.origin', '400 001'])
    const { stdout } = await box.shipx(['profile', 'show', 'home', '--json'])
    expect(stdout).toContain('"400001"')
  })
})
