// A command with its arguments and flags as a line that a shell runs again; knows no single command.
import type { Context } from '../command/context.ts'
import { shownDatabase, isDatabaseUrl } from '../config/paths.ts'
import type { FlagValues } from '../command/flags.ts'
import { quoted } from '../terminal/safe.ts'
import type { Command } from '../command/tree.ts'

/** The command line that says the same; an address of a database without its password. */
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
    // What begins with a dash would be taken for a flag.
    return one.startsWith('-') ? [`--${name}=${word}`] : [`--${name}`, word]
  })
}
