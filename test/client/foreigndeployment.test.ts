// Defends every command of the service against a deployment that is not ours, with the built command in a process of its
// own: tables read what such a deployment sends, --json shows it unchanged, refusals come with their words and exit codes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { png } from '../support/pictures.ts'
import { orderOf } from '../scorecard/serving.ts'
import { sandbox, type Outcome } from '../support/sandbox.ts'
import { startStandIn, type StandIn } from '../support/foreigndeployment.ts'
import { parcelFlags, rateRequest } from '../support/requests.ts'
import { first } from '../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())
const logo = png(32, 32, 50_000)
let remote: StandIn

beforeAll(() => {
  box.file('order.json', JSON.stringify(orderOf('A-1')))
  box.file('logo.png', logo)
})

beforeEach(async () => {
  remote = await startStandIn()
  return () => remote.close()
})

/** A command line (words between spaces) against the stand-in. */
const run = (line: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  box.shipx(line.split(' '), {
    env: {
      SHIPX_BASE_URL: remote.url,
      SHIPX_API_KEY: remote.key,
      SHIPX_NOW: '2026-10-01T06:00:00Z',
      SHIPX_TIMEOUT: '5s',
      ...env,
    },
  })

/** The same for a terminal of 150 columns, without colours. */
const onTerminal = (line: string): Promise<Outcome> => run(line, { SHIPX_FORCE_TTY: '150', NO_COLOR: '1' })

const asked = (path: string) => remote.requests.filter((request) => request.path === path)

/** The text of the records in the last listing that the stand-in sent. */
const sentRecords = (): string => /^\{"data":(\[.*\]),"meta":/s.exec(remote.answers.at(-1)!)![1]!

const lane = parcelFlags.join(' ')

describe('rates', () => {
  test('forward: zone letters, dates in objects, amounts as text, and no courier that is not offered', async () => {
    const { stdout, exit } = await onTerminal(`rates ${lane} --cod 1499`)
    expect(exit).toBe(0)
    expect(stdout).toContain('Zone C')
    expect(stdout).toMatch(
      /Skylark Air +air +₹88\.80 +₹31\.30 +₹120\.10 +₹5\.00 +₹125\.10 +₹88\.80 +02 Oct +05 Oct +fastest/,
    )
    expect(stdout).toMatch(
      /Roadrunner Standard +road +₹72\.00 +₹31\.30 +₹103\.30 +₹0\.00 +₹103\.30 .*02 Oct +07 Oct +cheapest/,
    )
    expect(stdout).not.toContain('Not Today')
    expect(stdout).toContain('2 couriers')
    expect(asked('/rates')[0]!.body).toEqual({ ...rateRequest, payment_method: 'cod', shipment_value: 1499 })
  })

  test(
    'offers come in the order of what is paid, whatever the order in which they were sent',
    { tags: ['full'] },
    async () => {
      const table = await onTerminal(`rates ${lane} --cod 1499`)
      expect(table.stdout.match(/Roadrunner|Skylark/g)).toEqual(['Roadrunner', 'Skylark'])
      // What a script takes for the cheapest: a courier that is offered, and the cheapest of them.
      const first = await run(
        `rates ${lane} --prepaid --csv --fields carrier_name,charges.total_forward_charges --limit 1`,
      )
      expect(first.stdout.trim().split(/\r?\n/)).toEqual([
        'carrier_name,charges.total_forward_charges',
        'Roadrunner Standard,72',
      ])
    },
  )

  test('return', { tags: ['full'] }, async () => {
    const { stdout, exit } = await onTerminal(`rates --return ${lane}`)
    expect(exit).toBe(0)
    expect(stdout).toMatch(/Roadrunner Standard +road +₹72\.00 +₹10\.00 +₹82\.00 +02 Oct/)
    expect(asked('/rates')[0]!.body).toMatchObject({ journey_type: 'return' })
  })

  test('--json is what the deployment sent, less the couriers that it does not offer', { tags: ['full'] }, async () => {
    const { stdout, exit } = await run(`rates ${lane} --cod 1499 --json`)
    expect(exit).toBe(0)
    const sent = JSON.parse(remote.answers.at(-1)!) as { result: { serviceable_couriers: { status: boolean }[] } }
    const offered = sent.result.serviceable_couriers.filter(({ status }) => status)
    expect(offered).toHaveLength(2)
    expect(JSON.parse(stdout)).toEqual({ ...sent, result: { ...sent.result, serviceable_couriers: offered } })
  })

  test('--csv has the fields that it sent', { tags: ['full'] }, async () => {
    const { stdout, exit } = await run(
      `rates ${lane} --cod 1499 --csv --fields carrier_id,charges.cod_charges,platform_fee --courier air`,
    )
    expect([exit, stdout]).toEqual([
      0,
      'carrier_id,charges.cod_charges,platform_fee\r\nCARB7QH21MZT9,31.30,5.00\r\n'.replaceAll(
        '\r',
        stdout.includes('\r') ? '\r' : '',
      ),
    ])
  })

  test('no courier is a success', { tags: ['full'] }, async () => {
    remote.switches.offers = 'none'
    const { stdout, exit } = await onTerminal(`rates ${lane} --prepaid`)
    expect(exit).toBe(0)
    expect(stdout).toMatch(/no courier/i)
  })

  test.each(first(1, ['with 200', 'with status'] as const))(
    'a pincode that it does not know is refused, %s',
    { tags: ['full'] },
    async (refusals) => {
      remote.switches.refusals = refusals
      const { stdout, stderr, exit } = await run(`rates --from 400001 --to 797013 -w 500 -s 20x15x10 --prepaid`)
      expect([stdout, exit]).toEqual(['', 5])
      expect(stderr).toContain('Invalid pincode')
    },
  )

  test('a pincode that only it knows is sent, with a warning', { tags: ['full'] }, async () => {
    const { stderr, exit } = await run(`rates --from 400001 --to 569999 -w 500 -s 20x15x10 --prepaid`)
    expect(exit).toBe(0)
    expect(stderr).toContain('569999')
    expect(asked('/rates')[0]!.body).toMatchObject({ destination_pincode: '569999' })
  })

  test('what only the embedded engine can do is said', async () => {
    const { stderr, exit } = await run(`rates ${lane} --prepaid --explain`)
    expect(exit).toBe(2)
    expect(stderr).toContain('your account cannot do this online')
    expect(remote.requests).toEqual([])
  })
})

describe.each(first(1, ['data', 'bare'] as const))('stores, %s', (form) => {
  beforeEach(() => void (remote.switches.stores = form))

  test('list, get by name and by id', { tags: ['full'] }, async () => {
    const list = await onTerminal('stores list')
    expect(list.exit).toBe(0)
    expect(list.stdout).toMatch(/kids-and-co +Kids & Co +Connected +manual_order/)
    expect(list.stdout).toMatch(/Bare-Soap +-/)
    const { data } = JSON.parse((await run('stores list --json')).stdout) as { data: { id: string }[] }
    const sent = JSON.parse(remote.answers.at(-1)!) as { data: unknown }
    expect(data).toEqual(form === 'bare' ? sent : sent.data)
    for (const name of ['kids-and-co', data[0]!.id]) {
      const got = JSON.parse((await run(`stores get ${name} --json`)).stdout) as unknown
      expect(got).toMatchObject({ data: data[0]! })
    }
    const missing = await run('stores get nobody')
    expect([missing.stdout, missing.exit]).toEqual(['', 3])
  })

  test('create with a brand and a logo, refuse the name again, update, rename', { tags: ['full'] }, async () => {
    const made = await run('stores create --name acme --brand Acme --logo logo.png')
    expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining('acme') as string])
    const kept = remote.stores().find(({ store_name }) => store_name === 'acme')!
    expect([kept.brand_name, kept.logo?.equals(logo)]).toEqual(['Acme', true])
    const again = await run('stores create --name acme --json')
    expect(again.exit).toBe(5)
    expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'store_name_taken' } })
    expect((await run('stores update acme --brand Other')).exit).toBe(0)
    const unsure = await run('stores update acme --name acme-2')
    expect(unsure.exit).toBe(8)
    expect((await run('stores update acme --name acme-2 --yes')).exit).toBe(0)
    expect(remote.stores().map(({ store_name, brand_name }) => [store_name, brand_name])).toContainEqual([
      'acme-2',
      'Other',
    ])
  })
})

test('stores: what the service has no endpoint for', { tags: ['full'] }, async () => {
  for (const line of ['stores list --all', 'stores disconnect kids-and-co --yes', 'stores connect kids-and-co']) {
    const { stderr, exit } = await run(line)
    expect([line, exit]).toEqual([line, 2])
    expect(stderr).toContain('your account cannot do this online')
  }
  expect(asked('/client-stores').filter(({ method }) => method !== 'GET')).toEqual([])
})

describe('orders', () => {
  test('with a courier: told, and found by its order id', { tags: ['full'] }, async () => {
    const made = await run('orders create --file order.json --store kids-and-co --json')
    expect(made.exit).toBe(0)
    expect(JSON.parse(made.stdout)).toEqual(JSON.parse(remote.answers.at(-1)!))
    expect([...remote.created]).toEqual([['A-1', 1]])
    const [request] = asked('/forward-order-orchestration')
    expect(request!.body).toMatchObject({ order_id: 'A-1', store_name: 'kids-and-co', weight: 0.5, breadth: 15 })
    expect(request!.headers['idempotency-key']).toEqual(expect.any(String))
    const shown = await onTerminal('shipments get A-1')
    expect(shown.exit).toBe(0)
    expect(shown.stdout).toContain('34812010700000')
    expect(shown.stdout).toContain('Roadrunner Standard')
  })

  test('without a courier, asked for and not', { tags: ['full'] }, async () => {
    const plain = await run('orders create --file order.json --no-assign')
    expect(plain.exit).toBe(0)
    // A command of the embedded engine would not help here.
    expect(plain.stderr).not.toContain('shipx local')
    expect(asked('/forward-order')).toHaveLength(1)
    remote.switches.courier = 'none'
    const { stderr, exit } = await run('orders create --file order.json --order-id A-2')
    expect(exit).toBe(7)
    expect(stderr).toContain(
      'order A-2 is created, but no courier took it: No courier is serviceable for this shipment',
    )
    expect([...remote.created.keys()]).toEqual(['A-1', 'A-2'])
  })

  test('a second one of an id, and a store that is not there, are refused', { tags: ['full'] }, async () => {
    await run('orders create --file order.json')
    const again = await run('orders create --file order.json --json')
    expect(again.exit).toBe(5)
    expect(JSON.parse(again.stderr)).toMatchObject({
      error: { code: 'duplicate_order', hint: 'shipx shipments get A-1' },
    })
    const stray = await run('orders create --file order.json --order-id A-3 --store nobody --json')
    expect(stray.exit).toBe(5)
    expect(JSON.parse(stray.stderr)).toMatchObject({ error: { code: 'unknown_store' } })
    expect([...remote.created]).toEqual([['A-1', 1]])
  })

  test('a dry run sends no order', async () => {
    expect((await run('orders create --file order.json --dry-run')).exit).toBe(0)
    expect(remote.created.size).toBe(0)
  })

  test('an answer that is lost is an unknown outcome: exit 6, said, sent once', { tags: ['full'] }, async () => {
    remote.switches.repeats = 'created'
    remote.switches.trouble = ({ path }) => (path.startsWith('/forward') ? { kind: 'lost' } : undefined)
    const { stdout, stderr, exit } = await run('orders create --file order.json --json')
    expect([stdout, exit]).toEqual(['', 6])
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } }
    expect(error.code).toBe('unknown_outcome')
    expect(error.message).toContain('A-1')
    expect([...remote.created]).toEqual([['A-1', 1]])
    // The next run looks before it sends again, and finds it.
    remote.switches.trouble = () => undefined
    const again = await run('orders create --file order.json --json')
    expect([again.stdout, again.exit]).toEqual(['', 5])
    expect(JSON.parse(again.stderr)).toMatchObject({
      error: { code: 'duplicate_order', hint: 'shipx shipments get A-1' },
    })
    expect([...remote.created]).toEqual([['A-1', 1]])
  })
})

describe.each(first(1, ['shipments', 'returns'] as const))('%s', (kind) => {
  test('a page as a table and as --json, which keeps what was sent', { tags: ['full'] }, async () => {
    const table = await onTerminal(`${kind} list --limit 5`)
    expect(table.exit).toBe(0)
    expect(table.stderr).toMatch(new RegExp(`Showing 5 of ${kind === 'shipments' ? 57 : 23} ${kind}`))
    expect(table.stdout.trim().split('\n')).toHaveLength(6)
    expect(table.stdout).not.toMatch(/undefined|\[object|NaN|Invalid/)
    const { stdout, exit } = await run(`${kind} list --limit 20 --json`)
    expect(exit).toBe(0)
    expect(stdout).toContain(`"data":${sentRecords()}`)
    expect(stdout).toContain('90071992547409931234')
    const { meta } = JSON.parse(stdout) as { meta: { total: unknown; current_page: unknown } }
    expect([meta.total, meta.current_page]).toEqual([kind === 'shipments' ? 57 : 23, 1])
  })

  test('--all, --limit beyond a page, --page and --per-page', { tags: ['full'] }, async () => {
    const ids = (await run(`${kind} list --all --ids`)).stdout.trim().split('\n')
    expect(ids.toSorted()).toEqual([...remote.ids(kind)].toSorted())
    const most = await run(`${kind} list --limit 250 --jsonl`)
    expect(most.stdout.trim().split('\n')).toHaveLength(ids.length)
    const page = await run(`${kind} list --page 2 --per-page 7 --ids`)
    expect(page.stdout.trim().split('\n')).toEqual(ids.slice(7, 14))
    const up = await run(`${kind} list --sort-order asc --limit 3 --ids`)
    expect(up.stdout.trim().split('\n')).toEqual(ids.toReversed().slice(0, 3))
  })

  test('a record by what people know of it', { tags: ['full'] }, async () => {
    const listed = JSON.parse((await run(`${kind} list --limit 20 --json`)).stdout) as {
      data: { id: string; attributes: Record<string, string> }[]
    }
    const record = listed.data.find(({ attributes }) => kind === 'returns' || attributes['tracking_number'] != null)!
    const known = kind === 'returns' ? record.attributes['display_id']! : record.attributes['tracking_number']!
    const got = await run(`${kind} get ${known} --json`)
    expect(got.exit).toBe(0)
    expect((JSON.parse(got.stdout) as { data: { id: string } }).data.id).toBe(record.id)
    const shown = await onTerminal(`${kind} get ${known}`)
    expect(shown.exit).toBe(0)
    expect(shown.stdout).toContain(known)
    expect(shown.stdout).not.toMatch(/undefined|\[object|NaN|Invalid/)
    expect((await run(`${kind} get nothing-like-this`)).exit).toBe(3)
  })

  test('a word that only the deployment knows is sent, with a warning', { tags: ['full'] }, async () => {
    const { stderr, exit } = await run(`${kind} list --granular-status lost_in_space --limit 1`)
    expect(exit).toBe(0)
    expect(stderr).toContain('lost_in_space')
    expect(asked(`/${kind}`).at(-1)!.body).toMatchObject({ granular_status: ['lost_in_space'] })
  })

  test('csv of everything has a line for each record', { tags: ['full'] }, async () => {
    const { stdout, exit } = await run(`${kind} list --all --csv --fields id,attributes.status`)
    expect(exit).toBe(0)
    expect(stdout.trim().split(/\r?\n/)).toHaveLength(remote.ids(kind).length + 1)
  })
})

describe('shipments', () => {
  test('filters go out under their own names, and what comes back fits', async () => {
    const { stdout } = await run('shipments list --status delivered --cod --since 2026-08-01 --limit 100 --json')
    const { data } = JSON.parse(stdout) as { data: { attributes: { status: string; is_cod: boolean } }[] }
    expect(data.length).toBeGreaterThan(2)
    expect(data.every(({ attributes }) => attributes.status === 'delivered' && attributes.is_cod)).toBe(true)
    expect(asked('/shipments').at(-1)!.body).toMatchObject({
      status: 'delivered',
      is_cod: true,
      start_time: expect.any(Number) as number,
    })
  })

  test('a filter that it may not know is refused, not answered with everything', async () => {
    const { stdout, stderr, exit } = await run('shipments list --store kids-and-co')
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toMatch(/not known to/)
    expect(asked('/shipments')).toEqual([])
  })

  test('orders are asked for by the name that deployments know', { tags: ['full'] }, async () => {
    const [id, text] = [...remote.texts('shipments')].find(([, record]) => record.includes('"display_id"'))!
    const { display_id } = (JSON.parse(text) as { attributes: { order: { display_id: string } } }).attributes.order
    const { stdout, stderr, exit } = await run(`shipments list --ids --order-display-id ${display_id}`)
    expect([stdout.trim().split('\n').includes(id), stderr, exit]).toEqual([true, '', 0])
    expect(asked('/shipments').map(({ body }) => body)).toEqual([{ per_page: 20, 'order_display_id[]': [display_id] }])
  })

  test('records that arrive during --all: each once, none missing, said on stderr', { tags: ['full'] }, async () => {
    await remote.close()
    remote = await startStandIn({ shipments: 640, arriving: 2 })
    const before = [...remote.ids('shipments')]
    const { stdout, stderr, exit } = await run('shipments list --all --ids')
    const ids = stdout.trim().split('\n')
    expect(exit).toBe(0)
    expect(new Set(ids).size).toBe(ids.length)
    expect(before.filter((id) => !ids.includes(id))).toEqual([])
    expect(remote.ids('shipments').length).toBeGreaterThan(before.length)
    expect(stderr).toMatch(/total changed/)
  })
})

describe('trouble', { tags: ['full'] }, () => {
  test('a page of a proxy is named as one: exit 6, one line, no markup', async () => {
    remote.switches.trouble = () => ({ kind: 'html', status: 502 })
    const { stdout, stderr, exit } = await run('shipments list')
    expect([stdout, exit, remote.requests.length]).toEqual(['', 6, 4])
    expect(stderr).toMatch(/502 with an HTML page/)
    expect(stderr).not.toContain('<')
  })

  test('429 for a while is waited out; Retry-After is kept', async () => {
    remote.switches.trouble = (_, nth) =>
      nth === 1 ? { kind: 'limited', retry_after: '1' } : nth === 2 ? { kind: 'limited' } : undefined
    const { exit } = await run('stores list')
    const [first, second] = remote.requests
    expect(exit).toBe(0)
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(999)
  })

  test('429 for ever: exit 6 after four tries', async () => {
    remote.switches.trouble = () => ({ kind: 'limited' })
    const { stderr, exit } = await run('stores list --json')
    expect([exit, remote.requests.length]).toEqual([6, 4])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'rate_limited' } })
  })

  test('a key that it refuses, and an account without access: exit 4', async () => {
    remote.switches.authorization = 'bare'
    expect((await run('stores list')).exit).toBe(4)
    remote.switches.authorization = 'closed'
    const { stderr, exit } = await run('stores list')
    expect(exit).toBe(4)
    expect(stderr).toContain('API access is not enabled for your account')
  })

  test('silence ends with the time limit: exit 6', async () => {
    remote.switches.trouble = () => ({ kind: 'silent' })
    const began = performance.now()
    const { stderr, exit } = await run('stores list', { SHIPX_TIMEOUT: '500ms' })
    expect(exit).toBe(6)
    expect(stderr).toMatch(/no answer|did not finish its answer/)
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('an error with control characters reaches the terminal without them', async () => {
    remote.switches.trouble = () => ({
      kind: 'answer',
      status: 422,
      body: '{"message":"\\u001b[2J\\u001b]0;x\\u0007bad\\r\\nworse\\u202e"}',
    })
    const { stderr, exit } = await run('stores list')
    expect(exit).toBe(5)
    expect(stderr).toContain('bad')
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })
})

describe('signing in', () => {
  test(
    'finds out that the key goes alone, keeps it for itself, and is used from then on',
    { tags: ['full'] },
    async () => {
      remote.switches.authorization = 'bare'
      const env = { SHIPX_CONFIG_DIR: join(box.folder, 'config') }
      const login = await box.shipx(['auth', 'login', '--base-url', remote.url, '--with-token'], {
        env,
        input: `${remote.key}\n`,
      })
      expect([login.exit, login.stdout.includes(remote.key), login.stderr.includes(remote.key)]).toEqual([
        0,
        false,
        false,
      ])
      expect(readdirSync(env.SHIPX_CONFIG_DIR)).toContain('config.json')
      const list = await box.shipx(['stores', 'list', '--json'], { env })
      expect(list.exit).toBe(0)
      expect(remote.requests.at(-1)!.headers['authorization']).toBe(remote.key)
      const status = await box.shipx(['auth', 'status', '--json'], { env })
      expect(JSON.parse(status.stdout)).toMatchObject({ data: { auth_scheme: 'bare', works: true } })
    },
  )
})
