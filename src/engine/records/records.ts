// Shipment and return records in the database: the JSON that is sent, the columns that filters read, the SKUs, tags and
// search text beside it, all written by one function; knows no driver, no endpoint and no command.
import sql from 'sql-template-tag'
import { raw } from 'sql-template-tag'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { row, rows, type Dialect, type RecordKind, type Statement, type Work } from '../database/port.ts'
import { listOf } from '../database/inlist.ts'
import { tablesOf, entryOf, type Entry, type Outcome } from './entry.ts'

/** A statement whose text is made once and whose values change: bulk writing makes no text for each row. */
export function fixed(text: string): (values: readonly unknown[]) => Statement {
  let n = 0
  const numbered = text.replace(/\?/g, () => `$${++n}`)
  return (values) => ({ sql: text, text: numbered, values })
}

const writers = new Map<RecordKind, ReturnType<typeof writersOf>>()

function writersOf(kind: RecordKind, names: readonly string[]) {
  const { records, search, children } = tablesOf[kind]
  const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
  return {
    insert: fixed(
      `insert into ${records} (seq, account_id, id, created_at, doc, ${names.join(', ')}) values (${marks(names.length + 5)})`,
    ),
    update: fixed(
      `update ${records} set created_at = ?, doc = ?, ${names.map((name) => `${name} = ?`).join(', ')} where account_id = ? and seq = ?`,
    ),
    addSearch: fixed(`insert into ${search} (seq, account_id, text) values (?, ?, ?)`),
    dropSearch: fixed(`delete from ${search} where account_id = ? and seq = ?`),
    addChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixed(`insert into ${child} (account_id, value, created_at, seq) values (?, ?, ?, ?)`),
      ]),
    ),
    dropChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixed(`delete from ${child} where account_id = ? and value = ? and created_at = ? and seq = ?`),
      ]),
    ),
  }
}

function writersFor(kind: RecordKind, entry: Entry) {
  let found = writers.get(kind)
  if (found === undefined) writers.set(kind, (found = writersOf(kind, Object.keys(entry.columns))))
  return found
}

/** Records whose old versions are asked for together. */
const roundSize = 512

/** The next entries up to one whose id has just been there: that one must find what the first has saved. */
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

interface Old extends Record<string, unknown> {
  readonly id: string
  readonly seq: number
  readonly created_at: number
  readonly doc: string
}

/** Saves records of one kind, inserting or replacing by `id`; gives what became of each, in their order. */
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

/** What became of an entry, and the record's number. */
export interface Saved {
  readonly outcome: Outcome
  readonly seq: number
}

/** The same of entries that are made already; `read` makes a record again of the text that is there. */
export function* saveEntries(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  entries: readonly Entry[],
  read: (doc: string) => Shipment | Return,
): Work<readonly Saved[]> {
  const nextSeq = yield* dialect.newSeqs(kind, account)
  const saved: Saved[] = []
  while (saved.length < entries.length) {
    const round = roundOf(entries, saved.length)
    const ids = listOf(round.map(({ id }) => id))
    const found = yield* rows<Old>(
      sql`select id, seq, created_at, doc from ${raw(tablesOf[kind].records)} where account_id = ${account} and id in (${ids})${dialect.locking('update')}`,
    )
    const olds = new Map(found.map((old) => [old.id, old]))
    const fresh: Numbered[] = []
    for (const entry of round) {
      const old = olds.get(entry.id)
      const seq = old?.seq ?? nextSeq()
      if (old === undefined) fresh.push({ entry, seq })
      else if (old.doc !== entry.doc) yield* replaceEntry(account, kind, entry, old, entryOf(kind, read(old.doc)))
      saved.push({ seq, outcome: old === undefined ? 'created' : old.doc === entry.doc ? 'unchanged' : 'updated' })
    }
    yield* insertEntries(account, kind, fresh)
  }
  return saved
}

interface Numbered {
  readonly entry: Entry
  readonly seq: number
}

function* replaceEntry(
  account: number,
  kind: RecordKind,
  entry: Entry,
  { seq, created_at }: Old,
  before: Entry,
): Work<void> {
  const write = writersFor(kind, entry)
  yield* rows(write.update([entry.created_at, entry.doc, ...Object.values(entry.columns), account, seq]))
  // The search index is the dearest part of a record, and a scan of a courier changes nothing of it.
  if (sameBeside(entry, before) && entry.created_at === created_at) return
  yield* dropBeside(account, kind, before, { seq, created_at })
  yield* insertBeside(account, kind, [{ entry, seq }])
}

const sameBeside = (a: Entry, b: Entry): boolean =>
  a.search === b.search && JSON.stringify(a.children) === JSON.stringify(b.children)

/** Takes away what lies beside a record: the values of its child tables, as `before` has them, and its search text. */
export function* dropBeside(
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

function* insertEntries(account: number, kind: RecordKind, numbered: readonly Numbered[]): Work<void> {
  if (numbered.length === 0) return
  const lines = numbered.map(({ entry, seq }) => [
    seq,
    account,
    entry.id,
    entry.created_at,
    entry.doc,
    ...Object.values(entry.columns),
  ])
  yield* insertAll(writersFor(kind, numbered[0]!.entry).insert, lines)
  yield* insertBeside(account, kind, numbered)
}

/** What lies beside the records: the values of their child tables and the text that they are searched by. */
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
  )
}

function* insertAll(
  insert: (values: readonly unknown[]) => Statement,
  lines: readonly (readonly unknown[])[],
): Work<void> {
  const [first, ...more] = lines
  if (first !== undefined) yield* rows({ ...insert(first), more })
}

/** The record with an id as JSON text, to be changed by this transaction, or undefined. */
export function* findRecord(dialect: Dialect, account: number, kind: RecordKind, id: string): Work<string | undefined> {
  const { records } = tablesOf[kind]
  return (yield* row<{ doc: string }>(
    sql`select doc from ${raw(records)} where account_id = ${account} and id = ${id}${dialect.locking('update')}`,
  ))?.doc
}

/** How many linked records are rewritten between two looks at the database. */
const renameChunk = 500

/** Gives every record that is linked to a store the store's new name, in the record and in the column. */
export function* renameStoreInRecords(dialect: Dialect, account: number, from: string, to: string): Work<number> {
  let changed = 0
  for (const kind of ['shipment', 'return'] as const) {
    for (;;) {
      const { records } = tablesOf[kind]
      const linked = yield* rows<{ doc: string }>(
        sql`select doc from ${raw(records)} where account_id = ${account} and store_name = ${from} limit ${renameChunk}`,
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
