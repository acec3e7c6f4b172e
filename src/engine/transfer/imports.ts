// Imports records from files: checks them and saves them a chunk at a time.
import * as z from 'zod/mini'
import { faultsOf, forFaults } from '../../domain/parse.ts'
import { largerAsJson } from '../../domain/rawvalue.ts'
import { Return } from '../../domain/parcels/returns.ts'
import { Shipment } from '../../domain/parcels/shipments.ts'
import { Store, storeNameFault } from '../../domain/stores.ts'
import type { Dialect, Work } from '../database/port.ts'
import { saveRecords } from '../records/records.ts'
import type { Outcome } from '../records/entry.ts'
import { saveStore } from '../accounts/stores.ts'

/** The kinds of record that can be imported. */
export const importKinds = ['shipments', 'returns', 'stores'] as const
export type ImportKind = (typeof importKinds)[number]

/**
 * Records in one transaction: about 50 ms of work, so that shipx reacts to a signal in between
 * (docs/inside/reliability.md).
 */
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
  // The record as it came, not in the schema's field order: an import keeps every byte.
  if (parsed.success) return { record: value as Shipment | Return | Store }
  const faults = faultsOf(parsed.error).map(
    (fault) => `${fault.field === null ? '' : `${fault.field} `}${fault.message}`,
  )
  return { fault: faults.slice(0, 3).join('; ') + (faults.length > 3 ? `; and ${faults.length - 3} more` : '') }
}

/** Saves checked records in one transaction; returns their outcomes in the same order. */
export function* importRecords(
  dialect: Dialect,
  account: number,
  kind: ImportKind,
  records: readonly (Shipment | Return | Store)[],
  now: number,
): Work<readonly Outcome[]> {
  if (kind !== 'stores')
    return yield* saveRecords(
      dialect,
      account,
      kind === 'shipments' ? 'shipment' : 'return',
      records as readonly (Shipment | Return)[],
    )
  const outcomes: Outcome[] = []
  for (const record of records) outcomes.push(yield* saveStore(account, record as Store, now))
  return outcomes
}
