// Defends docs/guides/whatif.md: what parcels that ended would have cost on other cards, against nested loops over the
// records, to the paisa.
// @module-tag full: months of parcels on other cards
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { runs } from '../../support/size.ts'
import { cardOf, costIn, isBack, isSettled, parcelsOf, recordsOf, terms, type Ended } from './parcels.ts'

type Json = Readonly<Record<string, unknown>>
interface Month {
  readonly month: string
  readonly parcels: number
  readonly lacks: number
  readonly costs: number
  readonly left: number
}
type Card = 'contract' | 'offer'
const cards: readonly Card[] = ['contract', 'offer']
const couriers = Object.keys(terms.contract)

async function seeded(seed: number, n = 300): Promise<{ readonly box: Sandbox; readonly parcels: readonly Ended[] }> {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const parcels = parcelsOf(seed, n)
  box.file('offer.json', cardOf('offer'))
  for (const words of [
    ['local', 'import', 'shipments', box.file('parcels.jsonl', recordsOf(parcels)), '--yes'],
    ['ratecard', 'import', box.file('contract.json', cardOf('contract')), '--use'],
  ]) {
    const { exit, stderr } = await box.shipx(words)
    expect([words, stderr, exit]).toEqual([words, expect.any(String), 0])
  }
  return { box, parcels }
}

async function simulated(box: Sandbox, ...words: readonly string[]): Promise<readonly [Json, Json]> {
  const all = ['ratecard', 'simulate', '--cards', 'contract,offer.json', ...words, '--json']
  const { stdout, stderr, exit } = await box.shipx(all)
  expect([words, stderr, exit]).toEqual([words, expect.any(String), 0])
  return (JSON.parse(stdout) as { data: [Json, Json] }).data
}

type Cost = NonNullable<ReturnType<typeof costIn>>
const sumOf = ({ freight, rto, cod }: Cost): number => freight + rto + cod
/** GST of 18 %, half-up. */
const gstOf = (paise: number): number => Math.floor((paise * 36 + 100) / 200)
const withGst = (cost: Cost): number => sumOf(cost) + gstOf(sumOf(cost))

/** The courier of a card that costs the least. */
function cheapest(card: Card, one: Ended): { readonly courier: string; readonly cost: Cost } | undefined {
  let best: { readonly courier: string; readonly cost: Cost } | undefined
  for (const courier of couriers) {
    const cost = costIn(card, courier, one)
    if (cost !== undefined && (best === undefined || sumOf(cost) < sumOf(best.cost))) best = { courier, cost }
  }
  return best
}

const rupees = (paise: readonly number[]): number => paise.reduce((sum, one) => sum + one, 0) / 100
const shippedCosts = (card: Card, parcels: readonly Ended[]): readonly Cost[] =>
  parcels.flatMap((one) => costIn(card, one.courier[1], one) ?? [])

describe('against nested loops over the records', () => {
  const seeds = Array.from({ length: runs(2, 20) }, (_, i) => i + 101)
  test.each(seeds)('seed %i: as shipped, cheapest, parts, breakdowns and lanes', async (seed) => {
    const { box, parcels } = await seeded(seed)
    const ended = parcels.filter(isSettled)
    const records = await simulated(box, '--parcels-out', 'each.csv')
    for (const [i, card] of cards.entries()) {
      const costs = shippedCosts(card, ended)
      const best = ended.flatMap((one) => cheapest(card, one)?.cost ?? [])
      const zoned = ended.flatMap((one) => {
        const cost = costIn(card, one.courier[1], one)
        return cost === undefined ? [] : [{ one, cost }]
      })
      const by = (key: (one: Ended) => string): ReadonlyMap<string, { parcels: number; total: number }> => {
        const sums = new Map<string, { parcels: number; total: number }>()
        for (const { one, cost } of zoned) {
          const { parcels: n, total } = sums.get(key(one)) ?? { parcels: 0, total: 0 }
          sums.set(key(one), { parcels: n + 1, total: Math.round(total * 100 + sumOf(cost)) / 100 })
        }
        return sums
      }
      const breakdown = (name: string): ReadonlyMap<string, Json> =>
        new Map(
          (records[i]![`by_${name}`] as readonly Json[]).map(
            ({ [name]: key, ...part }) => [String(key), part] as const,
          ),
        )
      expect(records[i]).toMatchObject({
        card: ['contract', 'offer.json'][i],
        parcels: ended.length,
        returned: ended.filter(isBack).length,
        priced: costs.length,
        as_shipped: rupees(costs.map(sumOf)),
        cheapest: rupees(best.map(sumOf)),
        cheapest_parcels: best.length,
        total: rupees(costs.map(sumOf)),
        parts: {
          freight: rupees(costs.map(({ freight }) => freight)),
          rto: rupees(costs.map(({ rto }) => rto)),
          cod: rupees(costs.map(({ cod }) => cod)),
          gst: 0,
        },
      })
      expect(breakdown('zone')).toEqual(by(({ zone }) => zone!))
      expect(breakdown('courier')).toEqual(by(({ courier }) => courier[1]))
      expect(breakdown('payment')).toEqual(by(({ cod }) => (cod ? 'cod' : 'prepaid')))
      expect(breakdown('slab')).toEqual(by(({ grams }) => String(Math.max(1, Math.ceil(grams / 500)) * 500)))
      const unpriced = records[i]!['unpriced'] as readonly Json[]
      expect(unpriced.reduce((sum, one) => sum + Number(one['parcels']), 0)).toBe(ended.length - costs.length)
    }
    const lanes = ['560001', '110001', '700001'].map((zip) => {
      const own = ended.filter((one) => one.zip === zip)
      const [before, after] = cards.map((card) => rupees(shippedCosts(card, own).map(sumOf))) as [number, number]
      return { to: zip, before, after, difference: Math.round((after - before) * 100) / 100 }
    })
    const { lanes_gain: gain, lanes_lose: lose, ...compared } = records[1]!['compared'] as Json
    expect([...(gain as readonly Json[]), ...(lose as readonly Json[])]).toHaveLength(lanes.length)
    for (const lane of lanes) expect(lane.difference < 0 ? gain : lose).toContainEqual(expect.objectContaining(lane))
    const [before, after] = [Number(records[0]!['total']), Number(records[1]!['total'])]
    expect(compared).toMatchObject({
      with: 'contract',
      before,
      after,
      difference: Math.round((after - before) * 100) / 100,
    })

    // The file has each parcel on each card.
    const lines: readonly Json[] = parse(readFileSync(join(box.folder, 'each.csv'), 'utf8'), { columns: true })
    expect(lines).toHaveLength(2 * ended.length)
    for (const one of ended)
      for (const [i, card] of cards.entries()) {
        const line = lines.find(
          ({ awb, card: name }) => awb === `AWB${one.id}` && name === ['contract', 'offer.json'][i],
        )
        const cost = costIn(card, one.courier[1], one)
        const best = cheapest(card, one)
        const text = (paise: number | undefined): string => (paise === undefined ? '' : String(paise / 100))
        expect(line).toMatchObject({
          outcome: isBack(one) ? 'rto' : 'delivered',
          freight: text(cost?.freight),
          rto: text(cost?.rto),
          cod: text(cost?.cod),
          as_shipped: text(cost && sumOf(cost)),
          cheapest: text(best && sumOf(best.cost)),
          cheapest_courier: best?.courier ?? '',
        })
      }
  })

  test.each(seeds)('seed %i: GST, a mix, another share of returns, commitments, break-even', async (seed) => {
    const { box, parcels } = await seeded(seed)
    const ended = parcels.filter(isSettled)
    const zoned = ended.filter(({ zone }) => zone !== null)
    const gst = await simulated(box, '--pick', 'cheapest', '--gst')
    const mixed = await simulated(box, '--mix', 'delhivery 60, blue 40')
    const asked = await simulated(box, '--rto', '25%', '--commit', 'DLV 40/month', '--break-even', 'zone_c.first')
    for (const [i, card] of cards.entries()) {
      const costs = shippedCosts(card, ended)
      const best = ended.flatMap((one) => cheapest(card, one)?.cost ?? [])
      expect(gst[i]).toMatchObject({
        pick: 'cheapest',
        as_shipped: rupees(costs.map(withGst)),
        cheapest: rupees(best.map(withGst)),
        total: rupees(best.map(withGst)),
      })
      expect((gst[i]!['parts'] as Json)['gst']).toBe(rupees(best.map((cost) => gstOf(sumOf(cost)))))

      const shares = zoned.map(
        (one) => 60 * sumOf(costIn(card, 'Delhivery', one)!) + 40 * sumOf(costIn(card, 'Blue Dart', one)!),
      )
      const hundredfold = shares.reduce((sum, one) => sum + one, 0)
      expect(mixed[i]).toMatchObject({
        pick: 'mix',
        priced: zoned.length,
        total: Math.floor((hundredfold + 50) / 100) / 100,
      })

      // A quarter of all parcels as those that came back, the others as those that arrived.
      const own = ended.filter((one) => costIn(card, one.courier[1], one) !== undefined)
      const total = (list: readonly Ended[]): bigint =>
        BigInt(shippedCosts(card, list).reduce((sum, one) => sum + sumOf(one), 0))
      const [home, there] = [own.filter(isBack), own.filter((one) => !isBack(one))]
      const n = BigInt(own.length)
      const whole = 100n * BigInt(home.length) * BigInt(there.length)
      const part = n * (25n * total(home) * BigInt(there.length) + 75n * total(there) * BigInt(home.length))
      expect(asked[i]!['at_rto']).toMatchObject({
        rto_percent: 25,
        as_shipped: Number((2n * part + whole) / (2n * whole)) / 100,
      })

      for (const { month, parcels: has, lacks, costs: extra, left } of (
        asked[i]!['commit'] as readonly { months: readonly Month[] }[]
      )[0]!.months) {
        const inMonth = own.filter(({ picked, created, status }) => {
          const day = ['pending', 'cancelled'].includes(status) ? created : picked
          return new Date(Date.parse(day) + 19_800_000).toISOString().startsWith(month)
        })
        const with1 = inMonth.filter(({ courier }) => courier[1] === 'Delhivery')
        const more = inMonth
          .filter(({ courier }) => courier[1] !== 'Delhivery')
          .map((one) => sumOf(costIn(card, 'Delhivery', one)!) - sumOf(costIn(card, one.courier[1], one)!))
          .toSorted((a, b) => a - b)
        const wanted = Math.max(0, 40 - with1.length)
        expect([month, has, lacks, extra, left]).toEqual([
          month,
          with1.length,
          wanted,
          rupees(more.slice(0, wanted)),
          Math.max(0, wanted - more.length),
        ])
      }
    }

    // The first slab of zone_c of both couriers at the break-even: there the offer costs no more, a paisa later it does.
    const even = asked[1]!['break_even'] as { value: number; left: number }
    const price = (first: number): number =>
      ended.reduce((sum, one) => {
        const cost = costIn('offer', one.courier[1], one)
        const before = costIn('contract', one.courier[1], one)
        if (cost === undefined || before === undefined) return sum
        if (one.zone !== 'zone_c') return sum + sumOf(cost) - sumOf(before)
        const own = terms.offer[one.courier[1]]!
        const freight = cost.freight - own.prices['zone_c']![0] + first
        const [part, whole] = own.rto
        const rto = isBack(one) ? Number((2n * BigInt(freight) * part + whole) / (2n * whole)) : 0
        return sum + freight + rto + cost.cod - sumOf(before)
      }, 0)
    const value = Math.round(even.value * 100)
    expect(price(value)).toBe(-Math.round(even.left * 100))
    expect(price(value)).toBeLessThanOrEqual(0)
    expect(price(value + 1)).toBeGreaterThan(0)
  })
})

test('each courier returns as many as it does like for like', async () => {
  const { box, parcels } = await seeded(7, 600)
  const ended = parcels.filter(isSettled)
  const [contract] = await simulated(box, '--rto-by', 'courier')
  const cellOf = ({ zone, cod }: Ended): string => `${zone} ${cod}`
  const rateIn = (list: readonly Ended[]): readonly [back: number, n: number] => [
    list.filter(isBack).length,
    list.length,
  ]
  const cells = [...new Set(ended.map(cellOf))]
  // The share of a courier in the mix over that of the account on the same cells, as floating-point numbers: the shares of
  // parcels are rounded to a hundredth of a percent.
  const index = (courier: string): number => {
    const own = ended.filter((one) => one.courier[1] === courier)
    let [mine, theirs] = [0, 0]
    for (const cell of cells) {
      const [back, n] = rateIn(own.filter((one) => cellOf(one) === cell))
      const [all, of] = rateIn(ended.filter((one) => cellOf(one) === cell))
      if (n === 0) continue
      mine += (of * back) / n
      theirs += all
    }
    return mine / theirs
  }
  const ended2 = (one: Ended, status: string): Ended => ({ ...one, status, granular: status })
  let sum = 0
  for (const one of ended) {
    const [courier] = [one.courier[1]]
    const [out, home] = ['delivered', 'rto_delivered'].map((status) => costIn('contract', courier, ended2(one, status)))
    if (out === undefined || home === undefined) continue
    const [all, of] = rateIn(ended.filter((other) => cellOf(other) === cellOf(one)))
    const chance = Math.min(10_000, Math.round((all / of) * index(courier) * 10_000))
    sum += (10_000 - chance) * sumOf(out) + chance * sumOf(home)
  }
  expect(contract['rto_by']).toMatchObject({ as_shipped: Math.round(sum / 10_000) / 100, unknown: [] })
})
