// Writes the files that are generated and committed: the pincode table, the completion scripts and the page of
// journeys. `npm run generate` runs it; a test compares its output with the files.
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { scripts } from '../cli/help/scripts.ts'
import { journeysPage } from './journeys.ts'
import { compilePincodes } from './pincodes.ts'

const root = new URL('../..', import.meta.url)

/** Every generated file by its path in the project, with its correct text. */
export async function generated(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['src/domain/pincodes.data.ts', compilePincodes()],
    ['docs/journeys.md', await format(journeysPage(), { parser: 'markdown', printWidth: 120 })],
    ['completions/shipx.bash', scripts['bash']!],
    ['completions/_shipx', scripts['zsh']!],
    ['completions/shipx.fish', scripts['fish']!],
    ['completions/shipx.ps1', scripts['powershell']!],
  ])
}

/** The generated files whose text is not correct. */
export async function stale(): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [path, text] of await generated()) {
    let there = ''
    try {
      there = readFileSync(new URL(path, root), 'utf8')
    } catch {
      // A missing file counts as stale.
    }
    if (there !== text) wrong.push(path)
  }
  return wrong
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [path, text] of await generated()) writeFileSync(new URL(path, root), text)
}
