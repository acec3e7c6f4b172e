// LISTEN: a service's webhooks to `shipx listen` through cables that are cut, doubled, late and out of order, with a listener
// that is killed in between: at the end the mirror equals the service.
import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { signatureHeaders } from '../../src/delivery/signature.ts'
import { chanceOf } from '../support/chance.ts'
import { startCutter } from '../support/cuttingproxy.ts'
import { parcel } from '../support/deliveries.ts'
import { freePort } from '../support/processes.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { bareEnv, ended, firstUrl, importInto, shipx, start, startServing, type Serving } from './serving.ts'

/** The steps of each parcel; each is a webhook. */
const steps = ['picked_up', 'out_for_delivery', 'attempt_failed', 'reattempt', 'delivered']

const hour = 3_600_000

export const listening = (size: Size): Promise<Finding> =>
  timed(async () => {
    const parcels = Array.from({ length: share(size, 1000, 40) }, (_, n) => `p${n}`)
    const faults: string[] = []
    const serving = await startServing(['--rate-limit', '0', '--quiet', '--deliver', '--allow-private'], 20)
    const port = await freePort()
    // One cable for the webhooks, and one for what the listener asks.
    const hooks = await startCutter(`http://127.0.0.1:${port}`, { every: 4, seed: 3 })
    const asks = await startCutter(serving.url, { every: 6, seed: 5 })
    let listener: ChildProcess | undefined
    try {
      await importInto(
        serving,
        'default',
        'shipments',
        parcels.map((id) => parcel(id)),
      )
      const set = await serving.local('webhooks', 'set', `${hooks.url}/webhooks`, '--allow-private')
      const secret = set.stdout.trim()
      const { key } = await serving.keyOf('default')
      const env = { HOME: join(serving.folder), SHIPX_BASE_URL: asks.url, SHIPX_API_KEY: key }
      const listen = async (): Promise<ChildProcess> => {
        const words = [start, 'listen', '--port', String(port), '--json', '--pull-after', '1h']
        const child = spawn(process.execPath, words, {
          env: { ...bareEnv(), ...env, SHIPX_WEBHOOK_SECRET: secret },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        let said = ''
        child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
        await firstUrl(child, () => said)
        return child
      }
      listener = await listen()
      const chance = chanceOf(9)
      const groups = share(size, 20, 3)
      const pause = (hour * size * size) / (steps.length * groups)
      for (const [nth, step] of steps.entries()) {
        for (let group = 0; group < groups; group++) {
          const own = parcels.filter((_, n) => n % groups === group)
          await happens(serving, own, step)
          await wait(pause)
          // Webhooks of earlier steps come again, in any order, and some of them twice at once.
          const late = own.filter(() => chance() < 0.3).toReversed()
          for (const id of late) {
            const body = olderWebhook(id, steps[Math.floor(chance() * (nth + 1))]!)
            const headers = { ...signatureHeaders(secret, `late-${id}-${nth}`, Date.now(), body) }
            const post = (): Promise<unknown> =>
              fetch(`${hooks.url}/webhooks`, { method: 'POST', headers, body }).catch(() => undefined)
            await Promise.all(chance() < 0.5 ? [post()] : [post(), post()])
          }
          // It is killed where it stands, and comes back while the service goes on.
          if (nth % 2 === 1 && group === Math.floor(groups / 2)) {
            listener.kill('SIGKILL')
            await wait(500)
            listener = await listen()
          }
        }
      }
      const different = await settled(serving, env, key)
      if (different.length > 0) faults.push(`${different.length} records differ, ${different[0]!} first`)
      const cuts = [hooks, asks].reduce((sum, cutter) => sum + cutter.cuts().answered + cutter.cuts().begun, 0)
      const updates = parcels.length * steps.length
      if (cuts < updates / 20) faults.push(`only ${cuts} connections were cut`)
      return {
        row: 'LISTEN',
        what: `${updates} updates by webhook, cut, doubled and out of order, and a listener killed twice`,
        tried: updates,
        result: `${different.length} records differ; ${cuts} of ${hooks.exchanges() + asks.exchanges()} exchanges cut`,
        target: 'the mirror equals the service',
        faults: summed(faults),
      }
    } finally {
      if (listener !== undefined) await ended(listener)
      await Promise.all([hooks.close(), asks.close()])
      await serving.close()
    }
  })

/** Lets a step happen to parcels, as a file of scans. */
async function happens(serving: Serving, ids: readonly string[], step: string): Promise<void> {
  const file = join(serving.folder, 'scans.csv')
  const at = new Date().toISOString()
  const lines = ids.map((id) => `AWB${id},${step},${at},${id}-${step}\n`)
  writeFileSync(file, `tracking_number,event,at,event_id\n${lines.join('')}`)
  const { exit, stderr } = await serving.local('local', 'track', '--file', file, '--yes', '--force')
  if (exit !== 0) throw new Error(`scans could not be saved: ${stderr}`)
}

/** A webhook as the service sends them, of a step that may long be over. */
const olderWebhook = (id: string, status: string): string =>
  JSON.stringify({
    event: 'status_change',
    event_id: `${id}-${status}`,
    event_timestamp: new Date().toISOString(),
    data: { shipment_id: id, tracking_number: `AWB${id}`, status, sub_status: status, shipment_type: 'forward' },
  })

/** Waits until the mirror equals the service, at most two minutes; the ids that still differ then. */
async function settled(
  serving: Serving,
  env: Readonly<Record<string, string>>,
  key: string,
): Promise<readonly string[]> {
  const list = ['shipments', 'list', '--all', '--jsonl']
  const linesOf = async (own: readonly string[], address: string): Promise<ReadonlyMap<string, string>> => {
    const ran = await shipx([...list, ...own], { env: { ...env, SHIPX_BASE_URL: address, SHIPX_API_KEY: key } })
    if (ran.exit !== 0) throw new Error(`the records could not be listed: ${ran.stderr}`)
    const lines = ran.stdout.split('\n').filter((line) => line !== '')
    return new Map(lines.map((line) => [(JSON.parse(line) as { readonly id: string }).id, line]))
  }
  const there = await linesOf([], serving.url)
  const until = performance.now() + 120_000
  for (;;) {
    const here = await linesOf(['--local'], env['SHIPX_BASE_URL']!)
    const different = [...there].flatMap(([id, line]) => (here.get(id) === line ? [] : [id]))
    if (different.length === 0 || performance.now() > until) return different
    await wait(1_000)
  }
}
