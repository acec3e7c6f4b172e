// Bills in the forms of couriers: which columns each form has, how it writes them, and what a reader can know from it.
import { drawsOf, type Draws } from '../../support/chance.ts'
import type { Bill } from './invented.ts'
import { amountNames, share, type Amounts, type Printed, type Terms } from './oracle.ts'

/** A bill as a form prints it: its lines in the order of the records, and the text of the file. */
export interface Sheet {
  readonly printed: readonly { readonly line: Printed; readonly truth: Bill['truth'] }[]
  readonly text: string
  readonly terms: Pick<Terms, 'biller' | 'whole' | 'has' | 'gst'>
  /** Flags that say what the file does not. */
  readonly flags: readonly string[]
}

type Cells = readonly string[]

/** Writes amounts: plainly, or as couriers' programs write them too. */
type Writer = (paise: bigint) => string

function writerOf(draws: Draws, noisy: boolean): Writer {
  return (paise) => {
    const size = paise < 0n ? -paise : paise
    const plain = `${size / 100n}.${String(size % 100n).padStart(2, '0')}`
    const sign = paise < 0n ? '-' : ''
    if (!noisy || draws.below(8) > 0) return sign + plain
    if (paise === 0n) return draws.pick(['', '-', 'NA', '0', '0.00'])
    if (paise < 0n) return draws.pick([`(${plain})`, `${plain} Cr`, `-₹${plain}`])
    const commas = plain.replace(/\B(?=(\d{2})*\d{3}\.)/g, ',')
    return draws.pick([`₹${commas}`, `Rs. ${plain}`, `%!f(string=${plain})`, `${commas} Dr`, `+${plain}`])
  }
}

const kilos = (units: bigint): string =>
  `${units / 100_000n}.${String(units % 100_000n).padStart(5, '0')}`.replace(/0+$/, '')
const grams = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`
const csv = (rows: readonly Cells[]): string =>
  rows.map((cells) => `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell}"` : cell)).join(',')}\n`).join('')
const sum = (amounts: Amounts): bigint => amountNames.reduce((all, name) => all + amounts[name], 0n)

/** The bill with only the amounts that a form has columns for. */
const withOnly = (bill: Bill, names: readonly (keyof Amounts)[]): Bill => ({
  ...bill,
  ...Object.fromEntries(amountNames.filter((name) => !names.includes(name)).map((name) => [name, 0n])),
})

/** How a form with a row for each AWB prints a bill. */
interface Wide {
  readonly head: Cells
  readonly columns: readonly (keyof Amounts)[]
  readonly zone: boolean
  readonly weight: boolean
  readonly word: (bill: Bill) => Printed['word']
  readonly gst: Terms['gst']
  readonly gross: boolean
  readonly total: boolean
  readonly whole?: true
  /** A row for the way out, and one for the way back. */
  readonly twoRows?: true
  readonly biller: Terms['biller']
  readonly flags?: readonly string[]
  readonly row: (line: Printed, write: Writer, half: (paise: bigint) => readonly [bigint, bigint]) => Cells
}

const zoneText = ({ zone }: Printed): string => zone ?? ''
const words = { forward: 'Forward charges', rto: 'RTO', both: 'Forward and RTO charges', reverse: 'DTO' } as const
const everyAmount = amountNames
const generic = {
  columns: everyAmount,
  zone: true,
  weight: true,
  gross: false,
  total: true,
  biller: 'Delhivery',
  flags: ['--courier', 'Delhivery'],
  word: ({ word }: Bill) => word,
} as const
const genericHead = 'awb,zone,weight_g,type,freight,rto,reverse,qc,cod_fee,fuel,other'.split(',')
const genericRow = (line: Printed, write: Writer): Cells => [
  line.awb,
  zoneText(line),
  line.units === undefined ? '' : grams(line.units),
  line.word === undefined ? '' : words[line.word],
  ...[line.freight, line.rto, line.reverse, line.qc, line.cod, line.fuel, line.other].map(write),
]

const wide: Readonly<Record<string, Wide>> = {
  delhivery: {
    head: (
      'waybill_num,zone,charged_weight,status,charge_DL,charge_RTO,charge_DTO,charge_QC,charge_COD,charge_FSC,' +
      'charge_DPH,charge_LABEL,gross_amount,IGST,CGST,SGST/UGST,total_amount'
    ).split(','),
    columns: everyAmount,
    zone: true,
    weight: true,
    word: () => 'forward',
    gst: 'columns',
    gross: true,
    total: true,
    biller: 'Delhivery',
    row: (line, write, half) => [
      line.awb,
      zoneText(line).toUpperCase(),
      line.units === undefined ? '' : grams(line.units),
      'Delivered',
      ...[line.freight, line.rto, line.reverse, line.qc, line.cod, line.fuel, ...half(line.other)].map(write),
      write(line.gross!),
      ...(line.awb.endsWith('7') ? [line.tax!, 0n, 0n] : [0n, ...half(line.tax!)]).map((part) => write(part)),
      write(line.total!),
    ],
  },
  bluedart: {
    head: 'AWB_NO,REF_NO,CHRG_WT,FREIGHT,FS,CAF,IDC,AMOUNT,PIN_CODE'.split(','),
    columns: ['freight', 'fuel', 'other'],
    zone: false,
    weight: true,
    word: () => undefined,
    gst: 'none',
    gross: false,
    total: true,
    biller: 'Delhivery',
    flags: ['--courier', 'Delhivery'],
    row: (line, write, half) => [
      line.awb,
      '',
      line.units === undefined ? 'NA' : kilos(line.units),
      ...[line.freight, line.fuel, ...half(line.other), line.total!].map(write),
      '560001',
    ],
  },
  shiprocket: {
    head: (
      'Date and Time|AWB Number|Courier Name|Zone|Applied Weight|Charged Weight|Freight Forward Amount|' +
      'Excess Forward Amount|Freight RTO Amount|Excess RTO Amount|Freight Cod Charges|Freight Cod Adjusted|' +
      'Other Adjustments|Freight Total Amount'
    ).split('|'),
    columns: ['freight', 'rto', 'cod', 'other'],
    zone: true,
    weight: true,
    word: () => undefined,
    gst: 'none',
    gross: false,
    total: true,
    biller: 'Delhivery',
    row: (line, write, half) => [
      'Sep 20 2026, 10:00',
      line.awb,
      'Delhivery Surface',
      line.zone === undefined ? '' : `z_${line.zone}`,
      line.units === undefined ? '' : line.awb.endsWith('3') ? kilos(line.units) : '0.1',
      line.units === undefined || line.awb.endsWith('3') ? 'NA' : kilos(line.units),
      ...[...half(line.freight), ...half(line.rto), line.cod + 700n, -700n, line.other, line.total!].map(write),
    ],
  },
  pickrr: {
    head: 'Tracking ID,Client Order ID,Pickup Date,COD Charges,Freight Charges'.split(','),
    columns: ['freight', 'cod'],
    zone: false,
    weight: false,
    word: ({ reverse }) => (reverse === 0n ? undefined : 'reverse'),
    gst: 'none',
    gross: false,
    total: false,
    biller: undefined,
    row: (line, write) => [
      line.awb,
      line.word === 'reverse' ? `Z-${line.awb}-RP` : `Z-${line.awb}`,
      '05-09-2026',
      write(line.cod),
      write(line.freight),
    ],
  },
  generic: {
    ...generic,
    head: [...genericHead, 'gst', 'total'],
    gst: 'columns',
    row: (line, write) => [...genericRow(line, write), write(line.tax!), write(line.total!)],
  },
  rows: {
    ...generic,
    head: ['awb', 'zone', 'weight_g', 'Shipment Type', 'freight', 'cod_fee', 'fuel', 'other', 'gst', 'total'],
    columns: ['freight', 'cod', 'fuel', 'other'],
    gst: 'columns',
    twoRows: true,
    row: (line, write) => [
      ...genericRow(line, write).slice(0, 3),
      line.word === undefined ? '' : words[line.word],
      ...[line.freight, line.cod, line.fuel, line.other, line.tax!, line.total!].map(write),
    ],
  },
  inside: {
    ...generic,
    head: genericHead,
    total: false,
    gst: 'inside',
    flags: ['--courier', 'Delhivery', '--gst', 'included'],
    row: genericRow,
  },
  total: {
    ...generic,
    head: ['awb', 'zone', 'weight_g', 'type', 'total'],
    gst: 'none',
    whole: true,
    row: (line, write) => [...genericRow(line, write).slice(0, 4), write(line.total!)],
  },
}

/** A bill as a wide form knows it. */
function printedBy(bill: Bill, form: Wide): Printed {
  const moved = form.columns.includes('reverse') ? bill : { ...bill, freight: bill.freight + bill.reverse }
  // A form without RTO has no fuel of it either.
  const fuel = form.columns.includes('rto') ? bill.fuel : bill.fuel - bill.homeFuel
  const named = withOnly({ ...moved, fuel }, form.columns)
  const taxed = Object.fromEntries(amountNames.map((name) => [name, share(named[name], '118')]))
  const own = form.gst === 'inside' ? { ...named, ...taxed } : named
  const parts = sum(own)
  const gross = form.gross ? parts + bill.wrong.gross : undefined
  const tax = form.gst === 'columns' ? share(gross ?? parts, '18') + bill.wrong.tax : undefined
  const total = form.total ? (gross ?? parts) + (tax ?? 0n) + bill.wrong.total : undefined
  return {
    ...own,
    awb: bill.awb,
    zone: form.zone ? bill.zone : undefined,
    units: form.weight ? bill.units : undefined,
    word: form.word(bill),
    gross,
    tax,
    total,
  }
}

/** The bills of the way out and of the way back of a bill, the RTO as freight like any other. */
function inTwoRows(bill: Bill): readonly Bill[] {
  if (bill.rto === 0n) return [bill]
  const [home, plain] = [
    { freight: bill.rto, fuel: bill.homeFuel },
    { rto: 0n, homeFuel: 0n },
  ]
  if (bill.freight === 0n) return [{ ...bill, ...plain, freight: bill.rto, word: 'rto' }]
  const wrong = { tax: 0n, gross: 0n, total: 0n }
  return [
    { ...bill, ...plain, fuel: bill.fuel - bill.homeFuel, word: 'forward' },
    { ...withOnly(bill, []), ...plain, ...home, word: 'rto', wrong },
  ]
}

function wideSheet(name: string, bills: readonly Bill[], draws: Draws, noisy: boolean): Sheet {
  const form = wide[name]!
  const write = writerOf(draws, noisy)
  const half = (paise: bigint): readonly [bigint, bigint] => [paise / 2n, paise - paise / 2n]
  const rows = form.twoRows === true ? bills.flatMap(inTwoRows) : bills
  const printed = rows.map((bill) => ({ line: printedBy(bill, form), truth: bill.truth }))
  const has = (column: keyof Amounts): boolean => form.whole === true || form.columns.includes(column)
  return {
    printed,
    text: csv([form.head, ...printed.map(({ line }) => form.row(line, write, half))]),
    terms: {
      biller: form.biller,
      whole: form.whole === true,
      has: { rto: has('rto'), cod: has('cod'), fuel: has('fuel'), other: has('other') },
      gst: form.gst,
    },
    flags: form.flags ?? [],
  }
}

/** The entries of a ledger, by what they are for. */
const entries: Readonly<Record<keyof Amounts, string>> = {
  freight: 'Freight Charge',
  rto: 'RTO Freight Charge',
  reverse: 'Reverse Pickup',
  qc: 'QC Charge',
  cod: 'COD Charge',
  fuel: 'Fuel Surcharge',
  other: 'Packing at the hub',
}

interface Folding {
  line: Printed
  readonly truth: Bill['truth']
}

/** Bills as rows of charges, those of neighbours mixed, and the lines that a reader folds them into. */
function ledgerSheet(name: 'passbook' | 'ledger', bills: readonly Bill[], draws: Draws, noisy: boolean): Sheet {
  const write = writerOf(draws, noisy)
  const rows: { readonly bill: Bill; readonly entry: keyof Amounts }[] = []
  for (const bill of bills)
    for (const entry of amountNames)
      if (bill[entry] !== 0n) rows.splice(rows.length - Math.min(rows.length, draws.below(6)), 0, { bill, entry })
  const folded = new Map<string, Folding>()
  const there = new Set<string>()
  const zoned = name === 'ledger'
  const lines = rows.map(({ bill, entry }): Cells => {
    const { awb, units } = bill
    const amount = bill[entry]
    there.add(entry)
    const zone = zoned ? bill.zone : undefined
    const known = folded.get(awb)
    const bare = { ...withOnly(bill, []), awb, zone, units, word: undefined }
    const line: Printed = known?.line ?? { ...bare, gross: undefined, tax: undefined, total: 0n }
    const heavier = (units ?? 0n) > (line.units ?? 0n) ? units : line.units
    const next = { ...line, [entry]: line[entry] + amount, total: line.total! + amount, units: heavier }
    folded.set(awb, { truth: bill.truth, line: { ...next, zone: line.zone ?? zone } })
    const [debit, credit] = amount < 0n ? [0n, -amount] : [amount, 0n]
    const weight = units === undefined ? '' : kilos(units)
    return [awb, entries[entry], write(debit), write(credit), weight, ...(zoned ? [zone ?? ''] : [])]
  })
  const head =
    name === 'passbook'
      ? ['awb_code', 'description', 'debit_amount', 'credit_amount', 'charged_weight']
      : ['awb', 'particulars', 'debit', 'credit', 'weight_kg', 'zone']
  return {
    printed: [...folded.values()],
    text: csv([head, ...lines]),
    terms: {
      biller: zoned ? 'Delhivery' : undefined,
      whole: false,
      has: { rto: true, cod: there.has('cod'), fuel: there.has('fuel'), other: there.has('other') },
      gst: 'none',
    },
    flags: zoned ? ['--courier', 'Delhivery'] : [],
  }
}

/** The forms, and the ways in which a sheet of our own names may have GST. */
export const formsOfSheets = [...Object.keys(wide), 'passbook', 'ledger']

/** Bills in a form. */
export function sheetOf(form: string, bills: readonly Bill[], seed: number, noisy: boolean): Sheet {
  const draws = drawsOf(seed)
  return form === 'passbook' || form === 'ledger'
    ? ledgerSheet(form, bills, draws, noisy)
    : wideSheet(form, bills, draws, noisy)
}
