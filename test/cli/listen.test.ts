// Defends `shipx listen`: who may post, what each bad post is answered, that what was answered is kept, that an older webhook
// undoes nothing, that posts are handed on, and that secrets are in no output.
import { hash } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../src/delivery/signature.ts'
import { parcel } from '../support/deliveries.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { freePort } from '../support/processes.ts'
import { answering, startReceiver } from '../support/receiver.ts'
import { sandbox, type Running, type Sandbox } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'

const secret = 'whsec_c2hpcHgtdGVzdHMtc2hpcHgtdGVzdHMtc2hpcHg='
const other = 'whsec_b3RoZXItdGVzdHMtb3RoZXItdGVzdHMtb3RoZXI='
const apiKey = 'agreed-with-the-service'

let box: Sandbox
let service: TestService
let running: Running[]
beforeEach(async () => {
  box = sandbox()
  running = []
  service = await startService({ readers: 0 })
  await service.engine.save('shipment', [parcel('p1'), parcel('p2')])
})
afterEach(async () => {
  for (const one of running) one.child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await service.close()
  box.remove()
})

const env = (): Record<string, string> => ({
  SHIPX_BASE_URL: service.url,
  SHIPX_API_KEY: service.key,
  SHIPX_WEBHOOK_SECRET: secret,
})

/** A listener that has pulled. */
interface Listener extends Running {
  readonly url: string
  readonly out: () => string
  readonly err: () => string
}

async function listener(
  args: readonly string[] = [],
  own: Readonly<Record<string, string>> = {},
  ready = /"event":"pull"/,
): Promise<Listener> {
  const begun = box.begin(['listen', '--port', '0', '--json', ...args], { env: { ...env(), ...own } })
  running.push(begun)
  let [out, err] = ['', '']
  begun.child.stdout.on('data', (text: string) => (out += text))
  begun.child.stderr.on('data', (text: string) => (err += text))
  await until(
    () => ready.test(out),
    () => err,
  )
  return { ...begun, url: /"url":"([^"]+)"/.exec(out)![1]!, out: () => out, err: () => err }
}

async function until(found: () => boolean | Promise<boolean>, why: () => string = () => ''): Promise<void> {
  for (let n = 0; n < 300; n++) {
    if (await found()) return
    await wait(50)
  }
  throw new Error(`it did not come to that: ${why()}`)
}

const bodyFor = (id: string, status: string, more: object = {}): string =>
  JSON.stringify({
    event: 'status_change',
    event_id: `${id}-${status}`,
    event_timestamp: '2026-09-29T08:00:00.000Z',
    data: { shipment_id: id, tracking_number: `AWB${id}`, status, shipment_type: 'forward', ...more },
  })

const post = (
  url: string,
  body: string,
  { id = body, at = Date.now(), by = secret }: { id?: string; at?: number; by?: string } = {},
): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: signatureHeaders(by, hash('sha256', id), at, body) })

/** The status of a parcel in the mirror. */
async function mirrored(id: string): Promise<unknown> {
  const { stdout } = await box.shipx(['shipments', 'get', id, '--local', '--json'], { env: env() })
  return stdout === ''
    ? undefined
    : (JSON.parse(stdout) as { data: { attributes: { granular_status: string } } }).data.attributes.granular_status
}

const changes = (id: string, status: string): Promise<unknown> =>
  service.engine.save('shipment', [parcel(id, { status, granular_status: status } as never)])

test('a webhook brings the record of the service into the mirror, whatever it says itself', async () => {
  const { url, out, child, ended } = await listener()
  await changes('p1', 'delivered')
  // It is late: the parcel has been delivered since.
  expect((await post(url, bodyFor('p1', 'in_transit'))).status).toBe(204)
  await until(() => out().includes('"event":"update"'))
  expect(
    JSON.parse(
      out()
        .split('\n')
        .find((line) => line.includes('"update"'))!,
    ),
  ).toMatchObject({
    kind: 'shipments',
    id: 'p1',
    tracking_number: 'AWBp1',
    status: 'delivered',
    outcome: 'updated',
  })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ exit: 0, stderr: '' })
  expect(await mirrored('p1')).toBe('delivered')
})

test('each bad post has its answer, and none of them reaches the account', { tags: ['full'] }, async () => {
  const { url, out, err } = await listener()
  const asked = service.log.length
  const body = bodyFor('p1', 'delivered')
  const [status, said] = [
    async (answer: Promise<Response>): Promise<number> => (await answer).status,
    async (answer: Promise<Response>): Promise<string> => (await answer).text(),
  ]
  expect(await status(fetch(url, { method: 'POST', body }))).toBe(401)
  expect(await status(post(url, body, { by: other }))).toBe(401)
  const headers = signatureHeaders(secret, 'one', Date.now(), body)
  expect(await status(fetch(url, { method: 'POST', body: body.replace('p1', 'p2'), headers }))).toBe(401)
  expect(await status(fetch(url, { method: 'POST', body, headers: { ...headers, 'webhook-id': 'two' } }))).toBe(401)
  for (const ms of [-301_000, 301_000])
    expect(await said(post(url, body, { at: Date.now() + ms }))).toMatch(/five minutes/)
  for (const wrong of ['', '{', '[]', '"p1"', '{"event":"status_change","data":{}}', '{"a":1,"a":2}'])
    expect([wrong, await status(post(url, wrong, { id: 'x' }))]).toEqual([wrong, 400])
  expect(await status(post(url, bodyFor('p1', 'x'.repeat(70_000)), { id: 'x' }))).toBe(413)
  const put = await fetch(url, { method: 'PUT', body })
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await status(fetch(`${url}/more`, { method: 'POST', body }))).toBe(404)
  expect(await status(fetch(new URL('/live', url)))).toBe(200)
  // A test of the sender is sound, and names nothing.
  expect(await status(post(url, '{"event":"test","data":{}}', { id: 't' }))).toBe(204)
  await wait(300)
  expect(service.log).toHaveLength(asked)
  expect(out() + err()).not.toContain('"update"')
})

test(
  'a body without an end, without a length or too slow ends the connection, and others go on',
  { tags: ['full'] },
  async () => {
    const { url } = await listener()
    const { hostname, port } = new URL(url)
    const open = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let got = ''
        const socket = connect(Number(port), hostname, () => socket.write(text))
        const finish = (): void => resolve(got)
        socket
          .on('data', (bytes) => (got += bytes.toString('latin1')))
          .on('error', finish)
          .on('close', finish)
      })
    const head = `POST /webhooks HTTP/1.1\r\nHost: x\r\n`
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const slow = open(`${head}Content-Length: 100\r\n\r\n{`)
    const slowHead = open(head)
    expect(await open(`${head}Content-Length: 99999999\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    expect(await open(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`)).toMatch(/^HTTP\/1\.1 413 /)
    const idle = Array.from({ length: 100 }, () => open(''))
    expect((await post(url, bodyFor('p1', 'in_transit'))).status).toBe(204)
    expect(await slowHead).toMatch(/^HTTP\/1\.1 408 /)
    expect(await slow).toMatch(/^HTTP\/1\.1 408 /)
    expect(idle).toHaveLength(100)
  },
)

test('what was answered is kept over kill -9 while the service is away', { tags: ['full'] }, async () => {
  const first = await listener()
  await changes('p1', 'delivered')
  await service.app.close()
  expect((await post(first.url, bodyFor('p1', 'delivered'))).status).toBe(204)
  await until(() => /! .*next try in 1 s; 1 named by webhooks wait/.test(first.err()), first.err)
  first.child.kill('SIGKILL')
  await first.ended
  const folder = join(box.folder, 'data', 'mirrors')

  const database = driver(
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.sqlite'))!,
    ),
  )
  const { state } = database.prepare("select state from pulls where kind = 'hints'").get() as { state: string }
  database.close()
  expect(JSON.parse(state)).toMatchObject({ hints: [{ kind: 'shipments', id: 'p1' }] })
})

describe('--forward', () => {
  test(
    'hands each webhook on once, as it came, before it is answered; a failure is the sender’s to repeat',
    { tags: ['full'] },
    async () => {
      const receiver = await startReceiver(answering(500))
      const { url, err } = await listener(['--forward', receiver.url, '--allow-private'], {
        SHIPX_WEBHOOK_API_KEY: apiKey,
      })
      const body = bodyFor('p1', 'in_transit', { city: 'पुणे' })
      const send = (): Promise<Response> =>
        fetch(url, {
          method: 'POST',
          body,
          headers: { ...signatureHeaders(secret, 'm1', Date.now(), body), 'x-api-key': apiKey },
        })
      expect((await send()).status).toBe(502)
      receiver.behave(answering(204))
      // Two at once, and one after them.
      const twice = await Promise.all([send(), send()])
      expect([...twice, await send()].map(({ status }) => status)).toEqual([204, 204, 204])
      expect(receiver.posts.map(({ id, body: got }) => [id, got])).toEqual([
        ['m1', body],
        ['m1', body],
      ])
      receiver.verify(receiver.posts[1]!, secret)
      expect(receiver.posts[1]!.headers).not.toHaveProperty('x-api-key')
      expect(err()).toMatch(/handed on: answered 500/)
      await receiver.close()
    },
  )
})

test('a hostile name in a webhook or a record does nothing to the terminal', { tags: ['full'] }, async () => {
  await service.engine.save('shipment', [
    parcel('p3', { tracking_number: 'A\u001b[2J\u202eB', status: 'x\u009b1m' } as never),
  ])
  const plain = box.begin(['listen', '--port', String(await freePort()), '--table'], { env: env() })
  running.push(plain)
  let [out, err] = ['', '']
  plain.child.stdout.on('data', (text: string) => (out += text))
  plain.child.stderr.on('data', (text: string) => (err += text))
  await until(
    () => out.includes('pulled'),
    () => err,
  )
  const url = /http:\S+/.exec(err)![0]
  await service.engine.save('shipment', [
    parcel('p3', { tracking_number: 'A\u001b[2J\u202eB', granular_status: 'y\u009b1m' } as never),
  ])
  await post(url, bodyFor('p3', 'x'))
  // No service looks for such a name; and one that cannot be shown as it is.
  const named = { tracking_number: 'gone\u001b[31m', order_display_id: null }
  expect((await post(url, bodyFor('no\u001b]0;owned\u0007', 'x', named))).status).toBe(400)
  await post(url, bodyFor('no\u202eb', 'x', { tracking_number: 'gone\u202eb' }))
  await until(
    () => /no record/.test(err),
    () => `${out}${err}`,
  )
  expect(out).toContain('A\\u{1b}[2J')
  expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
})

test('secrets come from the environment or the profile, and are in no output', { tags: ['full'] }, async () => {
  const run = (args: readonly string[], own: Readonly<Record<string, string>> = {}, input = '') =>
    box.shipx(args, { env: { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key, ...own }, input })
  const none = await run(['listen', '--json'])
  expect([none.exit, none.stderr]).toEqual([2, expect.stringContaining('SHIPX_WEBHOOK_SECRET')])
  const bad = await run(['listen', '--json'], { SHIPX_WEBHOOK_SECRET: 'hunter2hunter2' })
  expect([bad.exit, bad.stderr.includes('hunter2')]).toEqual([2, false])
  expect((await run(['listen', '--unsigned', '--forward', 'https://a.example/x', '--json'])).exit).toBe(2)
  // On the command line it would be in the list of processes.
  const typed = await run(['profile', 'set', 'webhook_secret', other])
  expect([typed.exit, typed.stderr.includes(other.slice(6))]).toEqual([2, false])
  const set = await run(['profile', 'set', 'webhook_secret', '-'], {}, `${other}\n`)
  expect([set.exit, set.stderr]).toEqual([0, expect.stringContaining(`…${other.slice(-4)}`)])
  expect((await run(['profile', 'show', '--json'])).stdout).not.toContain(other.slice(6))
  // The profile's counts where the environment has none; both of two count while one is replaced.
  for (const both of ['', `${secret} ${other}`]) {
    const one = await listener(['--debug'], { SHIPX_WEBHOOK_SECRET: both })
    expect((await post(one.url, bodyFor('p2', 'in_transit'), { by: other })).status).toBe(204)
    one.child.kill('SIGINT')
    const { exit, stdout, stderr } = await one.ended
    expect(exit).toBe(0)
    for (const one of [secret, other, service.key]) expect(stdout + stderr).not.toContain(one.slice(6))
  }
  expect(readFileSync(join(box.folder, 'home', '.config', 'shipx', 'config.json'), 'utf8')).toContain(other)
})

test('a name that another service refuses stops neither the listener nor the others', { tags: ['full'] }, async () => {
  const remote = await startStandIn()
  const made = Date.parse('2026-09-20T06:00:00Z')
  remote.put('shipments', 'S-1', made, { tracking_number: 'LIKELY1', status: 'in_transit' })
  const there = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: remote.key }
  try {
    const { url, out, err } = await listener(['--max-rps', '100'], there)
    remote.put('shipments', 'S-1', made, { tracking_number: 'LIKELY1', status: 'delivered' })
    remote.switches.trouble = ({ body }) =>
      JSON.stringify(body ?? '').includes('UNLIKE8')
        ? { kind: 'answer', status: 422, body: '{"status":"ERROR","message":"no"}' }
        : undefined
    const named = (tracking_number: string): string => bodyFor('', 'delivered', { shipment_id: null, tracking_number })
    await Promise.all([post(url, named('UNLIKE8')), post(url, named('LIKELY1'))])
    await until(() => /"update".*"LIKELY1".*"delivered"/.test(out()) && /refuses to look for UNLIKE8/.test(err()), err)
  } finally {
    await remote.close()
  }
})

test('a parcel that the service does not have is asked for twice, and said once', { tags: ['full'] }, async () => {
  const { url, err } = await listener()
  expect((await post(url, bodyFor('p9', 'delivered'))).status).toBe(204)
  await until(() => /no record AWBp9, which a webhook named/.test(err()), err)
  await wait(300)
  expect(err().match(/no record/g)).toHaveLength(1)
})

test('after a time without a webhook it pulls what nobody told', { tags: ['full'] }, async () => {
  const { out } = await listener(['--pull-after', '10s'])
  await changes('p2', 'delivered')
  await until(() => (out().match(/"event":"pull"/g) ?? []).length > 1, out)
  expect(await mirrored('p2')).toBe('delivered')
})
