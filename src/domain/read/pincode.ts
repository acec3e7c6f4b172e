// The reader of pincodes.
import { nearestPincodes, pincodeKnown } from '../pincodes.ts'

const wellFormed = /^[1-9][0-9]{5}$/

/**
 * A typed pincode without the space around it, one space in its middle ("560 001"), and the apostrophe that
 * spreadsheets put before digits ("'110017"). Anything else is returned as it is, for `pincodeFault` to judge
 * (docs/guides/rates.md).
 */
export function readPincode(text: string): string {
  return wellFormed.test(text) ? text : text.trim().replace(/^'?([0-9]{3}) ?([0-9]{3})$/, '$1$2')
}

/**
 * Why a text that readPincode returned is not a pincode, in one sentence that echoes at most 20 of its characters;
 * undefined when it is one (docs/guides/rates.md).
 */
export function pincodeFault(text: string): string | undefined {
  if (text === '') return 'the pincode is empty; a pincode is 6 digits'
  if (!/^[0-9]+$/.test(text)) return `"${excerpt(text)}" is not a pincode; a pincode is 6 digits`
  if (text.length !== 6) {
    return `${excerpt(text)} has ${text.length} digit${text.length === 1 ? '' : 's'}; a pincode has 6`
  }
  if (text.startsWith('0')) return `${text} starts with 0; a pincode starts with 1 to 9`
  if (pincodeKnown(text)) return undefined
  const near = nearestPincodes(text)
  const hint = near.length === 0 ? `no pincode starts with ${text.slice(0, 3)}` : `nearest: ${near.join(', ')}`
  return `${text} is not a pincode that exists; ${hint}`
}

function excerpt(text: string): string {
  // Twice the width is enough for 20 characters of two code units each.
  const characters = Array.from(text.slice(0, 40).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'))
  return characters.length > 20 || text.length > 40 ? `${characters.slice(0, 19).join('')}…` : characters.join('')
}
