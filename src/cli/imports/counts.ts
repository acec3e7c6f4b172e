// Counts what an import has done, with the reasons of its failures grouped.
import type { Failure, Item, Outcome } from './importer.ts'

/** A reason, how often it occurred, and where first. */
export interface Reason {
  readonly code: Failure['code']
  readonly message: string
  /** Found before shipx sent anything: a bad row. */
  readonly early: boolean
  readonly unknown: boolean
  count: number
  readonly first: { readonly row: number; readonly name: string }[]
}

/** The count of a run. */
export interface Tally {
  readonly done: Readonly<Record<Outcome, number>>
  readonly failed: () => number
  /** How many items were sent, whatever the answer. */
  readonly sent: () => number
  readonly reasons: () => readonly Reason[]
  readonly add: (outcome: Outcome) => void
  readonly fail: (item: Item<unknown>, failure: Failure) => void
}

/** How many places a reason lists. */
const named = 5

/** How many reasons are counted separately; the others of a code count as one, which says so. */
const most = 20

const ofRows = 'wrong values or lines (found before sending)'
const unanswered = 'no answer from the service: it may or may not have been saved'

/** Without what belongs to the item, equal failures share one reason. */
const reasonOf = (name: string, { message, reason }: Failure): string =>
  reason ?? (name === '' ? message : message.replaceAll(name, '…'))

export function newTally(): Tally {
  const done: Record<Outcome, number> = { created: 0, updated: 0, unchanged: 0, skipped: 0, idle: 0 }
  const reasons = new Map<string, Reason>()
  let [failed, sent] = [0, 0]
  return {
    done,
    failed: () => failed,
    sent: () => done.created + done.updated + done.idle + sent,
    reasons: () =>
      [...reasons.values()]
        .map((reason) => ({ ...reason, first: reason.first.toSorted((a, b) => a.row - b.row) }))
        .toSorted((a, b) => Number(b.early) - Number(a.early) || b.count - a.count),
    add: (outcome) => {
      done[outcome]++
    },
    fail: ({ rows, name }, failure) => {
      failed++
      if (failure.sent === true) sent++
      // The file of failed rows lists each fault of the rows themselves.
      const early = failure.early === true
      const ofRow = early && (failure.code === 'invalid_input' || failure.code === 'invalid_file')
      const own = ofRow ? ofRows : failure.unknown === true ? unanswered : reasonOf(name, failure)
      const keyOf = (reason: string): string => (ofRow ? 'ofRow' : `${early} ${failure.code} ${reason}`)
      const full = reasons.size >= most && !reasons.has(keyOf(own))
      const message = full && !ofRow && failure.unknown !== true ? 'other reasons' : own
      const key = keyOf(message)
      const reason = reasons.get(key) ?? {
        code: failure.code,
        message,
        early,
        unknown: failure.unknown === true,
        count: 0,
        first: [],
      }
      reasons.set(key, reason)
      reason.count++
      if (reason.first.length < named) reason.first.push({ row: rows[0].line, name })
    },
  }
}
