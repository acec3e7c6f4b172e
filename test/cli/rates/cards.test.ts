// Defends a merchant's own prices against the wrong unit: a rate card is read as its writer meant it, or refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { first } from '../../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

/** The sample card as a table, by its cells. */
let header: readonly string[]
let rows: readonly (readonly string[])[]

beforeAll(async () => {
  const { stdout } = await box.shipx(['ratecard', 'export', 'sample', '--csv'])
  const lines = stdout.trim().split('\n')
  header = lines[0]!.split(',')
  rows = lines.slice(1).map((line) => line.split(','))
})

type Edit = (cell: string, column: string) => string

/** The sample card with its cells, or its headers, written another way. */
const table = (edit: Edit, head: (column: string) => string = (column) => column): string =>
  [header.map(head), ...rows.map((row) => row.map((cell, i) => edit(cell, header[i]!)))]
    .map((cells) => cells.map((cell) => (/[",;]/.test(cell) ? `"${cell}"` : cell)).join(','))
    .join('\n')

const weights = ['up_to', 'first_weight', 'step_weight', 'max_weight', 'min_weight']
const prices = ['first_price', 'step_price', 'cod_fixed', 'qc_price', 'platform_fee']
const kilograms: Edit = (cell, column) =>
  weights.includes(column) && cell !== '' && cell !== '1' ? String(Number(cell) / 1000) : cell

const quoted = async (card: string) => {
  const file = box.file(
    'one.csv',
    'ref,from,to,weight,length,width,height,payment,value\nA,400001,560001,500,20,15,10,cod,1499\n',
  )
  const { stdout, stderr, exit } = await box.shipx([
    'rates',
    '--file',
    file,
    '--card',
    card,
    '--pick',
    'cheapest,fastest,Deccan',
    '--jsonl',
    '-q',
  ])
  return { exit, stderr, quotes: stdout }
}

test(
  'one parcel has prices on a card that is not in use, as every parcel of a file has',
  { tags: ['full'] },
  async () => {
    const card = box.file(
      'dear.csv',
      table((cell, column) => (/^(first|step)_price$/.test(column) && cell !== '' ? String(Number(cell) * 10) : cell)),
    )
    const parcel = ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid']
    const cheapest = ['--limit', '1', '--csv', '--fields', 'charges.total_forward_charges', '-q']
    const { stdout, stderr } = await box.shipx([...parcel, '--card', card, ...cheapest])
    expect([stdout, stderr]).toEqual(['charges.total_forward_charges\n410\n', ''])
    expect((await box.shipx([...parcel, ...cheapest])).stdout).toBe('charges.total_forward_charges\n41\n')
  },
)

describe('a rate card in kilograms', () => {
  test('whose weights are bare numbers is not sound, and is not imported', { tags: ['full'] }, async () => {
    const file = box.file('kgbare.csv', table(kilograms))
    const check = await box.shipx(['ratecard', 'check', file])
    expect(check.exit).toBe(2)
    expect(check.stdout).toBe('')
    expect(check.stderr.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      '✗ 7 things to fix',
      ' line 2 up_to 5 what? Write 5kg or 5g (the first of several)',
      ' line 2 first_weight 0.5 what? Write 0.5kg or 0.5g (the first of several)',
      ' line 2 step_weight 0.5 what? Write 0.5kg or 0.5g (the first of several)',
      ' line 3 first_weight 5 what? Write 5kg or 5g (the first of several)',
      ' line 3 step_weight 1 what? Write 1kg or 1g (the first of several)',
      ' line 78 min_weight 5 what? Write 5kg or 5g',
      ' line 107 first_weight 2 what? Write 2kg or 2g (the first of several)',
      '→ for all lines, name the unit in the header: up_to_kg',
      '',
    ])
    expect((await box.shipx(['ratecard', 'import', file, '--use'])).exit).toBe(2)
    expect((await box.shipx(['ratecard', 'list', '--ids'])).stdout).toBe('sample\n')
    expect(await quoted(file)).toMatchObject({ exit: 2, quotes: '' })
  })

  test('as JSON is refused by the path of each weight', { tags: ['full'] }, async () => {
    const { stdout } = await box.shipx(['ratecard', 'export', 'sample'])
    const card = stdout.replace(/"(first_weight|step_weight)": 500\b/g, '"$1": 0.5').replace('"sample"', '"kgjson"')
    const { stderr, exit } = await box.shipx(['ratecard', 'check', box.file('kg.json', card)])
    expect(exit).toBe(2)
    expect(stderr).toContain(
      'services.0.forward.zone_a.0.first_weight  0.5 what? Write 0.5kg or 0.5g (the first of several)',
    )
    const said = box.file('kg.json', card.replaceAll(': 0.5', ': "0.5kg"'))
    expect((await box.shipx(['ratecard', 'check', said])).exit).toBe(0)
    expect(await quoted(said)).toEqual(await quoted('sample'))
  })

  test.each<[string, Edit, ((column: string) => string)?]>(
    first(1, [
      [
        'cells with kg',
        (cell, column) => (weights.includes(column) && cell !== '' ? `${Number(cell) / 1000}kg` : cell),
      ],
      ['cells with grams', (cell, column) => (weights.includes(column) && cell !== '' ? `${cell} gms` : cell)],
      [
        'headers with _kg',
        (cell, column) => (weights.includes(column) && cell !== '' ? String(Number(cell) / 1000) : cell),
        (column) => (weights.includes(column) ? `${column}_kg` : column),
      ],
      [
        'headers with (kg)',
        (cell, column) => (weights.includes(column) && cell !== '' ? String(Number(cell) / 1000) : cell),
        (column) => (weights.includes(column) ? `${column.replace('_', ' ')} (kg)` : column),
      ],
    ]),
  )('with %s has the prices of the sample card', async (_, edit, head) => {
    expect(await quoted(box.file('said.csv', table(edit, head)))).toEqual(await quoted('sample'))
  })

  test('under a header of pounds is refused', async () => {
    const file = box.file(
      'lb.csv',
      table(
        (cell) => cell,
        (column) => (column === 'up_to' ? 'up_to (lbs)' : column),
      ),
    )
    const { stderr, exit } = await box.shipx(['ratecard', 'check', file])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('line 1 up_to: says lbs; shipx reads kg and g')])
  })
})

describe('the cells of a rate card', () => {
  test.each<[string, Edit]>(
    first(1, [
      ['₹32', (cell, column) => (prices.includes(column) ? `₹${cell}` : cell)],
      ['Rs. 32', (cell, column) => (prices.includes(column) ? `Rs. ${cell}` : cell)],
      ['1.5%', (cell, column) => (column.endsWith('_percent') && cell !== '' ? `${cell}%` : cell)],
    ]),
  )('may be written %s', async (_, edit) => {
    expect(await quoted(box.file('written.csv', table(edit)))).toEqual(await quoted('sample'))
  })

  test('may have groups of digits, and may differ in form between lines of a carrier', { tags: ['full'] }, async () => {
    let line = 0
    const edit: Edit = (cell, column) => {
      if (column === 'carrier_id') line++
      if (column === 'max_weight') return line % 2 === 0 ? `${Number(cell) / 1000} kg` : cell
      return column === 'platform_fee' ? (line % 2 === 0 ? '₹1,005.00' : '1005') : cell
    }
    const plain: Edit = (cell, column) => (column === 'platform_fee' ? '1005' : cell)
    const grouped = await quoted(box.file('own.csv', table(edit)))
    expect(grouped.exit).toBe(0)
    expect(grouped).toEqual(await quoted(box.file('own.csv', table(plain))))
  })

  test('of a few grams come back from export as they went in, in both formats', { tags: ['full'] }, async () => {
    const file = box.file(
      'light.csv',
      table((cell, column) => (column === 'min_weight' && cell === '1' ? '5g' : cell)),
    )
    const { exit } = await box.shipx(['ratecard', 'import', file])
    expect(exit).toBe(0)
    expect((await box.shipx(['ratecard', 'check', 'light'])).exit).toBe(0)
    const before = await quoted('light')
    for (const format of ['--csv', '--json']) {
      const name = `again.${format.slice(2)}`
      const { stdout } = await box.shipx(['ratecard', 'export', 'light', format])
      expect(stdout).toMatch(/5g/)
      expect((await quoted(box.file(name, stdout))).quotes).toBe(before.quotes)
    }
  })
})

test('a bare percentage was advised to name a unit of weight in its header', async () => {
  const head = 'Courier,Zone A,Zone B,Zone C,Zone D,Zone E,Add 500g A,Add 500g B,Add 500g C,Add 500g D,Add 500g E'
  const file = box.file(
    'fuel.csv',
    `${head},COD,COD %,Fuel surcharge %\nBlueLine 0.5kg,30,35,40,45,60,20,22,25,28,40,35,2,0.35\n`,
  )
  const { exit, stderr } = await box.shipx(['ratecard', 'check', file], { env: { SHIPX_FORCE_TTY: '100' } })
  expect(exit).toBe(2)
  expect(stderr).toContain('line 2 Fuel surcharge %: 0.35 what? Write 35% or 0.35%')
  expect(stderr).not.toContain('_kg')
})
