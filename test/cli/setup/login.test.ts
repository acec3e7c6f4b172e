// Defends signing in and out: what is asked and kept, where the key lies, and what is refused at once.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { program as start } from '../../support/program.ts'
import {
  unix,
  key,
  otherKey,
  home,
  config,
  service,
  environment,
  shipx,
  login,
  stored,
  store,
  mode,
  signedIn,
} from './userhome.ts'

/** The program of util-linux that gives a command a pseudo terminal. */
const terminal = 'script'
const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0

describe('signing in', () => {
  test(
    'finds out that the deployment takes the key alone, and keeps it for this user alone',
    { tags: ['full'] },
    async () => {
      const { stdout, stderr, exit } = await login()
      expect([stdout, exit]).toEqual(['', 0])
      expect(stderr).toContain(`Signed in to ${service.url} as profile default`)
      expect(service.sent).toEqual([`Bearer ${key}`, key])
      expect(stored()).toEqual({ current: 'default', profiles: { default: signedIn() } })
      expect((await shipx('auth token')).stdout).toBe(`${key}\n`)
      expect((await shipx('auth token', { env: { SHIPX_FORMAT: 'json' } })).stdout).toBe(`${key}\n`)
      if (unix) expect([mode(config), mode(join(config, '..'))]).toEqual(['600', '700'])
      expect(readdirSync(join(config, '..'))).toEqual(['config.json'])
    },
  )

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
  ])('says at once what is missing: %s', { tags: ['full'] }, async (_, line, input, exit, says) => {
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

  test('does not throw away the key of another deployment that nobody named', { tags: ['full'] }, async () => {
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

  test('auth logout removes the key and leaves the rest', { tags: ['full'] }, async () => {
    store({ current: 'acme', profiles: { acme: signedIn(service.url, { origin: '400001' }) } })
    expect((await shipx('auth logout --dry-run')).exit).toBe(0)
    expect(stored().profiles['acme']).toHaveProperty('key')
    expect((await shipx('auth logout')).exit).toBe(0)
    expect(stored().profiles['acme']).toEqual({ base_url: service.url, auth_scheme: 'bare', origin: '400001' })
    expect((await shipx('auth token')).exit).toBe(4)
    expect((await shipx('auth logout')).exit).toBe(0)
    expect((await shipx('auth logout --profile acne')).exit).toBe(3)
  })

  test('auth logout without a profile prints no profile as JSON, and warns about the key of the environment', async () => {
    const env = { SHIPX_API_KEY: otherKey, SHIPX_BASE_URL: service.url }
    const parsed = await shipx('auth logout --json', { env })
    expect([parsed.exit, parsed.stdout, parsed.stderr]).toEqual([
      0,
      '{"data":null}\n',
      '! SHIPX_API_KEY is still set\n',
    ])
    const read = await shipx('auth logout', { env })
    expect([read.stdout, read.stderr]).toEqual([
      '',
      '✓ There is no profile, so there is no key to remove\n! SHIPX_API_KEY is still set\n',
    ])
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
