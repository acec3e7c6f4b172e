// Defends that nobody is asked where nobody can answer: what is missing is named at once.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keys } from '../../support/pty.ts'
import { first } from '../../support/size.ts'
import { box, freshBox, on, wide } from './terminals.ts'

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

  test.each(first(1, [{ SHIPX_NO_INPUT: '1' }, { CI: '1' }, { TERM: 'dumb' }, { SHIPX_FORMAT: 'json' }]))(
    'a terminal with %o is not asked either',
    { tags: ['full'] },
    async (env) => {
      for (const args of [['rates'], ['stores', 'create'], ['orders', 'create'], ['init']]) {
        const terminal = on(args, { env })
        expect(await terminal.ended()).toBe(2)
      }
    },
  )

  test(
    'a format of the profile is for data: a terminal is asked and told all the same',
    { tags: ['full'] },
    async () => {
      const own = freshBox()
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
    },
  )

  test('nor with --no-input or --json', { tags: ['full'] }, async () => {
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
    const own = freshBox()
    const path = join(own.folder, 'home', '.config', 'shipx', 'config.json')
    await own.shipx(['profile', 'set', 'origin', '400001'])
    writeFileSync(path, '{ rubbish')
    for (const args of [['init', '--sample'], ['rates'], ['profile', 'set', 'origin', '110001']]) {
      const { exit, stderr } = await own.shipx(args)
      expect([args, exit, stderr.includes(path)]).toEqual([args, 2, true])
      expect(readFileSync(path, 'utf8')).toBe('{ rubbish')
    }
  })
})
