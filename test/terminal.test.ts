// Defends how shipx behaves on a real terminal: what is on the screen, what keys do, and that nothing is done to the window.
import { afterAll, describe, expect, test } from 'vitest'
import { benchOf } from './shipx.ts'
import { keys, shipxOn } from './terminal.ts'

const bench = benchOf()
afterAll(() => bench.remove())

describe('a terminal', () => {
  test('a title-changing escape in a name changes no title', async () => {
    const nasty = 'A\u001b]0;owned\u0007B \u001b[2J\u009b31m\u202e'
    const line = { store_name: 'nasty', brand_name: nasty }
    // The service refuses such a brand; a database that another program wrote has it all the same.
    await bench.shipx(['stores', 'create', '--name', line.store_name, '--brand', 'plain'])
    const sql = `update stores set brand_name = '${nasty}', doc = null`
    await bench.bash(`node -e 'const D = require("${process.cwd()}/node_modules/better-sqlite3"); new D(process.argv[1]).exec(process.argv[2])' data/shipx.sqlite "$SQL"`, { env: { SQL: sql } }) // prettier-ignore
    const terminal = shipxOn(bench, ['stores', 'list'])
    expect(await terminal.ended()).toBe(0)
    expect(terminal.title()).toBeUndefined()
    expect(terminal.screen()).toContain('nasty')
    expect(terminal.screen()).toContain('\\u{1b}]0;owned')
    for (const kind of ['0', '2']) expect(terminal.raw()).not.toContain(`\u001b]${kind};`)
  })
})

describe('a pager', () => {
  const many = ['shipments', 'list', '--limit', '60', '--db', 'paged.sqlite']
  const shown = { columns: 90, rows: 12, env: { PAGER: 'less', NO_COLOR: '1' } }

  test('is there when it is asked for, and leaving it early is a quiet success', async () => {
    await bench.shipx(['local', 'seed', '--shipments', '80', '--db', 'paged.sqlite'])
    const terminal = shipxOn(bench, [...many, '--pager'], shown)
    await terminal.shows(/\n:$/)
    expect(terminal.screen()).toContain('AWB')
    terminal.type(keys.space)
    terminal.type('q')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).not.toContain('✗')
    const left = shipxOn(bench, ['shipments', 'list', '--all', '--json', '--pager', '--db', 'paged.sqlite'], shown)
    await left.shows(/\n:$/)
    left.type('q')
    expect(await left.ended()).toBe(0)
  })

  test('ends by itself where everything fits, and a short answer stays on the screen', async () => {
    const terminal = shipxOn(bench, ['pincode', '560001', '--pager'], { ...shown, env: { ...shown.env, PAGER: '' } })
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen()).toContain('560001')
  })

  test('is never there by itself, in a pipe, or for what goes on', async () => {
    const own = { PAGER: 'echo behind a pager; cat' }
    const plain = shipxOn(bench, ['pincode', '560001'], { ...shown, env: own })
    await plain.ended()
    expect(plain.screen()).not.toContain('behind a pager')
    const piped = await bench.shipx(['pincode', '560001', '--pager'], { env: { ...own, SHIPX_PAGER: '1' } })
    expect([piped.exit, piped.stdout.includes('behind a pager')]).toEqual([0, false])
    const watched = shipxOn(bench, ['shipments', 'watch', '--every', '1s', '--pager', '--db', 'paged.sqlite'], { ...shown, env: own }) // prettier-ignore
    await watched.shows('no change')
    watched.type(keys.interrupt)
    await watched.ended()
    expect(watched.raw()).not.toContain('behind a pager')
  })

  test('of the environment is used as it is written, and one that is not there is an error', async () => {
    const own = shipxOn(bench, ['pincode', '560001'], { ...shown, env: { SHIPX_PAGER: 'sed "s/^/> /"' } })
    expect(await own.ended()).toBe(0)
    expect(own.screen()).toMatch(/^> .*560001/m)
    const missing = shipxOn(bench, ['pincode', '560001', '--pager'], { ...shown, env: { PAGER: 'no-such-pager' } })
    expect(await missing.ended()).toBe(1)
    expect(missing.screen()).toContain('✗ the pager cannot be run: no-such-pager')
  })

  test('hands on what goes wrong in the command', async () => {
    const terminal = shipxOn(bench, ['stores', 'get', 'nobody', '--pager'], shown)
    expect(await terminal.ended()).toBe(3)
    expect(terminal.screen()).toContain('there is no store nobody')
  })
})
