// The check of a deployment's mirror: whether it exists, whether it is complete, and how old it is.
import { existsSync } from 'node:fs'
import { openFile } from '../../source/engine.ts'
import { ageOf, mirrorStates } from '../../source/mirror.ts'
import { mirrorPlace } from '../../source/mirrorpath.ts'
import { ok, warn, type Check } from './check.ts'

/** An older mirror says little about parcels on their way, ms. */
const old = 7 * 86_400_000

const mirror: Check = {
  id: 'mirror',
  title: 'Mirror',
  look: async (scene) => {
    const { context } = scene
    const deployment = scene.deployment()
    if ('error' in deployment || deployment.value === undefined) return undefined
    const place = mirrorPlace(context)
    if (place === undefined) return undefined
    if (!existsSync(place.path)) return ok('none; shipx pull makes one')
    const database = await openFile(context, place.path, 'read')
    try {
      const states = [...(await mirrorStates(database)).states]
      if (states.length === 0) return warn(`${place.path} is empty`, 'shipx pull')
      const unfinished = states.filter(([, { covered }]) => covered === undefined).map(([kind]) => kind)
      if (unfinished.length > 0)
        return warn(`the first pull of its ${unfinished.join(' and ')} has not ended`, 'shipx pull')
      const age = context.io.host.now() - Math.min(...states.map(([, { at }]) => at ?? 0))
      const found = `${states.map(([kind]) => kind).join(', ')}, ${ageOf(age)} old`
      return age > old ? warn(found, 'shipx pull') : ok(found)
    } finally {
      await database.close()
    }
  },
}

export const mirrorChecks: readonly Check[] = [mirror]
