// Defends `shipx doctor`: what it finds in a healthy and in a broken installation, that it never fails itself, shows no key,
// sends nothing unasked, and repairs nothing but rights.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandbox, type Sandbox, type Run } from '../support/sandbox.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { first } from '../support/size.ts'
import { driverName, opener } from '../support/sqlite.ts'

interface Check {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly found: string
  readonly hint: string | null
  readonly fixed: string | null
}

let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box.remove())

const standIn = await startStandIn()
afterAll(() => standIn.close())

/** The clock as it is: the checks look at it. */
const running = { SHIPX_NOW: '' }

async function doctor(args: readonly string[] = [], run: Run = {}) {
  const { stdout, stderr, exit } = await box.shipx(['doctor', '--json', ...args], {
    ...run,
    env: { ...running, ...run.env },
  })
  const { checks } = (JSON.parse(stdout) as { data: { checks: readonly Check[] } }).data
  return { exit, stderr, stdout, checks, of: (id: string) => checks.find((check) => check.id === id) }
}

const config = (text: string, mode = 0o600): string => {
  const folder = join(box.folder, 'home', '.config', 'shipx')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'config.json')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const profileOf = (url: string, key: string) =>
  JSON.stringify({
    current: 'acme',
    profiles: { acme: { base_url: url, key, key_origin: url, key_place: 'file', auth_scheme: 'bearer' } },
  })

describe('with nothing configured', () => {
  test('everything is fine, and no name is looked up', async () => {
    const { exit, checks, of, stderr } = await doctor()
    expect([exit, stderr]).toEqual([0, ''])
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect(of('deployment')?.found).toBe('none: shipx works on this computer')
    expect(of('native_module')?.found).toMatch(new RegExp(`^${driverName}(?: loads|, since )`))
    expect(['dns', 'connection', 'sign_in', 'mirror'].map(of)).toEqual([undefined, undefined, undefined, undefined])
    for (const { status, hint } of checks) expect(status === 'ok' || hint !== null).toBe(true)
  })

  test('a completion script that no startup file loads was "not installed", right after its installation', async () => {
    const env = { SHELL: '/bin/bash' }
    expect((await doctor([], { env })).of('completion')).toMatchObject({
      status: 'ok',
      found: 'not installed for bash; install it: shipx completion install',
    })
    await box.shipx(['completion', 'install', 'bash'])
    const { exit, of } = await doctor([], { env })
    const path = join(box.folder, 'home', '.local', 'share', 'bash-completion', 'completions', 'shipx')
    expect([exit, of('completion')]).toMatchObject([
      0,
      {
        status: 'warn',
        found: `the script for bash is in ${path}, but ${join(box.folder, 'home', '.bashrc')} does not load it`,
        hint: `add to it: [ -r ${path} ] && source ${path} (shipx completion install --yes does it)`,
      },
    ])
  })

  test('a fixed clock is worth a word and no failure', { tags: ['full'] }, async () => {
    const { exit, of } = await doctor([], { env: { SHIPX_NOW: '2026-09-29T08:30:00Z' } })
    expect([exit, of('clock')?.status, of('clock')?.hint]).toEqual([0, 'warn', 'unset SHIPX_NOW'])
  })

  test('people get a line for each check, programs a table', { tags: ['full'] }, async () => {
    const shown = await box.shipx(['doctor'], { env: { ...running, SHIPX_FORCE_TTY: '80', NO_COLOR: '1' } })
    expect([shown.exit, shown.stderr]).toEqual([0, '\nEverything is as it should be.\n'])
    expect(shown.stdout).toMatch(/^✓ Node {2,}\d+\.\d+\.\d+$/m)
    const narrow = await box.shipx(['doctor'], { env: { ...running, SHIPX_FORCE_TTY: '40', NO_COLOR: '1' } })
    expect(narrow.stdout).toMatch(/^✓ Node\n {4}\d+\.\d+\.\d+$/m)
    const piped = await box.shipx(['doctor'], { env: running })
    expect(piped.stdout).toMatch(/^node\tNode\tok\t\d/)
    expect((await box.shipx(['doctor', '--ids'], { env: running })).stdout.split('\n')).toContain('sqlite')
    const narrowed = await box.shipx(['doctor', '--json', '--fields', 'id,status'], { env: running })
    expect(narrowed.stdout).toMatch(/^\{"data":\{"checks":\[\{"id":"node","status":"ok"\},/)
  })
})

describe('a file of profiles that is broken', { tags: ['full'] }, () => {
  test.each([
    ['{"profiles": {"acme": {"key": "secret-key-of-acme-live-9876"', 'not valid JSON'],
    ['[]', 'does not hold a JSON object'],
    [
      '{"profiles":{"acme":{"auth_scheme":"secret-key-of-acme-live-9876"}}}',
      '"auth_scheme" of profile acme is not one of',
    ],
  ])('is named, kept as it is, and shows no value: %s', async (text, why) => {
    const path = config(text)
    for (const args of [[], ['--fix']]) {
      const { exit, of, stdout, stderr } = await doctor(args)
      expect([exit, stderr, of('config')?.status]).toEqual([1, '', 'fail'])
      expect(of('config')?.found).toContain(path)
      expect(of('config')?.found).toContain(why)
      expect(stdout).not.toContain('secret-key')
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
    expect((await box.shipx(['doctor'], { env: running })).exit).toBe(1)
  })
})

describe('files that others can read', { tags: ['full'] }, () => {
  test('are named, left alone without --fix, and closed with it', async () => {
    expect((await box.shipx(['local', 'seed', '--shipments', '5'])).exit).toBe(0)
    const data = join(box.folder, 'data')
    const paths = { config: config('{}', 0o644), folder: data, database: join(data, 'shipx.sqlite') }
    chmodSync(paths.folder, 0o755)
    chmodSync(paths.database, 0o664)
    const modes = () => Object.values(paths).map((path) => (statSync(path).mode & 0o777).toString(8))
    const before = await doctor()
    expect([before.exit, before.stderr]).toEqual([1, ''])
    expect(before.of('config_modes')).toMatchObject({ status: 'fail', hint: 'shipx doctor --fix', fixed: null })
    expect(before.of('database_modes')?.found).toContain(`${paths.database} is 0664 instead of 0600`)
    expect(modes()).toEqual(['644', '755', '664'])
    const after = await doctor(['--fix'])
    expect(after.exit).toBe(0)
    expect(after.of('config_modes')).toMatchObject({ status: 'ok', fixed: `${paths.config} is 0600 now` })
    expect(after.of('database_modes')?.fixed).toMatch(/^\S+\/data\/shipx\.sqlite is 0600 now, .*\/data is 0700 now$/)
    expect(modes()).toEqual(['600', '700', '600'])
    expect((await doctor(['--fix'])).checks.every(({ fixed }) => fixed === null)).toBe(true)
  })

  test('a folder of the user beside a named database is not touched', async () => {
    const folder = join(box.folder, 'shared')
    mkdirSync(folder, { mode: 0o755 })
    const db = join(folder, 'a.sqlite')
    expect((await box.shipx(['local', 'seed', '--shipments', '1', '--db', db])).exit).toBe(0)
    expect((await doctor(['--fix', '--db', db])).exit).toBe(0)
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })
})

describe('a database', () => {
  test('is told with its size and schema, and looked through', { tags: ['full'] }, async () => {
    await box.shipx(['local', 'seed', '--shipments', '5'])
    const { exit, of } = await doctor()
    expect([exit, of('database')?.status, of('database_check')?.found]).toEqual([0, 'ok', 'none found'])
    expect(of('database')?.found).toMatch(/shipx\.sqlite, [\d.]+ (k|M)B, schema (\d+) of \2$/)
    expect(of('disk')?.found).toMatch(/^[\d.]+ [kMG]B where the database is$/)
  })

  test.each(
    first(1, [
      ['of another program', (path: string) => `${opener}("${path}").exec("create table t (a)")`],
      ['that is none', (path: string) => `require("fs").writeFileSync("${path}", "hello ".repeat(1000))`],
      ['that is a folder', (path: string) => `require("fs").mkdirSync("${path}")`],
    ]),
  )('%s is a failed check and stays as it is', async (_, make) => {
    const path = join(box.folder, 'odd.sqlite')
    await box.bash(`cd '${process.cwd()}' && node -e '${make(path)}'`)
    const { exit, of } = await doctor(['--fix', '--db', path])
    expect([exit, of('database')?.status]).toEqual([1, 'fail'])
  })

  test('that is damaged is told with what helps', { tags: ['full'] }, async () => {
    await box.shipx(['local', 'seed', '--shipments', '300'])
    const path = join(box.folder, 'data', 'shipx.sqlite')
    await box.shipx(['local', 'backup', 'whole.sqlite'])
    const bytes = readFileSync(join(box.folder, 'whole.sqlite'))
    bytes.fill(0x5a, 20 * 4096, 60 * 4096)
    writeFileSync(path, bytes)
    for (const end of ['-wal', '-shm']) await box.bash(`rm -f '${path}${end}'`)
    const { exit, of } = await doctor()
    expect([exit, of('database_check')?.status, of('database_check')?.hint]).toEqual([
      1,
      'fail',
      `shipx local check --db ${path}`,
    ])
  })
})

describe('a deployment', () => {
  test('that takes the key is told with how it takes it, and what it announces', async () => {
    config(profileOf(standIn.url, standIn.key))
    const { exit, of, stdout } = await doctor()
    expect([exit, of('sign_in')?.status]).toEqual([0, 'ok'])
    expect(of('sign_in')?.found).toMatch(/^takes the key behind Bearer, answers in \d+ ms, announces nothing$/)
    expect(of('connection')?.found).toMatch(/^connected in \d+ ms, without TLS to this machine$/)
    expect(of('clock')?.found).toMatch(/^\d+ s (behind|ahead of) the service's$/)
    expect(of('key')?.found).toMatch(/config\.json, profile acme, ends in 9f21$/)
    expect(of('mirror')?.found).toBe('none; shipx pull makes one')
    expect(stdout).not.toContain(standIn.key)
    expect(stdout).not.toContain(standIn.key.slice(-8))
  })

  test('that takes the key in another form than it is sent in says how to set it', { tags: ['full'] }, async () => {
    standIn.switches.authorization = 'bare'
    config(profileOf(standIn.url, standIn.key))
    const { exit, of } = await doctor()
    standIn.switches.authorization = 'either'
    expect([exit, of('sign_in')?.status, of('sign_in')?.hint]).toEqual([
      0,
      'warn',
      'shipx profile set auth_scheme bare',
    ])
  })

  test('that refuses the key fails with it, whatever it answers with', { tags: ['full'] }, async () => {
    const env = { SHIPX_BASE_URL: standIn.url, SHIPX_API_KEY: 'a-wrong-key-0123456789' }
    const { exit, of, stdout } = await doctor([], { env })
    expect([exit, of('sign_in')?.status, of('sign_in')?.hint]).toEqual([1, 'fail', 'shipx auth login'])
    expect(stdout).not.toContain('a-wrong-key')
    standIn.switches.trouble = () => ({ kind: 'html', status: 502 })
    const html = await doctor([], { env: { ...env, SHIPX_API_KEY: standIn.key } })
    standIn.switches.trouble = () => undefined
    expect([html.exit, html.of('sign_in')?.status]).toEqual([1, 'fail'])
  })

  test(
    'that nobody reaches is one failed check, and one that says nothing is given up',
    { tags: ['full'] },
    async () => {
      const env = { SHIPX_API_KEY: 'some-key-0123456789' }
      const gone = await doctor([], { env: { ...env, SHIPX_BASE_URL: 'http://127.0.0.1:9' } })
      expect([gone.exit, gone.of('connection')?.status, gone.of('sign_in')]).toEqual([1, 'fail', undefined])
      const silent = createServer(() => undefined).listen(0, '127.0.0.1')
      await new Promise((resolve) => silent.once('listening', resolve))
      const began = performance.now()
      const { exit, of } = await doctor([], {
        env: { ...env, SHIPX_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
      })
      silent.close()
      expect([exit, of('connection')?.status, of('sign_in')?.status]).toEqual([1, 'ok', 'fail'])
      expect(performance.now() - began).toBeLessThan(12_000)
    },
  )

  test('whose key was given for another address is told before anything is sent', async () => {
    config(profileOf(standIn.url, standIn.key).replace('"key_origin":"http:', '"key_origin":"https:'))
    const sent = standIn.requests.length
    const { exit, of } = await doctor()
    expect([exit, of('key')?.status, of('sign_in'), standIn.requests.length]).toEqual([1, 'fail', undefined, sent])
  })
})
