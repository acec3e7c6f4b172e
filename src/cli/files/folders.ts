// The folder of what shipx keeps on this computer, and how folders are made when they are needed.
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Io } from '../terminal/io.ts'

/** The folder for everything that shipx keeps, unless the user chose another place. */
export function dataFolder({ env, platform, home }: Io): string {
  const own = env['SHIPX_DATA_DIR']
  if (own !== undefined && own !== '') return own
  // An empty variable would make a folder in whatever folder shipx runs in.
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'shipx')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'shipx')
  const xdg = env['XDG_DATA_HOME']
  return join(xdg !== undefined && xdg !== '' ? xdg : join(home, '.local', 'share'), 'shipx')
}

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
