// Suggests the nearest store or courier for a filter that matched nothing at a deployment. Uses saved names, so it
// sends no second request. The engine refuses such names (absentnames.ts).
import type { Query } from '../../domain/contract.ts'
import { nearest } from '../../domain/nearest.ts'
import type { Context } from '../command/context.ts'
import { namesFor } from '../help/offered.ts'
import type { Source } from '../source/source.ts'

/** A sentence with what a query without matches may have meant; "" when its names are known, or none is near. */
export async function suggestion(context: Context, source: Source, input: Query): Promise<string> {
  if (source.engine !== undefined) return ''
  const near: string[] = []
  const { store_name } = input
  const carrier_id = 'carrier_id' in input ? input.carrier_id : undefined
  const stores = store_name === undefined ? [] : (await namesFor('stores', context)).map(([name]) => name)
  const couriers = carrier_id === undefined ? [] : await namesFor('couriers', context)
  for (const name of store_name ?? []) if (!stores.includes(name)) near.push(nearest(name, stores) ?? '')
  for (const name of carrier_id ?? []) {
    if (couriers.some(([id]) => id === name)) continue
    const found = nearest(name, couriers.flat())
    const courier = couriers.find((words) => words.includes(found ?? ''))
    near.push(courier === undefined ? '' : `${courier[0]} (${courier[1]})`)
  }
  const names = [...new Set(near)].filter((name) => name !== '')
  return names.length === 0 ? '' : `Did you mean ${names.join(', ')}?`
}
