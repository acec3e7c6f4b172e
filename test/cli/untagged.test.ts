// Groups by tag, of which a shipment has several or none.
import { expect, test } from 'vitest'
import { codParcel, place } from './reconcile/cods.ts'

test('shipments without a tag are in no group by tag, and nothing said so', async () => {
  const box = await place(codParcel('1001'))
  const { exit, stderr } = await box.shipx(['shipments', 'summary', '--by', 'tag'])
  expect([exit, stderr]).toEqual([0, 'No shipments with a tag match.\n'])
  expect((await box.shipx(['shipments', 'summary', '--by', 'month', '--csv'])).stdout).toMatch(/\n\S+,1,/)
})
