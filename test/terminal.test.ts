// Defends how shipx behaves on a real terminal: what is on the screen, what keys do, and that nothing is done to the window.
import { afterAll, describe, expect, test } from 'vitest'
import { benchOf } from './shipx.ts'
import { shipxOn } from './terminal.ts'

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
