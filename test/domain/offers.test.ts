// Who offers and when: places that are served, dates of pickup and delivery, the order of offers.
import { describe, expect, test } from 'vitest'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults, type Service } from '../../src/domain/rates/ratecard.ts'
import { quote } from '../../src/domain/rates/rates.ts'
import { monday, parcel, returned, perZone, bands, service, cardOf, found, offerOf } from './cards.ts'

describe('serviceability', () => {
  // 400001 Mumbai, Maharashtra to 560001 Bengaluru, Karnataka, COD.
  // prettier-ignore
  test.each<[Service['serviceability'], string | undefined]>([
    [{},                                                          undefined],
    [{ pickup: { states: ['Maharashtra'] } },                     undefined],
    [{ pickup: { states: ['Karnataka'] } },                       'no pickup from 400001 (Maharashtra)'],
    [{ pickup: { not_states: ['Karnataka'] } },                   undefined],
    [{ pickup: { not_states: ['Goa', 'Maharashtra'] } },          'no pickup from 400001 (Maharashtra)'],
    [{ pickup: { pincodes: ['4000'] } },                          undefined],
    [{ pickup: { pincodes: ['4001', '400001'] } },                undefined],
    [{ pickup: { pincodes: ['4001'] } },                          'no pickup from 400001'],
    [{ pickup: { pincodes: [] } },                                'no pickup from 400001'],
    [{ pickup: { not_pincodes: ['5'] } },                         undefined],
    [{ pickup: { not_pincodes: ['400001'] } },                    'no pickup from 400001'],
    [{ pickup: { pincodes: ['4'], not_pincodes: ['400'] } },      'no pickup from 400001'],
    [{ pickup: { zones: ['zone_a', 'zone_c'] } },                 undefined],
    [{ pickup: { zones: ['zone_a', 'zone_b'] } },                 'no pickup from 400001 (zone_c)'],
    [{ delivery: { states: ['Karnataka'] } },                     undefined],
    [{ delivery: { states: ['Maharashtra'] } },                   'no delivery to 560001 (Karnataka)'],
    [{ delivery: { not_pincodes: ['56'] } },                      'no delivery to 560001'],
    [{ delivery: { zones: ['zone_d'] } },                         'no delivery to 560001 (zone_c)'],
    [{ cod: { states: ['Karnataka'], pincodes: ['560'] } },       undefined],
    [{ cod: { not_states: ['Karnataka'] } },                      'no COD to 560001 (Karnataka)'],
    [{ cod: { pincodes: ['561'] } },                              'no COD to 560001'],
    [{ cod: { zones: ['zone_a'] } },                              'no COD to 560001 (zone_c)'],
    [{ cod: { not_states: ['Maharashtra'] } },                    undefined],
  ])('%j: %s', (serviceability, reason) => {
    const cod = parcel({ payment_method: 'cod', shipment_value: 1000 })
    const { offers, refusals } = found(cod, { serviceability })
    expect(refusals.map((refusal) => refusal.reason)).toEqual(reason === undefined ? [] : [reason])
    expect(offers).toHaveLength(reason === undefined ? 1 : 0)
  })

  test('a place without COD takes prepaid parcels and returns', () => {
    const serviceability = { cod: { not_states: ['Karnataka', 'Maharashtra'] } }
    expect(offerOf(parcel(), { serviceability }).total).toBe(5000)
    expect(offerOf(returned({ payment_method: 'cod' }), { serviceability }).total).toBe(6000)
  })

  test('the zones of the card decide: its own matrix moves a lane', () => {
    const zonesOf = { matrix: [{ from: '400', to: '560', zone: 'zone_e' as const }] }
    const result = found(parcel(), {}, { zones: zonesOf })
    expect([result.zone.zone, result.zone.rule, result.offers[0]!.freight]).toEqual(['zone_e', 'matrix', 7000])
  })
})

describe('dates', () => {
  const weekdays = [1, 2, 3, 4, 5, 6]
  const everyDay = [0, 1, 2, 3, 4, 5, 6]

  // Dates worked out on a wall calendar; three days of transit unless the row says otherwise.
  // prettier-ignore
  test.each<[now: string, pickup: string, delivery: string, over?: { days?: number[]; transit?: number; cutoff?: string; holidays?: string[] }]>([
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-26'],
    ['2026-11-23T13:59:59.999+05:30', '2026-11-23', '2026-11-26'],
    ['2026-11-23T14:00:00+05:30',     '2026-11-24', '2026-11-27'],
    ['2026-11-21T10:00:00+05:30',     '2026-11-21', '2026-11-25'],
    ['2026-11-21T15:00:00+05:30',     '2026-11-23', '2026-11-26'],
    ['2026-11-22T09:00:00+05:30',     '2026-11-23', '2026-11-26'],
    // Midnight in India: 18:30 UTC the day before.
    ['2026-11-20T18:29:59.999Z',      '2026-11-21', '2026-11-25'],
    ['2026-11-20T18:30:00Z',          '2026-11-21', '2026-11-25'],
    ['2026-11-20T18:29:59.999Z',      '2026-11-21', '2026-11-25', { cutoff: '23:59' }],
    ['2026-11-20T18:28:59.999Z',      '2026-11-20', '2026-11-24', { cutoff: '23:59' }],
    ['2026-11-21T18:29:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-21T18:30:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-21T19:00:00Z',          '2026-11-23', '2026-11-26', { cutoff: '23:59' }],
    ['2026-11-22T18:30:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-22T18:30:00Z',          '2026-11-24', '2026-11-27', { cutoff: '00:00' }],
    // 26 January 2026 is a Monday, 15 August a Saturday, 2 October a Friday.
    ['2026-01-23T10:00:00+05:30',     '2026-01-23', '2026-01-28'],
    ['2026-01-26T10:00:00+05:30',     '2026-01-27', '2026-01-30'],
    ['2026-08-14T10:00:00+05:30',     '2026-08-14', '2026-08-19'],
    ['2026-08-14T14:00:00+05:30',     '2026-08-17', '2026-08-20'],
    ['2026-10-01T15:00:00+05:30',     '2026-10-03', '2026-10-07'],
    ['2026-12-31T16:00:00+05:30',     '2027-01-01', '2027-01-05'],
    ['2028-02-28T10:00:00+05:30',     '2028-02-28', '2028-03-02'],
    // Sundays and odd weeks.
    ['2026-11-21T15:00:00+05:30',     '2026-11-22', '2026-11-25', { days: everyDay }],
    ['2026-01-25T10:00:00+05:30',     '2026-01-25', '2026-01-27', { days: everyDay, transit: 1 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-25', '2026-12-09', { days: [3], transit: 2 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-23', { transit: 0 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-12-07', { transit: 12 }],
    // The card's own holidays, on the way, today and behind.
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-27', { holidays: ['2026-11-24'] }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-25', '2026-11-28', { holidays: ['2026-11-23', '2026-11-24'] }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-26', { holidays: ['2026-11-27', '2025-11-24'] }],
  ])('asked at %s: picked up %s, delivered %s %j', (now, pickup, delivery, over = {}) => {
    const { days = weekdays, transit = 3, cutoff = '14:00', holidays = [] } = over
    const changes = {
      working_days: days,
      pickup_cutoff: cutoff,
      transit_days: { forward: perZone(() => transit), return: perZone(() => transit) },
    }
    for (const request of [parcel(), returned()]) {
      const offer = offerOf(request, changes, { holidays }, Date.parse(now))
      expect([offer.pickup, offer.delivery]).toEqual([pickup, delivery])
    }
  })

  // prettier-ignore
  test.each([
    ['2026-11-22T18:29:59.999Z', 'the card small is valid from 2026-11-23'],
    ['2026-11-22T18:30:00Z',     undefined],
    ['2026-11-30T18:29:59.999Z', undefined],
    ['2026-11-30T18:30:00Z',     'the card small was valid until 2026-11-30'],
  ])('a card valid from 23 to 30 November in India, asked at %s: %s', (now, reason) => {
    const dates = { valid_from: '2026-11-23', valid_to: '2026-11-30' }
    const { offers, refusals } = found(parcel(), {}, dates, Date.parse(now))
    expect(refusals.map((refusal) => refusal.reason)).toEqual(reason === undefined ? [] : [reason])
    expect(offers).toHaveLength(reason === undefined ? 1 : 0)
  })

  test('one service on two cards keeps the holidays of each', () => {
    const one = service()
    const [plain, feast] = [cardOf([one]), cardOf([one], { holidays: ['2026-11-24'] })]
    const delivery = (card: RateCard): string => quote(parcel(), card, monday).offers[0]!.delivery
    expect([plain, feast, plain, feast].map(delivery)).toEqual(['2026-11-26', '2026-11-27', '2026-11-26', '2026-11-27'])
  })
})

describe('the order of offers', () => {
  test('is what is paid, then delivery date, then carrier_id', () => {
    const make = (carrier_id: string, first: number, platform_fee: number, transit: number): Service =>
      service({
        carrier_id,
        platform_fee,
        forward: perZone(() => bands(first, 10)),
        transit_days: { forward: perZone(() => transit), return: perZone(() => transit) },
      })
    const card = cardOf([
      make('CAR-z', 55, 0, 2),
      make('CAR-B', 50, 5, 3),
      make('CAR-C', 54, 0, 9),
      make('CAR-A', 40, 15, 3),
      make('CAR-Z', 53.99, 1, 1),
      make('CAR-2', 49, 5, 8),
    ])
    const { offers } = quote(parcel(), card, monday)
    expect(offers.map((offer) => offer.service.carrier_id)).toEqual([
      'CAR-2',
      'CAR-C',
      'CAR-Z',
      'CAR-z',
      'CAR-A',
      'CAR-B',
    ])
  })
})

test('the small cards of these tests are sound', () => {
  expect(cardFaults(cardOf([service()]))).toEqual([])
})
