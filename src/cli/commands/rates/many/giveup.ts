// Decides when to stop asking a deployment about many parcels.
import { ShipxError } from '../../../../domain/errors.ts'
import { oneLine, refused, type Answer } from './pricers.ts'

/** After this many failures in a row the rest is not tried. */
const mostInVain = 5

/**
 * Turns temporary failures into answers, until too many follow one another. At a service that has never answered, the
 * first failure is thrown.
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
