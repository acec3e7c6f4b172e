// The reader of amounts in rupees.
import { groupedDigits } from '../money.ts'
import { excerpt, longestValue, typed } from './typed.ts'

const groups = /^-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/
const plain = /^-?\d{1,13}(?:\.\d{0,12})?$/
/** What nearly every cell of a file has. */
const usual = /^\d{1,13}(?:\.\d\d?)?$/

/**
 * An amount as people write it (`1499`, `1,499.00`, `₹ 1,49,999`, `Rs. 499`, `499 INR`, `499/-`) as plain decimal
 * rupees, or why it is not one. The one reader of amounts for flags, questions and cells. `grouped` says that a comma
 * groups digits.
 */
export function readRupees(text: string, grouped = true): { readonly rupees: string } | { readonly fault: string } {
  if (usual.test(text)) return { rupees: text }
  if (text.trim() === '') return { fault: 'write an amount in rupees, for example 1499' }
  const fault = { fault: `${excerpt(text)} is not an amount in rupees; write for example 1499` }
  if (text.length > longestValue) return fault
  const bare = typed(text)
    .replace(/^(?:\u20b9|rs\.?|inr)/i, '')
    .replace(/(?:\/-|inr|rs\.?)$/i, '')
    .trim()
  const digits = grouped && groups.test(bare) ? bare.replaceAll(',', '') : bare
  if (!plain.test(digits)) return !grouped && groups.test(bare) ? { fault: commaFault(text) } : fault
  const [whole, decimals = ''] = digits.split('.') as [string, string?]
  // Exports of databases write 499.0000; three decimals may be a dot in the place of a comma.
  if (decimals.length === 3 || Number(decimals.slice(2)) > 0) return { fault: tooFineFault(whole, decimals) }
  return { rupees: digits.replace(/\.$/, '') }
}

/** Of an amount with commas where no comma groups digits, which is so in a file with semicolons. */
const commaFault = (text: string): string =>
  `${excerpt(text)} is not an amount in rupees: in a file with ; a comma may be a decimal point; write for example 1499`

function tooFineFault(whole: string, decimals: string): string {
  const said = `${whole}.${decimals} has more than two decimals`
  const grouping = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  return grouping ? `${said}; did you mean ${groupedDigits(whole + decimals)}?` : `${said}; write for example 1499.50`
}
