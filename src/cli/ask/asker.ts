// The kinds of questions that shipx asks a person, and the interface of both ways of asking.
import { ShipxError } from '../../domain/errors.ts'

/** A question that a person answers by typing a line. */
export interface LineQuestion {
  readonly message: string
  /** Why the typed text is refused, or undefined when it is accepted. */
  readonly fault: (typed: string) => Promise<string | undefined>
  /** What shipx already knows about the typed text: the city of a pincode. '' when it knows nothing. */
  readonly hint?: (typed: string) => string
  /** The answer that an empty line stands for. */
  readonly suggestion?: string
}

/** One choice of a question that offers choices. */
export interface Choice {
  readonly value: string
  /** The label on the screen; text from outside has passed `safe`. */
  readonly name: string
}

/** Asks on standard error. Every question throws `interrupted` when the person cancels. */
export interface Asker {
  readonly line: (question: LineQuestion) => Promise<string>
  /** A line that the terminal does not show. */
  readonly secret: (question: Pick<LineQuestion, 'message' | 'fault'>) => Promise<string>
  readonly choice: (message: string, choices: readonly Choice[]) => Promise<string>
  /** Yes or no; an empty line means no. */
  readonly agree: (message: string) => Promise<boolean>
}

/** A person searches a longer list by typing. */
export const longList = 7

/** The error of a question that the person cancelled. */
export const cancelled = (): ShipxError => new ShipxError('interrupted', 'Cancelled.')
