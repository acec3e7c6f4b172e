// Asks for what a command line lacks. The command's own check finds what is missing and judges every answer, so there
// is one set of rules.
import type { Fault } from '../../domain/errors.ts'
import { canAsk } from './confirm.ts'
import type { Context } from '../command/context.ts'
import { asciiOnly } from '../terminal/colour.ts'
import { commandLine } from '../args/commandline.ts'
import { isTypable } from '../terminal/safe.ts'
import type { FlagValues } from '../command/flags.ts'
import type { Asker } from './asker.ts'
import { askerOf } from './ask.ts'

/** What a question can use. */
export interface Asking {
  readonly asker: Asker
  /** The run with all answers so far. */
  readonly context: Context
  /** Why the command refuses an answer, in its own words. */
  readonly fault: (answer: Answer) => Promise<string | undefined>
}

/** The flags that an answer sets; none for "leave it open". */
export type Answer = Readonly<Record<string, string | true | readonly string[]>>

/** A question of a command. */
export interface Question {
  /** The flags of the question. With one of them given, it is not asked; with a fault in one of them, it is. */
  readonly about: readonly string[]
  /** Never needed on its own: asked only together with other questions. */
  readonly optional?: true
  /** Whether the given value could mean two things; then the question is asked anyway. */
  readonly unclear?: (context: Context) => boolean
  readonly ask: (asking: Asking) => Promise<Answer>
}

/**
 * The run with everything that it needs. Asks only where a person can answer, and only when nothing else is wrong.
 * Otherwise returns the run unchanged, and the command reports its faults. `faultsOf` is the command's check: faults by
 * flag.
 */
export async function askMissing(
  context: Context,
  questions: readonly Question[],
  faultsOf: (context: Context) => Promise<readonly Fault[]>,
): Promise<Context> {
  if (context.faults.length > 0 || !context.attended || !canAsk(context)) return context
  const open = questions.filter(
    ({ about, unclear }) => !about.some((flag) => context.flags.has(flag)) || unclear?.(context) === true,
  )
  const wrong = await faultsOf(context)
  if (wrong.length === 0 || wrong.some((fault) => !open.some((question) => isAbout(question, fault)))) return context
  const asker = await askerOf(context)
  let answered = context
  for (const question of open) {
    const left =
      question.optional === true ? [] : (await faultsOf(answered)).filter((fault) => isAbout(question, fault))
    if (question.optional !== true && left.length === 0) continue
    const before = answered
    const fault = async (answer: Answer): Promise<string | undefined> => {
      const found = (await faultsOf(withFlags(before, answer))).filter((one) => isAbout(question, one))
      return found.length === 0 ? undefined : found.map(sentence).join('\n')
    }
    answered = withFlags(before, await question.ask({ asker, context: before, fault }))
  }
  // A command that would not do the same is left out.
  const words = [...answered.args, ...[...answered.flags.values()].flat()]
  if (words.every((word) => word === true || isTypable(word)))
    await context.note(`${asciiOnly(context.io) ? '->' : '→'} ${commandLine(answered, answered.flags)}`)
  return answered
}

const withFlags = (context: Context, answer: Answer): Context => {
  const flags: FlagValues = new Map([...context.flags, ...Object.entries(answer)])
  return { ...context, flags }
}

const nameOf = ({ field }: Fault): readonly string[] => (field ?? '').replace(/^--/, '').split('.')

const isAbout = ({ about }: Question, fault: Fault): boolean => about.includes(nameOf(fault)[0]!)

/** A fault without its flag, which the question names already; with the part of the value that is wrong. */
const sentence = (fault: Fault): string => [...nameOf(fault).slice(1), fault.message].join(' ')
