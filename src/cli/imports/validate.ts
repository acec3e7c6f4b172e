// The first pass of an import: checks and labels every row of the file, and stages what the second pass saves
// (docs/guides/sheets.md).
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import type { Heading } from '../files/headers.ts'
import { openMapped } from '../files/mapped.ts'
import type { Sheet } from '../files/sheet.ts'
import { changed, type InputFile } from './inputfile.ts'
import { otherKind } from './kinds.ts'
import type { Staging, Kept } from './staging.ts'
import type { Failure, Item, Importer, Label, Outcome, Rule, Target, Wanted } from './importer.ts'
import type { Journal } from './journal.ts'
import { namesOf } from './uniquenames.ts'
import type { ImportOptions } from './options.ts'

/** A table of the file; `end` checks that its bytes are the ones that were counted and hashed before. */
export interface Table {
  readonly sheet: Sheet
  readonly end: () => void
}

/** A measured file: the SHA-256 of its bytes and how many lines it has at most. */
export interface Measured {
  readonly digest: string
  readonly lines: number
}

/** Opens the sheet of an import: reads its header, but no row. Throws what `openSheet` throws. */
export type Opener = (bytes: () => AsyncIterable<Uint8Array>) => Promise<Sheet>

/** What the headers of a file are read by. */
export const headingOf = <V>(kind: Importer<V>): Omit<Heading, 'map' | 'ignore'> => ({
  field: '<file>',
  columns: kind.columns,
  apart: (headers) => kind.form?.(headers) !== undefined,
  otherwise: (headers, lacking) => (lacking || kind.everyday === true ? otherKind(kind.command, headers) : undefined),
})

export const openerOf =
  <V>(
    { io }: Context,
    kind: Importer<V>,
    { path, maps, sheet }: Pick<ImportOptions, 'path' | 'maps' | 'sheet'>,
  ): Opener =>
  (bytes) =>
    openMapped(io, { path, ...headingOf(kind), bytes, sheet }, maps)

/** Opens the table of a file. Throws what its opener throws. */
export async function openTable(open: Opener, input: InputFile, { digest }: Measured): Promise<Table> {
  const reading = input.read()
  const sheet = await open(reading.bytes)
  return {
    sheet,
    end: () => {
      if (reading.digest() !== digest) throw changed(input.shown)
    },
  }
}

/** The items of a table; an item whose name an earlier one has becomes a failure. */
async function* judged<V>(
  kind: Importer<V>,
  sheet: Sheet,
  folder: string,
  lines: number,
): AsyncGenerator<readonly Item<V>[]> {
  const names = namesOf(lines)
  for await (const batch of kind.items(sheet, folder, names))
    yield batch.map((item): Item<V> => {
      if (item.value === undefined) return { ...item, failure: { ...item.failure!, early: true } }
      if (kind.claims === true) return item
      const { line } = item.rows[0]
      const first = names.claim(item.name, line)
      if (first === line) return item
      const message = `${item.name} is in ${sheet.counts} ${first} already`
      return { ...item, value: undefined, failure: { code: 'invalid_input', message, early: true } }
    })
}

/** The parts of a pass. */
export interface Pass {
  /** Called after each few items. */
  readonly step: (items: number) => Promise<void>
  readonly stopped: () => boolean
  readonly journal: Journal | undefined
  readonly rule: Rule
}

/** Receives the result of each item. */
export interface Listener<V> {
  readonly done: (outcome: Outcome) => void
  readonly failed: (item: Item<V>, failure: Failure) => void
}

/** The results of the first pass. */
export interface Checked {
  readonly rows: number
  /** How many that are to be saved lack what they may lack. */
  readonly bare: number
  readonly counts: Readonly<Record<Label | 'bad', number>>
}

export const wantedItem = <V>({ rows, name, value }: Item<V>, journal: Journal | undefined): Wanted<V> => ({
  value: value as V,
  name,
  line: rows[0].line,
  before: journal?.before(rows[0].line) ?? 'nothing',
})

/**
 * Checks every item, labels it, and stages what is to be saved. What was checked is what is sent, even if the file
 * changes.
 */
export async function validateRows<V>(
  { step, stopped, journal, rule }: Pass,
  { kind, input, lines }: { readonly kind: Importer<V>; readonly input: InputFile } & Pick<Measured, 'lines'>,
  { sheet, end }: Table,
  { label, unlabel, places }: Pick<Target<V>, 'label' | 'unlabel' | 'places'>,
  staging: Staging<V>,
  listener: Listener<V>,
): Promise<Checked> {
  const counts = { create: 0, unchanged: 0, conflict: 0, bad: 0 }
  let rows = 0
  let bare = 0
  for await (const batch of judged(kind, sheet, input.folder, lines)) {
    const good = batch.filter(({ value }) => value !== undefined)
    const labels = await label(good.map((item) => wantedItem(item, journal)))
    const found = new Map(good.map((item, i) => [item, labels[i]!]))
    const kept: Kept<V>[] = []
    for (const item of batch) {
      rows += item.rows.length
      const labelled = found.get(item) ?? item.failure!
      if (typeof labelled === 'object') {
        counts.bad++
        listener.failed(item, { ...labelled, early: true })
        continue
      }
      counts[labelled]++
      if (labelled === 'unchanged') listener.done('unchanged')
      else if (labelled === 'conflict' && rule === 'skip') listener.done('skipped')
      else {
        kept.push({ item, change: labelled === 'conflict', place: 0 })
        if (kind.bare?.is(item.value!) === true) bare++
      }
    }
    if (kept.length > 0) {
      const at = await places?.of(kept.map(({ item }) => wantedItem(item, journal)))
      staging.add(at === undefined ? kept : kept.map((one, i) => ({ ...one, place: at[i]! })))
    }
    await step(batch.length)
    if (stopped()) throw new ShipxError('interrupted', 'stopped while the file was being checked; nothing was sent')
  }
  end()
  for await (const some of lateIn(kind, staging)) {
    await unlabel?.(some.filter(({ change }) => !change).map(({ item }) => wantedItem(item, journal)))
    for (const { item, change } of some) {
      counts[change ? 'conflict' : 'create']--
      counts.bad++
      if (kind.bare?.is(item.value!) === true) bare--
      listener.failed(item, { ...item.failure!, early: true })
    }
  }
  return { rows, bare, counts }
}

/** Staged items that later lines proved wrong, with their failures. */
async function* lateIn<V>({ late }: Importer<V>, staging: Staging<V>): AsyncGenerator<readonly Kept<V>[]> {
  const wrong = late?.()
  if (wrong === undefined || wrong.size === 0) return
  for await (const some of staging.read())
    yield some.flatMap(({ item, change, place }) => {
      const failure = wrong.get(item.rows[0].line)
      return failure === undefined ? [] : [{ item: { ...item, failure }, change, place }]
    })
}
