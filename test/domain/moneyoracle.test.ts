// Another way to the same judgement: fractions of BigInt over the card's own text, against the integers of the judge.
import { describe, expect, test } from 'vitest'
import { blankLine, type Billed, type Reason, type Seen } from '../../src/domain/money/billed.ts'
import { judge, type Bench } from '../../src/domain/money/judge.ts'
import type { KnownParcel } from '../../src/domain/money/parcel.ts'
import { tariffsOf } from '../../src/domain/money/tariffs.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import type { RateCard } from '../../src/domain/rates/ratecard.ts'
import { drawsOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'

const zones = ['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e'] as const
/** A pincode in each zone of Mumbai. */
const places = { zone_a: '400002', zone_b: '431001', zone_c: '560001', zone_d: '302001', zone_e: '797112' } as const
type Zone = keyof typeof places

/** First and step price of 500 g, rupees as text. */
const prices: Readonly<Record<Zone, readonly [string, string]>> = {
  zone_a: ['30', '20.15'],
  zone_b: ['33.35', '25'],
  zone_c: ['40.05', '30.45'],
  zone_d: ['45.4', '44.8'],
  zone_e: ['60.75', '50'],
}
const [rtoPercent, codFixed, codPercent, gstPercent] = ['87.5', '30', '1.75', '18']

function cardOf(): RateCard {
  const { surcharges: _, minimum_charge: __, zone_table: ___, ...plain } = sampleCard.services[0]!
  const tariff = Object.fromEntries(
    zones.map((zone) => {
      const [first, step] = prices[zone].map(Number)
      return [zone, [{ up_to: null, first_weight: 500, first_price: first!, step_weight: 500, step_price: step! }]]
    }),
  )
  const service = {
    ...plain,
    carrier_id: 'DLV',
    carrier_name: 'Delhivery',
    min_weight: 0,
    max_weight: 100_000,
    forward: tariff,
    return: tariff,
    cod: {
      available: true,
      fixed: Number(codFixed),
      percent: Number(codPercent),
      rule: 'max' as const,
      max_value: null,
    },
    rto: { percent: Number(rtoPercent) },
    platform_fee: 0,
    serviceability: {},
  }
  return { ...sampleCard, name: 'contract', valid_from: null, valid_to: null, services: [service], zones: {} }
}

/** A number as a fraction. */
type Fraction = readonly [over: bigint, under: bigint]
const fraction = (text: string): Fraction => {
  const [whole, decimals = ''] = text.split('.') as [string, string?]
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}
/** Paise of rupees, half-up, away from zero for negative ones. */
const rounded = ([over, under]: Fraction): bigint => {
  const [sign, size] = over < 0n ? [-1n, -over] : [1n, over]
  return sign * ((2n * size + under) / (2n * under))
}
const paise = (text: string): bigint => rounded([fraction(text)[0] * 100n, fraction(text)[1]])
const share = (amount: bigint, percent: string): bigint =>
  rounded([amount * fraction(percent)[0], 100n * fraction(percent)[1]])
const freight = (zone: Zone, grams: number): bigint => {
  const more = grams <= 500 ? 0n : (BigInt(grams) - 500n + 499n) / 500n
  return paise(prices[zone][0]) + more * paise(prices[zone][1])
}
const back = (zone: Zone, grams: number): bigint => share(freight(zone, grams), rtoPercent)

interface Made {
  readonly line: Billed
  readonly parcel: KnownParcel | undefined
  readonly zone: Zone
  readonly zoneBilled: Zone
  readonly grams: number
  readonly gramsBilled: number
  readonly seen: Seen
}

/** The reasons of a line by the words of the rules; undefined for a credit. */
function oracle(made: Made, order: 'zone' | 'weight'): ReadonlyMap<string, bigint> | undefined {
  const { line, parcel, zone, zoneBilled, grams, gramsBilled, seen } = made
  const total = BigInt(line.total!)
  if (total < 0n && seen.hereNet > 0) return undefined
  const whole = (code: string): ReadonlyMap<string, bigint> => new Map([[code, total]])
  if (parcel === undefined) return whole('unknown_awb')
  if (parcel.carrier_id !== 'DLV') return whole('other_courier')
  if (!parcel.shipped) return whole('not_shipped')
  // Out is 1, back is 2.
  const billedIn = (bits: number, way: string): boolean => (way === 'out' ? bits % 2 : bits >> 1) === 1
  const already = (way: string): string | undefined =>
    billedIn(seen.here, way) ? 'duplicate' : billedIn(seen.before, way) ? 'billed_before' : undefined
  const ways = ['out', 'back'].filter((way) => (way === 'out' ? line.freight : line.rto) !== 0)
  const [first, ...others] = ways.map(already)
  if (first !== undefined && !others.includes(undefined))
    return whole(others.includes('duplicate') ? 'duplicate' : first)
  const [outBefore, backBefore] = ['out', 'back'].map((way) => (ways.includes(way) ? already(way) : undefined))
  const parts = new Map<string, bigint>()
  const add = (code: string, amount: bigint): void => void parts.set(code, (parts.get(code) ?? 0n) + amount)
  const split = (amount: bigint, price: (at: Zone, weight: number) => bigint, rest: string): bigint => {
    const [own, theirs] = [price(zone, grams), price(zoneBilled, gramsBilled)]
    const middle = order === 'zone' ? price(zoneBilled, grams) : price(zone, gramsBilled)
    add(order === 'zone' ? 'zone' : 'weight', middle - own)
    add(order === 'zone' ? 'weight' : 'zone', theirs - middle)
    add(rest, amount - theirs)
    return own
  }
  let expected = 0n
  if (outBefore === undefined) expected += split(BigInt(line.freight), freight, 'rate')
  else add(outBefore, BigInt(line.freight + line.cod))
  if (backBefore !== undefined) add(backBefore, BigInt(line.rto))
  else if (line.rto !== 0 && parcel.back === true) expected += split(BigInt(line.rto), back, 'rto_rate')
  else add('rto_not_returned', BigInt(line.rto))
  const collected = share(BigInt(parcel.collected ?? 0), codPercent)
  const fee = collected > paise(codFixed) ? collected : paise(codFixed)
  const due = outBefore !== undefined || parcel.cod !== true || parcel.back === true ? 0n : fee
  if (outBefore === undefined)
    add(
      parcel.cod !== true ? 'cod_on_prepaid' : parcel.back === true ? 'cod_not_reversed' : 'cod_rate',
      BigInt(line.cod) - due,
    )
  expected += due
  add('surcharge', BigInt(line.other))
  const base = BigInt(line.freight + line.rto + line.cod + line.other)
  add('gst', BigInt(line.tax!) - share(base, gstPercent))
  add('gst_on_difference', share(base, gstPercent) - share(expected, gstPercent))
  add('arithmetic', total - base - BigInt(line.tax!))
  return parts
}

const nothing: Seen = {
  here: 0,
  hereNet: 0,
  hereLine: 1,
  before: 0,
  beforeNet: 0,
  earlier: [],
  codHere: false,
  under: '',
}

/** An invented line; a noisy one has a fault of every kind now and then. */
function lineOf(seed: number, noisy: boolean): () => Made {
  const { below } = drawsOf(seed)
  const upTo = below
  const now = (n: number): boolean => noisy && upTo(n) === 0
  let n = 0
  return () => {
    n++
    const zone = zones[upTo(5)]!
    const [zoneBilled, grams] = [now(4) ? zones[upTo(5)]! : zone, 1 + upTo(6000)]
    const gramsBilled = now(4) ? 1 + upTo(9000) : grams
    const [isBack, cod] = [upTo(5) === 0, upTo(2) === 0]
    const collected = cod ? 10_000 + upTo(900_000) : 0
    const own = Number(freight(zoneBilled, gramsBilled)) + (now(8) ? upTo(3000) - 1500 : 0)
    const rto =
      (isBack && upTo(3) > 0) || now(12) ? Number(back(zoneBilled, gramsBilled)) + (now(8) ? upTo(900) : 0) : 0
    const share175 = Number(share(BigInt(collected), codPercent))
    const fee = cod && !isBack ? Math.max(3000, share175) : 0
    const billedFee = fee + (now(8) ? upTo(4000) : 0)
    const other = now(10) ? upTo(2500) : 0
    const base = own + rto + billedFee + other
    const tax = Number(share(BigInt(base), gstPercent)) + (now(15) ? upTo(300) - 150 : 0)
    const sign = now(20) ? -1 : 1
    const line: Billed = {
      ...blankLine(String(1_000_000 + n)),
      line: n,
      number: 'I',
      zone: zoneBilled.slice(5),
      weight: gramsBilled * 100,
      freight: own,
      rto,
      cod: billedFee,
      other,
      tax,
      total: sign * (base + tax + (now(20) ? upTo(500) - 250 : 0)),
    }
    const parcel: KnownParcel = {
      awb: line.awb,
      order: null,
      carrier_id: now(20) ? 'BLU' : 'DLV',
      carrier_name: null,
      journey: 'forward',
      merchant: '400001',
      customer: places[zone],
      zone: null,
      day_at: Date.parse('2026-09-05T06:30:00Z'),
      status: 'delivered',
      shipped: !now(20),
      back: isBack,
      cod,
      collected,
      worth: undefined,
      dead: grams,
      length: 0,
      width: 0,
      height: 0,
      delivered_at: null,
      cod_amount: null,
      weight_by: 'record',
    }
    const seen = {
      ...nothing,
      ...(sign < 0
        ? { here: 1, hereNet: 100_000_000 }
        : now(15)
          ? { here: 1 + upTo(3) }
          : now(15)
            ? { before: 1 + upTo(3) }
            : {}),
    }
    return { line, parcel: now(20) ? undefined : parcel, zone, zoneBilled, grams, gramsBilled, seen }
  }
}

const sums = (reasons: readonly Reason[]): ReadonlyMap<string, bigint> =>
  new Map(reasons.map(({ code, amount }) => [code as string, BigInt(amount!)]))
const nonZero = (parts: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> =>
  new Map([...parts].filter(([, amount]) => amount !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1)))

describe.each(['zone', 'weight'] as const)('the order %s', (order) => {
  test.each([...Array(runs(5, 20)).keys()])(
    'seed %i: every line has the reasons of the oracle, and they add up',
    (seed) => {
      const bench: Bench = {
        terms: {
          shape: { whole: false, rto: true, cod: true, fuel: false, other: true, gst: 'columns' },
          order,
          tolerance: 0,
          weightTolerance: { units: 0, share: 0 },
        },
        tariff: tariffsOf([cardOf()]),
        dayOf: () => undefined,
        courier: 'Delhivery',
        sameCourier: (_, parcel) => parcel.carrier_id === 'DLV',
      }
      const [next, noisy] = [lineOf(seed + 1, seed % 5 > 0), seed % 5 > 0]
      const codes = new Set<string>()
      for (let n = 0; n < 2500; n++) {
        const made = next()
        const wanted = oracle(made, order)
        const found = judge(made.line, made.parcel, made.seen, bench)
        if (wanted === undefined) {
          expect([found.verdict, found.expected]).toEqual(['credit', found.billed])
          continue
        }
        const difference = BigInt(found.billed - found.expected!)
        const all = nonZero(wanted)
        const due = difference === 0n ? new Map<string, bigint>() : all
        const own = nonZero(sums(found.reasons))
        if (String([...own]) !== String([...due])) expect({ made, own }).toEqual({ made, own: due })
        const sum = [...own.values()].reduce((total, amount) => total + amount, 0n)
        expect(sum).toBe(difference)
        for (const code of own.keys()) codes.add(code)
      }
      expect(codes.size).toBeGreaterThan(noisy ? 14 : -1)
    },
  )
})
