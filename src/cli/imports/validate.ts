// The two passes of an import: every row of the file is judged and labelled, and what is to be saved is put aside; then that
// is saved. Knows no kind of thing, no deployment and no screen (docs/bulk.md).
import { undecided } from '../../client/tries.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { openSheet } from '../files/opensheet.ts'
import type { Sheet } from '../files/sheet.ts'
import { changed, type Given } from './inputfile.ts'
import type { Aside, Kept } from './staging.ts'
import type { Batches, Failure, Item, Kind, Label, Outcome, Rule, Singles, Target, Wanted } from './importer.ts'
import type { Journal } from './journal.ts'
import { namesOf } from './uniquenames.ts'
import type { Wishes } from './options.ts'

/** A table of the file; `end` checks that its bytes were those that were counted and hashed before. */
export interface Table {
  readonly sheet: Sheet
  readonly end: () => void
}

/** A file as it was measured: the SHA-256 of its bytes and how many lines it has at most. */
export interface Measured {
  readonly digest: string
  readonly lines: number
}

/** Opens the sheet of an import: its header is read, and no row. Throws what `openSheet` throws. */
export type Opener = (bytes: () => AsyncIterable<Uint8Array>) => Promise<Sheet>

export const openerOf = <V>({ io }: Context, kind: Kind<V>, { path, map }: Pick<Wishes, 'path' | 'map'>): Opener =>
  (bytes) => openSheet(io, { path, field: '<file>', columns: kind.columns, map, bytes }) // prettier-ignore

/** Opens the table of a file. Throws what its opener throws. */
export async function openTable(open: Opener, given: Given, { digest }: Measured): Promise<Table> {
  const reading = given.read()
  const sheet = await open(reading.bytes)
  return {
    sheet,
    end: () => {
      if (reading.digest() !== digest) throw changed(given.shown)
    },
  }
}

/** The items of a table, those whose name an earlier one has as wrong as the others that are. */
async function* judged<V>(
  kind: Kind<V>,
  sheet: Sheet,
  folder: string,
  lines: number,
): AsyncGenerator<readonly Item<V>[]> {
  // prettier-ignore
  const names = namesOf(lines)
  for await (const batch of kind.items(sheet, folder, names))
    yield batch.map((item): Item<V> => {
      if (item.value === undefined) return { ...item, failure: { ...item.failure!, early: true } }
      if (kind.claims === true) return item
      const { line } = item.rows[0]
      const first = names.claim(item.name, line)
      if (first === line) return item
      const message = `${item.name} is in line ${first} already`
      return { ...item, value: undefined, failure: { code: 'invalid_input', message, early: true } }
    })
}

/** What a pass goes with. */
export interface Course {
  /** Told after each few items. */
  readonly step: (items: number) => Promise<void>
  readonly stopped: () => boolean
  readonly journal: Journal | undefined
  readonly rule: Rule
}

/** Told of what became of each item. */
export interface Ear<V> {
  readonly done: (outcome: Outcome) => void
  readonly failed: (item: Item<V>, failure: Failure) => void
}

/** What the first pass found. */
export interface Checked {
  readonly rows: number
  readonly counts: Readonly<Record<Label | 'bad', number>>
}

const wantedOf = <V>({ rows, name, value }: Item<V>, journal: Journal | undefined): Wanted<V> => ({
  value: value as V,
  name,
  line: rows[0].line,
  before: journal?.before(rows[0].line) ?? 'nothing',
})

/**
 * Judges every item, finds out what would be done with it, and puts aside what is to be saved: what was checked is what
 * will be sent, whatever becomes of the file.
 */
export async function check<V>(
  { step, stopped, journal, rule }: Course,
  { kind, given, lines }: { readonly kind: Kind<V>; readonly given: Given } & Pick<Measured, 'lines'>,
  { sheet, end }: Table,
  { label }: Pick<Target<V>, 'label'>,
  aside: Aside<V>,
  ear: Ear<V>,
): Promise<Checked> {
  const counts = { create: 0, unchanged: 0, conflict: 0, bad: 0 }
  let rows = 0
  for await (const batch of judged(kind, sheet, given.folder, lines)) {
    const good = batch.filter(({ value }) => value !== undefined)
    const labels = await label(good.map((item) => wantedOf(item, journal)))
    const found = new Map(good.map((item, i) => [item, labels[i]!]))
    const kept: Kept<V>[] = []
    for (const item of batch) {
      rows += item.rows.length
      const labelled = found.get(item) ?? item.failure!
      if (typeof labelled === 'object') {
        counts.bad++
        ear.failed(item, { ...labelled, early: true })
        continue
      }
      counts[labelled]++
      if (labelled === 'unchanged') ear.done('unchanged')
      else if (labelled === 'conflict' && rule === 'skip') ear.done('skipped')
      else kept.push({ item, change: labelled === 'conflict' })
    }
    if (kept.length > 0) aside.add(kept)
    await step(batch.length)
    if (stopped()) throw new ShipxError('interrupted', 'stopped while the file was being checked; nothing was sent')
  }
  end()
  return { rows, counts }
}

/** What was put aside, a few at a time, without what has turned out to be wrong since. */
async function* keptIn<V>(
  aside: Aside<V>,
  { late }: Pick<Kind<V>, 'late'>,
  ear: Ear<V>,
): AsyncGenerator<readonly Kept<V>[]> {
  // prettier-ignore
  const right = ({ item }: Kept<V>): boolean => {
    const failure = late?.(item.rows[0].line)
    if (failure !== undefined) ear.failed(item, { ...failure, early: true })
    return failure === undefined
  }
  for await (const some of aside.read()) yield some.filter(right)
}

/** A transaction should take so long, ms: signals and other processes wait for its end. */
const transactionMs = 60

/** Items in one transaction. */
const [fewest, most] = [20, 2000]

/** Saves in transactions of about 60 ms. Throws what ends it all. */
export async function saveBatches<V>(
  { step, stopped }: Course,
  kind: Pick<Kind<V>, 'late'>,
  aside: Aside<V>,
  { save }: Batches<V>,
  ear: Ear<V>,
): Promise<void> {
  // prettier-ignore
  let size = 500
  let waiting: Item<V>[] = []
  const write = async (): Promise<void> => {
    const items = waiting.slice(0, size)
    waiting = waiting.slice(size)
    const begun = performance.now()
    const results = await save(items.map((item) => wantedOf(item, undefined)))
    for (const [i, result] of results.entries())
      if (typeof result === 'string') ear.done(result)
      else ear.failed(items[i]!, result)
    const took = Math.max(1, performance.now() - begun)
    size = Math.round(Math.min(most, Math.max(fewest, size * Math.min(2, transactionMs / took))))
    await step(items.length)
    await new Promise(setImmediate)
  }
  for await (const batch of keptIn(aside, kind, ear)) {
    for (const { item } of batch) waiting.push(item)
    while (waiting.length >= size && !stopped()) await write()
    if (stopped()) return
  }
  while (waiting.length > 0 && !stopped()) await write()
}

/** Why one was not saved; what an earlier run has sent stays unknown while the service says nothing about it. */
function failureOf({ code, kind, message }: ShipxError, { before }: Wanted<unknown>): Failure {
  if (code === 'unknown_outcome') return { code, message, sent: true, unknown: true }
  if (before !== 'sent' || !undecided(kind)) return { code, message, sent: true }
  return { code: 'unknown_outcome', message: `sent by an earlier run, and it may or may not be there: ${message}`, sent: true, unknown: true } // prettier-ignore
}

/** Failures without a success in between after which a service is taken to be away. */
const away = 20

/** Sends one by one, so many at a time. Throws what ends it all, after what was under way has come back. */
export async function sendSingles<V>(
  { step, stopped, rule, journal }: Course & { readonly journal: Journal },
  kind: Pick<Kind<V>, 'late'>,
  aside: Aside<V>,
  { send, conflict }: Singles<V>,
  concurrency: number,
  ear: Ear<V>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  let ended: { readonly error: unknown } | undefined
  let silent = 0
  const one = async ({ item, change }: Kept<V>): Promise<void> => {
    const wanted = wantedOf(item, journal)
    if (change && rule === 'fail') {
      ear.failed(item, conflict(wanted))
      return step(1)
    }
    await journal.sending(wanted.line)
    try {
      const result = await send(wanted, change)
      silent = 0
      if (typeof result === 'string') ear.done(result)
      else ear.failed(item, { ...result, sent: true })
      await journal.heard(wanted.line, typeof result === 'string' ? 'saved' : 'again')
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      // Whoever stops is told how to go on; the line stays as sent, and the next run looks.
      if (error.code === 'interrupted') return
      const failure = failureOf(error, wanted)
      ear.failed(item, failure)
      if (failure.unknown !== true) await journal.heard(wanted.line, 'again')
      if (['unauthorized', 'forbidden'].includes(error.kind)) throw error
      silent = error.kind === 'unavailable' || error.kind === 'rate_limited' ? silent + 1 : 0
      if (silent >= away) throw error
    }
    await step(1)
  }
  const start = (kept: Kept<V>): void => {
    const work: Promise<void> = one(kept)
      .catch((error: unknown) => {
        ended ??= { error }
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  const feed = async (): Promise<void> => {
    for await (const batch of keptIn(aside, kind, ear))
      for (const kept of batch) {
        while (running.size >= concurrency) await Promise.race(running)
        if (stopped() || ended !== undefined) return
        start(kept)
      }
  }
  await feed().catch((error: unknown) => {
    ended ??= { error }
  })
  await Promise.all(running)
  if (ended !== undefined) throw ended.error
}
