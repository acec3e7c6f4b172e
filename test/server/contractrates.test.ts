// Quotes of the service on a contract: surcharges beside the fields of the specification, and a pincode that only the
// contract names.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { saveCard, useCard } from '../../src/engine/accounts/ratecards.ts'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import { testNow } from '../support/engine.ts'
import { rateRequest } from '../support/requests.ts'
import { json, send, startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  const [first] = sampleCard.services
  const { zone_a, zone_b } = first!.forward
  const card = {
    ...sampleCard,
    name: 'contract',
    zone_tables: [
      {
        name: 'own',
        zones: { A: 'zone_a' as const, B1: 'zone_b' as const },
        origins: [{ from: '', to: { A: ['400'], B1: ['382830', '560'] } }],
      },
    ],
    services: [
      {
        ...first!,
        zone_table: 'own',
        forward: { A: zone_a!, B1: zone_b! },
        return: {},
        surcharges: [{ name: 'Fuel', percent: 12 }],
      },
    ],
  }
  await service.engine.database.write(function* () {
    const account = yield* accountNamed('default', testNow)
    yield* saveCard(account, card, testNow)
    yield* useCard(account, card.name)
  })
})
afterAll(() => service.close())

const asked = async (over: object, key = service.key) => {
  const { status, json: answer } = await send(`${service.api}/rates`, { ...json({ ...rateRequest, ...over }), key })
  return { status, answer: answer as { result: { serviceable_couriers: Record<string, unknown>[] }; errors: string[] } }
}

test('surcharges are a key of their own, and every field of the specification stays', async () => {
  const { status, answer } = await asked({})
  expect(status).toBe(200)
  const [offer] = answer.result.serviceable_couriers
  const {
    forward_freight_charges: freight,
    cod_charges: cod,
    total_forward_charges: total,
  } = offer!['charges'] as Record<string, number>
  const fuel = Math.round(freight! * 12) / 100
  expect(offer).toMatchObject({ surcharges: { Fuel: fuel }, courier_zone: 'B1' })
  expect(total).toBeCloseTo(freight! + cod! + fuel, 6)
  expect(Object.keys(offer!)).toEqual(
    expect.arrayContaining(
      'carrier_id carrier_name carrier_code service_level is_fast is_prime status expected_delivery charges platform_fee'.split(
        ' ',
      ),
    ),
  )
})

test('a pincode that only the zones of the account’s card name has a price, also with a blank in it', async () => {
  for (const destination_pincode of ['382830', '382 830']) {
    const { status, answer } = await asked({ destination_pincode })
    expect([status, answer.result.serviceable_couriers[0]]).toMatchObject([200, { courier_zone: 'B1' }])
  }
})

test('one that neither knows is refused with the nearest, and so is that pincode for another account', async () => {
  const refused = await asked({ destination_pincode: '382831' })
  expect([refused.status, refused.answer.errors]).toEqual([
    400,
    [expect.stringMatching(/^destination_pincode: 382831 is not a pincode that exists; nearest: /)],
  ])
  const { key } = await service.keyFor('another')
  expect((await asked({ destination_pincode: '382830' }, key)).status).toBe(400)
})

test('the other faults of such a request are named as ever', async () => {
  const { status, answer } = await asked({ destination_pincode: '382830', dead_weight: -1, color: 'red' })
  expect([status, answer.errors.length]).toEqual([400, 2])
  expect(answer.errors.join()).toMatch(/dead_weight.*color|color.*dead_weight/)
})
