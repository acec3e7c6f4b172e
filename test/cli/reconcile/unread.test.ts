// Bills of which shipx reads only some amounts: refused with the way out, and never a sound bill.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldGuess, looksLikeCourier, looksLikeNumber, saidBy } from '../../../src/domain/money/unreadheaders.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const awbs = Array.from({ length: 8 }, (_, i) => String(5001 + i))
beforeAll(() =>
  prepare(
    box,
    awbs.map((awb, i) => shipment(awb, i < 3 ? { status: 'rto_delivered', returned: '2026-09-09T06:30:00Z' } : {})),
  ),
)

/** A bill whose amounts are right; the first three lines have RTO. */
const bill = (header: string, more: (i: number) => string = () => ''): string =>
  [
    header,
    ...awbs.map((awb, i) => {
      const rto = i < 3 ? 40 : 0
      const base = 40 + rto
      return `B-7,Delhivery,${awb},c,0.4,40,${rto},0,${base},${(base * 0.18).toFixed(2)},${(base * 1.18).toFixed(2)}${more(i)}`
    }),
  ].join('\n')

const known = 'Bill No,Courier,AWB,Zone,Weight (kg),Freight,RTO fee,COD fee,Taxable,Tax,Total'
const own = 'Memo #,Partner,AWB,Sector,Chg wt (kg),Base leg frt,Way home fee,COD fee,Taxable,Tax,Final bill'

const read = (text: string, ...more: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', box.file('bill.csv', text), '--dry-run', '--jsonl', ...more])

const refusalOf = (stderr: string) =>
  (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string; message: string; hint: string } }).error

test('a bill of which some amounts were read was kept with five times too much over', async () => {
  const { exit, stdout, stderr } = await read(bill(own))
  expect([exit, stdout]).toEqual([2, ''])
  const { code, message, hint } = refusalOf(stderr)
  expect([code, message]).toEqual([
    'unread_amounts',
    'shipx reads only some amounts of this bill, not "Base leg frt", "Way home fee", "Final bill": ' +
      '8 of the first 8 lines do not add up to their total without them',
  ])
  expect(hint).toContain("--map 'Base leg frt=freight' --map 'Way home fee=other' --map 'Final bill=total'")
  expect(hint).toContain('--force reads the file as it is; or say what each column is: --map ')
  expect(hint).toMatch(/--map 'Memo #=number' --map Partner=courier$/)
})

test('the flags of the refusal read the bill, and --force reads it as it is', { tags: ['full'] }, async () => {
  const maps = ['Base leg frt=freight', 'Way home fee=rto', 'Final bill=total', 'Memo #=number', 'Partner=courier']
  const whole = await read(bill(own), ...maps.flatMap((map) => ['--map', map]))
  expect([whole.exit, whole.stdout.match(/"verdict":"ok"/g)?.length]).toEqual([0, 8])
  expect(whole.stderr).toContain('Not read: Sector.')
  expect((await read(bill(own), '--force')).exit).toBe(0)
})

test('one fee that nothing reads, on some lines: refused where it is what they lack', { tags: ['full'] }, async () => {
  const { exit, stderr } = await read(bill(known.replace('RTO fee', 'Way home fee')))
  expect([exit, refusalOf(stderr).code]).toEqual([2, 'unread_amounts'])
  expect(refusalOf(stderr).message).toContain('3 of the first 8 lines')
})

describe('a sound bill is not refused', { tags: ['full'] }, () => {
  test.each([
    ['Declared value', (i: number) => `,${1000 + i}`],
    ['Order value', () => ',999.50'],
    ['Invoice value of goods', (i: number) => `,${1200 + i}.50`],
    ['Value', () => ',40'],
    ['Bill value', (i: number) => `,${i < 3 ? '94.40' : '47.20'}`],
    ['Chg. weight slab', () => ',0.5'],
  ])('with %s unread', async (header, more) => {
    const { exit, stderr, stdout } = await read(bill(`${known},${header}`, more))
    expect([exit, stdout.match(/"verdict":"ok"/g)?.length]).toEqual([0, 8])
    expect(stderr).toContain(`Not read: ${header}`)
  })

  test('whose every line the courier billed too high', async () => {
    const dear = bill(`${known},Declared value`, () => ',1000')
      .replaceAll(',40,0,0,40,7.20,47.20', ',50,0,0,50,9.00,59.00')
      .replaceAll(',40,40,0,80,14.40,94.40', ',50,50,0,100,18.00,118.00')
    const { exit, stdout } = await read(dear)
    expect([exit, stdout.match(/"verdict":"over"/g)?.length]).toEqual([0, 8])
  })
})

test('headers that nothing reads: what looks like an amount, a number or a courier is named first', async () => {
  const text = bill(
    `${known.replace('Bill No', 'Memo Ref').replace('Courier', 'Partner')},Remarks,Net value`,
    () => ',x,9',
  )
  const { stderr } = await read(text)
  expect(stderr).toContain('Not read: Net value (an amount?), Memo Ref (a number?), Partner (a courier?), Remarks.')
})

test('the number was asked for, and the column that has it was not named', { tags: ['full'] }, async () => {
  for (const header of ['Memo #', 'Statement No', 'Our inv ref']) {
    const path = box.file('bill.csv', bill(known.replace('Bill No', header)))
    const { exit, stderr } = await box.shipx(['reconcile', 'invoice', path, '--yes'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`--map '${header}=number'`)])
  }
})

test('several fees could not be read as one field', { tags: ['full'] }, async () => {
  const text = bill(`${known},Docket fee,Green fee`, () => ',3,2').replaceAll(',40,7.20,47.20', ',45,8.10,53.10')
  const { stdout } = await read(text, '--map', 'Docket fee=other', '--map', 'Green fee=other')
  expect(stdout.match(/"code":"surcharge","amount":5,/g)).toHaveLength(5)
  const one = await read(text, '--map', 'Docket fee=total', '--map', 'Green fee=total')
  expect([one.exit, one.stderr]).toEqual([2, expect.stringContaining('2 headers mean total')])
})

test('what headers say', () => {
  const said = (header: string): string => saidBy(header)
  expect(['Basic chg', 'Bill value', 'COD fee', 'Excess Wt Charge', 'Levy @18%'].map(said)).toEqual(
    Array(5).fill('charge'),
  )
  expect(['Declared value', 'COD amount', 'Chg wt (kg)', 'Bill #', 'Tax rate', 'GST %'].map(said)).toEqual(
    Array(6).fill('other'),
  )
  expect(['Value', 'Net', 'Foo'].map(said)).toEqual(['amount', 'amount', 'open'])
  expect(['Base frt', 'Bill value', 'RTO chg', 'IGST', 'Taxable', 'Handling'].map(fieldGuess)).toEqual(
    'freight total rto igst gross other'.split(' '),
  )
  expect(['Bill #', 'Inv No', 'Invoice Ref', 'Bill value', 'Ref No'].map(looksLikeNumber)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect([looksLikeCourier('Partner'), looksLikeCourier('Courier charges')]).toEqual([true, false])
})
