// The other side of P9, as a program of its own: bare Fastify routes with the same SQL by hand, or the same quote, and no
// authentication, validation, log or idea of what was asked before.
import Fastify from 'fastify'
import BetterSqlite from 'better-sqlite3'
import { quote, rateAnswer, type RateRequest } from '../../src/domain/rates.ts'
import { sampleCard } from '../../src/domain/samplecard.ts'
import { account } from './data.ts'

const db = new BetterSqlite(process.argv[2]!, { readonly: true })
db.pragma('cache_size = -16000')
const count = db.prepare('select count(*) as n from shipments indexed by shipments_status where account_id = ? and status = ?') // prettier-ignore
const page = db.prepare(
  'select doc, created_at as at, id from shipments indexed by shipments_status where account_id = ? and status = ? order by created_at desc, id desc limit 20',
)
const stores = db.prepare("select id, store_name, brand_name, channel, status, created_at, updated_at from stores where account_id = ? and status = 'connected' order by store_name") // prettier-ignore

const app = Fastify({ logger: false })
const type = 'application/json; charset=utf-8'
app.post('/shipments', (request, reply) => {
  const { status } = request.body as { readonly status: string }
  const { n } = count.get(account, status) as { n: number }
  const found = page.all(account, status) as { doc: string; at: number; id: string }[]
  const last = found.at(-1)!
  const meta = { current_page: 1, per_page: 20, total: n, next_search_after: [String(last.at), last.id] }
  return reply.type(type).send(`{"data":[${found.map(({ doc }) => doc).join(',')}],"meta":${JSON.stringify(meta)}}`)
})
app.post('/rates', (request, reply) =>
  reply.type(type).send(JSON.stringify(rateAnswer(quote(request.body as RateRequest, sampleCard, Date.now())))),
)
app.get('/client-stores', (_, reply) => {
  const found = stores.all(account) as { created_at: number; updated_at: number }[]
  const data = found.map((store) => ({ ...store, created_at: new Date(store.created_at).toISOString(), updated_at: new Date(store.updated_at).toISOString() })) // prettier-ignore
  return reply.type(type).send(JSON.stringify({ data }))
})
process.stdout.write(`${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`)
