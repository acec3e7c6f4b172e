// A deployment of the specification that is not ours: a test server on loopback that answers as real ones were seen to
// (bare zone letters, boolean status, date objects, charges as text, missing keys, refusals with HTTP 200, no cursor,
// no idempotency, no capabilities). It keeps stores, orders and shipments in memory, and counts what it really did.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'

/** What the stand-in is told to be; a test changes it while it runs. */
export interface Switches {
  /** Which form of the header it takes; `closed` is a key without access to the API, `any` takes every key. */
  authorization: 'either' | 'bare' | 'closed' | 'any'
  /** How stores come: in `data`, or bare (a list as an array, a store as itself). */
  stores: 'data' | 'bare'
  /** An `order_id` that comes again: refused as documented, or another order (which is how doubles show). */
  repeats: 'refused' | 'created'
  /** Whether a courier takes the orders that are to be assigned. */
  courier: 'found' | 'none'
  /** Refusals as `{status:0,message}` with HTTP 200, or with a status of their own. */
  refusals: 'with 200' | 'with status'
  /** Whether quotes hold offers. */
  offers: 'some' | 'none'
  /** A record arrives before each so many-th listing answer; 0 is never. */
  arriving: number
  /** Records that pages may reach; what lies deeper is refused. */
  depth: number
  /** What goes wrong with a request, once it has been read. */
  trouble: (seen: Seen, nth: number) => Trouble | undefined
}

/** What can go wrong. `lost` does what was asked and hangs up; `silent` says nothing at all. */
export type Trouble =
  | { readonly kind: 'html'; readonly status: number }
  | { readonly kind: 'limited'; readonly retry_after?: string }
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly type?: string }
  | { readonly kind: 'lost' | 'silent' | 'reset' }

/** A request as it came. */
export interface Seen {
  readonly method: string
  /** Without the base path and the query. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed JSON, the parts of a form, or undefined. */
  readonly body: unknown
  readonly at: number
}

export type Listed = 'shipments' | 'returns'

/** A running stand-in. */
export interface StandIn {
  /** Its `base_url`: an origin. */
  readonly url: string
  readonly key: string
  readonly requests: readonly Seen[]
  readonly switches: Switches
  /** How often each `order_id` was really created. */
  readonly created: ReadonlyMap<string, number>
  /** Store creations and logos that arrived, by store name. */
  readonly stores: () => readonly StandInStore[]
  /** The ids of the records that it holds now. */
  readonly ids: (kind: Listed) => readonly string[]
  /** The JSON text of the records that it holds now by id, as a listing gives them. */
  readonly texts: (kind: Listed) => ReadonlyMap<string, string>
  /** Puts a record there, or in the place of the one with its id; `created` is ms UTC. */
  readonly put: (kind: Listed, id: string, created: number, attributes: Readonly<Record<string, unknown>>) => void
  readonly drop: (kind: Listed, id: string) => void
  /** The text of every answer that was sent with a body, in order; at most the last 100. */
  readonly answers: readonly string[]
  readonly forget: () => void
  readonly close: () => Promise<void>
}

export interface StandInStore {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly logo: Buffer | undefined
}

export interface StandInOptions extends Partial<Switches> {
  readonly key?: string
  readonly shipments?: number
  readonly returns?: number
}

interface Kept {
  readonly id: string
  readonly created: number
  readonly type: 'shipment' | 'return'
  /** Compared by filters; sent as JSON. */
  readonly attributes: Record<string, unknown>
  readonly found: string
}

const base = '/custom/api/v1'
const seedTime = Date.parse('2026-09-28T06:00:00Z')

/** Starts a stand-in on a free port of 127.0.0.1. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { key = 'eyJ0eXAiOiJKV1Qi.c3RhbmQtaW4.k3y-9f21', shipments = 57, returns = 23, ...over } = options
  const switches: Switches = {
    authorization: 'either',
    stores: 'data',
    repeats: 'refused',
    courier: 'found',
    refusals: 'with 200',
    offers: 'some',
    arriving: 0,
    depth: Infinity,
    trouble: () => undefined,
    ...over,
  }
  const plan = { shipments, returns, stores: 4, days: 60, seed: 7, now: seedTime }
  const records: Record<'shipments' | 'returns', Kept[]> = {
    shipments: [...seedShipments(plan)].map((record, n) => foreignShipment(record.attributes, n)),
    returns: [...seedReturns(plan)].map((record, n) => foreignReturn(record.attributes, n)),
  }
  const stores: StandInStore[] = ['kids-and-co', 'Bare-Soap'].map((store_name, n) => ({
    id: uuid(n),
    store_name,
    brand_name: n === 0 ? 'Kids & Co' : null,
    logo: undefined,
  }))
  const requests: Seen[] = []
  const answers: string[] = []
  const created = new Map<string, number>()
  const sockets = new Set<Socket>()
  let [listings, arrived] = [0, 0]

  interface Answer {
    readonly status: number
    readonly body: unknown
  }
  const ok = (body: unknown): Answer => ({ status: 200, body })
  const refused = (status: number, message: string): Answer =>
    switches.refusals === 'with 200' ? ok({ status: 0, message }) : { status, body: { status: 0, message } }

  const shownStore = ({ logo, ...store }: StandInStore): Readonly<Record<string, unknown>> => ({
    ...store,
    channel: 'manual_order',
    status: 'connected',
    is_default: false,
    ...(logo === undefined ? {} : { logo: { url: `https://cdn.example.net/${store.id}.png`, bytes: logo.length } }),
  })
  const wrapped = (store: unknown): unknown => (switches.stores === 'bare' ? store : { data: store, message: 'OK' })

  function answerTo({ method, path, body }: Seen): Answer {
    const fields = objectOf(body)
    const [, first, id] = /^\/([\w-]+)(?:\/([^/]+))?$/.exec(path) ?? []
    switch (`${method} ${first ?? ''}${id === undefined ? '' : '/:id'}`) {
      case 'GET client-stores':
        return ok(
          switches.stores === 'bare' ? stores.map(shownStore) : { data: stores.map(shownStore), count: stores.length },
        )
      case 'POST client-stores':
        return saveStore(undefined, fields)
      case 'GET client-stores/:id':
      case 'PUT client-stores/:id': {
        const at = stores.findIndex((store) => store.id === id)
        if (at < 0) return refused(404, 'Store not found')
        return method === 'GET' ? ok(wrapped(shownStore(stores[at]!))) : saveStore(at, fields)
      }
      case 'POST rates':
        return quote(fields)
      case 'POST forward-order':
        return order(fields, false)
      case 'POST forward-order-orchestration':
        return order(fields, true)
      case 'POST shipments':
        return page('shipments', fields)
      case 'POST returns':
        return page('returns', fields)
    }
    return { status: 404, body: { message: 'The route could not be found.' } }
  }

  function saveStore(at: number | undefined, fields: Fields): Answer {
    const old = at === undefined ? undefined : stores[at]!
    const name = fields['store_name'] === undefined ? old?.store_name : String(fields['store_name'])
    if (name === undefined || !/^[A-Za-z0-9-]+$/.test(name))
      return { status: 422, body: { errors: [{ field: 'store_name', message: 'Store name format is invalid' }] } }
    if (stores.some((store, n) => store.store_name === name && n !== at))
      return { status: 422, body: { errors: ['Store name has already been taken'] } }
    const store: StandInStore = {
      id: old?.id ?? uuid(100 + stores.length),
      store_name: name,
      brand_name: 'brand_name' in fields ? textOrNull(fields['brand_name']) : (old?.brand_name ?? null),
      logo: fields['logo'] instanceof Buffer ? fields['logo'] : old?.logo,
    }
    stores[at ?? stores.length] = store
    return ok(wrapped(shownStore(store)))
  }

  function quote(fields: Fields): Answer {
    const [from, to] = [String(fields['origin_pincode']), String(fields['destination_pincode'])]
    // A pincode that this deployment does not know: ours may.
    if ([from, to].some((pincode) => !/^[1-9]\d{5}$/.test(pincode) || pincode.endsWith('013')))
      return switches.refusals === 'with 200'
        ? ok({ status: 'FAILED', message: 'Invalid pincode', result: null })
        : { status: 400, body: { status: 'ERROR', message: 'Invalid pincode' } }
    const zone = from.slice(0, 3) === to.slice(0, 3) ? 'A' : from[0] === to[0] ? 'B' : 'C'
    const forward = fields['journey_type'] !== 'return'
    const dead = Number(fields['dead_weight'])
    const volumetric =
      Math.round(Number(fields['length']) * Number(fields['width']) * Number(fields['height']) * 20) / 100
    const applicable = Math.max(dead, volumetric)
    const slabs = Math.max(1, Math.ceil(applicable / 500))
    const cod = forward && fields['payment_method'] === 'cod'
    const dated = (day: string): object => ({ datetime: `2026-10-${day}T12:00:00.000+05:30`, human_readable: '' })
    const offers =
      switches.offers === 'none'
        ? []
        : couriers.map((courier, n) => {
            const amount = (value: number): string | number => (n === 1 ? value.toFixed(2) : value)
            const freight = courier.price * slabs
            const fee = cod ? 31.3 : 0
            return {
              carrier_id: courier.carrier_id,
              carrier_name: courier.carrier_name,
              service_level: courier.level,
              status: courier.offered,
              rating: 4.2,
              expected_delivery: { pickup: dated('02'), delivery: dated(courier.day), edd_days: 4 },
              charges: forward
                ? {
                    forward_freight_charges: amount(freight),
                    cod_charges: amount(fee),
                    rto_charges: amount(freight),
                    total_forward_charges: amount(freight + fee),
                    surge: null,
                  }
                : {
                    return_freight_charges: amount(freight),
                    qc_charges: amount(10),
                    total_return_charges: amount(freight + 10),
                  },
              ...(forward ? { platform_fee: n === 1 ? '5.00' : 0 } : {}),
            }
          })
    return ok({
      status: 'SUCCESS',
      trace_id: 'a1b2',
      result: {
        serviceable_couriers: offers,
        shipment_details: { zone, dead_weight: dead, volumetric_weight: volumetric, applicable_weight: applicable },
        recommended: null,
      },
    })
  }

  function order(fields: Fields, assign: boolean): Answer {
    const id = textOrNull(fields['order_id'])
    if (id === null) return refused(422, 'The order id field is required.')
    if (created.has(id) && switches.repeats === 'refused')
      return refused(422, `Order with order id ${id} already exists`)
    const store = textOrNull(fields['store_name'])
    if (store !== null && !stores.some(({ store_name }) => store_name === store))
      return { status: 422, body: { status: 0, errors: ['Store not found. Create the store first.'] } }
    const nth = [...created.values()].reduce((sum, times) => sum + times, 0)
    created.set(id, (created.get(id) ?? 0) + 1)
    const courier = assign && switches.courier === 'found' ? couriers[2] : undefined
    const names = { order_id: `ORD${tenOf(nth)}`, shipment_id: `SHI${tenOf(nth)}` }
    const awb = courier === undefined ? null : `348120${String(10_700_000 + nth)}`
    const collect = Number(fields['cod_collectible'] ?? 0)
    // prettier-ignore
    records.shipments.push(
      kept('shipment', names.shipment_id, Date.now() - 1000, {
        tracking_number: awb,
        status: 'pending',
        sub_status: courier === undefined ? 'pending' : 'ready_for_pickup',
        warehouse_id: fields['warehouse_id'],
        total_price: fields['sub_total'],
        cod_amount: collect,
        is_cod: collect > 0,
        carrier: courier === undefined ? null : { id: courier.carrier_id, name: courier.carrier_name },
        order: { id: names.order_id, display_id: id, external_id: id, channel: 'manual_order', ...(store === null ? {} : { store_name: store }) },
        shipping_address: { name: fields['billing_customer_name'], phone: fields['billing_phone'], city: fields['billing_city'], zip: fields['billing_pincode'] },
      }),
    )
    if (!assign)
      return ok({ status: 1, payload: { order_created: 1, awb_generated: 0, pickup_generated: 0, ...names } })
    if (courier === undefined)
      return ok({
        status: 1,
        payload: {
          pickup_location_added: 1,
          order_created: 1,
          awb_generated: 0,
          label_generated: 0,
          pickup_generated: 0,
          manifest_generated: 0,
          ...names,
          awb_code: '',
          error_message: 'No courier is serviceable for this shipment',
        },
      })
    return ok({
      status: 1,
      payload: {
        pickup_location_added: 1,
        order_created: 1,
        awb_generated: 1,
        label_generated: 1,
        pickup_generated: 1,
        manifest_generated: 0,
        ...names,
        awb_code: awb,
        courier_company_id: courier.carrier_id,
        courier_name: courier.carrier_name,
        assigned_date_time: { date: '2026-10-01 12:00:00.000000', timezone_type: 3, timezone: 'Asia/Kolkata' },
        applied_weight: Number(fields['weight']),
        cod: collect > 0 ? 1 : 0,
        label_url: `https://labels.example.net/${names.shipment_id}.pdf`,
        manifest_url: null,
        routing_code: 'BLR/KOR',
        charges: {
          frwd_charges: {
            shipping_charges: '44.40',
            cod_charges: collect > 0 ? '31.30' : '0.00',
            dead_weight_billing: true,
          },
          rto_charges: { rto_charges: '40.00' },
        },
      },
    })
  }

  function page(kind: 'shipments' | 'returns', fields: Fields): Answer {
    if (switches.arriving > 0 && ++listings % switches.arriving === 0) arrive(kind)
    const number = Math.max(1, Number(fields['page'] ?? fields['page[number]'] ?? 1))
    const size = Math.min(100, Number(fields['per_page'] ?? 20))
    const asc = fields['sort_order'] === 'asc'
    const matching = records[kind]
      .filter((record) => matches(record, fields))
      .toSorted((a, b) => (asc ? 1 : -1) * (a.created - b.created || (a.id < b.id ? -1 : 1)))
    if (number * size > switches.depth && number > 1)
      return { status: 422, body: { message: 'Result window is too large' } }
    const shown = matching.slice((number - 1) * size, number * size)
    const total = kind === 'returns' ? String(matching.length) : matching.length
    return ok({
      data: shown.map(listed),
      meta: {
        current_page: String(number),
        per_page: String(size),
        total,
        last_page: Math.ceil(matching.length / size),
      },
    })
  }

  /** A record that was made a while ago and is known of only now, as what a platform syncs late: it pushes others down. */
  function arrive(kind: 'shipments' | 'returns'): void {
    const newest = records[kind].reduce((a, b) => (a.created > b.created ? a : b))
    const id = `${kind === 'shipments' ? 'SHI' : 'RET'}LATE${String(++arrived).padStart(6, '0')}`
    records[kind].push(kept(newest.type, id, newest.created + 1000, { ...newest.attributes }))
  }

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const bytes = await bytesOf(request)
    const seen: Seen = {
      method: request.method ?? '',
      path: url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : `outside ${url.pathname}`,
      query: url.search,
      headers: request.headers,
      body: bodyOf(request.headers['content-type'], bytes),
      at: performance.now(),
    }
    requests.push(seen)
    const trouble = switches.trouble(seen, requests.length)
    if (trouble !== undefined && trouble.kind !== 'lost') return troubled(trouble, response)
    const answer = allowed(request.headers.authorization) ?? answerTo(seen)
    if (trouble?.kind === 'lost') return void response.destroy()
    const text = withBig(JSON.stringify(answer.body))
    answers.push(text)
    if (answers.length > 100) answers.shift()
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=UTF-8',
      server: 'openresty',
      'x-powered-by': 'PHP/8.1',
    })
    response.end(text)
  }

  function allowed(said: string | undefined): Answer | undefined {
    if (switches.authorization === 'closed' && said?.endsWith(key) === true)
      return { status: 403, body: { message: 'API access is not enabled for your account' } }
    const right =
      switches.authorization === 'any' ||
      said === key ||
      (switches.authorization === 'either' && said === `Bearer ${key}`)
    return right ? undefined : { status: 401, body: { message: 'Unauthenticated.' } }
  }

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests,
    switches,
    created,
    answers,
    stores: () => stores,
    ids: (kind) => records[kind].map(({ id }) => id),
    texts: (kind) => new Map(records[kind].map((record) => [record.id, withBig(JSON.stringify(listed(record)))])),
    put: (kind, id, created, attributes) => {
      const record = kept(kind === 'shipments' ? 'shipment' : 'return', id, created, { ...attributes })
      const at = records[kind].findIndex((other) => other.id === id)
      records[kind][at < 0 ? records[kind].length : at] = record
    },
    drop: (kind, id) => void (records[kind] = records[kind].filter((record) => record.id !== id)),
    forget: () => void requests.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function troubled(trouble: Exclude<Trouble, { readonly kind: 'lost' }>, response: ServerResponse): void {
  switch (trouble.kind) {
    case 'html':
      response.writeHead(trouble.status, { 'content-type': 'text/html' })
      response.end(
        `<html>\r\n<head><title>${trouble.status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${trouble.status} Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
      )
      return
    case 'limited':
      response.writeHead(429, {
        'content-type': 'application/json',
        ...(trouble.retry_after === undefined ? {} : { 'retry-after': trouble.retry_after }),
      })
      response.end('{"message":"Too Many Attempts."}')
      return
    case 'answer':
      response.writeHead(trouble.status, { 'content-type': trouble.type ?? 'application/json' })
      response.end(trouble.body)
      return
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'silent':
  }
}

/* ---- Its records ---- */

type Fields = Readonly<Record<string, unknown>>

const couriers = [
  {
    carrier_id: 'CARZZNOTTODAY',
    carrier_name: 'Not Today Logistics',
    level: 'road',
    price: 1,
    offered: false,
    day: '04',
  },
  { carrier_id: 'CARB7QH21MZT9', carrier_name: 'Skylark Air', level: 'air', price: 44.4, offered: true, day: '05' },
  {
    carrier_id: 'CAR0EPDPJXXL4',
    carrier_name: 'Roadrunner Standard',
    level: 'road',
    price: 36,
    offered: true,
    day: '07',
  },
] as const

const tenOf = (n: number): string => (1_000_000_000 + n).toString(36).toUpperCase().padStart(10, 'X')
const uuid = (n: number): string => `5b6cde10-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function kept(type: Kept['type'], id: string, created: number, attributes: Record<string, unknown>): Kept {
  const all = {
    ...attributes,
    created_at: istText(created),
    partner_reference: '<big>',
    edd: { datetime: istText(created + 4e8), human_readable: 'in 4 days' },
  }
  return { id, created, type, attributes: all, found: JSON.stringify(all).toLowerCase() }
}

/** A record as a listing shows it. */
const listed = ({ id, type, attributes }: Kept): object => ({ id, type, attributes, links: { self: null } })

/** With a number that no JSON.parse can hold, as deployments send in fields of their own. */
const withBig = (text: string): string => text.replaceAll('"<big>"', '90071992547409931234')

/** An instant as such deployments write it: with milliseconds and +05:30. */
const istText = (at: number): string => new Date(at + 19_800_000).toISOString().replace('Z', '+05:30')

const letterOf = (zone: unknown): unknown => (typeof zone === 'string' ? zone.slice(-1).toUpperCase() : zone)

/** A record without some of its keys. */
function without(attributes: Fields, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !keys.includes(key)))
}

function foreignShipment(own: Fields, n: number): Kept {
  const { created_at, zone, status, carrier, order } = own
  const missing = ['granular_status', 'tags', 'ndr_reason', 'rto_reason']
  if (n % 4 === 1) missing.push('applied_weight', 'attempt_count')
  if (n % 7 === 2) missing.push('is_cod', 'shipment_milestones', 'tracking_details')
  if (n % 9 === 3) missing.push('items', 'shipping_address')
  return kept('shipment', `SHI${tenOf(5_000_000 + n)}`, Date.parse(String(created_at)), {
    ...without(own, missing),
    status: n % 11 === 4 ? 'shipment_booked' : status,
    sub_status: n % 3 === 0 ? status : n % 11 === 4 ? 'manifested' : null,
    zone: n % 2 === 0 ? letterOf(zone) : zone,
    carrier: n % 5 === 0 ? null : carrier,
    order: n % 13 === 6 ? null : n % 2 === 0 ? without(objectOf(order), ['store_name']) : order,
    is_heavy: false,
  })
}

function foreignReturn(own: Fields, n: number): Kept {
  const { created_at, status } = own
  const missing = ['granular_status', 'zone', 'is_dangerous_goods']
  if (n % 4 === 1) missing.push('weight', 'qc_status')
  if (n % 5 === 2) missing.push('shipment')
  return kept('return', `RET${tenOf(6_000_000 + n)}`, Date.parse(String(created_at)), {
    ...without(own, missing),
    status: n % 6 === 5 ? 'refund_in_review' : status,
    order: n % 3 === 0 ? null : own['order'],
    pickup_attempts: n % 3,
  })
}

/** Its filters. What it does not know it ignores, as most deployments do. */
function matches({ created, attributes, found }: Kept, fields: Fields): boolean {
  const order = objectOf(attributes['order'])
  const among = (key: string, value: unknown): boolean => {
    const asked = fields[key] ?? fields[`${key}[]`]
    const list = Array.isArray(asked) ? (asked as unknown[]) : [asked]
    return asked === undefined || list.length === 0 || list.includes(value)
  }
  const said = (key: string): number | undefined => {
    const value = fields[key]
    if (typeof value === 'number' || /^\d+$/.test(String(value))) return Number(value) * 1000
    const at = Date.parse(String(value))
    return Number.isNaN(at) ? undefined : at
  }
  const from = said('start_time') ?? said('created_at__gte') ?? -Infinity
  const until = said('end_time') ?? said('created_at__lte') ?? Infinity
  if (created < from || created > until + 999) return false
  const words = String(fields['search'] ?? '')
    .toLowerCase()
    .split(/\s+/)
  const cod = fields['is_cod']
  return (
    words.every((word) => found.includes(word)) &&
    among('status', attributes['status']) &&
    among('carrier_id', objectOf(attributes['carrier'])['id']) &&
    among('warehouse_ids', attributes['warehouse_id']) &&
    among('warehouse_id', attributes['warehouse_id']) &&
    among('channel', order['channel']) &&
    among('display_id', attributes['display_id']) &&
    among('order_display_id', order['display_id']) &&
    among('refund_status', attributes['refund_status']) &&
    (cod === undefined || String(attributes['is_cod'] ?? false) === String(cod))
  )
}

/* ---- Requests ---- */

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function bodyOf(type: string | undefined, bytes: Buffer): unknown {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/.exec(type ?? '')?.[1]
  if (boundary !== undefined) return partsOf(boundary, bytes)
  try {
    return bytes.length === 0 ? undefined : (JSON.parse(bytes.toString()) as unknown)
  } catch {
    return undefined
  }
}

/** The parts of a form: text, and bytes where a part has a file name. */
function partsOf(boundary: string, bytes: Buffer): Fields {
  const fields: Record<string, unknown> = {}
  const edge = Buffer.from(`--${boundary}`)
  for (let at = bytes.indexOf(edge); at >= 0;) {
    const next = bytes.indexOf(edge, at + edge.length)
    if (next < 0) break
    const part = bytes.subarray(at + edge.length + 2, next - 2)
    const gap = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, gap).toString()
    const name = /\bname="([^"]*)"/.exec(head)?.[1]
    const body = part.subarray(gap + 4)
    if (name !== undefined) fields[name] = /\bfilename=/.test(head) ? Buffer.from(body) : body.toString()
    at = next
  }
  return fields
}
