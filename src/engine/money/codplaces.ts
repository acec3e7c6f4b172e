// Where remittances stand among each other: by when their number was first kept, and by the day of their payment.
import { istDate } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import { listDocuments } from './documents.ts'

/** The place of a remittance. */
export interface CodPlace {
  /** ms UTC: when its number was kept first; one that was replaced passes it on. */
  readonly first: number
  /** ms UTC: when it was kept itself. */
  readonly kept: number
  /** The IST day of its payment; where its file says none, that of `first`. */
  readonly day: string
}

/** The places of all remittances that count, by their ids. */
export function* codPlaces(account: number): Work<ReadonlyMap<string, CodPlace>> {
  const all = (yield* listDocuments(account, ['remittance'])).toSorted(
    (a, b) => Number(a.created_at) - Number(b.created_at),
  )
  const passedOn = new Map<number, number>()
  const places = new Map<string, CodPlace>()
  for (const { id, day, created_at: at, superseded_at: gone } of all) {
    const kept = Number(at)
    const first = Math.min(kept, passedOn.get(kept) ?? kept)
    if (gone === null) places.set(id, { first, kept, day: day ?? istDate(first) })
    else passedOn.set(Number(gone), Math.min(first, passedOn.get(Number(gone)) ?? first))
  }
  return places
}

/** The remittances that one does not know of: itself, and what was kept after it and pays on no day before its own. */
export function unknownTo(one: string, places: ReadonlyMap<string, CodPlace>): readonly string[] {
  const own = places.get(one)
  if (own === undefined) return []
  return [...places].flatMap(([id, { first, day }]) => (id !== one && (first < own.kept || day < own.day) ? [] : [id]))
}
