// H2: a megabyte of JSON in every shape that multiplies: what one body costs the service, and how long others wait while a key sends
// them as often as it may ask.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf, asking, type Asker } from './asking.ts'
import { percentile, share, slowness, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

const megabyte = 1_040_000

/** So many pieces, each made of its number, that they fill a megabyte. */
function filled(piece: (n: number) => string, between = ','): string {
  const count = Math.floor(megabyte / (piece(1_000_000).length + between.length))
  return Array.from({ length: count }, (_, n) => piece(1_000_000 + n)).join(between)
}

const list = (piece: string, count: number): string => `[${Array.from({ length: count }, () => piece).join()}]`
const words = (word: string): readonly string[] => Array.from({ length: 1000 }, (_, n) => `${word}_${n}`)
const withOrder = (field: string, json: string): string =>
  JSON.stringify({ ...orderOf('H2'), [field]: '@' }).replace('"@"', () => json)

/** Every shape, and where it is sent. */
// prettier-ignore
const shapes: readonly (readonly [name: string, path: string, body: () => string])[] = [
  ['unknown fields', '/shipments', () => `{${filled((n) => `"an_unknown_field_with_a_long_name_${n}":1`)}}`],
  ['unknown fields', '/forward-order', () => `{${filled((n) => `"an_unknown_field_with_a_long_name_${n}":1`)}}`],
  ['unknown fields with short names', '/returns', () => `{${filled((n) => `"${n.toString(36)}":1`)}}`],
  ['an item with wrong fields', '/forward-order', () => withOrder('order_items', `[{${filled((n) => `"unit_${n}":1`)}}]`)],
  ['many items of 190 wrong fields each', '/forward-order', () => withOrder('order_items', list(`{${Array.from({ length: 190 }, (_, n) => `"f${n}":1`).join()}}`, 550))],
  ['fields of a vendor', '/forward-order', () => withOrder('vendor_details', `{${filled((n) => `"k${n}":1`)}}`)],
  ['misspelt words', '/shipments', () => JSON.stringify({ granular_status: words('out_for_delivry'), ndr_reason: words('custmer_refusd'), rto_reason: words('shipmnt_damagd'), zone: words('zoneabc'), status: 'x'.repeat(900_000) })],
  ['misspelt words', '/returns', () => JSON.stringify({ granular_status: words('retrn_pickup_schedled'), qc_status: words('pasd'), refund_status: words('initatd'), zone: words('zoneabc') })],
  ['a list of a megabyte', '/shipments', () => `{"sku":[${filled((n) => `"${n}"`)}]}`],
  ['lists of lists', '/shipments', () => `{"sku":${list(list('0', 990), 500)}}`],
  ['empty objects', '/shipments', () => `{"sku":${list(list('{}', 990), 340)}}`],
  ['names that stand twice', '/shipments', () => `{"sku":[{${filled((n) => `"a${n % 150}":1`)}}]}`],
  ['many objects of many names', '/shipments', () => `{"sku":${list(`{${Array.from({ length: 199 }, (_, n) => `"${1000 + n}":1`).join()}}`, 560)}}`],
  ['names with escapes', '/shipments', () => `{"sku":${list('{"\\u0061":1}', 80_000)}}`],
  ['a long text', '/shipments', () => JSON.stringify({ search: 'ab '.repeat(330_000) })],
  ['a long text of signs without width', '/shipments', () => JSON.stringify({ search: '\u200b'.repeat(340_000) })],
  ['texts with control characters', '/forward-order', () => withOrder('tags', `[${Array.from({ length: 990 }, () => `"${'\\u0001'.repeat(170)}"`).join()}]`)],
  ['a long id of blanks', '/forward-order', () => withOrder('order_id', `"${' '.repeat(megabyte - 1000)}"`)],
  ['a long phone', '/forward-order', () => withOrder('billing_phone', `"${'- '.repeat(510_000)}"`)],
  ['a long pincode', '/rates', () => `{"origin_pincode":"${'1 '.repeat(510_000)}"}`],
  ['a long number', '/rates', () => `{"dead_weight":"${'1'.repeat(megabyte)}"}`],
  ['a long brand', '/client-stores', () => `{"store_name":"h2","brand_name":"${'\\u200e'.repeat(170_000)}"}`],
  ['a thousand items', '/forward-order', () => withOrder('order_items', list('{}', 1000))],
]

/** What a body may cost: ms of the service's processor, of which the parser of JSON alone takes up to 60. */
const most = 120
/** What a body may cost that is refused for its names. */
const mostUnknown = 50

/**
 * How much longer another account may wait (99th percentile) while a key sends such bodies at its full rate: ms, or times
 * what the dearest body takes by itself. The larger of the two counts.
 */
const [mostWait, mostBodies] = [500, 4]

/** H2: each shape so often as the size says, in turn; then all of them at the full rate for so many of 30 s. */
export const h2 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const rounds = share(size, 20, 2)
    const serving = await startServing(['--rate-limit', '0', '--quiet'])
    const asker = askerOf(serving.url, 2)
    const faults: string[] = []
    const slow = slowness()
    const costs: (readonly [name: string, ms: number])[] = []
    const waits: number[] = []
    try {
      const { key } = await serving.keyOf('default')
      const { key: reads } = await serving.keyOf('default', '--read-only')
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001')
      for (const [name, path, make] of shapes) {
        const body = make()
        const used = ['/shipments', '/returns', '/rates'].includes(path) ? reads : key
        const send = async (): Promise<void> => {
          const { status, text } = await asker.ask('POST', path, used, body)
          // A blank search of any length is too long; nothing here is to be taken.
          if (status !== 400) faults.push(`${name}: answered ${status}`)
          if (text.length > 60_000) faults.push(`${name}: an answer of ${text.length} letters`)
        }
        await send()
        // Looked at again: a compiler at work in the background is no cost of the body.
        let cost = Infinity
        const limit = (name.startsWith('unknown') ? mostUnknown : most) * slow
        for (let look = 0; look < 3 && cost > limit; look++) {
          const before = cpuMs(serving.pid)
          const began = performance.now()
          for (let n = 0; n < rounds; n++) {
            const [waited] = await Promise.all([live(asker), send()])
            waits.push(waited)
          }
          const cpu = cpuMs(serving.pid)
          cost = Math.min(
            cost,
            (cpu === undefined || before === undefined ? performance.now() - began : cpu - before) / rounds,
          )
        }
        costs.push([`${name} to ${path}`, cost])
        if (cost > limit) faults.push(`${name} to ${path}: ${cost.toFixed(0)} ms a body, not ${limit.toFixed(0)}`)
        if (!serving.alive()) faults.push(`${name}: the service has ended`)
      }
    } finally {
      asker.close()
      await serving.close()
    }
    const seconds = share(size, 30, 3)
    let rate = await atFullRate(seconds, faults)
    const patience = (): number => rate.calm + Math.max(mostWait, mostBodies * rate.alone)
    // Looked at again: other programs on the same cores make everyone wait.
    for (let look = 1; look < 3 && rate.p99 > patience(); look++) rate = await atFullRate(seconds, faults)
    if (rate.p99 > patience())
      faults.push(
        `another account waits ${rate.p99.toFixed(0)} ms at p99 while a key sends bodies at its full rate, and ${rate.calm.toFixed(0)} without; the dearest body takes ${rate.alone.toFixed(0)}`,
      )
    const [worst, cost] = costs.toSorted((a, b) => b[1] - a[1])[0]!
    const unknown = Math.max(...costs.filter(([name]) => name.startsWith('unknown')).map(([, ms]) => ms))
    return {
      row: 'H2',
      what: `${shapes.length} bodies of up to 1 MB that multiply, ${rounds} times each; ${rate.sent} of them from one key in ${seconds} s`,
      tried: shapes.length * rounds + rate.sent,
      result: `unknown fields cost ${unknown.toFixed(0)} ms of processor at most; the dearest is "${worst}" with ${cost.toFixed(0)} ms; /live beside them p99 ${percentile(waits, 99).toFixed(0)} ms; at the full rate of a key another account's p99 ${rate.p99.toFixed(0)} ms (${rate.calm.toFixed(0)} without)`,
      target: `each is 400; unknown fields ≤ ${mostUnknown} ms, every shape ≤ ${most} ms (more on a slow machine); another account's p99 ≤ ${mostWait} ms more, or ${mostBodies} times the dearest body`,
      faults: summed(faults),
    }
  })

/** What a key did at its full rate, and what it cost others, ms. */
interface FullRate {
  readonly sent: number
  /** What the dearest body takes by itself. */
  readonly alone: number
  /** How long another account waits at the 99th percentile before and meanwhile. */
  readonly calm: number
  readonly p99: number
}

/** A key sends every shape in turn, at its full rate, for some seconds. */
async function atFullRate(seconds: number, faults: string[]): Promise<FullRate> {
  const perSecond = 100
  const serving = await startServing(['--rate-limit', String(perSecond), '--quiet'])
  const [sender, asker] = [askerOf(serving.url, 16), askerOf(serving.url, 4)]
  try {
    const { key } = await serving.keyOf('default')
    const { key: large } = await serving.keyOf('large')
    const bodies = shapes.map(([, path, make]) => [path, make()] as const)
    let began = 0
    const elapsed = (): number => (performance.now() - began) / 1000
    let sent = 0
    const open = new Set<Promise<void>>()
    const send = async ([path, body]: readonly [string, string]): Promise<void> => {
      try {
        const { status } = await sender.ask('POST', path, large, body)
        if (status !== 400 && status !== 429) faults.push(`at the full rate: answered ${status}`)
      } catch (error) {
        faults.push(`at the full rate: ${String(error)}`)
      }
    }
    const sending = async (): Promise<void> => {
      for (; elapsed() < seconds; await wait(5))
        for (; open.size < 16 && sent < elapsed() * perSecond; sent++) {
          const one = send(bodies[sent % bodies.length]!).finally(() => open.delete(one))
          open.add(one)
        }
      await Promise.all(open)
    }
    // Less often than its own rate allows.
    const own = (time: number): Promise<readonly number[]> => asking(asker, key, time, faults, 50)
    const calm = await own(2)
    let alone = 0
    for (const [path, body] of bodies) alone = Math.max(alone, (await sender.ask('POST', path, large, body)).ms)
    began = performance.now()
    const [times] = await Promise.all([own(seconds), sending()])
    return { sent, alone, calm: percentile(calm, 99), p99: percentile(times, 99) }
  } finally {
    sender.close()
    asker.close()
    await serving.close()
  }
}

/** How long the service takes to say that it runs, ms. */
async function live({ ask }: Asker): Promise<number> {
  const { status, ms } = await ask('GET', '!/live', undefined)
  return status === 200 ? ms : Infinity
}

/** The processor time that a process has had, ms; undefined where the system does not tell. */
function cpuMs(pid: number): number | undefined {
  try {
    // utime and stime are the 14th and 15th, in hundredths of a second; the name before them may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}
