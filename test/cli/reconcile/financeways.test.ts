// Rows of one bill for the way out and the way back of a parcel, each found wrong once by a finance person.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, keptBill, prepare, reasonsOf, reconciled, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

/** Zone D: 52 out to 500 g, 46.80 back; fuel of 14%, and a docket of 3 on the way out. */
const band = [{ up_to: null, first_weight: 500, first_price: 52, step_weight: 500, step_price: 40 }]
const service = {
  forward: { ...contract().services[0]!.forward, zone_d: band },
  rto: { percent: 90 },
  cod: { available: true, fixed: 38, percent: 2, rule: 'max', max_value: null },
  surcharges: [
    { name: 'Fuel', percent: 14 },
    { name: 'Docket', amount: 3 },
  ],
}
const back = { zip: '302001', weight: 450, status: 'rto_delivered' }
beforeAll(() =>
  prepare(
    box,
    [
      ...['4181', '4182', '4183', '4184', '4185', '4186', '4187'].map((awb) => shipment(awb, back)),
      ...['2701', '2702', '2703'].map((awb) =>
        shipment(awb, { ...back, status: 'delivered', is_cod: true, cod_amount: 900 }),
      ),
      shipment('1004', { ...back, status: 'delivered', order: 'CC-1004' }),
      shipment('1005', { ...back, status: 'delivered', order: 'CC-1005' }),
    ],
    contract({}, service),
  ),
)

const head = 'AWB,Shipment Type,Zone,Weight (kg),Freight,Fuel,COD charges,Other charges,GST,Total'
const [out, home] = ['D,0.5,52.00,7.28,0,3.00,11.21,73.49', 'D,0.5,46.80,6.55,0,0,9.60,62.95']
const bill = (rows: readonly string[], more: readonly string[] = []) =>
  reconciled(box, [head, ...rows].join('\n'), ['--courier', 'Delhivery', '--force', ...more])
const said = ({ journey, verdict, category, expected }: Line) => [journey, verdict, category, expected]
const keep = (name: string, header: string, rows: readonly string[]) => keptBill(box, name, [header, ...rows])

test.each(['RTO', 'Rto', 'RT', 'RTO Delivered', 'RTO-Freight', 'Return to origin', 'RETURN'])(
  'the row "%s" next to the row FWD was a duplicate of it',
  async (word) => {
    const { lines } = await bill([`4181,FWD,${out}`, `4181,${word},${home}`])
    expect(lines.map(said)).toEqual([
      ['forward', 'ok', 'ok', 73.49],
      ['rto', 'ok', 'ok', 62.95],
    ])
  },
)

test.each(['Mvmt', 'Movement Type', 'Direction'])('a column "%s" of the ways was not read', async (name) => {
  const rows = [head.replace('Shipment Type', name), `4181,FWD,${out}`, `4181,RTO,${home}`].join('\n')
  const { lines } = await reconciled(box, rows, ['--courier', 'Delhivery', '--force'])
  expect(lines.map(said)).toEqual([
    ['forward', 'ok', 'ok', 73.49],
    ['rto', 'ok', 'ok', 62.95],
  ])
})

test('a row for the RTO alone was judged as the way out', async () => {
  const { lines } = await bill([`4181,RTO,${home}`, `4182,RTO,${out}`])
  expect(lines.map(said)).toEqual([
    ['rto', 'ok', 'ok', 62.95],
    ['rto', 'over', 'rto_rate', 62.95],
  ])
  expect(reasonsOf(lines[1]!)).toEqual({ rto_rate: 5.2, surcharge: 3, fuel: 0.73, gst_on_difference: 1.61 })
})

test('the row for the RTO of a delivered parcel was a duplicate and not an RTO that never was', async () => {
  const { lines } = await bill([`2701,FWD,D,0.5,52.00,7.28,38.00,3.00,18.05,118.33`, `2701,RTO,${home}`])
  expect(lines.map(said)).toEqual([
    ['forward', 'ok', 'ok', 118.33],
    ['rto', 'over', 'rto_not_returned', 0],
  ])
})

test('a row for the RTO in the bill of the next month was billed before', async () => {
  expect((await keep('SEP', head, [`4183,FWD,${out}`])).map(said)).toEqual([['forward', 'ok', 'ok', 73.49]])
  expect((await keep('OCT', head, [`4183,RTO,${home}`])).map(said)).toEqual([['rto', 'ok', 'ok', 62.95]])
  expect((await keep('NOV', head, [`4183,RTO,${home}`, `4187,FWD,${out}`])).map(said)).toEqual([
    ['rto', 'over', 'billed_before', 0],
    ['forward', 'ok', 'ok', 73.49],
  ])
})

test('a status is how the parcel ended: its rows are out and back, and one row is what its amount says', async () => {
  const rows = [`4184,RTO Delivered,${out}`, `4184,RTO Delivered,${home}`, `4185,RTO,${home}`, `4186,RTO,${out}`]
  const content = [head.replace('Shipment Type', 'Status'), ...rows].join('\n')
  const { lines } = await reconciled(box, content, ['--courier', 'Delhivery', '--force'])
  expect(lines.map(({ journey, verdict }) => [journey, verdict])).toEqual([
    ['forward', 'ok'],
    ['rto', 'ok'],
    ['rto', 'ok'],
    ['forward', 'ok'],
  ])
})

test('a column for RTO keeps its meaning: what stands under Freight is the way out', async () => {
  const content = [
    'AWB,Type,Zone,Weight (kg),Freight,RTO charges,Fuel,Other charges,GST,Total',
    '4181,RTO,D,0.5,52.00,0,7.28,3.00,11.21,73.49',
    '4181,RTO,D,0.5,0,46.80,6.55,0,9.60,62.95',
  ].join('\n')
  const { lines } = await reconciled(box, content, ['--courier', 'Delhivery', '--force'])
  expect(lines.map(said)).toEqual([
    ['forward', 'ok', 'ok', 73.49],
    ['rto', 'ok', 'ok', 62.95],
  ])
})

test('a word of the column of the journey that shipx does not know was the way out in silence', async () => {
  const { stderr } = await bill([`4181,Homeward,${out}`, `4182,Prepaid,${out}`])
  expect(stderr).toContain('"Shipment Type" says "Homeward", which names no journey that shipx knows')
  expect((await bill([`4181,FWD,${out}`, `4182,,${out}`])).stderr).not.toContain('names no journey')
})

test('without a card, rows for the RTO were duplicates of the rows for the way out', async () => {
  const awbs = ['4181', '4182', '4184', '4185', '4186']
  const rows = awbs.flatMap((awb) => [`${awb},FWD,${out}`, `${awb},RTO,${home}`])
  const { lines } = await bill(rows, ['--no-card', '--no-parcels'])
  expect([...new Set(lines.map(({ journey, verdict }) => `${String(journey)} ${verdict}`))]).toEqual([
    'forward ok',
    'rto ok',
  ])
})

test('an AWB with -RTO was one more way out', async () => {
  const { lines } = await bill([`4181,,${out}`, `4181-RTO,,${home}`, `4182,,${out}`, `4182-RTO,,${out}`])
  expect(lines.map(said)).toEqual([
    ['forward', 'ok', 'ok', 73.49],
    ['rto', 'ok', 'ok', 62.95],
    ['forward', 'ok', 'ok', 73.49],
    ['rto', 'over', 'rto_rate', 62.95],
  ])
})
