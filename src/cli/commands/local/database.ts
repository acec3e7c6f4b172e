// `shipx local …`: the embedded engine's own database: where it is, sample data, imports, warehouses, care.
import { existsSync, statSync } from 'node:fs'
import { ShipxError } from '../../../domain/errors.ts'
import type { SeedPlan } from '../../../engine/sample/plan.ts'
import { nativeDriver } from '../../../engine/database/native.ts'
import { checkSqlite } from '../../../engine/database/sqlite.ts'
import { databaseUrl, shownDatabase, databasePath, databaseThere } from '../../config/paths.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, refuseUnfit } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { text } from '../../command/flags.ts'
import { printOne } from '../../output/printer.ts'
import { readable } from '../../source/readablefile.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { seedInto, usualPlan } from '../../imports/sample.ts'
import { numberFrom } from '../../args/input.ts'
import { importFile } from './import.ts'
import { warehouseSet, warehouseList, warehouseRemove } from './warehouses.ts'

async function seed(context: Context): Promise<number> {
  const usual = usualPlan(context)
  const parts = {
    shipments: numberFrom(context, 'shipments', usual.shipments, 100_000_000),
    returns: numberFrom(context, 'returns', usual.returns, 10_000_000),
    stores: numberFrom(context, 'stores', usual.stores, 1000),
    days: numberFrom(context, 'days', usual.days, 3650),
    seed: numberFrom(context, 'seed', usual.seed, 999_999_999),
  }
  refuse(
    context,
    Object.values(parts).flatMap((part) => part.faults),
  )
  const plan: SeedPlan = {
    shipments: parts.shipments.value,
    returns: parts.returns.value,
    stores: parts.stores.value,
    days: Math.max(1, parts.days.value),
    seed: parts.seed.value,
    now: context.io.host.now(),
  }
  const summary = { shipments: plan.shipments, returns: plan.returns, stores: plan.stores, seed: plan.seed }
  if (context.flags.has('dry-run')) return wouldDo(context, { seed: summary, path: databasePath(context) })
  return withEngine(context, 'bulk', async (engine) => {
    await seedInto(context, engine, plan)
    await printOne(context, summary, String(plan.seed))
    return 0
  })
}

async function init(context: Context): Promise<number> {
  const partitions = numberFrom(context, 'partitions', 0, 128)
  const url = databaseUrl(context)
  const misplaced =
    url === undefined && partitions.value > 0
      ? [{ field: '--partitions', message: 'is for PostgreSQL: add --database postgres://…' }]
      : []
  refuse(context, [...partitions.faults, ...misplaced])
  const summary = {
    database: url === undefined ? databasePath(context) : shownDatabase(url),
    partitions: partitions.value,
  }
  if (context.flags.has('dry-run')) return wouldDo(context, { init: summary })
  if (url === undefined) await withEngine(context, 'write', async () => undefined)
  else {
    const { postgresAt } = await import('../../source/postgres.ts')
    await (await postgresAt({ url, partitions: partitions.value })).close()
  }
  await done(context, `${summary.database} is ready`)
  await printOne(context, summary, summary.database)
  return 0
}

/** Throws `not_supported` where the database is a server's: what PostgreSQL has its own tools for. */
export function needFile(context: Context, instead: string): void {
  if (databaseUrl(context) !== undefined)
    throw new ShipxError(
      'not_supported',
      `shipx ${context.command.path.join(' ')} is for a database file; for PostgreSQL use ${instead}`,
    )
}

async function path(context: Context): Promise<number> {
  refuse(context, [])
  needFile(context, 'its own address')
  const file = databasePath(context)
  const exists = existsSync(file)
  if (context.format === 'plain') {
    await context.io.stdout.write(`${safe(file)}\n`)
    if (!exists) await context.note('not there yet')
    return 0
  }
  await printOne(context, { path: file, exists, bytes: exists ? statSync(file).size : 0 }, file)
  return 0
}

/** The file of the database; throws `not_found` where none is. */
export function needDatabase(context: Context): string {
  const file = databasePath(context)
  if (!databaseThere(context))
    throw new ShipxError('not_found', `there is no database at ${file}`, { hint: 'shipx local seed' })
  refuseUnfit(file)
  return file
}

async function check(context: Context): Promise<number> {
  refuse(context, [])
  needFile(context, 'pg_amcheck')
  const file = needDatabase(context)
  const source = readable(file)
  const faults = ((): readonly string[] => {
    try {
      return checkSqlite(nativeDriver(), source.path, context.flags.has('quick'))
    } finally {
      source.close()
    }
  })()
  if (faults.length > 0) {
    const place = text(context.flags, 'db') === undefined ? '' : ` --db ${quoted(file)}`
    throw new ShipxError('database_corrupt', `${file} is damaged`, {
      details: faults.map((message) => ({ field: null, message })),
      hint: `put back a copy that shipx local backup made: shipx local restore <copy>${place}`,
    })
  }
  await done(context, `${file} is sound`)
  await printOne(context, { path: file, faults }, file)
  return 0
}

export const verbs = {
  'local seed': seed,
  'local import': importFile,
  'local warehouse set': warehouseSet,
  'local warehouse list': warehouseList,
  'local warehouse remove': warehouseRemove,
  'local init': init,
  'local path': path,
  'local check': check,
}
