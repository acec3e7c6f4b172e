// Further bills of a parcel whose first one was too small, each found wrong once by a finance person: together they are
// what is due.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, keptBill, prepare, reasonsOf, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const surcharges = [
  { name: 'Fuel', percent: 12 },
  { name: 'Docket', amount: 5 },
]
beforeAll(() =>
  prepare(
    box,
    [
      // 900 g to zone C: 70 of freight, 8.40 of fuel, 5 of docket, and 15.01 of GST.
      ...Array.from({ length: 12 }, (_, n) => shipment(String(5001 + n), { weight: 900 })),
      shipment('5021', { weight: 900, is_cod: true, cod_amount: 900 }),
      shipment('5022', { weight: 900, status: 'rto_delivered' }),
    ],
    contract({}, { surcharges }),
  ),
)

const judged = ({ awb, verdict, category, expected, difference }: Line) => [
  awb,
  verdict,
  category,
  expected,
  difference,
]
const wide = 'AWB,Zone,Weight (g),Freight,COD Charges,FSC,Other,Taxable,IGST,Total'
const statement = 'Date,AWB,Description,Debit,Credit'
/** A row with 40 of freight, 4.80 of fuel and 5 of docket: the price of 500 g. */
const first = (awb: string): string => `${awb},C,480,40.00,0,4.80,5.00,49.80,8.96,58.76`
/** What 900 g cost more. */
const more = (awb: string): string => `${awb},C,900,30.00,0,3.60,0.00,33.60,6.05,39.65`

test('a weight correction of a later statement that brings a parcel to its price was billed before', async () => {
  const charge = (awb: string, what: string, amount: string): string => `12-09-2026,${awb},${what},${amount},`
  await keptBill(box, 'L1', [
    statement,
    charge('5001', 'Freight charges', '40.00'),
    charge('5001', 'Fuel surcharge', '4.80'),
    charge('5001', 'Docket', '5.00'),
  ])
  const lines = await keptBill(box, 'L2', [
    statement,
    charge('5001', 'Weight discrepancy charges', '30.00'),
    charge('5001', 'Fuel surcharge', '3.60'),
  ])
  expect(lines.map(judged)).toEqual([['5001', 'ok', 'ok', 33.6, 0]])
})

test('a debit note with the difference of a weight was claimed in full', async () => {
  const under = await keptBill(box, 'W1', [wide, first('5002'), first('5003'), first('5004')])
  expect(under.map(({ verdict, difference }) => [verdict, difference])).toEqual([
    ['under', -39.65],
    ['under', -39.65],
    ['under', -39.65],
  ])
  const lines = await keptBill(box, 'W2', [
    wide,
    more('5002'),
    // Ten rupees more than 900 g cost more, with GST.
    '5003,C,900,40.00,0,3.60,0.00,43.60,7.85,51.45',
    // A part of what is left.
    '5004,C,900,20.00,0,2.40,0.00,22.40,4.03,26.43',
  ])
  expect(lines.map(judged)).toEqual([
    ['5002', 'ok', 'ok', 39.65, 0],
    ['5003', 'over', 'billed_before', 39.65, 11.8],
    ['5004', 'ok', 'ok', 26.43, 0],
  ])
  expect(reasonsOf(lines[1]!)).toEqual({ billed_before: 10, gst_on_difference: 1.8 })
  expect(lines[1]!.reasons[0]!.text).toBe('billed already in W1; of 83.40 due in all, 33.60 was left')
  const third = await keptBill(box, 'W3', [wide, more('5002'), '5004,C,900,10.00,0,1.20,0.00,11.20,2.02,13.22'])
  expect(third.map(judged)).toEqual([
    ['5002', 'over', 'billed_before', 0, 39.65],
    ['5004', 'ok', 'ok', 13.22, 0],
  ])
})

test('a second bill of the whole freight is billed before, and of one that was too small what goes beyond', async () => {
  const whole = (awb: string): string => `${awb},C,900,70.00,0,8.40,5.00,83.40,15.01,98.41`
  await keptBill(box, 'P1', [wide, whole('5005'), first('5006'), '5021,C,480,40.00,30.00,4.80,5.00,79.80,14.36,94.16'])
  const lines = await keptBill(box, 'P2', [wide, whole('5005'), whole('5006'), more('5021')], ['--force'])
  expect(lines.map(judged)).toEqual([
    ['5005', 'over', 'billed_before', 0, 98.41],
    ['5006', 'over', 'billed_before', 39.65, 58.76],
    ['5021', 'ok', 'ok', 39.65, 0],
  ])
})

test('a weight correction in a file with one amount, or of a parcel that came back, is judged by the sum', async () => {
  const bare = 'AWB,Total'
  await keptBill(box, 'B1', [bare, '5007,49.80', '5008,83.40'])
  expect((await keptBill(box, 'B2', [bare, '5007,33.60', '5008,33.60'])).map(judged)).toEqual([
    ['5007', 'ok', 'ok', 33.6, 0],
    ['5008', 'over', 'billed_before', 0, 33.6],
  ])
  const back = 'AWB,Zone,Weight (g),Freight,RTO Charges,FSC,Other,Total'
  await keptBill(box, 'R1', [back, '5022,C,480,40,40,9.60,5,94.60'])
  expect((await keptBill(box, 'R2', [back, '5022,C,900,30,30,7.20,0,67.20'])).map(judged)).toEqual([
    ['5022', 'ok', 'ok', 67.2, 0],
  ])
})
