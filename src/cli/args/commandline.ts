// Turns a command with its arguments and flags into a line that a shell can run again.
import type { Context } from '../command/context.ts'
import { shownDatabase, isDatabaseUrl } from '../config/paths.ts'
import type { FlagValues } from '../command/flags.ts'
import { quoted } from '../terminal/safe.ts'
import type { Command } from '../command/tree.ts'

/** The same command line; the address of a database loses its password. */
export function commandLine({ command, args }: Pick<Context, 'command' | 'args'>, flags: FlagValues): string {
  const typed = [...flags].flatMap(([name, value]) => flagWords(command, name, value))
  return ['shipx', ...command.path, ...args.map(quoted), ...typed].join(' ')
}

function flagWords(command: Command, name: string, value: true | string | readonly string[]): readonly string[] {
  if (value === true) return [`--${name}`]
  const repeated = command.flags.find((flag) => flag.name === name)?.kind === 'repeated'
  const values = typeof value === 'string' ? [value] : repeated ? value : [value.join(',')]
  return values.flatMap((one) => {
    const word = quoted(name === 'database' && isDatabaseUrl(one) ? shownDatabase(one) : one)
    // A word that starts with a dash would look like a flag.
    return one.startsWith('-') ? [`--${name}=${word}`] : [`--${name}`, word]
  })
}
