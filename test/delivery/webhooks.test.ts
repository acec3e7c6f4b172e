// Defends messages on the command line: status webhooks, settings, listings, the service that delivers; that no secret is shown
// again; and that kills lose nothing.
// @module-tag full: waits for retries, deadlines and processes that are killed
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEngine, openPostgresEngine, type TestEngine } from '../support/engine.ts'
import { rows } from '../../src/engine/database/port.ts'
import { startMailbox } from '../support/mailbox.ts'
import { answering, startReceiver, type Receiver } from '../support/receiver.ts'
import { sandbox, type Sandbox, type Outcome } from '../support/sandbox.ts'
import { parcel } from '../support/deliveries.ts'
import { Webhook } from 'standardwebhooks'

let bench: Sandbox
let receiver: Receiver
beforeAll(() => {
  bench = sandbox()
})
afterAll(() => bench.remove())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const json = ({ stdout }: Outcome): Record<string, unknown> =>
  (JSON.parse(stdout) as { data: Record<string, unknown> }).data
const records = ({ stdout }: Outcome) => (JSON.parse(stdout) as { data: readonly Record<string, unknown>[] }).data

/** A database with parcels, for commands whose clock stands in September 2026. */
async function databaseWith(count: number): Promise<{ readonly db: string; readonly ids: readonly string[] }> {
  const db = `${bench.folder}/${randomUUID()}.sqlite`
  const engine = await openEngine(db)
  const ids = Array.from({ length: count }, (_, n) => `p${n}`)
  await engine.save(
    'shipment',
    ids.map((id) => parcel(id)),
  )
  await engine.close()
  return { db, ids }
}

const scans = (ids: readonly string[], event: string, at: string): string =>
  `tracking_number,event,at,event_id\n${ids.map((id) => `AWB${id},${event},${at},${id}-${event}`).join('\n')}\n`

test('status webhooks: each gets every change, signed, with its key; a lost one is told again', async () => {
  const { db } = await databaseWith(2)
  const run = (...args: readonly string[]) => bench.shipx([...args, '--db', db])
  const other = await startReceiver()
  const first = json(
    await bench.shipx(['webhooks', 'set', receiver.url, '--allow-private', '--api-key-stdin', '--json', '--db', db], {
      input: 'key-of-the-shop\n',
    }),
  )
  const second = await run('webhooks', 'set', other.url, '--allow-private')
  expect(second.stdout).toMatch(/^whsec_\S+\n$/)
  expect(first).toMatchObject({ secret: `…${String(first['signing_secret']).slice(-4)}`, api_key: '…shop' })
  await run('local', 'track', 'AWBp0', 'picked_up', '--event-id', 'e1')
  await run('local', 'track', 'AWBp0', 'out_for_delivery', '--event-id', 'e2')
  other.behave(answering(500))
  const delivered = await run('messages', 'deliver', '--allow-private', '--json')
  expect([delivered.exit, json(delivered)]).toEqual([7, { sent: 2, failed: 1, parked: 0, expired: 0, waiting: 4 }])
  expect(delivered.stderr).toMatch(/^! \S+ of AWBp0: answered 500\n$/)
  expect(receiver.posts.map(({ json: { event, data } }) => [event, data['status']])).toEqual([
    ['status_change', 'in_transit'],
    ['status_change', 'out_for_delivery'],
  ])
  for (const post of receiver.posts) {
    receiver.verify(post, String(first['signing_secret']))
    expect(post.headers['x-api-key']).toBe('key-of-the-shop')
  }
  expect(JSON.parse(receiver.posts[1]!.body)).toMatchObject({
    event: 'status_change',
    event_id: 'e2',
    data: { shipment_id: 'p0', tracking_number: 'AWBp0', order_display_id: 'ORDER-p0', shipment_type: 'forward' },
  })
  other.behave(answering(200))
  const later = await bench.shipx(['messages', 'deliver', '--allow-private', '--json', '--db', db], {
    env: { SHIPX_NOW: '2026-09-29T08:31:00Z' },
  })
  expect(json(later)).toMatchObject({ sent: 2, waiting: 2 })
  expect(other.posts.map(({ json: { data } }) => data['status'])).toEqual([
    'in_transit',
    'in_transit',
    'out_for_delivery',
  ])
  expect(other.posts[0]!.id).toBe(other.posts[1]!.id)
  for (const post of other.posts) other.verify(post, second.stdout.trim())
  expect(other.posts[0]!.headers).not.toHaveProperty('x-api-key')

  // Set again it keeps its secret, and nothing shows it.
  const again = await run('webhooks', 'set', other.url, '--allow-private', '--json')
  expect(json(again)).not.toHaveProperty('signing_secret')
  const shown = [
    await run('webhooks', 'list'),
    await run('webhooks', 'list', '--json'),
    await run('messages', 'list', '--json'),
    await run('webhooks', 'test', '--allow-private', '--debug'),
  ]
  for (const { stdout, stderr } of shown)
    for (const text of [String(first['signing_secret']), second.stdout.trim(), 'key-of-the-shop'])
      expect(stdout + stderr).not.toContain(text)
  expect(shown[3]!.exit).toBe(0)
  expect(receiver.posts.at(-1)!.json.event).toBe('test')

  await run('local', 'track', 'AWBp1', 'picked_up', '--event-id', 'e3')
  expect((await run('webhooks', 'remove', String(first['id']), '--yes')).exit).toBe(0)
  expect((await run('webhooks', 'remove', String(first['id']), '--yes')).exit).toBe(3)
  expect(
    records(await run('messages', 'list', '--channel', 'webhook', '--status', 'cancelled', '--json')),
  ).toMatchObject([{ webhook: first['id'], step: 'status', order_id: 'ORDER-p1' }])
  await other.close()
})

test('a receiver that takes more than 5 seconds has failed', async () => {
  const { db } = await databaseWith(1)
  await bench.shipx(['webhooks', 'set', receiver.url, '--allow-private', '--db', db])
  receiver.behave(() => undefined)
  const { exit, stdout } = await bench.shipx(['webhooks', 'test', '--allow-private', '--json', '--db', db])
  expect(exit).toBe(7)
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ ok: false, error: 'no answer within 5 s' }] })
})

test('settings, listings, retries and opt-outs', async () => {
  const { db, ids } = await databaseWith(4)
  const run = (...args: readonly string[]) => bench.shipx([...args, '--db', db])
  expect(await run('messages', 'deliver')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('shipx messages set --gateway'),
  })
  expect((await run('messages', 'set', '--gateway', 'http://127.0.0.1/')).exit).toBe(2)
  const set = await run('messages', 'set', '--gateway', receiver.url, '--allow-private')
  const secret = set.stdout.trim()
  expect(secret).toMatch(/^whsec_/)
  expect((await run('messages', 'set', '--smtp', 'smtp://u:secret-pass@mail.example')).stderr).not.toContain(
    'secret-pass',
  )
  expect(
    (
      await bench.shipx(['messages', 'set', '--smtp-stdin', '--from', 'Acme <a@acme.example>', '--db', db], {
        input: 'smtp://u:secret-pass@mail.example\n',
      })
    ).exit,
  ).toBe(0)
  const kept = await run('messages', 'set', '--json')
  expect(json(kept)).toEqual({
    gateway: receiver.url,
    secret: `…${secret.slice(-4)}`,
    smtp: 'smtp://u@mail.example:587',
    from: 'Acme <a@acme.example>',
  })
  await bench.shipx(['local', 'track', '--file', '-', '--yes', '--db', db], {
    input: scans(ids, 'picked_up', '2026-09-29 12:00'),
  })
  receiver.behave(answering(500))
  for (let n = 0; n < 10; n++) {
    const SHIPX_NOW = new Date(Date.parse('2026-09-29T08:30:00Z') + n * 10 * 60_000).toISOString()
    await bench.shipx(['messages', 'deliver', '--allow-private', '--db', db], { env: { SHIPX_NOW } })
  }
  const failed = records(await run('messages', 'list', '--failed', '--json'))
  expect(failed.map(({ status, attempts }) => [status, attempts])).toEqual(ids.map(() => ['parked', 10]))
  const [third] = records(await run('messages', 'list', '--tracking-number', 'AWBp3', '--json'))
  expect(third).toMatchObject({
    id: expect.any(String),
    step: 'shipped',
    order_id: 'ORDER-p3',
    tracking_number: 'AWBp3',
    store_name: 'acme',
    brand_name: null,
    channel: 'text',
    status: 'parked',
    error: 'answered 500',
    created_at: '2026-09-29T08:30:00.000Z',
  })
  const table = await bench.shipx(['messages', 'list', '--db', db], { env: { SHIPX_FORCE_TTY: '200' } })
  expect(table.stdout).toContain('+91 98••••••10')
  expect(table.stdout).not.toContain('9876543210')
  const [one] = records(await run('messages', 'list', '--tracking-number', 'AWBp1', '--json'))
  const id = String(one!['id'])
  expect(json(await run('messages', 'show', id, '--json'))).toMatchObject({
    id,
    facts: { step: 'shipped', order: 'ORDER-p1' },
  })
  expect(await run('messages', 'show', 'nobody')).toMatchObject({ exit: 3 })
  expect(await run('messages', 'cancel', id)).toMatchObject({ exit: 0 })
  expect(await run('messages', 'cancel', id)).toMatchObject({ exit: 5 })
  receiver.behave(answering(200))
  expect(await run('messages', 'retry', id, 'nobody')).toMatchObject({ exit: 7 })
  expect(json(await run('messages', 'deliver', '--allow-private', '--json'))).toMatchObject({ sent: 1 })
  receiver.verify(receiver.posts.at(-1)!, secret)
  expect(await run('messages', 'retry', id)).toMatchObject({ exit: 5, stderr: expect.stringContaining('is sent') })
  expect(json(await run('messages', 'optout', 'add', '098765 43210', '--json'))).toMatchObject({
    phone: '+919876543210',
  })
  expect((await run('messages', 'optout', 'list')).stdout).toMatch(/^\+919876543210\t/)
  expect(await run('messages', 'optout', 'add', 'x')).toMatchObject({ exit: 2 })
  expect(await run('messages', 'optout', 'remove', '9876543210')).toMatchObject({ exit: 0 })
  expect(await run('messages', 'optout', 'remove', '9876543210')).toMatchObject({ exit: 3 })
})

test('e-mails go by the mail server of the environment, whose password nothing shows', async () => {
  const { db } = await databaseWith(1)
  const mailbox = await startMailbox()
  await bench.shipx(['local', 'track', 'AWBp0', 'picked_up', '--db', db])
  const engine = await openEngine(db)
  const text = 'update messages set channel = ?, email = ? where account_id = ?'
  await engine.database.write(() => rows({ sql: text, text, values: ['email', 'asha@example.com', engine.account] }))
  await engine.close()
  const env = { SHIPX_SMTP: `smtp://shop:wrong-word@127.0.0.1:${mailbox.port}` }
  const args = ['messages', 'deliver', '--from', 'Acme <orders@acme.example>', '--allow-private', '--debug', '--db', db]
  const refused = await bench.shipx(args, { env })
  expect(refused.exit).toBe(7)
  expect(refused.stderr).toContain('the mail server refused the user or the password')
  expect(refused.stdout + refused.stderr).not.toContain('wrong-word')
  const right = { SHIPX_SMTP: env.SHIPX_SMTP.replace('wrong-word', 'right'), SHIPX_NOW: '2026-09-29T08:31:00Z' }
  expect((await bench.shipx(args, { env: right })).exit).toBe(0)
  expect(mailbox.mails).toMatchObject([{ from: 'orders@acme.example', to: ['asha@example.com'], user: 'shop' }])
  await mailbox.close()
})

/** Starts workers as processes, and what they came to. */
const deliverers = (count: number, args: readonly string[], env: Readonly<Record<string, string>>) =>
  Promise.all(
    Array.from({ length: count }, () =>
      bench.shipx(['messages', 'deliver', '--gateway', receiver.url, '--allow-private', '--json', ...args], { env }),
    ),
  )

const secretOf = { SHIPX_GATEWAY_SECRET: 'whsec_c2hpcHgtdGVzdHMtc2hpcHgtdGVzdHMtc2hpcHg=' }

describe.each(['SQLite', 'PostgreSQL'] as const)('processes on %s', (name) => {
  let close: () => Promise<void> = async () => undefined
  let env: Readonly<Record<string, string>> = {}
  afterEach(() => close())
  async function parcels(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, (_, n) => `p${n}`)
    const path = `${bench.folder}/${randomUUID()}.sqlite`
    const engine: TestEngine & { readonly url?: string } =
      name === 'SQLite' ? await openEngine(path) : await openPostgresEngine()
    await engine.save(
      'shipment',
      ids.map((id) => parcel(id)),
    )
    env = { ...secretOf, ...(engine.url === undefined ? { SHIPX_DB: path } : { SHIPX_DATABASE_URL: engine.url }) }
    if (engine.url === undefined) await engine.close()
    else close = () => engine.close()
    return ids
  }

  test('three of them send each message once', async () => {
    const ids = await parcels(400)
    await bench.shipx(['local', 'track', '--file', '-', '--yes'], {
      env,
      input: scans(ids, 'picked_up', '2026-09-29 12:00'),
    })
    receiver.behave((_, answer) => void setTimeout(() => answer.end(), 20))
    const done = await deliverers(3, [], env)
    expect(done.map(({ exit, stderr }) => [exit, stderr])).toEqual(done.map(() => [0, '']))
    expect(done.reduce((sum, outcome) => sum + Number(json(outcome)['sent']), 0)).toBe(400)
    expect(receiver.posts).toHaveLength(400)
    expect(receiver.repeated()).toEqual([])
    for (const post of receiver.posts)
      new Webhook(secretOf.SHIPX_GATEWAY_SECRET).verify(post.body, post.headers as Record<string, string>)
  })

  test('kill -9 anywhere between the step and what is written of its delivery loses nothing', async () => {
    const ids = await parcels(300)
    const file = bench.file('scans.csv', scans(ids, 'picked_up', '2026-09-29 12:00'))
    const killed = (args: readonly string[], when: (kill: () => void) => void, now: string): Promise<Outcome> => {
      const { child, ended } = bench.begin(args, { env: { ...env, SHIPX_NOW: now } })
      when(() => void child.kill('SIGKILL'))
      return ended
    }
    // In the middle of the steps, and then the rest of them.
    for (const ms of [250, 350, 450, 600])
      await killed(
        ['local', 'track', '--file', file, '--yes'],
        (kill) => void setTimeout(kill, ms),
        '2026-09-29T08:30:00Z',
      )
    await bench.shipx(['local', 'track', '--file', file, '--yes'], { env })
    const all = records(await bench.shipx(['messages', 'list', '--all', '--json'], { env }))
    expect(all).toHaveLength(300)
    expect(new Set(all.map(({ tracking_number }) => tracking_number)).size).toBe(300)
    // Claimed and not sent, sent and not answered, answered and not written down.
    const deliver = ['messages', 'deliver', '--gateway', receiver.url, '--allow-private']
    let kill: () => void = () => undefined
    let [calls, at, when] = [0, 1, 'before']
    receiver.behave((_, answer) => {
      calls++
      if (calls === at && when === 'before') return kill()
      answer.end()
      if (calls === at) setTimeout(kill, 3)
    })
    let minutes = 31
    for (const [many, how] of [
      [1, 'before'],
      [5, 'before'],
      [1, 'after'],
      [20, 'after'],
      [33, 'after'],
      [40, 'before'],
    ] as const) {
      // prettier-ignore
      ;[calls, at, when] = [0, many, how]
      const { exit } = await killed(deliver, (end) => (kill = end), `2026-09-29T08:${minutes}:30Z`)
      expect(exit).toBe('SIGKILL')
      minutes += 2
    }
    calls = -1_000_000
    expect(
      (await bench.shipx([...deliver, '--json'], { env: { ...env, SHIPX_NOW: `2026-09-29T08:${minutes}:30Z` } })).exit,
    ).toBe(0)
    const after = records(await bench.shipx(['messages', 'list', '--all', '--json'], { env }))
    expect(after.every(({ status }) => status === 'sent')).toBe(true)
    // Nothing is lost, and what came twice came under one id.
    expect(new Set(receiver.posts.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)))
    const parcelsOf = new Map<string, Set<unknown>>()
    for (const {
      id,
      json: { data },
    } of receiver.posts)
      parcelsOf.set(id, (parcelsOf.get(id) ?? new Set()).add(data['tracking_number']))
    expect([...parcelsOf.values()].every(({ size }) => size === 1)).toBe(true)
    expect(receiver.repeated().length).toBeGreaterThan(0)
  })
})

test('Ctrl-C and SIGTERM finish what is under way', async () => {
  const { db, ids } = await databaseWith(200)
  await bench.shipx(['local', 'track', '--file', '-', '--yes', '--db', db], {
    input: scans(ids, 'picked_up', '2026-09-29 12:00'),
  })
  for (const [signal, args, exit] of [
    ['SIGINT', [], 130],
    ['SIGTERM', ['--watch'], 0],
  ] as const) {
    // prettier-ignore
    let end: () => void = () => undefined
    const from = receiver.posts.length
    receiver.behave((_, answer, n) => {
      if (n === from + 20) end()
      setTimeout(() => answer.end(), 100)
    })
    const { child, ended } = bench.begin(
      ['messages', 'deliver', '--gateway', receiver.url, '--allow-private', '--db', db, ...args],
      { env: secretOf },
    )
    end = () => void child.kill(signal)
    expect((await ended).exit).toBe(exit)
    const sent = records(await bench.shipx(['messages', 'list', '--status', 'sent', '--all', '--json', '--db', db]))
    expect(sent).toHaveLength(receiver.posts.length)
    expect(sent.length).toBeLessThan(200)
  }
  expect(receiver.repeated()).toEqual([])
})

test('messages that were made before delivery was set up reach no phone because it was set up afterwards', async () => {
  const { db, ids } = await databaseWith(4)
  const run = (...args: readonly string[]) => bench.shipx([...args, '--db', db])
  const statuses = async () => records(await run('messages', 'list', '--json')).map(({ status }) => status)
  await bench.shipx(['local', 'track', '--file', '-', '--yes', '--db', db], {
    input: scans(ids, 'picked_up', '2026-09-29 12:00'),
  })
  // A sender without a server reaches nobody, and changes nothing.
  await run('messages', 'set', '--from', 'Acme <a@acme.example>')
  expect(await statuses()).toEqual(ids.map(() => 'waiting'))
  const set = await run('messages', 'set', '--gateway', receiver.url, '--allow-private')
  expect(set.stderr).toContain('4 messages from before delivery was set up will not be sent')
  const expired = records(await run('messages', 'list', '--failed', '--json'))
  expect(expired.map(({ status, error }) => [status, error])).toEqual(
    ids.map(() => ['expired', 'not sent: delivery was not set up when it was made']),
  )
  expect((await run('messages', 'deliver', '--allow-private', '--json')).exit).toBe(0)
  expect(receiver.posts).toHaveLength(0)
  // What happens from now on goes, also when the gateway moves; and one of the old ones when somebody asks for it.
  await run('local', 'track', 'AWBp0', 'out_for_delivery')
  await run('messages', 'set', '--gateway', `${receiver.url}/moved`, '--allow-private')
  await run('messages', 'retry', String(expired[0]!['id']))
  expect((await run('messages', 'deliver', '--allow-private', '--json')).exit).toBe(0)
  expect(receiver.posts).toHaveLength(2)
  // Without a way again, what is made meanwhile waits for none.
  await run('messages', 'set', '--gateway', 'none')
  await run('local', 'track', 'AWBp1', 'out_for_delivery')
  await run('messages', 'set', '--gateway', receiver.url, '--allow-private')
  await run('messages', 'deliver', '--allow-private')
  expect(receiver.posts).toHaveLength(2)
})

test('the service delivers for all accounts beside its requests', async () => {
  const { db, ids } = await databaseWith(20)
  await bench.shipx(['messages', 'set', '--gateway', receiver.url, '--allow-private', '--db', db])
  await bench.shipx(['local', 'track', '--file', '-', '--yes', '--db', db], {
    input: scans(ids, 'picked_up', '2026-09-29 12:00'),
  })
  const served = bench.begin(['serve', '--port', '0', '--deliver', '--allow-private', '--quiet', '--db', db])
  await expect.poll(() => receiver.posts.length, { timeout: 30_000 }).toBe(20)
  // A parcel that moves while it runs, and a webhook that is set while it runs.
  await bench.shipx(['webhooks', 'set', receiver.url, '--allow-private', '--db', db])
  await bench.shipx(['local', 'track', 'AWBp0', 'out_for_delivery', '--db', db])
  await expect.poll(() => receiver.posts.length, { timeout: 30_000 }).toBe(22)
  served.child.kill('SIGTERM')
  expect((await served.ended).exit).toBe(0)
  expect(receiver.repeated()).toEqual([])
})
