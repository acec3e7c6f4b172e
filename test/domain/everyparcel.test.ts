// What holds for every parcel on the sample card: sums, slabs, zones, order and dates, in any time zone.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explanation } from '../../src/cli/commands/rates/explain.ts'
import { rateText } from '../../src/domain/rates/answertext.ts'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { quote, rateAnswer, type RateRequest } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { runs } from '../support/size.ts'
import { root } from '../support/checkout.ts'
import { monday, parcel } from './cards.ts'

describe('for every parcel', () => {
  const pincodes = fc.constantFrom(...everyPincode())
  const grams = fc.oneof(
    fc.integer({ min: 1, max: 4_000_000 }).map((units) => units / 100),
    fc.integer({ min: 1, max: 80 }).map((slabs) => slabs * 500),
    fc.integer({ min: 1, max: 80 }).map((slabs) => slabs * 500 + 0.01),
  )
  const side = fc.oneof(
    fc.integer({ min: 1, max: 12_000 }).map((units) => units / 100),
    fc.integer({ min: 1, max: 100 }),
  )
  const anyMoment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
  const anyRequest: fc.Arbitrary<RateRequest> = fc
    .record({
      from: pincodes,
      to: pincodes,
      dead_weight: grams,
      length: side,
      width: side,
      height: side,
      kind: fc.constantFrom('prepaid', 'cod', 'qc', 'no qc'),
      value: fc.integer({ min: 1, max: 12_000_000 }).map((paise) => paise / 100),
    })
    .map(({ from, to, kind, value, ...rest }) => ({
      ...rest,
      origin_pincode: from,
      destination_pincode: to,
      ...(kind === 'prepaid' || kind === 'cod'
        ? {
            journey_type: 'forward' as const,
            payment_method: kind,
            ...(kind === 'cod' ? { shipment_value: value } : {}),
          }
        : { journey_type: 'return' as const, qc_applicable: kind === 'qc' }),
    }))

  /** Rupees with at most two decimals, in paise. */
  function paise(rupees: number | undefined): bigint {
    const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(rupees))
    if (match === null) throw new Error(`${rupees} is no amount with at most two decimals`)
    return BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'))
  }

  test('the text of an answer is its JSON, byte for byte', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const found = quote(request, sampleCard, now)
        expect(rateText(found)).toBe(JSON.stringify(rateAnswer(found)))
      }),
      { numRuns: runs(100, 800) },
    )
  })

  test('totals are the sum of their parts to the paisa', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        for (const { charges, platform_fee } of rateAnswer(quote(request, sampleCard, now)).result
          .serviceable_couriers) {
          if (request.journey_type === 'forward') {
            const parts = paise(charges['forward_freight_charges']) + paise(charges['cod_charges'])
            expect(paise(charges['total_forward_charges'])).toBe(parts)
            expect(paise(charges['cod_charges']) === 0n).toBe(request.payment_method === 'prepaid')
            paise(charges['rto_charges'])
            paise(platform_fee)
          } else {
            const parts = paise(charges['return_freight_charges']) + paise(charges['qc_charges'])
            expect(paise(charges['total_return_charges'])).toBe(parts)
            expect(paise(charges['qc_charges']) === 0n).toBe(request.qc_applicable === false)
          }
        }
      }),
      { numRuns: runs(100, 800) },
    )
  })

  test('freight is what walking up the slabs of the card comes to', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const { offers, zone } = quote(request, sampleCard, now)
        for (const { service: carrier, weight, freight } of offers) {
          const tariff = carrier[request.journey_type][zone.zone]!
          const units = Math.round(weight * 100)
          const band = tariff.find(({ up_to }) => up_to === null || units <= up_to * 100)!
          let [end, price] = [band.first_weight * 100, Math.round(band.first_price * 100)]
          for (; end < units; end += band.step_weight * 100) price += Math.round(band.step_price * 100)
          expect(freight).toBe(price)
        }
      }),
      { numRuns: runs(100, 800) },
    )
  })

  test('freight never falls, and no service comes back, when weight or a side grows', () => {
    const growth = fc.record({
      what: fc.constantFrom('dead_weight', 'length', 'width', 'height'),
      by: fc.oneof(
        fc.integer({ min: 1, max: 200 }).map((units) => units / 100),
        fc.integer({ min: 1, max: 10_000 }),
      ),
    })
    fc.assert(
      fc.property(anyRequest, growth, (request, { what, by }) => {
        const small = quote(request, sampleCard, monday)
        const large = quote({ ...request, [what]: request[what as 'length'] + by }, sampleCard, monday)
        for (const { service: carrier, freight } of large.offers) {
          const before = small.offers.find((offer) => offer.service === carrier)
          expect(before?.freight).toBeLessThanOrEqual(freight)
        }
      }),
      { numRuns: runs(150, 1500) },
    )
  })

  test('the zone is the same in both directions', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const turned = {
          ...request,
          origin_pincode: request.destination_pincode,
          destination_pincode: request.origin_pincode,
        }
        const [there, here] = [quote(request, sampleCard, monday), quote(turned, sampleCard, monday)]
        expect(here.zone.zone).toBe(there.zone.zone)
        expect(rateAnswer(there).result.shipment_details.zone).toMatch(/^zone_[a-e]$/)
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('offers are sorted by what is paid, delivery and carrier_id, and every service is offered or refused once', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const result = quote(request, sampleCard, now)
        const offers = rateAnswer(result).result.serviceable_couriers
        const keys = offers.map((offer) => {
          const { total_forward_charges: there, total_return_charges: back } = offer.charges
          const paid = paise(there ?? back) + paise(offer.platform_fee ?? 0)
          return `${String(paid).padStart(12, '0')} ${offer.expected_delivery.delivery} ${offer.carrier_id}`
        })
        expect(keys).toEqual(keys.toSorted())
        const ids = [...offers.map((offer) => offer.carrier_id), ...result.refusals.map((no) => no.service.carrier_id)]
        expect(ids.toSorted()).toEqual(sampleCard.services.map((carrier) => carrier.carrier_id).toSorted())
        expect(result.refusals.every(({ reason }) => reason !== '' && !reason.includes('undefined'))).toBe(true)
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('pickup is not before today in India, delivery not before pickup, and neither on a national holiday', () => {
    const india = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' })
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        for (const { pickup, delivery, service: carrier } of quote(request, sampleCard, now).offers) {
          expect(pickup >= india.format(now) && delivery >= pickup).toBe(true)
          for (const day of [pickup, delivery]) {
            expect(day).not.toMatch(/-(01-26|08-15|10-02)$/)
            expect(carrier.working_days).toContain(new Date(`${day}T12:00:00Z`).getUTCDay())
          }
        }
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('the explanation agrees with the answer', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const result = quote(request, sampleCard, now)
        const { serviceable_couriers: offers, shipment_details: details } = rateAnswer(result).result
        const told = explanation(result)
        expect([told.zone.zone, told.weight.volumetric, told.weight.applicable, told.weight.dead]).toEqual([
          details.zone,
          details.volumetric_weight,
          details.applicable_weight,
          details.dead_weight,
        ])
        const forward = request.journey_type === 'forward'
        expect(
          told.offers.map(({ carrier_id, freight, cod, qc, rto, platform_fee, total }) =>
            forward ? [carrier_id, freight, cod, rto, platform_fee, total] : [carrier_id, freight, qc, total],
          ),
        ).toEqual(
          offers.map(({ carrier_id, charges, platform_fee }) =>
            forward
              ? [
                  carrier_id,
                  charges['forward_freight_charges'],
                  charges['cod_charges'],
                  charges['rto_charges'],
                  platform_fee,
                  charges['total_forward_charges'],
                ]
              : [carrier_id, charges['return_freight_charges'], charges['qc_charges'], charges['total_return_charges']],
          ),
        )
        expect(told.offers.length + told.refused.length).toBe(sampleCard.services.length)
        for (const offer of told.offers) {
          expect(offer.charged_weight).toBeGreaterThanOrEqual(offer.volumetric_weight)
          expect(offer.slab).toBeGreaterThanOrEqual(offer.charged_weight)
        }
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('the answer is the same bytes in every time zone of the machine', { tags: ['full'] }, () => {
    const script = `
      const { quote, rateAnswer } = await import(${JSON.stringify(new URL('../../src/domain/rates/rates.ts', import.meta.url))})
      const { sampleCard } = await import(${JSON.stringify(new URL('../../src/domain/rates/samplecard.ts', import.meta.url))})
      const request = ${JSON.stringify(parcel({ payment_method: 'cod', shipment_value: 1499 }))}
      const lines = [new Date(0).getTimezoneOffset()]
      for (let hour = 0; hour < 400 * 24; hour += 5) {
        const now = Date.UTC(2026, 0, 1) + hour * 3_600_000 + 1_799_999
        lines.push(JSON.stringify(rateAnswer(quote(request, sampleCard, now)).result.serviceable_couriers))
      }
      process.stdout.write(lines.join('\\n'))`
    const answers = ['Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) => {
      const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
        cwd: root,
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
        maxBuffer: 100_000_000,
      })
      const [offset, ...lines] = output.split('\n')
      return { offset, lines }
    })
    expect(new Set(answers.map(({ offset }) => offset)).size).toBe(3)
    expect(answers[0]!.lines).toHaveLength(1920)
    expect(answers[1]!.lines).toEqual(answers[0]!.lines)
    expect(answers[2]!.lines).toEqual(answers[0]!.lines)
  })
})
