// How many requests a pull may send: 500 in 5 minutes unless the user or the deployment says otherwise, counted over several
// processes; knows no request.
import { budgetOf, type Budget } from '../../../client/budget.ts'

/** Requests by tenths of minutes: the beginning in ms UTC, and how many. */
export type Spent = readonly (readonly [at: number, requests: number])[]

const window = { requests: 500, ms: 300_000 }
const slice = 6000

/** What a budget is made of. */
export interface PullBudgetPlan {
  /** What the user asks for in the place of the usual limit. */
  readonly per_second: number | undefined
  /** What earlier processes sent. */
  readonly spent: Spent
  /** ms UTC. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** What the deployment announces, once it has answered: one that announces anything says itself when it is too much. */
  readonly announced: () => ReadonlySet<unknown> | undefined
}

/** The budget of a pull, and what of it was used in the last minutes. */
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
