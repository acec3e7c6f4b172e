// Orders that an export says are cancelled or refunded, while their parcels wait at the target: they are named, because
// shipx does not cancel them by itself (docs/guides/sheets.md, Orders of your shop).
import { count, counted } from '../../../domain/count.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { shipmentBuckets } from '../../../domain/parcels/statuses.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Context } from '../../command/context.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import type { CalledOff } from '../forms/readform.ts'
import type { Target } from '../importer.ts'
import type { Found, Shown } from './comparison.ts'

/** How a target finds orders by their ids. */
export interface Lookup {
  /** Where they wait, in a sentence: `here`, `at api.example.com`. */
  readonly place: string
  /** Finds some of them in one step; undefined where the target takes no list of ids. */
  readonly find: ((ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>) | undefined
}

/** How orders are made: with a courier or without, and how the file names their fields. */
export interface Making {
  readonly assign: boolean
  readonly shown: Shown
}

/** The target of an import of orders. */
export interface OrderTarget extends Target<OrderCreate> {
  readonly lookup: Lookup
}

/** How many are looked up at once, and how many are named. */
const [atOnce, named] = [500, 10]

/** Orders in one state: how many, the first of them, and the words for how they are called off. */
interface Group {
  all: number
  readonly first: string[]
  readonly words: Set<string>
}

/** Collects the called-off orders of an import and says which of them the target still has to ship. */
export interface CallingOff {
  readonly add: (orders: readonly CalledOff[]) => Promise<void>
  /** Looks up the rest, and warns. */
  readonly end: (context: Context) => Promise<void>
}

export function callingOff(lookup: () => Lookup): CallingOff {
  const waiting: Group = { all: 0, first: [], words: new Set() }
  const moving: Group = { all: 0, first: [], words: new Set() }
  let open: CalledOff[] = []
  let unknown = 0
  let toCancel: string | undefined
  const look = async (): Promise<void> => {
    const { find } = lookup()
    const some = open
    open = []
    if (find === undefined) unknown += some.length
    if (find === undefined || some.length === 0) return
    const found = await find([...new Set(some.map(({ id }) => id))])
    for (const order of some) {
      const there = found.get(order.id)
      const state = there === undefined ? undefined : stateOf(there.shipment)
      if (state === undefined) continue
      note(state === 'waits' ? waiting : moving, order)
      // Only an order that was made here can be cancelled here.
      if (state === 'waits' && there!.made !== undefined) toCancel ??= order.id
    }
  }
  return {
    add: async (orders) => {
      open.push(...orders)
      while (open.length >= atOnce) await look()
    },
    end: async (context) => {
      await look()
      const { place } = lookup()
      const way = hintFor(waiting.all, place, toCancel)
      const arrow = context.screen.ascii ? '->' : '→'
      const hint = way === undefined ? '' : `\n${arrow} ${way}`
      if (waiting.all > 0) await context.warn(`${sentence(waiting, `waits ${place}`, `wait ${place}`)}${hint}`)
      if (moving.all > 0) await context.warn(sentence(moving, 'is on its way', 'are on their way'))
      if (unknown > 0)
        await context.note(
          `shipx did not look for the ${counted(unknown, ['cancelled order', 'cancelled orders'])} ${place}: ` +
            'the service takes no list of order ids. If they wait there, cancel them there.',
        )
    },
  }
}

function note(group: Group, { id, as }: CalledOff): void {
  group.all++
  if (group.first.length < named) group.first.push(id)
  group.words.add(as)
}

/** Whether a parcel waits for its courier or is on its way to the customer; undefined for one that ended. */
function stateOf({ attributes: { granular_status, status } }: Shipment): 'waits' | 'moves' | undefined {
  const buckets: Readonly<Partial<Record<string, string>>> = shipmentBuckets
  const bucket = buckets[String(granular_status)] ?? status
  if (bucket === 'pending') return 'waits'
  return ['in_transit', 'out_for_delivery', 'ndr_raised'].includes(String(bucket)) ? 'moves' : undefined
}

/** `2 orders are cancelled in the shop and wait here: #1508, #1511` */
function sentence({ all, first, words }: Group, one: string, many: string): string {
  const how = [...words].toSorted().join(' or ')
  const names = first.map((id) => safe(id, 'id')).join(', ')
  const more = all > first.length ? ` and ${count(all - first.length)} more` : ''
  const does = all === 1 ? one : many
  return `${counted(all, ['order is', 'orders are'])} ${how} in the shop and ${does}: ${names}${more}`
}

/** What to do about waiting orders; with its sign, since 1508 may be the order of another shop. */
function hintFor(all: number, place: string, toCancel: string | undefined): string | undefined {
  if (toCancel === undefined) return place === 'here' ? undefined : `cancel ${all === 1 ? 'it' : 'them'} there`
  const command = `shipx local cancel ${quoted(toCancel)}`
  return all === 1 ? command : `for each of them: ${command}`
}
