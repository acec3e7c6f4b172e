// What a card adds to the freight of a line: fuel, and the other components that its file names. Integer paise.
import { rupeesText } from '../money.ts'
import type { ReadyService } from '../rates/pricing.ts'
import { surchargesOn, surchargeSum, type Leg } from '../rates/surcharges.ts'
import type { Billed } from './billed.ts'
import { chargedOf, plainPart, type Case, type Part } from './case.ts'

/** What the card adds to legs with their freight and COD fee, as far as the file names it: fuel, and the rest. */
export function addedTo(
  given: Case,
  legs: readonly (readonly [leg: Leg, freight: number, fee: number])[],
): { readonly fuel: number; readonly other: number } | string {
  const { ready, terms } = given
  const { whole } = terms.shape
  const [fuelToo, otherToo] = [whole || terms.shape.fuel, whole || terms.shape.other]
  let [fuel, other] = [0, 0]
  const { surcharges } = ready
  if (surcharges === undefined || (!fuelToo && !otherToo)) return { fuel, other }
  const charged = chargedOf(given)
  for (const [leg, freight, cod] of legs) {
    const fee = given.parcel.cod === true ? cod : 0
    const sum = surchargeSum(surcharges[leg], charged, freight, fee)
    if (typeof sum === 'string') return sum
    for (const { name, amount } of surchargesOn(surcharges[leg], charged, freight, fee))
      if (/fuel|^fsc?$/i.test(name)) fuel += amount
      else other += amount
  }
  return { fuel: fuelToo ? fuel : 0, other: otherToo ? other : 0 }
}

/** The parts of fuel and the other components; returns what the card has of both. */
export function addedParts(
  { ready }: Case,
  line: Billed,
  { fuel, other }: { readonly fuel: number; readonly other: number },
  parts: Part[],
): number {
  const ruled = ready.surcharges !== undefined
  if (line.fuel !== fuel)
    parts.push({
      code: ruled && hasFuel(ready) ? 'fuel' : 'surcharge',
      amount: line.fuel - fuel,
      text: () => `fuel ${rupeesText(line.fuel)} in place of ${rupeesText(fuel)}`,
    })
  if (line.other !== other) {
    const at = parts.findIndex(({ code }) => code === 'surcharge')
    const before = at === -1 ? 0 : parts.splice(at, 1)[0]!.amount
    const named = line.others === '' ? '' : ` (${line.others})`
    parts.push(plainPart('surcharge', before + line.other - other, `components that the card does not have${named}`))
  }
  return fuel + other
}

const hasFuel = ({ service }: ReadyService): boolean =>
  service.surcharges?.some(({ name }) => /fuel|^fsc?$/i.test(name)) === true
