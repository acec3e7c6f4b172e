// The files that come with the program: next to it, or inside it where shipx is one file (docs/inside/singlefile.md).
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ThreadCode } from '../terminal/threadcode.ts'

/** The built files of threads. */
type Thread = 'reader' | 'records' | 'sql' | 'jq' | 'write'

/** A program, and the words that come before its own. */
export type CommandWords = readonly [program: string, ...words: readonly string[]]

export interface Installed {
  readonly version: string
  /** Starts shipx again, before a command line. */
  readonly command: CommandWords
  /** Starts the process of `shipx sql`. */
  readonly sql: CommandWords
  readonly thread: (name: Thread) => ThreadCode
  /** The bytes of a file by its path in dist/. Throws where there is none. */
  readonly file: (name: string) => Buffer
  /** The pages: their list (docs/README.md), and their folder; undefined where they did not come along. */
  readonly pages: { readonly list: string | undefined; readonly folder: string | undefined }
}

/** Finds the files, from the bundle (dist/) as well as from the sources. */
export function installed(): Installed {
  const own = fileURLToPath(import.meta.url)
  return own === process.execPath ? insideOf(own) : beside(own)
}

const versionIn = (about: string): string => (JSON.parse(about) as { readonly version: string }).version

function beside(own: string): Installed {
  let root = dirname(own)
  while (!existsSync(join(root, 'package.json'))) root = dirname(root)
  const built = (name: string): string => join(root, 'dist', name)
  const [folder, list] = [join(root, 'docs'), join(root, 'docs', 'README.md')]
  return {
    version: versionIn(readFileSync(join(root, 'package.json'), 'utf8')),
    command: [process.execPath, join(root, 'bin', 'shipx.js')],
    sql: [process.execPath, built('sql.cjs')],
    thread: (name) => ({ code: built(`${name}.cjs`), options: {} }),
    file: (name) => readFileSync(built(name)),
    get pages() {
      return { folder, list: existsSync(list) ? readFileSync(list, 'utf8') : undefined }
    },
  }
}

/** The program is Node with the build inside. src/build/single/main.js starts each part by its name. */
function insideOf(program: string): Installed {
  const { getRawAsset } = process.getBuiltinModule('node:sea')
  const file = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer)
  const part = (name: Thread): string => `::${name}`
  return {
    version: versionIn(file('package.json').toString()),
    command: [program],
    sql: [program, part('sql')],
    thread: (name) => ({ code: file('main.cjs').toString('latin1'), options: { eval: true, argv: [part(name)] } }),
    file,
    get pages() {
      // Where the archive has them, and where install.sh puts them.
      const folder = join(dirname(program), '..', 'share', 'doc', 'shipx')
      return { list: file('pages.md').toString(), folder: existsSync(folder) ? folder : undefined }
    },
  }
}
