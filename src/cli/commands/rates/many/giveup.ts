// Asking a deployment about many parcels: when there is no use in going on.
import { ShipxError } from '../../../../domain/errors.ts'
import { oneLine, refused, type Answer } from './pricers.ts'

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
