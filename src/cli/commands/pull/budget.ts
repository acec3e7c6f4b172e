// How many requests a pull may send: 500 in 5 minutes unless the user or the deployment says otherwise, counted across
// processes.
import { budgetOf, type Budget } from '../../../client/budget.ts'

/** Requests by tenths of minutes: the start in ms UTC, and their number. */
export type Spent = readonly (readonly [at: number, requests: number])[]

const window = { requests: 500, ms: 300_000 }
const slice = 6000

/** The inputs of a budget. */
export interface PullBudgetPlan {
  /** The user's limit in place of the default. */
  readonly per_second: number | undefined
  /** What earlier processes sent. */
  readonly spent: Spent
  /** ms UTC. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /**
   * The capabilities that the deployment announces, once it has answered. One that announces any capability also
   * reports when requests are too many.
   */
  readonly announced: () => ReadonlySet<unknown> | undefined
}

/** The budget of a pull, and the requests of the last minutes. */
export function pullBudget({ per_second, spent, now, sleep, announced }: PullBudgetPlan): {
  readonly budget: Budget
  readonly spent: () => Spent
} {
  const ticks = (): number => performance.now()
  const recent = (list: Spent): Spent => list.filter(([at]) => at <= now() && now() - at < window.ms + slice)
  const before = recent(spent).flatMap(([at, n]) => Array.from({ length: n }, () => ticks() - (now() - at)))
  const free = budgetOf({ ticks, sleep, ...(per_second === undefined ? {} : { per_second }) })
  const strict = per_second === undefined ? budgetOf({ ticks, sleep, window, before }) : free
  const limited = (): boolean => (announced()?.size ?? 0) === 0
  let used: Spent = spent
  return {
    budget: {
      turn: async (signal) => {
        await (limited() ? strict : free).turn(signal)
        const at = now() - (now() % slice)
        const last = used.at(-1)
        used = last?.[0] === at ? [...used.slice(0, -1), [at, last[1] + 1]] : [...recent(used), [at, 1]]
      },
      heard: (refused) => (limited() ? strict : free).heard(refused),
    },
    spent: () => (limited() ? recent(used) : []),
  }
}
