// Asks for what a command line lacks: the command's own check says what that is and judges every answer, so that there
// is one set of rules.
import type { Fault } from '../../domain/errors.ts'
import { canAsk } from './confirm.ts'
import type { Context } from '../command/context.ts'
import { asciiOnly } from '../terminal/colour.ts'
import { commandLine } from '../args/commandline.ts'
import type { FlagValues } from '../command/flags.ts'
import type { Asker } from './asker.ts'
import { askerOf } from './ask.ts'

/** What a question has at hand. */
export interface Asking {
  readonly asker: Asker
  /** The run with everything that has been answered so far. */
  readonly context: Context
  /** Why an answer will not do, as the command itself would say it. */
  readonly fault: (answer: Answer) => Promise<string | undefined>
}

/** The flags that an answer fills; none for "leave it open". */
export type Answer = Readonly<Record<string, string | true | readonly string[]>>

/** A question of a command. */
export interface Question {
  /** The flags that it is about: with one of them given it is not asked, with a fault of one of them it is needed. */
  readonly about: readonly string[]
  /** Never needed, and asked only together with others. */
  readonly optional?: true
  /** Whether a flag that was given could mean two things: it is asked all the same. */
  readonly unclear?: (context: Context) => boolean
  readonly ask: (asking: Asking) => Promise<Answer>
}

/**
 * The run with everything that is needed: asked for where a person can answer, and only when nothing else is wrong.
 * Otherwise the run as it is, whose faults the command reports. `faultsOf` is that command's check, faults by flag.
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
  await context.note(`${asciiOnly(context.io) ? '->' : '→'} ${commandLine(answered, answered.flags)}`)
  return answered
}

const withFlags = (context: Context, answer: Answer): Context => {
  const flags: FlagValues = new Map([...context.flags, ...Object.entries(answer)])
  return { ...context, flags }
}

const nameOf = ({ field }: Fault): readonly string[] => (field ?? '').replace(/^--/, '').split('.')

const isAbout = ({ about }: Question, fault: Fault): boolean => about.includes(nameOf(fault)[0]!)

/** A fault without its flag, which the question names; with the part of the value that it is about. */
const sentence = (fault: Fault): string => [...nameOf(fault).slice(1), fault.message].join(' ')
