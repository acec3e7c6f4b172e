// Records of a page as a deployment sent them: those that the mirror can keep, and those without an id or attributes.
import { digestSet } from '../../../client/digests.ts'
import { readSent, type SentKind, type SentRecord } from '../../../domain/foreign/records.ts'
import type { PullState } from '../../source/mirrorstate.ts'

/** The records that the mirror can keep, and the texts of those without an id or attributes. */
export function sentOf(
  kind: SentKind,
  records: readonly string[],
): { readonly read: readonly SentRecord[]; readonly lost: readonly string[] } {
  const all = records.map((text) => ({ text, record: readSent(kind, text) }))
  return {
    read: all.flatMap(({ record }) => record ?? []),
    lost: all.flatMap(({ text, record }) => (record === undefined ? text : [])),
  }
}

/** Counts records without an id: each once, however often its window is read. */
export function leftOutOf(): { readonly note: (texts: readonly string[]) => void; readonly count: () => number } {
  const seen = digestSet()
  let count = 0
  return {
    note: (texts) => {
      // Two equal texts on one page are two records.
      const alike = new Map<string, number>()
      for (const text of texts) {
        const nth = (alike.get(text) ?? 0) + 1
        alike.set(text, nth)
        if (seen.add(`${nth} ${text}`)) count++
      }
    },
    count: () => count,
  }
}

/** The state with the attributes of these records added. */
export function carriedOf(state: PullState, records: readonly SentRecord[]): PullState {
  const known = new Set(state.carried)
  const fresh = records.flatMap(({ carried }) => carried.filter((home) => !known.has(home)))
  return fresh.length === 0 ? state : { ...state, carried: [...known, ...new Set(fresh)] }
}
