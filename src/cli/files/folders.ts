// Folders that are made when they are needed; knows none by name.
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and what is missing above it, one by one: Node's own way never ends below a folder in which nothing
 * can be made, such as /proc. Throws what the system says.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode })
    } catch (error) {
      // Another process may have made it in between.
      if (!existsSync(folder)) throw error
    }
  }
}
