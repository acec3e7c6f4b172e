// The names that completion offers: those that commands have seen, the profiles, the maps of files, and the profiles'
// own names. Reads nothing else, and uses no network and no database.
import { chosenProfile, defaultOrigin, peekProfiles, readProfiles } from '../config/profiles.ts'
import type { Asking } from './namesplace.ts'
import { plainName, seenNames, type SeenCourier } from './names.ts'

/** A value with its description. */
export type Candidate = readonly [value: string, about: string]

/** Kinds of names. */
export const nameKinds = ['stores', 'couriers', 'warehouses', 'profiles', 'aliases', 'maps', 'origins'] as const
export type NameKind = (typeof nameKinds)[number]

/** The names of a kind for a command line with these flags; none after any error. */
export async function namesFor(kind: NameKind, asking: Asking): Promise<readonly Candidate[]> {
  try {
    peekProfiles(asking.io)
    if (kind === 'profiles') return profiles(asking)
    if (kind === 'aliases')
      return Object.entries(readProfiles(asking.io).aliases ?? {}).filter(([, line]) => !/\p{Cc}/u.test(line))
    if (kind === 'maps') return Object.keys(readProfiles(asking.io).maps ?? {}).map((name) => [name, 'map'])
    if (kind === 'origins') return origins(asking)
    if (kind === 'warehouses') return warehouses(asking)
    const seen = seenNames(asking)
    if (kind === 'stores') return seen.stores.map((name) => [name, 'store'])
    const couriers = seen.couriers.length > 0 || !seen.embedded ? seen.couriers : await sampleCouriers()
    return couriers.map(({ id, name }) => [id, name])
  } catch {
    return []
  }
}

function profiles({ io }: Asking): readonly Candidate[] {
  const { current, profiles: all } = readProfiles(io)
  return Object.entries(all).map(([name, { base_url }]) => {
    const where = base_url === undefined ? 'this computer' : base_url.replace(/[^\w.:/[\]-]/g, '')
    return [name, `${where}${name === current ? ', the current one' : ''}`]
  })
}

function origins({ io, flags }: Asking): readonly Candidate[] {
  const origin = defaultOrigin(io, flags)
  return origin !== undefined && /^\d{6}$/.test(origin) ? [[origin, 'where parcels start']] : []
}

function warehouses(asking: Asking): readonly Candidate[] {
  const named = Object.entries(chosenProfile(asking.io, asking.flags)?.profile.warehouse ?? {}).filter(([name]) =>
    plainName(name),
  )
  return [
    ...named.map(([name, id]): Candidate => [name, plainName(id) ? `warehouse ${id}` : 'warehouse']),
    ...seenNames(asking).warehouses.map((id): Candidate => [id, 'warehouse']),
  ]
}

/** The couriers of the card that makes quotes until the user chooses another one. */
async function sampleCouriers(): Promise<readonly SeenCourier[]> {
  const { sampleCard } = await import('../../domain/rates/samplecard.ts')
  return sampleCard.services.map(({ carrier_id, carrier_name }) => ({ id: carrier_id, name: carrier_name }))
}
