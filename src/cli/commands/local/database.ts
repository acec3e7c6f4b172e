// `shipx local …`: the embedded engine's own database: where it is, sample data, imports, warehouses, care.
import { existsSync, statSync } from 'node:fs'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { pincodeFault, readPincode } from '../../../domain/pincodes.ts'
import {
  checkRecord,
  importChunk,
  importKinds,
  importRecords,
  type ImportKind,
} from '../../../engine/transfer/imports.ts'
import type { SeedPlan } from '../../../engine/sample/seed.ts'
import type { Outcome, saveRecords } from '../../../engine/records/records.ts'
import { nativeDriver } from '../../../engine/database/native.ts'
import { listWarehouses, removeWarehouse, setWarehouse } from '../../../engine/accounts/settings.ts'
import { checkSqlite } from '../../../engine/database/sqlite.ts'
import { databaseUrl, shownDatabase, databasePath, databaseThere } from '../../config/paths.ts'
import { confirm, done, wouldDo } from '../../ask/confirm.ts'
import { connect, refuseUnfit, rehearse } from '../../source/engine.ts'
import { refuse, type Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { beStingy } from '../../terminal/heap.ts'
import { readRecords } from '../../files/jsonlines.ts'
import { keepNames } from '../../help/names.ts'
import { printer, printOne } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { readable } from '../../source/readablefile.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { seedInto, usualPlan } from '../../imports/sample.ts'
import { plainView } from '../../output/views.ts'
import { numberFrom } from '../../args/input.ts'

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
  const engine = await connect(context, 'bulk')
  try {
    await seedInto(context, engine, plan)
    await printOne(context, summary, String(plan.seed))
    return 0
  } finally {
    await engine.database.close()
  }
}

type Seeded = Parameters<typeof saveRecords>[3][number]

async function importFile(context: Context): Promise<number> {
  const [kind, file] = context.args
  const faults: Fault[] = []
  if (kind === undefined) faults.push({ field: '<kind>', message: `is required: ${importKinds.join(', ')}` })
  else if (!importKinds.includes(kind as ImportKind))
    faults.push({ field: '<kind>', message: notOneOf(kind, importKinds, 'kind of record') })
  if (file === undefined)
    faults.push({ field: '<file>', message: 'is required: a file of JSON Lines, or - for standard input' })
  refuse(context, faults)
  const dry = context.flags.has('dry-run')
  beStingy()
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const records = readRecords(context.io, file!, '<file>')
  const engine = dry ? undefined : await connect(context, 'bulk')
  const bar = await progress(context, 'Importing', undefined)
  let stopped: 'SIGINT' | 'SIGTERM' | undefined
  const quiet = context.io.onInterrupt((signal) => {
    stopped = signal
  })
  let read = 0
  let last = 0
  try {
    let chunk: { readonly line: number; readonly record: Seeded }[] = []
    const save = async (): Promise<void> => {
      const full = chunk.map((entry) => entry.record)
      if (engine !== undefined && full.length > 0) {
        const outcomes: readonly Outcome[] = await engine.database.write(() =>
          importRecords(engine.database.dialect, engine.account, kind as ImportKind, full, context.io.host.now()),
        )
        for (const outcome of outcomes) counts[outcome]++
      }
      last = chunk.at(-1)?.line ?? last
      chunk = []
      await bar.advance(full.length)
      await new Promise(setImmediate)
    }
    for await (const { line, value } of records) {
      const checked = checkRecord(kind as ImportKind, value)
      if ('fault' in checked)
        throw new ShipxError('invalid_file', `line ${line}: ${checked.fault}`, {
          details: [{ field: null, message: checked.fault, row: line }],
        })
      chunk.push({ line, record: checked.record as Seeded })
      read++
      if (chunk.length >= importChunk) await save()
      if (stopped !== undefined) break
    }
    await save()
  } catch (error) {
    await bar.end()
    if (!(error instanceof ShipxError)) throw error
    const applied = counts.created + counts.updated + counts.unchanged
    const said = dry
      ? 'nothing was changed'
      : applied === 0
        ? 'nothing was applied'
        : `lines up to ${last.toLocaleString('en-IN')} were applied (${summaryOf(counts)}); nothing after them was`
    throw new ShipxError(error.code, `${file === '-' ? 'standard input' : safe(file!)}, ${error.message}; ${said}`, {
      details: error.details,
      hint: 'fix the line and run the same command again: what is there already stays as it is',
      cause: error,
    })
  } finally {
    quiet()
    await engine?.database.close()
  }
  await bar.end()
  if (stopped !== undefined) {
    throw new ShipxError('interrupted', `stopped after line ${last.toLocaleString('en-IN')} (${summaryOf(counts)})`, {
      hint: 'run the same command again to go on: what is there already stays as it is',
    })
  }
  if (dry) return wouldDo(context, { import: kind, records: read })
  await done(context, `${read.toLocaleString('en-IN')} ${kind!} read: ${summaryOf(counts)}`)
  await printOne(context, counts, kind!)
  return 0
}

const summaryOf = (counts: Readonly<Record<Outcome, number>>): string =>
  `${counts.created.toLocaleString('en-IN')} created, ${counts.updated.toLocaleString('en-IN')} updated, ${counts.unchanged.toLocaleString('en-IN')} unchanged`

const warehouseView = plainView<{ id: string; pincode: string }>(
  ['warehouse', 'warehouses'],
  (warehouse) => warehouse.id,
  ['id', 'pincode'],
)

async function warehouseSet(context: Context): Promise<number> {
  const [id, given] = context.args
  const pincode = given === undefined ? undefined : readPincode(given)
  const faults: Fault[] = []
  if (id === undefined || !/^[\x21-\x7e]{1,200}$/.test(id))
    faults.push({
      field: '<id>',
      message: `${id === undefined || id === '' ? 'is required: the warehouse id' : `"${id.slice(0, 40)}" is not a warehouse id; write it`} without spaces`,
    })
  const fault = pincode === undefined ? 'is required: six digits' : pincodeFault(pincode)
  if (fault !== undefined) faults.push({ field: '<pincode>', message: fault })
  refuse(context, faults)
  if (context.flags.has('dry-run')) return wouldDo(context, { warehouse: id, pincode })
  const engine = await connect(context, 'write')
  try {
    const set = await engine.database.write(() => setWarehouse(engine.account, id!, pincode!))
    keepNames({ ...context, own: true }, ({ warehouses }) => ({ warehouses: [set.id, ...warehouses] }))
    await done(context, `Warehouse ${set.id} is at ${set.pincode}`)
    await printOne(context, set, set.id)
    return 0
  } finally {
    await engine.database.close()
  }
}

async function warehouseList(context: Context): Promise<number> {
  refuse(context, [])
  const engine = await connect(context, 'read')
  try {
    const found = await engine.database.read(() => listWarehouses(engine.account))
    if (found.length === 0 && context.format === 'plain')
      await context.note('No warehouses yet: shipx local warehouse set WH1 400001')
    const out = printer(context, warehouseView)
    if (found.length > 0) await out.batch(found.map((warehouse) => JSON.stringify(warehouse)))
    await out.end()
    keepNames({ ...context, own: true }, { warehouses: found.map((warehouse) => warehouse.id) })
    return 0
  } finally {
    await engine.database.close()
  }
}

async function warehouseRemove(context: Context): Promise<number> {
  const [id] = context.args
  refuse(context, id === undefined ? [{ field: '<id>', message: 'is required: the warehouse id' }] : [])
  if (context.flags.has('dry-run')) {
    await rehearse(context, ({ account }) => removeWarehouse(account, id!))
    return wouldDo(context, { remove_warehouse: id })
  }
  await confirm(context, `Removing warehouse ${safe(id!)}`)
  const engine = await connect(context, 'write')
  try {
    await engine.database.write(() => removeWarehouse(engine.account, id!))
    keepNames({ ...context, own: true }, ({ warehouses }) => ({
      warehouses: warehouses.filter((other) => other !== id),
    }))
    await done(context, `Removed warehouse ${safe(id!)}`)
    await printOne(context, { id }, id!)
    return 0
  } finally {
    await engine.database.close()
  }
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
  if (url === undefined) await (await connect(context, 'write')).database.close()
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
    throw new ShipxError('not_supported', `shipx ${context.command.path.join(' ')} is for a database file; for PostgreSQL use ${instead}`) // prettier-ignore
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
