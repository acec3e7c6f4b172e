// What a header that shipx does not read looks like by its words: an amount of a charge, the number of the bill, or its
// courier.
import type { MoneyField } from './forms.ts'

/** Words of a charge, whatever stands beside them. */
const charges: ReadonlySet<string> = new Set(
  (
    'charge charges chg chgs chrg chrgs freight frt fee fees surcharge surcharges fuel fsc dph fov oda levy cess tax ' +
    'gst igst cgst sgst ugst taxable handling payable penalty tariff'
  ).split(' '),
)

/** Words of an amount that may be of goods as well. */
const amounts: ReadonlySet<string> = new Set(
  'value val amount amt price total net gross sum cost debit bill billed billing invoice'.split(' '),
)

/** Words of goods, and of money that the courier collects: what stands beside them is not billed. */
const goods: ReadonlySet<string> = new Set(
  (
    'declared order orders product products goods item items mrp sku cart cod cash collect collected collectable ' +
    'collectible collection sale sales selling customer consignee buyer insured shipment commodity'
  ).split(' '),
)

/** A header that ends in one of these is a measure, a day or a name. */
const measures: ReadonlySet<string> = new Set(
  (
    'weight wt kg kgs g gm gms gram grams length breadth width height dim dims dimension dimensions vol volume cm ' +
    'cms qty quantity pcs pieces box boxes count no nr num number sl sr sno # id ref reference date dt day days ' +
    'time pin pincode zip phone mobile contact km kms distance rate % percent percentage pct hsn sac gstin state ' +
    'city code name type status mode zone slab sector remarks remark attempts attempt items month year period'
  ).split(' '),
)

/** Words of a weight, and of the number of a parcel: without a word of a charge, no amount stands there. */
const ofParcel: ReadonlySet<string> = new Set(
  (
    'weight weights wt wts wgt kgs kilogram kilograms gms grams volumetric docket dockets awb awbs waybill waybills ' +
    'consignment consignments cnote lr tracking pincode'
  ).split(' '),
)

const wordsIn = (header: string): readonly string[] =>
  header
    .normalize('NFKC')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}#%]+/u)
    .flatMap((word) => word.split(/(?<=\p{L})(?=#)/u))
    // A rate, and the currency.
    .filter((word) => word !== '' && !/^\d+%?$|^rs$|^inr$|^rupees?$/.test(word))

/** Whether words say that a weight is charged: `Wt Chgd`, and not `Weight charges`. */
const isChargedWeight = (words: readonly string[]): boolean =>
  /^(?:weight|wt|wgt) (?:chg|chgd|chrg|chrgd|charged|chargeable|chargable|billed|applied)$/.test(words.join(' '))

/** What the words of a header say of its amounts: `charge` for certain, `amount` of something, `other` for none. */
export type Said = 'charge' | 'amount' | 'other' | 'open'

/** What a header says; `open` where its words say nothing. */
export function saidBy(header: string): Said {
  const words = wordsIn(header)
  if (measures.has(words.at(-1) ?? '') || isChargedWeight(words)) return 'other'
  if (words.some((word) => charges.has(word))) return 'charge'
  if (words.some((word) => goods.has(word) || ofParcel.has(word))) return 'other'
  const bill = words.some((word) => /^bill(?:ed|ing)?$/.test(word))
  if (bill && words.length > 1) return 'charge'
  return words.some((word) => amounts.has(word)) ? 'amount' : 'open'
}

const guesses: readonly (readonly [field: MoneyField, word: RegExp])[] = [
  ['gross', /\btaxable\b|\bbefore tax\b|\bsub ?total\b|\bex gst\b/],
  ['igst', /\bigst\b/],
  ['cgst', /\bcgst\b/],
  ['sgst', /\b(?:sgst|ugst)\b/],
  ['total', /\b(?:bill|billed|billing|invoice|net|total|grand|payable)\b/],
  ['gst', /\b(?:gst|tax|levy|vat)\b/],
  ['cod_fee', /\b(?:cod|cash)\b/],
  ['qc', /\bqc\b|\bquality\b/],
  ['reverse', /\b(?:reverse|rvp|dto)\b/],
  ['rto', /\b(?:rto|return)\b/],
  ['fuel', /\b(?:fuel|fsc|diesel)\b/],
  ['freight', /\b(?:basic|freight|frt|forward|fwd|base|courier|shipping|delivery)\b/],
]

/** Our best guess of the field of a header of an amount. */
export function fieldGuess(header: string): MoneyField {
  const text = wordsIn(header).join(' ')
  return guesses.find(([, word]) => word.test(text))?.[0] ?? 'other'
}

const ofBill = /\b(?:bill|inv|invoice|memo|statement)\b/
const ofNumber = /(?:^| )(?:#|no|nr|num|number|ref|reference|id)(?: |$)/

/** Whether a header looks like the number of the bill: `Bill #`, `Inv No`, `Invoice Ref`. */
export function looksLikeNumber(header: string): boolean {
  const text = wordsIn(header).join(' ')
  return ofBill.test(text) && ofNumber.test(text)
}

/** Whether a header looks like a courier. */
export const looksLikeCourier = (header: string): boolean =>
  /\b(?:couriers?|carriers?|transporter|partner|vendor|logistics|3pl)\b/.test(wordsIn(header).join(' ')) &&
  saidBy(header) !== 'charge'
