// The interfaces of an importer: the columns of one kind of thing, its checked items, and their target
// (docs/guides/sheets.md).
import type { Code } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import type { SheetColumn } from '../files/headers.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import type { Names } from './uniquenames.ts'

/** Why an item was not saved. */
export interface Failure {
  readonly code: Code
  readonly message: string
  /** The message without what belongs to this one item, such as its AWB, where it names any: equal ones are counted. */
  readonly reason?: string
  /** Its single faults with their lines, where there may be several: equal ones are counted together. */
  readonly faults?: readonly { readonly message: string; readonly line: number }[]
  /** Found before shipx sent anything. */
  readonly early?: true
  /** shipx sent it, and it was refused or lost. */
  readonly sent?: true
  /** It may have been saved nevertheless; the next run looks it up. */
  readonly unknown?: true
}

/** One thing of a file with its rows: its value, or its fault. */
export interface Item<V> {
  readonly rows: readonly [SheetRow, ...SheetRow[]]
  /** Its name in the file: a store's name, an order's id. */
  readonly name: string
  readonly value: V | undefined
  /** Set when there is no value. */
  readonly failure: Failure | undefined
}

/** An item that can be sent. */
export interface Wanted<V> {
  readonly value: V
  readonly name: string
  /** The line of the file where it starts. */
  readonly line: number
  /** Its state after an earlier run of the same file: saved, or sent without an answer. */
  readonly before: 'nothing' | 'sent' | 'saved'
}

/** What shipx would do with an item. */
export type Label = 'create' | 'unchanged' | 'conflict'

/** What shipx did with an item; `idle` is saved and changes nothing. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'idle'

/** What to do with a thing that exists and differs. */
export type Rule = 'fail' | 'skip' | 'update'

/** A target that saves many items in one transaction. */
export interface Batches<V> {
  readonly kind: 'batches'
  /** Saves all given items durably. Throws an error that ends the whole import. */
  readonly save: (wanted: readonly Wanted<V>[]) => Promise<readonly (Outcome | Failure)[]>
  /** How long a transaction is meant to take, ms, and its items at most, where they are not the usual ones. */
  readonly transaction?: { readonly ms: number; readonly most: number }
}

/** A target that receives items one by one. */
export interface Singles<V> {
  readonly kind: 'singles'
  /** What a journal belongs to: a hash of the deployment's address and the key. */
  readonly identity: string
  /** Sends one item; throws a `ShipxError` when it fails. `change` means that it exists and differs. */
  readonly send: (wanted: Wanted<V>, change: boolean) => Promise<Outcome | Failure>
  /** The failure of an item that exists and differs. */
  readonly conflict: (wanted: Wanted<V>) => Failure
  /** Ends the requests under way without waiting for them. */
  readonly abandon: () => Promise<void>
}

/** The target of an import. */
export interface Target<V> {
  /** Its place in questions and at the end: `on this computer`, `at api.example.com (profile acme)`. */
  readonly where: string
  readonly way: Batches<V> | Singles<V>
  /** What shipx would do with each item, or why it would fail; changes nothing. */
  readonly label: (wanted: readonly Wanted<V>[]) => Promise<readonly (Label | Failure)[]>
  /** Which items differ from what is there, and in what, for a dry run. */
  readonly differences?: () => string | undefined
  /** What is to know about items that are there. */
  readonly notes?: () => string | undefined
  /** A forecast for the sentence of a dry run: `about ₹612 freight`. */
  readonly forecast?: () => string | undefined
  /** Takes items that turned out wrong out of the forecast. */
  readonly unlabel?: (wanted: readonly Wanted<V>[]) => Promise<void>
  /** How many created things lack a part, such as a courier: the import is then only partly done. */
  readonly lacking?: () => number
  /** Where the records of items lie, if items of one record, and of neighbours, are to be saved one after the other. */
  readonly places?: Places<V>
  readonly close: () => Promise<void>
}

/** Places of records in a database, whole numbers. */
export interface Places<V> {
  /** The first and the last place. */
  readonly span: () => Promise<readonly [first: number, last: number]>
  /** The place of each item; 0 where it has no record. */
  readonly of: (wanted: readonly Wanted<V>[]) => Promise<readonly number[]>
}

/** What a target needs to open. */
export interface Opening {
  readonly context: Context
  readonly use: 'read' | 'bulk'
  readonly rule: Rule
  /** Requests a second at most. */
  readonly max_rps: number | undefined
  /** Aborted when waits must end. */
  readonly stop: AbortSignal
}

/** What an import does with what is new, in words. */
export interface Deed {
  readonly would: string
  readonly doing: string
  readonly done: string
}

/** What most imports do. */
export const creating: Deed = { would: 'create', doing: 'Creating', done: 'created' }

/** The import of one kind of thing. */
export interface Importer<V> {
  /** One and several: store, stores. */
  readonly noun: readonly [one: string, many: string]
  /** What it does with what is new; it creates it where this is not said. */
  readonly deed?: Deed
  readonly columns: readonly SheetColumn[]
  /** What is saved may change nothing: such items are counted apart. */
  readonly idles?: true
  /**
   * What these headers are the export of (`a Shopify export`), when the importer reads it by a form; undefined for a
   * file that is read by our columns. Throws `invalid_input` when the file is not what the user says.
   */
  readonly form?: (headers: readonly string[]) => string | undefined
  /** The command that reads these files (`orders import`), for a file of another kind. */
  readonly command: string
  /** A file of another kind may have all our columns too, because their headers are everyday words. */
  readonly everyday?: true
  /**
   * The items of a table in order; called once. `names` is empty; when the items claim their names themselves, `claims`
   * is set.
   */
  readonly items: (sheet: Sheet, folder: string, names: Names) => AsyncIterable<readonly Item<V>[]>
  readonly claims?: true
  /** How many bytes of its items stay in memory between the two passes, where it is not the usual number. */
  readonly held?: number
  /** The faults of items that later lines revealed, by the item's first line; called once all items were returned. */
  readonly late?: () => ReadonlyMap<number, Failure>
  /** Whether a good row lacks something useful, and the sentence that counts such rows before they are saved. */
  readonly bare?: { readonly is: (value: V) => boolean; readonly said: (rows: number) => string }
  readonly open: (opening: Opening) => Promise<Target<V>>
  /** Rows of a sample, the header first. */
  readonly template: readonly (readonly string[])[]
}
