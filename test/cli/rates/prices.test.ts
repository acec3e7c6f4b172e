// Defends the price of each line of a file: it is that of a quote, on every card, here and at a deployment.
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Offer } from '../../../src/domain/rates/pricing.ts'
import type { RateCard } from '../../../src/domain/rates/ratecard.ts'
import { quote, type Quote } from '../../../src/domain/rates/rates.ts'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { startService, type TestService } from '../../support/service.ts'
import { sandbox } from '../../support/sandbox.ts'
import { dice, parcelsOf, paid, recordsIn, type Line } from './parcels.ts'
import { first } from '../../support/size.ts'

/** The clock of the commands. */
const now = Date.parse('2026-09-29T08:30:00Z')

const box = sandbox()
afterAll(() => box.remove())

/** The sample card made difficult: places left out, bands for RTO, other divisors, holidays, several of each courier. */
function difficultCard(seed: number): RateCard {
  const { any } = dice(seed)
  const services = [...sampleCard.services, ...sampleCard.services].map((service, i) => ({
    ...service,
    carrier_id: `CAR${String(i).padStart(10, '0')}`,
    carrier_name: `${service.carrier_name} ${i}`,
    divisor: any([4000, 4500, 4750, 6000]),
    cod: {
      ...service.cod,
      percent: any([1.333, 0.1234567, 2, 0]),
      rule: any(['max', 'sum'] as const),
      max_value: any([null, 5000, 20_000]),
    },
    rto: any([{ percent: 33.33 }, { bands: service.forward }, service.rto]),
    working_days: any([
      [1, 2, 3, 4, 5, 6],
      [0, 1, 2, 3, 4, 5, 6],
      [2, 4],
    ]),
    serviceability: {
      ...any([
        {},
        { pickup: { states: ['Maharashtra', 'Delhi', 'Karnataka'] } },
        { pickup: { not_pincodes: ['4', '56'] } },
      ]),
      ...any([
        {},
        { delivery: { zones: ['zone_a' as const, 'zone_d' as const] } },
        { delivery: { pincodes: ['1', '56', '797112'] } },
      ]),
    },
  }))
  return { ...sampleCard, name: 'difficult', holidays: ['2026-09-30'], zones: { ncr_one_city: false }, services }
}

/** Whether words of `--pick` mean a service; those that mean any do. */
const isPicked = ({ carrier_name: name }: Offer['service'], words: readonly string[]): boolean =>
  words.some((word) => ['cheapest', 'fastest'].includes(word) || name.toLowerCase().includes(word))

/** The offer that a word of `--pick` means, looked for in a quote's offers one after the other. */
function pickedIn({ offers }: Quote, words: readonly string[]): Offer | undefined {
  for (const word of words) {
    const fitting = offers.filter(
      ({ service }) => word === 'cheapest' || word === 'fastest' || service.carrier_name.toLowerCase().includes(word),
    )
    const delivered = fitting.map((offer) => offer.delivery).sort()[0]
    const quick = word === 'fastest' ? fitting.filter((offer) => offer.delivery === delivered) : fitting
    const least = Math.min(...quick.map(paid))
    const cheap = quick
      .filter((offer) => paid(offer) === least)
      .sort((a, b) =>
        a.delivery < b.delivery
          ? -1
          : a.delivery > b.delivery
            ? 1
            : a.service.carrier_id < b.service.carrier_id
              ? -1
              : 1,
      )
    if (cheap[0] !== undefined) return cheap[0]
  }
  return undefined
}

describe('the price of each line', () => {
  const cases = [
    ['the sample card', sampleCard, ['cheapest']],
    ['the sample card', sampleCard, ['fastest']],
    ['a difficult card', difficultCard(1), ['cheapest']],
    ['another one', difficultCard(2), ['fastest']],
    ['a list of couriers', difficultCard(3), ['swiftair', 'indus', 'cheapest']],
    ['couriers alone', difficultCard(4), ['monsoon', 'kaveri']],
    ['a card that is over', { ...sampleCard, name: 'over', valid_to: '2026-01-31' }, ['cheapest']],
  ] as const

  test.each(first(1, cases))('is that of a quote on %s', async (_, card, pick) => {
    const count = 3000
    const { csv, requests } = parcelsOf(count, card.services.length + pick.length)
    const args = [
      'rates',
      '--file',
      box.file('p.csv', csv),
      '--card',
      box.file('card.json', JSON.stringify(card)),
      '--pick',
      pick.join(','),
      '--jsonl',
    ]
    const { stdout, exit } = await box.shipx(args)
    const records = recordsIn(stdout)
    expect(records.map(({ ref }) => ref)).toEqual(requests.map((_r, i) => `P${i}`))
    let [priced, refusedOnes] = [0, 0]
    for (const [i, request] of requests.entries()) {
      const found = quote(request, card, now)
      const offer = pickedIn(found, pick)
      const record = records[i]!
      expect(record['zone']).toBe(found.zone.zone)
      if (offer === undefined) {
        refusedOnes++
        expect(record).toMatchObject({ courier: null, total: null, paid: null, delivery: null, code: 'no_courier' })
        const own = found.refusals.filter(({ service }) => isPicked(service, pick))
        for (const { service, reason } of own) {
          expect(record['reason']).toContain(reason)
          if (new Set(own.map((other) => other.reason)).size > 1)
            expect(record['reason']).toContain(service.carrier_name)
        }
      } else {
        priced++
        expect(record).toEqual({
          ref: `P${i}`,
          courier: offer.service.carrier_name,
          carrier_id: offer.service.carrier_id,
          service: offer.service.service_level,
          total: offer.total / 100,
          fee: offer.fee / 100,
          paid: paid(offer) / 100,
          rto: request.journey_type === 'return' ? null : offer.rto / 100,
          zone: found.zone.zone,
          weight: offer.weight,
          delivery: offer.delivery,
          code: null,
          reason: null,
        })
      }
    }
    expect(exit).toBe(refusedOnes > 0 ? 7 : 0)
    if (card.name !== 'over') expect(priced).toBeGreaterThan(count / 10)
    else expect(records[0]!['reason']).toBe('no courier takes this parcel: the card over was valid until 2026-01-31')
  })

  test('is the same in every format, and GST comes on top of what is paid', { tags: ['full'] }, async () => {
    const file = box.file('few.csv', parcelsOf(200, 9).csv)
    const of = async (...args: readonly string[]): Promise<string> =>
      (await box.shipx(['rates', '--file', file, ...args])).stdout
    const lines = recordsIn(await of('--jsonl', '--gst'))
    const whole = JSON.parse(await of('--json', '--gst')) as { readonly data: readonly Line[] }
    const table = parse<Record<string, string>>(await of('--csv', '--gst'), { columns: true })
    const plain = (await of()).trimEnd().split('\n')
    expect(whole.data).toEqual(lines)
    expect(Object.keys(table[0]!)).toEqual([
      'ref',
      'courier',
      'carrier_id',
      'service',
      'total',
      'fee',
      'paid',
      'with_gst',
      'rto',
      'zone',
      'weight',
      'delivery',
      'code',
      'reason',
    ])
    for (const [i, line] of lines.entries()) {
      for (const [name, cell] of Object.entries(table[i]!))
        expect([name, cell]).toEqual([name, String(line[name] ?? '')])
      expect(plain[i]!.split('\t')[0]).toBe(line['ref'])
      if (typeof line['paid'] === 'number') expect(line['with_gst']).toBe(Math.round(line['paid'] * 118) / 100)
    }
    expect(lines.filter((line) => line['paid'] !== null).length).toBeGreaterThan(100)
    expect(plain).toHaveLength(200)
  })

  test('with two cards is that of each, with the difference', { tags: ['full'] }, async () => {
    const { csv, requests } = parcelsOf(1000, 77)
    const [one, other] = [difficultCard(5), { ...difficultCard(6), name: 'other' }]
    const args = [
      'rates',
      '--file',
      box.file('c.csv', csv),
      '--compare',
      `${box.file('one.json', JSON.stringify(one))},${box.file('other.json', JSON.stringify(other))}`,
    ]
    const records = recordsIn((await box.shipx([...args, '--jsonl'])).stdout)
    let [both, first, second] = [0, 0, 0]
    for (const [i, request] of requests.entries()) {
      const [a, b] = [one, other].map((card) => quote(request, card, now).offers[0])
      const record = records[i]!
      expect(record['paid_1']).toBe(a === undefined ? null : paid(a) / 100)
      expect(record['paid_2']).toBe(b === undefined ? null : paid(b) / 100)
      if (a === undefined || b === undefined) expect([record['difference'], record['percent']]).toEqual([null, null])
      else {
        both++
        // The totals for people are what is paid: with GST, each parcel rounded.
        first += Math.round((paid(a) * 118) / 100)
        second += Math.round((paid(b) * 118) / 100)
        expect(record['difference']).toBe((paid(b) - paid(a)) / 100)
        expect(record['percent']).toBe(Math.round(((paid(b) - paid(a)) / paid(a)) * 10_000) / 100)
      }
    }
    const { stderr, exit } = await box.shipx(args)
    expect(both).toBeGreaterThan(100)
    expect(exit).toBe(both < requests.length ? 7 : 0)
    expect(stderr).toContain(`${both} of 1,000 parcels have a price on both cards`)
    const rupees = (paise: number): string => (paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })
    expect(stderr).toContain(`₹${rupees(Math.abs(second - first))} ${second > first ? 'more' : 'less'}`)
  })
})

describe('a deployment', { tags: ['full'] }, () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ readers: 0 })
  })
  afterAll(() => service.close())
  const of = ({ url, key }: Pick<TestService, 'url' | 'key'>) => ({ SHIPX_BASE_URL: url, SHIPX_API_KEY: key })

  test('answers as the card does, in the order of the lines, and says nothing of refusals', async () => {
    const { csv, requests } = parcelsOf(300, 3)
    const file = box.file('r.csv', `${csv}bad,400001,560001,0,1,1,1,prepaid,,,\n`)
    const { stdout, exit } = await box.shipx(['rates', '--file', file, '--jsonl', '--concurrency', '8'], {
      env: of(service),
    })
    const records = recordsIn(stdout)
    expect(records).toHaveLength(301)
    for (const [i, request] of requests.entries()) {
      const [offer] = quote(request, sampleCard, service.engine.host.now()).offers
      expect(records[i]).toMatchObject({
        ref: `P${i}`,
        courier: offer?.service.carrier_name ?? null,
        paid: offer === undefined ? null : paid(offer) / 100,
        delivery: offer?.delivery ?? null,
      })
      if (offer === undefined)
        expect(records[i]).toMatchObject({ code: 'no_courier', reason: 'no courier takes this parcel' })
    }
    expect(records[300]).toMatchObject({ code: 'invalid_input', reason: 'weight: must be more than 0' })
    expect(exit).toBe(7)
  })

  test('is asked no faster than it may be, and its limits are obeyed', async () => {
    const limited = await startService({ readers: 0, rateLimit: 20 })
    try {
      const file = box.file('l.csv', parcelsOf(100, 4).csv)
      const { stdout, exit } = await box.shipx(['rates', '--file', file, '--jsonl', '--concurrency', '16'], {
        env: of(limited),
      })
      expect(recordsIn(stdout).filter((record) => record['code'] === 'rate_limited')).toEqual([])
      expect(recordsIn(stdout)).toHaveLength(100)
      expect([0, 7]).toContain(exit)
    } finally {
      await limited.close()
    }
    const before = service.log.length
    const began = performance.now()
    const { stdout } = await box.shipx(
      ['rates', '--file', box.file('s.csv', parcelsOf(30, 5).csv), '--jsonl', '--max-rps', '20'],
      { env: of(service) },
    )
    expect(recordsIn(stdout)).toHaveLength(30)
    expect(service.log.length - before).toBe(30)
    expect(performance.now() - began).toBeGreaterThan(1400)
  })

  test('that is not there ends it at once; one that goes away ends it after the parcels that were answered', async () => {
    const nowhere = { SHIPX_BASE_URL: 'http://127.0.0.1:9', SHIPX_API_KEY: service.key }
    const file = box.file('g.csv', parcelsOf(2000, 6).csv)
    const gone = await box.shipx(['rates', '--file', file, '--json'], { env: nowhere })
    expect([gone.stdout, gone.exit]).toEqual(['', 6])
    const leaving = await startService({ readers: 0 })
    const { child, ended } = box.begin(['rates', '--file', file, '--jsonl'], { env: of(leaving) })
    child.stdout.once('data', () => void leaving.close())
    const { stdout, stderr, exit } = await ended
    expect(exit).toBe(6)
    const records = recordsIn(stdout)
    expect(records.map(({ ref }) => ref)).toEqual(records.map((_, i) => `P${i}`))
    expect(records.length).toBeLessThan(2000)
    expect(stderr).toMatch(/"exit_code":6/)
  })

  test('that refuses the key is told once', async () => {
    const { stdout, exit } = await box.shipx(['rates', '--file', box.file('k.csv', parcelsOf(5, 7).csv), '--json'], {
      env: { ...of(service), SHIPX_API_KEY: `${service.key.slice(0, -4)}aaaa` },
    })
    expect([stdout, exit]).toEqual(['', 4])
  })

  test('is not asked when cards are compared', async () => {
    const before = service.log.length
    const { stdout, stderr } = await box.shipx(
      ['rates', '--file', box.file('d.csv', parcelsOf(5, 8).csv), '--compare', 'sample,sample'],
      { env: of(service) },
    )
    expect(stdout.split('\n')).toHaveLength(6)
    expect(stderr).toContain('priced here on sample and sample, not by the service')
    expect(service.log.length).toBe(before)
  })
})
