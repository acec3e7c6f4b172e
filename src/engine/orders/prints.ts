// What was printed: labels, and the lines of manifests with what was handed over (docs/guides/labels.md).
import sql from 'sql-template-tag'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'
import { fixedStatement } from '../records/records.ts'

/** What a print is of. */
export type PrintKind = 'label' | 'manifest'

/** A parcel that was printed. `handed_over` is known once the list of the pickup came back. */
export interface Print {
  readonly id: string
  readonly shipment_id: string
  readonly kind: PrintKind
  readonly tracking_number: string
  readonly manifest: string | null
  readonly handed_over: 0 | 1 | null
  readonly printed_by: string
  /** ms UTC. */
  readonly printed_at: number
}

const insertPrint = fixedStatement(
  'insert into prints (account_id, id, shipment_id, kind, tracking_number, manifest, handed_over, printed_by, ' +
    'printed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
)

/** Prints that go into one statement. */
const atOnce = 500

/** Keeps prints; what was printed before stays. `prints` is asked again where the database starts the work anew. */
export function* keepPrints(account: number, prints: () => Iterable<Print>): Work<void> {
  let waiting: unknown[][] = []
  const written = function* (): Work<void> {
    const [first, ...more] = waiting
    waiting = []
    if (first !== undefined) yield* rows({ ...insertPrint(first), more })
  }
  for (const p of prints()) {
    const { id, shipment_id, kind, tracking_number, manifest, handed_over, printed_by, printed_at } = p
    waiting.push([account, id, shipment_id, kind, tracking_number, manifest, handed_over, printed_by, printed_at])
    if (waiting.length === atOnce) yield* written()
  }
  yield* written()
}

/** When a label was last printed of each of the shipments that have one, ms UTC. */
export function* labelsPrinted(account: number, shipments: readonly string[]): Work<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const list of listsOf(shipments)) {
    const last = yield* rows<{ shipment_id: string; at: number }>(
      sql`select shipment_id, max(printed_at) as at from prints
        where account_id = ${account} and shipment_id in (${list}) and kind = 'label' group by shipment_id`,
    )
    for (const { shipment_id, at } of last) found.set(shipment_id, Number(at))
  }
  return found
}

/** What the last list of a pickup said about a parcel: its manifest, whether the courier took it, and when (ms UTC). */
export interface Handover {
  readonly shipment: string
  readonly manifest: string
  readonly taken: boolean
  readonly at: number
}

/** What lists of pickups said last about the parcels of AWBs, by AWB. */
export function* handovers(account: number, awbs: readonly string[]): Work<ReadonlyMap<string, Handover>> {
  const found = new Map<string, Handover>()
  for (const list of listsOf(awbs)) {
    const said = yield* rows<{ awb: string; shipment: string; manifest: string; taken: number; at: number }>(
      sql`select tracking_number as awb, shipment_id as shipment, manifest, handed_over as taken, printed_at as at
        from prints where account_id = ${account} and tracking_number in (${list}) and handed_over is not null
        order by printed_at, id`,
    )
    for (const { awb, shipment, manifest, taken, at } of said)
      found.set(awb, { shipment, manifest, taken: Number(taken) === 1, at: Number(at) })
  }
  return found
}

/** A manifest as it was printed before: its number and its shipments. */
export interface PrintedManifest {
  readonly number: string
  readonly shipments: ReadonlySet<string>
}

/** The manifests whose number begins like this, in the order of printing. */
export function* manifestsOf(account: number, prefix: string): Work<readonly PrintedManifest[]> {
  const lines = yield* rows<{ manifest: string; shipment_id: string }>(
    sql`select manifest, shipment_id from prints
      where account_id = ${account} and manifest >= ${prefix} and manifest < ${`${prefix}~`}
      order by printed_at, manifest`,
  )
  const found = new Map<string, Set<string>>()
  for (const { manifest, shipment_id } of lines) {
    const shipments = found.get(manifest) ?? new Set()
    found.set(manifest, shipments.add(shipment_id))
  }
  return Array.from(found, ([number, shipments]) => ({ number, shipments }))
}
