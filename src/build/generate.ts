// Writes the generated files that are in git: the pincode table, the proof of lines, the completion scripts, and three
// pages of docs/reference. `npm run generate` runs it. A test checks that the files are up to date.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { tree } from '../cli/commands/table.ts'
import { scripts } from '../cli/help/scripts.ts'
import { commandsPage, filtersPage } from './commandpages.ts'
import { journeysPage } from './journeys.ts'
import { lineProof } from './lineproof.ts'
import { compilePincodes } from './pincodes.ts'

const root = new URL('../..', import.meta.url)

const page = (text: string): Promise<string> => format(text, { parser: 'markdown', printWidth: 120 })

/** The text that each generated file must have, by the file's path in the project. */
export async function expectedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['src/domain/pincodes.data.ts', compilePincodes()],
    ['src/client/lineproof.data.ts', await lineProof()],
    ['docs/reference/commands.md', await page(commandsPage(tree))],
    ['docs/reference/filters.md', await page(filtersPage(tree))],
    ['docs/reference/journeys.md', await page(journeysPage())],
    ['completions/shipx.bash', scripts['bash']!],
    ['completions/_shipx', scripts['zsh']!],
    ['completions/shipx.fish', scripts['fish']!],
    ['completions/shipx.ps1', scripts['powershell']!],
  ])
}

/** The paths of generated files that are missing or out of date. */
export async function staleFiles(): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [path, text] of await expectedFiles()) {
    let current: string | undefined
    try {
      current = readFileSync(new URL(path, root), 'utf8')
    } catch {
      // A missing file counts as stale.
    }
    if (current !== text) stale.push(path)
  }
  return stale
}

/** Whether `node` started with the module at `url`. `path` may have spaces and lead through links. */
export const isEntry = (path: string | undefined, url: string): boolean =>
  path !== undefined && realpathSync(path) === realpathSync(fileURLToPath(url))

if (isEntry(process.argv[1], import.meta.url)) {
  for (const [path, text] of await expectedFiles()) writeFileSync(new URL(path, root), text)
}
