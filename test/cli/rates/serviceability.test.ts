// Defends `shipx serviceability`: what it says of each pincode is what quotes of an ordinary parcel say, from the card in use
// or from a deployment, for lists of any form.
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyPincode, placeOf } from '../../../src/domain/pincodes.ts'
import { quote, type RateRequest } from '../../../src/domain/rates/rates.ts'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { dayMs, istDate } from '../../../src/domain/time.ts'
import { startService, type TestService } from '../../support/service.ts'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { first } from '../../support/size.ts'

const now = Date.parse('2026-09-29T08:30:00Z')

let box: Sandbox
beforeAll(() => {
  box = sandbox()
})
afterAll(() => box.remove())

type Line = Readonly<Record<string, string | number | boolean | null>>
const recordsIn = (jsonl: string): readonly Line[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** The quotes of an ordinary parcel. */
const quotesOf = (from: string, to: string, at: number) => {
  const parcel = {
    journey_type: 'forward',
    origin_pincode: from,
    destination_pincode: to,
    dead_weight: 500,
    length: 10,
    width: 10,
    height: 10,
  } as const
  const of = (more: Partial<RateRequest>) => quote({ ...parcel, ...more }, sampleCard, at)
  return { prepaid: of({ payment_method: 'prepaid' }), cod: of({ payment_method: 'cod', shipment_value: 500 }) }
}

const daysTo = (delivery: string, at: number): number => (Date.parse(delivery) - Date.parse(istDate(at))) / dayMs

/** Every seventieth pincode: all states are among them. */
const sample = [...everyPincode()].filter((_, i) => i % 70 === 0)

describe('on a card', () => {
  test('a row tells how many couriers go there, with COD, and how soon', async () => {
    const list = box.file('pins.txt', sample.join('\n'))
    const { stdout, exit } = await box.shipx(['serviceability', '--from', '400001', '--file', list, '--jsonl'])
    const records = recordsIn(stdout)
    expect(exit).toBe(0)
    expect(records.map(({ pincode }) => pincode)).toEqual(sample)
    for (const record of records) {
      const { prepaid, cod } = quotesOf('400001', record['pincode'] as string, now)
      const dates = prepaid.offers.map((offer) => offer.delivery).sort()
      const place = placeOf(record['pincode'] as string)!
      expect(record).toEqual({
        pincode: place.pincode,
        city: place.city,
        state: place.state,
        zone: prepaid.zone.zone,
        couriers: prepaid.offers.length,
        cod: cod.offers.length,
        days: daysTo(dates[0]!, now),
        delivery: dates[0],
        fastest: record['fastest'],
        code: null,
        reason: null,
      })
      const quickest = prepaid.offers.filter((offer) => offer.delivery === dates[0])
      expect(quickest.map(({ service }) => service.carrier_name)).toContain(record['fastest'])
    }
    expect(new Set(records.map(({ state }) => state)).size).toBeGreaterThan(25)
  })

  test('--couriers tells each of them, and why not', async () => {
    const { stdout } = await box.shipx([
      'serviceability',
      '--from',
      '110001',
      '797112',
      '110002',
      '--couriers',
      '--jsonl',
    ])
    const records = recordsIn(stdout)
    expect(records).toHaveLength(2 * sampleCard.services.length)
    for (const record of records) {
      const { prepaid, cod } = quotesOf('110001', record['pincode'] as string, now)
      const is = ({ service }: { readonly service: { readonly carrier_id: string } }) =>
        service.carrier_id === record['carrier_id']
      const offer = prepaid.offers.find(is)
      expect(record).toMatchObject({
        served: offer !== undefined,
        cod: cod.offers.some(is),
        delivery: offer?.delivery ?? null,
        days: offer === undefined ? null : daysTo(offer.delivery, now),
        code: offer === undefined ? 'no_courier' : null,
        reason: (prepaid.refusals.find(is) ?? cod.refusals.find(is))?.reason ?? null,
      })
    }
    expect(records.filter(({ served }) => served === false).length).toBeGreaterThan(0)
    expect(records.filter(({ served, cod }) => served === true && cod === false).length).toBeGreaterThan(0)
  })

  test('that serves nowhere, nobody goes anywhere, and it says why', async () => {
    const card = box.file('over.json', JSON.stringify({ ...sampleCard, name: 'over', valid_to: '2026-01-31' }))
    const env = { SHIPX_DATA_DIR: `${box.folder}/over` }
    expect((await box.shipx(['ratecard', 'import', card, '--use', '-q'], { env })).exit).toBe(0)
    const { stdout, exit } = await box.shipx(['serviceability', '--from', '110001', '797112', '--jsonl'], { env })
    expect(exit).toBe(0)
    expect(recordsIn(stdout)[0]).toMatchObject({
      couriers: 0,
      cod: 0,
      days: null,
      fastest: null,
      code: 'no_courier',
      reason: 'no courier goes there: the card over was valid until 2026-01-31',
    })
  })
})

describe('a list', () => {
  const asked = async (input: string, ...args: readonly string[]) => {
    const { stdout, exit } = await box.shipx(['serviceability', '--from', '400001', '--file', '-', ...args, '--csv'], {
      input,
    })
    return { pincodes: parse<Record<string, string>>(stdout, { columns: true }).map(({ pincode }) => pincode), exit }
  }

  test.each(
    first(1, [
      ['one on each line', '560001\n110001\n'],
      ['no line feed at the end', '560001\n110001'],
      ['Windows and empty lines', '\ufeff560001\r\n\r\n110001\r\n'],
      ['a header', 'Pincode\n560001\n110001\n'],
      ['a CSV with more columns', 'pin,city\n560 001,"Bengaluru, KA"\n110001,Delhi\n'],
      ['rows of different lengths', '560001\n110001,Delhi,x\n'],
      ['semicolons', 'pin;city\n560001;a\n110001;b\n'],
    ]),
  )('with %s', async (_, text) => {
    expect(await asked(text)).toEqual({ pincodes: ['560001', '110001'], exit: 0 })
  })

  test('comes after the pincodes of the command line', async () => {
    expect(await asked('560001\n', '110001')).toEqual({ pincodes: ['110001', '560001'], exit: 0 })
  })

  test('goes on behind what is no pincode, and exits 7', async () => {
    const { stdout, stderr, exit } = await box.shipx(['serviceability', '--from', '400001', '--file', '-', '--jsonl'], {
      input: 'pin\n560001\nabc\n123456\n,x\n110001\n',
    })
    const records = recordsIn(stdout)
    expect(exit).toBe(7)
    expect(records.map(({ code }) => code)).toEqual([null, 'invalid_input', 'invalid_input', 'invalid_input', null])
    expect(records[2]!['reason']).toMatch(/^123456 is not a pincode that exists; nearest: /)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'partial', message: '3 of 5 lines have no answer', exit_code: 7, details: [{ row: 3 }] },
    })
  })

  test.each(
    first(2, [
      [[], /--from/],
      [['--from', '400001'], /<pincode>/],
      [['--from', '400001', '12'], /12 has 2 digits/],
      [['--from', '400001', '110001', '123456'], /123456 is not a pincode that exists/],
      [['--from', '400001', '--file', 'nowhere.txt'], /there is no such file/],
    ] as const),
  )('%j is refused', async (args, message) => {
    const { stdout, stderr, exit } = await box.shipx(['serviceability', ...args])
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toMatch(message)
  })
})

describe('a deployment', { tags: ['full'] }, () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ readers: 0 })
  })
  afterAll(() => service.close())

  test('is asked twice for each pincode, and the rows are those of its card', async () => {
    const some = sample.filter((_, i) => i % 8 === 0)
    const at = service.engine.host.now()
    const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key, SHIPX_NOW: new Date(at).toISOString() }
    const args = ['serviceability', '--from', '400001', '--file', box.file('some.txt', some.join('\n')), '--jsonl']
    const before = service.log.length
    const remote = await box.shipx([...args, '--concurrency', '8'], { env })
    expect(service.log.length - before).toBe(2 * some.length)
    const local = await box.shipx(args, { env: { SHIPX_NOW: env.SHIPX_NOW } })
    expect(recordsIn(remote.stdout)).toEqual(recordsIn(local.stdout))
    expect([remote.exit, local.exit]).toEqual([0, 0])
  })

  test('tells the couriers that go there', async () => {
    const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    const { stdout } = await box.shipx(['serviceability', '--from', '110001', '797112', '--couriers', '--jsonl'], {
      env,
    })
    const { prepaid, cod } = quotesOf('110001', '797112', service.engine.host.now())
    const records = recordsIn(stdout)
    expect(new Set(records.map((record) => record['carrier_id']))).toEqual(
      new Set(prepaid.offers.map((offer) => offer.service.carrier_id)),
    )
    expect(records.filter((record) => record['cod'] === true)).toHaveLength(cod.offers.length)
    expect(records.every((record) => record['served'] === true)).toBe(true)
  })

  test('may know a pincode that shipx does not', async () => {
    const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    const before = service.log.length
    const { stdout, exit } = await box.shipx(['serviceability', '--from', '400001', '--file', '-', '--jsonl'], {
      env,
      input: '123456\nabc\n',
    })
    // Ours does not know it either, and that is the line's answer.
    expect(service.log.length - before).toBe(1)
    expect(recordsIn(stdout).map(({ code }) => code)).toEqual(['invalid_input', 'invalid_input'])
    expect(exit).toBe(7)
  })
})
