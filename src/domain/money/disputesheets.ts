// The sheets of disputes as couriers take them: the columns of a courier's own bill where they are published, then what
// we claim; ours for the others. Rupees in text, weights in the courier's unit.
import { rupeesText } from '../money.ts'
import { readZone } from '../read/zone.ts'

/** A dispute with the line that it is about: paise, milligrams. */
export interface SheetLine {
  readonly id: string
  readonly awb: string
  readonly order_name: string | null
  readonly invoice: string
  readonly line: number
  readonly reason: string
  /** The reasons of the line in words. */
  readonly text: string
  readonly amount: number
  readonly zone: string | null
  readonly zone_billed: string | null
  readonly weight: number | null
  readonly weight_billed: number | null
  readonly billed: number | null
  readonly expected: number | null
  /** Names of the files of evidence. */
  readonly evidence: string
}

type Cell = (line: SheetLine) => string

const rupees = (paise: number | null): string => (paise === null ? '' : rupeesText(paise))
/** One spelling of a zone, however a bill or a card writes it: the five by their letter, others in capitals. */
const zoneText = (zone: string | null): string =>
  zone === null ? '' : (readZone(zone)?.slice(-1) ?? zone).toUpperCase()
const grams = (units: number | null): string => (units === null ? '' : String(units / 1000))
const kilograms = (units: number | null): string => (units === null ? '' : String(units / 1_000_000))

/** What every sheet ends with: what should have been billed, and why. */
const claim: readonly (readonly [header: string, cell: Cell])[] = [
  ['expected_amount', ({ expected }) => rupees(expected)],
  ['disputed_amount', ({ amount }) => rupees(amount)],
  ['reason', ({ reason }) => reason],
  ['remark', ({ text }) => text],
  ['evidence', ({ evidence }) => evidence],
  ['our_reference', ({ id }) => id],
]

const ours: readonly (readonly [header: string, cell: Cell])[] = [
  ['awb', ({ awb }) => awb],
  ['order', ({ order_name: order }) => order ?? ''],
  ['invoice', ({ invoice }) => invoice],
  ['line', ({ line }) => String(line)],
  ['zone_billed', ({ zone_billed: zone }) => zoneText(zone)],
  ['zone', ({ zone }) => zoneText(zone)],
  ['weight_billed_g', ({ weight_billed: weight }) => grams(weight)],
  ['weight_g', ({ weight }) => grams(weight)],
  ['billed_amount', ({ billed }) => rupees(billed)],
  ...claim,
]

/** By the key of the courier, as its bill calls the columns. */
// prettier-ignore
const theirs: Readonly<Record<string, readonly (readonly [header: string, cell: Cell])[]>> = {
  delhivery: [
    ['waybill_num', ({ awb }) => awb], ['order_id', ({ order_name: order }) => order ?? ''], ['invoice', ({ invoice }) => invoice],
    ['zone', ({ zone_billed: zone }) => zoneText(zone)], ['charged_weight', ({ weight_billed: weight }) => grams(weight)],
    ['total_amount', ({ billed }) => rupees(billed)], ['actual_zone', ({ zone }) => zoneText(zone)],
    ['actual_weight', ({ weight }) => grams(weight)], ...claim,
  ],
  bluedart: [
    ['AWB_NO', ({ awb }) => awb], ['REF_NO', ({ order_name: order }) => order ?? ''], ['INVOICE', ({ invoice }) => invoice],
    ['CHRG_WT', ({ weight_billed: weight }) => kilograms(weight)], ['AMOUNT', ({ billed }) => rupees(billed)],
    ['OUR_WT', ({ weight }) => kilograms(weight)], ...claim,
  ],
  shiprocket: [
    ['AWB Number', ({ awb }) => awb], ['Order Number', ({ order_name: order }) => order ?? ''], ['Invoice', ({ invoice }) => invoice],
    ['Zone', ({ zone_billed: zone }) => zoneText(zone)], ['Charged Weight', ({ weight_billed: weight }) => kilograms(weight)],
    ['Applied Weight', ({ weight }) => kilograms(weight)], ['Freight Total Amount', ({ billed }) => rupees(billed)], ...claim,
  ],
}

/** The columns of the sheet for a courier, by the keys that stand for its name. */
export const sheetColumns = (keys: readonly string[]): readonly (readonly [header: string, cell: Cell])[] =>
  keys.map((key) => (Object.hasOwn(theirs, key) ? theirs[key] : undefined)).find((one) => one !== undefined) ?? ours
