// Remittances and bank statements as they come: forms by their headers, odd cells, and what is refused by name.
// @module-tag full: a process for each form and odd cell
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { workbook } from '../../support/workbook.ts'
import { codParcel, hdfc, remitted, saveParcels, verdictsOf } from './cods.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  saveParcels(box, [
    ...['1001', '1002', '1003', '1004', '1005', '0012'].map((awb) => codParcel(awb)),
    codParcel('1006', { cod_amount: 0 }),
    codParcel('1007', { status: 'rto_delivered' }),
    codParcel('1008', { is_cod: false, cod_amount: 0 }),
  ]),
)

const utr = 'HDFCN52026091412345678'
const head = 'AWB,Remitted Amount,UTR,Remittance Date'
const line = (awb: string, amount: string, more = `${utr},14-09-2026`): string => `${awb},${amount},${more}`
const sheet = (...lines: readonly string[]): string => [head, ...lines].join('\n')

describe('a remittance by its header', () => {
  test('iThink: days as 06-Jan-26, the UTR of each line', async () => {
    const rows = [
      'AWB NO.,Order No.,Customer,Price,Remittance Date,Remittance UTR',
      `1001,A-1001,Asha,500,14-Sep-26,${utr}`,
    ]
    const { data, exit } = await remitted(box, rows.join('\n'))
    expect([exit, data[0]]).toEqual([
      0,
      expect.objectContaining({ awb: '1001', verdict: 'ok', due_date: '2026-09-14', remitted_on: '2026-09-14', utr }),
    ])
  })

  test('Velocity: a title above the header, no UTR: --utr says it', async () => {
    const rows = [
      'COD MIS,,,',
      ',,,',
      'AWB,Status,Collected Amount,Date',
      '1001,Delivered,500,14-09-2026',
      '1002,Delivered,450,14-09-2026',
    ]
    const { data } = await remitted(box, rows.join('\n'), ['--utr', utr])
    expect(data.slice(0, 2).map((one) => [one.awb, one.verdict, one.utr])).toEqual([
      ['1001', 'ok', utr],
      ['1002', 'short', utr],
    ])
    const bank = box.file('b.csv', `${hdfc}\n14/09/26,NEFT CR-${utr},,14/09/26,,950,1950`)
    expect((await remitted(box, rows.join('\n'), ['--bank', bank])).stderr).toContain(
      'No line of the remittance names a UTR',
    )
  })

  test('a Shiprocket report: the rows of items repeat the amount of an AWB, and it was counted twice', async () => {
    const rows = [
      'Order ID,Channel SKU,Product Quantity,AWB Code,Courier Company,CRF ID,COD Remittance Date,COD Payble Amount,Remitted Amount,UTR No,Freight Total Amount',
      `A-1001,PEN,1,1001,Delhivery Surface,12269675,2026-09-14,500,500,${utr},60`,
      `A-1001,MUG,1,1001,Delhivery Surface,12269675,2026-09-14,500,500,${utr},60`,
      'A-1002,PEN,1,1002,Delhivery Surface,,N/A,0,0,,60',
      `A-1003,PEN,1,1003,Delhivery Surface,12269675,2026-09-14,500,500,${utr},60`,
      `A-1003,MUG,1,1003,Delhivery Surface,12269675,2026-09-14,500,400,${utr},60`,
    ]
    const { data, exit, stderr } = await remitted(box, rows.join('\n'))
    expect([exit, stderr]).toEqual([
      7,
      expect.stringContaining('another row of this AWB and CRF ID has another amount'),
    ])
    const paid = data.filter((one) => one.remitted > 0)
    expect(paid.map((one) => [one.awb, one.remitted, one.verdict])).toEqual([
      ['1001', 500, 'ok'],
      ['1003', 500, 'ok'],
    ])
  })

  test('any other by --map, in a workbook and as JSON Lines, and the map can be kept', { tags: ['full'] }, async () => {
    const rows = [
      ['Docket', 'Amt paid', 'Bank txn', 'On'],
      ['1001', '500', utr, '14-09-2026'],
    ]
    const maps = ['Docket=awb', 'Amt paid=remitted', 'Bank txn=utr', 'On=date'].flatMap((one) => ['--map', one])
    const file = workbook([{ name: 'Paid', rows }])
    const dry = await remitted(box, file, [...maps, '--save-map', 'paid'], 'paid.xlsx')
    expect(dry.stderr).toContain('A dry run changes nothing: map paid is not saved.')
    expect(verdictsOf(dry)).toEqual({ '1001': 'ok' })
    const words = ['reconcile', 'formats', '--check', box.file('paid.xlsx', file), ...maps, '--save-map', 'paid']
    expect((await box.shipx(words)).exit).toBe(0)
    const json = JSON.stringify({ Docket: '1001', 'Amt paid': 500, 'Bank txn': utr, On: '14-09-2026' })
    expect(verdictsOf(await remitted(box, json, ['--use-map', 'paid'], 'paid.jsonl'))).toEqual({ '1001': 'ok' })
  })

  test('one amount and a deduction could mean two things: --amounts says which', async () => {
    const rows = ['AWB,Amount,TDS,UTR', `1001,490,10,${utr}`]
    const asked = await remitted(box, rows.join('\n'))
    expect([asked.exit, asked.stderr]).toEqual([
      2,
      expect.stringContaining('is before \\"TDS\\" (gross) or after it (net)'),
    ])
    const net = await remitted(box, rows.join('\n'), ['--amounts', 'net'])
    expect(net.data[0]).toMatchObject({ remitted: 500, adjusted: 10, verdict: 'adjusted' })
    expect((await remitted(box, rows.join('\n'), ['--amounts', 'gross'])).data[0]).toMatchObject({
      remitted: 490,
      verdict: 'short',
    })
  })
})

describe('odd cells', () => {
  test('a UTR with a blank in it was another UTR', async () => {
    const { data, bank } = await remitted(
      box,
      sheet(line('1001', '500', 'HDFCN5 2026 0914 12345678,14-09-2026'), line('1002', '500', `UTR: ${utr},14-09-2026`)),
      [
        '--bank',
        box.file('b.csv', `${hdfc}\n14/09/26,NEFT CR-HDFC0000240-DEL-HDFCN52026/0914 12345678,,14/09/26,,"1,000.00",1`),
      ],
    )
    expect(data[0]!.utr).toBe(utr)
    expect(bank.map((one) => [one.utr, one.file, one.bank, one.verdict])).toEqual([[utr, 1000, 1000, 'ok']])
  })

  test('Cr, Dr, the sign of the rupee and lakh commas', async () => {
    const { data } = await remitted(
      box,
      sheet(line('1001', '"₹ 1,00,500.00 Cr"'), line('1002', '500.00 Dr'), line('1003', 'Rs. 500')),
    )
    expect(data.slice(0, 3).map((one) => one.remitted)).toEqual([100_500, -500, 500])
  })

  test('a refund takes a payment back, and ₹0 pays nothing', async () => {
    const { data } = await remitted(
      box,
      sheet(
        line('1001', '500'),
        line('1001', '-500'),
        line('1002', '0'),
        line('1006', '0'),
        line('1003', '500'),
        line('1003', '500'),
        line('1003', '-500'),
      ),
    )
    expect(
      data.slice(0, 4).map(({ awb, verdict, remitted: paid, difference }) => [awb, verdict, paid, difference]),
    ).toEqual([
      ['1001', 'overdue', 0, -500],
      ['1002', 'overdue', 0, -500],
      ['1006', 'ok', 0, 0],
      ['1003', 'ok', 500, 0],
    ])
  })

  test('a partial delivery is short; COD changed after shipping counts as it is now', async () => {
    const own = sandbox()
    try {
      await saveParcels(own, [codParcel('2001'), codParcel('2002')])
      await saveParcels(own, [codParcel('2002', { cod_amount: 350 })])
      const { data } = await remitted(own, sheet(line('2001', '200'), line('2002', '350')))
      expect(data.map(({ awb, verdict, due, difference }) => [awb, verdict, due, difference])).toEqual([
        ['2001', 'short', 500, -300],
        ['2002', 'ok', 350, 0],
      ])
    } finally {
      own.remove()
    }
  })

  test('one remittance in two UTRs: a parcel paid in two parts, and a cell that names both', async () => {
    const other = 'HDFCN52026091412349999'
    const parts = sheet(line('1001', '300'), line('1001', '200', `${other},14-09-2026`))
    const { data } = await remitted(box, parts)
    expect(data[0]).toMatchObject({ verdict: 'ok', remitted: 500, utr: `${utr}, ${other}` })
    const both = sheet(line('1001', '500', `${utr} / ${other},14-09-2026`))
    const rows = [`14/09/26,NEFT CR-${utr},,14/09/26,,300,1`, `14/09/26,NEFT CR-${other},,14/09/26,,200,1`]
    const { bank } = await remitted(box, both, ['--bank', box.file('b.csv', [hdfc, ...rows].join('\n'))])
    expect(bank.map((one) => [one.utr, one.file, one.bank, one.verdict])).toEqual([
      [`${utr}, ${other}`, 500, 500, 'ok'],
    ])
  })

  test('AWBs in scientific notation are never matched, and a file of them is refused', async () => {
    const some = await remitted(box, sheet(line('1.00E+03', '500'), line('1001', '500'), line('0012', '500')))
    expect([some.exit, some.stderr]).toEqual([7, expect.stringContaining('awb_spoilt')])
    expect(verdictsOf(some)).toEqual({ '1001': 'ok', '0012': 'ok' })
    const all = await remitted(box, sheet(line('3.48E+13', '500'), line('3.49E+13', '500')))
    expect([all.exit, all.stderr]).toEqual([2, expect.stringContaining('awb_spoilt')])
  })

  test('0 lines pay nothing, and what is due is still said', async () => {
    const { data, exit } = await remitted(box, head)
    expect(exit).toBe(0)
    expect(new Set(data.map(({ verdict }) => verdict))).toEqual(new Set(['overdue']))
    const kept = await box.shipx(['reconcile', 'cod', box.file('none.csv', head), '--yes'])
    expect([kept.exit, kept.stderr]).toEqual([0, expect.stringContaining('nothing is kept')])
  })

  test('totals that do not add up, and deductions that nothing explains', async () => {
    const rows = [
      'AWB,Remitted Amount,Early COD Fee,Net Amount,UTR,Remittance Date',
      `1001,500,4.95,495.05,${utr},14-09-2026`,
      `1002,500,0,470,${utr},14-09-2026`,
      `Freight adjusted,,,-60,${utr},14-09-2026`,
      `,,,-25,${utr},14-09-2026`,
      'Net payable,,,800,,',
    ]
    await box.shipx(['courier', 'policy', 'set', 'Delhivery', 'early_cod=0.79%'])
    const { data, deductions, exit } = await remitted(box, rows.join('\n'))
    expect([exit, data[0]!['fee'], data[0]!['fee_due']]).toEqual([0, 4.95, 3.95])
    expect(deductions.map(({ name, amount }) => [name, amount])).toEqual([
      ['early COD fee', 4.95],
      ['Freight adjusted', 60],
      ['early COD fee above its percentage', 1],
      ['unexplained deduction', 55],
      ['unexplained deduction', 80.05],
    ])
    const page = await box.shipx(['reconcile', 'cod', 'remittance.csv', '--dry-run'])
    expect(page.stdout).toContain('The total in line 6 says ₹800.00, and the lines add up to ₹880.05.')
  })
})

describe('a bank statement by its header', () => {
  const paid = sheet(line('1001', '500'), line('1002', '500', 'CITIN24401114659,14-09-2026'))
  const statements: Readonly<Record<string, string>> = {
    hdfc: `HDFC BANK LTD\n\n${hdfc}\n********,***,,,,,\n14/09/26,NEFT CR-${utr}-DEL,,14/09/26,,500.00,"1,500.00"\n14/09/26,NEFT,CITIN24401114659,14/09/26,,490.00,1990`,
    icici: `S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )\n1,14/09/2026,14/09/2026,,NEFT-${utr}-DEL,0.00,500.00,1500\n2,14/09/2026,14/09/2026,-,NEFT/CITIN24401114659/DEL,,"490.00",1990\nLegend,,,,,,,`,
    'icici-corporate': `No.,Transaction ID,Value Date,Txn Posted Date,ChequeNo.,Description,Cr/Dr,Transaction Amount(INR),Available Balance(INR)\n1,S1,14/09/2026,14/09/2026 11:47:53 AM,-,RTGS-${utr},CR,500,1500\n2,S2,14/09/2026,14/09/2026 11:50:00 AM,-,NEFT-CITIN24401114659,CR,490,1990\n3,S3,14/09/2026,14/09/2026,-,RENT ICICN52026091400000009,DR,100,1890`,
    sbi: `Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n14 Sep 2026,14 Sep 2026,BY TRANSFER-NEFT*HDFC0000240*${utr}*DEL,,,500.00,1500\n14 Sep 2026,14 Sep 2026,BY TRANSFER,CITIN24401114659,,490.00,1990`,
    axis: `Name :- X\nTran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL\n14-09-2026,-,NEFT/${utr}/DEL, ,500.00,1500.00,763\n14-09-2026,-,NEFT/CITIN24401114659, ,490.00,1990.00,763\n15-09-2026,-,UPI/RENT,100.00, ,1890.00,763`,
  }

  test.each(Object.entries(statements))('%s', async (name, content) => {
    const { bank, stderr } = await remitted(box, paid, ['--bank', box.file(`${name}.csv`, content)])
    expect([stderr, bank.map((one) => [one.utr, one.file, one.bank, one.verdict])]).toEqual([
      '',
      [
        [utr, 500, 500, 'ok'],
        ['CITIN24401114659', 500, 490, 'short'],
      ],
    ])
    const { stderr: said } = await box.shipx(['reconcile', 'formats', '--check', `${name}.csv`])
    expect(said).toContain(`Form ${name}: `)
  })

  test('in Excel', { tags: ['full'] }, async () => {
    const rows = statements['sbi']!.split('\n').map((one) => one.split(','))
    const path = box.file('sbi.xlsx', workbook([{ name: 'Statement', rows }]))
    const { bank } = await remitted(box, paid, ['--bank', path])
    expect(bank.map(({ verdict }) => verdict)).toEqual(['ok', 'short'])
  })

  test('Axis exports have money in under DR: the balance says so', async () => {
    const rows = [
      `14-09-2026,-,NEFT/${utr},500.00, ,1500.00,1`,
      '15-09-2026,-,RENT, ,100.00,1400.00,1',
      '16-09-2026,-,NEFT/CITIN24401114659,490.00, ,1890.00,1',
      '17-09-2026,-,RENT, ,90.00,1800.00,1',
    ]
    const path = box.file('axis.csv', ['Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL', ...rows].join('\n'))
    const { bank, stderr } = await remitted(box, paid, ['--bank', path])
    expect(bank.map(({ verdict }) => verdict)).toEqual(['ok', 'short'])
    expect(stderr).toContain('money in stands under the header of money out')
  })

  test('any other by --map-bank; one amount that says no direction is asked about', async () => {
    const rows = ['When,Details of it,Money', `14-09-2026,${utr},500`]
    const path = box.file('other.csv', rows.join('\n'))
    const maps = ['--map-bank', 'When=date', '--map-bank', 'Details of it=narration']
    const asked = await remitted(box, paid, ['--bank', path, ...maps, '--map-bank', 'Money=amount'])
    expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('--map-bank \\"Money=credit\\"')])
    const { bank } = await remitted(box, paid, ['--bank', path, ...maps, '--map-bank', 'Money=credit'])
    expect(bank.map((one) => [one.utr, one.verdict])).toEqual([
      [utr, 'ok'],
      ['CITIN24401114659', 'not_in_bank'],
    ])
  })

  test('a statement without UTRs matches nothing; equal amounts are candidates and no more', async () => {
    const path = box.file(
      'bare.csv',
      `${hdfc}\n14/09/26,TRANSFER FROM DEL,,14/09/26,,500,1500\n15/09/26,RENT,,15/09/26,500,,1000`,
    )
    const { bank, data, stderr } = await remitted(box, paid, ['--bank', path])
    expect(stderr).toContain('No credit of the statement names a UTR')
    expect(bank.map((one) => [one.verdict, one.bank, one.candidates.map((found) => found.line)])).toEqual([
      ['not_in_bank', 0, [2]],
      ['not_in_bank', 0, [2]],
    ])
    expect(data[0]!['bank']).toBe('not_in_bank')
  })

  test('narrations name people: a table masks them, --show-pii shows them, --out-bank has them', async () => {
    const path = box.file('names.csv', `${hdfc}\n14/09/26,NEFT CR-HDFC0000240-ASHA RAO-${utr},,14/09/26,,400,1500`)
    const words = ['reconcile', 'cod', box.file('paid.csv', paid), '--bank', path, '--dry-run']
    const env = { SHIPX_FORCE_TTY: '200', NO_COLOR: '1' }
    const masked = (await box.shipx(words, { env })).stdout
    expect([masked.includes('ASHA'), masked.includes('NEFT CR-')]).toEqual([false, true])
    expect((await box.shipx([...words, '--show-pii'], { env })).stdout).toContain('ASHA RAO')
    const out = await box.shipx([...words, '--out-bank', 'utrs.csv', '--force'])
    expect([out.exit, out.stderr]).toEqual([0, expect.stringContaining('Wrote the UTRs to utrs.csv')])
    const { stdout } = await box.bash('cat utrs.csv')
    expect(stdout).toContain('utr,file,bank,difference,verdict,date,narration,candidates,returned')
    expect(stdout).toContain('ASHA RAO')
  })
})

describe('refused by name', () => {
  const refusals: readonly (readonly [string, readonly string[], string, string])[] = [
    [
      'an invoice as a remittance',
      ['cod'],
      'awb,zone,weight_g,freight,total\n1001,c,400,40,40',
      'shipx reconcile invoice <file>',
    ],
    [
      "a courier's invoice as a remittance",
      ['cod'],
      'AWB_NO,CHRG_WT,FREIGHT,AMOUNT\n1001,1,70,77',
      'a Blue Dart billing annexure',
    ],
    ['a statement as a remittance', ['cod'], `${hdfc}\n14/09/26,X,,14/09/26,,1,1`, 'name it with --bank'],
    [
      'a remittance as an invoice',
      ['invoice', '--number', 'X'],
      sheet(line('1001', '500')),
      'shipx reconcile cod <file>',
    ],
    [
      'a COD MIS as an invoice',
      ['invoice', '--number', 'X'],
      'AWB,Status,Collected Amount,Date\n1001,Delivered,500,1',
      'shipx reconcile cod <file>',
    ],
  ]
  test.each(refusals)('%s', async (_, [command, ...more], content, way) => {
    const { exit, stderr } = await box.shipx(['reconcile', command!, box.file('f.csv', content), '--dry-run', ...more])
    expect([exit, stderr]).toEqual([2, expect.stringContaining(way)])
  })

  test('a COD sheet named as an invoice has one next step', async () => {
    const path = box.file('r.csv', sheet(line('1001', '500')))
    const { exit, stderr } = await box.shipx(['reconcile', 'invoice', path, '--dry-run'])
    expect([exit, stderr.split('\n')[1]]).toEqual([2, '→ shipx reconcile cod <file>'])
    expect(stderr.match(/shipx /g)).toHaveLength(2)
  })

  test('a remittance as a statement', async () => {
    const path = box.file('r.csv', sheet(line('1001', '500')))
    const { exit, stderr } = await remitted(box, sheet(line('1001', '500')), ['--bank', path], 'again.csv')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('this sheet is a COD remittance')])
  })

  test("somebody else's remittance, unless --force", async () => {
    const rows = Array.from({ length: 8 }, (_, n) => line(`77${n}`, '100'))
    const { exit, stderr } = await remitted(box, sheet(...rows))
    expect([exit, stderr]).toEqual([2, expect.stringContaining('are none of yours')])
    expect((await remitted(box, sheet(...rows), ['--force'])).exit).toBe(0)
  })
})
