// P9 on PostgreSQL: the served service under 16 connections against bare Fastify routes with the same SQL; and how requests a
// second stand with the number of accounts.
import { postgresData } from './pgdata.ts'
import { say, type Figure } from './report.ts'
import { bare, inTurn, served, type Request } from './served.ts'
import type { Setup } from './setup.ts'

const each = 1500

const parcel = JSON.stringify({
  journey_type: 'forward', origin_pincode: '400001', destination_pincode: '560001', dead_weight: 500,
  length: 20, width: 15, height: 10, payment_method: 'prepaid',
}) // prettier-ignore

const works = [
  { work: 'page of 20, a rare status', method: 'POST', path: '/shipments', body: '{"status":"rto_initiated"}' },
  { work: 'quote', method: 'POST', path: '/rates', body: parcel },
] as const

export async function pg9(setup: Setup): Promise<readonly Figure[]> {
  const data = await postgresData(setup)
  const [ours, theirs] = [await served(setup, data.url), await bare(setup, data.url)]
  const figures: Figure[] = []
  try {
    for (const { work, method, path, body } of works) {
      const base: Omit<Request, 'url'> = {
        method,
        headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/json' },
        body,
      }
      const [a, b] = await inTurn(
        setup.runs,
        each,
        { ...base, url: `${ours.url}/custom/api/v1${path}` },
        { ...base, url: `${theirs.url}${path}` },
      )
      const note = `${Math.round(a.perSecond)} against ${Math.round(b.perSecond)} a second`
      say(`  ${work}: ${note}`)
      const common = { item: 'P9', against: 'bare Fastify', unit: 'x', runs: setup.runs } as const
      figures.push({ ...common, work: `PostgreSQL, ${work}, requests/s`, value: a.perSecond / b.perSecond, goal: 0.7, side: 'at least', note }) // prettier-ignore
      figures.push({ ...common, work: `PostgreSQL, ${work}, p99`, value: a.p99 / b.p99, goal: 2, ours: a.p99, theirs: b.p99 }) // prettier-ignore
    }
    return figures
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
    await data.server.close()
  }
}
