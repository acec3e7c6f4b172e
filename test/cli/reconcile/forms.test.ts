// The forms of invoices: found by their headers, read with their units and signs, refused where they are none.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract, prepare, reasonsOf, reconciled, shipment } from './invoices.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    [
      ...['1001', '1002', '1003'].map((awb) => shipment(awb)),
      shipment('1004', { status: 'rto_delivered' }),
      shipment('1005', { is_cod: true, cod_amount: 1000 }),
      shipment('3001', { carrier_id: 'BLU', carrier_name: 'Blue Dart', weight: 940 }),
      shipment('3002', { carrier_id: 'BLU', carrier_name: 'Blue Dart', weight: 940 }),
    ],
    contract({}, { surcharges: [{ name: 'Fuel', percent: 10 }] }),
  ),
)

describe('by its header', () => {
  test('Delhivery: grams, GST in columns, fuel by the rule of the card, other charges by their names', async () => {
    const head =
      'waybill_num,order_id,pickup_date,charged_weight,zone,status,charge_DL,charge_RTO,charge_COD,charge_FSC,' +
      'charge_DPH,charge_LABEL,IGST,CGST,SGST/UGST,gross_amount,total_amount'
    const { lines, stderr } = await reconciled(
      box,
      [
        head,
        '1001,,05-09-2026 12:00,480,C,Delivered,40,0,0,4,0,0,7.92,0,0,44,51.92',
        '1002,,05-09-2026 12:00,480,C,Delivered,40,0,0,6,0,0,0,4.14,4.14,46,54.28',
        '1003,,05-09-2026 12:00,480,C,Delivered,40,0,0,4,3,2,8.82,0,0,49,57.82',
      ].join('\n'),
    )
    expect(stderr).toBe('')
    expect(lines.map((line) => [line.verdict, reasonsOf(line)])).toEqual([
      ['ok', {}],
      ['over', { fuel: 2, gst_on_difference: 0.36 }],
      ['over', { surcharge: 5, gst_on_difference: 0.9 }],
    ])
    expect(lines[2]!.reasons[0]!.text).toContain('DPH, LABEL')
    expect(lines[0]).toMatchObject({ gst: 'included', courier: 'Delhivery', weight_billed: 480 })
  })

  test('Blue Dart: kilograms, no zone, no COD, no GST', { tags: ['full'] }, async () => {
    const head = 'AWB_NO,REF_NO,PICKUP_DT,ACT_WT,CHRG_WT,PCS,FREIGHT,FS,CAF,IDC,AMOUNT,PIN_CODE,VALUE'
    const { lines } = await reconciled(
      box,
      [
        head,
        '3001,,05-Sep-26,0.94,1,1,70,7,0,0,77,560001,1000',
        '3002,,05-Sep-26,0.94,1.5,1,100,10,0,2,112,560001,1000',
      ].join('\n'),
    )
    expect(lines.map((line) => [line.verdict, line['gst'], reasonsOf(line)])).toEqual([
      ['ok', 'none', {}],
      ['over', 'none', { weight: 30, fuel: 3, surcharge: 2 }],
    ])
    expect(lines[1]).toMatchObject({ zone_billed: null, weight_billed: 1500 })
  })

  test(
    'Shiprocket: an empty charged weight is the applied one; excess weight counts with the freight',
    { tags: ['full'] },
    async () => {
      const head =
        '"Date, Time",Order Number,AWB Number,Courier Name,Payment Mode,Zone,Applied Weight,Charged Weight,' +
        'Freight Forward Amount,Freight RTO Amount,Freight Cod Charges,Freight Cod Adjusted,Freight Total Amount,Excess Forward Amount'
      const { lines } = await reconciled(
        box,
        [
          head,
          '"Sep 5 2026, 10:00",A,1001,Delhivery Surface,prepaid,z_c,0.4,NA,40,0,0,0,40,0',
          '"Sep 5 2026, 10:00",A,1005,Delhivery,cod,z_c,0.4,0.9,40,0,30,0,100,30',
        ].join('\n'),
        ['--date', '2026-09-10'],
      )
      expect(lines.map((line) => [line.verdict, reasonsOf(line)])).toEqual([
        ['ok', {}],
        ['over', { weight: 30 }],
      ])
      expect(lines[1]).toMatchObject({ dispute_by: '2026-09-14T18:29:59.999Z', weight_billed: 900 })
    },
  )

  test('a passbook: its rows are one line for each AWB, credits taken off, unknown entries named', async () => {
    const rows = [
      'awb_code,description,debit_amount,credit_amount,charged_weight',
      '1001,Freight Charge,40,0,0.4',
      '1004,Freight Charge,40,0,0.4',
      '1005,COD Charge,30,0,0.4',
      '1004,RTO Freight Charge,40,0,0.4',
      '1005,Freight Charge,40,0,0.4',
      '1001,Excess Weight Charge,30,0,0.9',
      '1001,Handling at the hub,5,0,',
      '1001,Freight Charge Reversed,0,30,',
    ]
    const { lines } = await reconciled(box, rows.join('\n'))
    expect(lines.map((line) => [line.awb, line.journey, line.verdict, reasonsOf(line)])).toEqual([
      ['1001', 'forward', 'over', { weight: 30, rate: -30, surcharge: 5 }],
      ['1004', 'rto', 'ok', {}],
      ['1005', 'forward', 'ok', {}],
    ])
  })

  test('Pickrr: an order that ends in -RP is a reverse pickup', { tags: ['full'] }, async () => {
    const rows = [
      'Tracking ID,Client Order ID,Pickup Date,COD Charges,Freight Charges',
      '1001,A-1,05-09-2026,0,40',
      '1002,A-2-RP,05-09-2026,0,45',
    ]
    const { lines } = await reconciled(box, rows.join('\n'))
    expect(lines.map((line) => [line.journey, line.verdict, reasonsOf(line)])).toEqual([
      ['forward', 'ok', {}],
      ['reverse', 'over', { reverse: 5 }],
    ])
  })

  test('the fuel of a return was not on the card, though the card has it', { tags: ['full'] }, async () => {
    const rows = ['awb,type,weight_g,reverse,fuel', '1001,DTO,400,40,4', '1002,DTO,400,40,5', '1003,DTO,400,40,0']
    const { lines } = await reconciled(box, rows.join('\n'), ['--courier', 'Delhivery'])
    expect(lines.map((line) => [line.verdict, reasonsOf(line)])).toEqual([
      ['ok', {}],
      ['over', { fuel: 1 }],
      ['under', { fuel: -4 }],
    ])
  })

  test('--weight-tolerance 0, which help names as the usual one, was refused', { tags: ['full'] }, async () => {
    for (const none of ['0', '0g', '0%'])
      expect((await reconciled(box, 'awb,freight\n1001,40\n', ['--weight-tolerance', none])).exit).toBe(0)
  })

  test('any other one by --map', { tags: ['full'] }, async () => {
    const rows = ['Docket,Chg wt,Bill amt', '1001,0.9,70']
    const { lines } = await reconciled(box, rows.join('\n'), [
      '--map',
      'Docket=awb',
      '--map',
      'Chg wt=weight_kg',
      '--map',
      'Bill amt=total',
    ])
    expect(lines).toMatchObject([{ verdict: 'over', weight_billed: 900, expected: 44 }])
  })
})

describe('refused', () => {
  const code = async (content: string, more: readonly string[] = []): Promise<readonly [unknown, string]> => {
    const { exit, stderr } = await reconciled(box, content, more, 'refused.csv')
    // Warnings come before the error.
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as { error: { code: string; message: string } }
    return [`${exit} ${error.code}`, error.message]
  }
  const rows = (weights: readonly string[]): string =>
    ['awb,weight_g,freight', ...weights.map((weight, n) => `100${(n % 3) + 1},${weight},40`)].join('\n')

  test('what no courier publishes as an invoice, by its name', { tags: ['full'] }, async () => {
    expect(await code('AWB NO.,Order No.,Customer,Price,Remittance Date,Remittance UTR\n1,2,3,4,5,6')).toEqual([
      '2 unknown_form',
      expect.stringContaining('iThink') as string,
    ])
    expect((await code('AWB,Status,Collected Amount,Date\n1,2,3,4'))[1]).toContain('Velocity')
    const report = 'Order ID,Channel SKU,Product Quantity,AWB Code,Freight Total Amount\n1,2,1,1001,40'
    expect((await code(report))[1]).toContain('a row for each item')
    expect((await code('name,city\nx,y'))[0]).toBe('2 unknown_form')
    expect((await code('awb,city\nx,y'))[1]).toContain('lacks an amount')
    expect((await code('awb,freight\n1001,40', ['--format', 'delhivery']))[1]).toContain('is not a Delhivery')
  })

  test('weights in another unit, or in both, until --unit says which', { tags: ['full'] }, async () => {
    expect((await code(rows(['0.4', '0.5', '0.5'])))[0]).toBe('2 unit_doubtful')
    expect((await code(rows(['500', '0.5', '500', '0.5', '500'])))[1]).toContain('some in g')
    expect((await code('awb,weight,freight\n1001,0.4,40\n1002,0.5,40'))[0]).toBe('2 unit_doubtful')
    const { lines } = await reconciled(box, 'awb,weight,freight\n1001,0.4,40\n', ['--unit', 'kg'])
    expect(lines).toMatchObject([{ verdict: 'ok', weight_billed: 400 }])
  })

  test("a file of somebody else's parcels, with a guess; --force reads it", { tags: ['full'] }, async () => {
    const file = ['awb,freight', ...['1001', 'X1', 'X2', 'X3', 'X4', 'X5'].map((awb) => `${awb},40`)].join('\n')
    const [what, message] = await code(file)
    expect([what, message]).toEqual(['2 invalid_file', expect.stringContaining('went with Delhivery') as string])
    const { lines } = await reconciled(box, file, ['--force'])
    expect(lines.filter(({ category }) => category === 'unknown_awb')).toHaveLength(5)
    const named = await code(
      ['awb,freight', ...['1001', '1002', '1003', '1004', '1005'].map((awb) => `${awb},40`)].join('\n'),
      ['--courier', 'Xpressbees'],
    )
    expect(named[1]).toContain('5 of the first 5 parcels went with Delhivery')
  })

  test(
    'AWBs that a spreadsheet has rounded; a single one is a line that cannot be judged',
    { tags: ['full'] },
    async () => {
      expect((await code('awb,freight\n9.81235E+11,40\n9.81235E+11,40'))[1]).toContain('a spreadsheet has rounded them')
      const { lines } = await reconciled(box, 'awb,freight\n1001,40\n1002,40\n9.81235E+11,40\n')
      expect(lines[2]).toMatchObject({ verdict: 'unknown', reasons: [{ code: 'awb_spoilt', amount: null }] })
    },
  )
})

describe('a sheet as it comes', () => {
  test('titles above the header, a total below that is right, and one that is not', { tags: ['full'] }, async () => {
    const body = [
      'Delhivery India,,',
      'Invoice,INV/26-27/0917,',
      'awb,freight,total',
      '1001,40.00,40.00',
      '1002,"₹1,040.00","1,040.00"',
    ]
    const right = await reconciled(box, [...body, 'Grand Total,"1,080.00","1,080.00"'].join('\n'))
    expect(right.lines.map(({ awb, billed }) => [awb, billed])).toEqual([
      ['1001', 40],
      ['1002', 1040],
    ])
    const wrong = await reconciled(box, [...body, ',,"1,090.00"'].join('\n'))
    expect(wrong.lines).toHaveLength(2)
    expect(wrong.stderr).toContain('The total in line 6 is not the sum of the lines')
  })

  test(
    '`%!f(string=…)`, brackets, Cr and NA are numbers; what is no number makes the line unknown, exit 7',
    { tags: ['full'] },
    async () => {
      const rows = ['awb,freight,rto', '1001,%!f(string=40.00),NA', '1002,abc,0', '1003,(40.00),-', '1004,40 Cr,0']
      const { lines, exit } = await reconciled(box, rows.join('\n'))
      expect(exit).toBe(7)
      const page = await box.shipx(['reconcile', 'invoice', box.file('misprints.csv', rows.join('\n')), '--dry-run'])
      expect(page.stderr).toContain('Read the number inside 1 amount like %!f(string=40.00).')
      expect(lines.map(({ awb, billed, verdict, reasons }) => [awb, billed, verdict, reasons[0]?.code])).toEqual([
        ['1001', 40, 'ok', undefined],
        ['1002', 0, 'unknown', 'unread_line'],
        ['1003', -40, 'unknown', 'credit_first'],
        ['1004', -40, 'unknown', 'credit_first'],
      ])
    },
  )

  test('without lines', { tags: ['full'] }, async () => {
    const { lines, exit } = await reconciled(box, 'awb,freight\n')
    expect([lines, exit]).toEqual([[], 0])
  })

  test('JSON Lines and standard input', { tags: ['full'] }, async () => {
    const { stdout } = await box.shipx(['reconcile', 'invoice', '-', '--dry-run', '--jsonl'], {
      input: '{"awb":"1001","freight":40}\n{"awb":"1002","freight":"41.50"}\n',
    })
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { verdict: string }).verdict),
    ).toEqual(['ok', 'over'])
  })
})

test('reconcile formats: all forms, the headers of one, and what a file is', { tags: ['full'] }, async () => {
  const all = await box.shipx(['reconcile', 'formats', '--csv', '--fields', 'form'])
  expect(all.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'delhivery',
      'bluedart',
      'shiprocket',
      'passbook',
      'pickrr',
      'generic',
      'ledger',
      'ithink',
      'velocity',
    ]),
  )
  const one = await box.shipx(['reconcile', 'formats', 'bluedart', '--csv'])
  expect(one.stdout).toContain('CHRG_WT,weight')
  const file = box.file('which.csv', 'AWB_NO,CHRG_WT,FREIGHT,AMOUNT,Remark\n1,1,1,1,x\n')
  const check = await box.shipx(['reconcile', 'formats', '--check', file])
  expect([check.stdout, check.stderr]).toEqual([
    expect.stringContaining('Remark\tnot read') as string,
    expect.stringContaining('Form bluedart') as string,
  ])
  expect((await box.shipx(['reconcile', 'formats', 'dhl'])).exit).toBe(2)
})
