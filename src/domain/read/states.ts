// States of India as people write them, and whether an address names the state of its pincode.
import { placeOf, stateNames } from '../pincodes.ts'
import { documented, lazily, oneOf, reading } from '../values.ts'

// prettier-ignore
const codes: Readonly<Record<string, readonly string[]>> = {
  'Andaman and Nicobar Islands': ['an', 'andamannicobar', 'andamanandnicobar'],
  'Andhra Pradesh': ['ap'], 'Arunachal Pradesh': ['ar'], Assam: ['as'], Bihar: ['br'], Chandigarh: ['ch'],
  Chhattisgarh: ['cg', 'ct', 'chattisgarh'],
  'Dadra and Nagar Haveli and Daman and Diu': ['dh', 'dn', 'dd', 'dadraandnagarhaveli', 'damananddiu'],
  Delhi: ['dl', 'newdelhi', 'nctofdelhi', 'delhinct'],
  Goa: ['ga'], Gujarat: ['gj'], Haryana: ['hr'], 'Himachal Pradesh': ['hp'], 'Jammu and Kashmir': ['jk'],
  Jharkhand: ['jh'], Karnataka: ['ka'], Kerala: ['kl'], Ladakh: ['la'], Lakshadweep: ['ld'], 'Madhya Pradesh': ['mp'],
  Maharashtra: ['mh'], Manipur: ['mn'], Meghalaya: ['ml'], Mizoram: ['mz'], Nagaland: ['nl'],
  Odisha: ['od', 'or', 'orissa'], Puducherry: ['py', 'pondicherry'], Punjab: ['pb'], Rajasthan: ['rj'], Sikkim: ['sk'],
  'Tamil Nadu': ['tn'], Telangana: ['tg', 'ts'], Tripura: ['tr'], 'Uttar Pradesh': ['up'],
  Uttarakhand: ['uk', 'ua', 'ut', 'uttaranchal'], 'West Bengal': ['wb'],
}

/** What a state was a part of some years ago; many address books still say so. */
const formerly: Readonly<Record<string, string>> = { Telangana: 'Andhra Pradesh', Ladakh: 'Jammu and Kashmir' }

let known: ReadonlyMap<string, string> | undefined

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z]/g, '')

/** The state that a name or code means (`Karnataka`, `KA`, `Orissa`), in the pincode table's words; else undefined. */
export function readState(text: string): string | undefined {
  known ??= new Map(stateNames().flatMap((name) => [folded(name), ...(codes[name] ?? [])].map((word) => [word, name])))
  return known.get(folded(text))
}

/** A state in a filter, by name or code; another word is refused with the nearest name and the list. */
export const stateName = lazily(() =>
  documented(
    reading(
      (value) => (typeof value === 'string' ? (readState(value) ?? value) : value),
      oneOf(stateNames() as [string, ...string[]], 'state'),
    ),
    {
      note: 'A state or union territory of India, by name or code (`Delhi`, `DL`)',
      form: { anyOf: [{ enum: stateNames() }, { type: 'string', pattern: '^[A-Za-z]{2}$' }] },
    },
  ),
)

/** Why a pincode and its address's state cannot both be right; undefined where they can, or shipx does not know. */
export function stateClash(pincode: string, state: string): string | undefined {
  const [place, named] = [placeOf(pincode), readState(state)]
  if (place === undefined || named === undefined || named === place.state || place.state === 'Army Post')
    return undefined
  if (formerly[place.state] === named) return undefined
  return `pincode ${pincode} is in ${place.city}, ${place.state}, and the address says ${named}`
}
