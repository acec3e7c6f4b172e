// Which other remittances count when one is judged, and which of them stand before it (docs/guides/cod.md, Keep it).
import { istDate } from '../../../domain/time.ts'
import { countingRemittances, marksOf } from '../../../engine/money/codmarks.ts'
import { codPlaces, unknownTo } from '../../../engine/money/codplaces.ts'
import { documentsReplaced } from '../../../engine/money/documents.ts'
import { remittancesIn } from '../../../engine/money/remittances.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { Given } from './codgiven.ts'
import type { Others } from './codpaid.ts'

/** Which others count for a remittance of `owner` that is judged at `today`, ms UTC. */
export async function othersOf(
  place: BesidePlace | undefined,
  given: Given,
  owner: string,
  { replace, today }: { readonly replace: boolean; readonly today: number },
): Promise<Others> {
  const { kept, anew, now, number, sha256 } = given
  const day = istDate(now)
  const read = kept === undefined || anew ? today : Number(kept.created_at)
  // As of the day of the reading, there is nothing later.
  const until = day < istDate(read) ? { day, end: now } : undefined
  if (place === undefined) return { counted: {}, inBank: {}, own: [], isBefore: () => true, until }
  const { database, account } = place
  const places = await database.read(() => codPlaces(account))
  const before =
    (first: number): Others['isBefore'] =>
    (document) =>
      (places.get(document)?.first ?? first) < first
  if (kept !== undefined) {
    // What others pay in its own transfers came with it.
    const utrs = [...new Set(given.lines.flatMap(({ utrs: names }) => (names.length === 0 ? [] : [names.join(', ')])))]
    const together = anew ? [] : await database.read(() => remittancesIn(account, utrs))
    const marked = anew ? [] : await database.read(() => countingRemittances(account))
    const unseen = marked.flatMap((one) => (marksOf(one).unseen?.some((utr) => utrs.includes(utr)) ? [one.id] : []))
    const without = (some: readonly string[]): readonly string[] =>
      anew ? [kept.id] : unknownTo(kept.id, places).filter((id) => id === kept.id || !some.includes(id))
    const except = without(together)
    const inBank = { except: without(together.filter((id) => !unseen.includes(id))) }
    return {
      counted: { except },
      inBank,
      own: [kept.id],
      isBefore: before(places.get(kept.id)?.first ?? Infinity),
      until,
    }
  }
  const one = { kind: 'remittance', courier: owner, number, sha256 } as const
  const except = replace ? await database.read(() => documentsReplaced(account, one), 'single') : []
  const first = Math.min(...except.map((id) => places.get(id)?.first ?? Infinity))
  return { counted: { except }, inBank: { except }, own: except, isBefore: before(first), until }
}
