// The command that prints all lines that cost too much: the command of a run, with another way to show them.
import { basename } from 'node:path'
import { commandLine } from '../../args/commandline.ts'
import type { Context } from '../../command/context.ts'
import { fileFormats, formats, type FlagValues } from '../../command/flags.ts'

/** Flags that say how something is shown, asked or kept. */
const aside: ReadonlySet<string> = new Set<string>([
  ...formats,
  ...fileFormats,
  ...'table out force by explain mail only replace yes quiet save-map wide columns fields jq lines'.split(' '),
])

/** The command of this run as one that prints the lines that cost too much as CSV, and that keeps nothing. */
export function overCommand(context: Context): string {
  const flags: FlagValues = new Map([...context.flags].filter(([name]) => !aside.has(name)))
  const reads = context.command.path[0] === 'reconcile'
  const more = new Map<string, true | string>([
    ...(reads ? ([['dry-run', true]] as const) : ([['lines', true]] as const)),
    ['only', 'over'],
    ['csv', true],
  ])
  // The page may go to others, who need not know the folder.
  const args = reads ? context.args.map((path) => basename(path)) : context.args
  return commandLine({ ...context, args }, new Map([...flags, ...more]))
}
