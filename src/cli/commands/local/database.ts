// `shipx local …`: the embedded engine's own database: its place, sample data, imports, warehouses, maintenance.
import { existsSync, statSync } from 'node:fs'
import { ShipxError } from '../../../domain/errors.ts'
import type { SeedPlan } from '../../../engine/sample/plan.ts'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { checkSqlite } from '../../../engine/database/sqlitecheck.ts'
import { databaseUrl, shownDatabase, databasePath, databaseThere } from '../../config/paths.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, refuseUnfit } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { printOne } from '../../output/printer.ts'
import { readable } from '../../source/readablefile.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { countsText, ownRecords, seedInto, usualPlan } from '../../imports/sample.ts'
import { flag, number, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { checkEvidence } from './evidence.ts'
import { importFile } from './import.ts'
import { invoiceFolderFaults, writeInvoices } from './invoices.ts'
import { warehouseSet, warehouseList, warehouseRemove } from './warehouses.ts'
import { here } from '../../source/place.ts'
import { counted } from '../../../domain/count.ts'
import { confirm } from '../../ask/confirm.ts'

const seedOptions = {
  shipments: number(undefined, 100_000_000),
  returns: number(undefined, 10_000_000),
  stores: number(undefined, 1000),
  days: number(undefined, 3650),
  seed: number(undefined, 999_999_999),
  invoices: word,
  force: flag,
  dry_run: flag,
}

const seed = verb(seedOptions, async (context, options) => {
  const { invoices: folder, force } = options
  refuse(context, invoiceFolderFaults(folder))
  const usual = usualPlan(context)
  const plan: SeedPlan = {
    shipments: options.shipments ?? usual.shipments,
    returns: options.returns ?? usual.returns,
    stores: options.stores ?? usual.stores,
    days: Math.max(1, options.days ?? usual.days),
    seed: options.seed ?? usual.seed,
    now: context.io.host.now(),
  }
  const summary = { shipments: plan.shipments, returns: plan.returns, stores: plan.stores, seed: plan.seed }
  if (options.dry_run)
    return wouldDo(context, `add ${countsText(plan)} of sample data ${here(context)}`, {
      seed: summary,
      path: databasePath(context),
    })
  return withEngine(context, 'bulk', async (engine) => {
    const own = await ownRecords(engine, plan)
    if (own > 0) {
      const records = counted(own, ['record', 'records'])
      await confirm(context, `Mix sample data with ${records} of your own ${here(context)}`)
    }
    await seedInto(context, engine, plan)
    if (folder !== undefined) await writeInvoices(context, engine, folder, force)
    await printOne(context, summary, String(plan.seed))
    return 0
  })
})

const init = verb({ partitions: number(0, 128), dry_run: flag }, async (context, { partitions, dry_run: dry }) => {
  const url = databaseUrl(context)
  const misplaced = { field: '--partitions', message: 'is for PostgreSQL: add --database postgres://…' }
  refuse(context, url === undefined && partitions > 0 ? [misplaced] : [])
  const summary = { database: url === undefined ? databasePath(context) : shownDatabase(url), partitions }
  if (dry) return wouldDo(context, `make the database ${summary.database}`, { init: summary })
  if (url === undefined) await withEngine(context, 'write', async () => undefined)
  else {
    const { openServer } = await import('../../source/postgres.ts')
    await (await openServer(context, { url, partitions })).close()
  }
  await done(context, `${summary.database} is ready`)
  await printOne(context, summary, summary.database)
  return 0
})

/** Throws `not_supported` for a server's database: PostgreSQL has its own tools for this. */
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

/** The file of the database. Throws `not_found` when it does not exist. */
export function needDatabase(context: Context): string {
  const file = databasePath(context)
  if (!databaseThere(context))
    throw new ShipxError('not_found', `there is no database at ${file}`, { hint: 'shipx local seed' })
  refuseUnfit(file)
  return file
}

const check = verb({ quick: flag, db: word }, async (context, { quick, db }) => {
  refuse(context, [])
  needFile(context, 'pg_amcheck')
  const file = needDatabase(context)
  const source = readable(file)
  let faults: readonly string[]
  let evidence = 0
  try {
    faults = checkSqlite(sqliteDriver(process), source.path, quick)
    if (faults.length === 0) evidence = checkEvidence(context, source.path, quick)
  } finally {
    source.close()
  }
  if (faults.length > 0) {
    const place = db === undefined ? '' : ` --db ${quoted(file)}`
    throw new ShipxError('database_corrupt', `${file} is damaged`, {
      details: faults.map((message) => ({ field: null, message })),
      hint: `restore a copy that shipx local backup made: shipx local restore <copy>${place}`,
    })
  }
  await done(context, `${file} is sound`)
  await printOne(context, { path: file, faults, evidence }, file)
  return 0
})

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
