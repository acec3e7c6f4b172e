// Defends colours and tables: where there are any, on a real terminal too, and that no name in them is obeyed.
// @module-tag full: a terminal for each command
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { keys, shipxOn } from '../../support/pty.ts'
import { bash, big, box, shipx } from './seeded.ts'

const escape = String.fromCharCode(27)

/** A line run on a pseudo terminal of so many columns: everything that it shows, with line feeds for line ends. */
async function onTerminal(line: string, columns: number, env?: Record<string, string>): Promise<string> {
  const { stdout } = await bash(`script -qec ${quote(`stty cols ${columns}; ${line}`)} /dev/null < /dev/null`, env)
  return stdout.replaceAll('\r\n', '\n')
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
/** The program of util-linux that gives a command a pseudo terminal. */
const terminal = 'script'
const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0

describe('colour', () => {
  const both = async (env: Record<string, string>, ...flags: string[]): Promise<[boolean, boolean]> => {
    const good = await shipx(['shipments', 'list', '--limit', '3', '--db', big, ...flags], { env })
    const bad = await shipx(['shipments', 'list', '--status', 'transit', '--db', big, ...flags], { env })
    expect([good.exit, bad.exit]).toEqual([0, 2])
    expect(good.stdout.split('\n').length).toBeGreaterThan(1)
    return [good.stdout.includes(escape), bad.stderr.includes(escape)]
  }
  const table = { SHIPX_FORCE_TTY: '100' }

  test('NO_COLOR and --color never leave no escape, on either stream', async () => {
    expect(await both({ ...table, NO_COLOR: '1' })).toEqual([false, false])
    expect(await both({ ...table, FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, '--color', 'never')).toEqual([false, false])
    expect(await both({ ...table, NO_COLOR: '1', FORCE_COLOR: '1' })).toEqual([false, false])
  })

  test('--color always, FORCE_COLOR and CLICOLOR_FORCE colour, the flag above NO_COLOR', async () => {
    expect(await both({ ...table, NO_COLOR: '1' }, '--color', 'always')).toEqual([true, true])
    expect(await both({ ...table, FORCE_COLOR: '1' })).toEqual([true, true])
    expect(await both({ ...table, CLICOLOR_FORCE: '1' })).toEqual([true, true])
  })

  test('TERM=dumb has none, and data in a pipe never has any', async () => {
    expect(await both({ ...table, TERM: 'dumb' })).toEqual([false, false])
    expect(await both({})).toEqual([false, false])
    for (const format of ['--json', '--csv', '--tsv', '--ids', '--columns=awb'])
      expect(await both({ FORCE_COLOR: '1' }, format)).toEqual([false, format !== '--json'])
  })
})

describe.skipIf(!hasScript)('a real terminal (needs `script` of util-linux)', () => {
  test('gets a table, and a pipe the same records with tabs', async () => {
    const shown = await onTerminal('shipx shipments list --limit 3 --db big.sqlite', 100)
    const lines = shown.split('\n')
    expect(lines.find((line) => line.includes('AWB'))).toContain(`${escape}[1m`)
    expect(lines).toContain('Showing 3 of 2,600 shipments · on this computer')
    expect(lines.at(-2)).toMatch(/^Next: shipx shipments list --db big\.sqlite --page 2 --per-page 3/)
    expect(shown).not.toContain('\t')
    const { stdout } = await shipx(['shipments', 'list', '--limit', '3', '--db', big])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows.map((row) => row.length)).toEqual([8, 8, 8])
    for (const [awb] of rows) expect(shown).toContain(awb)
    expect(stdout).not.toContain(escape)
  })

  test('that has not been told its size is not taken for one of no columns', async () => {
    const { stdout } = await bash(
      "script -qec 'stty cols 0; shipx stores list -q --db big.sqlite' /dev/null < /dev/null",
    )
    expect(stdout).toContain('coromandel-toys')
    expect(stdout).toContain('STORE')
  })

  test('shows an escape sequence in a name as text, and JSON escapes it', async () => {
    const hidden = [escape, '\u009b', '\u202e', '\u0007']
    const evil = `Asha${escape}[31m\u009b2J\u202eRao`
    const record = {
      id: 'E-1',
      type: 'shipment',
      attributes: {
        tracking_number: '34810000000001',
        status: 'delivered',
        created_at: '2026-09-28T04:30:00Z',
        shipping_address: { name: evil, city: `Pune${escape}]0;owned\u0007` },
      },
    }
    const imported = await shipx(['local', 'import', 'shipments', '-', '--db', 'evil.sqlite'], {
      input: `${JSON.stringify(record)}\n`,
    })
    expect(imported.exit).toBe(0)
    const env = { NO_COLOR: '1' }
    for (const line of [
      'shipx shipments list --columns customer,to --db evil.sqlite',
      'shipx shipments get E-1 --db evil.sqlite',
    ]) {
      const shown = await onTerminal(line, 120, env)
      expect(shown).toContain('Asha\\u{1b}[31m\\u{9b}2J\\u{202e}Rao')
      expect(shown).toContain('Pune\\u{1b}]0;owned\\u{7}')
      for (const char of hidden) expect(shown).not.toContain(char)
    }
    const missing = await onTerminal(`shipx stores get "$(printf 'x\\033[31my')" --db evil.sqlite`, 120, env)
    expect(missing).toContain('there is no store x\\u{1b}[31my')
    expect(missing).not.toContain(escape)
    const { stdout } = await shipx(['shipments', 'list', '--json', '--db', 'evil.sqlite'])
    expect(stdout).toContain('Asha\\u001b[31m\\u009b2J\\u202eRao')
    for (const char of hidden) expect(stdout).not.toContain(char)
    const { data } = JSON.parse(stdout) as { data: (typeof record)[] }
    expect(data[0]!.attributes.shipping_address.name).toBe(evil)
  })

  test('is asked before a store is renamed, and a no changes nothing', async () => {
    await shipx(['stores', 'create', '--name', 'asked', '--db', 'asked.sqlite'])
    const answer = async (word: string): Promise<readonly [exit: number, screen: string]> => {
      const asked = shipxOn(box, ['stores', 'update', 'asked', '--name', 'renamed', '--db', 'asked.sqlite'])
      await asked.shows('Rename asked to renamed (in every linked shipment and return)?')
      asked.type(`${word}${keys.enter}`)
      return [await asked.ended(), asked.screen()]
    }
    expect(await answer('n')).toEqual([130, expect.stringContaining('Cancelled, nothing was changed.')])
    expect((await shipx(['stores', 'list', '--columns', 'store', '--db', 'asked.sqlite'])).stdout).toBe('asked\n')
    expect(await answer('y')).toEqual([0, expect.stringContaining('Changed store renamed')])
  })
})
