// Defends the file of profiles: it is closed to others, and survives many writers and killed ones.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { program as start } from '../../support/program.ts'
import { bundled } from '../../support/bundled.ts'
import type { Outcome } from '../../support/sandbox.ts'
import { unix, box, home, config, environment, shipx, stored, store, mode, type Stored } from './userhome.ts'

describe.skipIf(!unix)('the file', () => {
  /** What a command does when it changes profiles, over and over: a process for each edit would only measure Node. */
  const driver = join(box.folder, 'driver.cjs')
  beforeAll(() => bundled('test/support/programs/profileeditor.ts', driver))
  const edit = (folder: string, profile: string, times: number): Promise<Outcome> =>
    box.bash(`'${process.execPath}' '${driver}' '${folder}' ${profile} ${times}`)

  test('that others can read is closed to them, with one warning', async () => {
    store({ profiles: { acme: {} } })
    chmodSync(config, 0o644)
    chmodSync(join(config, '..'), 0o755)
    const first = await shipx('profile list --json')
    expect(first.stderr).toMatch(
      /^! others could reach .*config\.json and .*shipx, which may hold a key; now only you can\n$/,
    )
    expect([mode(config), mode(join(config, '..'))]).toEqual(['600', '700'])
    expect((await shipx('profile list')).stderr).toBe('')
    // A folder that is shared on purpose is not closed: only the file.
    chmodSync(join(config, '..'), 0o1777)
    expect((await shipx('profile list')).stderr).toBe('')
    expect(mode(join(config, '..'))).toBe('777')
  })

  test('keeps 800 of 800 edits of 16 processes, and its mode', { tags: ['full'] }, async () => {
    const folder = join(home, 'many')
    const names = Array.from({ length: 16 }, (_, i) => `p${i}`)
    const outcomes = await Promise.all(names.map((name) => edit(folder, name, 50)))
    expect(outcomes.map(({ exit, stderr }) => [exit, stderr])).toEqual(names.map(() => [0, '']))
    const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Stored
    expect(names.map((name) => Object.keys(profiles[name]!['warehouse'] as object).length)).toEqual(names.map(() => 50))
    expect([mode(join(folder, 'config.json')), mode(folder), readdirSync(folder)]).toEqual([
      '600',
      '700',
      ['config.json'],
    ])
  })

  test('keeps what real commands write at the same time', { tags: ['full'] }, async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => shipx(`profile set p${i}.warehouse.a WH${i}`)),
    )
    expect(outcomes.map(({ exit }) => exit)).toEqual(outcomes.map(() => 0))
    expect(Object.keys(stored().profiles).length).toBe(8)
  })

  test('is whole after a writer was killed, and its lock is taken over', { tags: ['full'] }, async () => {
    const folder = join(home, 'killed')
    let acknowledged = 0
    for (let round = 0; round < 10; round++) {
      const child = spawn(process.execPath, [driver, folder, `round${round}`, '100000'], {
        env: environment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let lines = 0
      child.stdout.setEncoding('latin1').on('data', (chunk: string) => (lines += chunk.split('\n').length - 1))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await wait((round * 7) % 60)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.on('close', resolve))
      const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Stored
      const kept = Object.keys(profiles[`round${round}`]!['warehouse'] as object).length
      expect(kept).toBeGreaterThanOrEqual(lines)
      acknowledged += lines
    }
    expect(acknowledged).toBeGreaterThan(10)
    const began = performance.now()
    expect((await edit(folder, 'after', 1)).exit).toBe(0)
    // A lock whose maker died before it wrote its name is taken over after 5 s.
    expect(performance.now() - began).toBeLessThan(9000)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('has a lock that many take over from the dead without two holding it', { tags: ['full'] }, async () => {
    const folder = join(home, 'stale')
    mkdirSync(folder, { mode: 0o700 })
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const lock = join(folder, 'config.json.lock')
    const identity = '00000000-0000-4000-8000-000000000000'
    writeFileSync(lock, `${dead} ${identity} ${hostname()}`)
    // One of those who were taking it over has died in the middle of it.
    writeFileSync(`${lock}.${identity}`, '')
    utimesSync(`${lock}.${identity}`, new Date(Date.now() - 20_000), new Date(Date.now() - 20_000))
    const names = Array.from({ length: 8 }, (_, i) => `p${i}`)
    const outcomes = await Promise.all(names.map((name) => edit(folder, name, 5)))
    expect(outcomes.map(({ exit }) => exit)).toEqual(names.map(() => 0))
    const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Stored
    expect(names.map((name) => Object.keys(profiles[name]!['warehouse'] as object).length)).toEqual(names.map(() => 5))
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('that a living process holds is waited for and then not changed', { tags: ['full'] }, async () => {
    store({ profiles: {} })
    writeFileSync(`${config}.lock`, `${process.pid} 00000000-0000-4000-8000-000000000000 ${hostname()}`)
    const waiting = shipx('profile set origin 400001')
    await wait(600)
    rmSync(`${config}.lock`)
    expect((await waiting).exit).toBe(0)
    expect(stored().profiles['default']).toEqual({ origin: '400001' })
  })

  test('that cannot be written is said', async () => {
    mkdirSync(`${config}.lock`, { recursive: true, mode: 0o700 })
    const { exit, stderr } = await shipx('profile set origin 400001')
    expect([exit, stderr]).toMatchObject([1, expect.stringContaining('config.json.lock cannot be made')])
    // Where no file can be there are no profiles, and none can be made.
    const env = { SHIPX_CONFIG_DIR: join(start, 'in') }
    expect((await shipx('profile list', { env })).exit).toBe(0)
    const nowhere = await shipx('profile set origin 400001', { env })
    expect([nowhere.exit, nowhere.stderr]).toMatchObject([1, expect.stringContaining('config.json')])
  })
})
