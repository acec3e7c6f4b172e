// Indian pincodes: which exist, and where they are.
import { districts, table } from './pincodes.data.ts'

/**
 * Where a pincode is: six digits, the city a person would write, the tidy district and state (docs/reference/data.md).
 */
export interface Locality {
  readonly pincode: string
  readonly city: string
  readonly district: string
  readonly state: string
}

interface Atlas {
  readonly words: Uint32Array
  readonly states: readonly string[]
  readonly places: readonly (readonly [state: string, item: string])[]
}

const magic = 0x50494e31
const wellFormed = /^[1-9][0-9]{5}$/
let decoded: Atlas | undefined

/** Places that were looked up; there are never more than pincodes. */
const places = new Map<string, Locality>()

/** The place of a pincode of exactly six digits, or undefined when no such pincode exists (docs/reference/data.md). */
export function placeOf(pincode: string): Locality | undefined {
  const known = places.get(pincode)
  if (known !== undefined) return known
  const place = findPlace(pincode)
  if (place !== undefined) places.set(place.pincode, place)
  return place
}

function findPlace(pincode: string): Locality | undefined {
  const word = wordOf(pincode)
  if (word === undefined) return undefined
  const [state, item] = atlas().places[word & 0xfff]!
  const slash = item.indexOf('/')
  if (slash < 0) return { pincode, city: item, district: item, state }
  return { pincode, city: item.slice(slash + 1), district: item.slice(0, slash), state }
}

/** Whether a text is exactly the six digits of an existing pincode (docs/reference/data.md). */
export function pincodeKnown(pincode: string): boolean {
  return places.has(pincode) || wordOf(pincode) !== undefined
}

/**
 * At most three existing pincodes of the same three-digit prefix, nearest first and the lower of two equally near; none
 * for a text that is not six digits (docs/reference/data.md).
 */
export function nearestPincodes(pincode: string): readonly string[] {
  if (!wellFormed.test(pincode)) return []
  const wanted = Number(pincode)
  const first = wanted - (wanted % 1000)
  const near: number[] = []
  for (let at = indexFrom(first); at < atlas().words.length && pinAt(at) < first + 1000; at++) near.push(pinAt(at))
  // The sort is stable, so of two equally near codes the lower stays first.
  near.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
  return near.slice(0, 3).map(String)
}

/** How many pincodes exist (docs/reference/data.md). */
export function pincodeCount(): number {
  return atlas().words.length
}

/** Every existing pincode as six digits, ascending (docs/reference/data.md). */
export function* everyPincode(): Iterable<string> {
  for (let at = 0; at < pincodeCount(); at++) yield String(pinAt(at))
}

/**
 * The display names of all states and union territories, and `Army Post`, as places carry them, in alphabetical order
 * (docs/reference/data.md).
 */
export function stateNames(): readonly string[] {
  return atlas().states
}

function wordOf(pincode: string): number | undefined {
  if (!wellFormed.test(pincode)) return undefined
  const pin = Number(pincode)
  const at = indexFrom(pin)
  return at < atlas().words.length && pinAt(at) === pin ? atlas().words[at] : undefined
}

function indexFrom(pin: number): number {
  let low = 0
  let high = atlas().words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (pinAt(middle) < pin) low = middle + 1
    else high = middle
  }
  return low
}

function pinAt(index: number): number {
  return 100000 + (atlas().words[index]! >>> 12)
}

function atlas(): Atlas {
  return (decoded ??= decode())
}

function decode(): Atlas {
  const bytes = Buffer.from(table, 'base64')
  const all = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  // The words are little-endian, so on a big-endian machine the magic word reads backwards.
  if (all[0] !== magic) bytes.swap32()
  if (all[0] !== magic) throw new Error('the pincode table is damaged')
  const states: string[] = []
  const places: (readonly [state: string, item: string])[] = []
  for (const group of districts.split(';')) {
    const colon = group.indexOf(':')
    const state = group.slice(0, colon)
    states.push(state)
    for (const item of group.slice(colon + 1).split('|')) places.push([state, item])
  }
  return { words: all.subarray(1), states, places }
}
