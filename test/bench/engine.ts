// The engine's side of a measurement: a listing asked through the port, in process.
import { parseInput } from '../../src/domain/parse.ts'
import type { Page } from '../../src/domain/page.ts'
import type { Database, RecordKind } from '../../src/engine/database/port.ts'
import { embeddedService } from '../../src/engine/service.ts'
import { account, host } from './data.ts'
import type { Raw } from './hand.ts'

/**
 * Asks a listing through the port, which takes input that has been checked: statements are made, counted and fetched
 * anew each time: totals are not remembered here. The service is kept from one question to the next, as `serve` keeps it,
 * unless each is to be the first.
 */
export function asking(
  { dialect, read, write, current, close }: Database,
  kind: RecordKind,
  input: Raw,
  first = false,
): () => Promise<Page> {
  const database: Database = { dialect, read, write, current, close }
  const kept = embeddedService(database, account, host)
  const service = first ? () => embeddedService(database, account, host) : () => kept
  if (kind === 'shipment') {
    const checked = parseInput('listShipments', input)
    return () => service().listShipments(checked)
  }
  const checked = parseInput('listReturns', input)
  return () => service().listReturns(checked)
}
