// The check of tab completion: whether the script of a shell lies where that shell looks for it, and is this version's.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../completion.ts'
import { variable, type Io } from '../io.ts'
import { ok, warn, type Check } from './check.ts'

/** Where the script of each shell is kept. */
function places(io: Io): Readonly<Record<string, string>> {
  const data = variable(io, 'XDG_DATA_HOME') ?? join(io.home, '.local', 'share')
  const config = variable(io, 'XDG_CONFIG_HOME') ?? join(io.home, '.config')
  return {
    bash: join(data, 'bash-completion', 'completions', 'shipx'),
    zsh: join(data, 'zsh', 'site-functions', '_shipx'),
    fish: join(config, 'fish', 'completions', 'shipx.fish'),
  }
}

const completion: Check = {
  id: 'completion',
  title: 'Completion',
  look: ({ context: { io } }) => {
    const found = Object.entries(places(io)).filter(([, path]) => existsSync(path))
    if (found.length === 0) return ok('no script in the usual places; shipx completion prints one')
    const stale = found.find(([shell, path]) => readFileSync(path, 'utf8') !== scripts[shell])
    if (stale !== undefined)
      return warn(`${stale[1]} is of another version`, `shipx completion ${stale[0]} > ${stale[1]}`)
    return ok(`for ${found.map(([shell]) => shell).join(', ')}`)
  },
}

export const completionChecks: readonly Check[] = [completion]
