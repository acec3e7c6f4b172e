// Questions with existing things to choose from: a store of the service, a warehouse of the profile.
import { done } from '../output/outcome.ts'
import type { Context } from '../command/context.ts'
import { databaseThere } from '../config/paths.ts'
import { text } from '../command/flags.ts'
import { keep } from '../command/kept.ts'
import { warehouseAlias } from '../config/profiles.ts'
import { placeOf } from '../../domain/pincodes.ts'
import { pincodeFault, readPincode } from '../../domain/read/pincode.ts'
import { quoted, safe } from '../terminal/safe.ts'
import { isRemote, sourceOf } from '../source/open.ts'
import type { Asker, Choice } from './asker.ts'
import { pickOr, pincodeHint } from './fields.ts'
import type { Question } from './missing.ts'
import { here } from '../source/place.ts'

/** The store to link an order to; not asked when the service has no store. */
export const store: Question = {
  about: ['store', 'store-name'],
  optional: true,
  ask: async ({ asker, context }) => {
    const stores = await storesOf(context)
    if (stores.length === 0) return {}
    const picked = await asker.choice('Store that the order is linked to', [{ value: '', name: 'No store' }, ...stores])
    return picked === '' ? {} : { store: picked }
  },
}

async function storesOf(context: Context): Promise<readonly Choice[]> {
  if (!(await isRemote(context)) && !databaseThere(context)) return []
  const { service, close } = await sourceOf(context, 'read')
  try {
    return (await service.listStores({})).data.map(({ store_name, brand_name }) => ({
      value: store_name,
      name: safe(store_name, 'id') + (brand_name == null || brand_name === '' ? '' : ` (${safe(brand_name)})`),
    }))
  } finally {
    await close()
  }
}

/** The warehouse to pick a parcel up from: one of the profile's, one of the engine's, or another id. */
export const warehouse: Question = {
  about: ['warehouse', 'warehouse-id'],
  ask: async ({ asker, context, fault }) => {
    const known = [...aliases(context), ...(await warehousesOf(context))]
    const answer = await pickOr(asker, {
      message: 'Warehouse that the parcel is picked up from',
      known,
      other: 'Another one',
      fault: (value) => fault({ warehouse: value }),
    })
    await placeNew(asker, context, answer)
    return { warehouse: answer }
  },
}

/**
 * Asks for the address of a warehouse that the engine does not know, and saves it: no courier picks up without an
 * address.
 */
async function placeNew(asker: Asker, context: Context, answer: string): Promise<void> {
  const { io, flags } = context
  if (flags.has('no-assign') || flags.has('dry-run') || (await isRemote(context))) return
  const id = warehouseAlias(io, flags, answer.trim())
  if ((await warehousesOf(context)).some(({ value }) => value === id)) return
  const typed = await asker.line({
    message: `Pincode of ${safe(id, 'id')}, a new warehouse`,
    fault: async (value) => pincodeFault(readPincode(value)),
    hint: pincodeHint,
  })
  const [{ setWarehouse }, { engine, close }] = await Promise.all([
    import('../../engine/accounts/settings.ts'),
    sourceOf(context, 'write'),
  ])
  try {
    await engine!.database.write(() => setWarehouse(engine!.account, id, readPincode(typed)))
  } finally {
    await close()
  }
  const what = `Warehouse ${id} (${readPincode(typed)})`
  const place = ['db', 'account'].flatMap((name) =>
    text(flags, name) === undefined ? [] : [` --${name} ${quoted(text(flags, name)!)}`],
  )
  keep(io, { what, undo: `shipx local warehouse remove ${quoted(id)}${place.join('')}` })
  await done(context, `${what} saved ${here(context)}`)
}

const aliases = ({ profile }: Context): readonly Choice[] =>
  Object.entries(profile()?.profile.warehouse ?? {}).map(([name, id]) => ({
    value: name,
    name: `${name} (${safe(id, 'id')})`,
  }))

/** The warehouses that the engine knows; a deployment cannot list its own. */
async function warehousesOf(context: Context): Promise<readonly Choice[]> {
  if ((await isRemote(context)) || !databaseThere(context)) return []
  const { engine, close } = await sourceOf(context, 'read')
  try {
    if (engine === undefined) return []
    const { listWarehouses } = await import('../../engine/accounts/settings.ts')
    const found = await engine.database.read(() => listWarehouses(engine.account))
    return found.map(({ id, pincode }) => ({
      value: id,
      name: `${safe(id, 'id')} (${placeOf(pincode)?.city ?? ''} ${pincode})`,
    }))
  } finally {
    await close()
  }
}
