// Defends what people who typed a contract got wrong in silence: a list under another name, fractions for percent, prices
// that an empty cell takes away, zones that only one version has, a bare weight of an order.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())
const file = (name: string, ...lines: readonly string[]): string => {
  writeFileSync(join(box.folder, name), `${lines.join('\n')}\n`)
  return name
}
const header = 'courier,zone_a,zone_a_step,zone_d,zone_d_step,fuel_percent,gst_percent'

beforeAll(async () => {
  const { exit } = await box.shipx(['ratecard', 'import', file('road.csv', header, 'Road,30,25,52,44,12,18'), '--use'])
  expect(exit).toBe(0)
})

test('new prices from a day under another file name do not become another card in silence', async () => {
  file('road-dec.csv', header, 'Road,30,25,57,49,12,18')
  const from = ['ratecard', 'import', 'road-dec.csv', '--valid-from', '2026-12-01']
  const refused = await box.shipx(from)
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--name: is required: road for a new version of the card in use, road-dec for another card',
    ),
  ])
  expect((await box.shipx([...from, '--name', 'road'])).exit).toBe(0)
})

test('a fraction below a percent column is asked about, and a percent sign answers', async () => {
  const refused = await box.shipx(['ratecard', 'check', file('fraction.csv', header, 'Road,30,25,52,44,0.12,0.18')])
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toContain('0.12 what? Write 12% or 0.12%')
  expect(refused.stderr).toContain('0.18 what? Write 18% or 0.18%')
  expect((await box.shipx(['ratecard', 'check', file('sign.csv', header, 'Road,30,25,52,44,0.12%,18%')])).exit).toBe(0)
})

test('an empty price that takes a zone away is a warning', async () => {
  file('part.csv', 'courier,zone_d,zone_d_step', 'Road,57,49')
  const { exit, stderr } = await box.shipx(['ratecard', 'import', 'part.csv', '--name', 'part', '--base', 'road'])
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('! no more prices in zone_a of Road: a zone whose price is empty is not served'),
  ])
})

test('zones of one version, and zones that count as others, are said', { tags: ['full'] }, async () => {
  const sheet = file('zones.csv', 'pincode,zone', '560001,A', '110001,D')
  const at = ['ratecard', 'zones', 'import', sheet, '--card', 'road', '--origin', '400001']
  const first = await box.shipx(at)
  expect([first.exit, first.stderr]).toEqual([
    0,
    expect.stringContaining('the version from 2026-12-01 keeps its own zones: import the sheet for it'),
  ])
  const second = await box.shipx([...at, '--zone-map', 'A=zone_d'])
  expect(second.stderr).toContain('zone A counts as zone_d now, not as zone_a')
})

test('no courier, for a reason that prepaid does not change, is no advice to try prepaid', async () => {
  const parcel = ['rates', '--from', '411001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--cod', '1499']
  const { stdout, stderr } = await box.shipx(parcel)
  expect(stdout + stderr).toContain('No courier takes this parcel')
  expect(stdout + stderr).not.toContain('--prepaid')
})

test('a bare weight for the orders of a sheet is asked about: 15 is neither grams nor kilograms', async () => {
  const orders = file('orders.csv', 'order_id', 'A-1')
  const { exit, stderr } = await box.shipx(['orders', 'import', orders, '--weight', '15', '--dry-run'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--weight: 15 what? Write 15kg or 15g')])
})

test('the built-in card cannot be removed, and says so', async () => {
  const { exit, stderr } = await box.shipx(['ratecard', 'remove', 'sample', '--yes'])
  expect([exit, stderr]).toEqual([5, expect.stringContaining('sample is the built-in card and stays')])
})

test('why no picked courier takes a parcel named the couriers that were not picked', async () => {
  const parcels = file(
    'heavy.csv',
    'ref,origin,destination,weight,length,width,height,payment',
    'P1,400001,560001,21kg,20,15,10,prepaid',
  )
  const line = ['rates', '--file', parcels, '--card', 'sample', '--csv', '--fields', 'reason']
  const { stdout } = await box.shipx([...line, '--pick', 'swift'])
  expect(stdout).toBe('reason\nnone of swift takes this parcel: over 20 kg (SwiftAir)\n')
})
