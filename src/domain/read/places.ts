// The places of an address in the one form that filters compare, for all spellings of a place.
import { foldText } from '../filters.ts'
import { readState } from './states.ts'

/** An address as records hold it. */
export interface Address {
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zip?: string | null | undefined
}

/** A longer name has no form, because no filter takes one: an index entry of PostgreSQL must stay small. */
const longest = 200

const fitting = (text: string): string | null => (text === '' || text.length > longest ? null : text)

const folded = (text: string): string => foldText(text).trim().replace(/\s+/g, ' ')

/** A city in NFC and lower case with single spaces; null for a blank one and for more than 200 characters. */
export const cityKey = (text: string): string | null => fitting(folded(text))

/** The name of the state that a name or code means (`DL` is `Delhi`); one that shipx does not know as a city. */
export const stateKey = (text: string): string | null => readState(text) ?? cityKey(text)

/** A pincode without blanks and without the apostrophe of spreadsheets; null as for a city. */
export const pincodeKey = (text: string): string | null => fitting(folded(text).replace(/[ ']/g, ''))

/** The columns of a record that hold the place of its address. */
export const placeColumns = (address: Address | null | undefined) => ({
  city: cityKey(address?.city ?? ''),
  state: stateKey(address?.state ?? ''),
  pincode: pincodeKey(address?.zip ?? ''),
})
