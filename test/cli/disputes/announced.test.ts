// What a person typed stays: the day of an announcement, and the name of a file. What shipx refuses says how it comes.
// @module-tag full: a process for each command
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { png } from '../../support/pictures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from '../reconcile/invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const run = (...words: readonly string[]) =>
  box.shipx(words, { env: { SHIPX_NOW: '2026-10-05T18:30:01Z', SHIPX_FORCE_TTY: '' } })
const ok = async (...words: readonly string[]) => {
  const outcome = await run(...words)
  expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, outcome.stderr])
  return outcome
}
const due = async () =>
  (
    JSON.parse((await ok('disputes', 'list', '--status', 'found,lapsed', '--json')).stdout) as {
      data: readonly { due_at: string; status: string }[]
    }
  ).data.map(({ due_at, status }) => [due_at, status])

test('create without --announced moved a deadline that --announced had set, and the dispute lapsed', async () => {
  await prepare(
    box,
    ['1001', '1002'].map((awb) => shipment(awb)),
  )
  const rows = ['awb,order,zone,weight_g,freight,rto,gst,total', '1001,A-1001,C,900,70,0,12.60,82.60', '']
  const path = box.file('SEP.csv', rows.join('\n'))
  await ok('reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'SEP', '--date', '2026-10-03', '--yes')
  await ok('disputes', 'create', '--from', 'invoice', 'SEP')
  expect(await due()).toEqual([['2026-10-05T18:30:00.000Z', 'lapsed']])
  const said = await ok('disputes', 'create', '--from', 'invoice', 'SEP', '--announced', '2026-10-04')
  expect(said.stderr).toContain('Moved 1 deadline')
  const later = [['2026-10-06T18:30:00.000Z', 'found']]
  expect(await due()).toEqual(later)
  expect((await ok('disputes', 'create')).stderr).not.toContain('Moved')
  expect(await due()).toEqual(later)
  // Another policy counts from the day that was announced.
  await ok('courier', 'policy', 'set', 'Delhivery', 'weight_window=4d')
  await ok('disputes', 'create')
  expect(await due()).toEqual([['2026-10-08T18:29:59.999Z', 'found']])
})

test('evidence lost the name that the person gave it', async () => {
  const names = ['IMG_2041.jpg', '1001-scale.png', "it's; $(rm -rf) \u202e side.png", 'तौल.png', 'img_2041.png']
  for (const [n, name] of names.entries())
    await ok('disputes', 'evidence', '1001', box.file(name, png(n + 1)), '--shows', 'scale')
  await ok('disputes', 'export', '--courier', 'Delhivery', '--out', 'sent')
  expect(readdirSync(join(box.folder, 'sent', 'evidence')).toSorted()).toEqual([
    '1001-IMG_2041.png',
    '1001-img_2041-2.png',
    '1001-it_s_rm_-rf_side.png',
    '1001-scale-2.png',
    '1001-scale.png',
  ])
})

test('set refused credited and did not say how credits come', async () => {
  const set = await run('disputes', 'set', '1001', '--status', 'credited')
  expect([set.exit, set.stderr]).toEqual([
    2,
    expect.stringContaining('read the credit note with shipx reconcile invoice'),
  ])
  const file = box.file('answers.csv', 'awb,status\n1001,Credited\n')
  const sheet = await run('disputes', 'set', '--file', file, '--yes')
  expect(sheet.stderr).toContain('comes from a credit line of its AWB in a later document')
})

test('claims says until when a parcel can be claimed', async () => {
  const { stdout } = await ok('courier', 'claims', '1001', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ awb: '1001', status: 'delivered', lost_at_most: null }] })
  expect((await run('courier', 'claims', '1001', '9')).exit).toBe(3)
})
