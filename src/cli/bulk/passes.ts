// The two passes over an import's file: every item is judged and labelled, then what is to be saved is saved; knows no kind
// of thing, no deployment and no screen (docs/bulk.md).
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { openSheet, type Sheet } from '../sheet.ts'
import { changed, type Given } from './given.ts'
import type { Batches, Failure, Item, Kind, Label, Outcome, Rule, Singles, Target, Wanted } from './kind.ts'
import type { Journal } from './journal.ts'
import { marksOf, type Marks } from './marks.ts'
import type { Names } from './names.ts'

/** An import on its way. */
export interface Course<V> {
  readonly context: Context
  readonly kind: Kind<V>
  readonly given: Given
  readonly map: readonly string[]
  /** SHA-256 of the file. */
  readonly digest: string
  readonly names: Names
  /** Told after each few items. */
  readonly step: (items: number) => Promise<void>
  readonly stopped: () => boolean
}

/** What the first pass found. */
export interface Checked {
  readonly rows: number
  /** The label of each item by its place: 0 for one that is wrong. */
  readonly labels: Marks
  readonly counts: Readonly<Record<Label | 'bad', number>>
}

const labels = ['bad', 'create', 'unchanged', 'conflict'] as const
const markOf: Readonly<Record<Label, number>> = { create: 1, unchanged: 2, conflict: 3 }

/** A table of the file, opened anew; `end` checks that all of it was what it was before. */
export async function openTable<V>({
  context,
  kind,
  given,
  map,
  digest,
}: Omit<Course<V>, 'names' | 'step' | 'stopped'>): Promise<{ readonly sheet: Sheet; readonly end: () => void }> {
  // prettier-ignore
  const reading = given.read()
  const sheet = await openSheet(context.io, { path: given.path, field: '<file>', columns: kind.columns, map, bytes: reading.bytes }) // prettier-ignore
  return {
    sheet,
    end: () => {
      if (reading.digest() !== digest) throw changed(given.shown)
    },
  }
}

/** The items of a table, those whose name an earlier one has as wrong as the others that are. */
async function* judged<V>({ kind, given, names }: Course<V>, sheet: Sheet): AsyncGenerator<readonly Item<V>[]> {
  for await (const batch of kind.items(sheet, given.folder))
    yield batch.map((item): Item<V> => {
      if (item.value === undefined) return { ...item, failure: { ...item.failure!, early: true } }
      const { line } = item.rows[0]
      const first = names.claim(item.name, line)
      if (first === line) return item
      const message = `${item.name} is in line ${first} already`
      return { ...item, value: undefined, failure: { code: 'invalid_input', message, early: true } }
    })
}

const wantedOf = <V>({ rows, name, value }: Item<V>, journal: Journal | undefined): Wanted<V> => ({
  value: value as V,
  name,
  line: rows[0].line,
  before: journal?.before(rows[0].line) ?? 'nothing',
})

/** Judges every item and finds out what would be done with it. `bad` is told of each that is wrong. */
export async function check<V>(
  course: Course<V>,
  target: Pick<Target<V>, 'label'>,
  journal: Journal | undefined,
  { sheet, end }: Awaited<ReturnType<typeof openTable>>,
  bad: (item: Item<V>) => void,
): Promise<Checked> {
  const marks = marksOf()
  const counts = { create: 0, unchanged: 0, conflict: 0, bad: 0 }
  let [rows, place] = [0, 0]
  for await (const batch of judged(course, sheet)) {
    const found = await target.label(batch.filter(({ value }) => value !== undefined).map((item) => wantedOf(item, journal))) // prettier-ignore
    let next = 0
    for (const item of batch) {
      rows += item.rows.length
      const label = item.value === undefined ? undefined : found[next++]!
      if (label === undefined) bad(item)
      else marks.set(place, markOf[label])
      counts[label ?? 'bad']++
      place++
    }
    await course.step(batch.length)
    if (course.stopped()) throw new ShipxError('interrupted', 'stopped while the file was being checked; nothing was sent') // prettier-ignore
  }
  end()
  return { rows, labels: marks, counts }
}

/** Told of what became of each item. */
export interface Ear<V> {
  readonly done: (outcome: Outcome) => void
  readonly failed: (item: Item<V>, failure: Failure) => void
}

/** What was wrong when the file was checked and is not any more: a logo that came later. */
const lateRight: Failure = { code: 'invalid_file', message: 'was wrong when the file was checked; run the command again', early: true } // prettier-ignore

/** The items that are to be saved, a few at a time, after those that are not have been told. */
async function* toSave<V>(
  course: Course<V>,
  { labels: marks }: Checked,
  rule: Rule | undefined,
  ear: Ear<V>,
): AsyncGenerator<readonly { readonly item: Item<V>; readonly label: Label }[]> {
  const { sheet, end } = await openTable(course)
  let place = 0
  for await (const batch of judged(course, sheet)) {
    course.given.unchanged()
    const wanted: { readonly item: Item<V>; readonly label: Label }[] = []
    for (const item of batch) {
      const label = labels[marks.get(place++)]!
      if (item.value === undefined) ear.failed(item, item.failure!)
      else if (label === 'bad') ear.failed(item, lateRight)
      else if (label === 'unchanged') ear.done('unchanged')
      else if (label === 'conflict' && rule === 'skip') ear.done('skipped')
      else wanted.push({ item, label })
    }
    yield wanted
  }
  end()
}

/** A transaction should take so long, ms: signals and other processes wait for its end. */
const transactionMs = 60

const [fewest, greatest] = [20, 2000]

/** Saves in transactions of about 60 ms. Throws what ends it all. */
export async function saveBatches<V>(
  course: Course<V>,
  checked: Checked,
  { save }: Batches<V>,
  ear: Ear<V>,
): Promise<void> {
  // prettier-ignore
  let size = 500
  let waiting: Item<V>[] = []
  const write = async (items: readonly Item<V>[]): Promise<void> => {
    const begun = performance.now()
    const results = await save(items.map((item) => wantedOf(item, undefined)))
    for (const [i, result] of results.entries())
      if (typeof result === 'string') ear.done(result)
      else ear.failed(items[i]!, result)
    const took = Math.max(1, performance.now() - begun)
    // Small ones say little of large ones.
    if (items.length >= size || took > transactionMs)
      size = Math.round(Math.min(greatest, Math.max(fewest, size * Math.min(2, transactionMs / took))))
    await course.step(items.length)
    await new Promise(setImmediate)
  }
  for await (const batch of toSave(course, checked, undefined, ear)) {
    for (const { item } of batch) waiting.push(item)
    while (waiting.length >= size && !course.stopped()) {
      const part = waiting.slice(0, size)
      waiting = waiting.slice(size)
      await write(part)
    }
    if (course.stopped()) return
  }
  while (waiting.length > 0 && !course.stopped()) {
    const part = waiting.slice(0, size)
    waiting = waiting.slice(size)
    await write(part)
  }
}

/** How items are sent one by one. */
export interface Pace {
  readonly concurrency: number
  readonly rule: Rule
}

/** Failures without a success in between after which a service is taken to be away. */
const away = 20

/** Sends one by one, so many at a time. Throws what ends it all, after what was under way has come back. */
export async function sendSingles<V>(
  course: Course<V>,
  checked: Checked,
  { send, conflict }: Singles<V>,
  journal: Journal,
  { concurrency, rule }: Pace,
  ear: Ear<V>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  let ended: { readonly error: unknown } | undefined
  let silent = 0
  const one = async (item: Item<V>, label: Label): Promise<void> => {
    const wanted = wantedOf(item, journal)
    if (label === 'conflict' && rule === 'fail') {
      ear.failed(item, conflict(wanted))
      return course.step(1)
    }
    await journal.sending(wanted.line)
    try {
      const result = await send(wanted, label === 'conflict')
      silent = 0
      if (typeof result === 'string') ear.done(result)
      else ear.failed(item, result)
      await journal.heard(wanted.line, typeof result === 'string' ? 'saved' : 'again')
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      const unknown = error.code === 'unknown_outcome' || error.code === 'interrupted'
      // Whoever stops is told how to go on; the line stays as sent, and the next run looks.
      if (error.code === 'interrupted') return
      ear.failed(item, { code: error.code, message: error.message, ...(unknown ? { unknown } : {}) })
      if (!unknown) await journal.heard(wanted.line, 'again')
      if (['unauthorized', 'forbidden'].includes(error.kind)) throw error
      silent = error.kind === 'unavailable' || error.kind === 'rate_limited' ? silent + 1 : 0
      if (silent >= away) throw error
    }
    await course.step(1)
  }
  const start = (item: Item<V>, label: Label): void => {
    const work: Promise<void> = one(item, label)
      .catch((error: unknown) => {
        ended ??= { error }
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  const feed = async (): Promise<void> => {
    for await (const batch of toSave(course, checked, rule, ear))
      for (const { item, label } of batch) {
        while (running.size >= concurrency) await Promise.race(running)
        if (course.stopped() || ended !== undefined) return
        start(item, label)
      }
  }
  await feed().catch((error: unknown) => {
    ended ??= { error }
  })
  await Promise.all(running)
  if (ended !== undefined) throw ended.error
}
