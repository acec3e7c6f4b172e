// What has changed between two readings of the same page of a listing.
import { idIn } from '../../../domain/foreign/records.ts'

/** A record as JSON text, and how it changed. */
export interface Change {
  readonly event: 'new' | 'changed' | 'gone'
  readonly record: string
}

/** The id of a record. Without an id its text identifies it, so a changed text counts as another record. */
const idOf = (record: string): string => idIn(record) || record

/**
 * The changes from one page to the next: removed records first, then in the order of the page. A page holds at most
 * `most` records. A record that newer ones push off its end is not removed; a record that moves up into its end is not
 * new.
 */
export function changesBetween(before: readonly string[], after: readonly string[], most: number): readonly Change[] {
  const old = new Map(before.map((record) => [idOf(record), record]))
  const ids = after.map(idOf)
  const here = new Set(ids)
  const lastOld = [...old.keys()].findLastIndex((id) => here.has(id))
  const lastNew = ids.findLastIndex((id) => old.has(id))
  const gone = before.flatMap((record, i): readonly Change[] =>
    here.has(idOf(record)) || (after.length >= most && i > lastOld) ? [] : [{ event: 'gone', record }],
  )
  const others = after.flatMap((record, i): readonly Change[] => {
    const known = old.get(ids[i]!)
    if (known === record) return []
    if (known !== undefined) return [{ event: 'changed', record }]
    const movedUp = before.length >= most && lastNew >= 0 && i > lastNew
    return movedUp ? [] : [{ event: 'new', record }]
  })
  return [...gone, ...others]
}

/** Changes in a few words: `2 new, 1 changed`. */
export function changesText(changes: readonly Change[]): string {
  const parts = (['new', 'changed', 'gone'] as const).flatMap((event) => {
    const n = changes.filter((change) => change.event === event).length
    return n === 0 ? [] : [`${n} ${event}`]
  })
  return parts.join(', ')
}
