// Defends names as they are printed: an order, an AWB or a return finds its record by every command that takes one, with and
// without the sign in front, embedded and over HTTP.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { testNow } from '../support/engine.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { startService, type TestService } from '../support/service.ts'
import { createOrder } from '../support/requests.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'

const plan: SeedPlan = { shipments: 400, returns: 40, stores: 3, days: 30, seed: 5, now: testNow }
const shipments = [...seedShipments(plan)]
const returns = [...seedReturns(plan)]
const signed = shipments.find(
  ({ attributes: { order, status } }) => order?.display_id?.startsWith('#') === true && status === 'delivered',
)!
const bare = shipments.find(
  ({ attributes: { order, tracking_number: awb } }) => order?.display_id?.startsWith('#') === false && awb != null,
)!
const number = signed.attributes.order!.display_id!

let box: Sandbox
let service: TestService
let sources: readonly (readonly [string, Readonly<Record<string, string>>])[]

beforeAll(async () => {
  box = sandbox()
  const path = join(box.folder, 'served.sqlite')
  service = await startService({ path, readers: 0 })
  await service.engine.save('shipment', shipments)
  await service.engine.save('return', returns)
  sources = [
    ['embedded', { SHIPX_DB: path }],
    ['remote', { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }],
  ]
})
afterAll(async () => {
  await service.close()
  box.remove()
})

const ids = async (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr, exit } = await box.shipx([...args, '--ids', '-q'], { env })
  return exit === 0 ? stdout.trim() : stderr
}

describe('an order that tables print with #', () => {
  test('is found with and without the sign, alone and among others, and waited for', { tags: ['full'] }, async () => {
    for (const [, env] of sources) {
      for (const name of [number, number.slice(1), signed.attributes.tracking_number!, signed.id])
        expect(await ids(env, 'shipments', 'get', name)).toBe(signed.id)
      expect(await ids(env, 'shipments', 'get', number.slice(1), number)).toBe(`${signed.id}\n${signed.id}`)
      for (const name of [number, number.slice(1)])
        expect(await ids(env, 'shipments', 'wait', name, '--for', 'delivered')).toBe(signed.id)
    }
  })

  test('is found with the sign where the record has none', { tags: ['full'] }, async () => {
    for (const [, env] of sources)
      for (const name of [bare.attributes.order!.display_id!, bare.attributes.tracking_number!])
        for (const written of [name, `#${name}`]) expect(await ids(env, 'shipments', 'get', written)).toBe(bare.id)
  })

  test('gives way to a record that has the name exactly', { tags: ['full'] }, async () => {
    const own = sandbox()
    const both = [number, number.slice(1)].map((display_id, n) => ({
      ...signed,
      id: `S-${n}`,
      attributes: {
        ...signed.attributes,
        tracking_number: `9900${n}`,
        order: { ...signed.attributes.order!, display_id },
      },
    }))
    await own.shipx(['local', 'import', 'shipments', '-'], { input: both.map((one) => JSON.stringify(one)).join('\n') })
    for (const [n, name] of [number, number.slice(1)].entries()) {
      const { stdout } = await own.shipx(['shipments', 'get', name, '--ids', '-q'])
      expect(stdout.trim()).toBe(`S-${n}`)
    }
    own.remove()
  })

  test(
    'is the hint after an order that exists already, and the hint works as it is printed',
    { tags: ['full'] },
    async () => {
      const own = sandbox()
      await own.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
      const order = [...createOrder('#H-1'), '--warehouse-id', 'WH1']
      const bare = await own.shipx([...order, '--no-assign'])
      expect(bare.exit).toBe(0)
      const assign = /shipx local assign .*$/m.exec(bare.stderr)![0]
      expect((await own.bash(`${assign} --dry-run`)).exit).toBe(0)
      const { stderr, exit } = await own.shipx(order)
      expect(exit).toBe(5)
      const hint = /(shipx shipments get .*)$/m.exec(stderr)![1]!
      const found = await own.bash(`${hint} --csv --fields order.display_id -q`)
      expect([found.stdout, found.exit]).toEqual(['order.display_id\n#H-1\n', 0])
      for (const name of ['H-1', '#H-1']) expect((await own.shipx(['local', 'assign', name, '--dry-run'])).exit).toBe(0)
      own.remove()
    },
  )

  test('is what a return is made of', { tags: ['full'] }, async () => {
    const own = sandbox()
    await own.shipx(['local', 'import', 'shipments', '-'], { input: JSON.stringify(signed) })
    const made = await own.shipx(['local', 'return', 'create', number.slice(1), '--ids', '-q'])
    expect([made.exit, made.stdout.trim() !== '']).toEqual([0, true])
    own.remove()
  })

  test('two returns of the same items would pick up and refund twice: the second is refused', async () => {
    const own = sandbox()
    const { attributes } = signed
    const items = ['A-1', 'B-2'].map((sku) => ({ sku, name: sku, quantity: 1, price: 10 }))
    const input = JSON.stringify({ ...signed, attributes: { ...attributes, items } })
    await own.shipx(['local', 'import', 'shipments', '-'], { input })
    const make = (...more: readonly string[]) => own.shipx(['local', 'return', 'create', number.slice(1), ...more])
    const refusal = async (...more: readonly string[]): Promise<readonly unknown[]> => {
      const { exit, stderr } = await make(...more, '--json')
      const { code, message, hint } = (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: Refusal }).error
      return [exit, code, message, hint]
    }
    const one = (await make('--sku', 'A-1', '--csv', '--fields', 'display_id')).stdout.trim().split('\n').at(-1)!
    expect(one).toMatch(/^RT-\d+$/)
    const has = `${number} has a return of`
    expect(await refusal()).toEqual([5, 'wrong_state', `${has} A-1 already: ${one}`, 'for the other items: --sku B-2'])
    const same = [5, 'wrong_state', `${has} these items already: ${one}`, `shipx returns get ${one}`]
    expect(await refusal('--sku', 'A-1')).toEqual(same)
    expect(await refusal('--sku', 'A-1', '--dry-run')).toEqual(same)
    expect((await make('--sku', 'B-2')).exit).toBe(0)
    await own.shipx(['local', 'return', 'update', one, '--status', 'return_cancelled'])
    expect((await make('--sku', 'A-1')).exit).toBe(0)
    own.remove()
  })
})

interface Refusal {
  readonly code: string
  readonly message: string
  readonly hint: string
}

test('a return is found by its number with and without the sign', { tags: ['full'] }, async () => {
  const { id, attributes } = returns[7]!
  for (const [, env] of sources)
    for (const name of [attributes.display_id!, `#${attributes.display_id!}`, id])
      expect(await ids(env, 'returns', 'get', name)).toBe(id)
})

test('a name that nothing has is named as it was typed', { tags: ['full'] }, async () => {
  for (const [, env] of sources) {
    const { stderr, exit } = await box.shipx(['shipments', 'get', '#nobody'], { env })
    expect([exit, stderr.includes('#nobody')]).toEqual([3, true])
  }
})

test('a search for a phone with +91, a 0 or a dash found nothing', async () => {
  const phone = signed.attributes.shipping_address!.phone!
  const cut = `${phone.slice(0, 5)}-${phone.slice(5)}`
  for (const [, env] of sources)
    for (const typed of [`0${phone}`, cut, `+91 ${cut.replace('-', ' ')}`])
      expect(await ids(env, 'shipments', 'list', '--search', typed)).toBe(signed.id)
})

test('an AWB or an order copied from a spreadsheet as ="…" was not found', async () => {
  const awb = bare.attributes.tracking_number!
  const env = sources[0]![1]
  for (const [command, name] of [
    ['shipments get', awb],
    ['track', awb],
    ['shipments list --awb', awb],
    ['shipments list --awb', `="${awb}",`],
    ['shipments get', bare.attributes.order!.display_id!],
  ] as const) {
    const given = name.startsWith('=') ? name : `="${name}"`
    const { exit, stdout, stderr } = await box.shipx([...command.split(' '), given], { env })
    expect([command, exit, stderr, stdout]).toEqual([command, 0, expect.anything(), expect.stringContaining(awb)])
  }
})

test('a look-up of many names that failed part-way left JSON cut, and found records unprinted', async () => {
  const remote = await startStandIn()
  try {
    const awbs = [...remote.texts('shipments').values()].map((text) => {
      const { attributes } = JSON.parse(text) as { attributes: { tracking_number: string | null } }
      return attributes.tracking_number
    })
    const asked = awbs.filter((awb) => awb !== null).slice(0, 32)
    box.file('asked.csv', `awb\n${asked.join('\n')}\n`)
    remote.switches.trouble = ({ body }) =>
      JSON.stringify(body).includes(asked[30]!)
        ? { kind: 'answer', status: 403, body: '{"status":0,"message":"no more"}' }
        : undefined
    const env = { SHIPX_API_KEY: remote.key }
    const get = (...more: readonly string[]) =>
      box.shipx(['shipments', 'get', '--file', 'asked.csv', '--base-url', remote.url, ...more], { env })
    const json = await get('--json')
    const { data } = JSON.parse(json.stdout) as { data: readonly { attributes: { tracking_number: string } }[] }
    expect(data.map(({ attributes }) => attributes.tracking_number)).toEqual(asked.slice(0, 30))
    expect([json.exit, json.stderr]).toEqual([4, expect.stringContaining('; the 30 names before it are answered"')])
    expect((await get('--tsv', '--fields', 'awb', '--no-header')).stdout.trim().split('\n')).toEqual(asked.slice(0, 30))
    box.file('asked.csv', `awb\nNOSUCHAWB\n${asked.join('\n')}\n`)
    expect((await get('--json')).stderr).toContain('1 of 31 shipments not found')
    // A file is written whole or not at all.
    const file = await get('--xlsx', 'asked.xlsx')
    expect([file.exit, existsSync(join(box.folder, 'asked.xlsx'))]).toEqual([4, false])
    remote.switches.trouble = () => ({ kind: 'answer', status: 403, body: '{}' })
    const none = await get('--json')
    expect([none.exit, none.stdout]).toEqual([4, ''])
  } finally {
    await remote.close()
  }
})
