// H3: an account with huge records whose answers are asked for and not read: the others wait no longer, memory does not grow, and
// the account can still be listed and pulled.
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf, asking } from './asking.ts'
import { percentile, share, slowness, summed, timed, type Finding, type Size } from './row.ts'
import { descriptorsOf, importInto, peakMb, residentMb, shipx, startServing, type Serving } from './serving.ts'

/** One account may cost another so much at the 99th percentile, ms, and the process so much memory, MB. */
export const most = { p99: 500, mb: 300 }

/** H3: so many of 60 readers that do not read, for so many of 45 s. */
export const h3 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const readers = share(size, 60, 12)
    const seconds = share(size, 45, 4)
    const records = share(size, 100, 20)
    const faults: string[] = []
    const serving = await startServing(['--rate-limit', '0', '--quiet'])
    const asker = askerOf(serving.url, 4)
    const sockets: Socket[] = []
    try {
      const { key } = await serving.keyOf('default')
      const { key: large } = await serving.keyOf('large')
      await importInto(
        serving,
        'large',
        'shipments',
        Array.from({ length: records }, (_, n) => hugeShipment(n)),
      )
      await asking(asker, key, 1, faults)
      const before = residentMb(serving.pid)
      const descriptors = descriptorsOf(serving.pid)
      for (let n = 0; n < readers; n++) sockets.push(unread(serving.url, large))
      const times = await asking(asker, key, seconds, faults)
      const grown = peakMb(serving.pid) - before
      const p99 = percentile(times, 99)
      if (p99 > most.p99 * slowness()) faults.push(`another account waits ${p99.toFixed(0)} ms at p99`)
      if (grown > most.mb) faults.push(`the process has grown by ${grown} MB`)
      // A connection on which nothing moves ends after 30 to 60 s, one that was refused is idle for 65 s.
      const open = (): number => descriptorsOf(serving.pid) - descriptors
      if (seconds > 40) {
        for (let n = 0; n < 50 && open() > 4; n++) await wait(1000)
        if (open() > 4) faults.push(`${open()} connections whose answer is not read are still open`)
      }
      for (const socket of sockets) socket.destroy()
      await wait(1500)
      faults.push(...(await walked(serving, large, records)))
      return {
        row: 'H3',
        what: `${records} records of 0.9 MB, asked for by ${readers} connections of one key that do not read`,
        tried: readers,
        result: `another account's p99 ${p99.toFixed(1)} ms; + ${grown} MB; all ${records} listed and pulled`,
        target: `p99 ≤ ${most.p99} ms (more on a slow machine), + ${most.mb} MB, every record listed and pulled once`,
        faults: summed(faults),
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      asker.close()
      await serving.close()
    }
  })

/** Lists and pulls the account with our own client; every record must be there once. */
async function walked(serving: Serving, key: string, records: number): Promise<readonly string[]> {
  const env = { HOME: serving.folder, SHIPX_BASE_URL: serving.url, SHIPX_API_KEY: key, SHIPX_DATA_DIR: serving.folder }
  const wanted = Array.from({ length: records }, (_, n) => idOf(n)).toSorted()
  const faults: string[] = []
  const all = await shipx(['shipments', 'list', '--all', '--ids'], { env })
  const ids = all.stdout
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()
  if (all.exit !== 0 || ids.join() !== wanted.join())
    faults.push(`shipments list --all: exit ${all.exit}, ${ids.length} of ${records} ${all.stderr.slice(0, 300)}`)
  const page = await shipx(['shipments', 'list', '--limit', '10', '--ids'], { env })
  if (page.exit !== 0 || page.stdout.split('\n').length !== 11)
    faults.push(`shipments list --limit 10: exit ${page.exit} ${page.stderr.slice(0, 300)}`)
  const pulled = await shipx(['pull', '--json'], { env })
  const counted = await shipx(['shipments', 'list', '--all', '--ids', '--local'], { env })
  const there = counted.stdout.split('\n').length - 1
  if (pulled.exit !== 0 || there !== records)
    faults.push(`pull: exit ${pulled.exit}, ${there} of ${records} ${pulled.stderr.slice(0, 300)}`)
  return faults
}

/** A connection that asks for the largest page and reads none of it. */
function unread(url: string, key: string): Socket {
  const { hostname, port } = new URL(url)
  const body = '{"per_page":100}'
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.pause()
  socket.write(
    `POST /custom/api/v1/shipments HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

const idOf = (n: number): string => `huge-${String(n).padStart(3, '0')}`

const hugeShipment = (n: number): object => ({
  id: idOf(n),
  type: 'shipment',
  attributes: {
    tracking_number: `HUGE${n}`,
    status: 'in_transit',
    created_at: new Date(Date.UTC(2026, 8, 1) + n * 60_000).toISOString(),
    warehouse_id: 'WH1',
    is_cod: false,
    tags: [],
    carrier: { id: 'x', name: 'X' },
    order: { id: `o${n}`, display_id: `o${n}`, channel: 'manual_order', store_name: null },
    items: Array.from({ length: 500 }, (_, i) => ({
      id: `${i}`,
      name: `${i} ${'long '.repeat(360)}`,
      sku: `S${i}`,
      quantity: 1,
      price: 1,
    })),
    shipping_address: { name: 'Asha', city: 'Pune', phone: '9876543210', state: 'Maharashtra', zip: '411001' },
  },
})
