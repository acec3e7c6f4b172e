// L12: ids that differ by signs that nobody sees, and how much one key can bring into the database.
import { askerOf } from './asking.ts'
import { atOnce, sample, share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

/** Signs without ink or width: joiners, directions, blanks that are letters, tags, selectors, and the controls. */
// prettier-ignore
const hidden = [
  ...'\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206f\u2800\u3164\ufeff\uffa0\ufff9\ufffb\ue000',
  '\u{e0001}', '\u{e0020}', '\u{e007f}', '\u{e0100}', '\u{e01ef}', '\u{1d173}', '\u{110bd}', '\u{f0000}', '\u0000', '\u0007', '\u001f', '\u007f', '\u0085', '\u009f', '\t', '\n', ' ', '\u00a0', '\u3000',
]

/** Where in an id a sign is put. */
const places: readonly ((id: string, sign: string) => string)[] = [
  (id, sign) => `${sign}${id}`,
  (id, sign) => `${id}${sign}`,
  (id, sign) => `${id.slice(0, 3)}${sign}${id.slice(3)}`,
]

/** The largest order that is taken: a hundred items that fill 64 KB, and its vendor's details. */
function largest(id: string): object {
  const items = (length: number) =>
    Array.from({ length: 100 }, (_, n) => ({ name: 'N'.repeat(length), sku: `SKU-${n}`, units: 1, selling_price: 1 }))
  const order = (length: number) =>
    orderOf(id, { order_items: items(length), vendor_details: { note: 'v'.repeat(8000) } })
  const room = 65_536 - JSON.stringify(order(0)).length
  return order(Math.min(500, Math.floor(room / 100)))
}

/** L12. */
export const l12 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const rate = 100
    const seconds = share(size, 20, 1)
    const faults: string[] = []
    const serving = await startServing(['--rate-limit', String(rate), '--quiet'], 10)
    const asker = askerOf(serving.url, 8)
    let [pairs, doubled, taken, bytes, listed] = [0, 0, 0, 0, 0]
    try {
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'ids')
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'bulk')
      const { key } = await serving.keyOf('ids')
      const cases = hidden.flatMap((sign) => places.map((place) => [sign, place] as const))
      for (const [n, [sign, place]] of sample(cases, size, 12).entries()) {
        const id = `PAIR-${n}`
        const one = await asked(asker, '/forward-order', key, orderOf(id))
        const two = await asked(
          asker,
          n % 2 === 0 ? '/forward-order' : '/forward-order-orchestration',
          key,
          orderOf(place(id, sign)),
        )
        pairs++
        // Blanks of every kind come off at the ends, and then it is the same order; inside they are seen.
        const inside = place(id, sign) !== `${sign}${id}` && place(id, sign) !== `${id}${sign}`
        const seen = /^[ \u00a0\u3000]$/u.test(sign)
        const wanted = seen ? (inside ? 200 : 422) : [400, 422]
        if (!seen && two.status === 200) doubled++
        if (one.status !== 200 || ![wanted].flat().includes(two.status))
          faults.push(`${JSON.stringify(place('ID-1', sign))}: answered ${one.status} and ${two.status}`)
      }

      const { key: bulk } = await serving.keyOf('bulk')
      const until = performance.now() + seconds * 1000
      const began = performance.now()
      const size64 = JSON.stringify(largest('BULK-000000')).length
      await atOnce(8, Array.from({ length: 8 }), async (_, worker) => {
        for (let n = 0; performance.now() < until; n++) {
          const order = largest(`BULK-${worker}-${n}`)
          const { status, text } = await asker.ask('POST', '/forward-order', bulk, order)
          if (status === 200) [taken, bytes] = [taken + 1, bytes + JSON.stringify(order).length]
          else if (status !== 429) faults.push(`a largest order was answered ${status}: ${text.slice(0, 120)}`)
        }
      })
      const spent = (performance.now() - began) / 1000
      if (taken === 0) faults.push('no order was taken')
      // Twice the rate at once, then the rate.
      if (taken > rate * (spent + 2) + 1)
        faults.push(`${taken} orders in ${spent.toFixed(1)} s are more than the rate allows`)
      for (const [over, field] of [
        [
          { order_items: Array.from({ length: 101 }, () => ({ name: 'a', sku: 'b', units: 1, selling_price: 1 })) },
          'order_items',
        ],
        [{ vendor_details: { note: 'v'.repeat(8192) } }, 'vendor_details'],
        [
          {
            order_items: Array.from({ length: 100 }, () => ({
              name: 'अ'.repeat(300),
              sku: 'b',
              units: 1,
              selling_price: 1,
            })),
          },
          'order_items',
        ],
        [{ vendor_details: { note: 'v'.repeat(1_000_000) } }, 'vendor_details'],
      ] as const) {
        const { status, text } = await asked(asker, '/forward-order', bulk, orderOf('OVER-1', over))
        if (status !== 400 || !text.includes(`"${field}`))
          faults.push(`an order that is too large was answered ${status}: ${text.slice(0, 120)}`)
      }

      // What the service has taken, its own client can list.
      const all = await serving.local('shipments', 'list', '--all', '--ids', '--account', 'bulk')
      listed = all.stdout.split('\n').filter((line) => line !== '').length
      const remote = await asked(asker, '/shipments', bulk, { per_page: 100 })
      if (all.exit !== 0 || listed !== taken)
        faults.push(`${listed} of ${taken} orders are listed: ${all.stderr.slice(0, 200)}`)
      if (remote.status !== 200 || remote.text.length > 20_000_000)
        faults.push(`a page was answered ${remote.status} with ${remote.text.length} letters`)
      if (size64 > 65_536 || size64 < 60_000) faults.push(`the largest order has ${size64} bytes`)
    } finally {
      asker.close()
      await serving.close()
    }
    return {
      row: 'L12',
      what: `${pairs} pairs of ids that differ by a sign that is hidden; the largest orders by one key for ${seconds} s`,
      tried: pairs + taken,
      result: `${doubled} pairs became two orders; ${taken} orders of 64 KB (${(bytes / 1e6 / seconds).toFixed(1)} MB/s) at a rate of ${rate}, ${listed} listed`,
      target: 'one order for each id that is seen; at most the rate times 64 KB; all listed',
      faults: summed(faults),
    }
  })

type Asking = ReturnType<typeof askerOf>

/** Asks, and waits where the rate says so. */
async function asked({ ask }: Asking, path: string, key: string, body: unknown) {
  for (let tries = 0; ; tries++) {
    const answer = await ask('POST', path, key, body)
    if (answer.status !== 429 || tries === 20) return answer
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers['retry-after'] ?? 1)))
  }
}
