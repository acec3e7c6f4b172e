// What needs nothing but the command tree: completion and the overview. A bundle of its own, so that they start at once.
import { paintFor } from './colour.ts'
import { complete } from './complete.ts'
import { overview } from './help.ts'
import type { Tree } from './tree.ts'
import treeData from './tree.json' with { type: 'json' }

/** The answer to completion, to a bare `shipx` and to `shipx --help` (bin/start.js asks for nothing else). */
export async function quick(argv: readonly string[], { stdout, env }: NodeJS.Process): Promise<string> {
  if (argv[0] === 'complete') return complete(argv.slice(argv[1] === '--' ? 2 : 1))
  const width = Number(env['SHIPX_FORCE_TTY'])
  return overview(
    treeData as unknown as Tree,
    await paintFor({ tty: stdout.isTTY === true || width > 0 }, { env }, undefined),
  )
}
