// How a person is asked: the kinds of questions there are, and which of the two ways asks them.
import { ShipxError } from '../../domain/errors.ts'

/** A question that is answered by typing a line. */
export interface LineQuestion {
  readonly message: string
  /** Why what was typed will not do, or undefined when it will. */
  readonly fault: (typed: string) => Promise<string | undefined>
  /** What is known of what has been typed so far: the city of a pincode. '' for nothing. */
  readonly hint?: (typed: string) => string
  /** The answer that an empty line means. */
  readonly suggestion?: string
}

/** One of the answers of a question that offers them. */
export interface Choice {
  readonly value: string
  /** How it is shown; text from outside has passed `safe`. */
  readonly name: string
}

/** Asks on standard error. Every question throws `interrupted` when the person cancels. */
export interface Asker {
  readonly line: (question: LineQuestion) => Promise<string>
  /** A line that is not shown. */
  readonly secret: (question: Pick<LineQuestion, 'message' | 'fault'>) => Promise<string>
  readonly choice: (message: string, choices: readonly Choice[]) => Promise<string>
  /** Yes or no; no when nothing is typed. */
  readonly agree: (message: string) => Promise<boolean>
}

/** Lists that are longer than this are searched by typing. */
export const longList = 7

/** What a question ends with when the person does not want to go on. */
export const cancelled = (): ShipxError => new ShipxError('interrupted', 'Cancelled.')
