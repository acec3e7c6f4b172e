// Runs a SQL query that a user wrote on a SQLite file. The query can read only the account's views and change nothing
// (docs/reference/sql.md, What it can reach).
import {
  plainPath,
  readingCacheKib,
  type Connection,
  type Driver,
  type SqliteStatement,
} from '../database/sqlitedriver.ts'
import { ShipxError } from '../../domain/errors.ts'
import { didYouMean } from '../../domain/nearest.ts'
import { shellWord } from '../../domain/shellword.ts'
import { addFunctions } from '../database/sqlfunctions.ts'
import { createdByNumber } from './createdorder.ts'
import { nameJudge, sqlTokens } from './tokens.ts'
import { sqlViews, viewText } from './views.ts'
import { guarded, translated } from '../database/sqliteerrors.ts'

/** A query and what it reads. */
export interface SqlQuery {
  readonly path: string
  /** An empty file. A connection opened on it read-only stays read-only, and a query finds nothing in it. */
  readonly empty: string
  /** The account's number. */
  readonly account: number
  readonly text: string
  /** A name that cannot be guessed, 20 letters or more. */
  readonly schema: string
}

/** A value as shown: bytes become hexadecimal text, and whole numbers beyond 2^53 become text in digits. */
type SqlValue = string | number | null

/** The column names, each only once, and the rows as SQLite finds them; `valueOf` and `kindOf` read their values. */
export interface SqlAnswer {
  readonly columns: readonly string[]
  readonly rows: Iterable<readonly unknown[]>
}

/** SQLite's own memory, bytes: a query that needs more is refused. */
const mostMemory = 256 * 1024 * 1024

/** The longest row, characters: memory holds it whole, several times over. */
const longestRow = 20_000_000

/** Names that read or do more than the views can: beginnings, and whole names. */
const forbiddenStart = /^(?:sqlite_(?:schema|master|temp_|stat\d|sequence|dbpage|stmt)|pragma_)/i
const forbiddenName = /^(?:dbstat|load_extension|fts3_tokenizer|readfile|writefile|edit)$/i

const notAView = ' is not among the views'

/** What a parameter begins with (`?`, `:name`); nothing else does outside of quotes. */
const parameterSigns: ReadonlySet<string> = new Set(['?', ':', '@', '$'])

const beginnings: ReadonlySet<string> = new Set(['select', 'with', 'values', 'explain'])

const refused = (message: string): ShipxError =>
  new ShipxError('statement_refused', message, { hint: 'shipx sql --schema' })

/** Throws `statement_refused`, before anything runs, for text that is not a single query. */
export function checkQuery(text: string): void {
  let first: string | undefined
  let ended = false
  const mayBeName = nameJudge()
  for (const token of sqlTokens(text)) {
    if (token === undefined) throw refused('a quote is never closed')
    if (token.kind === 'sign' && token.text === ';') {
      ended = first !== undefined
      continue
    }
    if (ended) throw refused('only one query at a time')
    if (token.kind === 'sign' && parameterSigns.has(token.text))
      throw refused('a query takes no parameters: write the values instead of ? or :name')
    first ??= token.text.toLowerCase()
    // SQLite reads text in quotes as a name where it needs one.
    if (mayBeName(token) && (forbiddenStart.test(token.text) || forbiddenName.test(token.text)))
      throw refused(`${token.text}${notAView}`)
  }
  if (first === undefined) throw refused('there is no query')
  if (!beginnings.has(first))
    throw refused(`${first.slice(0, 40)}: only queries are allowed (select, with, values); a query changes nothing`)
}

/**
 * Opens the file read-only and runs the query; `close` ends it. The empty file can be deleted as soon as this returns.
 * Throws `statement_refused`, `statement_failed`, and the errors of a faulty file.
 */
export function runQuery(driver: Driver, query: SqlQuery): SqlAnswer & { readonly close: () => void } {
  checkQuery(query.text)
  // The file's tables are in a schema that a query cannot name, read-only like the first one. A query can name only the
  // views.
  const db = new driver(query.empty, { readonly: true, fileMustExist: true })
  try {
    const text = makeViews(db, query)
    const statement = prepared(db, text)
    if (statement.readonly === false || !statement.reader)
      throw refused('only queries are allowed (select, with, values); a query changes nothing')
    const columns = distinct(statement.columns().map(({ name }) => name))
    const found = statement.raw(true).safeIntegers(true)
    return { columns, rows: rowsOf(db, found, query), close: () => void db.close() }
  } catch (error) {
    db.close()
    throw translated(query.path, error)
  }
}

/**
 * Creates the views, and returns the query as it should run. If SQLite rejects our own statements, the file is at
 * fault: its tables are not as they should be.
 */
function makeViews(db: Connection, query: SqlQuery): string {
  try {
    return prepare(db, query)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR')) throw error
    throw new ShipxError('database_corrupt', `${query.path} is damaged: ${error.message}`, {
      cause: error,
      hint: `shipx local check --db ${shellWord(query.path)}`,
    })
  }
}

/** A step that finds the account by an index and then looks at each of its rows, in another order than theirs. */
const onlyAccount = /^SEARCH \w+ USING INDEX \w+ \(account_id=\?\)$/

/** A step of a plan; `looking` is one of a question that is asked of each record. */
interface Step {
  readonly detail: string
  readonly looking: boolean
}

/** The steps of a query's plan, or of one to explain; none for what SQLite does not read, which it refuses later. */
function stepsOf(db: Connection, text: string): readonly Step[] {
  const explaining = `explain query plan ${text.replace(/^\s*explain\s+(?:query\s+plan\s)?/i, '')}`
  try {
    const found = db.prepare(explaining).all() as readonly (Record<'id' | 'parent', number> & Pick<Step, 'detail'>)[]
    const inner = new Set<number>()
    for (const { id, parent, detail } of found) if (inner.has(parent) || detail.startsWith('CORRELATED ')) inner.add(id)
    return found.map(({ id, detail }) => ({ detail, looking: inner.has(id) }))
  } catch {
    return []
  }
}

/** Whether a query finds its records by their account alone. */
function readsAll(steps: readonly Step[]): boolean {
  const found = steps.filter(({ detail, looking }) => !looking && detail.includes('account_id=?'))
  return found.length > 0 && found.every(({ detail }) => onlyAccount.test(detail))
}

const sorts = (steps: readonly Step[]): number =>
  steps.filter(({ detail }) => detail.startsWith('USE TEMP B-TREE')).length

/**
 * Has a query that reads the whole account read its records in their order: SQLite does not know that an account has
 * more than ten of them, and takes any index to it. It stays with the index where that saves sorting.
 */
function chooseScan(db: Connection, text: string, make: (scanning: boolean) => void): void {
  const steps = stepsOf(db, text)
  if (!readsAll(steps)) return
  make(true)
  if (sorts(stepsOf(db, text)) > sorts(steps)) make(false)
}

/**
 * The query with its order by the time of creation as that of a number, where it sorts a whole account: SQLite does not
 * know that the text of a time has the order of its number, by which an index is.
 */
function inOrderOfIndex(db: Connection, text: string): string {
  const other = createdByNumber(text)
  if (other === undefined || !readsAll(stepsOf(db, text))) return text
  const steps = stepsOf(db, other)
  return steps.length > 0 && sorts(steps) < sorts(stepsOf(db, text)) ? other : text
}

function prepare(db: Connection, { path, schema, account, text }: SqlQuery): string {
  if (!/^[a-z]{20,}$/.test(schema)) throw new TypeError('the schema needs a name that cannot be guessed')
  const attach = `attach database ? as ${schema}`
  db.prepare(attach).run(plainPath(path))
  db.pragma(`${schema}.cache_size = -${readingCacheKib}`)
  addFunctions(db)
  // A name that begins with that of a search index is reserved until a view hides the index, which must come before.
  const tables = `select name from ${schema}.sqlite_schema
    where type in ('table', 'view') and name not like 'sqlite^_%' escape '^' order by name`
  const names = db.prepare(tables).pluck().all() as readonly string[]
  const own = new Set(sqlViews.map(({ name }) => name))
  const undated = ['shipments', 'returns'].some((table) => {
    const one = `select 1 from ${schema}.${table} where account_id = ? and created_at = 0 limit 1`
    return db.prepare(one).get(account) !== undefined
  })
  // Without `unlikely`, SQLite reads the whole account: it takes every search of an account for a short one.
  const lost = `select 1 from ${schema}.returns where account_id = ? and granular_status = 'return_lost'
    and unlikely(status is null) limit 1`
  const older = db.prepare(lost).get(account) !== undefined
  const make = (scanning: boolean): void => {
    for (const view of sqlViews) {
      const dropping = `drop view if exists temp.${view.name}`
      db.exec(dropping)
      db.exec(viewText(view, schema, account, { undated, older, scanning }))
    }
  }
  make(false)
  // SQLite would look up a name without a view in the file. This view takes that name, and its error says so.
  for (const name of names) {
    const hiding = `create temp view "${name}" as select * from "${name}${notAView}"`
    if (!own.has(name)) db.exec(hiding)
  }
  db.pragma(`hard_heap_limit = ${mostMemory}`)
  const running = inOrderOfIndex(db, text)
  chooseScan(db, running, make)
  db.pragma('query_only = ON')
  return running
}

function prepared(db: Connection, text: string): SqliteStatement {
  try {
    return db.prepare(text)
  } catch (error) {
    throw failed(error, text)
  }
}

function* rowsOf(db: Connection, statement: SqliteStatement, query: SqlQuery): Generator<readonly unknown[], void> {
  try {
    for (const row of statement.iterate() as IterableIterator<readonly unknown[]>) {
      const length = row.reduce(
        (sum: number, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
        0,
      )
      if (length > longestRow)
        throw new ShipxError('statement_failed', `a row has more than ${longestRow / 1e6} million characters`, {
          hint: 'select less at a time',
        })
      yield row
    }
  } catch (error) {
    // The views read the records' JSON. But a query may also treat other text as JSON, so check the records first.
    const damaged =
      error instanceof Error &&
      error.message === 'malformed JSON' &&
      guarded(query.path, () => damagedRecord(db, query))
    throw translated(query.path, damaged ? error : failed(error))
  }
}

/** Whether a record of the account is no longer valid JSON. */
function damagedRecord(db: Connection, { schema, account }: SqlQuery): boolean {
  return ['shipment_docs', 'return_docs'].some((name) => {
    const bad = `select 1 from ${schema}.${name} where account_id = ? and not json_valid(doc) limit 1`
    return db.prepare(bad).get(account) !== undefined
  })
}

/** A value of a row as shown. */
export function valueOf(value: unknown): SqlValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? decimal(value) : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

/**
 * A real number to 15 significant digits, as SQLite's own shell prints it: what a sum of rupees lacks beyond them is no
 * paisa, but how doubles add up (1021.4399999999999).
 */
const decimal = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))

/** What SQLite says a value is: null, text (or bytes), a whole number, one beyond 2^53, a number with a fraction. */
export function kindOf(value: unknown): 'n' | 't' | 'i' | 'b' | 'r' {
  if (value === null) return 'n'
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? 'i' : 'b'
  return typeof value === 'number' ? 'r' : 't'
}

/** Repeated names get a number: id, id_2. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let one = name
    for (let n = 2; taken.has(one); n++) one = `${name}_${n}`
    taken.add(one)
    return one
  })
}

/** SQLite's error about a query, as one of ours. */
function failed(error: unknown, text = ''): unknown {
  if (error instanceof ShipxError || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof RangeError) return refused(error.message)
  if (code === 'SQLITE_NOMEM' || code === 'SQLITE_TOOBIG')
    return new ShipxError('statement_failed', 'the query needs more memory than it may use', {
      hint: 'select less at a time',
    })
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE' || code === 'SQLITE_IOERR_GETTEMPPATH')
    return new ShipxError('database_full', 'there is no space for the temporary files of the query', {
      cause: error,
      hint: 'set TMPDIR to a folder with free space',
    })
  if (code === 'SQLITE_READONLY') return refused('a query changes nothing')
  if (error.message.endsWith(notAView)) return refused(error.message.replace(/^no such table: (?:\w+\.)?/, ''))
  if (code === 'SQLITE_ERROR')
    return new ShipxError('statement_failed', `${error.message}${guessIn(error.message, text)}`, {
      hint: 'shipx sql --schema',
    })
  return error
}

/** The nearest column or view to a name that SQLite does not find; columns of the views in the query come first. */
function guessIn(message: string, text: string): string {
  const [, kind, name] = /^no such (column|table): (?:\w+\.)*(\w+)$/.exec(message) ?? []
  if (name === undefined) return ''
  if (kind === 'table') return didYouMean(name, sqlViewNames)
  const words = new Set(text.toLowerCase().split(/\W+/))
  const used = sqlViews.filter((view) => words.has(view.name))
  const known = (used.length > 0 ? used : sqlViews).flatMap(({ columns }) => columns.map((column) => column.name))
  return didYouMean(name, [...new Set(known)])
}

const sqlViewNames = sqlViews.map(({ name }) => name)
