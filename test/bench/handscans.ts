// The other side of SCANS, a program of its own: the same rows in transactions as large, by hand. It knows only the five
// events of the bench, trusts the file, keeps all of it in memory and checks nothing: no doubled scans, no order of events,
// no branding, no opt-outs, no other process.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { parse } from 'csv-parse/sync'
import { account } from './data.ts'

const words: Readonly<Record<string, string>> = {
  picked_up: 'Picked up',
  in_transit: 'On its way',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
}
/** The message of an event that has one. */
const steps: Readonly<Record<string, string>> = {
  picked_up: 'shipped',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
}

interface Line {
  readonly tracking_number: string
  readonly event: string
  readonly at: string
  readonly location: string
}

interface Doc {
  readonly id: string
  readonly attributes: Record<string, unknown> & {
    tracking_number: string
    total_price: number
    cod_amount: number
    is_cod: boolean
    carrier: { name: string }
    order: { display_id: string }
    items: { name: string; quantity: number }[]
    shipping_address: { name: string; phone: string; city: string; zip: string }
    shipment_milestones: { milestone: string; milestone_at: string }[]
    tracking_details: object[]
  }
}

const [path, file, size] = process.argv.slice(2) as [string, string, string]
/** Parcels in a transaction. */
const together = Number(size)

const db = new BetterSqlite(path)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('cache_size = -12000')
db.pragma('wal_autocheckpoint = 4000')

const find = db.prepare(
  `select r.seq, d.doc from shipments r join shipment_docs d on d.seq = r.seq
    where r.account_id = ? and r.tracking_number = ?`,
)
const addEvent = db.prepare(`insert into events values (?, ?, ?, 1, ?, ?, null, ?, null, 0, ?)`)
const addJourney = db.prepare(`insert into journeys values (?, ?, 1, ?, ?, ?, ?)`)
const changeDoc = db.prepare('update shipment_docs set doc = ? where seq = ?')
const change = db.prepare(
  `update shipments set status = ?, granular_status = ?, attempt_count = ?, picked_up_at = ?, in_transit_at = ?,
    out_for_delivery_at = ?, delivered_at = ?, last_scan_at = ? where seq = ?`,
)
const addMessage = db.prepare(
  `insert into messages values (?, ?, ?, ?, 'text', null, 'waiting', ?, ?, null, null, null, ?, null, ?, ?, ?, ?, 0,
    null, null, null)`,
)

/** An id that grows with the time (UUID version 7), as ours. */
function messageId(now: number, place: number): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function messageOf({ attributes: a }: Doc, step: string, at: string): string {
  return JSON.stringify({
    step,
    at,
    tracking_number: a.tracking_number,
    order: a.order.display_id,
    courier: a.carrier.name,
    customer: { name: a.shipping_address.name, city: a.shipping_address.city, pincode: a.shipping_address.zip },
    items: a.items.map(({ name, quantity }) => ({ name, quantity })),
    total: a.total_price,
    cod: a.is_cod ? a.cod_amount : 0,
    attempt: null,
    reason: null,
    return: null,
  })
}

function save(lines: readonly Line[]): void {
  const { seq, doc } = find.get(account, lines[0]!.tracking_number) as { seq: number; doc: string }
  const shipment = JSON.parse(doc) as Doc
  const received = Date.now()
  const { id, attributes: a } = shipment
  const base = JSON.stringify({
    granular: 'ready_for_pickup',
    attempts: 0,
    ndr_reason: null,
    rto_reason: null,
    qc: null,
    milestones: a.shipment_milestones,
    scans: [],
  })
  const times: Record<string, number> = {}
  let [last, lastId] = [0, '']
  for (const { event, at: said, location, tracking_number } of lines) {
    const at = Date.parse(`${said.replace(' ', 'T')}:00+05:30`)
    const iso = new Date(at).toISOString()
    lastId = digestOf(`${tracking_number} ${event} ${at} ${location}`).slice(0, 32)
    addEvent.run(account, lastId, id, event, at, location, received)
    a.tracking_details.push({
      id: lastId,
      status: event,
      last_location: location,
      event_date_time: iso,
      description: words[event],
    })
    if (times[event] === undefined) {
      times[event] = at
      a.shipment_milestones.push({ milestone: event, milestone_at: iso })
      const step = steps[event]
      if (step !== undefined)
        addMessage.run(
          account,
          messageId(received, a.shipment_milestones.length),
          id,
          step,
          a.tracking_number,
          a.order.display_id,
          `+91${a.shipping_address.phone}`,
          messageOf(shipment, step, iso),
          received,
          received,
          received,
        )
    }
    Object.assign(a, { status: event, sub_status: null, granular_status: event })
    last = at
  }
  a['attempt_count'] = 1
  addJourney.run(account, id, base, digestOf(base + JSON.stringify(a.tracking_details)), last, lastId)
  changeDoc.run(JSON.stringify(shipment), seq)
  const { picked_up, in_transit, out_for_delivery, delivered } = times
  change.run(a['status'], a['status'], 1, picked_up, in_transit, out_for_delivery, delivered, last, seq)
}

const parcels = new Map<string, Line[]>()
for (const line of parse<Line>(readFileSync(file), { columns: true })) {
  const there = parcels.get(line.tracking_number)
  if (there === undefined) parcels.set(line.tracking_number, [line])
  else there.push(line)
}
const all = [...parcels.values()]
const saveSome = db.transaction((some: readonly (readonly Line[])[]) => some.forEach(save))
for (let at = 0; at < all.length; at += together) saveSome.immediate(all.slice(at, at + together))
db.close()
