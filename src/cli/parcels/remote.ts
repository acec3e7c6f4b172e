// Asking a deployment about many things: the pace, the patience, and when there is no use in going on.
import { setTimeout as sleep } from 'node:timers/promises'
import { budgetOf } from '../../client/budget.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { sourceOf, type Source } from '../source.ts'
import { oneLine, refused, type Answer } from './answers.ts'
import type { Pace } from './plan.ts'

/** Waits that a deployment asks for may take so long in all, ms. */
const patience = 600_000

/** A deployment as it is asked when there is much to ask. */
export function bulkSource(context: Context, { per_second }: Pace): Promise<Source> {
  const budget = budgetOf({
    ...(per_second === undefined ? {} : { per_second }),
    ticks: () => performance.now(),
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal })
    },
  })
  return sourceOf(context, 'read', { budget, patience_ms: patience })
}

/** So many questions in a row without an answer, and the next ones will have none either. */
const mostInVain = 5

/**
 * Answers whose failures that may pass are told as answers, until there are too many of them in a row. A service that has
 * never answered yet is given one.
 */
export function patient<T>(ask: (question: T) => Promise<Answer>): (question: T) => Promise<Answer> {
  let inVain = mostInVain - 1
  return async (question) => {
    try {
      const answer = await ask(question)
      inVain = 0
      return answer
    } catch (error) {
      if (!(error instanceof ShipxError) || !error.retryable || ++inVain >= mostInVain) throw error
      return refused(error.code, oneLine(error))
    }
  }
}
