// The engine's side of a measurement: a listing asked with input from outside, in process.
import { parseInput } from '../../src/domain/parse.ts'
import type { Page } from '../../src/domain/page.ts'
import type { Database, RecordKind } from '../../src/engine/database.ts'
import { embeddedService } from '../../src/engine/service.ts'
import { account, host } from './data.ts'
import type { Raw } from './hand.ts'

/** Asks a listing as a request would: checks the input, counts and fetches. Each service is new and so knows no total. */
export function asking(database: Database, kind: RecordKind, input: Raw): () => Promise<Page> {
  return () => {
    const service = embeddedService(database, account, host)
    return kind === 'shipment'
      ? service.listShipments(parseInput('listShipments', input))
      : service.listReturns(parseInput('listReturns', input))
  }
}
