// Rows of a bill or a remittance that are no parcel's: what is payable, carried forward, round off, taxes, headers again.
// @module-tag full: an invoice for each
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { footerOf } from '../../../src/domain/money/footers.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, reasonsOf, reconciled, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const awbs = ['3481000009001', '3481000009011', '3481000009021', '3481000009031']
beforeAll(() =>
  prepare(
    box,
    awbs.map((awb) => shipment(awb)),
  ),
)

const head = 'AWB,Zone,Weight (g),Freight,Total'
const good = awbs.slice(0, 3).map((awb) => `${awb},C,400,40,40`)
const bill = (rows: readonly string[], name?: string) =>
  reconciled(box, [head, ...rows].join('\n'), ['--courier', 'Delhivery', '--force'], name)

/** What people see of a bill: its notes and warnings. */
const said = async (rows: readonly string[]): Promise<string> => {
  const words = ['reconcile', 'invoice', box.file('said.csv', [head, ...rows].join('\n')), '--courier', 'Delhivery']
  return (await box.shipx([...words, '--force', '--dry-run'])).stderr
}

describe('words in place of an AWB', () => {
  const right = [
    'Net payable',
    'Amount Payable',
    'Net Amount Payable',
    'Page Total',
    'Invoice Value',
    'Balance Due',
    'Carried forward',
    'B/F',
    'Total',
    'Grand Total',
    'Sub Total',
    'कुल',
  ]
  test.each(right)('%s under the lines became a claim', async (words) => {
    const { lines, exit, stderr } = await bill([...good, `${words},,,,120`])
    expect([exit, lines.map(({ awb, verdict }) => [awb, verdict])]).toEqual([
      0,
      awbs.slice(0, 3).map((awb) => [awb, 'ok']),
    ])
    expect(stderr).not.toContain('!')
    const off = await bill([...good, `${words},,,,150`])
    expect([off.exit, off.lines.length]).toEqual([0, 3])
    expect(off.stderr).toContain('The total in line 5 is not the sum of the lines.')
  })

  test.each(['Previous balance', 'TDS @ 2%', 'Less: Advance', 'Add: IGST 18%'])(
    '%s is left out with its amount, in a warning',
    async (words) => {
      const { lines, exit, stderr } = await bill([...good, `${words},,,,-7.05`])
      expect([exit, lines.length]).toEqual([0, 3])
      expect(stderr).toContain(`so it is not in what is billed: line 5 "${words}" `)
      expect(stderr).toContain('7.05')
    },
  )

  test('what is payable less taxes and rounding is no wrong total', async () => {
    const footers = ['Brought forward,,,,120', `${awbs[3]},C,400,40,40`, 'Round off,,,,-0.04', 'Less: TDS,,,,3.20']
    const rows = [...good, ...footers, 'Net payable,,,,156.76']
    const { lines, exit } = await bill(rows)
    expect([exit, lines.map(({ verdict }) => verdict)]).toEqual([0, ['ok', 'ok', 'ok', 'ok']])
    const stderr = await said(rows)
    expect(stderr).toContain('Left out 2 rows that bill no parcel: line 7 "Round off" ')
    expect(stderr).toContain('line 9 "Net payable" ')
    expect(stderr).toContain('line 8 "Less: TDS" ')
    expect(stderr).not.toContain('is not the sum')
  })

  test.each(['Misc debit note - lost bag', 'Lost bag', 'Penalty', 'Debit note 5 lost'])(
    '%s is a line that cannot be read, and no claim',
    async (words) => {
      const { lines, exit } = await bill([...good, `${words},,,,590`])
      expect([exit, lines[3]!.verdict, reasonsOf(lines[3]!)]).toEqual([7, 'unknown', { unread_line: null }])
      expect(lines[3]!.reasons[0]!.text).toContain('stands in place of its AWB')
    },
  )

  test('a kept bill with what is payable opens no dispute of it', async () => {
    const path = box.file('kept.csv', [head, ...good, 'Net payable,,,,120'].join('\n'))
    const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'NP', '--yes', '--force']
    expect(await box.shipx(words)).toMatchObject({ exit: 0 })
    const { stdout } = await box.shipx(['invoices', 'get', 'NP', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ data: { lines: 3, billed: 120, over: 0 } })
    expect(await box.shipx(['invoices', 'remove', 'NP', '--yes'])).toMatchObject({ exit: 0 })
  })

  test('no AWB is taken for a footer', () => {
    const numbers = ['34810000', 'TOTAL123', 'TDS12345678', 'ADD123', 'CF12345678', 'NET9876543', 'LESS1', 'GST0012']
    expect(numbers.map(footerOf)).toEqual(numbers.map(() => undefined))
  })
})

describe('several AWBs in one cell', () => {
  test.each(['3481000009011, 3481000009021', '3481000009011 / 3481000009021', '3481000009011\n3481000009021'])(
    '%j was one unknown AWB and a claim',
    async (cell) => {
      const { lines, exit } = await bill([good[0]!, `"${cell}",C,400,80,80`])
      expect([exit, lines[1]!.verdict, reasonsOf(lines[1]!)]).toEqual([7, 'unknown', { unread_line: null }])
      expect(lines[1]!.reasons[0]!.text).toContain('write a line for each parcel')
    },
  )

  test('an AWB with blanks inside, a suffix or the .0 of a number is one AWB', async () => {
    const cells = ['3481 0000 09001', '3481000009011.0', '3481000009021-RTO', "'3481000009031"]
    const { lines } = await bill(cells.map((cell) => `${cell},C,400,40,40`))
    expect(lines.map(({ category }) => category).filter((category) => category === 'unknown_awb')).toEqual([])
    expect(lines.map((line) => line['matched_by'])).toEqual(['awb', 'awb', 'suffix', 'awb'])
    // Of so many digits a number keeps not all.
    const spoilt = await bill([good[0]!, '12345678901234568.0,C,400,40,40'])
    expect(reasonsOf(spoilt.lines[1]!)).toEqual({ awb_spoilt: null })
  })

  test('in a remittance they are a line that cannot be read', async () => {
    const more = awbs.slice(2).map((awb) => `${awb},1000,HDFCN52026101200001,12-10-2026`)
    const two = `"${awbs[0]}, ${awbs[1]}",2000,HDFCN52026101200001,12-10-2026`
    const content = ['AWB,Remitted Amount,UTR,Remittance Date', two, ...more].join('\n')
    const words = ['reconcile', 'cod', box.file('cod.csv', content), '--courier', 'Delhivery', '--dry-run', '--force']
    const { stdout, stderr, exit } = await box.shipx([...words, '--jsonl'])
    expect(exit).toBe(7)
    expect(stdout).not.toContain('unknown_awb')
    expect(stderr).toContain('write a line for each parcel')
  })

  test('in --parcels they are refused', async () => {
    const given = box.file('parcels.csv', `ref,weight_g,zone,payment\n"${awbs[0]}, ${awbs[1]}",400,c,prepaid\n`)
    const { exit, stderr } = await reconciled(box, [head, ...good].join('\n'), ['--parcels', given])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('several AWBs stand in one cell') as string])
  })
})

test('a header that stands again on each page was a line that cannot be read', async () => {
  const rows = [...good.slice(0, 2), head, good[2]!, head]
  const { lines, exit } = await bill(rows)
  expect([exit, lines.length]).toEqual([0, 3])
  expect(await said(rows)).toContain('Left out 2 rows that repeat the header (lines 4, 6).')
})

test('a remittance with totals of pages and the sum carried forward is right', async () => {
  const rows = awbs.map((awb) => `${awb},1000,HDFCN52026101200001,12-10-2026`)
  const pages = [...rows.slice(0, 2), 'Carried forward,2000,,', 'Brought forward,2000,,', ...rows.slice(2)]
  const content = ['AWB,Remitted Amount,UTR,Remittance Date', ...pages, 'Page Total,2000,,', 'Balance Due,4000,,']
  const words = ['reconcile', 'cod', box.file('pages.csv', content.join('\n')), '--courier', 'Delhivery', '--dry-run']
  const { stdout, stderr } = await box.shipx([...words, '--force'])
  expect(stdout + stderr).not.toContain('unexplained')
  expect(stdout + stderr).not.toContain('add up')
})

test('money put into the wallet lowered what a passbook billed', async () => {
  const content = [
    'Date,AWB,Description,Debit,Credit',
    `05-10-2026,${awbs[0]},Freight charges,40.00,`,
    '06-10-2026,,Wallet recharge,,5000.00',
  ].join('\n')
  const words = ['reconcile', 'invoice', box.file('book.csv', content), '--courier', 'Delhivery', '--dry-run']
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([exit, stdout]).toEqual([0, expect.stringContaining('Billed ₹40.00') as string])
  expect(stderr).toContain('Left out 1 row that bills no parcel: line 3 "Wallet recharge" ')
})
