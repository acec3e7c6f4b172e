// A client that creates orders by the rules: with a key of its own for each, again with the same key for as long as the
// service says that it is busy, never sooner than asked; it remembers each answer that acknowledged one.
import { setTimeout as wait } from 'node:timers/promises'
import type { Answered, Asker } from './asking.ts'
import { replicaHeader } from './replicas.ts'
import { orderOf } from './serving.ts'

/** What came of the orders of one client. */
export interface Ordered {
  /** The first answer of each order that was acknowledged. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Answers and broken connections by what they were. */
  readonly seen: ReadonlyMap<string, number>
  /** What no client should see. */
  readonly faults: readonly string[]
}

/** Creates orders. */
export interface Orderer extends Ordered {
  /** Sends an order until it is acknowledged, or refused, or `until` (as of performance.now()) is over; says which. */
  readonly order: (id: string, until: number) => Promise<boolean>
  /** What each answer was, to whoever measures. */
  readonly note: (what: string, answer: Answered | undefined) => void
}

/** An answer by its status; a broken connection and what the round-robin says itself are "away". */
export const kindOf = (answer: Answered | undefined): string =>
  answer === undefined || (answer.status === 502 && answer.headers[replicaHeader] === undefined)
    ? 'away'
    : String(answer.status)

/** Starts with nothing ordered. `heard` is told of each answer. */
export function ordererOf(
  { ask }: Asker,
  key: string,
  heard: (what: string, answer: Answered | undefined) => void = () => undefined,
): Orderer {
  const acknowledged = new Map<string, string>()
  const seen = new Map<string, number>()
  const faults: string[] = []
  const note = (what: string, answer: Answered | undefined): void => {
    const kind = kindOf(answer)
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    if (answer?.status === 503 && !/^\d+$/.test(String(answer.headers['retry-after'])))
      faults.push(`${what}: 503 without Retry-After`)
    heard(what, answer)
  }
  const once = async (id: string): Promise<Answered | undefined> => {
    const answer = await ask(
      'POST',
      Number(id.replace(/\D/g, '')) % 2 === 0 ? '/forward-order' : '/forward-order-orchestration',
      key,
      orderOf(id),
      { 'idempotency-key': id },
    ).catch(() => undefined)
    note('order', answer)
    return answer
  }
  return {
    acknowledged,
    seen,
    faults,
    note,
    order: async (id, until) => {
      for (;;) {
        const answer = await once(id)
        if (answer?.status === 200) {
          const first = acknowledged.get(id)
          if (first === undefined) acknowledged.set(id, answer.text)
          else if (first !== answer.text)
            faults.push('an order that was acknowledged was answered otherwise when it was sent again')
          return true
        }
        if (answer !== undefined && ![409, 429, 502, 503].includes(answer.status)) {
          faults.push(`an order was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
          return false
        }
        const asked = Number(answer?.headers['retry-after'] ?? 0.25) * 1000
        if (performance.now() + asked > until) return false
        await wait(asked)
      }
    },
  }
}

/** What a database says of orders: how many there are, and what is there more than once or not whole. */
export interface Kept {
  readonly orders: number
  readonly shipments: number
  readonly twice: number
  /** The shipment of each order. */
  readonly shipmentOf: ReadonlyMap<string, string>
}

/** Looks into the tables themselves, past the service. */
export async function keptOrders(query: (sql: string) => Promise<readonly Record<string, unknown>[]>): Promise<Kept> {
  const [counts] =
    await query(`select (select count(*)::int from orders) as orders, (select count(*)::int from shipments) as shipments,
    (select count(*)::int from (select 1 from shipments group by account_id, order_display_id having count(*) > 1) d) as twice`)
  const all = await query(
    'select o.order_id, s.id from orders o join shipments s on s.account_id = o.account_id and s.id = o.shipment_id',
  )
  return {
    orders: Number(counts!['orders']),
    shipments: Number(counts!['shipments']),
    twice: Number(counts!['twice']),
    shipmentOf: new Map(all.map((row) => [String(row['order_id']), String(row['id'])])),
  }
}

/** What speaks against orders: lost, doubled, or other ones than were acknowledged. */
export function held({ acknowledged }: Pick<Ordered, 'acknowledged'>, kept: Kept): readonly string[] {
  const faults: string[] = []
  let [lost, other] = [0, 0]
  for (const [id, answer] of acknowledged) {
    const shipment = kept.shipmentOf.get(id)
    if (shipment === undefined) lost++
    else if (!answer.includes(`"${shipment}"`)) other++
  }
  if (lost > 0) faults.push(`${lost} acknowledged orders are lost`)
  if (other > 0) faults.push(`${other} orders are others than were acknowledged`)
  if (kept.twice > 0) faults.push(`${kept.twice} orders are there twice`)
  if (kept.orders !== kept.shipments) faults.push(`${kept.orders} orders and ${kept.shipments} shipments`)
  return faults
}
