// Defends the screen while questions are asked: cancelled without a trace, in any window, and in plain lines.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keys, programOn } from '../../support/pty.ts'
import { first } from '../../support/size.ts'
import { opener } from '../../support/sqlite.ts'
import { box, freshBox, open, escape, on, answers, painted, cursorShown } from './terminals.ts'

describe('cancelling', () => {
  // The first four are the two keys and the two kinds of question that draw.
  const cancelled = [
    ['Ctrl-C', ['rates'], 'Pickup pincode', keys.interrupt],
    ['Ctrl-D', ['rates'], 'Pickup pincode', keys.end],
    ['Ctrl-C in a menu', ['init'], 'How do you want to start', keys.interrupt],
    ['Ctrl-D in a menu', ['init'], 'How do you want to start', keys.end],
    ['Ctrl-C at a key', ['auth', 'login', '--base-url', 'http://127.0.0.1:9'], 'API key', keys.interrupt],
    ['Ctrl-D at a key', ['auth', 'login', '--base-url', 'http://127.0.0.1:9'], 'API key', keys.end],
    ['Ctrl-C at a confirmation', ['local', 'reset', '--db', 'there.sqlite'], 'Delete ', keys.interrupt],
    ['Ctrl-D at a confirmation', ['local', 'reset', '--db', 'there.sqlite'], 'Delete ', keys.end],
  ] as const
  test.each(first(1, cancelled))('with %s ends with 130 and one word', async (_, args, question, key) => {
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
    const own = freshBox()
    own.file('many.csv', ['store_name', ...Array.from({ length: 60_000 }, (_, n) => `s-${n}`)].join('\n'))
    const terminal = on(['stores', 'import', 'many.csv', '--yes'], {}, own)
    await terminal.shows(/Creating.*%/, 30_000)
    terminal.type(keys.interrupt)
    expect(await terminal.ended()).toBe(130)
    expect(terminal.screen()).toContain('run the same command again to go on')
    expect(terminal.screen()).not.toMatch(/^\s+at /m)
    expect(cursorShown(terminal.raw())).toBe(true)
  })
})

describe('the screen', () => {
  test('a window that becomes narrower while a question is asked changes no answer', { tags: ['full'] }, async () => {
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

  test('40 columns are enough', { tags: ['full'] }, async () => {
    const terminal = on(['rates', '--from', '400001', '--to', '560001', '-w', '500', '--prepaid'], { columns: 40 })
    await terminal.shows('? Size')
    terminal.type(`20x15${keys.enter}`)
    await terminal.shows('is not a size')
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
    const own = freshBox()
    await own.shipx(['stores', 'create', '--name', 'nasty'])
    const sql = `update stores set brand_name = 'A${escape}]0;owned\u0007', doc = null`
    await own.bash(`node -e '${opener}(process.argv[1]).exec(process.argv[2])' data/shipx.sqlite "$SQL"`, {
      env: { SQL: sql },
    })
    const terminal = on(['orders', 'create'], {}, own)
    await answers(terminal, [['? Your order id', 'ORDER-1']])
    await terminal.shows('nasty (A\\u{1b}]0;owned')
    expect(terminal.title()).toBeUndefined()
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

  test('does so on a terminal that calls itself dumb, which is asked nothing else', { tags: ['full'] }, async () => {
    const asked = on(['rates'], { env: { ...env, TERM: 'dumb' } })
    await asked.shows('Pickup pincode:')
    const refused = on(['rates'], { env: { TERM: 'dumb' } })
    expect(await refused.ended()).toBe(2)
  })

  test('a key is not shown', { tags: ['full'] }, async () => {
    const terminal = on(['auth', 'login', '--base-url', 'http://127.0.0.1:9'], { env })
    await terminal.shows('is not shown')
    terminal.type(`sk_verysecret${keys.enter}`)
    expect(await terminal.ended()).toBe(6)
    expect(terminal.raw()).not.toContain('verysecret')
  })

  test('has no spinner, no bar and no line that is written over', { tags: ['full'] }, async () => {
    const own = freshBox()
    for (const args of [
      ['local', 'seed', '--shipments', '6000'],
      ['shipments', 'summary'],
      ['shipments', 'list', '--limit', '3'],
    ]) {
      const terminal = on(args, { env: { ...env, NO_COLOR: '1' } }, own)
      expect(await terminal.ended(60_000)).toBe(0)
      expect(terminal.raw()).not.toMatch(/[\u2500-\u259f\u2800-\u28ff]|\r(?!\r*\n)/)
      expect(terminal.raw()).not.toContain(escape)
    }
  })
})
