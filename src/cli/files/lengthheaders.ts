// The unit of length that a header names, for columns of sides and of sizes (docs/reference/values.md, Sides).
import { readSideUnit, type SideUnit } from '../../domain/read/sides.ts'
import { shortened } from '../../domain/messages/plaintext.ts'
import { safe } from '../terminal/safe.ts'

/** Units of length that shipx does not read; a header that names one must not pass for another. */
const others: ReadonlySet<string> = new Set('ft foot feet metre metres meter meters'.split(' '))

/** The unit of length in a header. */
interface LengthNamed {
  /** The header without it. */
  readonly rest: string
  readonly unit?: SideUnit
  /** The word that names a unit other than centimetres, or one that shipx does not read. */
  readonly word?: string
}

/** The unit of length that a header names: `Size (in)`, `LxWxH in cm`, `dimensions_mm`. */
export function lengthIn(header: string): LengthNamed {
  const words = header.split(/[^\p{L}\p{M}\p{N}]+/u)
  const named = words.filter((word) => readSideUnit(word) !== undefined || others.has(word.toLowerCase()))
  const rest = words.filter((word) => !named.includes(word)).join('')
  // In `Sides in mm` the word "in" is not a unit.
  const units = named.length > 1 ? named.filter((word) => !/^in$/i.test(word)) : named
  const [word] = units
  if (word === undefined) return { rest }
  const unit = readSideUnit(units.find((one) => readSideUnit(one) === 'cm') ?? word)
  return { rest, ...(unit === undefined ? {} : { unit }), ...(unit === 'cm' ? {} : { word }) }
}

/** Why a column of sides, or one of sizes, cannot be read under its header; undefined where it can. */
export function otherLength(header: string, size: boolean): string | undefined {
  const { unit, word } = lengthIn(header)
  if (word === undefined || (size && unit !== undefined)) return undefined
  const says = `the header "${safe(shortened(header, 60))}" says ${safe(word)}`
  return size
    ? `${says}; shipx reads cm, mm and in`
    : `${says}, and bare numbers are cm; write the unit in its cells, for example 8in`
}
