// Credits of parcels that several couriers bill, each found wrong once by a finance person: a credit is of the courier
// that gives it.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    ...Array.from({ length: 20 }, (_, n) => shipment(String(7001 + n))),
    ...[7101, 7102, 7103].map((awb) => shipment(String(awb), { status: 'cancelled', picked_up: null })),
  ]),
)

const run = async (...words: readonly string[]) => {
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return { stdout, stderr }
}
const head = 'AWB,Zone,Weight (kg),Freight,Total'
const row = (awb: number, amount: number): string => `${awb},c,0.4,${amount},${amount}`
/** Keeps a document of a courier. */
const keep = (courier: string, number: string, rows: readonly string[], day = '2026-10-01', header = head) => {
  const path = box.file(`${number}.csv`, [header, ...rows].join('\n'))
  const whose = ['--courier', courier, '--number', number, '--date', day]
  return run('reconcile', 'invoice', path, ...whose, '--force', '--yes')
}
interface Dispute {
  readonly awb: string
  readonly courier: string
  readonly amount: number
  readonly credited: number
}
/** The disputes of a parcel: with whom, what is claimed, and what was credited. */
const disputesOf = async (awb: number) =>
  (
    JSON.parse((await run('disputes', 'list', '--status', 'found,credited', '--limit', 'all', '--json')).stdout) as {
      data: readonly Dispute[]
    }
  ).data
    .filter((one) => one.awb === String(awb))
    .map(({ courier, amount, credited }) => [courier, amount, credited])
    .toSorted()

test('a credit note of one courier paid the dispute with another one about the same AWB', async () => {
  await keep('Blue Dart', 'BD1', [row(7001, 70)])
  await keep('Delhivery', 'DL1', [row(7001, 45)])
  for (const number of ['BD1', 'DL1']) await run('disputes', 'create', '--from', 'invoice', number)
  await keep('Delhivery', 'DLCN1', [row(7001, -5)], '2026-10-20')
  expect(await disputesOf(7001)).toEqual([
    ['Blue Dart', 70, 0],
    ['Delhivery', 5, 5],
  ])
  await keep('Blue Dart', 'BDCN1', [row(7001, -70)], '2026-10-21')
  expect(await disputesOf(7001)).toEqual([
    ['Blue Dart', 70, 70],
    ['Delhivery', 5, 5],
  ])
})

test('a credit note of a courier without a dispute paid that of another one', async () => {
  await keep('Delhivery', 'DL2', [row(7002, 40)])
  await keep('Blue Dart', 'BD2', [row(7002, 70)])
  await run('disputes', 'create', '--from', 'invoice', 'BD2')
  const { stderr } = await keep('Delhivery', 'DLCN2', [row(7002, -5)], '2026-10-20')
  expect(await disputesOf(7002)).toEqual([['Blue Dart', 70, 0]])
  expect(stderr).not.toContain('It credits')
  expect(stderr).toContain('1 credit pays no dispute: those about the same parcel are with another courier (7002).')
})

test('a credit pays disputes of a bill of several couriers, and of a courier that is spelt with its service', async () => {
  await keep('', 'AGG1', [row(7003, 70)])
  await run('disputes', 'create', '--from', 'invoice', 'AGG1')
  await keep('', 'AGGCN1', [row(7003, -20)], '2026-10-20')
  await keep('Delhivery', 'DLCN3', [row(7003, -10)], '2026-10-21')
  expect(await disputesOf(7003)).toEqual([['Delhivery', 30, 30]])
  await keep('Delhivery Surface', 'DLS1', [row(7004, 70)])
  await run('disputes', 'create', '--from', 'invoice', 'DLS1')
  await keep('Delhivery', 'DLCN4', [row(7004, -30)], '2026-10-20')
  expect(await disputesOf(7004)).toEqual([['Delhivery Surface', 30, 30]])
})

/** The verdicts of the lines of a kept document, and how many of them its sums have. */
const verdictsIn = async (number: string) => {
  const { data } = JSON.parse((await run('invoices', 'get', number, '--lines', '--json')).stdout) as {
    data: readonly Line[]
  }
  return data.map(({ verdict, category }) => [verdict, category])
}
const waiting = ['unknown', 'unknown']
const credit = ['credit', 'ok']

test.each([
  ['of an AWB that is not known', 'Delhivery', 7901, 40],
  ['of a parcel that was not shipped', 'Delhivery', 7101, 40],
  ['of a parcel of another courier', 'Blue Dart', 7011, 40],
  ['of a parcel like any other', 'Delhivery', 7012, 70],
] as const)('a credit note that was read before its bill was lost: %s', async (_, courier, awb, amount) => {
  const number = `EARLY-${awb}`
  await keep(courier, `${number}-CN`, [row(awb, -amount + 5)], '2026-10-20')
  expect(await verdictsIn(`${number}-CN`)).toEqual([waiting])
  const { stderr } = await keep(courier, number, [row(awb, amount)])
  expect(stderr).toContain(`Invoice ${number}-CN: 1 line that came before its bill counts as credit.`)
  expect(await verdictsIn(`${number}-CN`)).toEqual([credit])
  await run('disputes', 'create', '--from', 'invoice', number)
  const claimed = amount === 70 ? 30 : amount
  expect(await disputesOf(awb)).toEqual([[courier, claimed, amount - 5]])
  // The second bill is judged by what the courier has left of it.
  const again = await keep(courier, `${number}-CN2`, [row(awb, -5)], '2026-10-21')
  expect(again.stderr).not.toContain('more than was ever billed')
  expect(await verdictsIn(`${number}-CN2`)).toEqual([credit])
})

test("a credit note that waits for its bill took another courier's bill of the AWB for it", async () => {
  await keep('Blue Dart', 'WAITS-CN', [row(7013, -70)], '2026-10-20')
  await keep('Delhivery', 'WAITS-DL', [row(7013, 40)])
  expect(await verdictsIn('WAITS-CN')).toEqual([waiting])
  // Nor does it give back what the other one bills.
  await keep('Delhivery', 'WAITS-DL2', [row(7013, 41)], '2026-10-02')
  expect(await verdictsIn('WAITS-DL2')).toEqual([['over', 'billed_before']])
  await keep('Blue Dart', 'WAITS-BD', [row(7013, 70)], '2026-10-03')
  expect([await verdictsIn('WAITS-CN'), await verdictsIn('WAITS-BD')]).toEqual([[credit], [['over', 'other_courier']]])
  await keep('Delhivery', 'WAITS-DL3', [row(7013, 42)], '2026-10-21')
  expect(await verdictsIn('WAITS-DL3')).toEqual([['over', 'billed_before']])
})

test("a credit note of a courier without a bill took the bill of the parcel's own courier off", async () => {
  await keep('Delhivery', 'OWN-DL', [row(7017, 40)])
  await keep('Blue Dart', 'OWN-CN', [row(7017, -70)], '2026-10-20')
  expect(await verdictsIn('OWN-CN')).toEqual([waiting])
  await keep('Delhivery', 'OWN-DL2', [row(7017, 41)], '2026-11-01')
  expect(await verdictsIn('OWN-DL2')).toEqual([['over', 'billed_before']])
  await keep('Blue Dart', 'OWN-BD', [row(7017, 70)], '2026-10-03')
  expect(await verdictsIn('OWN-CN')).toEqual([credit])
  await keep('Blue Dart', 'OWN-BD2', [row(7018, 70)], '2026-10-03')
  await keep('Blue Dart', 'OWN-CN2', [row(7018, -70)], '2026-10-20')
  expect(await verdictsIn('OWN-CN2')).toEqual([credit])
})

test.each([
  ['of an AWB that is not known', 7902, 40],
  ['of a parcel that was not shipped', 7102, 40],
  ['of a parcel like any other', 7014, 70],
] as const)('a credit above the line that it gives back was none: %s', async (_, awb, amount) => {
  const [down, up] = [row(awb, -amount), row(awb, amount)]
  await keep('Delhivery', `UP-${awb}`, [down, up])
  const kinds = (await verdictsIn(`UP-${awb}`)).map(([verdict]) => verdict)
  expect(kinds).toEqual(['credit', 'over'])
  await run('disputes', 'create', '--from', 'invoice', `UP-${awb}`)
  expect(await disputesOf(awb)).toEqual([])
})

test('SQL counted what a courier billed of parcels of another one for the one that carried them', async () => {
  await keep('Blue Dart', 'SQL-BD', [row(7015, 70)])
  await keep('', 'SQL-AGG', [row(7016, 40)])
  for (const view of ['invoice_lines', 'invoice_reasons']) {
    const sql = `select invoice, courier, billed_by from ${view} where awb in ('7015', '7016') order by awb`
    const found = JSON.parse((await run('sql', sql, '--json')).stdout) as { data: readonly unknown[] }
    expect(found.data.slice(0, 1)).toEqual([{ invoice: 'SQL-BD', courier: 'Delhivery', billed_by: 'Blue Dart' }])
    if (view === 'invoice_lines')
      expect(found.data.slice(1)).toEqual([{ invoice: 'SQL-AGG', courier: 'Delhivery', billed_by: 'Delhivery' }])
  }
})

test('a note of credits for AWBs that are not known was taken for a bill without its parcels', async () => {
  const path = box.file('CN-ONLY.csv', [head, row(7801, -40)].join('\n'))
  const dry = ['--courier', 'Delhivery', '--no-card', '--dry-run']
  expect((await run('reconcile', 'invoice', path, ...dry)).stdout).not.toContain('Without your parcels')
  const bill = box.file('BILL-ONLY.csv', [head, row(7801, 40)].join('\n'))
  expect((await run('reconcile', 'invoice', bill, ...dry, '--no-parcels')).stdout).toContain('Without your parcels')
})
