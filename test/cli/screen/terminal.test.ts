// Defends how shipx behaves on a real terminal: what is on the screen, what keys do, and that nothing is done to the window.
import { afterAll, describe, expect, test } from 'vitest'
import { parcelFlags } from '../../support/requests.ts'
import { first } from '../../support/size.ts'
import { sandbox } from '../../support/sandbox.ts'
import { startStandIn } from '../../support/foreigndeployment.ts'
import { keys, programOn, shipxOn } from '../../support/pty.ts'
import { opener } from '../../support/sqlite.ts'

const box = sandbox()
afterAll(() => box.remove())

describe('a terminal', () => {
  test('a title-changing escape in a name changes no title', { tags: ['full'] }, async () => {
    const nasty = `A\u001b]0;owned\u0007B \u001b[2J\u009b31m\u202e`
    const line = { store_name: 'nasty', brand_name: nasty }
    // The service refuses such a brand; a database that another program wrote has it all the same.
    await box.shipx(['stores', 'create', '--name', line.store_name, '--brand', 'plain'])
    const sql = `update stores set brand_name = '${nasty}', doc = null`
    await box.bash(`node -e '${opener}(process.argv[1]).exec(process.argv[2])' data/shipx.sqlite "$SQL"`, {
      env: { SQL: sql },
    })
    const terminal = shipxOn(box, ['stores', 'list'])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.title()).toBeUndefined()
    expect(terminal.screen()).toContain('nasty')
    expect(terminal.screen()).toContain('\\u{1b}]0;owned')
    for (const kind of [0, 1, 2]) expect(terminal.raw()).not.toContain(`\u001b]${kind};`)
  })
})

describe('a deployment that sends escapes', () => {
  test('as its cursor does not reach the terminal through --json', { tags: ['full'] }, async () => {
    const cursor = ['1\u009b31m', 'x\u202e\u007f']
    const body = JSON.stringify({
      data: [{ id: 'a', type: 'shipment', attributes: {} }],
      meta: { current_page: 1, per_page: 20, total: 1, next_search_after: cursor },
    })
    const standIn = await startStandIn({ authorization: 'any', trouble: () => ({ kind: 'answer', status: 200, body }) })
    const env = { SHIPX_BASE_URL: standIn.url, SHIPX_API_KEY: standIn.key, NO_COLOR: '1' }
    for (const kind of ['shipments', 'returns']) {
      const terminal = shipxOn(box, [kind, 'list', '--json'], { env })
      expect(await terminal.ended()).toBe(0)
      expect(terminal.raw()).not.toMatch(/[\u007f-\u009f\u202e]/)
      expect(terminal.raw()).toContain('1\\u009b31m')
      const piped = await box.shipx([kind, 'list', '--json'], { env })
      expect((JSON.parse(piped.stdout) as { meta: { next_search_after: unknown } }).meta.next_search_after).toEqual(
        cursor,
      )
    }
    await standIn.close()
  })
})

describe('a pager', () => {
  const many = ['shipments', 'list', '--limit', '60', '--db', 'paged.sqlite']
  const shown = { columns: 90, rows: 12, env: { PAGER: 'less', NO_COLOR: '1' } }

  test('is there when it is asked for, and leaving it early is a quiet success', { tags: ['full'] }, async () => {
    await box.shipx(['local', 'seed', '--shipments', '80', '--db', 'paged.sqlite'])
    const terminal = shipxOn(box, [...many, '--pager'], shown)
    await terminal.shows(/\n:$/)
    expect(terminal.screen()).toContain('AWB')
    terminal.type(keys.space)
    terminal.type('q')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).not.toContain('✗')
    const left = shipxOn(box, ['shipments', 'list', '--all', '--json', '--pager', '--db', 'paged.sqlite'], shown)
    await left.shows(/\n:$/)
    left.type('q')
    expect(await left.ended()).toBe(0)
  })

  test('ends by itself where everything fits, and a short answer stays on the screen', async () => {
    const terminal = shipxOn(box, ['pincode', '560001', '--pager'], { ...shown, env: { ...shown.env, PAGER: '' } })
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('560001')
  })

  test('is never there by itself, in a pipe, or for what goes on', { tags: ['full'] }, async () => {
    const own = { PAGER: 'echo behind a pager; cat' }
    const plain = shipxOn(box, ['pincode', '560001'], { ...shown, env: own })
    await plain.ended()
    expect(plain.screen()).not.toContain('behind a pager')
    const piped = await box.shipx(['pincode', '560001', '--pager'], { env: { ...own, SHIPX_PAGER: '1' } })
    expect([piped.exit, piped.stdout.includes('behind a pager')]).toEqual([0, false])
    const watched = shipxOn(box, ['shipments', 'watch', '--every', '1s', '--pager', '--db', 'paged.sqlite'], {
      ...shown,
      env: own,
    })
    await watched.shows('no change')
    watched.type(keys.interrupt)
    await watched.ended()
    expect(watched.raw()).not.toContain('behind a pager')
  })

  test(
    'of the environment is used as it is written, and one that is not there is an error',
    { tags: ['full'] },
    async () => {
      const own = shipxOn(box, ['pincode', '560001'], { ...shown, env: { SHIPX_PAGER: 'sed "s/^/> /"' } })
      expect(await own.ended()).toBe(0)
      expect(own.screen()).toMatch(/^> .*560001/m)
      const missing = shipxOn(box, ['pincode', '560001', '--pager'], { ...shown, env: { PAGER: 'no-such-pager' } })
      expect(await missing.ended()).toBe(1)
      expect(missing.screen()).toContain('✗ the pager cannot be run: no-such-pager')
    },
  )

  test('hands on what goes wrong in the command', async () => {
    const terminal = shipxOn(box, ['stores', 'get', 'nobody', '--pager'], shown)
    expect(await terminal.ended()).toBe(3)
    expect(terminal.screen()).toContain('there is no store nobody')
  })
})

describe('a table on a terminal', () => {
  const names = [
    'Asha Rao',
    'राजेश कुमार शर्मा',
    'श्रीमती क्षमा',
    'தமிழ்ச்செல்வி',
    'മോഹൻലാൽ',
    '👨‍👩‍👧 Family',
    '🇮🇳 Bharat',
    '👍🏽 Best',
    '❤️ Shop',
    '👩‍🚀 Crew',
    'محمد علي',
    'שרה כהן',
    '山田太郎',
    'Zoe\u0301',
    'க்ஷ',
    'क्षितिज श्रीवास्तव',
    'தமிழ்ச்செல்வி இளங்கோவன்',
  ]
  const line = (name: string, n: number): string =>
    JSON.stringify({
      id: `N-${n}`,
      type: 'shipment',
      attributes: {
        tracking_number: `1434494${1000 + n}`,
        status: 'in_transit',
        is_cod: true,
        cod_amount: 1000 + n,
        created_at: '2026-09-28T04:30:00Z',
        shipping_address: { name, phone: '+919876543221', city: 'Pune', zip: '411001' },
        order: { store_name: 'acme', display_id: `O-${n}` },
      },
    })
  const imported = box.shipx(['local', 'import', 'shipments', '-', '--db', 'names.sqlite'], {
    input: names.map(line).join('\n'),
  })
  const list = ['shipments', 'list', '--limit', '50', '--db', 'names.sqlite']

  // xterm counts columns as Unicode 6 did: an emoji is one, a family of three is three with the joiners at none. Others count
  // two, or take the whole sequence for one. That terminals do not agree is why the cursor is placed behind such names, and
  // why the next cell begins in the same column here, where our own count is not the terminal's.
  test.each(first(1, [80, 60, 120, 200]))(
    'of %i columns begins its cells in the same column in every row',
    async (columns) => {
      expect((await imported).exit).toBe(0)
      const terminal = shipxOn(box, [...list, '--columns', 'awb,customer,order,store'], { columns, rows: 40 })
      expect(await terminal.ended()).toBe(0)
      for (const cell of [/O-\d+ +acme/, /acme *$/]) {
        const at = terminal.columnsOf(cell)
        expect([at.length, new Set(at).size]).toEqual([names.length, 1])
      }
      expect(terminal.columnsOf(/ORDER/)).toEqual([terminal.columnsOf(/O-\d+ +acme/)[0]])
      expect(terminal.screen()).toContain('राजेश कुमार शर्मा')
    },
  )

  test.each(first(1, [80, 200]))(
    'of %i columns ends its numbers in the same column, also where rows come as they are read',
    async (columns) => {
      await box.shipx(['local', 'import', 'shipments', '-', '--db', 'many.sqlite'], {
        input: Array.from({ length: 130 }, (_, n) => line(names[n % names.length]!, n)).join('\n'),
      })
      const terminal = shipxOn(
        box,
        ['shipments', 'list', '--all', '--columns', 'customer,cod,awb', '--db', 'many.sqlite'],
        { columns, rows: 40 },
      )
      expect(await terminal.ended()).toBe(0)
      const ends = terminal.columnsOf(/(?<=\.00)  1434494/)
      expect([ends.length, new Set(ends).size]).toEqual([130, 1])
    },
  )

  test('of 40 columns is cards that end inside the window', async () => {
    const terminal = shipxOn(box, list, { columns: 40, rows: 40 })
    expect(await terminal.ended()).toBe(0)
    expect(terminal.columnsOf(/^order: +O-/)).toHaveLength(names.length)
    expect(terminal.screen()).not.toMatch(/^\S{41}/m)
  })

  test(
    'ends a name from right to left with a mark, so that the next cell is not taken along; data has none',
    { tags: ['full'] },
    async () => {
      const search = ['--search', 'محمد']
      const columns = ['--columns', 'customer,cod', ...search]
      const terminal = shipxOn(box, [...list, ...columns])
      await terminal.ended()
      expect(terminal.raw()).toMatch(/محمد علي\u200e/)
      for (const more of [[], ['--csv'], ['--json']]) {
        const { exit, stdout } = await box.shipx([...list, ...search, ...more])
        expect([exit, stdout.includes('محمد علي'), stdout.includes('\u200e')]).toEqual([0, more.length > 0, false])
      }
      const paged = shipxOn(box, [...list, ...columns, '--pager'], { env: { PAGER: 'cat -v' } })
      await paged.ended()
      expect(paged.raw()).not.toMatch(/\^\[\[\d+G/)
    },
  )

  test('takes --columns and --wide, and says what it had to leave out', { tags: ['full'] }, async () => {
    const some = shipxOn(box, list, { columns: 60 })
    await some.ended()
    expect(some.screen()).toMatch(/hidden: .*\(--wide\)/)
    const wide = shipxOn(box, [...list, '--wide'], { columns: 200, rows: 60 })
    await wide.ended()
    expect(wide.screen()).toMatch(/AWB +STATUS +DETAIL/)
    expect(wide.screen()).not.toContain('hidden')
  })

  const wide = first(1, [80, 40, 100, 120, 160])
  const asked = [
    [...list, '--wide'],
    ['shipments', 'list', '--all', '--wide', '--db', 'names.sqlite'],
    ['rates', ...parcelFlags, '--cod', '1499', '--wide'],
    ['ratecard', 'show', '--wide'],
    ['shipments', 'stuck', '--days', '0', '--wide', '--db', 'names.sqlite'],
  ]
  test.each(wide)(
    '--wide in %i columns places no cursor beyond the window, and cuts and hides nothing',
    { tags: ['full'] },
    async (columns) => {
      await imported
      for (const command of asked) {
        const terminal = shipxOn(box, command, { columns, rows: 40, env: { NO_COLOR: '1' } })
        expect(await terminal.ended()).toBe(0)
        // oxlint-disable-next-line no-control-regex -- the cursor is placed by a control sequence
        const places = [...terminal.raw().matchAll(/\u001b\[(\d+)G/g)].map(([, place]) => Number(place))
        expect(Math.max(0, ...places)).toBeLessThanOrEqual(columns)
        expect(terminal.screen()).not.toMatch(/hidden|…/)
      }
      const terminal = shipxOn(box, asked[0]!, { columns, rows: 40, env: { NO_COLOR: '1' } })
      await terminal.ended()
      for (const name of names) expect(terminal.screen()).toContain(name)
      // Too narrow for all columns beside each other: each is a line of its own.
      const cells = terminal.columnsOf(/^customer: +./)
      expect(cells).toHaveLength(columns < 200 ? names.length : 0)
      expect(terminal.columnsOf(/^phone: +\+91 98••••••21 *$/)).toHaveLength(names.length)
      expect(terminal.columnsOf(/^value: +-|^cod: +₹1,0\d\d\.00 *$/)).toHaveLength(2 * names.length)
    },
  )

  test('--wide with a pager is lines that it scrolls sideways', { tags: ['full'] }, async () => {
    const terminal = shipxOn(box, [...list, '--wide', '--pager'], {
      columns: 80,
      rows: 40,
      env: { PAGER: 'echo "LESS=$LESS"; cat -v', NO_COLOR: '1' },
    })
    expect(await terminal.ended()).toBe(0)
    expect(terminal.raw()).toMatch(/LESS=FRSX[^]*AWB +STATUS +DETAIL +COURIER/)
    expect(terminal.raw()).not.toMatch(/\^\[\[\d+G/)
  })

  test(
    'keeps the last letters of a name that the terminal draws wider than others do',
    { tags: ['full'] },
    async () => {
      await imported
      const terminal = shipxOn(box, [...list, '--columns', 'awb,customer,order,store'], { columns: 80, rows: 40 })
      expect(await terminal.ended()).toBe(0)
      for (const name of names) expect(terminal.screen()).toContain(name)
    },
  )

  test(
    'breaks its notes at words, and says which columns a list of everything leaves out',
    { tags: ['full'] },
    async () => {
      await box.shipx(['local', 'seed', '--shipments', '130', '--returns', '0', '--db', 'notes.sqlite'])
      const terminal = shipxOn(box, ['shipments', 'list', '--all', '--db', 'notes.sqlite'], { columns: 60 })
      await terminal.shows(/^hidden: .*\(--wide\)$/m)
      const rates = shipxOn(box, asked[2]!.slice(0, -1), { columns: 62, rows: 40, env: { NO_COLOR: '1' } })
      await rates.shows(/^shipx ratecard import <file> --use$/m)
      expect(rates.screen()).toMatch(/18% GST\.[^]*hidden: .*\(--wide\)/)
      for (const line of rates.screen().split('\n')) expect(line).not.toMatch(/\S{62}$/)
    },
  )

  test(
    'has no title changed by a name, as a table or as data; what is written elsewhere keeps the name',
    { tags: ['full'] },
    async () => {
      const name = 'Ev\x1b]0;pwned\x07il'
      await box.shipx(['local', 'import', 'shipments', '-', '--db', 'title.sqlite'], { input: line(name, 1) })
      const asked = ['shipments', 'list', '--db', 'title.sqlite']
      for (const format of [[], ['--csv'], ['--tsv'], ['--excel'], ['--csv', '--raw'], ['--jsonl'], ['--json']]) {
        const terminal = shipxOn(box, [...asked, ...format])
        expect(await terminal.ended()).toBe(0)
        expect([format, terminal.title()]).toEqual([format, undefined])
      }
      expect((await box.shipx([...asked, '--csv'])).stdout).toContain(name)
    },
  )

  test('of many rows begins before the last are read', { tags: ['full'] }, async () => {
    await box.shipx(['local', 'seed', '--shipments', '6000', '--returns', '0', '--db', 'long.sqlite'])
    const began = performance.now()
    const terminal = shipxOn(box, ['shipments', 'list', '--all', '--db', 'long.sqlite'], { rows: 20 })
    await terminal.shows(/AWB +STATUS/)
    const first = performance.now() - began
    await terminal.ended(60_000)
    expect(first).toBeLessThan((performance.now() - began) / 2)
  })

  test('of twenty columns breaks nothing', { tags: ['full'] }, async () => {
    for (const words of [
      list,
      ['shipments', 'get', 'N-1', '--db', 'names.sqlite'],
      ['rates', ...parcelFlags, '--prepaid'],
    ]) {
      const terminal = shipxOn(box, words, { columns: 20, rows: 60 })
      expect(await terminal.ended()).toBe(0)
      expect(terminal.screen()).not.toContain('✗')
    }
  })
})

describe('a terminal under test', () => {
  test(
    'shows the end of what a program wrote, also when the test was busy while the program ended',
    { tags: ['full'] },
    async () => {
      const terminal = programOn(box, '/bin/sh', ['-c', 'seq 1 3000'])
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
      expect(await terminal.ended()).toBe(0)
      expect(terminal.screen().split('\n').at(-1)).toBe('3000')
    },
  )
})

describe('what a terminal can show', () => {
  test('is asked of its locale: letters that are not UTF-8 leave ASCII marks', { tags: ['full'] }, async () => {
    const list = [
      'shipments',
      'list',
      '--limit',
      '1',
      '--status',
      'delivered',
      '--columns',
      'awb,cod',
      '--db',
      'paged.sqlite',
    ]
    for (const [locale, rupee] of [
      ['en_IN.ISO-8859-1', 'Rs '],
      ['C', 'Rs '],
      ['en_IN.UTF-8', '₹'],
      ['C.utf8', '₹'],
    ] as const) {
      const terminal = shipxOn(box, [...list, '--cod'], { env: { LC_ALL: locale } })
      await terminal.ended()
      expect([locale, terminal.screen().includes(rupee)]).toEqual([locale, true])
    }
  })

  test('is no colour and no sequence for TERM=dumb', { tags: ['full'] }, async () => {
    const terminal = shipxOn(box, ['shipments', 'list', '--columns', 'customer,cod', '--db', 'names.sqlite'], {
      env: { TERM: 'dumb' },
    })
    await terminal.ended()
    expect(terminal.raw()).not.toContain('\u001b')
    expect(terminal.screen()).toContain('CUSTOMER')
  })
})
