// Turns faults into the words of a command's flags.
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import type { FlagValues } from './flags.ts'
import type { Command } from './tree.ts'
import type { Context } from './context.ts'

/** The flag for a field of the API: the typed one, or else the one in help. */
export function flagFor(command: Command, flags: FlagValues, field: string): string {
  const own = command.flags.filter((flag) => flag.key === field)
  const typed = own.find((flag) => flags.has(flag.name))
  const shown = typed ?? own.find((flag) => flag.hidden !== true) ?? own[0]
  return shown === undefined ? field : `--${shown.name}`
}

/** The fault of a missing argument, with its description. */
export function missingArgument({ command }: Pick<Context, 'command'>, name: string): Fault {
  const help = command.args.find((arg) => arg.name === name)?.help ?? ''
  return {
    field: `<${name}>`,
    message: `is required: ${help.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}`,
  }
}

/** An error whose faults name the flags that were given, where the rules of the business name the API's fields. */
export function byFlags({ command, flags }: Pick<Context, 'command' | 'flags'>, error: unknown): unknown {
  if (!(error instanceof ShipxError)) return error
  const typed = ({ field, row }: Fault): string | undefined =>
    row == null && field !== null
      ? command.flags.find(({ key, name }) => key === field && flags.has(name))?.name
      : undefined
  if (!error.details.some((fault) => typed(fault) !== undefined)) return error
  const { code, message, hint, status, retryable, retry_after_ms: wait } = error
  return new ShipxError(code, message, {
    details: error.details.map((fault) => ({ ...fault, field: typed(fault) ? `--${typed(fault)}` : fault.field })),
    status,
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
    cause: error,
  })
}

/** Faults that name the user's flags instead of the API's fields. */
export function inFlags(context: Context, faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => {
    if (fault.field === null || fault.field.startsWith('-')) return fault
    const [field, ...rest] = fault.field.split('.')
    const flag = flagFor(context.command, context.flags, field!)
    const message = fault.message.replace(
      /^is below (\w+);/,
      (_, other: string) => `is below ${flagFor(context.command, context.flags, other)};`,
    )
    return { ...fault, message, field: rest.length === 0 || flag !== field ? flag : fault.field }
  })
}

/** Throws all faults together if there are any: those of the command line and the given ones. */
export function refuse(context: Context, faults: readonly Fault[]): void {
  const named = new Set(context.faults.map((fault) => fault.field))
  const all = [...context.faults, ...faults.filter((fault) => fault.field === null || !named.has(fault.field))]
  const distinct = [...new Map(all.map((fault) => [`${String(fault.field)} ${fault.message}`, fault])).values()]
  if (distinct.length > 0) throw invalid(orderedByFlag(context, distinct))
}

function orderedByFlag(context: Context, faults: readonly Fault[]): readonly Fault[] {
  const order = context.command.flags.map((flag) => `--${flag.name}`)
  const place = (fault: Fault): number => {
    const index = order.indexOf(fault.field ?? '')
    return index === -1 ? order.length : index
  }
  return faults.toSorted((a, b) => place(a) - place(b))
}

/** Runs a check whose faults name API fields and returns its faults by flag instead of throwing. */
export function collect<T>(
  context: Context,
  check: () => T,
): { readonly value: T | undefined; readonly faults: readonly Fault[] } {
  try {
    return { value: check(), faults: [] }
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'invalid_input')
      return { value: undefined, faults: inFlags(context, error.details) }
    throw error
  }
}
