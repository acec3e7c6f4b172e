// What parcels cost, as columns of a list that are there when the user names them (docs/guides/cost.md).
import { rupeesOf } from '../../domain/money.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { costsOf, type ShipmentCost } from '../../engine/records/charges.ts'
import { list, type FlagValues } from '../command/flags.ts'
import type { Column } from '../output/columns.ts'
import { money } from '../output/views.ts'
import type { Source } from '../source/source.ts'
import { shipmentKind, type Kind } from './listing.ts'

/** The names of the columns of costs: rupees before GST. */
export const costNames = ['freight', 'surcharges', 'cod_fee', 'rto_freight', 'cost'] as const

const headers = {
  freight: 'Freight (₹)',
  surcharges: 'Surcharges (₹)',
  cod_fee: 'COD fee (₹)',
  rto_freight: 'RTO freight (₹)',
  cost: 'Cost (₹)',
} as const satisfies Record<(typeof costNames)[number], string>

/** Whether `--fields` or `--columns` names what a parcel costs. */
export const namesCosts = (flags: FlagValues): boolean =>
  ['fields', 'columns'].some((flag) =>
    (list(flags, flag) ?? []).some((name) => (costNames as readonly string[]).includes(name.trim().toLowerCase())),
  )

/** The listing of shipments with the costs of those that were looked up. */
export interface CostedKind {
  readonly kind: Kind<Shipment>
  /** Looks up what these records cost, before they are printed. Throws `not_supported` without records of its own. */
  readonly look: (source: Source, records: readonly string[]) => Promise<void>
  /** Whether one of them has a price of the invented sample card. */
  readonly invented: () => boolean
}

/** A listing of shipments whose columns know costs. */
export function costedKind(): CostedKind {
  let known: ReadonlyMap<string, ShipmentCost> = new Map()
  let invented = false
  const columns = costNames.map((name, i): Column<Shipment> => {
    const raw = ({ id }: Shipment): number | null => {
      const costs = known.get(id)
      return costs === undefined ? null : rupeesOf(costs[name])
    }
    return {
      key: name,
      header: name.replace('_', ' '),
      rank: 30 + i,
      right: true,
      whole: true,
      asked: true,
      sheet: headers[name],
      type: 'money',
      raw,
      show: (record, screen) => money(raw(record), screen),
    }
  })
  const { view } = shipmentKind
  return {
    kind: { ...shipmentKind, view: { ...view, columns: [...view.columns, ...columns] } },
    look: async ({ engine, mirror }, records) => {
      if (engine === undefined || mirror !== undefined) throw notPricedThere()
      const ids = records.map((record) => (JSON.parse(record) as { readonly id: string }).id)
      if (ids.length > 0) known = await engine.database.read(() => costsOf(engine.account, ids))
      invented ||= [...known.values()].some(({ card }) => card === sampleCard.name)
    },
    invented: () => invented,
  }
}

/** The note about prices of the sample card, of some parcels or of these that are shown. */
export const inventedCosts = (whose = ''): string =>
  `Prices ${whose}are invented (rate card sample). With your own contract: shipx ratecard import <file> --use, ` +
  'then shipx local price --again'

/** The error for costs of parcels that have no price on this computer. */
export const notPricedThere = (): ShipxError =>
  new ShipxError('not_supported', 'what a parcel costs: only parcels that are saved on this computer have a price', {
    hint: 'for one parcel: shipx rates; for a file of them: shipx rates --file',
  })
