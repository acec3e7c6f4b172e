// What bills before left of the price of a parcel: a correction of a weight comes as a further bill, and the sum of all
// is what is due (docs/guides/money.md, Reasons). Integer paise before GST.
import { blankLine, nothingSeen, type Billed, type BilledBefore, type Shape } from './billed.ts'
import type { Case } from './case.ts'
import { acceptedUnits, partsOf } from './parts.ts'
import { wayBit } from './ways.ts'

/** A component as a bit; `whole` is one amount for everything. */
export const componentBit = { cod: 1, fuel: 2, other: 4, whole: 8 } as const

/** The components that a line bills. */
export const componentsOf = (line: Pick<Billed, 'freight' | 'rto' | 'fuel' | 'other'> & { cod: number }): number =>
  (line.freight === 0 && line.rto === 0 && line.cod === 0 && line.fuel === 0 && line.other === 0
    ? componentBit.whole
    : 0) |
  (line.cod === 0 ? 0 : componentBit.cod) |
  (line.fuel === 0 ? 0 : componentBit.fuel) |
  (line.other === 0 ? 0 : componentBit.other)

/** The components that are compared: those that this file has columns for, and those that were billed before. */
function shapeWith({ whole, cod, fuel, other }: Shape, components: number): Shape {
  const has = (bit: number): boolean => (components & bit) !== 0
  return {
    whole: whole || has(componentBit.whole),
    rto: true,
    cod: cod || has(componentBit.cod),
    fuel: fuel || has(componentBit.fuel),
    other: other || has(componentBit.other),
    gst: 'none',
  }
}

/** What is due for ways of a parcel at a weight; undefined where the card has no price. */
function dueAt(given: Case, ways: number, units: number, shape: Shape): number | undefined {
  const [out, home] = [(ways & wayBit.forward) !== 0, (ways & wayBit.rto) !== 0]
  const { awb, courier } = given.line
  const line: Billed = {
    ...blankLine(awb),
    courier,
    ...(shape.whole ? { total: 0 } : { freight: out ? 1 : 0, rto: home ? 1 : 0 }),
  }
  // One amount for the way back alone is not told apart.
  if (shape.whole && home && !out) return undefined
  const journey = out || home ? (home ? 'rto' : 'forward') : 'reverse'
  const found = partsOf({ ...given, line, units, terms: { ...given.terms, shape }, journey, seen: nothingSeen })
  return typeof found === 'string' ? undefined : found.expected
}

/** What is due for the ways of a parcel that were billed before, and what bills before left of it. */
export interface StillDue {
  readonly due: number
  readonly left: number
}

/**
 * What bills before left of the price of a parcel, for a line that bills `paise` for ways that were all billed before;
 * undefined where they left less than the tolerance.
 */
export function stillDue(given: Case, before: BilledBefore | undefined, paise: number): StillDue | undefined {
  if (before === undefined || before.bare <= 0) return undefined
  const { seen, terms } = given
  const shape = shapeWith(terms.shape, before.components)
  const sum = before.bare + paise
  let due: number | undefined
  for (const units of [given.units, acceptedUnits(given) ?? given.units]) {
    const one = dueAt(given, seen.before, units, shape)
    if (one !== undefined && (due === undefined || Math.abs(sum - one) < Math.abs(sum - due))) due = one
  }
  const left = (due ?? 0) - before.bare
  return left > 0 && left >= terms.tolerance ? { due: due!, left } : undefined
}
