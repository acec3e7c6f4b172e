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

/** What gateways write of themselves: `Razorpay Secure (UPI, Cards, NetBanking)`, `Credit Card/Debit Card`. */
const waysToPay = new Set(
  (
    'razorpay payu payumoney cashfree phonepe paytm gpay googlepay instamojo ccavenue billdesk easebuzz stripe ' +
    'paypal transfer neft rtgs imps upi card cards credit debit netbanking wallet wallets emi rupay visa mastercard'
  ).split(' '),
)

/** Words that say nothing on their own, between those that do. */
const beside = new Set(
  (
    'secure pay payment payments gateway checkout online via by and or with net banking ' +
    'int l intl international india pg bhim direct bank'
  ).split(' '),
)

/** Whether a text names ways to pay before delivery and nothing else. */
function namesGateways(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return words.some((word) => waysToPay.has(word)) && words.every((word) => waysToPay.has(word) || beside.has(word))
}

/** COD or PREPAID, in any usual spelling; letters count alone. */
export function readPayment(text: string): Outcome<'COD' | 'PREPAID'> {
  const word = text.length > longestValue ? '' : text.toLowerCase().replace(/[^a-z]/g, '')
  if (onDelivery.has(word)) return { value: 'COD' }
  if (before.has(word) || (word !== '' && namesGateways(text))) return { value: 'PREPAID' }
  return { fault: `${excerpt(text)} is neither COD nor PREPAID` }
}
