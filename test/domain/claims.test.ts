// What can be claimed of a courier for a parcel, and the sheets of disputes.
import { expect, test } from 'vitest'
import { claimsOf } from '../../src/domain/money/claims.ts'
import { workingDays } from '../../src/domain/money/deadlines.ts'
import { sheetColumns, type SheetLine } from '../../src/domain/money/disputesheets.ts'
import { policyOf } from '../../src/domain/money/policies.ts'
import { isoOf } from '../../src/domain/time.ts'

test('the windows of claims, deliveries and PODs of a policy were not used', () => {
  const values = { pod_window: { value: '2 working_days', at: 0 }, liability: { value: '5000', at: 0 } }
  const policy = policyOf('Shiprocket', [{ courier: 'Shiprocket', values }])
  // Thu 1 Oct 2026, 17:35 in India; Fri 2 and Sun 4 are no working days.
  const delivered = Date.parse('2026-10-01T12:05:40Z')
  const { damage, denial, pod, lost } = claimsOf({ delivered_at: delivered, worth: 90_000 }, policy, workingDays())
  expect([damage, denial, pod].map((at) => isoOf(at!))).toEqual([
    '2026-10-03T12:05:00.000Z',
    '2026-10-04T18:29:59.999Z',
    '2026-10-05T18:29:59.999Z',
  ])
  expect(lost).toBeNull()
  const lostOf = (worth: number | undefined) => claimsOf({ delivered_at: null, worth }, policy, workingDays()).lost
  expect([lostOf(90_000), lostOf(900_000), lostOf(undefined)]).toEqual([90_000, 500_000, 500_000])
})

test('the sheet mixed the spellings of zones', () => {
  const line = { zone: 'zone_b', zone_billed: 'd', awb: '1' } as SheetLine
  const cells = (billed: string, keys: readonly string[]) =>
    Object.fromEntries(sheetColumns(keys).map(([header, cell]) => [header, cell({ ...line, zone_billed: billed })]))
  for (const billed of ['d', 'D', 'zone_d', 'Zone D', 'z_d'])
    expect(cells(billed, ['delhivery'])).toMatchObject({ zone: 'D', actual_zone: 'B' })
  expect(cells('c1', [])).toMatchObject({ zone_billed: 'C1', zone: 'B' })
})
