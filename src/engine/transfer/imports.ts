// Imports records from files: checks them and saves them a chunk at a time.
import * as z from 'zod/mini'
import { faultsOf, forFaults } from '../../domain/parse.ts'
import { largerAsJson } from '../../domain/rawvalue.ts'
import { Return } from '../../domain/parcels/returns.ts'
import { Shipment } from '../../domain/parcels/shipments.ts'
import { Store, storeNameFault } from '../../domain/stores.ts'
import { rows, type Dialect, type Work } from '../database/port.ts'
import { saveEntries, type SavedEntry } from '../records/records.ts'
import { entryOf, type Entry } from '../records/entry.ts'
import { saveStore } from '../accounts/stores.ts'

/** The kinds of record that can be imported. */
export const importKinds = ['shipments', 'returns', 'stores'] as const
export type ImportKind = (typeof importKinds)[number]

/** Records that are checked together: of a batch with a broken line, none is saved. */
export const importChunk = 512

/**
 * The largest record, bytes as JSON: sixteen times what our own service accepts, and small compared with the limit of
 * an answer.
 */
export const maxRecordBytes = 1_048_576

const StoreRecord = Store.check(
  z.refine((store) => storeNameFault(store.store_name) === undefined, {
    path: ['store_name'],
    error: 'may contain only letters, numbers and hyphens',
  }),
)

const schemas = { shipments: Shipment, returns: Return, stores: StoreRecord } as const satisfies Record<
  ImportKind,
  z.ZodMiniType
>

/** Returns a record that matches its schema, or one sentence about what is wrong with it. */
export function checkRecord(
  kind: ImportKind,
  value: unknown,
): { readonly record: Shipment | Return | Store } | { readonly fault: string } {
  if (largerAsJson(value, maxRecordBytes))
    return { fault: `the record is larger than ${maxRecordBytes.toLocaleString('en-IN')} bytes as JSON` }
  const parsed = schemas[kind].safeParse(value, forFaults)
  // The record as it came, not in the schema's field order.
  if (parsed.success) return { record: value as Shipment | Return | Store }
  const faults = faultsOf(parsed.error).map(
    (fault) => `${fault.field === null ? '' : `${fault.field} `}${fault.message}`,
  )
  return { fault: faults.slice(0, 3).join('; ') + (faults.length > 3 ? `; and ${faults.length - 3} more` : '') }
}

/** A checked record, ready to be saved: a shipment or a return as its columns and texts, a store as it is. */
export type Ready = Entry | Store

/**
 * Makes a checked record ready to be saved: the part of the work that needs no database. `text` is its JSON, where that
 * has digits which the record lacks.
 */
export const readyRecord = (kind: ImportKind, record: Shipment | Return | Store, text?: string): Ready =>
  kind === 'stores'
    ? (record as Store)
    : entryOf(kind === 'shipments' ? 'shipment' : 'return', record as Shipment | Return, text)

/** What an import made of a record. */
export type Imported = Pick<SavedEntry, 'outcome' | 'rewound'>

/**
 * Saves records that are ready in one transaction, one part after the other; returns what became of each, in their
 * order.
 */
export function* importReady(
  dialect: Dialect,
  account: number,
  kind: ImportKind,
  parts: readonly (() => readonly Ready[])[],
  now: number,
): Work<readonly Imported[]> {
  const saved: Imported[] = []
  if (kind === 'stores') {
    for (const part of parts)
      for (const record of part())
        saved.push({ outcome: yield* saveStore(account, record as Store, now), rewound: false })
    return saved
  }
  const own = kind === 'shipments' ? 'shipment' : 'return'
  const read = (doc: string): Shipment | Return => JSON.parse(doc) as Shipment | Return
  // One part is a small import.
  const merges = parts.length > 1 ? dialect.searchMerges : undefined
  if (merges !== undefined) yield* rows(merges(own, 'late'))
  for (const part of parts)
    for (const { outcome, rewound } of yield* saveEntries(dialect, account, own, part() as readonly Entry[], read))
      saved.push({ outcome, rewound })
  if (merges !== undefined) yield* rows(merges(own, 'usual'))
  return saved
}
