// Whether the rate card that judged a kept document is another one today.
import { createHash } from 'node:crypto'
import { ShipxError } from '../../../domain/errors.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { firstDay, type Versions } from '../../../domain/rates/cardversions.ts'
import type { Document } from '../../../engine/money/documents.ts'
import type { Context } from '../../command/context.ts'
import { versionsNamed } from '../ratecards/cards.ts'
import { totalsOf, type VersionSums } from './keptterms.ts'

/** The versions of a card, each as a sum of its content: its last day follows from the next one. */
export const versionSums = (versions: Versions): VersionSums =>
  Object.fromEntries(
    versions.map((card) => {
      const content = JSON.stringify({ ...card, valid_to: null })
      return [firstDay(card), createHash('sha256').update(content).digest('hex').slice(0, 16)]
    }),
  )

/**
 * Whether a card of this computer that judged a document has changed: one of its versions, or one more until the day of
 * the document. A card that is gone, and one that an earlier shipx judged by, tell nothing.
 */
export async function cardChanged(context: Context, known: Document): Promise<boolean> {
  const before = totalsOf(known).terms?.reading?.versions
  if (before === undefined || known.card === noCard) return false
  try {
    const now = versionSums(await versionsNamed(context, known.card))
    const more = Object.keys(now).some((day) => !(day in before) && (known.day === null || day <= known.day))
    return more || Object.entries(before).some(([day, sum]) => now[day] !== sum)
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'not_found') return false
    throw error
  }
}
