// Defends the inferred tariff: it is the one that the bill was made from wherever the lines tell it, and says nothing
// where they do not.
import { describe, expect, test } from 'vitest'
import { inferredCard, type InferredService } from '../../src/domain/money/inferred.ts'
import { inferredRows } from '../../src/domain/money/inferredrows.ts'
import { drawsOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'
import { billOf, countsOf, emptyLine, tariffOf, type Drawn } from './bills.ts'

/** The tariff of a bill as the drawn one has it. */
const asDrawn = ({ grid, zones, rto, cod, fuel }: InferredService): unknown => ({
  ...grid,
  prices: Object.fromEntries(zones.map(({ zone, first, step }) => [zone, [first, step]])),
  rtoPercent: rto !== undefined && 'percent' in rto ? rto.percent : undefined,
  cod: cod && { fixed: cod.fixed, percent: cod.percent, rule: cod.rule },
  fuel: fuel ?? 0,
})
const drawn = ({ prices, ...tariff }: Drawn): unknown => ({ ...tariff, prices: Object.fromEntries(prices) })

const inferred = (lines: Parameters<typeof countsOf>[0]) => inferredCard(countsOf(lines), false)

test.each(Array.from({ length: runs(3, 20) }, (_, seed) => seed))(
  'is the drawn tariff, to the paisa, though one line in twenty is wrong, seed %i',
  (seed) => {
    const tariff = tariffOf(drawsOf(seed), ['A', 'B', 'C', 'D', 'E'])
    const made = billOf(seed, tariff, 2000, 0.05)
    const card = inferred(made.map(({ line }) => line))
    expect(asDrawn(card.services[0]!)).toEqual(drawn(tariff))
    expect(card.gstPercent).toBe(18)
    const wrong = made.filter(({ wrong: one }) => 'rate' in one).length
    expect(card.services[0]!.zones.reduce((sum, { lines, fitting }) => sum + lines - fitting, 0)).toBe(wrong)
  },
)

describe('the lines that there are', () => {
  const tariff = tariffOf(drawsOf(7), ['C'])

  test('of one zone give that zone alone', () => {
    const card = inferred(billOf(3, tariff, 400, 0).map(({ line }) => line))
    expect(card.services[0]!.zones.map(({ zone, first, step }) => [zone, first, step])).toEqual([
      ['C', ...tariff.prices.get('C')!],
    ])
    const [header] = inferredRows(card)
    expect(header!.filter((column) => column.startsWith('zone_'))).toEqual(['zone_c', 'zone_c_step'])
  })

  test('that never leave the first slab give no step price: the sheet ends there', () => {
    const lines = Array.from({ length: 5 }, (_, n) => ({ ...emptyLine(n), zone: 'C', weight: 40_000, freight: 3300 }))
    const card = inferred(lines)
    expect(card.services[0]!.zones).toMatchObject([{ zone: 'C', first: 3300, step: undefined, lines: 5, fitting: 5 }])
    const [header, line, ...more] = inferredRows(card)
    expect(line![header!.indexOf('up_to')]).toBe(line![header!.indexOf('first_weight')])
    expect(more).toEqual([])
  })

  test('of the usual slabs, those that explain most lines: 2 kg and 1 kg were taken for 2.5 kg and 500 g', () => {
    const price = (grams: number): number => 9900 + Math.max(0, Math.ceil((grams - 2000) / 1000)) * 3600
    const weights = [250, 500, 1000, 1500, 2000, 2600, 2900, 3500, 4000].flatMap((grams) => [grams, grams, grams])
    const lines = [...weights.map((grams) => [grams, price(grams)] as const), [2040, 9900] as const].map(
      ([grams, freight], n) => ({ ...emptyLine(n), zone: 'D', weight: grams * 100, freight }),
    )
    const [service] = inferred(lines).services
    expect(service).toMatchObject({ grid: { first: 200_000, step: 100_000 } })
    expect(service!.zones).toMatchObject([{ first: 9900, step: 3600, lines: 28, fitting: 27 }])
  })

  test('that nothing explains, one line and none give no price', () => {
    const noise = drawsOf(5)
    const lines = Array.from({ length: 200 }, (_, n) => ({
      ...emptyLine(n),
      zone: 'C',
      weight: 5000 + noise.below(300_000),
      freight: 1000 + noise.below(20_000),
    }))
    for (const some of [lines, lines.slice(0, 1)]) {
      const card = inferred(some)
      expect(card.services[0]!.zones).toMatchObject([{ zone: 'C', first: undefined, step: undefined, fitting: 0 }])
      expect(inferredRows(card)).toHaveLength(1)
    }
    expect(inferred([]).services).toEqual([])
  })

  test('say which AWB does not fit, and how many there are', () => {
    const lines = Array.from({ length: 9 }, (_, n) => ({
      ...emptyLine(n),
      zone: 'C',
      weight: 40_000,
      freight: n === 4 ? 4500 : 3300,
    }))
    expect(inferred(lines).services[0]!.zones).toMatchObject([
      { lines: 9, fitting: 8, example: { line: 4, amount: 4500 } },
    ])
  })
})

test('a tariff that changes for heavier parcels ends where the first prices do', () => {
  const tariff = tariffOf(drawsOf(7), ['C', 'D'])
  const heavier = billOf(3, tariff, 600, 0).map(({ line }) =>
    line.weight <= 200_000 ? line : { ...line, freight: line.freight - 900 },
  )
  const light = inferred(heavier.filter(({ weight }, n) => weight <= 200_000 || n % 4 === 0)).services[0]!
  expect(light.limit).toBe(200_000)
  expect(light.zones.map(({ zone, first, step }) => [zone, first, step])).toEqual(
    [...tariff.prices].map(([zone, prices]) => [zone, ...prices]),
  )
})
