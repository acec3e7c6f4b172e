// The other side of P9, as a program of its own: bare Fastify routes with the same SQL by hand, or the same quote, and no
// authentication, validation, log or idea of what was asked before.
import Fastify from 'fastify'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import { quote, rateAnswer, type RateRequest } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { account } from './data.ts'

type Row = { doc: string; at: number; id: string }

/** The statements by hand, on the database that is named: a file, or the address of a PostgreSQL one. */
interface Hand {
  readonly page: (status: string) => Promise<readonly [total: number, found: readonly Row[]]>
  readonly stores: () => Promise<readonly { created_at: number; updated_at: number }[]>
}

const storesText =
  "select id, store_name, brand_name, channel, status, created_at, updated_at from stores where account_id = ? and status = 'connected' order by store_name"

function onSqlite(path: string): Hand {
  const db = new BetterSqlite(path, { readonly: true })
  db.pragma('cache_size = -16000')
  const count = db.prepare(
    'select count(*) as n from shipments indexed by shipments_status where account_id = ? and status = ?',
  )
  const page = db.prepare(
    'select d.doc, p.at, p.id from (select seq, created_at as at, id from shipments indexed by shipments_status where account_id = ? and status = ? order by created_at desc, id desc limit 20) p cross join shipment_docs d on d.seq = p.seq',
  )
  const stores = db.prepare(storesText)
  return {
    page: async (status) => [(count.get(account, status) as { n: number }).n, page.all(account, status) as Row[]],
    stores: async () => stores.all(account) as { created_at: number; updated_at: number }[],
  }
}

function onPostgres(url: string): Hand {
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  return {
    page: async (status) => {
      const counted = await pool.query<{ n: string }>(
        'select count(*) as n from shipments where account_id = $1 and status = $2',
        [account, status],
      )
      const found = await pool.query<Row>(
        'select d.doc, p.at, p.id from (select seq, created_at as at, id from shipments where account_id = $1 and status = $2 order by created_at desc, id desc limit 20) p join shipment_docs d on d.account_id = $1 and d.seq = p.seq order by p.at desc, p.id desc',
        [account, status],
      )
      return [Number(counted.rows[0]!.n), found.rows]
    },
    stores: async () =>
      (await pool.query(storesText.replace('?', '$1'), [account])).rows as { created_at: number; updated_at: number }[],
  }
}

const hand = process.argv[2]!.startsWith('postgres') ? onPostgres(process.argv[2]!) : onSqlite(process.argv[2]!)

const app = Fastify({ logger: false })
const type = 'application/json; charset=utf-8'
app.post('/shipments', async (request, reply) => {
  const { status } = request.body as { readonly status: string }
  const [n, found] = await hand.page(status)
  const last = found.at(-1)!
  const meta = { current_page: 1, per_page: 20, total: n, next_search_after: [String(last.at), last.id] }
  return reply.type(type).send(`{"data":[${found.map(({ doc }) => doc).join(',')}],"meta":${JSON.stringify(meta)}}`)
})
app.post('/rates', (request, reply) =>
  reply.type(type).send(JSON.stringify(rateAnswer(quote(request.body as RateRequest, sampleCard, Date.now())))),
)
app.get('/client-stores', async (_, reply) => {
  const found = await hand.stores()
  const data = found.map((store) => ({
    ...store,
    created_at: new Date(Number(store.created_at)).toISOString(),
    updated_at: new Date(Number(store.updated_at)).toISOString(),
  }))
  return reply.type(type).send(JSON.stringify({ data }))
})
process.stdout.write(`${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`)
