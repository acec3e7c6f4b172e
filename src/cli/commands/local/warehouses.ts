// `shipx local warehouse`: the warehouses on this computer that couriers pick orders up from.
import { isWarehouseId } from '../../config/profiles.ts'
import type { Fault } from '../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import { readPhone } from '../../../domain/read/phone.ts'
import {
  detailedWarehouses,
  removeWarehouse,
  setWarehouse,
  type DetailedWarehouse,
  type WarehouseDetails,
} from '../../../engine/accounts/settings.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse } from '../../source/engine.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { keepNames } from '../../help/names.ts'
import { printList, printOne } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

/** A warehouse as it is shown: its details where it has some. */
type Shown = Pick<DetailedWarehouse, 'id' | 'pincode'> & Partial<WarehouseDetails>

const detailNames = ['name', 'address', 'phone', 'gstin'] as const

const viewOf = (names: readonly (keyof WarehouseDetails)[]) =>
  plainView<Shown>(['warehouse', 'warehouses'], (warehouse) => warehouse.id, ['id', 'pincode', ...names])

const shownOf = (warehouse: DetailedWarehouse): Shown => ({
  id: warehouse.id,
  pincode: warehouse.pincode,
  ...Object.fromEntries(detailNames.flatMap((name) => (warehouse[name] === null ? [] : [[name, warehouse[name]]]))),
})

/** The state, five letters and four digits of a PAN, and what GST adds to it. */
const gstinForm = /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/

/** The details of a command line, as a label says them; the faults of those that cannot be meant. */
function detailsIn(given: Given): { readonly details: Partial<WarehouseDetails>; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const { name, address, phone: typed, gstin: number } = given
  for (const [field, text, most] of [
    ['--name', name, 200],
    ['--address', address, 1000],
  ] as const)
    if ((text ?? '').length > most) faults.push({ field, message: `has more than ${most} letters` })
  const phone = typed === undefined || typed === '' ? typed : readPhone(typed)
  if (typed !== undefined && phone === undefined)
    faults.push({ field: '--phone', message: 'must be a phone of ten digits that starts with 6 to 9' })
  const gstin = number?.trim().toUpperCase()
  if (gstin !== undefined && gstin !== '' && !gstinForm.test(gstin))
    faults.push({ field: '--gstin', message: `"${gstin.slice(0, 20)}" is not a GSTIN, for example 27ABCDE1234F1Z5` })
  const details = { name: name?.trim(), address: address?.trim(), phone, gstin }
  return {
    details: Object.fromEntries(Object.entries(details).filter(([, text]) => text !== undefined)),
    faults,
  }
}

const setOptions = { name: word, address: word, phone: word, gstin: word, dry_run: flag }

type Given = OptionsOf<typeof setOptions>

export const warehouseSet = verb(setOptions, async (context, options) => {
  const [id, given] = context.args
  const pincode = given === undefined ? undefined : readPincode(given)
  const faults: Fault[] = []
  if (id === undefined || id === '')
    faults.push({ field: '<id>', message: 'is required: the warehouse id without spaces' })
  else if (!isWarehouseId(id))
    faults.push({ field: '<id>', message: `"${id.slice(0, 40)}" is not a warehouse id; write it without spaces` })
  const fault = pincode === undefined ? 'is required: six digits' : pincodeFault(pincode)
  if (fault !== undefined) faults.push({ field: '<pincode>', message: fault })
  const { details, faults: wrong } = detailsIn(options)
  refuse(context, [...faults, ...wrong])
  if (options.dry_run)
    return wouldDo(context, `save warehouse ${id!} (${pincode!}) ${here(context)}`, {
      warehouse: id,
      pincode,
      ...details,
    })
  return withEngine(context, 'write', async (engine) => {
    const set = await engine.database.write(() => setWarehouse(engine.account, id!, pincode!, details))
    keepNames({ ...context, own: true }, ({ warehouses }) => ({ warehouses: [set.id, ...warehouses] }))
    await done(context, `Saved warehouse ${set.id} (${set.pincode}) ${here(context)}`)
    await printOne(context, shownOf(set), set.id)
    return 0
  })
})

export async function warehouseList(context: Context): Promise<number> {
  refuse(context, [])
  return withEngine(context, 'read', async (engine) => {
    const found = (await engine.database.read(() => detailedWarehouses(engine.account))).map(shownOf)
    const names = detailNames.filter((name) => found.some((one) => one[name] !== undefined))
    await printList(context, viewOf(names), found, 'No warehouses yet: shipx local warehouse set WH1 400001')
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
  await confirm(context, `Remove warehouse ${safe(id!)}`)
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
