// The checkout under test: where it is, and which of its files git knows, so that no test fails over a stray file.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..')

/** The files of a folder that git knows and that are there, as paths from the root. */
export function trackedFiles(folder: string): readonly string[] {
  const known = execFileSync('git', ['ls-files', '-z', '--', folder], { cwd: root, encoding: 'utf8' })
  return known.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
