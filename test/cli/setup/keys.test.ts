// Defends that a key goes to its own address alone, and that no output shows it but that of `auth token`.
// @module-tag full: some hundred processes that look for a key
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../support/sandbox.ts'
import { key, deployment, home, config, service, thief, shipx, stored, store, signedIn } from './userhome.ts'

describe('a key is for its own address', () => {
  /** Ways to lead a key elsewhere: a command line, an environment, and what lies around. */
  const ways: readonly (readonly [
    string,
    (to: string) => {
      line?: string
      env?: Record<string, string>
      profile?: Record<string, unknown>
      files?: Record<string, string>
    },
  ])[] = [
    ['--base-url', (to) => ({ line: `--base-url ${to}` })],
    ['SHIPX_BASE_URL', (to) => ({ env: { SHIPX_BASE_URL: to } })],
    ['the file changed by hand', (to) => ({ profile: { base_url: to } })],
    ['the file without its origin', (to) => ({ profile: { base_url: to, key_origin: undefined } })],
    ['a path in front', (to) => ({ line: `--base-url ${to}/custom/api/v1` })],
    ['another name of this machine', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', 'localhost')}` })],
    ['a number for this machine', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', '2130706433')}` })],
    [
      'the address as a user name',
      (to) => ({ line: `--base-url ${to.replace('//', `//${new URL(service.url).host}@`)}` }),
    ],
    ['a backslash', (to) => ({ line: `--base-url ${to}\\@${new URL(service.url).host}` })],
    ['a query', (to) => ({ line: `--base-url ${to}/?${service.url}` })],
    ['a fragment', (to) => ({ line: `--base-url ${to}/#${service.url}` })],
    ['capital letters', (to) => ({ env: { SHIPX_BASE_URL: to.replace('http', 'HTTP') } })],
    ['a file .env in the folder', (to) => ({ line: '', files: { '.env': `SHIPX_BASE_URL=${to}\n` } })],
    [
      'a file config.json in the folder',
      (to) => ({
        files: {
          'config.json': JSON.stringify({ current: 'acme', profiles: { acme: { base_url: to, key, key_origin: to } } }),
        },
      }),
    ],
    [
      'XDG_CONFIG_HOME in the folder',
      (to) => ({
        env: { XDG_CONFIG_HOME: '.' },
        files: { 'shipx/config.json': JSON.stringify({ current: 'acme', profiles: { acme: signedIn(to) } }) },
      }),
    ],
    ['plain http elsewhere', (to) => ({ line: `--base-url ${to.replace('127.0.0.1', '0.0.0.0')}` })],
  ]

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
  test('in no output and no other file, whatever goes wrong', async () => {
    const failing = await deployment((request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`you sent ${String(request.headers.authorization)}`)
      return true
    })
    const forms = [key, Buffer.from(key).toString('base64').slice(0, -4), encodeURIComponent(key), key.slice(0, 12)]
    const lines = [
      'auth login --with-token --base-url S',
      'auth login --with-token --base-url S --dry-run',
      'auth status',
      'auth status --offline',
      'auth status --base-url https://127.0.0.1:1',
      'stores list --profile failing',
      'auth logout --dry-run',
      'profile list',
      'profile show',
      'profile set origin 400001',
      'profile set format jason',
      'profile set base_url T',
      'profile set key x',
      'profile use acme',
      'profile remove acme',
      'profile remove acme --dry-run',
      'profile show acme --csv',
      'stores list --curl',
      'auth login --keyring --with-token --base-url S',
      'auth login',
      'auth token --base-url T',
      'profile set acme.origin 1',
    ]
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
