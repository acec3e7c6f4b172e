// Rates and orders take, refuse and answer over HTTP what the API description says of each field.
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contract } from '../../src/domain/contract.ts'
import { headers as wireHeaders } from '../../src/domain/wire.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { follow, fault, bodyAt, type Json } from './apidocument.ts'
import { long, numberField, valueField, blankless, idField, type Field, type Range } from './fieldvalues.ts'
import { describedService, goodBody, newNumber } from './describedservice.ts'
import { first } from '../support/size.ts'

const service = describedService()

describe('getRates', () => {
  const forward = endpoints.getRates.examples['forward']!.request!
  const back = endpoints.getRates.examples['return']!.request!

  test.each(['dead_weight', 'length', 'width', 'height'])(
    'takes and refuses %s as the document says',
    async (field) => {
      const range: Range = {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: field === 'dead_weight' ? 10_000_000 : 10_000,
      }
      const { good, bad } = numberField(range)
      for (const value of good) await service.taken('getRates', { ...forward, [field]: value })
      for (const value of bad) await service.refused('getRates', { ...forward, [field]: value })
      await service.refused('getRates', { ...forward, [field]: undefined })
    },
  )

  test('takes and refuses values, pincodes, words and flags as the document says', async () => {
    const value = numberField({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 })
    for (const shipment_value of value.good) await service.taken('getRates', { ...forward, shipment_value })
    for (const shipment_value of value.bad) await service.refused('getRates', { ...forward, shipment_value })
    for (const field of ['origin_pincode', 'destination_pincode']) {
      for (const pincode of ['560001', '560 001']) await service.taken('getRates', { ...forward, [field]: pincode })
      for (const pincode of ['56000', '5600011', '056001', '56 0001', '', 'abcdef', 560001, null])
        await service.refused('getRates', { ...forward, [field]: pincode })
      await service.refused('getRates', { ...forward, [field]: '999999' }, false)
    }
    for (const journey_type of ['Forward', '', 5, null, undefined])
      await service.refused('getRates', { ...forward, journey_type })
    for (const qc_applicable of [true, false]) await service.taken('getRates', { ...back, qc_applicable })
    for (const qc_applicable of ['true', 1, null]) await service.refused('getRates', { ...back, qc_applicable })
    await service.refused('getRates', { ...forward, dead_weigth: 5 })
  })

  test('holds the rules between fields, and lets the other journey be', async () => {
    await service.refused('getRates', { ...forward, payment_method: undefined })
    await service.refused('getRates', { ...forward, payment_method: 'COD' })
    await service.refused('getRates', { ...forward, shipment_value: undefined })
    await service.taken('getRates', { ...forward, payment_method: 'prepaid', shipment_value: undefined })
    await service.taken('getRates', { ...forward, payment_method: 'prepaid', shipment_value: -5 })
    await service.taken('getRates', { ...forward, qc_applicable: false })
    await service.taken('getRates', { ...back, payment_method: 'whatever', shipment_value: '0' })
    await service.refused('getRates', { ...back, shipment_value: 'x' })
    await service.refused('getRates', { ...back, payment_method: 5 })
  })

  test('answers an empty list where no courier serves the lane, and tells about the quote in a header', async () => {
    const none = await service.taken('getRates', { ...forward, dead_weight: 10_000_000 })
    expect((none.json() as { readonly result: Json }).result['serviceable_couriers']).toEqual([])
    expect(none.headers[wireHeaders.quote]).toMatch(/^card=/)
  })
})

describe.each(first(1, ['createForwardOrder', 'orchestrateForwardOrder'] as const))('%s', (name) => {
  const [, schema] = follow(bodyAt(name))
  const { properties, required } = schema as unknown as {
    readonly properties: Readonly<Record<string, Json>>
    readonly required: readonly string[]
  }
  const { properties: made } = z.toJSONSchema(contract[name].input(), { io: 'input', unrepresentable: 'any' }) as {
    readonly properties: Readonly<Record<string, Json>>
  }
  const special: Readonly<Record<string, Field>> = {
    payment_method: { good: ['COD', 'cod', 'Cod'], bad: ['cash', '', 5, null, ' COD'] },
    cod_collectible: numberField({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 }),
    shipping_is_billing: { good: [true], bad: ['false', 0, null] },
    billing_country: { ...blankless({ good: ['India', 'IN', ' ind '], bad: [5, null] }) },
    shipping_country: { ...blankless({ good: ['INDIA'], bad: [5, null] }) },
    billing_email: { ...blankless({ good: ['asha@example.com'], bad: [5, null] }) },
    shipping_email: { ...blankless({ good: ['asha@example.com'], bad: [5, null] }) },
    order_id: { ...idField(100), good: [long(100), ' AB-1 '] },
    rto_warehouse_id: idField(200),
    channel_id: idField(200),
    sub_total: {
      ...numberField({ type: 'number', minimum: 0, maximum: 10_000_000_000 }),
      good: [1499, '1499.00', 10_000_000_000],
    },
    order_date: {
      good: ['2025-11-21 16:30', '2024-02-29 00:00'],
      bad: ['2025-11-21', '2025-11-21T16:30', '21-11-2025 16:30', '2025-13-01 10:00', '2025-11-21 24:00', '', 5, null],
      beyond: ['2025-02-30 10:00'],
    },
    store_name: { ...idField(200), good: [] },
    carrier_id: { ...idField(200), good: ['CAR4PEEPAL8T1', ' CAR4PEEPAL8T1 '] },
    warehouse_id: { ...idField(200), good: ['WHMUM1', ' WHMUM1 '] },
    order_items: { good: [], bad: [[], {}, 'x', null, [{}], ['x']] },
    tags: {
      good: [[], ['gift', 'vip']],
      bad: ['gift', [''], [' '], ['\u0000'], [5], Array.from({ length: 101 }, () => 'x'), null],
    },
    vendor_details: {
      good: [{}, { any: [1, { thing: null }] }],
      bad: [[], 'x', 5, null],
      beyond: [{ a: 'x\u0007' }, { 'a\u0000': 1 }, { a: 'é'.repeat(4100) }],
    },
    weight: { good: [0.5, '0.5', 1], bad: [0, '0', 10_001, '', '1e1', null, {}] },
  }
  const sides = ['length', 'breadth', 'height']

  test.each(Object.keys(properties))('takes and refuses %s as the document says', async (field) => {
    const pincode = { good: ['560001', '560 001'], bad: ['56001', '', 560001, null], beyond: ['999999'] }
    const phone = {
      good: ['9876543221', '+91 98765-43221', '0091 98765 43221', '09876543221', '919876543221'],
      bad: ['12345', '5876543221', '98765432211', '', 9_876_543_221, null],
    }
    const texts = blankless(valueField(properties[field]!))
    const found: Field =
      special[field] ??
      (field.endsWith('_pincode')
        ? pincode
        : field.endsWith('_phone')
          ? phone
          : made[field]!['type'] === 'string'
            ? texts
            : valueField(made[field]!))
    // No courier takes what is as large as a house, or as dear.
    const limited = field === 'cod_collectible' || (name === 'orchestrateForwardOrder' && sides.includes(field))
    const good = limited ? [20, '15.5'] : found.good
    for (const value of good)
      await service.taken(name, {
        ...goodBody(name),
        [field]: field === 'order_id' ? `${String(value).slice(0, -6)}${100_000 + newNumber()}` : value,
      })
    for (const value of found.bad) await service.refused(name, { ...goodBody(name), [field]: value })
    for (const value of found.beyond ?? []) await service.refused(name, { ...goodBody(name), [field]: value }, false)
    if (required.includes(field)) await service.refused(name, { ...goodBody(name), [field]: undefined })
    await service.refused(name, { ...goodBody(name), [`${field}_`]: 'x' })
  })

  test('takes and refuses items as the document says', async () => {
    const item = { name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 749.5 }
    const fields: Readonly<Record<string, Field>> = {
      name: { good: [long(500)], bad: ['', '  ', 5, long(501)] },
      sku: idField(200),
      units: numberField({ type: 'integer', minimum: 1, maximum: 100_000 }),
      selling_price: numberField({ type: 'number', minimum: 0, maximum: 10_000_000_000 }),
      discount: { good: [0, '1.5'], bad: [-1, '', null] },
      tax: { good: [0, '1.5'], bad: [-1, '', null] },
      hsn: { good: ['6111', long(20)], bad: ['', long(21), 6111] },
    }
    for (const [field, { good, bad, beyond = [] }] of Object.entries(fields)) {
      for (const value of good)
        await service.taken(name, { ...goodBody(name), order_items: [{ ...item, [field]: value }] })
      for (const value of bad)
        await service.refused(name, { ...goodBody(name), order_items: [item, { ...item, [field]: value }] })
      for (const value of beyond)
        await service.refused(name, { ...goodBody(name), order_items: [item, { ...item, [field]: value }] }, false)
    }
    await service.refused(name, { ...goodBody(name), order_items: [{ ...item, colour: 'red' }] })
    await service.refused(name, { ...goodBody(name), order_items: Array.from({ length: 101 }, () => item) })
  })

  test('holds the rules between fields', async () => {
    const good = (): Json => goodBody(name)
    const delivery = {
      shipping_is_billing: false,
      shipping_customer_name: 'Ravi',
      shipping_address: '1 Park Street',
      shipping_city: 'Kolkata',
      shipping_pincode: '700016',
      shipping_state: 'West Bengal',
      shipping_country: 'India',
      shipping_phone: '9876543221',
    }
    await service.refused(name, { ...good(), cod_collectible: undefined })
    await service.refused(name, { ...good(), cod_collectible: 0 })
    await service.refused(name, { ...good(), payment_method: 'prepaid' })
    for (const cod_collectible of [undefined, 0, '0', '0.00'])
      await service.taken(name, { ...good(), payment_method: 'prepaid', cod_collectible })
    await service.taken(name, { ...good(), ...delivery })
    for (const field of Object.keys(delivery).slice(1))
      await service.refused(name, { ...good(), ...delivery, [field]: undefined })
  })

  test('refuses with 422 what is sound and cannot be done', async () => {
    const body = goodBody(name)
    await service.taken(name, body)
    expect((await service.ask(name, { body })).statusCode).toBe(422)
    expect((await service.ask(name, { body: { ...goodBody(name), store_name: 'nobody' } })).statusCode).toBe(422)
    const warehouse = await service.ask(name, { body: { ...goodBody(name), warehouse_id: 'WHNONE' } })
    expect(warehouse.statusCode).toBe(422)
  })

  test('gives the first answer again for an idempotency key, and refuses the key with another body', async () => {
    const headers = { 'idempotency-key': `${name}-1` }
    const body = goodBody(name)
    const [first, again] = [await service.ask(name, { body, headers }), await service.ask(name, { body, headers })]
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 200, first.body])
    expect([first.headers[wireHeaders.replayed], again.headers[wireHeaders.replayed]]).toEqual([undefined, 'true'])
    expect((await service.ask(name, { body: goodBody(name), headers })).statusCode).toBe(422)
    const pattern = '#/components/parameters/IdempotencyKey/schema'
    for (const [value, status] of [
      [name.padEnd(255, '.'), 200],
      [name.padEnd(256, '.'), 400],
      ['a b', 400],
    ] as const) {
      expect(fault(pattern, value) === undefined).toBe(status === 200)
      expect(
        (await service.ask(name, { body: goodBody(name), headers: { 'idempotency-key': value } })).statusCode,
      ).toBe(status)
    }
  })
})
