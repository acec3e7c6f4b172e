// Defends profiles and sign-in: where answers come from, that the file of profiles survives everything, and that a key goes
// to its own address alone and is shown by `auth token` alone; with the built command in real processes.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeEnv, program as start } from '../support/program.ts'
import { root } from '../support/checkout.ts'

const unix = process.platform !== 'win32'
/** The program of util-linux that gives a command a pseudo terminal. */
const terminal = 'script'
const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0

/** The key that must never be seen: its end may. */
const key = 'canary/key+0123456789/Zz9+end4'
const otherKey = 'another-key-of-another-account'

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
}

/** A deployment that takes the key alone and not behind Bearer, and remembers what it was sent. */
interface Deployment {
  readonly url: string
  readonly sent: (string | undefined)[]
  readonly server: Server
}

async function deployment(
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<Deployment> {
  const sent: (string | undefined)[] = []
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization)
    if (answer?.(request, response) === true) return
    const taken = [key, otherKey].includes(request.headers.authorization ?? '')
    response.writeHead(taken ? 200 : 401, { 'content-type': 'application/json' })
    response.end(taken ? '{"data":[]}' : '{"status":"ERROR","message":"Unauthorized","errors":["Unauthorized"]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, server }
}

let tmp: string
let home: string
let config: string
let service: Deployment
let thief: Deployment
let driver: string

beforeAll(async () => {
  tmp = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-profiles-')))
  service = await deployment()
  thief = await deployment()
  // What a command does when it changes profiles, over and over: a process for each edit would only measure Node.
  driver = join(tmp, 'driver.cjs')
  await build({
    stdin: {
      contents: `import { changeProfiles } from './src/cli/config/profiles.ts'
        const [folder, name, count] = process.argv.slice(2)
        const io = { env: { SHIPX_CONFIG_DIR: folder }, home: '/', platform: process.platform, pid: process.pid,
          stderr: { write: async (text) => void process.stderr.write(text) } }
        void (async () => {
          for (let i = 0; i < Number(count); i++) {
            await changeProfiles({ ...io }, (all) => ({ ...all, profiles: { ...all.profiles, [name]: { ...all.profiles[name],
              warehouse: { ...all.profiles[name]?.warehouse, ['edit' + i]: 'x'.repeat(20) } } } }))
            process.stdout.write(i + '\\n')
          }
        })()`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: driver,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'silent',
  })
})
afterAll(() => {
  for (const { server } of [service, thief]) server.close()
  rmSync(tmp, { recursive: true, force: true })
})
beforeEach(() => {
  home = mkdtempSync(join(tmp, 'home-'))
  config = join(home, '.config', 'shipx', 'config.json')
  service.sent.length = 0
  thief.sent.length = 0
})

const environment = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH']!,
  HOME: home,
  ...codeEnv(),
  TERM: 'xterm',
  SHIPX_DATA_DIR: join(home, 'data'),
  ...over,
})

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

function run(command: string, args: readonly string[], { env, input, cwd }: Options = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: cwd ?? home, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ stdout, stderr, exit: code ?? String(signal) }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })
}

const shipx = (line: string, options?: Options): Promise<Outcome> =>
  run(process.execPath, [start, ...line.split(' ').filter((word) => word !== '')], options)

const login = (line = '', options: Options = {}): Promise<Outcome> =>
  shipx(`auth login --with-token --base-url ${service.url} ${line}`, { input: `${key}\n`, ...options })

interface Stored {
  current?: string
  profiles: Record<string, Record<string, unknown>>
}

const stored = (): Stored => JSON.parse(readFileSync(config, 'utf8')) as Stored
function store(value: Stored): void {
  mkdirSync(join(config, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(config, JSON.stringify(value), { mode: 0o600 })
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A profile that is signed in at a deployment. */
const signedIn = (url = service.url, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  base_url: url,
  auth_scheme: 'bare',
  key,
  key_origin: url,
  key_place: 'file',
  ...over,
})

const status = async (line = '', env: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await shipx(`auth status --offline --json ${line}`, { env })
  expect([stdout !== '', stderr]).toEqual([true, ''])
  return (JSON.parse(stdout) as { data: Record<string, unknown> }).data
}

describe('signing in', () => {
  test('finds out that the deployment takes the key alone, and keeps it for this user alone', async () => {
    const { stdout, stderr, exit } = await login()
    expect([stdout, exit]).toEqual(['', 0])
    expect(stderr).toContain(`Signed in to ${service.url} as profile default`)
    expect(service.sent).toEqual([`Bearer ${key}`, key])
    expect(stored()).toEqual({ current: 'default', profiles: { default: signedIn() } })
    expect((await shipx('auth token')).stdout).toBe(`${key}\n`)
    expect((await shipx('auth token', { env: { SHIPX_FORMAT: 'json' } })).stdout).toBe(`${key}\n`)
    if (unix) expect([mode(config), mode(join(config, '..'))]).toEqual(['600', '700'])
    expect(readdirSync(join(config, '..'))).toEqual(['config.json'])
  })

  test('asks the deployment before it keeps anything', async () => {
    const wrong = await login('', { input: 'a-key-that-is-not-known\n' })
    expect(wrong.exit).toBe(4)
    expect(existsSync(config)).toBe(false)
  })

  test.each([
    ['nobody can be asked', `auth login --base-url https://127.0.0.1:1`, '', 8, /--with-token/],
    ['nobody can be asked for the address either', 'auth login', '', 8, /--with-token/],
    ['no address', 'auth login --with-token', key, 2, /--base-url/],
    ['no key', 'auth login --with-token --base-url https://127.0.0.1:1', '\n', 2, /no key/],
    [
      'two lines',
      'auth login --with-token --base-url https://127.0.0.1:1',
      `${key}\n${key}\n`,
      2,
      /more than one line/,
    ],
    [
      'a key with a space',
      'auth login --with-token --base-url https://127.0.0.1:1',
      'canary/key +0123456789',
      2,
      /visible ASCII/,
    ],
    ['a short key', 'auth login --with-token --base-url https://127.0.0.1:1', 'canary', 2, /8 to 512/],
    ['no encryption', 'auth login --with-token --base-url http://example.com', key, 2, /https/],
    [
      'a password in the address',
      'auth login --with-token --base-url https://canary:canary@example.com',
      key,
      2,
      /user name/,
    ],
    ['a name that is none', 'auth login --with-token --base-url https://127.0.0.1:1 --profile a/b', key, 2, /letters/],
    [
      'two places',
      'auth login --with-token --base-url https://127.0.0.1:1 --keyring --insecure-storage',
      key,
      2,
      /exclude/,
    ],
    ['an address and no service', 'auth login --with-token --base-url https://127.0.0.1:1', key, 6, /cannot reach/],
  ])('says at once what is missing: %s', async (_, line, input, exit, says) => {
    const outcome = await shipx(line, { input })
    expect([outcome.exit, outcome.stdout, existsSync(config)]).toEqual([exit, '', false])
    expect(outcome.stderr).toMatch(says)
    expect(outcome.stderr).not.toContain('canary')
  })

  test('--dry-run checks everything and keeps nothing', async () => {
    const { stdout, exit } = await login('--dry-run')
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: { sign_in: { auth_scheme: 'bare', key: '<redacted>' } } })
    expect([stdout.includes(key), existsSync(config), service.sent.length]).toEqual([false, false, 2])
  })

  test('does not throw away the key of another deployment that nobody named', async () => {
    store({ current: 'default', profiles: { default: signedIn('https://api.example.com', { origin: '400001' }) } })
    const { stderr } = await login()
    expect(stderr).toContain('default stays the current profile')
    const { current, profiles } = stored()
    expect([current, Object.keys(profiles).length]).toEqual(['default', 2])
    expect(profiles['default']).toMatchObject({ key_origin: 'https://api.example.com', origin: '400001' })
    expect(profiles[`127-0-0-1-${new URL(service.url).port}`]).toMatchObject({ key, key_origin: service.url })
    expect((await login('--profile default')).exit).toBe(0)
    expect(stored().profiles['default']).toEqual(signedIn(service.url, { origin: '400001' }))
  })

  test('auth logout removes the key and leaves the rest', async () => {
    store({ current: 'acme', profiles: { acme: signedIn(service.url, { origin: '400001' }) } })
    expect((await shipx('auth logout --dry-run')).exit).toBe(0)
    expect(stored().profiles['acme']).toHaveProperty('key')
    expect((await shipx('auth logout')).exit).toBe(0)
    expect(stored().profiles['acme']).toEqual({ base_url: service.url, auth_scheme: 'bare', origin: '400001' })
    expect((await shipx('auth token')).exit).toBe(4)
    expect((await shipx('auth logout')).exit).toBe(0)
    expect((await shipx('auth logout --profile acne')).exit).toBe(3)
  })

  test.skipIf(!hasScript)('masks the key that is typed, and draws on standard error', async () => {
    const line = `'${process.execPath}' '${start}' auth login --base-url ${service.url} > '${home}/stdout'`
    const child = spawn(terminal, ['-qec', line, '/dev/null'], { cwd: home, env: environment() })
    let shown = ''
    let typed = false
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk
      if (!typed && shown.includes('API key')) {
        typed = true
        child.stdin.write(`${key}\r`)
      }
    })
    const exit = await new Promise((resolve) => child.on('close', resolve))
    expect([exit, typed, readFileSync(join(home, 'stdout'), 'utf8')]).toEqual([0, true, ''])
    expect(shown).toContain('*'.repeat(key.length))
    expect(shown).not.toContain(key.slice(0, 6))
    expect(shown).toContain('The same without questions')
    expect(stored().profiles['default']).toEqual(signedIn())
  })
})

describe('the keyring', { tags: ['full'] }, () => {
  /** The package as it is asked for, on a file: `broken` refuses everything. */
  function fake(broken = false): Record<string, string> {
    const folder = join(home, 'modules', '@napi-rs', 'keyring')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.js'),
      `const fs = require('fs'), file = ${JSON.stringify(join(home, 'keyring.json'))}
      const all = () => fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
      exports.Entry = class {
        constructor(service, user, options) {
          if (${broken} || options.linux.store !== 'secret-service') throw new Error('no store for ' + user)
          this.id = service + ' ' + user
        }
        setPassword(text) { fs.writeFileSync(file, JSON.stringify({ ...all(), [this.id]: text })) }
        getPassword() { return all()[this.id] ?? null }
        deleteCredential() { const { [this.id]: gone, ...rest } = all(); fs.writeFileSync(file, JSON.stringify(rest)); return gone !== undefined }
      }`,
    )
    return { NODE_PATH: join(home, 'modules') }
  }
  const kept = (): unknown => JSON.parse(readFileSync(join(home, 'keyring.json'), 'utf8'))

  test('holds the key, which is then in no file; logging out empties it', async () => {
    const env = fake()
    expect((await login('--keyring', { env })).exit).toBe(0)
    expect(kept()).toEqual({ [`shipx default ${service.url}`]: key })
    expect(readFileSync(config, 'utf8')).not.toContain(key)
    expect((await shipx('auth token', { env })).stdout).toBe(`${key}\n`)
    expect(JSON.parse((await shipx('auth status --json', { env })).stdout)).toMatchObject({
      data: { key_from: 'keyring', key_ending: 'end4', works: true },
    })
    expect((await shipx('auth logout', { env })).exit).toBe(0)
    expect([kept(), stored().profiles['default']!['key_place']]).toEqual([{}, undefined])
  })

  test('gives the key up when it moves into the file', async () => {
    const env = fake()
    await login('--keyring', { env })
    expect((await login('--insecure-storage', { env })).exit).toBe(0)
    expect([kept(), stored().profiles['default']]).toEqual([{}, signedIn()])
  })

  test.each([
    ['not installed', () => ({}), /@napi-rs\/keyring, which is not installed\n→ npm install -g @napi-rs\/keyring/],
    ['locked', () => fake(true), /keyring cannot be used/],
  ])('is never replaced by the file: %s', async (_, env, says) => {
    const { exit, stderr } = await login('--keyring', { env: env() })
    expect([exit, existsSync(config), service.sent]).toEqual([1, false, []])
    expect(stderr).toMatch(says)
  })

  test('that is gone later is an error, also for logging out', async () => {
    const env = fake()
    await login('--keyring', { env })
    for (const line of ['auth status', 'auth token', 'auth logout'])
      expect([line, (await shipx(line)).exit]).toEqual([line, 1])
    expect(stored().profiles['default']).toMatchObject({ key_place: 'keyring' })
  })
})

describe('where answers come from', () => {
  const config2 = (): Stored => ({
    current: 'acme',
    profiles: {
      acme: signedIn(),
      beta: { ...signedIn(thief.url), key: otherKey },
      local: { database: '/data/mine.sqlite' },
      keyless: { base_url: 'https://api.example.com' },
    },
  })

  // What `auth status --offline` says: address or database, profile, and where the key comes from.
  test.each([
    ['', {}, ['S', 'acme', 'file']],
    ['--profile beta', {}, ['T', 'beta', 'file']],
    ['', { SHIPX_PROFILE: 'beta' }, ['T', 'beta', 'file']],
    ['--profile acme', { SHIPX_PROFILE: 'beta' }, ['S', 'acme', 'file']],
    ['', { SHIPX_API_KEY: otherKey }, ['S', 'acme', 'SHIPX_API_KEY']],
    ['', { SHIPX_BASE_URL: 'S/', SHIPX_API_KEY: otherKey }, ['S', 'acme', 'SHIPX_API_KEY']],
    ['', { SHIPX_BASE_URL: 'S/custom/api/v1' }, ['S', 'acme', 'file']],
    ['', { SHIPX_BASE_URL: 'T', SHIPX_API_KEY: otherKey }, ['T', null, 'SHIPX_API_KEY']],
    ['--base-url S', { SHIPX_BASE_URL: 'T' }, ['S', 'acme', 'file']],
    ['--base-url T', { SHIPX_API_KEY: otherKey }, ['T', null, 'SHIPX_API_KEY']],
    ['--base-url T --profile beta', { SHIPX_BASE_URL: 'S' }, ['T', 'beta', 'file']],
    ['--profile keyless', { SHIPX_API_KEY: otherKey }, ['https://api.example.com', 'keyless', 'SHIPX_API_KEY']],
    ['--profile keyless', {}, ['https://api.example.com', 'keyless', null]],
    ['--local', {}, ['D/shipx.sqlite', 'acme', null]],
    ['--db /other.sqlite', { SHIPX_BASE_URL: 'S' }, ['/other.sqlite', 'acme', null]],
    ['--profile local', {}, ['/data/mine.sqlite', 'local', null]],
    ['--profile local', { SHIPX_DB: '/env.sqlite' }, ['/env.sqlite', 'local', null]],
    ['--profile local --db /flag.sqlite', { SHIPX_DB: '/env.sqlite' }, ['/flag.sqlite', 'local', null]],
    ['', { SHIPX_PROFILE: '', SHIPX_BASE_URL: '', SHIPX_API_KEY: '' }, ['S', 'acme', 'file']],
  ])('%s %o', async (line, env, [where, profile, from]) => {
    store(config2())
    const real = (text: string): string =>
      text.replace(/^S/, service.url).replace(/^T/, thief.url).replace(/^D/, join(home, 'data'))
    const words = line
      .split(' ')
      .map((word, i, all) => (all[i - 1] === '--base-url' ? real(word) : word))
      .join(' ')
    const variables = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        name === 'SHIPX_BASE_URL' && value !== '' ? real(value) : value,
      ]),
    )
    const found = await status(words, variables)
    expect([found['deployment'] ?? found['database'], found['profile'], found['key_from']]).toEqual([
      real(where!),
      profile,
      from === 'file' ? config : from,
    ])
    expect(found['auth_scheme']).toBe(
      from === null ? null : profile !== null && profile !== 'keyless' ? 'bare' : 'bearer',
    )
  })

  test('nothing configured is the embedded engine', async () => {
    const { stdout, exit } = await shipx('rates --from 400001 --to 560001 -w 500 -s 20x15x10 --prepaid --json')
    expect([exit, stdout.startsWith('{"status":"SUCCESS"')]).toEqual([0, true])
    const asked = await shipx('auth status --json')
    expect([asked.exit, JSON.parse(asked.stdout)]).toMatchObject([4, { data: { deployment: null, works: null } }])
    expect(existsSync(join(config, '..'))).toBe(false)
  })

  test.each([
    ['two that exclude each other', 'auth token --db x --base-url https://a.example', {}, 2, /--db exclude/],
    ['two more', 'auth token --local --base-url https://a.example', {}, 2, /--local exclude/],
    [
      'no key',
      'auth token --profile local',
      { SHIPX_BASE_URL: 'https://a.example' },
      4,
      /shipx auth login --base-url https:\/\/a\.example/,
    ],
    ['no such profile', 'auth token --profile acmee', {}, 3, /Did you mean acme\?/],
    ['no such profile for the engine', 'stores list --profile acmee', {}, 3, /Did you mean acme\?/],
    [
      'a profile and another address',
      'auth token --profile acme',
      { SHIPX_BASE_URL: 'https://a.example' },
      2,
      /SHIPX_BASE_URL/,
    ],
    ['a key that is none', 'auth token', { SHIPX_API_KEY: 'canary key' }, 2, /SHIPX_API_KEY: must be/],
    [
      'no such file of authorities',
      'auth status',
      { SHIPX_CA_FILE: '/nowhere.pem' },
      2,
      /SHIPX_CA_FILE: \/nowhere\.pem: there is no such file/,
    ],
    ['a file without authorities', 'auth status', { SHIPX_CA_FILE: start }, 2, /no certificate/],
    ['a time that is none', 'auth status', { SHIPX_TIMEOUT: 'soon' }, 2, /SHIPX_TIMEOUT/],
    ['a folder that depends on where it runs', 'auth status', { SHIPX_CONFIG_DIR: 'here' }, 2, /SHIPX_CONFIG_DIR/],
  ])('is refused: %s', async (_, line, env, exit, says) => {
    store(config2())
    const outcome = await shipx(line, { env })
    expect([outcome.exit, outcome.stdout]).toEqual([exit, exit === 3 || line.includes('token') ? '' : outcome.stdout])
    expect(outcome.stderr).toMatch(says)
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain('canary')
    expect(service.sent).toEqual([])
  })

  test('auth status says whether the key works', async () => {
    store(config2())
    const works = await shipx('auth status --json', { env: { SHIPX_TIMEOUT: '5s' } })
    expect([works.exit, JSON.parse(works.stdout)]).toEqual([
      0,
      {
        data: {
          deployment: service.url,
          profile: 'acme',
          key_from: config,
          key_ending: 'end4',
          auth_scheme: 'bare',
          works: true,
          error: null,
          message: null,
          database: null,
        },
      },
    ])
    const refused = await shipx('auth status', { env: { SHIPX_API_KEY: 'short-key' } })
    expect([refused.exit, refused.stdout.split('\t').slice(2, 7)]).toEqual([
      4,
      ['SHIPX_API_KEY', '', 'bare', 'false', 'unauthorized'],
    ])
    expect(refused.stdout + refused.stderr).not.toContain('short-key')
    const forced = await shipx('auth status', { env: { SHIPX_FORCE_TTY: '100', NO_COLOR: '1' } })
    expect(forced.stdout).toMatch(
      /^deployment {3}http.*\nprofile {6}acme\nkey from {5}.*config\.json\nkey ending {3}end4\n/,
    )
  })

  test("a profile's defaults are used where nothing else says", async () => {
    const profiles = { local: { origin: '400001', format: 'json', warehouse: { mumbai: 'WHYYB5' } } }
    store({ current: 'local', profiles })
    const parcel = '-w 500 -s 20x15x10'
    const asked = async (line: string, env = {}): Promise<unknown> => JSON.parse((await shipx(line, { env })).stdout)
    expect(await asked(`rates --to 560001 ${parcel} --prepaid`)).toMatchObject({
      result: { shipment_details: { origin_pincode: '400001' } },
    })
    expect(await asked(`rates --return --from 560001 ${parcel}`)).toMatchObject({
      result: { shipment_details: { destination_pincode: '400001' } },
    })
    expect((await shipx('pincode 560001', { env: { SHIPX_FORMAT: 'table' } })).stdout).toMatch(/^560001\t/)
    expect((await shipx('pincode 560001 --csv')).stdout).toMatch(/^pincode,/)
    expect((await shipx('pincode 1')).stderr).toMatch(/^\{"error":/)
    await shipx('local seed --shipments 20 --returns 2 --stores 1')
    const { data } = (await asked('shipments list --limit 1')) as { data: { attributes: { warehouse_id: string } }[] }
    await shipx(`profile set warehouse.pune ${data[0]!.attributes.warehouse_id}`)
    const named = (await asked('shipments list --warehouse-ids mumbai,pune')) as { data: typeof data }
    expect(new Set(named.data.map(({ attributes }) => attributes.warehouse_id))).toEqual(
      new Set([data[0]!.attributes.warehouse_id]),
    )
    const order =
      '--order-id A-1 --warehouse-id mumbai --rto-warehouse-id pune --item SKU:1:100:Cap -w 500g -s 20x15x10'
    const customer =
      '--billing-customer-name A --billing-address B --billing-city Pune --billing-pincode 411001 --billing-state Maharashtra --billing-phone 9876543210 --sub-total 100'
    await shipx('local warehouse set WHYYB5 400001')
    const dry = await shipx(`orders create ${order} ${customer} --prepaid --no-assign --dry-run`)
    expect(dry.stdout + dry.stderr).toContain('"warehouse_id":"WHYYB5"')
  })
})

describe('a key is for its own address', { tags: ['full'] }, () => {
  /** Ways to lead a key elsewhere: a command line, an environment, and what lies around. */
  const ways: readonly (readonly [string, (to: string) => { line?: string; env?: Record<string, string>; profile?: Record<string, unknown>; files?: Record<string, string> }])[] = [
    ['--base-url', (to) => ({ line: `--base-url ${to}` })],
    ['SHIPX_BASE_URL', (to) => ({ env: { SHIPX_BASE_URL: to } })],
    ['the file changed by hand', (to) => ({ profile: { base_url: to } })],
    ['the file without its origin', (to) => ({ profile: { base_url: to, key_origin: undefined } })],
    ['a path in front', (to) => ({ line: `--base-url ${to}/custom/api/v1` })],
    ['another name of this machine', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', 'localhost')}` })],
    ['a number for this machine', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', '2130706433')}` })],
    ['the address as a user name', (to) => ({ line: `--base-url ${to.replace('//', `//${new URL(service.url).host}@`)}` })],
    ['a backslash', (to) => ({ line: `--base-url ${to}\\@${new URL(service.url).host}` })],
    ['a query', (to) => ({ line: `--base-url ${to}/?${service.url}` })],
    ['a fragment', (to) => ({ line: `--base-url ${to}/#${service.url}` })],
    ['capital letters', (to) => ({ env: { SHIPX_BASE_URL: to.replace('http', 'HTTP') } })],
    ['a file .env in the folder', (to) => ({ line: '', files: { '.env': `SHIPX_BASE_URL=${to}\n` } })],
    ['a file config.json in the folder', (to) => ({ files: { 'config.json': JSON.stringify({ current: 'acme', profiles: { acme: { base_url: to, key, key_origin: to } } }) } })],
    ['XDG_CONFIG_HOME in the folder', (to) => ({ env: { XDG_CONFIG_HOME: '.' }, files: { 'shipx/config.json': JSON.stringify({ current: 'acme', profiles: { acme: signedIn(to) } }) } })],
    ['plain http elsewhere', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', '0.0.0.0')}` })],
  ] // prettier-ignore

  test.each(ways)('which is not changed by %s', async (_, way) => {
    const { line = '', env = {}, profile = {}, files = {} } = way(thief.url)
    store({ current: 'acme', profiles: { acme: signedIn(service.url, profile) } })
    const cwd = mkdtempSync(join(home, 'cwd-'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true })
      writeFileSync(join(cwd, name), text, { mode: 0o600 })
    }
    const before = readFileSync(config, 'utf8')
    const harmless = Object.keys(files).length > 0
    const commands = ['auth status', 'stores list', 'auth token']
    const outcomes = await Promise.all(commands.map((command) => shipx(`${command} ${line}`, { env, cwd })))
    expect(outcomes.map(({ exit, stdout }) => [exit, harmless ? '' : stdout])).toEqual(
      commands.map(() => [harmless ? 0 : 2, '']),
    )
    expect(thief.sent).toEqual([])
    expect(readFileSync(config, 'utf8')).toBe(before)
  })

  test('also when the service itself sends elsewhere', async () => {
    const astray = await deployment((_, response) => {
      response.writeHead(307, { location: `${thief.url}/custom/api/v1/client-stores` })
      response.end()
      return true
    })
    store({ current: 'acme', profiles: { acme: signedIn(astray.url) } })
    for (const command of ['auth status', 'stores list'])
      expect((await shipx(command, { env: { SHIPX_TIMEOUT: '3s' } })).exit).not.toBe(0)
    expect([astray.sent.length > 0, thief.sent]).toEqual([true, []])
    astray.server.close()
  })

  test('profile set base_url neither takes the key along nor throws it away', async () => {
    store({ current: 'acme', profiles: { acme: signedIn() } })
    const moved = await shipx(`profile set base_url ${thief.url}`)
    expect([moved.exit, moved.stderr]).toMatchObject([2, expect.stringContaining('shipx auth logout --profile acme')])
    expect((await shipx(`profile set base_url ${service.url}/custom/api/v1`)).exit).toBe(0)
    expect(stored().profiles['acme']).toEqual(signedIn())
  })

  test('a hint names the profile whose key fits', async () => {
    store({ current: 'acme', profiles: { acme: signedIn(), beta: signedIn(thief.url) } })
    expect((await shipx(`auth token --base-url ${thief.url}`)).stderr).toContain('add --profile beta')
  })
})

describe('a key is never seen', () => {
  test('in no output and no other file, whatever goes wrong', { tags: ['full'] }, async () => {
    const failing = await deployment((request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`you sent ${String(request.headers.authorization)}`)
      return true
    })
    const forms = [key, Buffer.from(key).toString('base64').slice(0, -4), encodeURIComponent(key), key.slice(0, 12)]
    const lines = [
      'auth login --with-token --base-url S', 'auth login --with-token --base-url S --dry-run', 'auth status', 'auth status --offline',
      'auth status --base-url https://127.0.0.1:1', 'stores list --profile failing', 'auth logout --dry-run',
      'profile list', 'profile show', 'profile set origin 400001', 'profile set format jason', 'profile set base_url T',
      'profile set key x', 'profile use acme', 'profile remove acme', 'profile remove acme --dry-run', 'profile show acme --csv', 'stores list --curl',
      'auth login --keyring --with-token --base-url S', 'auth login', 'auth token --base-url T', 'profile set acme.origin 1',
    ] // prettier-ignore
    const runs = lines.flatMap((line, i) => (i % 2 === 0 ? [line, `${line} --json --debug`] : [`${line} --debug`]))
    const stale = { current: 'acme', profiles: { acme: signedIn(), failing: signedIn(failing.url) } }
    store(stale)
    const check = ({ stdout, stderr }: Outcome, line: string): void => {
      for (const form of forms) expect([line, form, (stdout + stderr).includes(form)]).toEqual([line, form, false])
    }
    const env = { SHIPX_TIMEOUT: '500' }
    const tasks = runs.map((line) => line.replace('S', service.url).replace(' T', ` ${thief.url}`))
    for (let i = 0; i < tasks.length; i += 4)
      await Promise.all(tasks.slice(i, i + 4).map(async (line) => check(await shipx(line, { env, input: key }), line)))
    writeFileSync(config, JSON.stringify(stale).replace(key, `${key}",,`))
    check(await shipx('auth status --debug'), 'broken')
    writeFileSync(config, `{"profiles":{"acme":"${key}"}}`)
    check(await shipx('auth status --json --debug'), 'a key in the wrong place')
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))
    for (const file of files.filter((name) => name !== config && statSync(name).isFile()))
      expect([file, readFileSync(file, 'latin1').includes(key)]).toEqual([file, false])
    failing.server.close()
  })
})

describe('profile', () => {
  test('set, show, list, use and remove', async () => {
    const ok = async (line: string): Promise<string> => {
      const { exit, stderr } = await shipx(line)
      expect([line, exit]).toEqual([line, 0])
      return stderr
    }
    expect(await ok('profile set warehouse.mumbai WHYYB5')).toContain('warehouse.mumbai of profile default: WHYYB5')
    await ok('profile set base_url https://api.example.com/custom/api/v1/')
    await ok('profile set origin 400001')
    await ok('profile set format json')
    await ok('profile set database mine.sqlite --profile local')
    await ok('profile set local.warehouse.pune WH2')
    await ok('profile set beta.format csv --dry-run')
    expect(stored()).toEqual({
      current: 'default',
      profiles: {
        default: {
          warehouse: { mumbai: 'WHYYB5' },
          base_url: 'https://api.example.com',
          origin: '400001',
          format: 'json',
        },
        local: { database: join(home, 'mine.sqlite'), warehouse: { pune: 'WH2' } },
      },
    })
    const { stdout } = await run(process.execPath, [start, 'profile', 'set', 'local.warehouse.pune', '', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ data: { name: 'local', warehouse: {} } })
    expect(stored().profiles['local']).toEqual({ database: join(home, 'mine.sqlite') })
    const listed = JSON.parse((await shipx('profile list --json')).stdout) as {
      data: { name: string; current: boolean }[]
    }
    expect(listed.data.map(({ name, current }) => [name, current])).toEqual([
      ['default', true],
      ['local', false],
    ])
    await ok('profile use local')
    expect((await shipx('profile show --ids')).stdout).toBe('local\n')
    expect(await ok('profile remove local --yes')).toContain('no profile is current now')
    expect(stored()).toMatchObject({ profiles: { default: {} } })
    expect(Object.hasOwn(stored(), 'current')).toBe(false)
    expect((await shipx('profile show')).exit).toBe(3)
  })

  test.each([
    ['profile set orign 400001', 2, /Did you mean origin\?/],
    ['profile set acme.orign 400001', 2, /Did you mean origin\?/],
    ['profile set key sxk_secret', 2, /shipx auth login/],
    ['profile set origin 40001', 2, /40001 has 5 digits/],
    ['profile set format jason', 2, /Did you mean json\?/],
    ['profile set base_url http://example.com', 2, /https/],
    ['profile set auth_scheme basic', 2, /bearer, bare/],
    ['profile set warehouse WH1', 2, /warehouse\.mumbai/],
    ['profile set warehouse.__proto__ WH1', 2, /letters/],
    ['profile set a.b.c.d x', 2, /is not a field/],
    ['profile set __proto__.origin 400001', 2, /not a name of a profile/],
    ['profile set origin 400001 --profile a/b', 2, /not a name of a profile/],
    ['profile set a.origin 400001 --profile b', 2, /two profiles/],
    ['profile set', 2, /<field>/],
    ['profile use nothing', 3, /there is no profile nothing/],
    ['profile remove acme', 8, /--yes/],
    ['profile remove acne --yes', 3, /Did you mean acme\?/],
  ])('%s is refused', async (line, exit, says) => {
    store({ profiles: { acme: {} } })
    const outcome = await shipx(line)
    expect([outcome.exit, outcome.stdout]).toEqual([exit, ''])
    expect(outcome.stderr).toMatch(says)
    expect(outcome.stderr).not.toContain('sxk_secret')
    expect(stored()).toEqual({ profiles: { acme: {} } })
  })

  test.each([
    ['no JSON', '{"profiles":', /not valid JSON/],
    ['empty', '', /not valid JSON/],
    ['a list', '[]', /no JSON object/],
    ['a profile that is none', '{"profiles":{"a":1}}', /profile a is not an object/],
    ['a field that is no text', '{"profiles":{"a":{"base_url":1}}}', /"base_url" of profile a is not text/],
    ['a format that is none', '{"profiles":{"a":{"format":"xml"}}}', /"format" of profile a/],
  ])('a broken file is named and left alone: %s', async (_, content, says) => {
    store({ profiles: {} })
    writeFileSync(config, content)
    for (const line of ['profile list', 'profile set origin 400001', 'stores list']) {
      const { exit, stderr } = await shipx(line)
      expect([line, exit]).toEqual([line, 2])
      expect(stderr).toContain(config)
      expect(stderr).toMatch(says)
    }
    expect(readFileSync(config, 'utf8')).toBe(content)
  })

  test('fields of a newer shipx survive a change', async () => {
    store({ later: 1, profiles: { acme: { colour: 'blue' } } } as unknown as Stored)
    await shipx('profile set acme.origin 400001')
    expect(stored()).toEqual({ later: 1, current: 'acme', profiles: { acme: { colour: 'blue', origin: '400001' } } })
  })
})

describe.skipIf(!unix)('the file', () => {
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
    const outcomes = await Promise.all(names.map((name) => run(process.execPath, [driver, folder, name, '50'])))
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
    expect((await run(process.execPath, [driver, folder, 'after', '1'])).exit).toBe(0)
    expect(performance.now() - began).toBeLessThan(5000)
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
    const outcomes = await Promise.all(names.map((name) => run(process.execPath, [driver, folder, name, '5'])))
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
