// `shipx sql`: a SQL query over the embedded engine's database or a mirror, and the list of views. Runs the query in a
// separate process (docs/reference/sql.md says what is allowed there).
import { existsSync } from 'node:fs'
import { ShipxError } from '../../../domain/errors.ts'
import { readSpan } from '../../../domain/read/day.ts'
import { checkQuery } from '../../../engine/sql/query.ts'
import { sqlViews } from '../../../engine/sql/views.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Column, Raw, View } from '../../output/columns.ts'
import type { Engine } from '../../source/engine.ts'
import { readText } from '../../files/userfiles.ts'
import { installed } from '../../source/packagefiles.ts'
import { flag, limit, word, optionKind, sound, faulty } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { count } from '../../../domain/count.ts'
import { checkShape, hiddenColumns, printer, printList } from '../../output/printer.ts'
import type { Printer } from '../../output/printing.ts'
import { progress } from '../../output/progress.ts'
import { readable, type Readable } from '../../source/readablefile.ts'
import { pullKinds } from '../../source/mirrorstate.ts'
import { withRecords } from '../pull/offer.ts'
import { askInSql, type SqlPart } from './ask.ts'
import { plainView } from '../../output/views.ts'
import { typedPrinter } from './typedrows.ts'

/** The default number of rows. */
const defaultRows = 10_000

/** How often shipx reports to a user who waits for the first row, ms. */
const reportEvery = 1000

/** The longest query, bytes. */
const longestQuery = 1_000_000

/** The longest time of a query, ms: Infinity for 0. */
const timeLimit = optionKind(30_000, (given, name) => {
  if (given === '0') return sound(Infinity)
  const span = readSpan(given)
  if (span !== undefined && span > 0) return sound(span)
  return faulty(30_000, name, `"${given.slice(0, 20)}" is not a time; write 30s, 2m, or 0 for no limit`)
})

const sqlOptions = { limit: limit(defaultRows), timeout: timeLimit, file: word, schema: flag }

const sql = verb(sqlOptions, async (context, { limit, timeout, file: path, schema }) => {
  const missing = context.args[0] === undefined && path === undefined && !schema
  refuse(context, missing ? [missingArgument(context, 'query')] : [])
  if (schema) return printSchema(context)
  const text = await queryOf(context, path)
  checkQuery(text)
  return withRecords(context, 'SQL queries', pullKinds, async (own, { engine }) => {
    let file: Readable | undefined
    try {
      requireDatabaseFile(engine)
      file = readable(engine.path)
      const asking = {
        command: installed().sql,
        task: {
          query: {
            path: file.path,
            account: engine.account,
            text,
            schema: own.io.host.letters(32, 'abcdefghijklmnopqrstuvwxyz'),
          },
          limit: limit === Infinity ? undefined : limit,
          typed: own.table !== undefined,
        },
        limit_ms: timeout,
        onInterrupt: own.io.onInterrupt,
      }
      if (await printAnswer(own, askInSql(asking)))
        await own.warn(`there are more than ${count(limit)} rows; --limit all prints them`)
      return 0
    } finally {
      file?.close()
    }
  })
})

/** Throws `not_supported` when the database is not a file of SQLite, and `not_found` when it does not exist. */
function requireDatabaseFile(engine: Engine): void {
  if (engine.database.dialect.planning === undefined)
    throw new ShipxError('not_supported', 'SQL queries need a database file', {
      hint: `psql ${engine.path}`,
    })
  if (!existsSync(engine.path))
    throw new ShipxError('not_found', `there is no database yet at ${engine.path}`, { hint: 'shipx local seed' })
}

/** The query: from a file, from standard input, or from the command line. */
async function queryOf({ io, args }: Context, path: string | undefined): Promise<string> {
  if (path !== undefined) return readText(io, path, longestQuery, '--file')
  return args[0] === '-' ? readText(io, '-', longestQuery, '<query>') : args[0]!
}

type Row = Readonly<Record<string, unknown>>

/** Prints an answer as it comes; returns whether there are more rows than requested. */
async function printAnswer(context: Context, parts: AsyncIterable<SqlPart>): Promise<boolean> {
  let names: readonly string[] = []
  let out: Printer | undefined
  let more = false
  const begin = (first: readonly string[]): Printer => {
    const { table } = context
    const view = viewOf(names, table === undefined ? first : [])
    checkShape(context, view)
    return table === undefined ? printer(context, view) : typedPrinter(context, view, table)
  }
  const waiting = await progress(context, 'Waiting for the first row', 'uncounted')
  // Nothing arrives while SQLite works. The query goes on when its progress cannot be shown.
  const tick = setInterval(() => void waiting.advance(0).catch(() => undefined), reportEvery)
  const stopProgress = async (): Promise<void> => {
    clearInterval(tick)
    await waiting.end()
  }
  try {
    for await (const part of parts) {
      if ('columns' in part) names = part.columns
      else if ('records' in part) {
        if (out === undefined) await stopProgress()
        await (out ??= begin(part.records)).batch(part.records)
      } else more = part.more
    }
  } finally {
    await stopProgress()
  }
  out ??= begin([])
  await out.end()
  if (out.hidden().length > 0) await context.note(hiddenColumns(out.hidden()))
  return more
}

/** Columns as the query names them; a column is aligned right when the first rows hold numbers there. */
function viewOf(names: readonly string[], first: readonly string[]): View<Row> {
  const sample = first.slice(0, 100).map((record) => JSON.parse(record) as Row)
  const column = (key: string, i: number): Column<Row> => {
    const values = sample.map((row) => row[key]).filter((value) => value !== null)
    const right = values.length > 0 && values.every((value) => typeof value === 'number')
    return {
      key,
      header: key,
      rank: i + 1,
      whole: true,
      ...(right ? { right } : {}),
      raw: (row) => row[key] as Raw,
      show: (row) => String(row[key] ?? '-'),
    }
  }
  const id = names.includes('id') ? 'id' : names[0]!
  return { columns: names.map(column), id: (row) => String(row[id] ?? ''), names, exact: true, noun: ['row', 'rows'] }
}

async function printSchema(context: Context): Promise<number> {
  const rows = sqlViews.flatMap((view) =>
    view.columns.map(({ name, type, means }) => ({ view: view.name, column: name, type, means })),
  )
  type Described = (typeof rows)[number]
  const plain = plainView<Described>(['column', 'columns'], (row) => `${row.view}.${row.column}`, [
    'view',
    'column',
    'type',
    'means',
  ])
  // In a narrow table the meaning of a column is cut instead of left out.
  const columns = plain.columns.map(({ whole, ...column }) => (column.key === 'means' ? column : { ...column, whole }))
  const view = { ...plain, columns } as View<Described>
  checkShape(context, view)
  await printList(context, view, rows)
  return 0
}

export const verbs = { sql }
