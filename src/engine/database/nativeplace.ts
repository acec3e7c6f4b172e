// How to install the SQLite module for the shipx that runs: that depends on where npm put shipx. npm leaves an optional
// package out in silence when its installation fails, so that rebuilding it then does nothing and reports success.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../../domain/shellword.ts'

/** The release that shipx is tested with, as npm names it. */
const wanted = 'better-sqlite3@12.11.1'

/** Whether npm kept the folder of the module; without its built file it needs a rebuild, not an installation. */
export function moduleIsThere(): boolean {
  const paths = createRequire(import.meta.url).resolve.paths('better-sqlite3') ?? []
  return paths.some((path) => existsSync(join(path, 'better-sqlite3', 'package.json')))
}

/** The command that installs the module, and shows what fails. */
export const installation = (): string =>
  commandAt({ global: `npm install -g ${wanted}`, project: `npm install ${wanted}`, clone: inClone })

/** The command that gets or compiles the built file of a module that is there. */
export const rebuild = (): string =>
  commandAt({ global: 'npm rebuild -g better-sqlite3', project: 'npm rebuild better-sqlite3' })

/** In a clone the package stays optional, whatever is typed: only the output of its scripts shows why it fails. */
const inClone = 'npm install --foreground-scripts'

/** A command with the folder to run it in: of the project that installed shipx, or of a clone; globally none. */
function commandAt(command: { readonly global: string; readonly project: string; readonly clone?: string }): string {
  let root = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(root, 'package.json'))) root = dirname(root)
  const inModules = basename(dirname(root)) === 'node_modules'
  const folder = inModules ? dirname(dirname(root)) : root
  // npm writes a package.json next to node_modules, but not where it installs globally.
  if (inModules && !existsSync(join(folder, 'package.json'))) return command.global
  return `cd ${shellWord(folder)} && ${inModules ? command.project : (command.clone ?? command.project)}`
}
