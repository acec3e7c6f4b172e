// Writes sample data into an engine's database, and counts what the database holds.
import { parseInput } from '../../domain/parse.ts'
import { isoOf } from '../../domain/time.ts'
import { saveRecords } from '../../engine/records/records.ts'
import { usualSeed } from '../../engine/sample/chance.ts'
import { seedReturns, seedShipments } from '../../engine/sample/seed.ts'
import { seedStores, seedWarehouses, type SeedPlan } from '../../engine/sample/plan.ts'
import { listWarehouses, setWarehouse } from '../../engine/accounts/settings.ts'
import { saveStore } from '../../engine/accounts/stores.ts'
import { storesAfter } from '../../engine/accounts/storesbulk.ts'
import { done } from '../output/outcome.ts'
import type { Engine } from '../source/engine.ts'
import type { Context } from '../command/context.ts'
import { keepNames, keepStores, mostNames } from '../help/names.ts'
import { count } from '../../domain/count.ts'
import { progress } from '../output/progress.ts'
import { here } from '../source/place.ts'
import { shipmentsNamed } from '../../engine/records/references.ts'

/** The plan of the default sample data. */
export const usualPlan = ({ io }: Pick<Context, 'io'>): SeedPlan => ({
  shipments: 500,
  returns: 80,
  stores: 6,
  days: 90,
  seed: usualSeed,
  now: io.host.now(),
})

/** Numbers of records. */
export interface Counts {
  readonly shipments: number
  readonly returns: number
  readonly stores: number
}

/** The number of records in an engine's account. */
export async function countsOf({ service }: Pick<Engine, 'service'>): Promise<Counts> {
  const one = { per_page: 1 }
  const [shipments, returns, stores] = await Promise.all([
    service.listShipments(parseInput('listShipments', one)),
    service.listReturns(parseInput('listReturns', one)),
    service.listStores({}),
  ])
  return { shipments: shipments.meta.total, returns: returns.meta.total, stores: stores.data.length }
}

/** Counts as people read them. */
export const countsText = ({ shipments, returns, stores }: Counts): string =>
  `${count(shipments)} shipments, ${count(returns)} returns and ${count(stores)} stores`

/**
 * How many shipments and returns are not sample data of a plan. A record that the sample would write again is its own.
 */
export async function ownRecords({ database, account, service }: Engine, plan: SeedPlan): Promise<number> {
  const { shipments, returns } = await countsOf({ service })
  if (shipments + returns === 0) return 0
  const [first] = seedShipments(plan)
  const seeded = first === undefined ? [] : await database.read(() => shipmentsNamed(account, [first.id]), 'single')
  return seeded.length === 0 ? shipments + returns : Math.max(0, shipments - plan.shipments)
}

/** Writes sample data by a plan, and reports what of it was not there. */
export async function seedInto(context: Context, engine: Engine, plan: SeedPlan): Promise<void> {
  const before = await countsOf(engine)
  await engine.database.write(function* () {
    for (const store of seedStores(plan)) {
      yield* saveStore(
        engine.account,
        { ...store, channel: 'manual_order', status: 'connected', created_at: isoOf(store.created_at) },
        plan.now,
      )
    }
    for (const { id, pincode } of seedWarehouses(plan)) yield* setWarehouse(engine.account, id, pincode)
  })
  const bar = await progress(context, 'Seeding', plan.shipments + plan.returns)
  await saveAll(engine, 'shipment', seedShipments(plan), bar.advance)
  await saveAll(engine, 'return', seedReturns(plan), bar.advance)
  await bar.end()
  await keepSeeded(context, engine)
  const after = await countsOf(engine)
  const added = {
    shipments: after.shipments - before.shipments,
    returns: after.returns - before.returns,
    stores: after.stores - before.stores,
  }
  await done(
    context,
    Object.values(added).some((n) => n > 0)
      ? `Added ${countsText(added)} of sample data (seed ${plan.seed}) ${here(context)}`
      : `The sample data (seed ${plan.seed}) was already ${here(context)}: ${countsText(plan)}. ` +
          'shipx updated it, and added nothing',
  )
}

/** Saves the names that the database has now, for completion. */
async function keepSeeded(context: Context, { account, database }: Engine): Promise<void> {
  keepStores({ ...context, own: true }, await database.read(() => storesAfter(account, '', mostNames), 'single'))
  const warehouses = await database.read(() => listWarehouses(account), 'single')
  keepNames({ ...context, own: true }, { warehouses: warehouses.map(({ id }) => id) })
}

/** Records in one transaction. */
const seedChunk = 1000

type Seeded = Parameters<typeof saveRecords>[3][number]

/** Saves a stream of records in transactions of moderate size, and lets signals in between them. */
async function saveAll(
  engine: Engine,
  kind: 'shipment' | 'return',
  records: Iterable<Seeded>,
  advance: (n: number) => Promise<void>,
): Promise<void> {
  let chunk: Seeded[] = []
  const save = async (): Promise<void> => {
    const full = chunk
    chunk = []
    await engine.database.write(() => saveRecords(engine.database.dialect, engine.account, kind, full))
    await advance(full.length)
    await new Promise(setImmediate)
  }
  for (const record of records) {
    chunk.push(record)
    if (chunk.length >= seedChunk) await save()
  }
  if (chunk.length > 0) await save()
}
