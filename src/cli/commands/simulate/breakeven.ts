// The value of one number of the second card at which both cards cost the same: exact to the paisa, by passes over the
// parcels (docs/guides/whatif.md, Break-even).
import { cardNumber, greatest, numberPaths, type CardNumber } from '../../../domain/rates/cardnumber.ts'
import { invalid } from '../../../domain/errors.ts'
import { didYouMean } from '../../../domain/nearest.ts'
import { wholeOf } from '../../../domain/rates/whatif.ts'
import { safe } from '../../terminal/safe.ts'
import type { SimulatedCard } from './cards.ts'

/** The value of a number at which two cards cost the same. */
export interface BreakEven {
  readonly number: string
  readonly unit: 'rupees' | 'percent'
  /** What the number is now; null where the services of the card differ. */
  readonly now: number | null
  /** The greatest value at which the second card costs no more; null where there is none. */
  readonly value: number | null
  /** What the second card costs less at that value, rupees: 0 where both cost the same. */
  readonly left: number | null
  readonly why: string | null
}

/** The number of a card by its path. Throws `invalid_input` with the numbers that it has. */
export function numberOf(card: SimulatedCard, path: string): CardNumber {
  const found = cardNumber(card.versions.at(-1)!, path)
  if (found !== undefined) return found
  const paths = numberPaths(card.versions.at(-1)!)
  const near = didYouMean(path, paths)
  const some = paths.slice(0, 12).join(', ') + (paths.length > 12 ? ', …' : '')
  const message = `${safe(card.word)} has no number "${path.slice(0, 60)}"${near === '' ? '.' : near}\nOne of: ${some}`
  throw invalid([{ field: '--break-even', message }])
}

/** A card with another value of a number, in all of its versions that have it. */
export const withNumber = ({ word, versions }: SimulatedCard, path: string, value: number): SimulatedCard => ({
  word,
  versions: versions.map((card) => cardNumber(card, path)?.set(value) ?? card) as unknown as SimulatedCard['versions'],
})

/**
 * Searches the greatest integer value with `costs(value)` at most 0, where `costs` (the second card less the first, in
 * ten-thousandths of a paisa) never falls as the value grows. Each call is a pass over the parcels.
 */
export async function searchEven(
  start: number,
  most: number,
  costs: (value: number) => Promise<number>,
): Promise<{ readonly value: number; readonly left: number } | 'never' | 'always'> {
  const known = new Map<number, number>()
  const at = async (value: number): Promise<number> => {
    let cost = known.get(value)
    if (cost === undefined) known.set(value, (cost = await costs(value)))
    return cost
  }
  if ((await at(0)) > 0) return 'never'
  if ((await at(most)) <= 0) return 'always'
  let [low, high] = [0, most]
  for (let guess = Math.min(most - 1, Math.max(1, start)), turn = 0; high - low > 1; turn++) {
    const cost = await at(guess)
    if (cost <= 0) low = guess
    else high = guess
    const [below, above] = [await at(low), await at(high)]
    // Prices are nearly straight lines. Every third turn halves, in case they are not.
    const straight = low + Math.floor(((high - low) * -below) / (above - below))
    const next = turn % 3 === 2 ? Math.floor((low + high) / 2) : guess === straight ? straight + 1 : straight
    guess = Math.min(high - 1, Math.max(low + 1, next))
  }
  return { value: low, left: await at(low) }
}

/** The break-even of a number. */
export async function breakEvenOf(
  path: string,
  number: CardNumber,
  costs: (value: number) => Promise<number>,
): Promise<BreakEven> {
  const [now = 0, ...others] = number.values
  const found = await searchEven(now, greatest[number.unit], costs)
  const base = {
    number: path,
    unit: number.unit === 'paise' ? ('rupees' as const) : ('percent' as const),
    now: others.every((value) => value === now) ? now / 100 : null,
  }
  if (typeof found === 'string') {
    const why =
      found === 'never'
        ? 'the second card costs more even when this number is 0'
        : 'the second card never costs more, however great this number is'
    return { ...base, value: null, left: null, why }
  }
  return { ...base, value: found.value / 100, left: wholeOf(-found.left) / 100, why: null }
}
