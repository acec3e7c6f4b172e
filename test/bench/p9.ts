// P9: the served service under 16 connections, against bare Fastify routes that do the same SQL or the same quote.
import { databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { bare, inTurn, load, served, type Request } from './served.ts'
import type { Setup } from './setup.ts'
import { rateRequest } from '../support/requests.ts'

const parcel = JSON.stringify(rateRequest)

const works = [
  { work: 'page of 20, a rare status', method: 'POST', path: '/shipments', body: '{"status":"rto_initiated"}' },
  { work: 'quote', method: 'POST', path: '/rates', body: parcel },
  { work: 'stores list (1,000 stores)', method: 'GET', path: '/client-stores', body: undefined },
] as const

/** How long one load lasts, ms. */
const each = 1500

export async function p9(setup: Setup): Promise<readonly Figure[]> {
  say('P9: serving')
  return serving(setup, await databaseOf(setup.folder, setup.rows), '')
}

/** The figures on a database, a file or the address of a PostgreSQL one; `on` stands before each of them. */
export async function serving(setup: Setup, path: string, on: string): Promise<readonly Figure[]> {
  const [ours, theirs] = [await served(setup, path), await bare(setup, path)]
  const figures: Figure[] = []
  try {
    for (const { work, method, path: at, body } of works) {
      const base: Omit<Request, 'url'> = {
        method,
        headers: {
          authorization: `Bearer ${ours.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      }
      const [a, b] = await inTurn(
        setup.runs,
        each,
        { ...base, url: `${ours.url}/custom/api/v1${at}` },
        { ...base, url: `${theirs.url}${at}` },
      )
      const common = { item: 'P9', against: 'bare Fastify', unit: 'x', runs: setup.runs } as const
      const note = `${Math.round(a.perSecond).toLocaleString('en-IN')} against ${Math.round(b.perSecond).toLocaleString('en-IN')} a second`
      figures.push({
        ...common,
        work: `${on}${work}, requests/s`,
        value: a.perSecond / b.perSecond,
        goal: work.includes('quote') ? 0.6 : 0.7,
        side: 'at least',
        note,
      })
      figures.push({
        ...common,
        work: `${on}${work}, p99`,
        value: a.p99 / b.p99,
        goal: 1.5,
        ours: a.p99,
        theirs: b.p99,
      })
      say(`  ${work}: ${note}, p99 ${a.p99.toFixed(1)} / ${b.p99.toFixed(1)} ms`)
    }
    figures.push({ ...(await beside(setup, ours.url, ours.key)), work: `${on}quotes beside slow searches, p99` })
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
  return figures
}

/** How long quick requests wait while somebody asks slow questions: the reason for the reading threads. */
async function beside(setup: Setup, url: string, key: string): Promise<Figure> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const quick: Request = { url: `${url}/custom/api/v1/rates`, method: 'POST', headers, body: parcel }
  const slow: Request = { url: `${url}/custom/api/v1/shipments`, method: 'POST', headers, body: '{"search":"a"}' }
  const alone = await load(quick, each, 4)
  const [, loaded] = await Promise.all([load(slow, each * 2, 2), load(quick, each, 4)])
  const note = `p99 of a quote while two connections search for one letter in ${setup.rows.toLocaleString('en-IN')} records`
  say(`  ${note}: ${loaded.p99.toFixed(1)} ms, alone ${alone.p99.toFixed(1)} ms`)
  return {
    item: 'P9',
    work: 'quotes beside slow searches, p99',
    against: 'the same alone',
    value: loaded.p99 / alone.p99,
    unit: 'x',
    runs: 1,
    ours: loaded.p99,
    theirs: alone.p99,
    note,
  }
}
