// What happens to parcels and invoices in real life: credits, exchanges, quality checks, losses, days at an edge.
// @module-tag full: an invoice for each
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, prepare, reasonsOf, reconciled, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(async () => {
  await prepare(box, [
    ...['1001', '1002', '1003', '1004'].map((awb) => shipment(awb)),
    shipment('1005'),
    // That no invoice bills.
    ...['1060', '1061', '1062', '1063', '1064'].map((awb) => shipment(awb)),
    ...['1012', '1013', '1014', '1015', '1016'].map((awb) => shipment(awb, { status: 'rto_delivered' })),
    shipment('1010', { status: 'lost' }),
    shipment('1011', { status: 'rto_in_transit' }),
    shipment('1020', { is_cod: true, cod_amount: 0 }),
    shipment('1021', { is_cod: true, cod_amount: 3000 }),
    shipment('1030', { picked_up: '2028-02-29T12:00:00Z' }),
    shipment('1031', { picked_up: '2026-08-31T18:29:59.999Z' }),
    shipment('1032', { picked_up: '2026-08-31T18:30:00Z' }),
    shipment('1033', { picked_up: '2026-10-31T10:00:00Z' }),
    shipment('1040', { warehouse_id: 'WH2' }),
    shipment('1041', { picked_up: '2026-09-20T06:30:00Z' }),
  ])
  // In Bengaluru, where the parcel went.
  expect(await box.shipx(['local', 'warehouse', 'set', 'WH2', '560034'])).toMatchObject({ exit: 0 })
  const next = contract(
    { valid_from: '2026-09-01' },
    { cod: { available: true, fixed: 45, percent: 0, rule: 'max', max_value: null } },
  )
  const path = box.file('next.json', JSON.stringify(next))
  expect(await box.shipx(['ratecard', 'import', path, '--valid-from', '2026-09-01'])).toMatchObject({ exit: 0 })
})

const head = 'awb,zone,weight_g,type,freight,rto,reverse,qc,cod_fee'
const bill = async (rows: readonly string[], more: readonly string[] = []): Promise<readonly Line[]> =>
  (await reconciled(box, [head, ...rows].join('\n'), ['--courier', 'Delhivery', '--force', ...more])).lines
const short = (lines: readonly Line[]) => lines.map((line) => [line['journey'], line.verdict, reasonsOf(line)])

let days = 0

/** Keeps an invoice of the next day, and returns its lines. */
async function keep(number: string, rows: readonly string[]): Promise<readonly Line[]> {
  const path = box.file(`${number}.csv`, [head, ...rows].join('\n'))
  const words = [
    'reconcile',
    'invoice',
    path,
    '--courier',
    'Delhivery',
    '--number',
    number,
    '--date',
    `2026-09-${10 + days++}`,
    '--yes',
    '--force',
    '--jsonl',
  ]
  const { stdout, exit } = await box.shipx(words)
  expect([number, exit]).toEqual([number, 0])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('credits', () => {
  test('before its debit one cannot be judged; then its debit may be billed', async () => {
    expect(short(await keep('CN-1', ['1001,,,,-40,,,,']))).toEqual([['forward', 'unknown', { credit_first: null }]])
    expect(short(await keep('INV-1', ['1001,c,400,,40,0,0,0,0']))).toEqual([['forward', 'ok', {}]])
  })

  test('of more than was billed is a credit with what it nets, and the parcel may be billed again', async () => {
    expect(short(await keep('INV-2', ['1002,c,400,,40,0,0,0,0']))).toEqual([['forward', 'ok', {}]])
    expect(short(await keep('CN-2', ['1002,,,,-55,,,,']))).toEqual([['forward', 'credit', {}]])
    // What is credited now was never billed: nothing is left of it.
    expect(short(await keep('CN-3', ['1002,,,,-10,,,,']))).toEqual([['forward', 'unknown', { credit_first: null }]])
    expect(short(await keep('INV-3', ['1002,c,450,,40,0,0,0,0']))).toEqual([['forward', 'ok', {}]])
    const { stdout } = await box.shipx(['shipments', 'cost', '1002', '--csv', '--fields', 'invoice,net'])
    expect(stdout).toBe('invoice,net\nINV-2,40\nCN-2,-15\nCN-3,-25\nINV-3,15\n')
  })

  test('with a corrected line in one invoice: the line was billed before', async () => {
    await keep('INV-5', ['1005,c,400,,45,0,0,0,0'])
    expect(short(await bill(['1005,,,,-45,,,,', '1005,c,400,,40,0,0,0,0']))).toEqual([
      ['forward', 'credit', {}],
      ['forward', 'ok', {}],
    ])
  })

  test('of a part leaves the parcel billed', async () => {
    await keep('INV-4', ['1003,c,400,,40,0,0,0,0'])
    expect(short(await keep('CN-4', ['1003,,,,-10,,,,']))).toEqual([['forward', 'credit', {}]])
    expect(short(await bill(['1003,c,450,,40,0,0,0,0']))).toEqual([['forward', 'over', { billed_before: 40 }]])
  })
})

describe('ways of a parcel', () => {
  test('an exchange: out and the return from the customer under one AWB are two ways', async () => {
    expect(short(await bill(['1004,c,400,Forward,40,0,0,0,0', '1004,c,400,DTO,0,0,40,0,0']))).toEqual([
      ['forward', 'ok', {}],
      ['reverse', 'ok', {}],
    ])
    expect(short(await bill(['1004,c,400,DTO,0,0,40,0,0', '1004,c,400,DTO,0,0,40,0,0']))[1]).toEqual([
      'reverse',
      'over',
      { duplicate: 40 },
    ])
  })

  test('a return whose quality check failed costs the check, at the price of the card', async () => {
    expect(short(await bill(['1004,c,400,DTO,0,0,40,12,0']))).toEqual([['reverse', 'ok', {}]])
    expect(short(await bill(['1004,c,400,DTO,0,0,40,20,0']))).toEqual([['reverse', 'over', { qc: 8 }]])
  })

  test('lost: the way out is due; once it is found on its way back, RTO is due too', async () => {
    expect(short(await bill(['1010,c,400,,40,0,0,0,0', '1010,c,400,,0,40,0,0,0']))).toEqual([
      ['forward', 'ok', {}],
      ['rto', 'over', { rto_not_returned: 40 }],
    ])
    const found = box.file('found.jsonl', `${shipment('1010', { status: 'rto_in_transit' })}\n`)
    expect(await box.shipx(['local', 'import', 'shipments', found, '--yes'])).toMatchObject({ exit: 0 })
    expect(short(await bill(['1010,c,400,,40,40,0,0,0']))).toEqual([['rto', 'ok', {}]])
  })

  test('one of two that an earlier invoice bills was ok in a line for both', async () => {
    await keep('WAYS-1', ['1012,c,400,,40,0,0,0,0', '1013,c,400,RTO,0,40,0,0,0', '1014,c,400,,40,40,0,0,0'])
    const lines = ['1012', '1013'].map((awb) => `${awb},c,400,,40,40,0,0,0`)
    expect(short(await bill([...lines, '1014,c,400,,40,0,0,0,0', '1014,c,400,RTO,0,40,0,0,0']))).toEqual([
      ['rto', 'over', { billed_before: 40 }],
      ['rto', 'over', { billed_before: 40 }],
      ['forward', 'over', { billed_before: 40 }],
      ['rto', 'over', { billed_before: 40 }],
    ])
  })

  test('in one amount that covers both, the way out was ok in the next invoice', async () => {
    const path = box.file('amounts.csv', 'awb,zone,weight_g,type,total\n1015,c,400,RTO,80\n1016,c,400,RTO,40\n')
    const flags = ['--courier', 'Delhivery', '--number', 'AMOUNTS', '--yes', '--force', '--csv']
    expect((await box.shipx(['reconcile', 'invoice', path, ...flags])).exit).toBe(0)
    expect(short(await bill(['1015,c,400,,40,0,0,0,0', '1016,c,400,,40,0,0,0,0']))).toEqual([
      ['forward', 'over', { billed_before: 40 }],
      ['forward', 'ok', {}],
    ])
  })

  test('a return that nobody picked up was ok', async () => {
    const returned = (awb: string, status: string, milestones: readonly string[] = []): object => ({
      id: awb,
      type: 'return',
      attributes: {
        created_at: '2026-09-05T06:30:00Z',
        status,
        carrier: { id: 'DLV', name: 'Delhivery' },
        warehouse_id: 'WH1',
        zone: 'zone_c',
        shipment: {
          tracking_number: awb,
          carrier: { id: 'DLV', name: 'Delhivery' },
          shipment_milestones: milestones.map((milestone) => ({ milestone, milestone_at: '2026-09-06T06:30:00Z' })),
        },
        shipping_address: { zip: '560001' },
      },
    })
    const records = [
      returned('R1', 'return_requested'),
      returned('R2', 'pickup_scheduled', ['return_pickup_scheduled']),
      returned('R3', 'cancelled'),
      returned('R4', 'in_transit'),
      returned('R5', 'pickup_scheduled', ['return_delivered']),
    ]
    const path = box.file('returns.jsonl', records.map((one) => `${JSON.stringify(one)}\n`).join(''))
    expect(await box.shipx(['local', 'import', 'returns', path, '--yes'])).toMatchObject({ exit: 0 })
    const lines = await bill(['R1', 'R2', 'R3', 'R4', 'R5'].map((awb) => `${awb},c,400,DTO,0,0,40,0,0`))
    expect(lines.map(({ awb, category }) => [awb, category])).toEqual([
      ['R1', 'not_shipped'],
      ['R2', 'not_shipped'],
      ['R3', 'not_shipped'],
      ['R4', 'unknown'],
      ['R5', 'unknown'],
    ])
  })

  test('a partial delivery: the parcel is on its way back, and both ways are due', async () => {
    expect(short(await bill(['1011,c,400,,40,40,0,0,0']))).toEqual([['rto', 'ok', {}]])
  })
})

describe('COD', () => {
  test('₹0 is charged by what the parcel is worth: the least fee', async () => {
    expect(short(await bill(['1020,c,400,,40,0,0,0,45', '1020,c,400,RTO,0,40,0,0,0']))).toEqual([
      ['forward', 'ok', {}],
      ['rto', 'over', { rto_not_returned: 40 }],
    ])
  })

  test('changed after shipping: the fee of a parcel that is prepaid now is due no more', async () => {
    expect(short(await bill(['1021,c,400,,40,0,0,0,45']))).toEqual([['forward', 'ok', {}]])
    const changed = box.file('changed.jsonl', `${shipment('1021')}\n`)
    expect(await box.shipx(['local', 'import', 'shipments', changed, '--yes'])).toMatchObject({ exit: 0 })
    expect(short(await bill(['1021,c,400,,40,0,0,0,45']))).toEqual([['forward', 'over', { cod_on_prepaid: 45 }]])
  })
})

test('days at an edge: 29 February, the 31st, and midnight in India', async () => {
  const lines = await bill(['1030', '1031', '1032', '1033'].map((awb) => `${awb},c,400,,40,0,0,0,0`))
  expect(lines.map(({ picked_up: picked, card, verdict }) => [picked, card, verdict])).toEqual([
    ['2028-02-29', 'contract@2026-09-01', 'ok'],
    // The card of the pickup day: 23:59:59.999 in India is of the old one.
    ['2026-08-31', 'contract@2026-01-01', 'ok'],
    ['2026-09-01', 'contract@2026-09-01', 'ok'],
    ['2026-10-31', 'contract@2026-09-01', 'ok'],
  ])
})

test('from another warehouse: the zone is that of the way it really went', async () => {
  const [own, other] = await bill(['1001,c,400,,40,0,0,0,0', '1040,c,400,,40,0,0,0,0'])
  expect([own!['zone'], own!.verdict]).toEqual(['zone_c', 'ok'])
  expect([other!['zone'], other!.verdict, reasonsOf(other!)]).toEqual(['zone_a', 'over', { zone: 10 }])
})

test('an order that was edited after shipping is judged as it is now', async () => {
  const before = await bill(['1041,c,400,,40,0,0,0,0'])
  expect(before[0]).toMatchObject({ order: 'A-1041', verdict: 'ok', weight: 400 })
  const edited = box.file(
    'edited.jsonl',
    `${shipment('1041', { picked_up: '2026-09-20T06:30:00Z', weight: 900, order: 'A-1041/2' })}\n`,
  )
  expect(await box.shipx(['local', 'import', 'shipments', edited, '--yes'])).toMatchObject({ exit: 0 })
  const after = await bill(['1041,c,900,,70,0,0,0,0'])
  expect(after[0]).toMatchObject({ order: 'A-1041/2', verdict: 'ok', weight: 900 })
})

test('an invoice of one line, and lines of another courier with the number of this one', async () => {
  expect(short(await keep('SAME', ['1004,c,400,,40,0,0,0,0']))).toEqual([['forward', 'ok', {}]])
  const path = box.file('other.csv', `${head}\n1003,c,400,,40,0,0,0,0\n`)
  const words = [
    'reconcile',
    'invoice',
    path,
    '--courier',
    'Blue Dart',
    '--number',
    'SAME',
    '--yes',
    '--force',
    '--csv',
  ]
  expect((await box.shipx(words)).exit).toBe(0)
  const listed = await box.shipx(['invoices', 'list', '--csv', '--fields', 'number,courier,replaced_at'])
  expect(listed.stdout.match(/^SAME,.*$/gm)!.toSorted()).toEqual(['SAME,Blue Dart,', 'SAME,Delhivery,'])
  const get = await box.shipx(['invoices', 'get', 'SAME', '--json'])
  expect([get.exit, get.stderr]).toEqual([2, expect.stringContaining('Delhivery') as string])
})

test('a weight below zero is not one, NA and 0 are none, and 1900-01-01 is no day', async () => {
  const path = box.file('shipped.csv', 'ref,weight_g,zone,payment,courier\n1050,400,c,prepaid,Delhivery\n')
  const rows = ['1060,c,NA,40,', '1061,c,0,40,', '1062,c,-5,40,', '1050,c,400,40,1900-01-01']
  const content = ['awb,zone,weight_g,freight,picked_up', ...rows].join('\n')
  const { lines, exit } = await reconciled(box, content, ['--courier', 'Delhivery', '--parcels', path])
  expect([exit, lines.map((line) => [line.verdict, line['weight_billed'], line.reasons[0]?.code])]).toEqual([
    7,
    [
      ['ok', null, undefined],
      ['ok', null, undefined],
      ['unknown', null, 'unread_line'],
      ['unknown', 400, 'no_day'],
    ],
  ])
})

test('of an AWB that stands twice in --parcels the last row was taken without a word', async () => {
  const shipped = 'ref,weight_g,zone,payment,courier\n,500,c,prepaid,Delhivery\n1070,400,c,prepaid,Delhivery\n'
  const content = 'awb,zone,weight_g,freight,total,picked_up\n1070,c,400,40,40,2026-11-02\n'
  const once = ['--courier', 'Delhivery', '--parcels', box.file('once.csv', shipped)]
  expect((await reconciled(box, content, once)).lines.map(({ verdict }) => verdict)).toEqual(['ok'])
  const again = `${shipped}1070,4000,c,prepaid,Delhivery\n`
  const twice = await reconciled(box, content, ['--courier', 'Delhivery', '--parcels', box.file('twice.csv', again)])
  expect([twice.exit, twice.stderr]).toEqual([2, expect.stringContaining('AWB 1070 stands in the file twice')])
})

test('amounts with lakh commas; a line whose amount lacks its GST among others that have it', async () => {
  const content = 'awb,weight_g,freight,gst,total\n1063,400,40,7.20,47.20\n1064,400,"1,00,040.00",0,"₹1,00,040.00"\n'
  const { lines } = await reconciled(box, content, ['--courier', 'Delhivery'])
  expect(lines.map(({ billed, verdict }) => [billed, verdict])).toEqual([
    [47.2, 'ok'],
    [100_040, 'over'],
  ])
  expect(reasonsOf(lines[1]!)).toEqual({ rate: 100_000, gst: -18_007.2, gst_on_difference: 18_000 })
})

test('Ctrl-C in the middle keeps nothing, and the same command keeps all of it', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `8${n},c,400,,40,0,0,0,0`)
  const path = box.file('long.csv', [head, ...rows].join('\n'))
  const words = [
    'reconcile',
    'invoice',
    path,
    '--number',
    'LONG',
    '--courier',
    'Delhivery',
    '--csv',
    '--yes',
    '--force',
  ]
  const { child, ended } = box.begin(words)
  child.stdout.once('data', () => child.kill('SIGINT'))
  const { exit, stderr } = await ended
  expect([exit, stderr]).toEqual([130, expect.stringContaining('stopped after') as string])
  expect((await box.shipx(['invoices', 'get', 'LONG'])).exit).toBe(3)
  expect((await box.shipx(words)).exit).toBe(0)
  expect((await box.shipx(['invoices', 'get', 'LONG', '--json'])).stdout).toContain('"lines":20000')
})
