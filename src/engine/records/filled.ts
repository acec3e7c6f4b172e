// The columns of records that were saved before there were these columns. Only a change of the schema loads it.
import type { Fill } from '../database/migrations.ts'
import { columnsIn } from './entry.ts'

/**
 * The columns of a record from its text in any shape. A record that cannot be read has none, whatever the reason: sums
 * lack it and say so, and it does not keep its database from being opened.
 */
export const fillOf: Fill = (doc, table) => {
  try {
    return columnsIn(table === 'shipments' ? 'shipment' : 'return', doc)
  } catch {
    return { unread_amount: 1 }
  }
}
