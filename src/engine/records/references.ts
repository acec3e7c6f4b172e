// Shipments by what people call them (tracking number, id, order display id), hundreds in one statement.
import sql, { join, raw } from 'sql-template-tag'
import { rows, type Work } from '../database/port.ts'
import { withDocs } from './entry.ts'

/** The most references in one statement. */
export const mostReferences = 300

/** Shipments whose id, tracking number or order display id is one of the references: as JSON text, each once. */
export function* shipmentsNamed(account: number, references: readonly string[]): Work<readonly string[]> {
  const parts = ['id', 'tracking_number', 'order_display_id'].map(
    (column) =>
      sql`select r.id, d.doc from ${withDocs('shipment')}
        where r.account_id = ${account} and r.${raw(column)} in (${join(references)})`,
  )
  const found = yield* rows<{ id: string; doc: string }>(join(parts, ' union all '))
  return [...new Map(found.map(({ id, doc }) => [id, doc])).values()]
}
