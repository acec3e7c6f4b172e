// Defends what shipx asks on a real terminal: what is missing and nothing else, judged as the flags are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keys } from '../../support/pty.ts'
import { createOrder } from '../../support/requests.ts'
import { box, freshBox, on, answers, repeated, wide } from './terminals.ts'

describe('shipx rates asks', () => {
  test('for everything, judges it as the flags are, shows the city, and prints a command that does the same', async () => {
    const terminal = on(['rates'], wide)
    await terminal.shows('? Pickup pincode')
    terminal.type(`40001${keys.enter}`)
    await terminal.shows('✗ 40001 has 5 digits; a pincode has 6')
    terminal.type(`${keys.back.repeat(5)}400001`)
    await terminal.shows('Mumbai, Maharashtra')
    terminal.type(keys.enter)
    await terminal.shows('? Delivery pincode')
    terminal.type('999999')
    await terminal.shows('no pincode starts with 999')
    terminal.type(`${keys.back.repeat(6)}560001${keys.enter}`)
    await terminal.shows('? Weight')
    terminal.type(`heavy${keys.enter}`)
    await terminal.shows('✗ "heavy" is not a weight; write 500g or 0.5kg')
    terminal.type(`${keys.back.repeat(5)}0.5${keys.enter}`)
    await terminal.shows('✗ 0.5 what? Write 0.5kg or 0.5g')
    terminal.type('kg')
    await terminal.shows('500 g')
    terminal.type(keys.enter)
    await terminal.shows('? Size in cm')
    terminal.type(`20x15${keys.enter}`)
    await terminal.shows('✗ "20x15" is not a size')
    terminal.type('x10')
    await terminal.shows('volumetric 600 g')
    terminal.type(keys.enter)
    await terminal.shows('? Payment')
    terminal.type(`${keys.down}${keys.enter}`)
    await terminal.shows('? Value of the parcel in rupees')
    terminal.type(`none${keys.enter}`)
    await terminal.shows('✗ "none" is not an amount in rupees')
    terminal.type(`${keys.back.repeat(4)}1499${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    const line = repeated(terminal)
    expect(line).toBe('shipx rates --from 400001 --to 560001 --weight 0.5kg --size 20x15x10 --cod 1499')
    const again = await box.bash(line)
    expect([again.exit, again.stdout.split('\n').length > 4]).toEqual([0, true])
    expect(terminal.screen()).toContain('Peepal Post')
  })

  test('for exactly what is missing', async () => {
    const terminal = on(['rates', '--from', '400001', '-w', '500', '--prepaid', '--size', '20x15x10'])
    await terminal.shows('? Delivery pincode')
    terminal.type(`560001${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    for (const other of ['Pickup', 'Weight', 'Size', 'Payment']) expect(terminal.screen()).not.toContain(other)
  })

  test('which unit is meant when a weight that was given could be grams or kilograms', async () => {
    const terminal = on(['rates', '--from', '400001', '--to', '560001', '-w', '2', '--prepaid', '-s', '20x15x10'])
    await terminal.shows('? The weight 2 has no unit')
    terminal.type(keys.enter)
    expect(await terminal.ended()).toBe(0)
    expect(repeated(terminal)).toContain('--weight 2kg')
    expect(terminal.screen()).toContain('charged on 2,000 g')
  })

  test('nothing when something that was given is wrong: that is told at once, with what is missing', async () => {
    const terminal = on(['rates', '--from', '40001'])
    expect(await terminal.ended()).toBe(2)
    expect(terminal.screen()).toContain('40001 has 5 digits')
    expect(terminal.screen()).toContain('--weight')
    expect(terminal.screen()).not.toContain('?')
  })

  test('nothing when a flag goes with another one: --form, meant as --from, came after all questions', async () => {
    const terminal = on(['rates', '--form', '700001', '--to', '560001'], wide)
    expect(await terminal.ended()).toBe(2)
    expect(terminal.screen()).toMatch(/--form +goes with --orders; did you mean --from\?/)
    expect(terminal.screen()).not.toContain('? Pickup')
  })

  test('nothing about payment for a return, and no pincode that the profile has', { tags: ['full'] }, async () => {
    const own = freshBox()
    await own.shipx(['profile', 'set', 'origin', '400001'])
    const terminal = on(['rates', '--return'], {}, own)
    await answers(terminal, [
      ['? Pickup pincode', '560001'],
      ['? Weight', '500'],
      ['? Size', '20x15x10'],
    ])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Bengaluru 560001 → Mumbai 400001')
  })
})

describe('shipx stores create asks', () => {
  test('for the name and, on the way, the brand', { tags: ['full'] }, async () => {
    const terminal = on(['stores', 'create'], wide)
    await terminal.shows('? Name of the store')
    terminal.type(`Acme Kids${keys.enter}`)
    await terminal.shows('✗ "Acme Kids" may contain only letters, numbers and hyphens; try acme-kids')
    terminal.type(`${keys.back.repeat(9)}acme-kids${keys.enter}`)
    await terminal.shows(/^\? .*[Bb]rand/m)
    terminal.type(`Acme's "Kids"${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    const line = repeated(terminal)
    expect(line).toBe(`shipx stores create --name acme-kids --brand 'Acme'\\''s "Kids"'`)
    const twice = await box.bash(line)
    expect([twice.exit, twice.stderr.includes('another store has the name')]).toEqual([5, true])
    const { stdout } = await box.shipx(['stores', 'get', 'acme-kids', '--jsonl'])
    expect(JSON.parse(stdout)).toMatchObject({ brand_name: `Acme's "Kids"` })
  })

  test('for another name where a store has it, before the brand', async () => {
    const own = freshBox()
    await own.shipx(['stores', 'create', '--name', 'acme-kids'])
    const terminal = on(['stores', 'create'], wide, own)
    await terminal.shows('? Name of the store')
    terminal.type(`acme-kids${keys.enter}`)
    await terminal.shows('✗ another store has the name acme-kids')
    terminal.type(`-2${keys.enter}`)
    await terminal.shows(/^\? .*[Bb]rand/m)
    terminal.type(keys.enter)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Created store acme-kids-2')
  })

  test('for no brand when the name is there', async () => {
    const terminal = on(['stores', 'create', '--name', 'bare'])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).not.toContain('?')
  })
})

describe('shipx orders create asks', () => {
  const told = [
    ["? Customer's name", 'Asha Rao'],
    ['? Mobile number', '9876543210'],
    ['? Street address', '14 MG Road'],
    ['? Delivery pincode', '560001'],
    ['? SKU of the item', 'CR-02'],
    ['? Pieces', '2'],
    ['? Price of one piece', '499'],
    ['? Name of the item', 'Cotton romper'],
    ['? SKU of another item', ''],
    ['? Value of the order', ''],
    ['? Payment', keys.down],
    ['? Rupees to collect', '998'],
    ['? Weight', '400g'],
    ['? Size', '20x15x10'],
  ] as const

  test('for an order; store and warehouse are picked from what is there', { tags: ['full'] }, async () => {
    const own = freshBox()
    await own.shipx(['stores', 'create', '--name', 'acme-kids', '--brand', 'Acme Kids'])
    await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
    const terminal = on(['orders', 'create'], { columns: 500, rows: 40 }, own)
    await answers(terminal, [
      ['? Your order id', 'ORDER-1'],
      ['acme-kids (Acme Kids)', keys.down],
      ...told,
      ['WH1 (Mumbai 400001)', ''],
    ])
    await terminal.shows('? Create this order on this computer?')
    expect(terminal.screen()).toContain('Order ORDER-1: 400 g, 20x15x10 cm, WH1 → Bengaluru 560001, COD ₹998.00')
    expect(terminal.screen()).toMatch(
      /Peepal Post ₹\d+\.\d\d with GST, delivery \d\d Oct\. Also possible: .+ ₹.+; .+ ₹.+; \d more/,
    )
    terminal.type(`y${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    // City and state come from the pincode.
    expect(terminal.screen()).not.toMatch(/\? (?:City|State)/)
    expect(terminal.screen()).toMatch(
      /✓ Order ORDER-1 saved on this computer · Peepal Post ₹\d+\.\d\d with GST, delivery \d\d Oct · test engine: no courier was notified, AWB \d+ is not real/,
    )
    const line = repeated(terminal, 1000)
    expect(line).toContain("--item 'CR-02:2:499:Cotton romper' --sub-total 998 --cod 998 --weight 400g")
    const twice = await own.bash(line.replace('ORDER-1', 'ORDER-2'))
    expect([twice.exit, twice.stderr.includes('Order ORDER-2 saved on this computer')]).toEqual([0, true])
  })

  test(
    'before anything is made: a no makes nothing, --yes is not asked, and what would fail is told before',
    { tags: ['full'] },
    async () => {
      const own = freshBox()
      await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
      const order = (id: string, warehouse: string): readonly string[] => [
        ...createOrder(id),
        '--warehouse-id',
        warehouse,
      ]
      const refused = on(order('N-1', 'WH1'), wide, own)
      await refused.shows('? Create this order on this computer?')
      refused.type(keys.enter)
      expect(await refused.ended()).toBe(130)
      expect(refused.screen()).toContain('Cancelled, nothing was changed.')
      const unknown = on(order('N-2', 'WH9'), wide, own)
      expect(await unknown.ended()).toBe(5)
      expect(unknown.screen()).toContain('the pincode of warehouse WH9 is not known')
      expect(unknown.screen()).not.toContain('?')
      const agreed = on([...order('N-3', 'WH1'), '--yes'], wide, own)
      expect(await agreed.ended()).toBe(0)
      expect(agreed.screen()).not.toContain('?')
      const dry = on([...order('N-4', 'WH1'), '--dry-run'], wide, own)
      expect(await dry.ended()).toBe(0)
      expect(dry.screen()).toContain('Would create this order on this computer. Nothing was changed.')
      expect((await own.shipx(['shipments', 'list', '--csv', '--fields', 'order.display_id', '-q'])).stdout).toBe(
        'order.display_id\nN-3\n',
      )
    },
  )

  test('where a new warehouse is, on the first day; an item may be one line', { tags: ['full'] }, async () => {
    const own = freshBox()
    const terminal = on(['orders', 'create'], { columns: 500, rows: 40 }, own)
    const item = ['? SKU of the item', 'CR-02:2:499:Cotton romper'] as const
    const short = [...told.slice(0, 4), item, ...told.slice(8)]
    await answers(terminal, [['? Your order id', 'ORDER-1'], ...short, ['? Warehouse that the parcel', 'MAIN']])
    await terminal.shows('? Pincode of MAIN, a new warehouse')
    terminal.type(`400001${keys.enter}`)
    await terminal.shows('? Create this order on this computer?')
    terminal.type(`y${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Order ORDER-1 saved on this computer')
    expect((await own.shipx(['local', 'warehouse', 'list', '--csv', '-q'])).stdout).toContain('MAIN,400001')
  })

  test(
    'a no after a new warehouse was saved says that the warehouse stays, and how to take it away',
    { tags: ['full'] },
    async () => {
      const own = freshBox()
      const terminal = on(['orders', 'create'], { columns: 500, rows: 40 }, own)
      await answers(terminal, [['? Your order id', 'ORDER-1'], ...told, ['? Warehouse that the parcel', 'MAIN']])
      await terminal.shows('? Pincode of MAIN, a new warehouse')
      terminal.type(`400001${keys.enter}`)
      await terminal.shows('? Create this order on this computer?')
      expect(terminal.screen()).toContain('Warehouse MAIN (400001) saved on this computer')
      terminal.type(keys.enter)
      expect(await terminal.ended()).toBe(130)
      expect(terminal.screen()).toContain('Cancelled. Warehouse MAIN (400001) stays saved; nothing else was changed.')
      expect(terminal.screen()).toContain('shipx local warehouse remove MAIN')
      expect((await own.shipx(['local', 'warehouse', 'list', '--ids'])).stdout).toBe('MAIN\n')
      expect((await own.shipx(['local', 'warehouse', 'remove', 'MAIN', '--yes'])).exit).toBe(0)
      expect((await own.shipx(['local', 'warehouse', 'list', '--ids'])).stdout).toBe('')
    },
  )

  test('a list of many stores is searched by typing', { tags: ['full'] }, async () => {
    const own = freshBox()
    own.file('s.csv', ['store_name', ...Array.from({ length: 30 }, (_, n) => `store-${n + 1}`)].join('\n'))
    await own.shipx(['stores', 'import', 's.csv', '--yes'])
    const terminal = on(['orders', 'create', '--dry-run'], {}, own)
    await answers(terminal, [['? Your order id', 'ORDER-1']])
    await terminal.shows('No store')
    terminal.type('re-27')
    await terminal.shows(/❯ store-27/)
    terminal.type(keys.enter)
    await terminal.shows("? Customer's name")
    expect(terminal.screen()).toContain('linked to store-27')
  })

  test('nothing when the order comes from a file: that is to be put right there', async () => {
    box.file('order.json', '{"order_id":"X"}')
    const terminal = on(['orders', 'create', '--file', 'order.json'])
    expect(await terminal.ended()).toBe(2)
    expect(terminal.screen()).toContain('things to fix')
  })
})

test('the library that asks is read by who is asked, and by nobody else', { tags: ['full'] }, async () => {
  const hook = box.file(
    'hook.cjs',
    "process.on('exit', () => require('fs').writeFileSync('read.txt', Object.keys(require.cache).join('\\n')))",
  )
  const env = { NODE_OPTIONS: `--require ${hook}` }
  const read = (): boolean => readFileSync(join(box.folder, 'read.txt'), 'utf8').includes('inquirer.cjs')
  expect(await on(['rates', '--no-input'], { env }).ended()).toBe(2)
  expect(read()).toBe(false)
  expect(await on(['stores', 'create', '--name', 'unasked'], { env }).ended()).toBe(0)
  expect(read()).toBe(false)
  const asked = on(['rates'], { env })
  await asked.shows('? Pickup pincode')
  asked.type(keys.interrupt)
  expect(await asked.ended()).toBe(130)
  expect(read()).toBe(true)
})
