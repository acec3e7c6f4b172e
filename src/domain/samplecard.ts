// The built-in rate card `sample`: invented carriers with invented prices; knows nothing of how a quote is worked out.
import type { Band, RateCard, Service } from './ratecard.ts'
import { zones, type Zone } from './zones.ts'

/** Rupees for each zone, a to e; null where the carrier does not go. */
type Prices = readonly [a: number, b: number, c: number | null, d: number | null, e: number | null]

/** Half-kilogram slabs to 5 kg, then whole kilograms that go on from the price at 5 kg, so that freight never falls. */
function halfKilos(first: Prices, step: Prices, kilo: Prices): Partial<Record<Zone, Band[]>> {
  return perZone(first, (price, i) => [
    { up_to: 5000, first_weight: 500, first_price: price, step_weight: 500, step_price: step[i]! },
    { up_to: null, first_weight: 5000, first_price: price + 9 * step[i]!, step_weight: 1000, step_price: kilo[i]! },
  ])
}

/** One band for every weight. */
function oneBand(firstWeight: number, first: Prices, stepWeight: number, step: Prices): Partial<Record<Zone, Band[]>> {
  return perZone(first, (price, i) => [
    { up_to: null, first_weight: firstWeight, first_price: price, step_weight: stepWeight, step_price: step[i]! },
  ])
}

function perZone<T>(prices: Prices, make: (price: number, index: number) => T): Partial<Record<Zone, T>> {
  const entries = zones.flatMap((zone, i) => (prices[i] === null ? [] : [[zone, make(prices[i]!, i)] as const]))
  return Object.fromEntries(entries) as Partial<Record<Zone, T>>
}

const days = (a: number, b: number, c: number | null, d: number | null, e: number | null): Partial<Record<Zone, number>> =>
  perZone([a, b, c, d, e], (value) => value)

const weekdays = [1, 2, 3, 4, 5, 6]
const everyDay = [0, 1, 2, 3, 4, 5, 6]

const services: Service[] = [
  {
    carrier_id: 'CAR3DECCAN4P7',
    carrier_name: 'Deccan Parcel',
    carrier_code: 'deccan_parcel',
    service_level: 'standard',
    is_fast: false,
    is_prime: false,
    divisor: 5000,
    min_weight: 1,
    max_weight: 30_000,
    max_side: 120,
    forward: halfKilos([32, 37, 44, 48, 57], [26, 31, 38, 41, 50], [44, 52, 66, 72, 90]),
    return: halfKilos([40, 46, 55, 60, 71], [33, 39, 48, 51, 63], [55, 65, 82, 90, 112]),
    cod: { available: true, fixed: 28, percent: 1.5, rule: 'max', max_value: 50_000 },
    rto: { percent: 100 },
    qc: { available: true, price: 12 },
    platform_fee: 5,
    transit_days: { forward: days(1, 2, 3, 5, 7), return: days(2, 3, 5, 6, 9) },
    pickup_cutoff: '14:00',
    working_days: weekdays,
    serviceability: {},
  },
  {
    carrier_id: 'CAR5BLUELN2S6',
    carrier_name: 'BlueLine Surface',
    carrier_code: 'blueline_surface',
    service_level: 'standard',
    is_fast: false,
    is_prime: false,
    divisor: 4500,
    min_weight: 1,
    max_weight: 25_000,
    max_side: 150,
    forward: halfKilos([30, 36, 42.5, 47, 56.5], [25, 30, 36.5, 40, 49], [42, 50, 63, 70, 88]),
    return: halfKilos([38, 45, 53, 58.5, 70], [31, 38, 45.5, 50, 61], [52, 62, 79, 87, 110]),
    cod: { available: true, fixed: 25, percent: 1.25, rule: 'max', max_value: 25_000 },
    rto: { percent: 90 },
    qc: { available: true, price: 10 },
    platform_fee: 5,
    transit_days: { forward: days(2, 2, 4, 5, 8), return: days(2, 3, 5, 7, 10) },
    pickup_cutoff: '13:00',
    working_days: weekdays,
    serviceability: { cod: { not_states: ['Nagaland', 'Arunachal Pradesh', 'Mizoram', 'Lakshadweep'] } },
  },
  {
    carrier_id: 'CAR8SWIFTA1R9',
    carrier_name: 'SwiftAir',
    carrier_code: 'swiftair',
    service_level: 'express',
    is_fast: true,
    is_prime: false,
    divisor: 5000,
    min_weight: 1,
    max_weight: 20_000,
    max_side: 100,
    forward: halfKilos([42, 55, 78, 92, 118], [36, 49, 72, 86, 110], [70, 96, 142, 170, 218]),
    return: halfKilos([52, 68, 96, 114, 146], [45, 61, 90, 107, 137], [88, 120, 178, 212, 272]),
    cod: { available: true, fixed: 35, percent: 1.8, rule: 'max', max_value: 50_000 },
    rto: { percent: 100 },
    qc: { available: true, price: 15 },
    platform_fee: 5,
    transit_days: { forward: days(1, 1, 2, 2, 4), return: days(1, 2, 3, 3, 5) },
    pickup_cutoff: '16:00',
    working_days: weekdays,
    serviceability: { cod: { not_states: ['Ladakh', 'Andaman and Nicobar Islands', 'Lakshadweep'] } },
  },
  {
    carrier_id: 'CAR2MONSON6X3',
    carrier_name: 'Monsoon Express',
    carrier_code: 'monsoon_express',
    service_level: 'express',
    is_fast: true,
    is_prime: true,
    divisor: 5000,
    min_weight: 1,
    max_weight: 15_000,
    max_side: 90,
    forward: halfKilos([48, 62, 86, 104, null], [40, 53, 77, 93, null], [78, 104, 152, 184, null]),
    return: halfKilos([58, 74, 104, 125, null], [48, 64, 93, 112, null], [94, 125, 183, 221, null]),
    cod: { available: false, fixed: 0, percent: 0, rule: 'max', max_value: null },
    rto: { percent: 80 },
    qc: { available: false, price: 0 },
    platform_fee: 0,
    transit_days: { forward: days(1, 1, 1, 2, null), return: days(1, 2, 2, 3, null) },
    pickup_cutoff: '17:30',
    working_days: everyDay,
    serviceability: {},
  },
  {
    carrier_id: 'CAR9BANYAN7H4',
    carrier_name: 'Banyan Heavy',
    carrier_code: 'banyan_heavy',
    service_level: 'standard',
    is_fast: false,
    is_prime: false,
    divisor: 4000,
    min_weight: 5000,
    max_weight: 100_000,
    max_side: 300,
    forward: oneBand(5000, [120, 140, 185, 205, 290], 1000, [13, 15, 21, 24, 36]),
    return: oneBand(5000, [145, 170, 220, 245, 345], 1000, [16, 18, 25, 29, 43]),
    cod: { available: true, fixed: 40, percent: 1.75, rule: 'sum', max_value: 100_000 },
    rto: { bands: oneBand(5000, [110, 130, 170, 190, 270], 1000, [12, 14, 19, 22, 33]) },
    qc: { available: false, price: 0 },
    platform_fee: 10,
    transit_days: { forward: days(2, 3, 5, 7, 10), return: days(3, 4, 6, 8, 12) },
    pickup_cutoff: '12:00',
    working_days: weekdays,
    serviceability: { delivery: { not_states: ['Lakshadweep', 'Andaman and Nicobar Islands'] } },
  },
  {
    carrier_id: 'CAR4PEEPAL8T1',
    carrier_name: 'Peepal Post',
    carrier_code: 'peepal_post',
    service_level: 'standard',
    is_fast: false,
    is_prime: false,
    divisor: 6000,
    min_weight: 1,
    max_weight: 20_000,
    max_side: 150,
    forward: halfKilos([30, 35, 41, 44, 49], [24, 28, 34, 37, 43], [40, 47, 59, 65, 78]),
    return: {},
    cod: { available: true, fixed: 45, percent: 1.25, rule: 'max', max_value: 10_000 },
    rto: { percent: 100 },
    qc: { available: false, price: 0 },
    platform_fee: 3,
    transit_days: { forward: days(2, 3, 5, 6, 9), return: {} },
    pickup_cutoff: '12:30',
    working_days: weekdays,
    serviceability: {},
  },
  {
    carrier_id: 'CAR6KAVERI5L8',
    carrier_name: 'Kaveri Local',
    carrier_code: 'kaveri_local',
    service_level: 'express',
    is_fast: true,
    is_prime: true,
    divisor: 5000,
    min_weight: 1,
    max_weight: 10_000,
    max_side: 60,
    forward: oneBand(500, [34, 46, null, null, null], 500, [22, 32, null, null, null]),
    return: oneBand(500, [42, 56, null, null, null], 500, [28, 40, null, null, null]),
    cod: { available: true, fixed: 25, percent: 1.25, rule: 'max', max_value: 20_000 },
    rto: { percent: 50 },
    qc: { available: true, price: 8 },
    platform_fee: 2,
    transit_days: { forward: days(0, 1, null, null, null), return: days(1, 2, null, null, null) },
    pickup_cutoff: '11:00',
    working_days: everyDay,
    serviceability: {},
  },
  {
    carrier_id: 'CAR1INDUSE9K2',
    carrier_name: 'Indus Economy',
    carrier_code: 'indus_economy',
    service_level: 'standard',
    is_fast: false,
    is_prime: false,
    divisor: 4750,
    min_weight: 1,
    max_weight: 50_000,
    max_side: 180,
    forward: oneBand(2000, [58, 68, 86, 96, 124], 1000, [18, 22, 29, 33, 46]),
    return: oneBand(2000, [70, 82, 104, 116, 150], 1000, [22, 27, 35, 40, 56]),
    cod: { available: true, fixed: 30, percent: 1.6, rule: 'max', max_value: 75_000 },
    rto: { percent: 75 },
    qc: { available: true, price: 14 },
    platform_fee: 4,
    transit_days: { forward: days(2, 3, 5, 6, 8), return: days(3, 4, 6, 7, 10) },
    pickup_cutoff: '15:00',
    working_days: weekdays,
    serviceability: { pickup: { not_states: ['Lakshadweep'] } },
  },
]

/** The invented card that quotes are made with until the merchant imports its own (docs/rates.md). */
export const sampleCard: RateCard = {
  name: 'sample',
  note: 'Invented carriers and prices, to try shipx with. Import your own contract: shipx ratecard import <file>',
  currency: 'INR',
  valid_from: null,
  valid_to: null,
  gst_percent: 18,
  holidays: [],
  zones: {},
  services,
}
