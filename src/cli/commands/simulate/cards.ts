// The cards of a simulation: a kept card with its versions, one version of it, or a file.
import type { Versions } from '../../../domain/rates/cardversions.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import type { Context } from '../../command/context.ts'
import { cardMeant, givenCard, isFile, versionNamed, versionsNamed } from '../ratecards/cards.ts'

/** A card as the user named it. */
export interface SimulatedCard {
  readonly word: string
  readonly versions: Versions
}

/** The prices of one version on every day: an offer begins later than the parcels that it is tried on. */
const always = (card: RateCard): RateCard => ({ ...card, valid_from: null, valid_to: null })

/** The cards of `--cards`. Throws the faults of a file, and `not_found`. */
export async function simulatedCards(context: Context, words: readonly string[]): Promise<readonly SimulatedCard[]> {
  const cards: SimulatedCard[] = []
  for (const word of words) {
    if (isFile(word)) cards.push({ word, versions: [always(await givenCard(context, word, { field: '--cards' }))] })
    else if (versionNamed(word, '--cards') !== undefined)
      cards.push({ word, versions: [always(await cardMeant(context, word, '--cards'))] })
    else cards.push({ word, versions: await versionsNamed(context, word) })
  }
  return cards
}
