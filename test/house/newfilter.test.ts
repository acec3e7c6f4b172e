// Defends "one place each" (CONTRIBUTING.md): a row that is added to a filter table reaches SQL, the flag, help, completion,
// HTTP, the client, the mirror, the API description and the words of a listing; a row of a column reaches what follows from it.
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type * as z from 'zod/mini'
import { filterWords } from '../../src/cli/listings/filterwords.ts'
import { paintFor } from '../../src/cli/terminal/colour.ts'
import type { Input } from '../../src/domain/contract.ts'
import { anyOf, atLeast, atMost, is, word, type Filter } from '../../src/domain/filters.ts'
import { readSent, unanswerable } from '../../src/domain/foreign/records.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { ShipmentColumn } from '../../src/domain/parcels/columns.ts'
import {
  addedFilters,
  attributeOf,
  neededAttributes,
  closedFilters,
  columnsWhere,
  listings,
  rangesOf,
  type Listing,
} from '../../src/domain/parcels/listings.ts'
import { returnFilters } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { conditionsOf } from '../../src/engine/records/conditions.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { openApi } from '../../src/server/openapi.ts'
import { testNow } from '../support/engine.ts'
import { clientOf, json, send, startService, type TestService } from '../support/service.ts'
import { startStandIn } from '../support/foreigndeployment.ts'

// The fixture: rows as a developer would add them, on columns that are there. Everything below derives from the two tables
// when it is first asked for; what does so while it is loaded (the command tree) is loaded after this.
Object.assign(shipmentFilters, {
  tracking_numbers: anyOf(word, 'tracking_number', 'Tracking numbers, exact'),
} satisfies Record<string, Filter<z.ZodMiniType, ShipmentColumn>>)
Object.assign(returnFilters, {
  total_price_min: atLeast('total_price', 'Least price, paise'),
  total_price_max: atMost('total_price', 'Greatest price, paise'),
})

const query = (input: Readonly<Record<string, unknown>>): Input<'listShipments'> => input
const plan = { shipments: 40, returns: 20, stores: 2, days: 30, seed: 3, now: testNow }
const shipments = [...seedShipments(plan)]
const wanted = shipments.find(({ attributes }) => typeof attributes.tracking_number === 'string')!
const number = wanted.attributes.tracking_number!

describe('a filter on an existing column', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ readers: 0 })
    await service.engine.save('shipment', shipments)
    await service.engine.save('return', seedReturns(plan))
  })
  afterAll(() => service.close())

  test('is checked, and selects by the index of its column', async () => {
    const input = parseInput('listShipments', { 'tracking_numbers[]': number })
    const { database, account } = service.engine
    const [condition] = conditionsOf(database.dialect, account, 'shipment', listings.listShipments, input)
    expect(condition).toMatchObject({ index: 'shipments_tracking_number', inWide: false, inOrder: false })
    const { records, meta } = await service.engine.service.listShipments(input)
    expect([meta.total, records.map((text) => (JSON.parse(text) as { id: string }).id)]).toEqual([1, [wanted.id]])
  })

  test('is a flag with help and completion', async () => {
    const { tree } = await import('../../src/cli/commands/table.ts')
    const { commandHelp } = await import('../../src/cli/help/help.ts')
    const { complete } = await import('../../src/cli/help/complete.ts')
    const paint = await paintFor({ tty: false }, { env: {} }, undefined)
    const command = tree.commands.find(({ path }) => path.join(' ') === 'shipments list')!
    expect(command.flags).toContainEqual({
      name: 'tracking-numbers',
      key: 'tracking_numbers',
      kind: 'list',
      value: '<number,…>',
      group: 'Filters',
      help: 'Tracking numbers, exact',
    })
    expect(commandHelp(tree, command, { paint, columns: undefined })).toMatch(
      /--tracking-numbers <number,…>\s+Tracking numbers, exact/,
    )
    const offered = await complete(tree, ['shipments', 'list', '--track'], async () => [])
    expect(offered).toBe('--tracking-numbers\tTracking numbers, exact\n')
  })

  test('is taken over HTTP, by its name and with brackets', async () => {
    for (const name of ['tracking_numbers', 'tracking_numbers[]']) {
      const answer = await send(`${service.api}/shipments`, { ...json({ [name]: [number] }), key: service.key })
      expect(answer).toMatchObject({ status: 200, json: { data: [{ id: wanted.id }], meta: { total: 1 } } })
    }
  })

  test('is sent by the client, and refused where a deployment would ignore it', async () => {
    const client = clientOf(service, service.key)
    expect((await client.listShipments(query({ tracking_numbers: [number] }))).meta.total).toBe(1)
    await client.close()
    const remote = await startStandIn()
    const elsewhere = clientOf(remote, remote.key)
    await expect(elsewhere.listShipments(query({ tracking_numbers: [number] }))).rejects.toMatchObject({
      code: 'not_supported',
      details: [{ field: 'tracking_numbers' }],
    })
    await elsewhere.close()
    await remote.close()
  })

  test('is refused by a mirror whose records do not say it', () => {
    const input = query({ tracking_numbers: [number] })
    expect(unanswerable('shipments', input, new Set(['status']))).toEqual(['tracking_numbers'])
    const { carried } = readSent('shipments', JSON.stringify(wanted))!
    expect(unanswerable('shipments', input, new Set(carried))).toEqual([])
  })

  test('is described in the API description', () => {
    const { components } = openApi({ version: '1.0.0' }) as {
      components: { schemas: Record<string, { properties: object; patternProperties: object }> }
    }
    expect(components.schemas['ShipmentQuery']!.properties).toMatchObject({
      tracking_numbers: { description: expect.stringMatching(/^Tracking numbers, exact\. /) as string },
    })
    expect(components.schemas['ShipmentQuery']!.patternProperties).toHaveProperty(String.raw`^tracking_numbers\[\]$`)
  })

  test('is said in words', () => {
    const shown = { screen: { ascii: true } } as Parameters<typeof filterWords>[0]
    const input = query({ tracking_numbers: [number, 'x'], is_cod: false })
    expect(filterWords(shown, listings.listShipments, input)).toBe(`prepaid - AWB ${number}, x`)
  })

  test('that bounds a column is an end of a range', async () => {
    expect(rangesOf(listings.listReturns)).toContainEqual(['total_price_min', 'total_price_max'])
    const reversed = json({ total_price_min: 500, total_price_max: 100 })
    const answer = await send(`${service.api}/returns`, { ...reversed, key: service.key })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('is below total_price_min; the range is reversed')
  })

  test('that names no column does not compile', () => {
    const known = { colour: is(word, 'channel', '') } satisfies Record<string, Filter<z.ZodMiniType, ShipmentColumn>>
    expectTypeOf(known.colour).toExtend<Filter<z.ZodMiniType, ShipmentColumn>>()
    const unknown = is(word, 'colour', '')
    expectTypeOf(unknown).not.toExtend<Filter<z.ZodMiniType, ShipmentColumn>>()
  })
})

describe('a new column', () => {
  const { filters, columns, named } = listings.listShipments as Listing
  const longer: Listing = {
    named,
    columns: {
      ...columns,
      mode: { at: 'payment.mode', noun: 'payment', closed: true, added: true, wide: true, dated: true },
    },
    filters: { ...filters, payment_modes: anyOf(word, 'mode', 'Payment modes') },
  }

  test('brings what follows from its row', () => {
    expect(addedFilters(longer)).toContain('payment_modes')
    expect(closedFilters(longer)).toContain('payment_modes')
    expect(neededAttributes(longer)).toContain('payment.mode')
    expect(attributeOf(longer, 'payment_modes', ['upi'])).toBe('payment.mode')
    expect(columnsWhere(longer, ({ wide }) => wide === true)).toContain('mode')
  })

  test('is read by SQL as its row says', () => {
    const dialect = {} as Parameters<typeof conditionsOf>[0]
    const [condition] = conditionsOf(dialect, 1, 'shipment', longer, query({ payment_modes: ['upi'] }))
    expect(condition).toMatchObject({ index: 'shipments_mode', dated: true, inOrder: true, inWide: true })
    expect(condition!.select).toMatchObject({ sql: 'r.mode = ?', values: ['upi'] })
  })
})
