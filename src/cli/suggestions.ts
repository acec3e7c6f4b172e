// The nearest name to a filter's that nothing matched: of stores and couriers, out of the engine's database or what was seen
// of a deployment, which is not asked again for it.
import type { Query } from '../domain/contract.ts'
import { nearest } from '../domain/nearest.ts'
import { storesAfter } from '../engine/wantedstores.ts'
import type { Context } from './context.ts'
import { namesFor } from './names/offered.ts'
import { mostNames } from './names/seen.ts'
import type { Source } from './source.ts'

/** What a question that nothing matched may have meant instead, as a sentence; "" where its names are known, or none is near. */
export async function suggestion(context: Context, source: Source, input: Query): Promise<string> {
  const near: string[] = []
  const { store_name } = input
  const carrier_id = 'carrier_id' in input ? input.carrier_id : undefined
  const stores = store_name === undefined ? [] : await storeNames(context, source)
  const couriers = carrier_id === undefined ? [] : await namesFor('couriers', context)
  for (const name of store_name ?? []) if (!stores.includes(name)) near.push(nearest(name, stores) ?? '')
  for (const name of carrier_id ?? []) {
    if (couriers.some(([id]) => id === name)) continue
    const found = nearest(name, couriers.flat())
    const courier = couriers.find((words) => words.includes(found ?? ''))
    near.push(courier === undefined ? '' : `${courier[0]} (${courier[1]})`)
  }
  const told = [...new Set(near)].filter((name) => name !== '')
  return told.length === 0 ? '' : `Did you mean ${told.join(', ')}?`
}

async function storeNames(context: Context, { engine }: Source): Promise<readonly string[]> {
  if (engine === undefined) return (await namesFor('stores', context)).map(([name]) => name)
  const found = await engine.database.read(() => storesAfter(engine.account, '', mostNames), 'single')
  return found.map(({ store_name }) => store_name)
}
