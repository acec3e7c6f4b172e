// What is still to pay for orders. Where an order is prepaid, nobody collects it.
import { counted } from '../../../domain/count.ts'
import { paiseOf, rupeesText } from '../../../domain/money.ts'
import { readRupees } from '../../../domain/read/money.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { quoted } from '../../terminal/safe.ts'
import { outstanding } from '../forms/readform.ts'

/** Prepaid orders with money outstanding. */
export interface Owing {
  orders: number
  paise: number
}

/** Counts a prepaid order with this much outstanding. */
export function countOwing(owing: Owing, paise: number): void {
  owing.orders++
  owing.paise += paise
}

/** The paise that an export says are still to pay for the order of a row; 0 where it says nothing. */
export function outstandingIn({ places }: Pick<Sheet, 'places'>, { cells }: SheetRow): number {
  const text = cells[places.get(outstanding) ?? -1] ?? ''
  const read = text === '' ? undefined : readRupees(text)
  return read === undefined || 'fault' in read ? 0 : (paiseOf(read.rupees) ?? 0)
}

/** The longest word for a payment that a message repeats as a flag. */
const longestWord = 60

/** How to say what a word for a payment means. Where money is still to pay, only COD collects it. */
export function paymentWay(header: string, text: string, toPay: number): string {
  if (text.length > longestWord) return ''
  const flag = (as: string): string => `; add --map-value ${quoted(`${header}:${text}=${as}`)}`
  return toPay > 0 ? `${flag('COD')} to collect the outstanding ₹${rupeesText(toPay)}` : `${flag('PREPAID')}, or =COD`
}

/** The warning about prepaid orders that are not paid in full; undefined without one. */
export function owingText({ orders, paise }: Readonly<Owing>): string | undefined {
  if (orders === 0) return undefined
  const which = counted(orders, ['prepaid order is', 'prepaid orders are'])
  const way = 'No courier collects that. To collect it, map the payment to COD: --map-value "<header>:<payment>=COD"'
  return `${which} not paid in full: ₹${rupeesText(paise)} outstanding. ${way}`
}
