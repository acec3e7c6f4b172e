// Defends where answers come from: flags, environment and profile, in their order.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { program as start } from '../../support/program.ts'
import { parcelFlags } from '../../support/requests.ts'
import { key, otherKey, home, config, service, thief, shipx, store, signedIn, type Stored } from './userhome.ts'

/** Where answers would come from, as `auth status` tells it. */
const status = async (line = '', env: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await shipx(`auth status --offline --json ${line}`, { env })
  expect([stdout !== '', stderr]).toEqual([true, ''])
  return (JSON.parse(stdout) as { data: Record<string, unknown> }).data
}

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
    ['--profile acme', { SHIPX_DB: '/env.sqlite' }, ['S', 'acme', 'file']],
    ['--local', { SHIPX_DB: '/env.sqlite' }, ['/env.sqlite', 'acme', null]],
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
    const { stdout, exit } = await shipx(`rates ${parcelFlags.join(' ')} --prepaid --json`)
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
    // It was ignored: a script that named a file for its trial wrote into the account.
    [
      'SHIPX_DB beside a profile with an account',
      'stores create --name trial --brand x',
      { SHIPX_DB: '/nowhere/trial.sqlite' },
      2,
      /SHIPX_DB: names a database, and profile acme an account at .*\n→ unset SHIPX_DB, or say which with --db or --profile/,
    ],
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

  test('auth status says whether the key works', { tags: ['full'] }, async () => {
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

  test.each([
    ['no key was sent', 'auth status --json', 4, 'unauthorized'],
    ['the deployment does not answer', 'auth status --json --base-url http://127.0.0.1:9', 6, 'unavailable'],
  ])('auth status gives no verdict on the key when %s', { tags: ['full'] }, async (_, line, exit, error) => {
    if (error === 'unauthorized') store({ current: 'acme', profiles: { acme: { base_url: service.url } } })
    const env = error === 'unavailable' ? { SHIPX_API_KEY: key, SHIPX_TIMEOUT: '1s' } : {}
    const outcome = await shipx(line, { env })
    expect([outcome.exit, JSON.parse(outcome.stdout)]).toMatchObject([exit, { data: { works: null, error } }])
  })

  test("a profile's defaults are used where nothing else says", { tags: ['full'] }, async () => {
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
