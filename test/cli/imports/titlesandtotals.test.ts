// Defends imports of sheets with a title above and a row of totals below, as people keep them.
import { expect, test } from 'vitest'
import { workbook, type Cell } from '../../support/workbook.ts'
import { freshBox, on, wide } from '../ask/terminals.ts'

const sheetOf = (rows: readonly (readonly Cell[])[]): Buffer => workbook([{ name: 'Stores', rows }], 'excel')

test('a row of totals made a store named Total', async () => {
  const box = freshBox()
  const stores = async (...last: readonly Cell[]) => {
    box.file('stores.xlsx', sheetOf([['Store Name', 'Brand'], ['acme-kids', 'Acme Kids'], last]))
    const { exit, stderr } = await box.shipx(['stores', 'import', 'stores.xlsx', '--dry-run'])
    return [exit, /(\d+) rows?/.exec(stderr)?.[1], /Left out.*/.exec(stderr)?.[0]]
  }
  const left = 'Left out 1 row of totals (row 3).'
  expect(await stores('Total', 7)).toEqual([0, '1', left])
  expect(await stores('Grand Total', '7')).toEqual([0, '1', left])
  expect(await stores('Total', null)).toEqual([0, '2', undefined])
  expect(await stores('Total', 'Total Care')).toEqual([0, '2', undefined])
  expect(await stores('Total-Care', 7)).toEqual([0, '2', undefined])
})

test('the header below a title was not named where it has one column of ours alone', async () => {
  const box = freshBox()
  const rows = [
    ['Bluedart NDR 26-Nov'],
    ['Waybill', 'Order Ref', 'What next', 'Pincode area'],
    ['71516041338746', '#1'],
  ]
  box.file('ndr.xlsx', sheetOf(rows))
  const { exit, stderr } = await box.shipx(['ndr', 'answer', '--file', 'ndr.xlsx'])
  const lacks = 'the header lacks answer; it has: Waybill, Order Ref, What next, Pincode area'
  expect([exit, stderr]).toEqual([2, expect.stringContaining(lacks)])
  expect(stderr).toContain('row 2')
})

test.each(['brands.csv', 'brands.xlsx'])('in a terminal a title was taken for the header: %s', async (name) => {
  const rows = [['Our brands'], [], ['Store Name', 'Brand'], ['acme-kids', 'Acme Kids']]
  const box = freshBox()
  box.file(name, name.endsWith('.csv') ? rows.map((row) => `${row.join(',')}\n`).join('') : sheetOf(rows))
  const terminal = on(['stores', 'import', name, '--dry-run'], wide, box)
  expect(await terminal.ended()).toBe(0)
  expect(terminal.screen()).not.toContain('Which header')
  expect(terminal.screen()).toContain('above the header')
})
