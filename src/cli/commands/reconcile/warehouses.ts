// The pincodes of the merchant's warehouses: in the database of the rate cards, also for the parcels of a mirror.
import { listWarehouses } from '../../../engine/accounts/settings.ts'
import type { Context } from '../../command/context.ts'
import { reading } from '../ratecards/cards.ts'

/** The pincodes of warehouses by their ids. */
export const warehousesHere = (context: Context): Promise<ReadonlyMap<string, string>> =>
  reading<ReadonlyMap<string, string>>(
    context,
    async ({ database, account }) => {
      const all = await database.read(() => listWarehouses(account), 'single')
      return new Map(all.map(({ id, pincode }) => [id, pincode]))
    },
    () => new Map(),
  )
