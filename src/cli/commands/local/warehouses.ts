// `shipx local warehouse`: the warehouses on this computer that couriers pick orders up from.
import { isWarehouseId } from '../../config/profiles.ts'
import type { Fault } from '../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import { listWarehouses, removeWarehouse, setWarehouse } from '../../../engine/accounts/settings.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { keepNames } from '../../help/names.ts'
import { printList, printOne } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

const warehouseView = plainView<{ id: string; pincode: string }>(
  ['warehouse', 'warehouses'],
  (warehouse) => warehouse.id,
  ['id', 'pincode'],
)

export const warehouseSet = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [id, given] = context.args
  const pincode = given === undefined ? undefined : readPincode(given)
  const faults: Fault[] = []
  if (id === undefined || id === '')
    faults.push({ field: '<id>', message: 'is required: the warehouse id without spaces' })
  else if (!isWarehouseId(id))
    faults.push({ field: '<id>', message: `"${id.slice(0, 40)}" is not a warehouse id; write it without spaces` })
  const fault = pincode === undefined ? 'is required: six digits' : pincodeFault(pincode)
  if (fault !== undefined) faults.push({ field: '<pincode>', message: fault })
  refuse(context, faults)
  if (dry) return wouldDo(context, `save warehouse ${id!} (${pincode!}) ${here(context)}`, { warehouse: id, pincode })
  return withEngine(context, 'write', async (engine) => {
    const set = await engine.database.write(() => setWarehouse(engine.account, id!, pincode!))
    keepNames({ ...context, own: true }, ({ warehouses }) => ({ warehouses: [set.id, ...warehouses] }))
    await done(context, `Saved warehouse ${set.id} (${set.pincode}) ${here(context)}`)
    await printOne(context, set, set.id)
    return 0
  })
})

export async function warehouseList(context: Context): Promise<number> {
  refuse(context, [])
  return withEngine(context, 'read', async (engine) => {
    const found = await engine.database.read(() => listWarehouses(engine.account))
    await printList(context, warehouseView, found, 'No warehouses yet: shipx local warehouse set WH1 400001')
    keepNames({ ...context, own: true }, { warehouses: found.map((warehouse) => warehouse.id) })
    return 0
  })
}

export const warehouseRemove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [id] = context.args
  refuse(context, id === undefined ? [{ field: '<id>', message: 'is required: the warehouse id' }] : [])
  if (dry) {
    await rehearse(context, ({ account }) => removeWarehouse(account, id!))
    return wouldDo(context, `remove warehouse ${id!} ${here(context)}`, { remove_warehouse: id })
  }
  await confirm(context, `Removing warehouse ${safe(id!)}`)
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(() => removeWarehouse(engine.account, id!))
    keepNames({ ...context, own: true }, ({ warehouses }) => ({
      warehouses: warehouses.filter((other) => other !== id),
    }))
    await done(context, `Removed warehouse ${safe(id!)} ${here(context)}`)
    await printOne(context, { id }, id!)
    return 0
  })
})
