// What a quote says: the keys of its answer (spec 2.3), and the explanation of each rupee.
import { describe, expect, test } from 'vitest'
import { explanation, explanationText } from '../../src/cli/commands/rates/explain.ts'
import type { Screen } from '../../src/cli/terminal/screen.ts'
import { quote, RateAnswer, rateAnswer, type Quote } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { monday, parcel, returned, perZone, bands, found } from './cards.ts'

describe('the answer', () => {
  const offered = (result: Quote) => rateAnswer(result).result.serviceable_couriers[0]!

  test('has exactly the keys of a forward journey (spec 2.3)', () => {
    const result = found(parcel({ dead_weight: 500.5 }), { platform_fee: 2.5 })
    expect(rateAnswer(result)).toEqual({
      status: 'SUCCESS',
      result: {
        serviceable_couriers: [
          {
            carrier_id: 'CAR-1',
            carrier_name: 'One',
            carrier_code: 'one',
            service_level: 'standard',
            is_fast: false,
            is_prime: true,
            status: 'active',
            expected_delivery: { pickup: '2026-11-23', delivery: '2026-11-26' },
            charges: {
              forward_freight_charges: 85,
              cod_charges: 0,
              rto_charges: 85,
              total_forward_charges: 85,
            },
            platform_fee: 2.5,
          },
        ],
        shipment_details: {
          journey_type: 'forward',
          origin_pincode: '400001',
          destination_pincode: '560001',
          payment_method: 'prepaid',
          dead_weight: 500.5,
          volumetric_weight: 0.2,
          applicable_weight: 500.5,
          zone: 'zone_c',
        },
      },
    })
  })

  test('has exactly the keys of a return, those of the other journey absent and not null (spec 2.3, 4.7 rule 6)', () => {
    const request = returned({ payment_method: 'cod', shipment_value: 500, qc_applicable: true })
    const answer = rateAnswer(found(request, { platform_fee: 2.5 }))
    const details = answer.result.shipment_details
    const offer = answer.result.serviceable_couriers[0]!
    // prettier-ignore
    expect(Object.keys(offer).toSorted()).toEqual([
      'carrier_code', 'carrier_id', 'carrier_name', 'charges', 'expected_delivery', 'service_level', 'status',
    ])
    expect(Object.keys(offer.charges).toSorted()).toEqual([
      'qc_charges',
      'return_freight_charges',
      'total_return_charges',
    ])
    // prettier-ignore
    expect(Object.keys(details).toSorted()).toEqual([
      'applicable_weight', 'dead_weight', 'destination_pincode', 'journey_type', 'origin_pincode', 'volumetric_weight', 'zone',
    ])
    expect(details.journey_type).toBe('return')
  })

  test('with no courier is a success with an empty list', () => {
    const answer = rateAnswer(found(parcel({ dead_weight: 99_999 })))
    expect([answer.status, answer.result.serviceable_couriers]).toEqual(['SUCCESS', []])
    expect(answer.result.shipment_details.zone).toBe('zone_c')
  })

  test('gives the level as the card has it, and says that every offer is active', () => {
    expect(offered(found(parcel(), { service_level: 'express', is_fast: true, is_prime: false }))).toMatchObject({
      service_level: 'express',
      is_fast: true,
      is_prime: false,
      status: 'active',
    })
  })

  test('fits its own schema and survives JSON', () => {
    const answer = rateAnswer(quote(parcel(), sampleCard, monday))
    expect(RateAnswer.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer)
  })
})

describe('the explanation', () => {
  test('says of each rupee where it is from', () => {
    const request = parcel({ dead_weight: 1200, payment_method: 'cod', shipment_value: 5000 })
    const told = explanation(found(request, { platform_fee: 5, rto: { percent: 90 } }, { holidays: ['2026-12-25'] }))
    expect(told.offers[0]!.lines).toEqual([
      'weight: charged on dead 1,200 g, volumetric is 0.2 g (divisor 5000); the slab ends at 1,500 g',
      'freight ₹120.00: ₹50.00 for the first 500 g in zone_c + 2 x ₹35.00 for each 500 g more',
      'COD ₹100.00: the greater of ₹30.00 and 2 % of the value',
      'if returned ₹108.00: 90 % of freight, no COD fee; not in the total',
      'you pay ₹265.50: the total ₹220.00 + ₹5.00 platform fee + ₹40.50 GST (18%)',
      'dates: pickup 23 Nov (cut-off 14:00 IST), delivery 26 Nov, 3 working days, holidays of the card counted',
    ])
    expect(told).toMatchObject({ card: 'small', invented: false, zone: { zone: 'zone_c', rule: 'metro' }, refused: [] })
  })

  test('says of a return which weight and which check were charged', () => {
    const told = explanation(found(returned({ length: 20, width: 15, height: 10 })))
    expect(told.offers[0]!.lines.slice(0, 3)).toEqual([
      'weight: charged on volumetric 600 g (divisor 5000), more than dead 500 g; the slab ends at 1,000 g',
      'freight ₹85.00: ₹50.00 for the first 500 g in zone_c + 1 x ₹35.00 for each 500 g more',
      'QC ₹10.00: price of a quality check',
    ])
    expect(told.offers[0]!.lines.join()).not.toMatch(/COD|RTO|if returned|platform/)
  })

  test('names the sum rule, own RTO prices and the least weight', () => {
    const cod = { available: true, fixed: 10, percent: 1, rule: 'sum', max_value: null } as const
    const rto = { bands: perZone(() => bands(20, 10)) }
    const request = parcel({ payment_method: 'cod', shipment_value: 1000, dead_weight: 3 })
    const lines = explanation(found(request, { cod, rto, min_weight: 500 })).offers[0]!.lines
    expect(lines[0]).toBe('weight: charged on the least weight of this service, 500 g; the slab ends at 500 g')
    expect(lines[2]).toBe('COD ₹20.00: ₹10.00 and 1 % of the value')
    expect(lines[3]).toBe('if returned ₹20.00: its own RTO price, no COD fee; not in the total')
  })

  test('a dead weight that is rounded up is not called the least weight of the service', () => {
    const lines = explanation(found(parcel({ dead_weight: 500.005 }))).offers[0]!.lines
    expect(lines[0]).toBe(
      'weight: charged on dead 500.01 g, volumetric is 0.2 g (divisor 5000); the slab ends at 1,000 g',
    )
  })

  test('says why the zone is what it is, why services are left out, and that the sample card is invented', () => {
    const told = explanation(quote(parcel({ payment_method: 'cod', shipment_value: 20_000 }), sampleCard, monday))
    expect(told).toMatchObject({ card: 'sample', invented: true })
    expect(told.zone.why).toBe('both ends in different metros: Mumbai and Bengaluru')
    expect(told.refused).toEqual([
      { carrier_id: 'CAR2MONSON6X3', carrier_name: 'Monsoon Express', reason: 'no COD' },
      { carrier_id: 'CAR4PEEPAL8T1', carrier_name: 'Peepal Post', reason: 'COD above ₹10000.00' },
      { carrier_id: 'CAR6KAVERI5L8', carrier_name: 'Kaveri Local', reason: 'does not serve zone_c' },
    ])
  })

  test('is the same for people, as text', () => {
    const plain = (text: string): string => text
    const result = quote(parcel({ payment_method: 'cod', shipment_value: 20_000 }), sampleCard, monday)
    const text = explanationText(result, { paint: { bold: plain, dim: plain } } as unknown as Screen)
    expect(text).toContain('Card sample (invented prices)\n')
    expect(text).toContain('Zone C: both ends in different metros: Mumbai and Bengaluru\n')
    const told = explanation(result)
    const forPeople = (line: string): string => line.replaceAll('zone_c', 'Zone C')
    for (const line of told.offers.flatMap((offer) => offer.lines)) expect(text).toContain(`  ${forPeople(line)}\n`)
    for (const { carrier_name, reason } of told.refused)
      expect(`${text}\n`).toContain(`  ${carrier_name}: ${forPeople(reason)}\n`)
  })
})
