// Files installed next to the program: its version and what a server needs.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version, the program, built files of threads and processes, jq, the fonts, the API page, and the guides. */
export interface Installed {
  readonly version: string
  readonly program: string
  readonly reader: string
  readonly records: string
  readonly sql: string
  readonly jq: string
  readonly wasm: string
  readonly fonts: string
  readonly assets: string
  readonly pages: string
}

/** Finds the files, from the bundle (dist/) as well as from the sources. */
export function installed(): Installed {
  let root = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(root, 'package.json'))) root = dirname(root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  return {
    version,
    program: join(root, 'bin', 'shipx.js'),
    reader: join(root, 'dist', 'reader.cjs'),
    records: join(root, 'dist', 'records.cjs'),
    sql: join(root, 'dist', 'sql.cjs'),
    jq: join(root, 'dist', 'jq.cjs'),
    wasm: join(root, 'dist', 'jq.wasm'),
    fonts: join(root, 'dist', 'fonts'),
    assets: join(root, 'dist', 'docs'),
    pages: join(root, 'docs'),
  }
}
