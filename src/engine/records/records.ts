// Shipment and return records in the database: one function writes their columns, their JSON, and the SKUs, tags and
// search text next to them.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { limitTo, row, rows, type Dialect, type RecordKind, type Statement, type Work } from '../database/port.ts'
import { listOf } from '../database/inlist.ts'
import { recastColumns } from '../database/recast.ts'
import { forgetDays } from '../money/coddays.ts'
import { tablesOf, entryOf, withDocs, withDocsById, type Entry, type Outcome } from './entry.ts'

/** A statement with a fixed text and changing values: bulk writing makes no text for each row. */
export function fixedStatement(text: string): (values: readonly unknown[]) => Statement {
  let n = 0
  const numbered = text.replace(/\?/g, () => `$${++n}`)
  return (values) => ({ sql: text, text: numbered, values })
}

const writers = new Map<RecordKind, ReturnType<typeof writersOf>>()

function writersOf(kind: RecordKind, names: readonly string[]) {
  const { records, docs, search, children } = tablesOf[kind]
  const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
  return {
    insert: fixedStatement(
      `insert into ${records} (seq, account_id, id, created_at, ${names.join(', ')}) ` +
        `values (${marks(names.length + 4)})`,
    ),
    addDoc: fixedStatement(`insert into ${docs} (seq, account_id, doc) values (?, ?, ?)`),
    changeDoc: fixedStatement(`update ${docs} set doc = ? where account_id = ? and seq = ?`),
    addSearch: fixedStatement(`insert into ${search} (seq, account_id, text) values (?, ?, ?)`),
    dropSearch: fixedStatement(`delete from ${search} where account_id = ? and seq = ?`),
    addChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixedStatement(`insert into ${child} (account_id, value, created_at, seq) values (?, ?, ?, ?)`),
      ]),
    ),
    dropChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixedStatement(`delete from ${child} where account_id = ? and value = ? and created_at = ? and seq = ?`),
      ]),
    ),
  }
}

function writersFor(kind: RecordKind, entry: Entry) {
  let found = writers.get(kind)
  if (found === undefined) writers.set(kind, (found = writersOf(kind, Object.keys(entry.columns))))
  return found
}

/**
 * Columns of which a row may hold what today's shipx would not make of its text: they are read with it, and the others
 * are taken from the text. To read all would take a tenth of an import.
 */
const rowColumns: Readonly<Record<RecordKind, readonly string[]>> = {
  shipment: [...recastColumns.shipment, 'unread_amount'],
  return: [...recastColumns.return, 'unread_amount'],
}

/** What of a row `r` makes it an `Old`. */
export const oldColumns: Readonly<Record<RecordKind, Sql>> = {
  shipment: raw(['id', 'seq', 'created_at', ...rowColumns.shipment].map((name) => `r.${name}`).join(', ')),
  return: raw(['id', 'seq', 'created_at', ...rowColumns.return].map((name) => `r.${name}`).join(', ')),
}

/** Records whose old versions are looked up together. */
const roundSize = 512

/** The next entries, up to a repeated id: the second entry must find what the first has saved. */
function roundOf(entries: readonly Entry[], from: number): readonly Entry[] {
  const seen = new Set<string>()
  const round: Entry[] = []
  for (const entry of entries.slice(from, from + roundSize)) {
    if (seen.has(entry.id)) break
    seen.add(entry.id)
    round.push(entry)
  }
  return round
}

/** A record as it is kept: its number, its time and its text, and the columns that its text does not tell. */
export interface Old extends Record<string, string | number | null> {
  readonly id: string
  readonly seq: number
  readonly created_at: number
  readonly doc: string
}

/** Saves records of one kind, inserting or replacing by `id`. Returns the outcome of each, in their order. */
export function* saveRecords(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  records: readonly (Shipment | Return)[],
): Work<readonly Outcome[]> {
  const entries = records.map((record) => entryOf(kind, record))
  const saved = yield* saveEntries(dialect, account, kind, entries, (doc) => JSON.parse(doc) as Shipment | Return)
  return saved.map(({ outcome }) => outcome)
}

/** The outcome of an entry, the record's number, and whether its old version had later news (`news`). */
export interface SavedEntry {
  readonly outcome: Outcome
  readonly seq: number
  readonly rewound: boolean
}

/** The same for entries; `read` turns the text of an old version back into a record. */
export function* saveEntries(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  entries: readonly Entry[],
  read: (doc: string) => Shipment | Return,
): Work<readonly SavedEntry[]> {
  const nextSeq = yield* dialect.newSeqs(kind, account)
  const saved: SavedEntry[] = []
  while (saved.length < entries.length) {
    const round = roundOf(entries, saved.length)
    const ids = listOf(round.map(({ id }) => id))
    const found = yield* rows<Old>(
      sql`select ${oldColumns[kind]}, d.doc from ${withDocsById(kind, dialect)}
        where r.account_id = ${account} and r.id in (${ids})${dialect.locking('rows')}`,
    )
    const olds = new Map(found.map((old) => [old.id, old]))
    const fresh: Numbered[] = []
    for (const entry of round) {
      const old = olds.get(entry.id)
      const seq = old?.seq ?? nextSeq()
      if (old === undefined) {
        fresh.push({ entry, seq })
        saved.push({ seq, outcome: 'created', rewound: false })
        continue
      }
      const same = old.doc === entry.doc
      if (same && rowColumns[kind].every((name) => entry.columns[name] === old[name])) {
        saved.push({ seq, outcome: 'unchanged', rewound: false })
        continue
      }
      const before = keptEntry(kind, old, same ? entry : entryOf(kind, read(old.doc), old.doc))
      yield* replaceEntry(dialect, account, kind, entry, old, before)
      saved.push({ seq, outcome: same ? 'unchanged' : 'updated', rewound: before.news > entry.news })
    }
    yield* insertEntries(dialect, account, kind, fresh)
  }
  return saved
}

/** The entry of a text with the columns that its row has. */
const keptEntry = (kind: RecordKind, old: Old, entry: Entry): Entry => {
  const columns = { ...entry.columns }
  for (const name of rowColumns[kind]) columns[name] = old[name]!
  return { ...entry, columns }
}

/** A record that its transaction has read, and what becomes of it. */
export interface RecordChange {
  readonly old: Old
  /** What the old text says. */
  readonly before: Shipment | Return
  readonly record: Shipment | Return
}

/** Writes records of one kind anew that are locked since they were read: none is looked up a second time. */
export function* changeRecords(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  changes: readonly RecordChange[],
): Work<void> {
  for (const { old, before, record } of changes) {
    const entry = entryOf(kind, record)
    if (entry.doc === old.doc) continue
    const kept = keptEntry(kind, old, entryOf(kind, before, old.doc))
    yield* replaceEntry(dialect, account, kind, entry, old, kept)
  }
}

interface Numbered {
  readonly entry: Entry
  readonly seq: number
}

function* replaceEntry(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  entry: Entry,
  { seq, created_at }: Old,
  before: Entry,
): Work<void> {
  const write = writersFor(kind, entry)
  if (kind === 'shipment') yield* forgetDays(dialect, account, [before.columns, entry.columns])
  yield* changeColumns(account, kind, entry, { ...before, created_at }, seq)
  yield* rows({ ...write.changeDoc([entry.doc, account, seq]), place: [tablesOf[kind].docs, 2] })
  // The search index is the dearest part of a record, and a courier's scan does not change it.
  if (sameBeside(entry, before) && entry.created_at === created_at) return
  yield* dropBeside(account, kind, before, { seq, created_at })
  yield* insertBeside(account, kind, [{ entry, seq }])
}

/** Writes the columns that differ: a database writes every index of a column that is set, changed or not. */
function* changeColumns(account: number, kind: RecordKind, entry: Entry, before: Entry, seq: number): Work<void> {
  const after: Entry['columns'] = { ...entry.columns, created_at: entry.created_at }
  const then: Entry['columns'] = { ...before.columns, created_at: before.created_at }
  const changed = Object.keys(after).filter((name) => after[name] !== then[name])
  if (changed.length === 0) return
  const columns = changed.map((name) => `${name} = ?`).join(', ')
  const update = fixedStatement(`update ${tablesOf[kind].records} set ${columns} where account_id = ? and seq = ?`)
  const values = [...changed.map((name) => after[name]), account, seq]
  yield* rows({ ...update(values), place: [tablesOf[kind].records, values.length - 1] })
}

const sameBeside = (a: Entry, b: Entry): boolean =>
  a.search === b.search && JSON.stringify(a.children) === JSON.stringify(b.children)

/** Removes what is kept next to a record: the values of its child tables, as `before` has them, and its search text. */
function* dropBeside(
  account: number,
  kind: RecordKind,
  before: Entry,
  { seq, created_at }: Pick<Old, 'seq' | 'created_at'>,
): Work<void> {
  const write = writersFor(kind, before)
  for (const [child, list] of Object.entries(before.children)) {
    for (const value of list) yield* rows(write.dropChild[child]!([account, value, created_at, seq]))
  }
  yield* rows(write.dropSearch([account, seq]))
}

/** A record to be removed: its row, and its text in our own shape. */
export type Removed = Pick<Old, 'seq' | 'created_at'> & { readonly before: Entry }

/** Removes a record with everything that is kept next to it. */
export function* removeEntry(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  { seq, created_at, before }: Removed,
): Work<void> {
  if (kind === 'shipment') yield* forgetDays(dialect, account, [before.columns])
  yield* dropBeside(account, kind, before, { seq, created_at })
  for (const table of [tablesOf[kind].docs, tablesOf[kind].records])
    yield* rows(sql`delete from ${raw(table)} where account_id = ${account} and seq = ${seq}`)
}

function* insertEntries(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  numbered: readonly Numbered[],
): Work<void> {
  if (numbered.length === 0) return
  if (kind === 'shipment')
    yield* forgetDays(
      dialect,
      account,
      numbered.map(({ entry }) => entry.columns),
    )
  const lines = numbered.map(({ entry, seq }) => [
    seq,
    account,
    entry.id,
    entry.created_at,
    ...Object.values(entry.columns),
  ])
  const write = writersFor(kind, numbered[0]!.entry)
  yield* insertAll(write.insert, lines)
  yield* insertAll(
    write.addDoc,
    numbered.map(({ entry, seq }) => [seq, account, entry.doc]),
  )
  yield* insertBeside(account, kind, numbered)
}

/** Adds what is kept next to records: the values of their child tables and their search text. */
function* insertBeside(account: number, kind: RecordKind, numbered: readonly Numbered[]): Work<void> {
  const write = writersFor(kind, numbered[0]!.entry)
  for (const child of tablesOf[kind].children) {
    const lines = numbered.flatMap(({ entry, seq }) =>
      (entry.children[child] ?? []).map((value) => [account, value, entry.created_at, seq]),
    )
    yield* insertAll(write.addChild[child]!, lines)
  }
  yield* insertAll(
    write.addSearch,
    numbered.map(({ entry, seq }) => [seq, account, entry.search]),
    true,
  )
}

function* insertAll(
  insert: (values: readonly unknown[]) => Statement,
  lines: readonly (readonly unknown[])[],
  joined = false,
): Work<void> {
  const [first, ...more] = lines
  if (first !== undefined) yield* rows({ ...insert(first), more, joined })
}

/** The record with an id as JSON text, to be changed by this transaction, or undefined. */
export function* findRecord(dialect: Dialect, account: number, kind: RecordKind, id: string): Work<string | undefined> {
  const found = yield* row<{ doc: string }>(
    sql`select d.doc from ${withDocs(kind)} where r.account_id = ${account} and r.id = ${id}${dialect.locking('rows')}`,
  )
  return found?.doc
}

/** How many records of a renamed store are rewritten at a time. */
const renameChunk = 500

/** Writes a store's new name into every record linked to it, JSON and column. Returns how many there were. */
export function* renameStoreInRecords(dialect: Dialect, account: number, from: string, to: string): Work<number> {
  let changed = 0
  for (const kind of ['shipment', 'return'] as const) {
    for (;;) {
      const linked = yield* rows<{ doc: string }>(
        sql`select d.doc from ${withDocs(kind)} where r.account_id = ${account} and r.store_name = ${from}
          ${limitTo(renameChunk)}`,
      )
      if (linked.length === 0) break
      const renamed = linked.map(({ doc }) => {
        const record = JSON.parse(doc) as Shipment | Return
        return {
          ...record,
          attributes: { ...record.attributes, order: { ...record.attributes.order, store_name: to } },
        } as Shipment | Return
      })
      yield* saveRecords(dialect, account, kind, renamed)
      changed += renamed.length
    }
  }
  return changed
}
