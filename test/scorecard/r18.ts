// R18: what a search finds is what a naive filter of the JSON keeps, whatever the words.
import fc from 'fast-check'
import type { Dialect } from '../../src/engine/database/port.ts'
import { embeddedService, type EmbeddedService } from '../../src/engine/service.ts'
import { openEngine } from '../support/engine.ts'
import { back, expected, sent, type Listing } from '../support/filteroracle.ts'
import { questions, wireOf, type Question } from '../support/filterquestions.ts'
import { fill } from '../support/filteredservices.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** So many questions of a listing that search for something, equal in every run. */
const searchesOf = (listing: Listing, count: number): readonly Question[] =>
  fc.sample(questions(listing, ['search']), { numRuns: count, seed: 18 })

/** What speaks against the first hundred and the total that a service gives; `none` when nothing does. */
async function faultOf(service: EmbeddedService, listing: Listing, question: Question): Promise<string | undefined> {
  const said = `${listing.kind} ${JSON.stringify(question.filters['search'])}`
  const wanted = expected(listing, question)
  try {
    const { records, meta } = await listing.page(service, { ...wireOf(question), per_page: 100 })
    if (meta.total !== wanted.length) return `${said}: ${String(meta.total)} found, ${wanted.length} kept`
    const first = wanted.slice(0, 100)
    return records.every((record, n) => record === first[n]) && records.length === first.length
      ? undefined
      : `${said}: other records, or in another order`
  } catch (error) {
    return `${said}: ${String(error)}`
  }
}

/** R18: so many of 20,000 searches, of shipments and of returns, with and without the hints that SQLite gets. */
export const r18 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 20_000, 40)
    const engine = await openEngine()
    const faults: string[] = []
    let [tried, some] = [0, 0]
    try {
      await fill(engine)
      const { database, account, host, service } = engine
      const dialect: Dialect = { ...database.dialect, planning: undefined }
      const plain = embeddedService({ ...database, dialect }, account, host)
      for (const listing of [sent, back])
        for (const question of searchesOf(listing, Math.ceil(count / 2))) {
          const fault = await faultOf(tried++ % 4 === 0 ? plain : service, listing, question)
          if (fault !== undefined) faults.push(fault)
          if (expected(listing, question).length < listing.records.length) some++
        }
    } finally {
      await engine.close()
    }
    // Searches that keep everything prove nothing.
    if (some < tried / 2) faults.push(`only ${some} of ${tried} searches left something out`)
    return {
      row: 'R18',
      what: `${tried} random searches of ${sent.records.length} shipments and ${back.records.length} returns against a naive filter`,
      tried,
      result: `${faults.length} differ; ${some} left something out`,
      target: 'equal, 0 errors',
      faults: summed(faults),
    }
  })
