// What a request may hold, through the service over HTTP and the built command: names that stand twice, sizes, signs that
// nobody sees, and sentences that say where.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { json, send, startService, type Answer, type TestService } from '../support/service.ts'
import { sandbox } from '../support/sandbox.ts'
import { orderRequest } from '../support/requests.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.engine.database.write(() => setWarehouse(service.engine.account, 'WH1', '400001'))
})
afterAll(() => service.close())

const post = (path: string, body: unknown): Promise<Answer> =>
  send(`${service.api}/${path}`, { ...json(body), key: service.key })
const postText = (path: string, body: string): Promise<Answer> =>
  send(`${service.api}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    key: service.key,
  })
const errors = ({ json: body }: Answer): readonly string[] => (body as { readonly errors: readonly string[] }).errors

describe('a name that stands twice in a body', () => {
  test.each([
    ['at the top', '{"per_page":1,"page":1,"per_page":2}', 'per_page'],
    ['written with an escape', '{"search":"a","se\\u0061rch":"b"}', 'search'],
    ['in an item', '{"order_items":[{"sku":"A"},{"sku":"A","sku":"B"}]}', 'sku'],
    ['after an object of the same name', '{"a":{"b":[{"a":1}]},"a":2}', 'a'],
    ['among many', `{${Array.from({ length: 60 }, (_, n) => `"k${n}":${n}`).join()},"k7":1}`, 'k7'],
  ])('%s is refused with the name', async (_, body, name) => {
    const answer = await postText('shipments', body)
    expect([answer.status, errors(answer)]).toEqual([400, [`the body has the name \`${name}\` twice in one object`]])
  })

  test.each([
    ['in two objects', '{"sku":["a","a"],"tags":["sku","sku"]}'],
    ['in a text', '{"search":"\\",\\"search\\":\\"x"}'],
    ['with brackets of texts', '{"search":"}{[","sku":"]},{"}'],
  ])('%s is no such name', async (_, body) => {
    expect((await postText('shipments', body)).status).toBe(200)
  })
})

describe('a request that is too large in a direction', () => {
  test('a megabyte of unknown fields is refused at once, and others are served meanwhile', async () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 22_000 }, (_, n) => [`unknown_field_number_${n}`, n])),
    )
    for (const path of ['shipments', 'forward-order']) {
      const began = performance.now()
      const answer = await postText(path, body)
      expect([answer.status, errors(answer)]).toEqual([
        400,
        ['the body contains an object that has too many fields; the limit is 200'],
      ])
      // Three to nine seconds once; slow machines may take their time for a megabyte.
      expect(performance.now() - began).toBeLessThan(1500)
    }
  })

  test.each([
    ['short texts', `{"sku":[${Array.from({ length: 10_000 }, (_, n) => `"${n}"`).join()}]}`],
    [
      'objects of few fields',
      `{"sku":[${Array.from({ length: 100 }, () => `{${Array.from({ length: 100 }, (_, n) => `"f${n}":1`).join()}}`).join()}]}`,
    ],
    ['empty lists', `{"sku":[${Array.from({ length: 10_000 }, () => '[]').join()}]}`],
  ])('ten thousand %s are refused before anything reads them', async (_, body) => {
    const answer = await postText('shipments', body)
    expect([answer.status, errors(answer)]).toEqual([400, ['the body has too many values; the limit is 10,000']])
  })

  test('five lists of a thousand values are no such body', async () => {
    const values = Array.from({ length: 1000 }, (_, n) => `${n}`)
    const answer = await post('shipments', {
      sku: values,
      tags: values,
      order_display_id: values,
      carrier_id: values,
      store_name: values,
    })
    expect([answer.status, answer.json]).toEqual([200, expect.anything()])
  })

  test('two hundred unknown fields are told fifty times, and their names fit into the header', async () => {
    const body = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${'अ'.repeat(80)}${n}`, n]))
    const answer = await post('shipments', body)
    expect([answer.status, errors(answer).length]).toEqual([400, 50])
    expect(answer.headers.get('shipx-error-fields')!.length).toBeLessThan(6000)
  })

  test('lists of misspelt words in every filter are told fifty times and cost little', async () => {
    const words = Array.from({ length: 1000 }, (_, n) => `custmer_not_availabl_${n}`)
    const began = performance.now()
    const answer = await post('shipments', {
      granular_status: words,
      ndr_reason: words,
      rto_reason: words,
      zone: words,
    })
    expect([answer.status, errors(answer).length]).toEqual([400, 50])
    expect(performance.now() - began).toBeLessThan(1500)
  })

  test.each([
    [
      'vendor_details',
      { vendor_details: { note: 'x'.repeat(8200) } },
      'vendor_details: is larger than 8,192 bytes as JSON',
    ],
    [
      'names of items',
      {
        order_items: Array.from({ length: 100 }, (_, n) => ({
          name: 'अ'.repeat(400),
          sku: `S-${n}`,
          units: 1,
          selling_price: 1,
        })),
      },
      'order_items: makes the order larger than 65,536 bytes as JSON',
    ],
    [
      'items',
      { order_items: Array.from({ length: 101 }, () => ({ name: 'a', sku: 'b', units: 1, selling_price: 1 })) },
      'order_items: has too many items; the limit is 100',
    ],
    ['levels', { vendor_details: JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`) as unknown }, undefined],
  ])('an order with too large %s is refused with the field', async (_, over, message) => {
    const answer = await post('forward-order', orderRequest({ order_id: `L-${JSON.stringify(over).length}`, ...over }))
    if (message === undefined) expect(answer.status).toBe(200)
    else expect([answer.status, errors(answer)]).toEqual([400, [message]])
  })
})

describe('a sentence of a refusal', () => {
  test('says where in a list of items, also in the body', async () => {
    const answer = await post(
      'forward-order',
      orderRequest({ order_items: [{ name: 'a', sku: 'b', units: 1, selling_price: 1, quantity: 2 }] }),
    )
    expect(errors(answer)).toEqual(['order_items.0.quantity: unknown field `quantity`'])
    expect(answer.headers.get('shipx-error-fields')).toBe('order_items.0.quantity')
  })

  test('holds no line break', async () => {
    const answer = await post('returns', { sort_order: 'descending', status: 'delivered', qc_status: ['pased'] })
    expect(errors(answer)).toHaveLength(3)
    for (const sentence of errors(answer)) expect(sentence).not.toMatch(/[\r\n]/)
    expect(errors(answer)).toContain(
      'sort_order: "descending" isn\'t a sort order. Did you mean desc? One of: asc, desc',
    )
  })
})

test('an order that cannot be meant is 422, each sentence with its field', async () => {
  const answer = await post('forward-order', orderRequest({ billing_country: 'Nepal', billing_email: 'asha' }))
  expect([answer.status, errors(answer)]).toEqual([
    422,
    ['billing_country: "Nepal" is not India; write India, IN or IND', 'billing_email: "asha" is not an e-mail address'],
  ])
  expect(answer.headers.get('shipx-error-fields')).toBe('billing_country,billing_email')
})

describe('an id', () => {
  const ids = (n: number): Readonly<Record<string, string>> => ({ order_id: `I-${n}` })
  test.each([
    ['order_id', { order_id: 'A-9\u200b' }],
    ['warehouse_id', { warehouse_id: 'WH1\u2060' }],
    ['carrier_id', { carrier_id: '\u202eCAR' }],
    ['rto_warehouse_id', { rto_warehouse_id: 'R\u00ad1' }],
    ['channel_id', { channel_id: '\ufeff1\ufeff\u200d' }],
    ['tags.1', { tags: ['a', 'b\u200c'] }],
    ['order_items.0.sku', { order_items: [{ name: 'a', sku: 'S\u200b1', units: 1, selling_price: 1 }] }],
  ])('with a sign that nobody sees is refused: %s', async (field, over) => {
    for (const path of ['forward-order', 'forward-order-orchestration']) {
      const answer = await post(path, orderRequest({ ...ids(1), ...over }))
      expect([answer.status, errors(answer)]).toEqual([
        400,
        [
          expect.stringMatching(
            new RegExp(
              `^${field.replaceAll('.', '\\.')}: must not contain invisible characters \\(U\\+[0-9A-F]{4}\\)$`,
            ),
          ),
        ],
      ])
    }
  })

  test.each([
    ['warehouse_id', 'must not be empty', { warehouse_id: ' ' }],
    ['tags.0', 'must not be empty', { tags: ['\u00a0'] }],
    ['carrier_id', 'must not contain control characters', { carrier_id: '\t' }],
    ['vendor_details.a.0', 'must not contain control characters', { vendor_details: { a: ['\u0085'] } }],
    ['billing_address', 'must not contain control characters', { billing_address: '12 MG Road\n' }],
    ['billing_customer_name', 'must not be empty', { billing_customer_name: '\u200b' }],
    ['billing_city', 'is not well-formed Unicode text', { billing_city: '\ud800' }],
  ])('or a text that is none is refused: %s %s', async (field, message, over) => {
    const answer = await post('forward-order', orderRequest({ ...ids(2), ...over }))
    expect([answer.status, errors(answer)]).toEqual([400, [`${field}: ${message}`]])
  })

  test('is trimmed, and so is the same order', async () => {
    const over = {
      warehouse_id: ' WH1 ',
      tags: [' gift '],
      order_items: [{ name: 'a', sku: ' S-1 ', units: 1, selling_price: 1 }],
    }
    expect((await post('forward-order', orderRequest({ order_id: ' T-1 ', ...over }))).status).toBe(200)
    expect((await post('forward-order', orderRequest({ order_id: 'T-1' }))).status).toBe(422)
    for (const filter of [{ sku: 'S-1' }, { tags: 'gift' }, { order_display_id: 'T-1' }])
      expect((await post('shipments', filter)).json).toMatchObject({ meta: { total: 1 } })
  })
})

test('a brand of blanks, and one that turns the direction of text, are refused for new stores and old ones', async () => {
  const made = await post('client-stores', { store_name: 'acme', brand_name: 'Acme' })
  const { id } = (made.json as { readonly data: { readonly id: string } }).data
  for (const brand_name of ['   ', '\u200b', '\u00a0\ufeff', '\u202eemcA', 'A\u2067B']) {
    expect((await post('client-stores', { store_name: 'other', brand_name })).status).toBe(400)
    const changed = await send(`${service.api}/client-stores/${id}`, {
      ...json({ brand_name }, 'PUT'),
      key: service.key,
    })
    expect([changed.status, errors(changed)[0]]).toEqual([
      400,
      expect.stringMatching(/^brand_name: must not (?:be blank|contain)/),
    ])
  }
  expect((await post('client-stores', { store_name: 'none', brand_name: '' })).status).toBe(201)
})

describe('the built command', () => {
  test('says of an order file that a name stands twice, and of an id that a sign is invisible', async () => {
    const bench = sandbox()
    try {
      const file = bench.file(
        'order.json',
        JSON.stringify(orderRequest({ order_date: '2026-09-29 10:00' })).replace(
          '"weight":0.5',
          '"weight":0.5,"weight":50',
        ),
      )
      const twice = await bench.shipx(['orders', 'create', '--file', file])
      expect([twice.exit, twice.stderr]).toEqual([2, '✗ --file: has the name `weight` twice in one object\n'])
      const hidden = bench.file(
        'hidden.json',
        JSON.stringify(orderRequest({ order_date: '2026-09-29 10:00', order_id: 'A-1\u200b' })),
      )
      const seen = await bench.shipx(['orders', 'create', '--file', hidden])
      expect([seen.exit, seen.stderr]).toEqual([
        2,
        `✗ ${hidden} order_id: must not contain invisible characters (U+200B)\n`,
      ])
    } finally {
      bench.remove()
    }
  })

  test('does not import a record that no listing could show', async () => {
    const bench = sandbox()
    try {
      const record = {
        id: 'one',
        type: 'shipment',
        attributes: { created_at: '2026-09-01T10:00:00Z', note: 'x'.repeat(1_050_000) },
      }
      const { exit, stderr } = await bench.shipx([
        'local',
        'import',
        'shipments',
        bench.file('large.jsonl', JSON.stringify(record)),
      ])
      expect([exit, stderr]).toEqual([
        2,
        expect.stringMatching(/line 1: the record is larger than 10,48,576 bytes as JSON/),
      ])
    } finally {
      bench.remove()
    }
  })
})
