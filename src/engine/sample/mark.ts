// Whether a database holds sample data: the first shipment of a seed has an id that no other shipment has.
import sql from 'sql-template-tag'
import { row, type Work } from '../database/port.ts'
import { withDocs } from '../records/entry.ts'
import { shipmentsNamed } from '../records/references.ts'
import { firstShipment, usualSeed } from './chance.ts'

/**
 * Whether an account holds the sample data of the usual seed, or of any seed whose first shipment is the oldest of the
 * account. Sample data of another seed next to older records is not found.
 */
export function* holdsSample(account: number): Work<boolean> {
  if ((yield* shipmentsNamed(account, [firstShipment(usualSeed)])).length > 0) return true
  const oldest = yield* row<{ id: string; doc: string }>(
    sql`select r.id, d.doc from ${withDocs('shipment')} where r.account_id = ${account}
      order by r.created_at, r.id limit 1`,
  )
  // The number of the first order of a seed is twice the seed (tenDigits).
  const number = /"id":"ORD(\d{10})"/.exec(oldest?.doc ?? '')?.[1]
  return number !== undefined && firstShipment(Number(number) / 2) === oldest?.id
}
