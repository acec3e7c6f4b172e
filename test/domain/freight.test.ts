// What a courier charges: freight by weight and zone, volumetric weight, COD, and what comes on top, to the paisa.
import { describe, expect, test } from 'vitest'
import { rateAnswer, type RateRequest } from '../../src/domain/rates/rates.ts'
import { zones } from '../../src/domain/rates/zones.ts'
import { lanes, parcel, returned, perZone, bands, found, offerOf, refusalOf } from './cards.ts'

describe('freight', () => {
  // prettier-ignore
  const weights: readonly (readonly [grams: number, ...rupees: readonly [number, number, number, number, number]])[] = [
    [0.01,     30,  40,  50,  60,  70],
    [499.99,   30,  40,  50,  60,  70],
    [500,      30,  40,  50,  60,  70],
    [500.01,   50,  65,  85, 100, 120],
    [1000,     50,  65,  85, 100, 120],
    [1000.01,  70,  90, 120, 140, 170],
    [4500,    190, 240, 330, 380, 470],
    [4500.01, 210, 265, 365, 420, 520],
    [5000,    210, 265, 365, 420, 520],
    [5000.01, 250, 315, 435, 500, 620],
    [6000,    250, 315, 435, 500, 620],
    [6000.01, 290, 365, 505, 580, 720],
    [30000,  1210, 1515, 2115, 2420, 3020],
  ]
  test.each(weights.flatMap(([grams, ...rupees]) => zones.map((zone, i) => [grams, zone, rupees[i]!] as const)))(
    '%d g in %s costs ₹%d, forward and back',
    (grams, zone, rupees) => {
      const forward = offerOf(parcel({ dead_weight: grams }, zone))
      expect([forward.freight, forward.total, forward.rto]).toEqual([rupees * 100, rupees * 100, rupees * 100])
      const [to, from] = lanes[zone]
      const back = offerOf(returned({ origin_pincode: from, destination_pincode: to, dead_weight: grams }))
      expect([back.freight, back.total]).toEqual([rupees * 100, rupees * 100 + 1000])
    },
  )

  test('is worked out on the weight rounded to two decimals, so that what is printed is what is charged', () => {
    expect(offerOf(parcel({ dead_weight: 500.004 })).freight).toBe(5000)
    expect(offerOf(parcel({ dead_weight: 500.005 })).freight).toBe(8500)
    const { applicable } = found(parcel({ dead_weight: 500.004 }))
    expect(applicable).toBe(500)
  })

  test('says where its slab ends and how many steps were paid', () => {
    const { slab, steps } = offerOf(parcel({ dead_weight: 1000.01 }))
    expect([slab, steps]).toEqual([1500, 2])
    expect(offerOf(parcel({ dead_weight: 3 })).slab).toBe(500)
    expect(offerOf(parcel({ dead_weight: 5000.01 })).slab).toBe(6000)
  })

  test('is charged on min_weight at least', () => {
    expect(offerOf(parcel({ dead_weight: 3 }), { min_weight: 1000 })).toMatchObject({ weight: 1000, freight: 8500 })
    expect(offerOf(parcel({ dead_weight: 1000.01 }), { min_weight: 1000 })).toMatchObject({
      weight: 1000.01,
      freight: 12000,
    })
  })

  test('ends at max_weight, dead or volumetric', () => {
    const limit = { max_weight: 2500 }
    expect(offerOf(parcel({ dead_weight: 2500 }), limit).freight).toBe(5000 + 4 * 3500)
    expect(offerOf(parcel({ dead_weight: 2500.004 }), limit).weight).toBe(2500)
    expect(refusalOf(parcel({ dead_weight: 2500.01 }), limit)).toBe('over 2.5 kg')
    expect(offerOf(parcel({ length: 25, width: 25, height: 20 }), limit).weight).toBe(2500)
    expect(refusalOf(parcel({ length: 25, width: 25, height: 20.01 }), limit)).toBe('over 2.5 kg')
  })

  test('ends at max_side, on each of the three sides', () => {
    for (const side of ['length', 'width', 'height'] as const) {
      expect(offerOf(parcel({ [side]: 60 }), { max_side: 60 }).freight).toBe(5000)
      expect(refusalOf(parcel({ [side]: 60.01 }), { max_side: 60 })).toBe('a side over 60 cm')
    }
  })

  test('ends where the last band ends', () => {
    const forward = { zone_c: [{ ...bands(50, 35)[0]!, up_to: 2000 }] }
    expect(offerOf(parcel({ dead_weight: 2000 }), { forward }).freight).toBe(15500)
    expect(refusalOf(parcel({ dead_weight: 2000.01 }), { forward })).toBe('no price above 2 kg in zone_c')
    expect(refusalOf(parcel({}, 'zone_d'), { forward })).toBe('does not serve zone_d')
  })

  test('counts steps and prices of any decimals exactly', () => {
    const forward = {
      zone_c: [{ up_to: null, first_weight: 0.1, first_price: 0.1, step_weight: 0.1, step_price: 0.7 }],
    }
    // 0.3 - 0.1 = 0.19999… and 0.2 / 0.1 = 2 in binary fractions; 0.1 + 2 x 0.7 rupees are 150 paise.
    expect(offerOf(parcel({ dead_weight: 0.3 }), { forward })).toMatchObject({ steps: 2, freight: 150 })
    expect(offerOf(parcel({ dead_weight: 0.7 }), { forward })).toMatchObject({ steps: 6, freight: 430 })
  })
})

describe('volumetric weight', () => {
  // prettier-ignore
  test.each<[number, number, number, Readonly<Record<number, number>>]>([
    [25, 20, 15, { 4000: 1875,   4500: 1666.67, 4750: 1578.95, 5000: 1500,  6000: 1250 }],
    [20, 15, 10, { 4000: 750,    4500: 666.67,  4750: 631.58,  5000: 600,   6000: 500 }],
    [13, 13, 13, { 4000: 549.25, 4500: 488.22,  4750: 462.53,  5000: 439.4, 6000: 366.17 }],
  ])('%d x %d x %d cm by each divisor', (length, width, height, expected) => {
    for (const [divisor, grams] of Object.entries(expected)) {
      const request = parcel({ length, width, height, dead_weight: 1 })
      expect(offerOf(request, { divisor: Number(divisor) })).toMatchObject({ volumetric: grams, weight: grams })
      const { volumetric, applicable } = found(request, { divisor: Number(divisor) })
      expect([volumetric, applicable]).toEqual([expected[5000], expected[5000]])
    }
  })

  test('counts only where it is above the dead weight', () => {
    const sides = { length: 20, width: 15, height: 10 }
    expect(offerOf(parcel({ ...sides, dead_weight: 600.01 })).weight).toBe(600.01)
    expect(offerOf(parcel({ ...sides, dead_weight: 599.99 })).weight).toBe(600)
    expect(found(parcel({ ...sides, dead_weight: 1234.5 })).applicable).toBe(1234.5)
  })
})

describe('COD', () => {
  const cod = (value: number): RateRequest => parcel({ payment_method: 'cod', shipment_value: value })

  // prettier-ignore
  test.each<['max' | 'sum', fixed: number, percent: number, value: number, paise: number]>([
    ['max', 30,    2,       1499,      3000],
    ['max', 30,    2,       1500,      3000],
    ['max', 30,    2,       1500.24,   3000],
    ['max', 30,    2,       1500.25,   3001],
    ['max', 30,    2,       2000,      4000],
    ['max', 0,     0.5,     0.99,         0],
    ['max', 0,     0.5,     1,            1],
    ['max', 0,     1.25,    2000,      2500],
    ['max', 45,    0,       99999,     4500],
    ['sum', 30,    2,       1500,      6000],
    ['sum', 10,    1.25,    99.99,     1125],
    ['sum', 12.35, 1.75,    1499,      3858],
    ['sum', 0,     0,       1499,         0],
    ['max', 0,     100,     1234.56, 123456],
  ])('%s of ₹%d and %d %% of ₹%d is %d paise', (rule, fixed, percent, value, paise) => {
    const offer = offerOf(cod(value), { cod: { available: true, fixed, percent, rule, max_value: null } })
    expect([offer.cod, offer.total]).toEqual([paise, 5000 + paise])
  })

  test('a percentage of more than four decimals is not rounded before it is applied', () => {
    const share = (percent: number, value: number): number =>
      offerOf(cod(value), { cod: { available: true, fixed: 0, percent, rule: 'max', max_value: null } }).cod
    expect(share(1.33333, 50_000)).toBe(66667)
    expect(share(0.00001, 10_000_000)).toBe(100)
    expect(offerOf(parcel({ dead_weight: 30_000 }), { rto: { percent: 33.33333 } }).rto).toBe(70500)
  })

  test('is nothing on a prepaid parcel, whatever its value', () => {
    expect(offerOf(parcel({ shipment_value: 50_000 })).cod).toBe(0)
  })

  test('is refused without COD, and above max_value only', () => {
    const limited = { available: true, fixed: 30, percent: 2, rule: 'max', max_value: 5000 } as const
    expect(offerOf(cod(5000), { cod: limited }).cod).toBe(10000)
    expect(refusalOf(cod(5000.01), { cod: limited })).toBe('COD above ₹5000.00')
    expect(refusalOf(cod(1), { cod: { ...limited, available: false } })).toBe('no COD')
    expect(offerOf(parcel(), { cod: { ...limited, available: false } }).total).toBe(5000)
  })

  test('a value near zero is a value, not a crash', () => {
    expect(offerOf(cod(1e-40)).cod).toBe(3000)
    expect(offerOf(cod(0.001)).cod).toBe(3000)
  })

  test('85 of freight and 25 of COD are 110', () => {
    const result = found(parcel({ dead_weight: 1000, payment_method: 'cod', shipment_value: 1 }), {
      cod: { available: true, fixed: 25, percent: 1, rule: 'max', max_value: null },
    })
    expect(rateAnswer(result).result.serviceable_couriers[0]!.charges).toEqual({
      forward_freight_charges: 85,
      cod_charges: 25,
      rto_charges: 85,
      total_forward_charges: 110,
    })
  })
})

describe('what comes on top', () => {
  test('75 back and 10 of QC are 85', () => {
    const back = { zone_c: [{ ...bands(75, 30)[0]! }] }
    expect(rateAnswer(found(returned(), { return: back })).result.serviceable_couriers[0]!.charges).toEqual({
      return_freight_charges: 75,
      qc_charges: 10,
      total_return_charges: 85,
    })
  })

  test('a quality check is asked for unless the request says false, and never on a forward parcel', () => {
    expect(offerOf(returned()).qc).toBe(1000)
    expect(offerOf(returned({ qc_applicable: true })).qc).toBe(1000)
    expect(offerOf(returned({ qc_applicable: false })).qc).toBe(0)
    expect(offerOf(parcel({ qc_applicable: true })).qc).toBe(0)
    const none = { qc: { available: false, price: 10 } }
    expect(refusalOf(returned(), none)).toBe('no quality check on returns')
    expect(offerOf(returned({ qc_applicable: false }), none).total).toBe(5000)
    expect(offerOf(parcel({ qc_applicable: true }), none).total).toBe(5000)
  })

  test('a service without returns takes none', () => {
    const none = { return: {}, transit_days: { forward: perZone(() => 3), return: {} } }
    expect(refusalOf(returned(), none)).toBe('takes no returns')
    expect(offerOf(parcel(), none).total).toBe(5000)
  })

  // prettier-ignore
  test.each<[percent: number, first: number, paise: number]>([
    [100, 50,    5000],
    [90,  50.55, 4550],
    [50,  33.33, 1667],
    [0,   50,       0],
    [150, 50,    7500],
    [80,  41.01, 3281],
  ])('RTO of %d %% of ₹%d is %d paise, in no total', (percent, first, paise) => {
    const offer = offerOf(parcel(), { rto: { percent }, forward: perZone(() => bands(first, 10)) })
    expect([offer.rto, offer.total]).toEqual([paise, Math.round(first * 100)])
  })

  test('RTO by its own bands goes by the weight charged, and bears no COD fee', () => {
    const rto = { bands: perZone(() => [{ ...bands(44, 11)[0]!, up_to: 2000 }]) }
    expect(offerOf(parcel({ dead_weight: 1001 }), { rto })).toMatchObject({ freight: 12000, rto: 6600 })
    const cod = parcel({ dead_weight: 1001, payment_method: 'cod', shipment_value: 9000 })
    expect(offerOf(cod, { rto })).toMatchObject({ freight: 12000, rto: 6600, cod: 18000, total: 30000 })
    expect(refusalOf(parcel({ dead_weight: 2001 }), { rto })).toBe('no RTO price for this weight in zone_c')
    expect(offerOf(returned({ dead_weight: 2001 }), { rto }).rto).toBe(0)
  })

  test('the platform fee is beside the total, forward only', () => {
    expect(offerOf(parcel(), { platform_fee: 5.5 })).toMatchObject({ total: 5000, fee: 550 })
    expect(offerOf(returned(), { platform_fee: 5.5 })).toMatchObject({ total: 6000, fee: 0 })
  })
})
