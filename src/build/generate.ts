// Writes (or with --check compares) the files that are generated and committed: the pincode table, the command tree, the
// completion scripts, the manual page. Run by `npm run generate` and by the tests.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { scripts } from '../cli/help/scripts.ts'
import { tree } from '../cli/commands/table.ts'
import { manPage } from './manpage.ts'
import { journeysPage } from './journeys.ts'
import { compilePincodes } from './pincodes.ts'

const root = new URL('../..', import.meta.url)

/** Every generated file by its path in the project, with the text that it must have. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  return new Map([
    ['src/domain/pincodes.data.ts', compilePincodes()],
    ['src/cli/tree.json', await format(JSON.stringify(tree), { parser: 'json', printWidth: 120 })],
    ['docs/journeys.md', await format(journeysPage(), { parser: 'markdown', printWidth: 120 })],
    ['completions/shipx.bash', scripts['bash']!],
    ['completions/_shipx', scripts['zsh']!],
    ['completions/shipx.fish', scripts['fish']!],
    ['completions/shipx.ps1', scripts['powershell']!],
    ['man/shipx.1', manPage(tree, version)],
  ])
}

/** The generated files that are not what they should be. */
export async function stale(): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [path, text] of await generated()) {
    let there = ''
    try {
      there = readFileSync(new URL(path, root), 'utf8')
    } catch {
      // A missing file is a stale one.
    }
    if (there !== text) wrong.push(path)
  }
  return wrong
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  mkdirSync(new URL('man/', root), { recursive: true })
  for (const [path, text] of await generated()) writeFileSync(new URL(path, root), text)
}
