// Completion and the overview, which need only the command tree and saved names. A separate bundle, so that they start
// at once.
import { paintFor } from './terminal/colour.ts'
import { complete } from './help/complete.ts'
import { overview } from './help/help.ts'
import { peekProfiles } from './config/profiles.ts'
import { systemIo } from './terminal/io.ts'
import { namesFor } from './help/offered.ts'
import type { Tree } from './command/tree.ts'
import treeData from './tree.json' with { type: 'json' }

const tree = treeData as unknown as Tree

/** The user's aliases; none when the file of profiles cannot be read: the overview is there all the same. */
function aliasesOf(process: NodeJS.Process): Readonly<Record<string, string>> {
  try {
    return peekProfiles(systemIo(process)).aliases ?? {}
  } catch {
    return {}
  }
}

/** Answers completion, a bare `shipx` and `shipx --help` (bin/start.js passes nothing else). */
export async function quick(argv: readonly string[], process: NodeJS.Process): Promise<string> {
  if (argv[0] === 'complete')
    return complete(tree, argv.slice(argv[1] === '--' ? 2 : 1), (kind, flags, own) =>
      namesFor(kind, { io: systemIo(process), flags, own }),
    )
  const { stdout, env } = process
  const forced = Number(env['SHIPX_FORCE_TTY'])
  const tty = stdout.isTTY === true || forced > 0
  const columns = forced > 0 ? forced : stdout.columns || 80
  const paint = await paintFor({ tty }, { env }, undefined)
  return overview(tree, { paint, columns: tty ? columns : undefined, aliases: aliasesOf(process) })
}
