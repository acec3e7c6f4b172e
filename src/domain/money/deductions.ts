// Whether a text says why a courier took something off COD: "Freight set-off" does, and "Less" does not.

/** Words that say that something was taken off, what it was taken off, or nothing. */
const empty: ReadonlySet<string> = new Set(
  (
    'ded deds deduct deducts deducted deduction deductions less adj adjs adjust adjusted adjustment adjustments ' +
    'other others misc miscellaneous sundry amount amounts amt value sum total net gross balance rs inr rupees ' +
    'debit debits debited dr credit cr charge charges recover recovered recovery recoveries withheld diff ' +
    'difference cod cash remit remitted remittance remittances remits collect collected collection deliver ' +
    'delivered delivery paid pay payment payments payout settle settled settlement transfer utr bank neft awb ' +
    'order parcel shipment line entry any the a an of for on in by to as at and per from if off out no na nil ' +
    'none ok yes'
  ).split(' '),
)

/** A reason that has no other words than these. */
const known = /\bcod (?:charges?|commission)\b/

/** Whether a text is the reason of a deduction, and not only a word for one. */
export function saysWhy(text: string): boolean {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return known.test(words.join(' ')) || words.some((word) => !empty.has(word))
}
