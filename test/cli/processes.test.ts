// Defends processes beside each other: an interrupt, a database that many write to or one holds, and a Node that is too old.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { startStandIn } from '../support/foreigndeployment.ts'
import { program as start } from '../support/program.ts'
import { orderRequest } from '../support/requests.ts'
import { sandbox, type Outcome } from '../support/sandbox.ts'
import { opener } from '../support/sqlite.ts'

const unix = process.platform !== 'win32'

const box = sandbox()
afterAll(() => box.remove())

const idsIn = async (kind: 'shipments' | 'stores', db: string): Promise<readonly string[]> => {
  const { stdout } = await box.shipx([kind, 'list', '--all', '--ids', '--db', db])
  return stdout.split('\n').filter((line) => line !== '')
}

describe.skipIf(!unix)('an interrupt', { tags: ['full'] }, () => {
  // Looked at again: other tests may hold the cores for longer than a second.
  const upToThreeTimes = { retry: 2 }
  test(
    'during a long import ends it within a second with 130, tears nothing, and the same command completes',
    upToThreeTimes,
    async () => {
      // More than 8 MB: a thread reads it, and the other one saves.
      const total = 45_000
      const record = (i: number): string =>
        JSON.stringify({
          id: `L-${i}`,
          type: 'shipment',
          attributes: {
            tracking_number: `9${i}`,
            status: 'pending',
            created_at: '2026-09-28T04:30:00Z',
            shipping_address: { name: `Customer ${i}`, city: 'Pune' },
          },
        })
      box.file('long.jsonl', Array.from({ length: total }, (_, i) => `${record(i)}\n`).join(''))
      const db = join(box.folder, 'long.sqlite')
      for (const suffix of ['', '-wal', '-shm']) rmSync(db + suffix, { force: true })
      const args = ['local', 'import', 'shipments', 'long.jsonl', '--db', db]
      const { child, ended } = box.begin(args)
      // As soon as some chunks are in.
      while (child.exitCode === null && (!existsSync(`${db}-wal`) || statSync(`${db}-wal`).size < 6_000_000))
        await wait(5)
      const sent = performance.now()
      child.kill('SIGINT')
      const { exit, stdout, stderr } = await ended
      const waited = performance.now() - sent
      expect([exit, stdout]).toEqual([130, ''])
      const said =
        /stopped after line ([\d,]+) \(([\d,]+) created, 0 updated, 0 unchanged\)\n→ run the same command again/.exec(
          stderr,
        )
      const applied = Number(said?.[1]!.replaceAll(',', ''))
      expect(applied).toBeGreaterThan(0)
      expect(applied).toBeLessThan(total)
      expect(said?.[2]).toBe(said?.[1])
      expect(await idsIn('shipments', db)).toHaveLength(applied)
      expect((await box.shipx(['local', 'check', '--db', db])).exit).toBe(0)
      const again = await box.shipx([...args, '--json'])
      // Busy cores slow both: then it takes less than half the time of the rest.
      expect(waited).toBeLessThan(Math.max(1000, again.took / 2))
      expect([again.exit, JSON.parse(again.stdout)]).toEqual([
        0,
        { data: { created: total - applied, updated: 0, unchanged: applied } },
      ])
      expect(new Set(await idsIn('shipments', db)).size).toBe(total)
    },
  )
})

describe.skipIf(!unix)('Ctrl-C left a temporary file beside the output', { tags: ['full'] }, () => {
  /** Stops a command as soon as such a file is there, or lets it end; how it ended, and what is left. */
  const stopped = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const cwd = join(box.folder, `stopped-${args[0]!}`)
    mkdirSync(cwd)
    const left = (): readonly string[] => readdirSync(cwd).filter((name) => name.endsWith('.tmp'))
    const { child, ended } = box.begin(args, { env, cwd })
    while (child.exitCode === null && left().length === 0) await new Promise(setImmediate)
    child.kill('SIGINT')
    return { ...(await ended), left: left() }
  }

  test('of report, which now has none while it adds up', async () => {
    const db = join(box.folder, 'reported.sqlite')
    await box.shipx(['local', 'seed', '--shipments', '2000', '--returns', '10', '--db', db, '--quiet'])
    expect((await stopped(['report', '--db', db])).left).toEqual([])
  })

  test('of stores export, which waits for a deployment', async () => {
    const service = await startStandIn({ trouble: () => ({ kind: 'silent' }) })
    try {
      const args = ['stores', 'export', '--out', 'stores.csv', '--base-url', service.url]
      const { exit, stderr, left } = await stopped(args, { SHIPX_API_KEY: service.key })
      expect([exit, stderr, left]).toEqual([130, expect.stringContaining('stopped; stores.csv was not written'), []])
    } finally {
      await service.close()
    }
  })
})

describe('one database', { tags: ['full'] }, () => {
  test('that four processes write to at once, from its first moment on, loses nothing and is never locked', async () => {
    const db = join(box.folder, 'shared.sqlite')
    const order = (id: string): string => JSON.stringify(orderRequest({ order_id: id, order_date: '2026-09-29 10:30' }))
    const lane = async (name: string): Promise<readonly Outcome[]> => {
      const outcomes = [await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001', '--db', db])]
      for (let i = 0; i < 25; i++) {
        outcomes.push(
          i % 2 === 0
            ? await box.shipx(['stores', 'create', '--name', `${name}-${i}`, '--db', db])
            : await box.shipx(['orders', 'create', '--file', '-', '--db', db], { input: order(`${name}-${i}`) }),
        )
      }
      return outcomes
    }
    const outcomes = (await Promise.all(['a', 'b', 'c', 'd'].map(lane))).flat()
    expect(outcomes.filter(({ exit }) => exit !== 0).map(({ exit, stderr }) => `${exit} ${stderr}`)).toEqual([])
    expect(outcomes.filter(({ stderr }) => /lock|busy|held by/i.test(stderr))).toEqual([])
    const shipments = await box.shipx([
      'shipments',
      'list',
      '--all',
      '--jsonl',
      '--fields',
      'tracking_number',
      '--db',
      db,
    ])
    expect(new Set(shipments.stdout.trimEnd().split('\n')).size).toBe(4 * 12)
    expect(await idsIn('stores', db)).toHaveLength(4 * 13)
    expect((await box.shipx(['local', 'check', '--db', db])).exit).toBe(0)
  })

  test('that another process holds is waited for, then told with exit 6, while reading goes on', async () => {
    const held = join(box.folder, 'held.sqlite')
    const shut = join(box.folder, 'shut.sqlite')
    for (const db of [held, shut])
      expect((await box.shipx(['stores', 'create', '--name', 'first', '--db', db])).exit).toBe(0)
    const hold = (db: string, before: string) => {
      const code = `const d = ${opener}(process.argv[1]); d.exec(process.argv[2] + 'begin exclusive'); console.log('held'); setTimeout(() => {}, 30000)`
      const child = spawn(process.execPath, ['-e', code, db, before])
      return { child, ended: once(child, 'close'), ready: once(child.stdout, 'data') }
    }
    const holders = [hold(held, ''), hold(shut, 'pragma locking_mode = exclusive; ')]
    try {
      await Promise.all(holders.map(({ ready }) => ready))
      const [read, write, shutRead] = await Promise.all([
        box.shipx(['stores', 'list', '--columns', 'store', '--db', held]),
        box.shipx(['stores', 'create', '--name', 'second', '--json', '--db', held]),
        box.shipx(['stores', 'list', '--db', shut]),
      ])
      expect([read.exit, read.stdout]).toEqual([0, 'first\n'])
      expect([write.exit, write.stdout]).toEqual([6, ''])
      expect(JSON.parse(write.stderr)).toMatchObject({
        error: { code: 'database_locked', retryable: true, exit_code: 6 },
      })
      expect(write.took).toBeGreaterThan(4500)
      expect([shutRead.exit, shutRead.stdout]).toEqual([6, ''])
      expect(shutRead.stderr).toBe(
        `✗ ${shut} is in use by another process\n→ try again when the other command has finished\n`,
      )
    } finally {
      for (const { child } of holders) child.kill('SIGKILL')
      await Promise.all(holders.map(({ ended }) => ended))
    }
    expect((await box.shipx(['stores', 'create', '--name', 'second', '--db', held])).exit).toBe(0)
    expect(await idsIn('stores', held)).toHaveLength(2)
  })

  test('that may not be written is read, and a write names it and changes nothing', async (context) => {
    // Root may write everything, so root tries it as nobody.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (!unix) context.skip('file permissions of another kind')
    const asUser = (...args: readonly string[]) =>
      spawnSync(process.execPath, [start, ...args], { ...user, cwd: box.folder, env: box.env, encoding: 'utf8' })
    chmodSync(box.folder, 0o755)
    if (asUser('--version').status !== 0) context.skip('another user cannot run this checkout or this Node')
    const folder = join(box.folder, 'sealed')
    mkdirSync(folder)
    const whole = join(box.folder, 'whole.sqlite')
    const seed = ['local', 'seed', '--shipments', '20', '--returns', '10', '--stores', '5']
    expect((await box.shipx([...seed, '--db', whole])).exit).toBe(0)
    const copy = join(folder, 'copy.sqlite')
    expect((await box.shipx(['local', 'backup', copy, '--db', whole])).exit).toBe(0)
    // As a database lies after its last command: in WAL mode, which SQLite cannot read without writing beside it.
    const live = join(folder, 'live.sqlite')
    copyFileSync(whole, live)
    for (const path of [copy, live]) chmodSync(path, 0o444)
    chmodSync(folder, 0o555)
    try {
      const read = asUser('stores', 'list', '--ids', '--db', copy)
      expect([read.status, read.stdout.trim().split('\n').length]).toEqual([0, 5])
      for (const args of [
        ['stores', 'create', '--name', 'acme', '--db', copy],
        ['stores', 'list', '--db', live],
      ]) {
        const refused = asUser(...args)
        expect([refused.status, refused.stdout]).toEqual([1, ''])
        expect(refused.stderr).toContain(`✗ ${args.at(-1)!} cannot be written`)
        expect(refused.stderr).toContain('→ check the permissions of the file and its folder')
      }
    } finally {
      chmodSync(folder, 0o755)
      for (const path of [copy, live]) chmodSync(path, 0o644)
    }
    expect(await idsIn('stores', copy)).toHaveLength(5)
  })
})

test('a Node that is too old is told so in one line', async () => {
  for (const version of ['18.20.4', '20.18.3', '12.0.0']) {
    box.file(
      'old.cjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })\n`,
    )
    const { exit, stdout, stderr } = await box.bash(`node -r ./old.cjs '${start}' stores list`)
    expect([exit, stdout, stderr]).toEqual([1, '', `shipx needs Node 20.19 or newer; this is Node ${version}\n`])
  }
})
