// Defends how offers of other deployments are read: prices, dates, statuses and zones in everybody's forms.
import { describe, expect, test } from 'vitest'
import { readOffer, readQuoteZone } from '../../src/domain/foreign/offers.ts'

describe('offers', () => {
  test('of our own service', () => {
    expect(
      readOffer({
        carrier_id: 'C',
        carrier_name: 'N',
        carrier_code: 'c',
        service_level: 'express',
        is_fast: true,
        is_prime: false,
        status: 'active',
        expected_delivery: { pickup: '2026-10-02', delivery: '2026-10-03' },
        charges: { forward_freight_charges: 36, cod_charges: '0', rto_charges: '26.50', total_forward_charges: 36 },
        platform_fee: '5.00',
      }),
    ).toEqual({
      carrier_id: 'C',
      carrier_name: 'N',
      carrier_code: 'c',
      service_level: 'express',
      is_fast: true,
      is_prime: false,
      offered: true,
      pickup: '2026-10-02',
      delivery: '2026-10-03',
      charges: {
        forward_freight_charges: 36,
        cod_charges: 0,
        rto_charges: 26.5,
        total_forward_charges: 36,
        return_freight_charges: undefined,
        qc_charges: undefined,
        total_return_charges: undefined,
      },
      platform_fee: 5,
      price: { total: 3600, fee: 500 },
    })
  })

  test.each([
    ['2026-10-02', '2026-10-02'],
    [{ datetime: '2026-10-02T12:00:00.000+05:30', human_readable: '' }, '2026-10-02'],
    [{ datetime: '2026-10-02T19:00:00.000Z' }, '2026-10-03'],
    [{ date: '2026-10-02 12:00:00.000000' }, '2026-10-02'],
    ['2026-02-30', undefined],
    ['in 4 days', undefined],
    [null, undefined],
    [{}, undefined],
  ])('the date %j is %j', (raw, date) => expect(readOffer({ expected_delivery: { pickup: raw } }).pickup).toBe(date))

  test.each([
    [true, true],
    ['active', true],
    [undefined, true],
    [1, true],
    ['ACTIVE', true],
    [false, false],
    ['false', false],
    ['inactive', false],
    [0, false],
  ])('the status %j is offered: %j', (status, offered) => expect(readOffer({ status }).offered).toBe(offered))

  test.each([null, 7, 'x', [], { charges: 'x', expected_delivery: [] }])('%j is an offer of nothing', (raw) => {
    expect(readOffer(raw).charges.cod_charges).toBeUndefined()
    expect(readOffer({ charges: { cod_charges: 'NaN' } }).charges.cod_charges).toBeUndefined()
  })

  test.each([
    ['C', 'zone_c'],
    ['zone_b', 'zone_b'],
    ['Zone A', 'zone_a'],
    ['metro', 'metro'],
    [null, undefined],
  ])('the zone %j is %j', (zone, read) => expect(readQuoteZone({ zone })).toBe(read))
})
