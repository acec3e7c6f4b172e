// The reader of payments: cash on delivery, or paid before.
import { excerpt, longestValue, type Outcome } from './typed.ts'

const onDelivery = new Set([
  'cod',
  'cash',
  'cashondelivery',
  'codpayment',
  'payondelivery',
  'cashcod',
  'codcashondelivery',
  'cashondeliverycod',
])
const before = new Set([
  'prepaid',
  'paid',
  'online',
  'onlinepayment',
  'onlinepaid',
  'paidonline',
  'prepayment',
  'prepaidorder',
  'ppd',
  'pp',
  'upi',
  'card',
  'creditcard',
  'debitcard',
  'netbanking',
  'wallet',
  'emi',
  'gpay',
  'googlepay',
  'phonepe',
  'paytm',
  'razorpay',
  'payu',
  'cashfree',
])

/** COD or PREPAID, in any usual spelling; letters count alone. */
export function readPayment(text: string): Outcome<'COD' | 'PREPAID'> {
  const word = text.length > longestValue ? '' : text.toLowerCase().replace(/[^a-z]/g, '')
  if (onDelivery.has(word)) return { value: 'COD' }
  if (before.has(word)) return { value: 'PREPAID' }
  return { fault: `${excerpt(text)} is neither COD nor PREPAID` }
}
