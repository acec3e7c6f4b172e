// Makes labels of parcels: looks up what their records do not say, and sets apart those that get none.
import type { Fault } from '../../../domain/errors.ts'
import { labelOf, type Godown, type Label, type LabelSources, type NoLabel } from '../../../domain/labels/label.ts'
import type { Fields } from '../../../domain/foreign/values.ts'
import { detailedWarehouses } from '../../../engine/accounts/settings.ts'
import { brandNames, ordersOf } from '../../../engine/orders/labelsources.ts'
import type { Context } from '../../command/context.ts'
import { fitsLabel } from '../../labels/labelpage.ts'
import type { Source } from '../../source/source.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { reading } from '../ratecards/cards.ts'
import type { Parcel } from './parcelsnamed.ts'

/** Makes labels of parcels, in their order. */
export interface LabelMaker {
  readonly made: (parcels: readonly Parcel[]) => Promise<readonly Label[]>
  /** The parcels without a label, each with its reason. */
  readonly leftOut: readonly Fault[]
  /** How many labels have no street. */
  readonly streetless: () => number
  /** How many labels say nothing of where an undelivered parcel goes. */
  readonly homeless: () => number
}

/** The warehouses of this computer, by their ids: also for the parcels of a mirror and of a deployment. */
const godownsHere = (context: Context, { engine, mirror }: Source): Promise<ReadonlyMap<string, Godown>> => {
  const read = async ({ database, account }: NonNullable<Source['engine']>): Promise<ReadonlyMap<string, Godown>> => {
    const all = await database.read(() => detailedWarehouses(account), 'single')
    return new Map(all.map((godown) => [godown.id, godown]))
  }
  return engine !== undefined && mirror === undefined ? read(engine) : reading(context, read, () => new Map())
}

/** Why a parcel has no label, and what helps, for its name. */
function whyNot(why: NoLabel, name: string, local: boolean): string {
  const shown = safe(name)
  switch (why) {
    case 'cancelled':
      return `${shown} is cancelled: a cancelled order gets no label`
    case 'no_awb':
      return local
        ? `${shown} has no AWB yet: shipx local assign ${quoted(name)}`
        : `${shown} has no AWB yet; its courier is not assigned`
    case 'awb_unfit':
      return `${shown} has an AWB that no barcode of this label holds; use the label of its courier`
    case 'no_address':
      return `${shown} has no address: its record has no pincode, or neither street nor city`
    case 'no_amount':
      return `${shown} is COD, and its record does not say how much to collect`
  }
}

/** What makes the labels of a source, of a width in dots. */
export async function labelMaker(context: Context, source: Source, width: number): Promise<LabelMaker> {
  const { engine } = source
  const godowns = await godownsHere(context, source)
  const brands =
    engine === undefined
      ? new Map<string, string>()
      : await engine.database.read(() => brandNames(engine.account), 'single')
  const places: Omit<LabelSources, 'order'> = {
    warehouse: (id) => godowns.get(id),
    brand: (store) => brands.get(store),
  }
  const leftOut: Fault[] = []
  let [streetless, homeless] = [0, 0]
  return {
    made: async (parcels) => {
      if (parcels.length === 0) return []
      const ids = parcels.map(({ record }) => record.id)
      const orders =
        engine === undefined ? undefined : await engine.database.read(() => ordersOf(engine.account, ids), 'single')
      return parcels.flatMap(({ record, text }) => {
        const label = labelOf(record, JSON.parse(text) as Fields, { ...places, order: orders?.get(record.id) })
        const fault = typeof label === 'string' ? label : fitsLabel(label.awb, width) ? undefined : 'awb_unfit'
        if (typeof label === 'string' || fault !== undefined) {
          const { order, tracking_number: awb } = record.attributes
          const message = whyNot(fault ?? 'no_awb', order?.display_id ?? awb ?? record.id, source.remote === undefined)
          leftOut.push({ field: null, message })
          return []
        }
        if (label.to.street === null) streetless++
        if (label.back === null) homeless++
        return [label]
      })
    },
    leftOut,
    streetless: () => streetless,
    homeless: () => homeless,
  }
}
