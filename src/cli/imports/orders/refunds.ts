// Orders of an export of which money went back to the customer: what the courier collects may be in doubt, and how many
// pieces go (docs/guides/sheets.md, Orders of your shop).
import { count, counted } from '../../../domain/count.ts'
import type { Fault } from '../../../domain/errors.ts'
import { paiseOf, rupeesText } from '../../../domain/money.ts'
import { readRupees } from '../../../domain/read/money.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { safe } from '../../terminal/safe.ts'
import type { Refund } from '../forms/form.ts'
import { refundColumns } from '../forms/readform.ts'

/** How many are named. */
const named = 10

/** Orders with a refund: how many, and the first of them with their amounts. */
export interface Refunds {
  all: number
  readonly first: string[]
}

/** The refund of one order; amounts in paise. */
export interface OrderRefund {
  readonly refunded: number
  readonly total: number | undefined
}

/** What an export says of the refund of an order, by its first row. */
export interface RefundRead {
  readonly refund?: OrderRefund
  /** What is wrong with it: also that it leaves open what the courier collects. */
  readonly fault?: Fault
}

/** Reads the refund of an order; of one that is COD, the export must say what is left to collect. */
export function refundIn(sheet: Sheet, { cells, line: row }: SheetRow, isCod: boolean): RefundRead {
  const { places, headers, delimiter } = sheet
  const at = (part: keyof Refund): number => places.get(refundColumns[part]) ?? -1
  const text = (part: keyof Refund): string => cells[at(part)] ?? ''
  if (text('header') === '') return {}
  const field = headers[at('header')]!
  const [read, total] = [text('header'), text('total')].map((amount) => readRupees(amount, delimiter !== ';'))
  if ('fault' in read!) return { fault: { field, message: read.fault, row } }
  const refund = { refunded: paiseOf(read!.rupees)!, total: 'fault' in total! ? undefined : paiseOf(total!.rupees) }
  if (refund.refunded === 0) return {}
  if (!isCod || text('left') !== '' || refund.total === undefined) return { refund }
  return { fault: { field, message: inDoubt(refund.refunded, refund.total, headers[at('total')]!), row } }
}

const inRupees = (paise: number): string => `₹${rupeesText(paise)}`

function inDoubt(refunded: number, total: number, header: string): string {
  const less = total > refunded ? ` or ${inRupees(total - refunded)}` : ''
  const which = `does the courier collect ${inRupees(total)}${less}?`
  return `${inRupees(refunded)} went back to the customer: ${which} Write that as ${header} and empty this cell`
}

/** Counts an order with a refund, and keeps the first ones by name. */
export function countRefund(refunds: Refunds, id: string, { refunded, total }: OrderRefund): void {
  refunds.all++
  const of = total === undefined ? '' : ` of ${inRupees(total)}`
  if (refunds.first.length < named) refunds.first.push(`${safe(id, 'id')} (${inRupees(refunded)}${of})`)
}

/** The warning about orders with a refund; undefined without one. */
export function refundText({ all, first }: Readonly<Refunds>): string | undefined {
  if (all === 0) return undefined
  const more = all > first.length ? ` and ${count(all - first.length)} more` : ''
  const which = counted(all, ['order has', 'orders have'])
  return `${which} a refund in the shop and may need fewer pieces: ${first.join(', ')}${more}`
}
