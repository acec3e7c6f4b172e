// Defends `shipx listen` where webhooks alone are not enough: an account that is away, more records than the inbox holds, more
// senders than it has room for; and returns.
import { hash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Inbox } from '../../src/cli/commands/listen/inbox.ts'
import { startReceiver } from '../../src/cli/commands/listen/receiver.ts'
import type { Hint } from '../../src/cli/commands/listen/hint.ts'
import { signatureHeaders } from '../../src/delivery/signature.ts'
import { openEngine, testHost } from '../support/engine.ts'
import { startStandIn, type StandIn, type Trouble } from '../support/foreigndeployment.ts'
import { sandbox, type Running, type Sandbox } from '../support/sandbox.ts'

const secret = 'whsec_c2hpcHgtdGVzdHMtc2hpcHgtdGVzdHMtc2hpcHg='
const made = Date.parse('2026-09-20T06:00:00Z')

let box: Sandbox
let remote: StandIn
let running: Running | undefined
beforeEach(async () => {
  box = sandbox()
  remote = await startStandIn({ shipments: 3, returns: 3 })
})
afterEach(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = undefined
  await remote.close()
  box.remove()
})

const env = (): Record<string, string> => ({
  SHIPX_BASE_URL: remote.url,
  SHIPX_API_KEY: remote.key,
  SHIPX_WEBHOOK_SECRET: secret,
})

async function until(found: () => boolean, why: () => string): Promise<void> {
  for (let n = 0; n < 1200; n++) {
    if (found()) return
    await wait(50)
  }
  throw new Error(`it did not come to that: ${why()}`)
}

/** A listener that has pulled. */
async function listener(): Promise<{ url: string; out: () => string; err: () => string; pulls: () => number }> {
  const begun = box.begin(['listen', '--port', '0', '--json', '--max-rps', '1000'], { env: env() })
  running = begun
  let [out, err] = ['', '']
  begun.child.stdout.on('data', (text: string) => (out += text))
  begun.child.stderr.on('data', (text: string) => (err += text))
  const pulls = (): number => (out.match(/"event":"pull"/g) ?? []).length
  await until(
    () => pulls() > 0,
    () => err,
  )
  return { url: /"url":"([^"]+)"/.exec(out)![1]!, out: () => out, err: () => err, pulls }
}

const bodyFor = (awb: string, type = 'forward'): string =>
  JSON.stringify({
    event: 'status_change',
    event_id: awb,
    event_timestamp: '2026-09-29T08:00:00.000Z',
    data: { shipment_id: null, tracking_number: awb, status: 'delivered', shipment_type: type },
  })

const post = async (url: string, body: string): Promise<number> => {
  const headers = signatureHeaders(secret, hash('sha256', body), Date.now(), body)
  return (await fetch(url, { method: 'POST', body, headers })).status
}

/** The account answers every question with 503. */
const away = (): Trouble => ({ kind: 'answer', status: 503, body: '{"message":"maintenance"}' })

async function local(...args: readonly string[]): Promise<string> {
  return (await box.shipx([...args, '--local', '--json'], { env: env() })).stdout
}

test(
  'while the account answers 503 the record waits, and comes once the account is back',
  { tags: ['full'] },
  async () => {
    remote.put('shipments', 'S-1', made, { tracking_number: 'AWAY1', status: 'in_transit' })
    const { url, out, err, pulls } = await listener()
    remote.put('shipments', 'S-1', made, { tracking_number: 'AWAY1', status: 'delivered' })
    remote.switches.trouble = away
    expect(await post(url, bodyFor('AWAY1'))).toBe(204)
    await until(() => /! .*; next try in 1 s; 1 named by webhooks wait/.test(err()), err)
    expect(out()).not.toContain('"update"')
    remote.switches.trouble = () => undefined
    await until(() => /"update".*"AWAY1".*"delivered"/.test(out()), err)
    // The record itself was asked for: the copy has no gap that only a pull would find.
    expect(pulls()).toBe(1)
  },
)

test(
  'of 2,030 records that change while the account answers 503 none is missing after it',
  { tags: ['full'] },
  async () => {
    const names = Array.from({ length: 2030 }, (_, n) => `MANY${String(n).padStart(4, '0')}`)
    const { url, err, pulls } = await listener()
    remote.switches.trouble = away
    for (const name of names) remote.put('shipments', name, made, { tracking_number: name, status: 'delivered' })
    for (let at = 0; at < names.length; at += 50) {
      const answers = await Promise.all(names.slice(at, at + 50).map((name) => post(url, bodyFor(name))))
      expect(new Set(answers)).toEqual(new Set([204]))
    }
    await until(() => err().includes('2000 named by webhooks wait'), err)
    remote.switches.trouble = () => undefined
    await until(() => pulls() > 1, err)
    const found = JSON.parse(await local('shipments', 'list', '--per-page', '1')) as { meta: { total: number } }
    expect(found.meta.total).toBe(2033)
  },
)

test('a webhook about a return brings the return, not a shipment of the same name', { tags: ['full'] }, async () => {
  const shipment = { tracking_number: 'SAME1' }
  remote.put('shipments', 'S-1', made, { ...shipment, status: 'delivered' })
  remote.put('returns', 'R-1', made, { shipment, status: 'return_created' })
  const { url, out, err } = await listener()
  remote.put('shipments', 'S-1', made, { ...shipment, status: 'lost' })
  remote.put('returns', 'R-1', made, { shipment, status: 'return_delivered' })
  expect(await post(url, bodyFor('SAME1', 'return'))).toBe(204)
  await until(() => out().includes('"update"'), err)
  const updates = out()
    .split('\n')
    .filter((line) => line.includes('"update"'))
  expect(updates.map((line) => JSON.parse(line) as object)).toMatchObject([
    { kind: 'returns', id: 'R-1', tracking_number: 'SAME1', status: 'return_delivered', outcome: 'updated' },
  ])
  expect(await local('returns', 'get', 'R-1')).toContain('return_delivered')
  expect(await local('shipments', 'get', 'S-1')).toContain('"delivered"')
})

test('the 2,001st record that waits is not kept, and the pull that makes it good is noted on the disk', async () => {
  const engine = await openEngine(':memory:', testHost())
  try {
    const place = { database: engine.database, account: engine.account, now: () => made, wake: () => undefined }
    const hint = (n: number): Hint => ({ kind: 'shipments', id: `id-${n}`, awb: null, order: null })
    const inbox = await Inbox.open(place)
    await Promise.all(Array.from({ length: 2000 }, (_, n) => inbox.add(hint(n))))
    // One that waits already takes no second place.
    await inbox.add(hint(7))
    expect([inbox.size, inbox.mark.pull]).toEqual([2000, false])
    await inbox.add(hint(2000))
    expect([inbox.size, inbox.mark.pull]).toEqual([2000, true])
    const next = await Inbox.open(place)
    expect([next.size, next.mark.pull]).toEqual([2000, true])
    // A pull that began before another one was dropped does not make that one good.
    const { turn } = next.mark
    await next.add(hint(2001))
    await next.pulled(turn)
    expect(next.mark.pull).toBe(true)
    await next.pulled(next.mark.turn)
    expect((await Inbox.open(place)).mark.pull).toBe(false)
  } finally {
    await engine.close()
  }
})

test('the 257th connection is closed; the others stay, and a sender that comes again is answered', async () => {
  const receiver = await startReceiver({ host: '127.0.0.1', port: 0, path: '/webhooks' }, async () => ({ status: 204 }))
  const sockets: Socket[] = []
  const open = async (): Promise<boolean> => {
    const socket = connect(receiver.port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined).write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n')
    return new Promise((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
  }
  const answered = async (many: number): Promise<number> =>
    (await Promise.all(Array.from({ length: many }, open))).filter(Boolean).length
  try {
    expect(await answered(256)).toBe(256)
    expect(await answered(20)).toBe(0)
    expect(sockets.slice(0, 256).filter(({ destroyed }) => destroyed)).toEqual([])
    for (const socket of sockets.slice(0, 10)) socket.destroy()
    for (let n = 0; n < 100 && !(await open()); n++) await wait(20)
    expect(await open()).toBe(true)
  } finally {
    for (const socket of sockets) socket.destroy()
    await receiver.close()
  }
})
