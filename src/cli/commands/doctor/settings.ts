// Checks of the user's settings: the file of profiles, who else can read it, which key applies and where it comes from.
// Names a broken file and leaves it unchanged.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { variable } from '../../terminal/io.ts'
import { configPath, namedProfile, ownFolder, endOf } from '../../config/profiles.ts'
import { holdsKey } from '../../config/target.ts'
import { settingsInUse } from '../../config/inuse.ts'
import { findProject } from '../../config/project.ts'
import { quoted } from '../../terminal/safe.ts'
import { failedBy, ok, warn, type Check, type Finding } from './check.ts'
import { modesOf } from './modes.ts'

/** What names the profile that applies. */
const places = {
  '--profile': '--profile',
  SHIPX_PROFILE: 'SHIPX_PROFILE',
  project: 'the profile of this project',
  current: 'the current profile',
} as const

const config: Check = {
  id: 'config',
  title: 'Profiles',
  look: ({ context: { io, flags }, profiles }) => {
    if ('error' in profiles) {
      const { found } = failedBy(profiles.error)
      return { ...failedBy(profiles.error), found: `${found}; the file is left as it is` }
    }
    const path = configPath(io)
    if (!existsSync(path)) return ok(`none yet (${path})`)
    const names = Object.keys(profiles.value.profiles)
    const named = namedProfile(io, flags)
    if (named !== undefined && !names.includes(named.name))
      return warn(`${places[named.by]} is ${named.name}, which is not there`, 'shipx profile list')
    return ok(`${names.length} in ${path}${named === undefined ? '' : `, ${named.name} in use`}`)
  },
}

const modes: Check = {
  id: 'config_modes',
  title: 'Rights of profiles',
  look: ({ context: { io } }) => {
    const path = configPath(io)
    const folder = dirname(path)
    if (!existsSync(path)) return undefined
    return modesOf(
      io.platform,
      [{ path, mode: 0o600 }, ...(ownFolder(io, folder) ? [{ path: folder, mode: 0o700 }] : [])],
      'the file that may hold a key',
    )
  },
}

const key: Check = {
  id: 'key',
  title: 'Key',
  look: async (scene): Promise<Finding | undefined> => {
    const {
      context: { io },
      profiles,
    } = scene
    if ('error' in profiles) return undefined
    const target = await scene.target()
    if ('error' in target) return failedBy(target.error)
    if (target.value.kind === 'embedded') {
      const idle = variable(io, 'SHIPX_API_KEY') !== undefined
      if (idle) return warn('SHIPX_API_KEY is set, but no address is', 'set SHIPX_BASE_URL, or shipx auth login')
      const held = Object.values(profiles.value.profiles).filter(holdsKey).length
      return ok(held === 0 ? 'none, and none is needed' : `${held} kept, none in use`)
    }
    const { key: text, key_from, profile } = target.value
    const end = endOf(text)
    const held = profile === undefined || key_from === 'SHIPX_API_KEY' ? '' : `, profile ${profile}`
    return ok(`from ${key_from}${held}${end === null ? '' : `, ends in ${end}`}`)
  },
}

const settings: Check = {
  id: 'settings',
  title: 'Settings',
  look: ({ context: { io, flags }, profiles }) => {
    // The check of the profiles reports a broken file.
    if ('error' in profiles) return undefined
    const project = findProject(io)
    const used = settingsInUse(io, flags).map(({ setting, value, from }) => `${setting} ${value} (${from})`)
    const found = used.length === 0 ? 'none: shipx uses its defaults' : used.join(', ')
    if (project?.ignored === undefined) return ok(found)
    return warn(
      `${found}; ${project.path} is ignored: ${project.ignored}`,
      `chmod o-w ${quoted(project.path)}, if it is yours`,
    )
  },
}

export const settingsChecks: readonly Check[] = [config, modes, settings, key]
