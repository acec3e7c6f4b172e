// Credits of parcels that several couriers bill, each found wrong once by a finance person: a credit is of the courier
// that gives it.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    Array.from({ length: 20 }, (_, n) => shipment(String(7001 + n))),
  ),
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
