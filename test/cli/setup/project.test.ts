// Defends the settings of a project: what it may set, where shipx looks, which value counts, and that no foreign file
// chooses an account or takes a key.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { box, home, service, shipx, signedIn, store, thief, unix } from './userhome.ts'

const repo = join(box.folder, 'repo')
const inner = join(repo, 'shop', 'orders')
const file = join(repo, 'shipx.config.json')

beforeEach(() => {
  rmSync(repo, { recursive: true, force: true })
  mkdirSync(join(repo, '.git'), { recursive: true })
  mkdirSync(inner, { recursive: true })
})

/** Writes the project's settings. */
const project = (settings: unknown, path = file): void => writeFileSync(path, JSON.stringify(settings))

/** Runs a command in a folder of the project. */
const run = (line: string, env: Readonly<Record<string, string>> = {}, cwd = inner): ReturnType<typeof shipx> =>
  shipx(line, { cwd, env })

describe('a project', () => {
  test('sets format and origin below its folder; a flag and the environment count more, the profile less', async () => {
    project({ format: 'json', origin: '400001' })
    store({ current: 'own', profiles: { own: { origin: '110001', format: 'csv' } } })
    const parcel = 'rates --to 560001 -w 500g -s 20x15x10 --prepaid --limit 1'
    const [here, flag, env, above] = await Promise.all([
      run(parcel),
      run(`${parcel} --csv --from 700001`),
      run('stores list', { SHIPX_FORMAT: 'ids' }),
      run('profile list', {}, home),
    ])
    expect(JSON.parse(here.stdout)).toMatchObject({ status: 'SUCCESS' })
    expect([flag.exit, flag.stdout.startsWith('carrier_id,')]).toEqual([0, true])
    expect([env.exit, above.stdout.startsWith('name,')]).toEqual([0, true])
  })

  test('profile show and doctor say where each value comes from', async () => {
    project({ format: 'json', warehouse: 'mumbai' })
    store({ current: 'own', profiles: { own: { origin: '110001', format: 'csv' } } })
    const shown = JSON.parse((await run('profile show')).stdout) as { data: { in_use: unknown } }
    expect(shown.data.in_use).toEqual([
      { setting: 'profile', value: 'own', from: 'the current profile' },
      { setting: 'format', value: 'json', from: file },
      { setting: 'origin', value: '110001', from: 'profile own' },
      { setting: 'warehouse', value: 'mumbai', from: file },
    ])
    const doctor = await run('doctor --table --offline'.replace(' --offline', ''))
    expect(doctor.stdout).toContain(
      `profile own (the current profile), format json (${file}), origin 110001 (profile own)`,
    )
  })

  test('fills store and warehouse of a new order, under what the order says itself', { tags: ['full'] }, async () => {
    project({ store: 'acme-kids', warehouse: 'main' })
    store({ current: 'own', profiles: { own: { warehouse: { main: 'WH7' } } } })
    const order =
      'orders create --dry-run --json --order-id A1 --item X:1:100:Y -w 500g -s 20x15x10 --prepaid --sub-total 100 ' +
      '--billing-customer-name A --billing-address B --billing-city Mumbai --billing-pincode 400001 ' +
      '--billing-state Maharashtra --billing-phone 9876543210'
    await run('local warehouse set WH7 400001')
    await run('local warehouse set WH8 400001')
    await run('stores create --name acme-kids --brand A')
    const body = async (more: string): Promise<unknown> => {
      const { stdout, stderr } = await run(`${order} ${more}`)
      return stdout === '' ? stderr : (JSON.parse(stdout) as { dry_run: { body: unknown } }).dry_run.body
    }
    expect(await body('')).toMatchObject({ store_name: 'acme-kids', warehouse_id: 'WH7' })
    expect(await body('--warehouse WH8')).toMatchObject({ store_name: 'acme-kids', warehouse_id: 'WH8' })
  })

  test('is also the key shipx of package.json, and nothing above the root of a repository', async () => {
    project({ name: 'shop', shipx: { format: 'json' } }, join(repo, 'shop', 'package.json'))
    expect((await run('profile list')).stdout).toBe('{"data":[]}\n')
    rmSync(join(repo, 'shop', 'package.json'))
    project({ format: 'json' }, join(box.folder, 'shipx.config.json'))
    const { stdout } = await run('profile list')
    rmSync(join(box.folder, 'shipx.config.json'))
    expect(stdout).toBe('')
  })

  test('names a profile that exists, or stops the command', { tags: ['full'] }, async () => {
    store({ current: 'own', profiles: { own: {}, acme: signedIn() } })
    project({ profile: 'acme' })
    expect((await run('stores list --json')).stdout).toBe('{"data":[]}\n')
    expect(service.sent.length).toBeGreaterThan(0)
    project({ profile: 'acmee' })
    const { exit, stderr } = await run('stores list')
    expect([exit, stderr]).toEqual([
      3,
      `✗ there is no profile acmee, which ${file} names\n→ shipx auth login --profile acmee\n`,
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ['an address', { base_url: thief.url }, /"base_url" does not belong into a project: name a profile/],
    [
      'an address with a user',
      { profile: 'https://user:secretsecret@example.com' },
      /"profile" is not the name of a profile/,
    ],
    ['a key', { api_key: 'secretsecret' }, /"api_key" does not belong into a project: shipx auth login/],
    ['a key in a place for names', { store: 'sxk_secretsecret' }, /"store" looks like a key/],
    ['a long key', { warehouse: 'secretsecret0123456789abcdefghijklmnop' }, /"warehouse" looks like a key/],
    ['a misspelt name', { orign: '400001' }, /"orign" is not a setting\. Did you mean origin\?/],
    ['a number', { origin: 400001 }, /"origin" is not text/],
    ['a list', [], /it does not hold a JSON object/],
  ])('with %s is refused and named, and nothing is sent', async (_, settings, said) => {
    store({ current: 'acme', profiles: { acme: signedIn() } })
    project(settings)
    const { exit, stdout, stderr } = await run('stores list')
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringMatching(said)])
    expect([stderr.includes(file), stderr.includes('secretsecret')]).toEqual([true, false])
    expect([service.sent, thief.sent]).toEqual([[], []])
  })

  test.runIf(unix)('that every user can write is ignored, and shipx says why', async () => {
    project({ format: 'json' })
    chmodSync(file, 0o666)
    const { exit, stdout, stderr } = await run('profile list')
    expect([exit, stdout]).toEqual([0, ''])
    expect(stderr).toContain(
      `! ${file} is ignored: every user can write it. Such a file could choose your account for you.\n`,
    )
  })

  test('takes no key to another place: a sign-in never changes the address of the profile that it names', async () => {
    store({ current: 'own', profiles: { own: {}, acme: signedIn() } })
    project({ profile: 'acme' })
    const { exit } = await shipx(`auth login --with-token --base-url ${thief.url}`, {
      cwd: inner,
      input: 'another-key-of-another-account\n',
    })
    const { stdout } = await run('profile show acme --json')
    expect([exit, (JSON.parse(stdout) as { data: { base_url: string } }).data.base_url]).toEqual([0, service.url])
  })
})
