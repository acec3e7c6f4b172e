// Prices of a day: the version of the rate card, the line's own zone, and parcels without sides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleCard } from '../../../src/domain/rates/samplecard.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())
const parcel = ['rates', '--from', '400001', '--to', '560001', '-w', '600g', '-s', '10x10x10', '--prepaid', '--json']

/** The sample card from a day on, with a fuel surcharge. */
const version = (valid_from: string, percent: number): string => {
  const services = sampleCard.services.map((service) => ({ ...service, surcharges: [{ name: 'Fuel', percent }] }))
  return box.file(`${valid_from}.json`, JSON.stringify({ ...sampleCard, name: 'contract', valid_from, services }))
}

beforeAll(async () => {
  for (const [day, percent] of [
    ['2026-01-01', 10],
    ['2026-09-01', 20],
  ] as const)
    expect((await box.shipx(['ratecard', 'import', version(day, percent), '--use'])).exit).toBe(0)
})

const cheapest = (stdout: string): Record<string, unknown> =>
  (JSON.parse(stdout) as { result: { serviceable_couriers: Record<string, unknown>[] } }).result
    .serviceable_couriers[0]!

describe('rates --date', () => {
  test('takes the version of the day, and pickup begins there', async () => {
    const [before, after] = await Promise.all(
      ['2026-08-31', '1 Sep 2026'].map((day) => box.shipx([...parcel, '--date', day])),
    )
    expect(cheapest(before!.stdout)['surcharges']).toEqual({ Fuel: 7.5 })
    expect(cheapest(after!.stdout)['surcharges']).toEqual({ Fuel: 15 })
    expect(cheapest(after!.stdout)['expected_delivery']).toMatchObject({ pickup: '2026-09-01' })
  })

  test('before the first version has no price, and never that of today', async () => {
    const { exit, stderr } = await box.shipx([...parcel, '--date', '2025-12-31'])
    expect([exit, JSON.parse(stderr)]).toMatchObject([5, { error: { code: 'no_card_for_day' } }])
  })
})

test('a line of a file has its own day and zone; one without a day has that of --date', async () => {
  const file = box.file(
    'dated.csv',
    [
      'ref,from,to,weight,payment,date,zone',
      'old,400001,560001,600g,prepaid,31-08-2026,',
      'new,400001,560001,600g,prepaid,2026-09-01,',
      'flag,400001,560001,600g,prepaid,,',
      'zoned,400001,560001,600g,prepaid,,A',
      'never,400001,560001,600g,prepaid,2025-01-01,',
      'typo,400001,560001,600g,prepaid,,Q',
    ].join('\n'),
  )
  const { exit, stdout, stderr } = await box.shipx(['rates', '--file', file, '--date', '2026-08-01', '--jsonl'])
  expect(exit).toBe(7)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ ref, total, zone, code }) => [ref, total, zone, code])).toEqual([
    ['old', 82.5, 'zone_c', null],
    ['new', 90, 'zone_c', null],
    ['flag', 82.5, 'zone_c', null],
    ['zoned', expect.any(Number), 'zone_a', null],
    ['never', null, null, 'no_card_for_day'],
    ['typo', null, 'zone_c', 'no_courier'],
  ])
  expect(stderr).toContain('the file has no sides: parcels are priced on dead weight alone')
})
