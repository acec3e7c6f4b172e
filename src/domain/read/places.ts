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

/** Names that cities had, by their city keys: what a search that found no such city asks about. */
export const formerCities: Readonly<Record<string, string>> = {
  allahabad: 'prayagraj',
  bangalore: 'bengaluru',
  baroda: 'vadodara',
  belgaum: 'belagavi',
  bellary: 'ballari',
  bombay: 'mumbai',
  calcutta: 'kolkata',
  calicut: 'kozhikode',
  cochin: 'kochi',
  gulbarga: 'kalaburagi',
  gurgaon: 'gurugram',
  hubli: 'hubballi',
  madras: 'chennai',
  mangalore: 'mangaluru',
  mysore: 'mysuru',
  pondicherry: 'puducherry',
  poona: 'pune',
  shimoga: 'shivamogga',
  trichy: 'tiruchirappalli',
  trivandrum: 'thiruvananthapuram',
  vizag: 'visakhapatnam',
}

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
