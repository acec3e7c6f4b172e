// What dist/ was made of. The tests do not build again what `npm ci` has just built.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stateFile = join(root, 'node_modules', '.cache', 'shipx', 'built.json')

/** What a build reads: another byte in any of it, and dist/ is made anew. */
const ingredients = [
  'src',
  'bin',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
]

/**
 * The digest of files and folders of the checkout, by their names and bytes, and of Node's version.
 * @param {readonly string[]} paths
 */
export function digestOf(paths) {
  const hash = createHash('sha256').update(process.version)
  /** @param {string} path */
  const add = (path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`\0${path}\0${entry?.isFile() === true ? entry.size : ''}\0`)
    if (entry?.isDirectory() === true)
      for (const name of readdirSync(join(root, path)).toSorted()) add(join(path, name))
    else if (entry !== undefined) hash.update(readFileSync(join(root, path)))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

const state = () => JSON.stringify({ made: digestOf(ingredients), dist: digestOf(['dist']) })

/** Before a build: a build that stops in between leaves nothing that would be believed. */
export const forgetBuild = () => rmSync(stateFile, { force: true })

/** After a build. */
export function rememberBuild() {
  mkdirSync(dirname(stateFile), { recursive: true })
  writeFileSync(stateFile, state())
}

/** Whether dist/ is what a build of these files made. */
export function isBuilt() {
  try {
    return readFileSync(stateFile, 'utf8') === state()
  } catch {
    return false
  }
}
