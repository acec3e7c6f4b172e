// How far the pull of a kind has come, as it is kept next to its records, and what the next run has to read; sends
// nothing and stores nothing (docs/mirror.md).
import { windowsAround, mergeWindows, type Window } from '../../client/windows.ts'

/** The state of one kind. Times are Unix seconds unless they say otherwise. */
export interface PullState {
  /** SHA-256 of the address and the key that it was pulled with. */
  readonly key: string
  /** What the deployment announces. */
  readonly capabilities: readonly string[]
  /** The attributes that at least one record has had. */
  readonly carried: readonly string[]
  /** What was created from here to there has been read; undefined before the first run has ended. */
  readonly covered?: { readonly from: number; readonly until: number }
  /** When the last run ended, ms. */
  readonly at?: number
  /** The deployment counts in another way than the mirror, or times are not what they seem: counts say nothing. */
  readonly countless?: true
  /** How often in a row a count was another one although all had just been read. */
  readonly uneven?: number
  /** Records that pages may reach. */
  readonly most: number
  /** A run that has not ended. */
  readonly run?: Run
}

/** A run from its start to its end, in one process or several. */
export interface Run {
  readonly from: number
  readonly until: number
  readonly full: boolean
  /** What is left to be read. */
  readonly windows: readonly Window[]
  /** Whether the windows of the last count have been added. */
  readonly counted: boolean
  /** Records to be read, as far as that was known when it began. */
  readonly total?: number
}

/** Records that pages may reach before a service has said otherwise. */
const usualMost = 5000

/** What was pulled last is asked for again so far back, seconds: clocks differ, and records arrive late. */
const overlap = 600

/** No pull yet. */
export const newState = (key: string): PullState => ({ key, capabilities: [], carried: [], most: usualMost })

/** What a run is asked to do: `since` in seconds, 0 for everything. */
export interface Wish {
  readonly since: number
  readonly full: boolean
}

/**
 * The run that a state needs now. `open` are the seconds at which records were created that can still change, and `gap`
 * how far apart they may lie and still be read together.
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

/** A state with other windows to read. */
export const withWindows = (state: PullState, windows: readonly Window[]): PullState => ({
  ...state,
  run: { ...state.run!, windows },
})

/** What can be pulled. */
export const pullKinds = ['shipments', 'returns', 'stores'] as const

export type PullKind = (typeof pullKinds)[number]

/** The one account of a mirror. */
export const mirrorAccount = 'default'
