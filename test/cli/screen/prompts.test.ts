// Defends what shipx asks on a real terminal: what is missing and nothing else, judged as the flags are, cancelled without
// a trace, and nobody where nobody can answer.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { startService, type TestService } from '../../support/service.ts'
import { keys, programOn, shipxOn, type Start, type Terminal } from '../../support/pty.ts'

const box = sandbox()
const open: Terminal[] = []
/** A key in the middle of a word: what a person types, Enter apart, so that the question has read the word. */
const escape = '\u001b'

function on(args: readonly string[], start: Start = {}, where: Sandbox = box): Terminal {
  const terminal = shipxOn(where, args, start)
  open.push(terminal)
  return terminal
}

/** Answers questions one after the other, each once it is there. */
async function answers(terminal: Terminal, given: readonly (readonly [question: string | RegExp, answer: string])[]) {
  for (const [question, answer] of given) {
    await terminal.shows(question)
    terminal.type(`${answer}${keys.enter}`)
  }
}

/** The command that was printed after the answers, wrapped lines joined. */
const repeated = (terminal: Terminal, columns = 200): string =>
  terminal
    .screen()
    .split('\n')
    .find((line) => line.startsWith('→ shipx') || line.startsWith('-> shipx'))!
    .slice(0, columns)
    .replace(/^(→|->) /, '')

const wide = { columns: 240 }
/** Options of SGR that are colours or weights; the cursor's own escapes are none. */
const painted = (raw: string): boolean => new RegExp(`${escape}\\[(3\\d|1)m`).test(raw)
const cursorShown = (raw: string): boolean => raw.lastIndexOf(`${escape}[?25l`) <= raw.lastIndexOf(`${escape}[?25h`)

afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill()
})
afterAll(() => box.remove())

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
    await terminal.shows('✗ needs three numbers, for example 20x15x10')
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

  test('nothing about payment for a return, and no pincode that the profile has', async () => {
    const own = sandbox()
    await own.shipx(['profile', 'set', 'origin', '400001'])
    const terminal = on(['rates', '--return'], {}, own)
    await answers(terminal, [
      ['? Pickup pincode', '560001'],
      ['? Weight', '500'],
      ['? Size', '20x15x10'],
    ])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Bengaluru 560001 → Mumbai 400001')
    own.remove()
  })
})

describe('shipx stores create asks', () => {
  test('for the name and, on the way, the brand', async () => {
    const terminal = on(['stores', 'create'], wide)
    await terminal.shows('? Name of the store')
    terminal.type(`Acme Kids${keys.enter}`)
    await terminal.shows('✗ "Acme Kids" may hold only letters, numbers and hyphens; try acme-kids')
    terminal.type(`${keys.back.repeat(9)}acme-kids${keys.enter}`)
    await terminal.shows(/^\? .*[Bb]rand/m)
    terminal.type(`Acme's "Kids"${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    const line = repeated(terminal)
    expect(line).toBe(`shipx stores create --name acme-kids --brand 'Acme'\\''s "Kids"'`)
    const twice = await box.bash(line)
    expect([twice.exit, twice.stderr.includes('has already been taken')]).toEqual([5, true])
    const { stdout } = await box.shipx(['stores', 'get', 'acme-kids', '--jsonl'])
    expect(JSON.parse(stdout)).toMatchObject({ brand_name: `Acme's "Kids"` })
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
    ['? City', ''],
    ['? State', ''],
    ['? Item, as sku', 'CR-02:2:499:Cotton romper'],
    ['? Another item', ''],
    ['? Value of the order', ''],
    ['? Payment', keys.down],
    ['? Rupees to collect', '998'],
    ['? Weight', '400g'],
    ['? Size', '20x15x10'],
  ] as const

  test('for an order; store and warehouse are picked from what is there', async () => {
    const own = sandbox()
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
      /Peepal Post ₹\d+\.\d\d, delivery \d\d Oct\. Also possible: .+ ₹.+; .+ ₹.+; \d more/,
    )
    terminal.type(`y${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('City Bengaluru')
    expect(terminal.screen()).toMatch(
      /✓ Order ORDER-1 saved on this computer · Peepal Post ₹\d+\.\d\d, delivery \d\d Oct · test engine: no courier was told, AWB \d+ is not real/,
    )
    const line = repeated(terminal, 1000)
    expect(line).toContain("--item 'CR-02:2:499:Cotton romper' --sub-total 998 --cod 998 --weight 400g")
    const twice = await own.bash(line.replace('ORDER-1', 'ORDER-2'))
    expect([twice.exit, twice.stderr.includes('Order ORDER-2 saved on this computer')]).toEqual([0, true])
    own.remove()
  })

  test('before anything is made: a no makes nothing, --yes is not asked, and what would fail is told before', async () => {
    const own = sandbox()
    await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
    const order = (id: string, ...more: readonly string[]): readonly string[] => [
      'orders',
      'create',
      '--order-id',
      id,
      '--item',
      'CR-02:1:499:Romper',
      '--sub-total',
      '499',
      '--prepaid',
      '--size',
      '20x15x10',
      '--weight',
      '400g',
      '--billing-customer-name',
      'Asha',
      '--billing-phone',
      '9876543210',
      '--billing-address',
      'MG',
      '--billing-city',
      'Bengaluru',
      '--billing-state',
      'Karnataka',
      '--billing-pincode',
      '560001',
      ...more,
    ]
    const refused = on(order('N-1', '--warehouse-id', 'WH1'), wide, own)
    await refused.shows('? Create this order on this computer?')
    refused.type(keys.enter)
    expect(await refused.ended()).toBe(130)
    expect(refused.screen()).toContain('Cancelled, nothing was changed.')
    const unknown = on(order('N-2', '--warehouse-id', 'WH9'), wide, own)
    expect(await unknown.ended()).toBe(5)
    expect(unknown.screen()).toContain('the pincode of warehouse WH9 is not known')
    expect(unknown.screen()).not.toContain('?')
    const agreed = on(order('N-3', '--warehouse-id', 'WH1', '--yes'), wide, own)
    expect(await agreed.ended()).toBe(0)
    expect(agreed.screen()).not.toContain('?')
    const dry = on(order('N-4', '--warehouse-id', 'WH1', '--dry-run'), wide, own)
    expect(await dry.ended()).toBe(0)
    expect(dry.screen()).toContain('Would create this order on this computer; nothing was saved.')
    expect((await own.shipx(['shipments', 'list', '--csv', '--fields', 'order.display_id', '-q'])).stdout).toBe(
      'order.display_id\nN-3\n',
    )
    own.remove()
  })

  test('where a new warehouse is, on the first day', async () => {
    const own = sandbox()
    const terminal = on(['orders', 'create'], { columns: 500, rows: 40 }, own)
    await answers(terminal, [['? Your order id', 'ORDER-1'], ...told, ['? Warehouse that the parcel', 'MAIN']])
    await terminal.shows('? Pincode of MAIN, a new warehouse')
    terminal.type(`400001${keys.enter}`)
    await terminal.shows('? Create this order on this computer?')
    terminal.type(`y${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Order ORDER-1 saved on this computer')
    expect((await own.shipx(['local', 'warehouse', 'list', '--csv', '-q'])).stdout).toContain('MAIN,400001')
    own.remove()
  })

  test('a no after a new warehouse was saved says that the warehouse stays, and how to take it away', async () => {
    const own = sandbox()
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
    own.remove()
  })

  test('a list of many stores is searched by typing', async () => {
    const own = sandbox()
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
    own.remove()
  })

  test('nothing when the order comes from a file: that is to be put right there', async () => {
    box.file('order.json', '{"order_id":"X"}')
    const terminal = on(['orders', 'create', '--file', 'order.json'])
    expect(await terminal.ended()).toBe(2)
    expect(terminal.screen()).toContain('things to fix')
  })
})

test('the library that asks is read by who is asked, and by nobody else', async () => {
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

describe('cancelling', () => {
  test.each([
    ['Ctrl-C', ['rates'], 'Pickup pincode', keys.interrupt],
    ['Ctrl-D', ['rates'], 'Pickup pincode', keys.end],
    ['Ctrl-C in a menu', ['init'], 'How do you want to start', keys.interrupt],
    ['Ctrl-D in a menu', ['init'], 'How do you want to start', keys.end],
    ['Ctrl-C at a key', ['auth', 'login', '--base-url', 'http://127.0.0.1:9'], 'API key', keys.interrupt],
    ['Ctrl-D at a key', ['auth', 'login', '--base-url', 'http://127.0.0.1:9'], 'API key', keys.end],
    ['Ctrl-C at a confirmation', ['local', 'reset', '--db', 'there.sqlite'], 'Deleting', keys.interrupt],
    ['Ctrl-D at a confirmation', ['local', 'reset', '--db', 'there.sqlite'], 'Deleting', keys.end],
  ])('with %s ends with 130 and one word', async (_, args, question, key) => {
    await box.shipx(['local', 'init', '--db', 'there.sqlite'])
    for (const env of [{}, { ACCESSIBLE: '1' }]) {
      const terminal = on(args, { env })
      await terminal.shows(question)
      terminal.type(key)
      expect(await terminal.ended()).toBe(130)
      expect(terminal.screen()).toMatch(/^✗ Cancelled\.$/m)
      expect(terminal.screen()).not.toMatch(/^\s+at /m)
      expect(cursorShown(terminal.raw())).toBe(true)
    }
  })

  test('leaves the terminal as it was', async () => {
    const terminal = programOn(box, '/bin/bash', [
      '-c',
      'stty -a | tr ";" "\\n" > before; shipx init; echo "exit $?"; stty -a | tr ";" "\\n" > after',
    ])
    open.push(terminal)
    await terminal.shows('How do you want to start')
    terminal.type(keys.interrupt)
    await terminal.shows('exit 130')
    await terminal.ended()
    const modes = (name: string): string => readFileSync(join(box.folder, name), 'utf8')
    expect(modes('after')).toBe(modes('before'))
    expect(cursorShown(terminal.raw())).toBe(true)
  })

  test('an import in progress finishes what is under way and says how to go on', { tags: ['full'] }, async () => {
    const own = sandbox()
    own.file('many.csv', ['store_name', ...Array.from({ length: 60_000 }, (_, n) => `s-${n}`)].join('\n'))
    const terminal = on(['stores', 'import', 'many.csv', '--yes'], {}, own)
    await terminal.shows(/Creating.*%/, 30_000)
    terminal.type(keys.interrupt)
    expect(await terminal.ended()).toBe(130)
    expect(terminal.screen()).toContain('run the same command again to go on')
    expect(terminal.screen()).not.toMatch(/^\s+at /m)
    expect(cursorShown(terminal.raw())).toBe(true)
    own.remove()
  })
})

describe('the screen', () => {
  test('a window that becomes narrower while a question is asked changes no answer', async () => {
    const terminal = on(['rates', '--from', '400001', '--to', '560001', '-w', '500', '--prepaid'])
    await terminal.shows('? Size')
    terminal.type('20x1')
    await terminal.shows('20x1')
    terminal.resize(40, 20)
    terminal.type('5x10')
    await terminal.shows('volumetric 600 g')
    terminal.type(keys.enter)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('--size 20x15x10')
  })

  test('40 columns are enough', async () => {
    const terminal = on(['rates', '--from', '400001', '--to', '560001', '-w', '500', '--prepaid'], { columns: 40 })
    await terminal.shows('? Size')
    terminal.type(`20x15${keys.enter}`)
    await terminal.shows('needs three numbers')
    terminal.type(`x10${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    for (const line of terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(40)
  })

  const plain = ['rates', '--to', '560001', '-w', '500', '-s', '20x15x10']
  const given = [
    ['Pickup pincode', '4'],
    ['has 1 digit', `${keys.back}400001`],
    ['Payment', ''],
  ] as const

  test.each([{ NO_COLOR: '1' }, { TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: '3' }])(
    'NO_COLOR takes all colour away (%o)',
    async (env) => {
      // prettier-ignore
      const terminal = on(plain, { env })
      await answers(terminal, given)
      expect(await terminal.ended()).toBe(0)
      expect(painted(terminal.raw())).toBe(false)
    },
  )

  test('LC_ALL=C has nothing but ASCII, also while seeding', { tags: ['full'] }, async () => {
    const env = { LC_ALL: 'C' }
    const terminal = on(plain, { env })
    await answers(terminal, given)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.raw()).not.toMatch(/[\u0080-\uffff]/)
    expect(terminal.screen()).toContain('-> shipx rates --to 560001')
    const seeding = on(['local', 'seed', '--shipments', '6000', '--db', 'c.sqlite'], { env })
    expect(await seeding.ended(60_000)).toBe(0)
    expect(seeding.raw()).not.toMatch(/[\u0080-\uffff]/)
  })

  test('a brand that holds escapes does nothing to the window', async () => {
    const own = sandbox()
    await own.shipx(['stores', 'create', '--name', 'nasty'])
    const sql = `update stores set brand_name = 'A${escape}]0;owned\u0007', doc = null`
    await own.bash(
      `node -e 'const D = require("${process.cwd()}/node_modules/better-sqlite3"); new D(process.argv[1]).exec(process.argv[2])' data/shipx.sqlite "$SQL"`,
      { env: { SQL: sql } },
    )
    const terminal = on(['orders', 'create'], {}, own)
    await answers(terminal, [['? Your order id', 'ORDER-1']])
    await terminal.shows('nasty (A\\u{1b}]0;owned')
    expect(terminal.title()).toBeUndefined()
    own.remove()
  })
})

describe('ACCESSIBLE=1', () => {
  const env = { ACCESSIBLE: '1' }

  test('asks in plain lines: a choice is a number, nothing is drawn again', async () => {
    const terminal = on(['rates', '--to', '560001', '-w', '500', '-s', '20x15x10'], { env: { ...env, NO_COLOR: '1' } })
    await answers(terminal, [
      ['Pickup pincode:', '40001'],
      ['Not yet: 40001 has 5 digits', '400001'],
      ['  2. Cash on delivery', '3'],
      ['Not yet: "3"', '2'],
      ['Value of the parcel', '1499'],
    ])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('Mumbai, Maharashtra')
    expect(terminal.screen()).toContain('shipx rates --to 560001 --weight 500 --size 20x15x10 --from 400001 --cod 1499')
    expect(terminal.raw()).not.toContain(escape)
  })

  test('does so on a terminal that calls itself dumb, which is asked nothing else', async () => {
    const asked = on(['rates'], { env: { ...env, TERM: 'dumb' } })
    await asked.shows('Pickup pincode:')
    const refused = on(['rates'], { env: { TERM: 'dumb' } })
    expect(await refused.ended()).toBe(2)
  })

  test('a key is not shown', async () => {
    const terminal = on(['auth', 'login', '--base-url', 'http://127.0.0.1:9'], { env })
    await terminal.shows('is not shown')
    terminal.type(`sk_verysecret${keys.enter}`)
    expect(await terminal.ended()).toBe(6)
    expect(terminal.raw()).not.toContain('verysecret')
  })

  test('has no spinner, no bar and no line that is written over', { tags: ['full'] }, async () => {
    const own = sandbox()
    for (const args of [
      ['local', 'seed', '--shipments', '6000'],
      ['shipments', 'summary'],
      ['shipments', 'list', '--limit', '3'],
    ]) {
      // prettier-ignore
      const terminal = on(args, { env: { ...env, NO_COLOR: '1' } }, own)
      expect(await terminal.ended(60_000)).toBe(0)
      expect(terminal.raw()).not.toMatch(/[\u2500-\u259f\u2800-\u28ff]|\r(?!\r*\n)/)
      expect(terminal.raw()).not.toContain(escape)
    }
    own.remove()
  })
})

describe('shipx init', () => {
  test('tries it here, and does so once', async () => {
    const own = sandbox()
    const first = on(['init'], wide, own)
    await first.shows('? How do you want to start?')
    first.type(keys.enter)
    await first.shows('? Pincode that your parcels start from')
    first.type(`400001${keys.enter}`)
    expect(await first.ended()).toBe(0)
    const screen = first.screen()
    expect(screen).toContain('500 shipments, 80 returns and 6 stores of sample data')
    expect(screen).toContain('shipx completion install')
    const commands = screen
      .split('Next:')[1]!
      .trim()
      .split('\n')
      .map((line) => line.trim())
    expect(commands).toHaveLength(3)
    for (const command of commands) expect([command, (await own.bash(command)).exit]).toEqual([command, 0])
    const again = on(['init'], wide, own)
    await again.shows('? How do you want to start?')
    again.type(keys.enter)
    expect(await again.ended()).toBe(0)
    expect(again.screen()).toContain('holds 500 shipments, 80 returns and 6 stores already; nothing was added')
    expect(again.screen()).not.toContain('start from')
    own.remove()
  })

  describe('connects a deployment', () => {
    let service: TestService
    beforeAll(async () => {
      service = await startService({ readers: 0 })
    })
    afterAll(() => service.close())

    test('by its address, a key that is never shown, and a name; and keeps that when it is run again', async () => {
      const own = sandbox()
      const terminal = on(['init'], wide, own)
      await terminal.shows('? How do you want to start?')
      terminal.type(`${keys.down}${keys.enter}`)
      await terminal.shows('? Address of the deployment')
      terminal.type(`ftp://x${keys.enter}`)
      await terminal.shows('✗ The address')
      terminal.type(`${keys.back.repeat(7)}${service.url}${keys.enter}`)
      await answers(terminal, [
        ['? Name of its profile (default)', 'acme'],
        ['? API key for', service.key],
        ['start from', ''],
        ['? Id of your warehouse', 'WH9'],
      ])
      expect(await terminal.ended()).toBe(0)
      expect(terminal.raw()).not.toContain(service.key)
      const commands = terminal
        .screen()
        .split('Next:')[1]!
        .trim()
        .split('\n')
        .map((line) => line.trim())
      for (const command of commands) expect([command, (await own.bash(command)).exit]).toEqual([command, 0])
      const profile = JSON.parse((await own.shipx(['profile', 'show', '--json'])).stdout) as { data: object }
      expect(profile.data).toMatchObject({ name: 'acme', base_url: service.url, warehouse: { main: 'WH9' } })
      const again = await own.shipx(['init', '--base-url', service.url, '--origin', '110001', '--json'])
      expect(again.exit).toBe(0)
      expect(JSON.parse(again.stdout)).toMatchObject({
        data: { source: 'deployment', profile: 'acme', origin: '110001' },
      })
      own.remove()
    })

    test('in a script', async () => {
      const own = sandbox()
      const { exit, stderr } = await own.shipx(['init', '--base-url', service.url, '--with-token'], {
        input: service.key,
      })
      expect([exit, stderr.includes('Signed in to'), stderr.includes(service.key)]).toEqual([0, true, false])
      own.remove()
    })
  })

  test('without a terminal takes flags, or names them', async () => {
    const own = sandbox()
    const bare = await own.shipx(['init'])
    expect([bare.exit, bare.stdout]).toEqual([2, ''])
    expect(bare.stderr).toContain('--sample')
    expect(bare.stderr).toContain('--base-url')
    expect((await own.shipx(['init', '--sample', '--base-url', 'https://x.example'])).exit).toBe(2)
    expect((await own.shipx(['init', '--sample', '--origin', '4'])).stderr).toContain('--origin: 4 has 1 digit')
    const seeded = await own.shipx(['init', '--sample', '--origin', '400001', '--json'])
    expect(JSON.parse(seeded.stdout)).toMatchObject({ data: { seeded: true, shipments: 500, origin: '400001' } })
    own.remove()
  })
})

describe('where nobody can be asked', () => {
  test.each([
    ['no terminal', 'shipx rates', {}],
    ['an empty input', 'shipx rates < /dev/null', {}],
    ['a closed input', 'shipx rates <&-', {}],
    ['nothing open at all', 'shipx rates <&- 2>&1 | cat', {}],
  ] as const)('%s: what is missing is named at once, exit 2', async (_, line, env) => {
    const { exit, stderr, stdout } = await box.bash(`set -o pipefail; ${line}`, { env })
    expect(exit).toBe(2)
    for (const flag of ['--from', '--to', '--weight', '--size', '--prepaid']) expect(stderr + stdout).toContain(flag)
  })

  test.each([{ CI: '1' }, { SHIPX_NO_INPUT: '1' }, { TERM: 'dumb' }, { SHIPX_FORMAT: 'json' }])(
    'a terminal with %o is not asked either',
    async (env) => {
      for (const args of [['rates'], ['stores', 'create'], ['orders', 'create'], ['init']]) {
        const terminal = on(args, { env })
        expect(await terminal.ended()).toBe(2)
      }
    },
  )

  test('a format of the profile is for data: a terminal is asked and told all the same', async () => {
    const own = sandbox()
    mkdirSync(join(own.folder, 'home', '.config', 'shipx'), { recursive: true })
    writeFileSync(
      join(own.folder, 'home', '.config', 'shipx', 'config.json'),
      JSON.stringify({ current: 'own', profiles: { own: { format: 'csv' } } }),
    )
    const terminal = on(['stores', 'create'], wide, own)
    await terminal.shows('? Name of the store')
    terminal.type(`acme-kids${keys.enter}`)
    await terminal.shows(/^\? .*[Bb]rand/m)
    terminal.type(`Acme Kids${keys.enter}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('✓ Created store acme-kids')
    expect(terminal.screen()).toMatch(/^id,store_name,/m)
    const first = on(['init'], wide, own)
    await first.shows('? ')
    first.kill()
    own.remove()
  })

  test('nor with --no-input or --json', async () => {
    for (const flag of ['--no-input', '--json', '--csv']) {
      const terminal = on(['stores', 'create', flag])
      expect(await terminal.ended()).toBe(2)
    }
  })

  test('a key or a yes that is needed exits 8 with the flag that gives it', async () => {
    const key = await box.bash('shipx auth login --base-url https://api.example.com < /dev/null')
    expect([key.exit, key.stderr.includes('--with-token')]).toEqual([8, true])
    await box.shipx(['local', 'init', '--db', 'kept.sqlite'])
    const yes = await box.bash('shipx local reset --db kept.sqlite <&-')
    expect([yes.exit, yes.stderr.includes('--yes')]).toEqual([8, true])
    expect((await box.shipx(['init', '--base-url', 'https://api.example.com'])).exit).toBe(8)
  })

  test('a file of profiles that is rubbish is named and left as it is', async () => {
    const own = sandbox()
    const path = join(own.folder, 'home', '.config', 'shipx', 'config.json')
    await own.shipx(['profile', 'set', 'origin', '400001'])
    writeFileSync(path, '{ rubbish')
    for (const args of [['init', '--sample'], ['rates'], ['profile', 'set', 'origin', '110001']]) {
      const { exit, stderr } = await own.shipx(args)
      expect([args, exit, stderr.includes(path)]).toEqual([args, 2, true])
      expect(readFileSync(path, 'utf8')).toBe('{ rubbish')
    }
    own.remove()
  })
})
