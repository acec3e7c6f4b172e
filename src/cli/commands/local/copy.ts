// `shipx local copy`: copies everything from one database to another in chunks, then compares them.
import { existsSync, realpathSync } from 'node:fs'
import { count } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { copyDatabase, countTables, type CopyResult, type Phase } from '../../../engine/transfer/copy.ts'
import type { Difference } from '../../../engine/transfer/compare.ts'
import type { Database } from '../../../engine/database/port.ts'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { openSqlite } from '../../../engine/database/sqlite.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { cacheKib, openFile, refuseUnfit } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { isDatabaseUrl, shownDatabase } from '../../config/paths.ts'
import { text } from '../../command/flags.ts'
import { flag, sound, faulty } from '../../args/kinds.ts'
import { verb, type OptionKind } from '../../args/options.ts'
import { shrinkHeap } from '../../terminal/heap.ts'
import { printList, printRecord } from '../../output/printer.ts'
import { progress, type Progress } from '../../output/progress.ts'
import { plainView } from '../../output/views.ts'

/** A database as the user named it, and the name that shipx may show. */
interface Place {
  readonly named: string
  readonly url: boolean
  readonly shown: string
}

/** A database: a file or an address. */
const place: OptionKind<Place | undefined> = (flags, name) => {
  const named = text(flags, name) ?? ''
  if (named === '') return faulty(undefined, name, 'is required: a database file, or postgres://…')
  // Text that looks like an address is not repeated: it may contain a password.
  const url = isDatabaseUrl(named)
  if (!url && /^[a-z][a-z0-9+.-]*:\/\//i.test(named))
    return faulty(
      undefined,
      name,
      'is not the address of a PostgreSQL database; write for example postgres://user@host/name',
    )
  return sound({ named, url, shown: url ? shownDatabase(named) : named })
}

const same = (one: Place, other: Place): boolean => {
  if (one.url || other.url) return one.url && other.url && one.shown === other.shown
  return existsSync(one.named) && existsSync(other.named) && realpathSync(one.named) === realpathSync(other.named)
}

const stray: Readonly<Record<string, string>> = {
  db: 'is not for this command: name both databases with --from and --to',
  database: 'is not for this command: name both databases with --from and --to',
  account: 'is not for this command: all accounts are copied',
}

async function openSource({ named, url, shown }: Place): Promise<Database> {
  if (url) return (await import('../../source/postgres.ts')).postgresAt({ url: named, mayChange: false })
  if (!existsSync(named)) throw new ShipxError('not_found', `there is no database at ${shown}`)
  refuseUnfit(named)
  return openSqlite(sqliteDriver(process), { path: named, readOnly: true, cacheKib: cacheKib.read })
}

async function openTarget(context: Context, { named, url }: Place): Promise<Database> {
  if (url) return (await import('../../source/postgres.ts')).postgresAt({ url: named })
  refuseUnfit(named)
  return openFile(context, named, 'bulk')
}

/** The target's database, or undefined where there is no database of ours yet. */
async function lookAtTarget(place: Place): Promise<Database | undefined> {
  try {
    return await openSource(place)
  } catch (error) {
    if (error instanceof ShipxError && (error.code === 'not_found' || error.code === 'database_read_only'))
      return undefined
    throw error
  }
}

const copyOptions = { from: place, to: place, force: flag, dry_run: flag }

const copy = verb(copyOptions, async (context, { from, to, force, dry_run: dry }) => {
  const faults: Fault[] = []
  for (const [name, message] of Object.entries(stray))
    if (context.flags.has(name)) faults.push({ field: `--${name}`, message })
  if (from !== undefined && to !== undefined && same(from, to))
    faults.push({ field: '--to', message: 'is the same database as --from' })
  refuse(context, faults)
  return dry ? rehearse(context, from!, to!) : run(context, from!, to!, force)
})

async function rehearse(context: Context, from: Place, to: Place): Promise<number> {
  const source = await openSource(from)
  try {
    const target = await lookAtTarget(to)
    try {
      return await wouldDo(context, `copy ${from.shown} to ${to.shown}`, {
        copy: { from: from.shown, to: to.shown, tables: await countTables(source, target) },
      })
    } finally {
      await target?.close()
    }
  } finally {
    await source.close()
  }
}

const doing: Readonly<Record<Phase, string>> = {
  check: 'Checking the target',
  copy: 'Copying',
  compare: 'Comparing',
}

async function run(context: Context, from: Place, to: Place, force: boolean): Promise<number> {
  if (force) await confirm(context, `Remove from ${to.shown} what differs from ${from.shown}`)
  shrinkHeap()
  const source = await openSource(from)
  let target: Database | undefined
  let stopped = false
  const quiet = context.io.onInterrupt(() => {
    stopped = true
  })
  let bar: { readonly phase: Phase; readonly progress: Progress } | undefined
  const seen: Record<Phase, number> = { check: 0, copy: 0, compare: 0 }
  let copied: CopyResult
  try {
    target = await openTarget(context, to)
    copied = await copyDatabase({
      source,
      target,
      digest: context.io.host.digest,
      ticks: () => performance.now(),
      force,
      step: async (phase, rows) => {
        seen[phase] += rows
        if (bar?.phase !== phase) {
          await bar?.progress.end()
          bar = { phase, progress: await progress(context, doing[phase], undefined) }
        }
        await bar.progress.advance(rows)
        // Without this wait, no signal would arrive while both are files.
        await new Promise(setImmediate)
        if (stopped) throw interrupted(phase, seen)
      },
    })
  } finally {
    await bar?.progress.end()
    quiet()
    await Promise.all([source.close(), target?.close()])
  }
  if (copied.different > 0) throw different(copied)
  await print(context, from, to, copied)
  return 0
}

function interrupted(phase: Phase, seen: Readonly<Record<Phase, number>>): ShipxError {
  const what = {
    check: `stopped after looking at ${count(seen.check)} rows of the target; nothing was copied yet`,
    copy: `stopped after ${count(seen.copy)} rows, which are saved`,
    compare: 'everything is copied, but not compared',
  }[phase]
  return new ShipxError('interrupted', what, {
    hint: 'run the same command again to go on: what is there stays as it is',
  })
}

function different({ different: n, differences }: CopyResult): ShipxError {
  const faultOf = ({ table, account, source, target }: Difference): Fault => {
    const rows = count(source.rows)
    const what =
      source.rows === target.rows
        ? `${rows} rows on both sides, of different content`
        : `${rows} rows in the source, ${count(target.rows)} in the target`
    return { field: table, message: `${account === null ? 'all' : `account ${account}`}: ${what}` }
  }
  return new ShipxError(
    'partial',
    `the copy differs from its source in ${n === 1 ? 'one table of one account' : `${count(n)} tables of accounts`}`,
    {
      details: differences.map(faultOf),
      hint:
        'run the same command again while nothing writes to the source; ' +
        'where rows were changed or removed there, with --force',
    },
  )
}

const view = plainView<Record<string, unknown>>(['table', 'tables'], (sum) => String(sum['table']), [
  'table',
  'rows',
  'checksum',
])

async function print(context: Context, from: Place, to: Place, { tables, added, removed }: CopyResult): Promise<void> {
  if (context.format === 'json')
    await printRecord(context, view, { from: from.shown, to: to.shown, added, removed, tables })
  else
    await printList(
      context,
      view,
      tables.map((sum) => ({ ...sum })),
    )
  const taken = removed === 0 ? '' : `, ${count(removed)} removed first`
  await done(
    context,
    `${to.shown} holds what ${from.shown} holds, by count and checksum (${count(added)} rows copied now${taken})`,
  )
}

export const verbs = { 'local copy': copy }
