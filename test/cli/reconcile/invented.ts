// Invented parcels and bills for the oracle: clean ones that cost what the contract says, and noisy ones with faults of
// every kind.
import { drawsOf, type Draws } from '../../support/chance.ts'
import { contract, shipment } from './invoices.ts'
import { backOf, codOf, freightOf, paise, share, zones } from './oracle.ts'
import type { Amounts, Prices, Printed, Truth, Zone } from './oracle.ts'

/** Two versions of the contract. */
export const versions: readonly Prices[] = [
  {
    from: '2026-01-01',
    freight: {
      a: ['30', '20.15'],
      b: ['33.35', '25'],
      c: ['40.05', '30.45'],
      d: ['45.4', '44.8'],
      e: ['60.75', '50'],
    },
    rto: '87.5',
    cod: ['30', '1.75'],
    fuel: '7.35',
    docket: '2.5',
    qc: '12',
  },
  {
    from: '2026-08-15',
    freight: { a: ['31', '21.05'], b: ['34.15', '26'], c: ['41', '31.95'], d: ['47.7', '45'], e: ['63.25', '52.5'] },
    rto: '90',
    cod: ['32.5', '2.1'],
    fuel: '8.15',
    docket: '3',
    qc: '14.5',
  },
]

/** A version as a card that can be imported. */
export function cardOf({ from, freight, rto, cod, fuel, docket, qc }: Prices): Record<string, unknown> {
  const tariff = Object.fromEntries(
    zones.map((zone) => {
      const [first_price, step_price] = freight[zone].map(Number)
      return [`zone_${zone}`, [{ up_to: null, first_weight: 500, first_price, step_weight: 500, step_price }]]
    }),
  )
  return contract(
    { valid_from: from },
    {
      divisor: 5000,
      forward: tariff,
      return: tariff,
      rto: { percent: Number(rto) },
      cod: { available: true, fixed: Number(cod[0]), percent: Number(cod[1]), rule: 'max', max_value: null },
      qc: { available: true, price: Number(qc) },
      surcharges: [
        { name: 'Fuel', percent: Number(fuel) },
        { name: 'Docket', amount: Number(docket) },
      ],
    },
  )
}

/** A pincode in each zone of Mumbai, 400001. */
const pincodes: Readonly<Record<Zone, string>> = {
  a: '400002',
  b: '431001',
  c: '560001',
  d: '302001',
  e: '797112',
}

/** Frozen weights: hundredths of a gram, and sides in millimetres. */
const skus = {
  MUG: { units: 60_000n, sides: undefined },
  PEN: { units: 3_550n, sides: undefined },
  BOX: { units: 25_000n, sides: [300n, 205n, 155n] },
} as const
export const skuSheet = 'sku,weight_g,length,width,height\nMUG,600,,,\nPEN,35.5,,,\nBOX,250,30,20.5,15.5\n'

/** A parcel, and its record. */
export interface Parcel {
  readonly truth: Truth
  readonly record: string
}

const day = (draws: Draws): string => new Date(Date.UTC(2026, 6, 1 + draws.below(86), 6)).toISOString()

/** What the items of a parcel weigh, the volume of the largest one counted: hundredths of a gram. */
function itemsOf(draws: Draws): { readonly items: readonly object[]; readonly units: bigint } {
  const names = (Object.keys(skus) as (keyof typeof skus)[]).filter(() => draws.below(2) === 0)
  const list = names.length === 0 ? (['PEN'] as const) : names
  const items = list.map((sku) => ({ id: sku, name: sku, price: 1, sku, quantity: 1 + draws.below(4) }))
  const dead = items.reduce((sum, { sku, quantity }) => sum + skus[sku].units * BigInt(quantity), 0n)
  const boxed = items.some(({ sku }) => sku === 'BOX')
  const [long, wide, high] = skus.BOX.sides
  // Cubic millimetres by 5,000 cubic centimetres for a kilogram, hundredths of a gram half-up.
  const volume = boxed ? (2n * long * wide * high * 100_000n + 5_000_000n) / (2n * 5_000_000n) : 0n
  return { items, units: volume > dead ? volume : dead }
}

/** An invented parcel of a number; a noisy one may not be judged. */
function parcelOf(draws: Draws, n: number, noisy: boolean): Parcel {
  const now = (times: number): boolean => noisy && draws.below(times) === 0
  const awb = n % 7 === 0 ? `00${700_000 + n}` : String(1_000_000 + n)
  const zone = draws.pick(zones)
  const [back, cod] = [draws.below(5) === 0, draws.below(2) === 0]
  const [courier, cancelled, lost, bare] = [now(20) ? 'Blue Dart' : 'Delhivery', now(30), now(50), now(50)] as const
  const frozen = draws.below(4) === 0 ? itemsOf(draws) : undefined
  const grams = 1 + draws.below(6000)
  const picked = now(40) ? '2025-12-20T06:00:00.000Z' : day(draws)
  const rupees = cod ? 100 + draws.below(9000) : 0
  return {
    truth: {
      awb,
      courier,
      zone: lost ? undefined : zone,
      units: frozen?.units ?? (bare ? undefined : BigInt(grams) * 100n),
      day: picked.slice(0, 10),
      back: back && !cancelled,
      shipped: !cancelled,
      cod,
      collected: BigInt(rupees) * 100n,
    },
    record: shipment(awb, {
      status: cancelled ? 'cancelled' : back ? 'rto_delivered' : 'delivered',
      picked_up: cancelled ? null : picked,
      ...(courier === 'Blue Dart' ? { carrier_id: 'BLU', carrier_name: courier } : {}),
      is_cod: cod,
      cod_amount: rupees,
      ...(bare ? { grams: null } : { weight: grams }),
      ...(lost ? { warehouse_id: null } : {}),
      ...(frozen === undefined ? {} : { items: frozen.items }),
      zip: pincodes[zone],
    }),
  }
}

/** A bill of a parcel before a form prints it. */
export interface Bill extends Omit<Printed, 'gross' | 'tax' | 'total'> {
  readonly truth: Truth | undefined
  /** The fuel of the way back, in `fuel`. */
  readonly homeFuel: bigint
  /** What is added to the true tax, sum and total, paise. */
  readonly wrong: { readonly tax: bigint; readonly gross: bigint; readonly total: bigint }
}

const nothing: Amounts = { freight: 0n, rto: 0n, reverse: 0n, qc: 0n, cod: 0n, fuel: 0n, other: 0n }
const none = { tax: 0n, gross: 0n, total: 0n }

/** A bill by the card, at a zone and a weight that may be wrong; a noisy one with wrong amounts. */
function billOf(draws: Draws, awb: string, truth: Truth | undefined, noisy: boolean): Bill {
  const now = (times: number): boolean => noisy && draws.below(times) === 0
  const off = (times: number, most: number): bigint => (now(times) ? BigInt(draws.below(2 * most) - most) : 0n)
  const zone = truth?.zone === undefined || now(4) ? draws.pick(zones) : truth.zone
  const heavy = truth?.units === undefined || now(4)
  const units = heavy ? BigInt(1 + draws.below(9000)) * 100n : truth.units
  const prices = versions.findLast(({ from }) => from <= (truth?.day ?? '2026-09-01')) ?? versions[0]!
  const plain = { awb, zone: now(30) ? undefined : zone, units: now(30) ? undefined : units, truth }
  const wrong = { tax: off(15, 150), gross: off(40, 200), total: off(20, 250) }
  if (now(15)) {
    const reverse = freightOf(prices, zone, units) + off(4, 900)
    const fuel = now(2) ? share(reverse, prices.fuel) : 0n
    const more = { reverse, qc: now(3) ? paise(prices.qc) + off(3, 300) : 0n, fuel, other: now(2) ? 250n : 0n }
    return { ...nothing, ...plain, ...more, homeFuel: 0n, word: 'reverse', wrong }
  }
  const home = truth?.back === true ? draws.below(3) > 0 : now(12)
  const alone = home && now(6)
  const freight = alone ? 0n : freightOf(prices, zone, units) + off(8, 1500)
  const rto = home ? backOf(prices, zone, units) + off(8, 900) : 0n
  const fee = truth?.cod === true && !truth.back && !alone ? codOf(prices, truth.collected) : 0n
  return {
    ...nothing,
    ...plain,
    freight,
    rto,
    cod: fee + (now(8) ? BigInt(draws.below(4000)) : 0n),
    fuel: share(freight, prices.fuel) + share(rto, prices.fuel) + off(10, 300),
    homeFuel: share(rto, prices.fuel),
    other: (alone ? 0n : paise(prices.docket)) + off(10, 2500),
    word: home ? (alone ? 'rto' : 'both') : 'forward',
    wrong,
  }
}

const negative = (bill: Bill): Bill => ({
  ...bill,
  ...(Object.fromEntries(Object.keys(nothing).map((key) => [key, -bill[key as keyof Amounts]])) as unknown as Amounts),
  homeFuel: -bill.homeFuel,
  wrong: none,
})

/** What is invented of a seed. */
export interface Invented {
  readonly parcels: readonly Parcel[]
  readonly bills: readonly Bill[]
  /** AWBs that an invoice before bills forward, at 10 rupees each. */
  readonly before: readonly string[]
}

/** Bills of as many lines, with their parcels: lines twice, credits, and strangers where they are noisy. */
export function invented(seed: number, lines: number, noisy: boolean): Invented {
  const draws = drawsOf(seed)
  const parcels: Parcel[] = []
  const bills: Bill[] = []
  while (bills.length < lines) {
    const again = noisy && bills.length > 10 && draws.below(15) === 0
    if (again) {
      const bill = draws.pick(bills)
      bills.push(draws.below(2) === 0 ? bill : negative(bill))
    } else if (noisy && draws.below(40) === 0) bills.push(billOf(draws, `X${bills.length}`, undefined, noisy))
    else {
      const parcel = parcelOf(draws, parcels.length, noisy)
      parcels.push(parcel)
      bills.push(billOf(draws, parcel.truth.awb, parcel.truth, noisy))
    }
  }
  const before = noisy ? parcels.slice(0, 150).map(({ truth }) => truth.awb) : []
  return { parcels, bills, before }
}
