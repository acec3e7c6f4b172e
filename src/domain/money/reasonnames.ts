// What reasons are called for people: the same words on a page, in a sheet, in a mail and among disputes.

const names: Readonly<Record<string, string>> = {
  unknown_awb: 'not ours',
  other_courier: 'another courier',
  not_shipped: 'not shipped',
  duplicate: 'billed twice here',
  billed_before: 'billed before',
  zone: 'zone',
  weight: 'weight slab',
  rate: 'price',
  rto_rate: 'RTO price',
  rto_not_returned: 'RTO of a parcel that did not return',
  cod_on_prepaid: 'COD fee of a prepaid parcel',
  cod_rate: 'COD fee',
  cod_not_reversed: 'COD fee not reversed',
  reverse: 'return',
  qc: 'quality check',
  fuel: 'fuel',
  surcharge: 'not on the card',
  gst: 'GST',
  gst_on_difference: 'GST on the differences',
  arithmetic: 'does not add up',
  rounding: 'rounding',
  unread_line: 'unreadable',
  awb_spoilt: 'AWB without its digits',
  no_day: 'no day',
  no_card_for_day: 'no card for the day',
  courier_not_on_card: 'courier not on the card',
  no_zone: 'no zone',
  no_weight: 'no weight',
  no_payment: 'payment not known',
  no_price: 'no price on the card',
  credit_first: 'credit before its debit',
  before_gone: 'the bill before is gone',
  no_comparison: 'nothing to compare with',
}

/** The words for the code of a reason; the code itself where it has none. */
export const reasonName = (code: string): string => names[code] ?? code

/** Whether a code is that of a reason. */
export const isReason = (code: string): boolean => Object.hasOwn(names, code)
