// What an importer is: the columns of one kind of thing, its checked items, and where they go (docs/bulk.md).
import type { Code } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import type { SheetColumn } from '../files/headers.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import type { Names } from './uniquenames.ts'

/** Why an item was not saved. */
export interface Failure {
  readonly code: Code
  readonly message: string
  /** Found before anything was sent. */
  readonly early?: true
  /** It was sent, and refused or lost. */
  readonly sent?: true
  /** It may have been saved all the same; the next run looks. */
  readonly unknown?: true
}

/** One thing of a file, with the rows that it is made of and its value, or what is wrong with it. */
export interface Item<V> {
  readonly rows: readonly [SheetRow, ...SheetRow[]]
  /** What it is called in the file: a store's name, an order's id. */
  readonly name: string
  readonly value: V | undefined
  /** Set when there is no value. */
  readonly failure: Failure | undefined
}

/** An item that can be sent. */
export interface Wanted<V> {
  readonly value: V
  readonly name: string
  /** The line of the file that it starts in. */
  readonly line: number
  /** What an earlier run of the same file says: it was saved, or it was sent without an answer. */
  readonly before: 'nothing' | 'sent' | 'saved'
}

/** What would be done with an item. */
export type Label = 'create' | 'unchanged' | 'conflict'

/** What was done with an item. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped'

/** What to do with a thing that is there and differs. */
export type Rule = 'fail' | 'skip' | 'update'

/** Where items go that are saved in transactions of many. */
export interface Batches<V> {
  readonly kind: 'batches'
  /** Saves as many as it is given, durably; throws what ends the whole import. */
  readonly save: (wanted: readonly Wanted<V>[]) => Promise<readonly (Outcome | Failure)[]>
}

/** Where items go that are sent one by one. */
export interface Singles<V> {
  readonly kind: 'singles'
  /** What a journal belongs to: the deployment and whose key it is, not readable. */
  readonly identity: string
  /** Sends one; throws a `ShipxError` for what went wrong with it. `change` says that it is there and differs. */
  readonly send: (wanted: Wanted<V>, change: boolean) => Promise<Outcome | Failure>
  /** What is said of an item that is there and differs, where that is a failure. */
  readonly conflict: (wanted: Wanted<V>) => Failure
  /** Ends what is under way, without waiting for it. */
  readonly abandon: () => Promise<void>
}

/** Where the items of an import go. */
export interface Target<V> {
  /** As a question names it: `acme-live`. */
  readonly name: string
  readonly way: Batches<V> | Singles<V>
  /** What would be done with each, or why it would fail; changes nothing. */
  readonly label: (wanted: readonly Wanted<V>[]) => Promise<readonly (Label | Failure)[]>
  /** What is known of the things that would be created, for the sentence of a dry run: `about ₹612 freight`. */
  readonly forecast?: () => string | undefined
  /** How many things that were created lack a part, such as a courier: the import is then done in part. */
  readonly lacking?: () => number
  readonly close: () => Promise<void>
}

/** What a target is opened with. */
export interface Opening {
  readonly context: Context
  readonly use: 'read' | 'write'
  readonly rule: Rule
  /** Requests a second at most. */
  readonly max_rps: number | undefined
  /** Aborted when waits should end. */
  readonly stop: AbortSignal
}

/** The import of one kind of thing. */
export interface Importer<V> {
  /** One and several: store, stores. */
  readonly noun: readonly [one: string, many: string]
  readonly columns: readonly SheetColumn[]
  /**
   * The items of a table in their order, asked for once. `names` is empty; where the items claim their names
   * themselves, `claims` is set.
   */
  readonly items: (sheet: Sheet, folder: string, names: Names) => AsyncIterable<readonly Item<V>[]>
  readonly claims?: true
  /**
   * Items of one name are saved together, in the place of the first: less is written where they change the same thing.
   */
  readonly together?: true
  /**
   * What was found out about the item of a line after it was given, by what came further down; asked once all were
   * given.
   */
  readonly late?: (line: number) => Failure | undefined
  readonly open: (opening: Opening) => Promise<Target<V>>
  /** Rows of a sample, the header first. */
  readonly template: readonly (readonly string[])[]
}
