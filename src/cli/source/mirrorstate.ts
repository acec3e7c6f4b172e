// The progress of the pull of a kind, which is stored next to its records, and what the next run must read. Sends and
// stores nothing itself (docs/guides/mirror.md).
import { windowsAround, mergeWindows, type Window } from '../../client/windows.ts'

/** The state of one kind. Times are Unix seconds unless they say otherwise. */
export interface PullState {
  /** SHA-256 of the address and the key of the pull. */
  readonly key: string
  /** Capabilities that the deployment announces. */
  readonly capabilities: readonly string[]
  /** The attributes that at least one record has had. */
  readonly carried: readonly string[]
  /** The pull has read all records created in this period; undefined until the first run ends. */
  readonly covered?: { readonly from: number; readonly until: number }
  /** When the last run ended, ms. */
  readonly at?: number
  /** The deployment counts differently from the mirror, or its times are unreliable: its counts prove nothing. */
  readonly countless?: true
  /** How many times in a row a count differed right after all records were read. */
  readonly uneven?: number
  /** How many records had no id or no attributes at the last full reading, or more since; absent for none. */
  readonly left_out?: number
  /** How many records pages may reach. */
  readonly most: number
  /** The unfinished run. */
  readonly run?: Run
}

/** A run from its start to its end, in one process or several. */
export interface Run {
  readonly from: number
  readonly until: number
  readonly full: boolean
  /** What the run must still read. */
  readonly windows: readonly Window[]
  /** Whether the run has added the windows of the last count. */
  readonly counted: boolean
  /** Records to read, as far as known at the start. */
  readonly total?: number
}

/** Records that pages may reach, until a service says otherwise. */
const usualMost = 5000

/** The next pull reads this much again, seconds: clocks differ, and records arrive late. */
const overlap = 600

/** The state before the first pull. */
export const newState = (key: string): PullState => ({ key, capabilities: [], carried: [], most: usualMost })

/** The request for a run: `since` in seconds, 0 for everything. */
export interface Wish {
  readonly since: number
  readonly full: boolean
}

/**
 * The run that a state needs now. `open` are the creation times, in seconds, of records that can still change. `gap` is
 * the largest distance at which they are still read together.
 */
export function newRun(
  state: PullState,
  { since, full }: Wish,
  now: number,
  { open, gap }: { readonly open: readonly number[]; readonly gap: number },
): Run {
  const { covered } = state
  if (covered === undefined || full)
    return { from: since, until: now, full, windows: [{ from: since, to: now }], counted: false }
  const tail = { from: Math.max(0, Math.min(covered.until - overlap, now)), to: Math.max(now, covered.until) }
  const before = since < covered.from ? [{ from: since, to: covered.from - 1 }] : []
  return {
    from: since,
    until: tail.to,
    full: false,
    windows: mergeWindows([...before, ...windowsAround(open, gap), tail]),
    counted: false,
  }
}

/** The state after a run has ended, at ms UTC. */
export function ended({ run, ...state }: PullState, at: number): PullState {
  const { covered } = state
  return {
    ...state,
    at,
    covered: { from: Math.min(covered?.from ?? Infinity, run!.from), until: Math.max(covered?.until ?? 0, run!.until) },
  }
}

/** The state with other windows to read. */
export const withWindows = (state: PullState, windows: readonly Window[]): PullState => ({
  ...state,
  run: { ...state.run!, windows },
})

/** What to say of records that shipx cannot keep or show. */
export function withoutName(n: number, kind: PullKind, part: 'name' | 'attributes' = 'attributes'): string {
  const [records, they] = n === 1 ? [kind.slice(0, -1), 'it was'] : [kind, 'they were']
  return `${n.toLocaleString('en-IN')} ${records} that the service sent had no id or no ${part}; ${they} left out`
}

/** The kinds of records that shipx can pull. */
export const pullKinds = ['shipments', 'returns', 'stores'] as const

export type PullKind = (typeof pullKinds)[number]

/** The one account of a mirror. */
export const mirrorAccount = 'default'
