// Headers of real bills that were misread, each found once by a finance reader: read in this process.
import { describe, expect, test } from 'vitest'
import { ShipxError } from '../../../src/domain/errors.ts'
import { amountsMissing, type UnreadLine } from '../../../src/domain/money/unreadamounts.ts'
import { blankLine, type Shape } from '../../../src/domain/money/billed.ts'
import { placeColumns, type Heading, type Placed } from '../../../src/cli/files/headers.ts'
import { refusedRemittance } from '../../../src/cli/commands/reconcile/codfile.ts'
import { ownSheetColumns, refusedIn } from '../../../src/cli/commands/reconcile/invoicefile.ts'
import { foldedText } from '../../../src/cli/terminal/width.ts'

const heading: Heading = { field: 'bill.csv', columns: ownSheetColumns(undefined) }

/** The field of each header that is read; added ones count too. */
function fieldsOf(headers: readonly string[], more: Partial<Heading> = {}): Readonly<Record<string, string>> {
  const { places, more: further }: Placed = placeColumns({ ...heading, ...more }, headers)
  return Object.fromEntries(
    [...places].flatMap(([name, at]) => [at, ...(further?.get(name) ?? [])].map((one) => [headers[one]!, name])),
  )
}

function faultsOf(headers: readonly string[], more: Partial<Heading> = {}): readonly string[] {
  try {
    placeColumns({ ...heading, ...more }, headers)
  } catch (error) {
    if (error instanceof ShipxError) return error.details.map(({ field, message }) => `${field}: ${message}`)
  }
  return []
}

test('Bill #, Bill value, Bkg Dt and Dest PIN were not read', () => {
  expect(fieldsOf(['Bill #', 'AWB', 'Bkg Dt', 'Dest PIN', 'Origin PIN', 'Chgd Wt', 'Bill value'])).toEqual({
    'Bill #': 'number',
    AWB: 'awb',
    'Bkg Dt': 'picked_up',
    'Dest PIN': 'to',
    'Origin PIN': 'from',
    'Chgd Wt': 'weight',
    'Bill value': 'total',
  })
  for (const header of ['Bill Amount', 'Invoice Value', 'Total Bill', 'Grand Total', 'Net Payable'])
    expect(fieldsOf(['AWB', header])[header]).toBe('total')
  for (const header of ['Inv No', 'Invoice #', 'Inv. No.', 'Bill Ref'])
    expect(fieldsOf(['AWB', header])[header]).toBe('number')
  for (const header of ['Tracking #', 'LR No', 'Docket Number', 'Docket #'])
    expect(fieldsOf([header, 'Total'])[header]).toBe('awb')
})

test('a weaker name gives way to another header of its column, and two of them are no fault', () => {
  expect(fieldsOf(['AWB', 'LR No', 'Total', 'Bill value', 'Pincode', 'Dest PIN'])).toEqual({
    AWB: 'awb',
    Total: 'total',
    Pincode: 'to',
  })
  expect(fieldsOf(['AWB', 'Bill value', 'Invoice value'])).toEqual({ AWB: 'awb', 'Bill value': 'total' })
  expect(fieldsOf(['AWB', 'Total', 'Bill value'], { map: ['Bill value=total'] })).toEqual({
    AWB: 'awb',
    'Bill value': 'total',
  })
})

describe('two columns of one charge', () => {
  const headers = ['AWB', 'Freight', 'Other', 'Docket fee']

  test('a known column was dropped when --map named another one for its charge', () => {
    expect(fieldsOf(headers, { map: ['Docket fee=other'] })).toMatchObject({ Other: 'other', 'Docket fee': 'other' })
    expect(fieldsOf(headers, { map: ['Docket fee=other'], ignore: ['Other'] })).not.toHaveProperty('Other')
  })

  test('without --map both are named, with the flags that add them up or leave one out', () => {
    expect(faultsOf(['AWB', 'Basic', 'Freight'])).toEqual([
      'bill.csv: 2 headers mean freight: Basic, Freight; add them up: --map "Basic=freight"; or leave one out: ' +
        '--ignore "Freight"',
    ])
    expect(faultsOf(['AWB', 'Amount', 'Total'])[0]).toContain('2 headers mean total: Amount, Total; rename all but one')
  })
})

test('a slip in --map was called "no AWB column"', () => {
  const otherwise = (_: readonly string[], lacking: boolean) => (lacking ? 'its header has no AWB column' : undefined)
  expect(faultsOf(['Docket', 'Bkg', 'Total'], { map: ['Bkg=pickedup'], otherwise })).toEqual([
    '--map: "Bkg=pickedup": there is no column "pickedup". Did you mean picked_up?',
  ])
  expect(faultsOf(['Dkt', 'Total'], { map: ['Dkt=abw'], otherwise })).toEqual([
    '--map: "Dkt=abw": there is no column "abw". Did you mean awb?',
  ])
  expect(faultsOf(['Dkt', 'Total'], { otherwise })).toEqual(['bill.csv: its header has no AWB column'])
})

test('a bank statement was no invoice that shipx knows', () => {
  const hdfc = ['Date', 'Narration', 'Chq./Ref.No.', 'Value Dt', 'Withdrawal Amt.', 'Deposit Amt.', 'Closing Balance']
  expect(refusedIn(hdfc)).toBe('this sheet is an HDFC Bank statement: give it as --bank to shipx reconcile cod <file>')
  const other = ['Txn Date', 'Particulars', 'Debit', 'Credit', 'Balance']
  expect(refusedIn(other)).toBe('this sheet is a bank statement: give it as --bank to shipx reconcile cod <file>')
  expect(refusedRemittance(other)).toContain('this sheet is a bank statement: name it with --bank')
  expect(refusedIn(['AWB', 'Particulars', 'Debit', 'Credit', 'Balance'])).toBeUndefined()
})

test('flags to copy were broken over lines', () => {
  const flags = "--map 'Base leg frt=freight' --map 'Way home fee=rto' --map 'Final bill=total'"
  const text = foldedText(`→ --force reads the file as it is; or say what each column is: ${flags}`, 70)
  // Wider than the screen, the terminal breaks it, and what is copied has no break.
  expect(text).toContain(flags)
  expect(foldedText(`! it is required; if a column has it: --map 'Memo number=number'`, 50).split('\n')).toEqual([
    '! it is required; if a column has it:',
    "--map 'Memo number=number'",
  ])
})

test('a second total that nothing reads was ₹50 above the first on every line', () => {
  const shape: Shape = { whole: false, rto: true, cod: false, fuel: false, other: false, gst: 'columns' }
  const lines = (paise: number): readonly UnreadLine[] =>
    Array.from({ length: 6 }, () => ({
      line: { ...blankLine('1'), freight: 4000, gross: 4000, tax: 720, total: 4720 },
      difference: 0,
      amounts: [{ paise, certain: true, total: true, rival: true }],
    }))
  expect(amountsMissing(lines(9720 - 1000), shape)).toBe(true)
  expect(amountsMissing(lines(4720), shape)).toBe(false)
  // The value of goods.
  expect(amountsMissing(lines(149_900), shape)).toBe(false)
})
