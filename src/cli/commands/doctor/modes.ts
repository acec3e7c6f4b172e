// Which other users can reach a file, and closing it to them. Reads no file.
import { chmodSync, statSync } from 'node:fs'
import { fail, ok, type Finding } from './check.ts'

/** A path and the rights that it should have: 0600 for a file, 0700 for a folder. */
export interface Guarded {
  readonly path: string
  readonly mode: number
}

const shown = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0')

/**
 * Whether other users can reach the files; `what` is their content. Returns undefined when nothing exists, or on a
 * system with another kind of rights.
 */
export function modesOf(platform: string, guarded: readonly Guarded[], what: string): Finding | undefined {
  if (platform === 'win32') return undefined
  const there = guarded.flatMap(({ path, mode }) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path, mode, has: found.mode }]
  })
  if (there.length === 0) return undefined
  const loose = there.filter(({ has }) => (has & 0o077) !== 0)
  if (loose.length === 0) return ok(there.map(({ path, has }) => `${path} ${shown(has)}`).join(', '))
  const wrong = loose.map(({ path, mode, has }) => `${path} is ${shown(has)} instead of ${shown(mode)}`).join(', ')
  return {
    ...fail(`others can reach ${what}: ${wrong}`, 'shipx doctor --fix'),
    repair: () => {
      for (const { path, mode } of loose) chmodSync(path, mode)
      return loose.map(({ path, mode }) => `${path} is ${shown(mode)} now`).join(', ')
    },
  }
}
