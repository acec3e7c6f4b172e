// How to install the SQLite module for the shipx that runs: that depends on where npm put shipx. npm leaves an optional
// package out in silence when its installation fails, so that rebuilding it then does nothing and reports success.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { shellWord } from '../../domain/shellword.ts'

/** The release that shipx is tested with, as npm names it. */
const wanted = 'better-sqlite3@12.11.1'

/** The folders of packages that Node searches for the module, from the program's own upwards. */
const searched = (): readonly string[] => createRequire(import.meta.url).resolve.paths('better-sqlite3') ?? []

/** Whether npm kept the folder of the module; without its built file it needs a rebuild, not an installation. */
export const moduleIsThere = (): boolean =>
  searched().some((packages) => existsSync(`${packages}/better-sqlite3/package.json`))

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
  const folders = searched().map((packages) => packages.slice(0, -'/node_modules'.length))
  const own = folders.findIndex((folder) => existsSync(`${folder}/package.json`))
  const [root = '', above = ''] = folders.slice(own)
  // Above a package that is installed, the next folder is the one that holds its node_modules.
  const installed = root.startsWith(above) && /^[/\\]node_modules[/\\]/.test(root.slice(above.length))
  const folder = installed ? above : root
  // npm writes a package.json next to node_modules, but not where it installs globally.
  if (installed && !existsSync(`${folder}/package.json`)) return command.global
  return `cd ${shellWord(folder)} && ${installed ? command.project : (command.clone ?? command.project)}`
}
