// The two kinds of listed records for commands: their endpoints, their short flags, and the query of a command line.
import type { Query } from '../../domain/contract.ts'
import type { Fault } from '../../domain/errors.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import { orderSpellings } from '../../domain/parcels/ordernumbers.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import type { OnUnreadable } from '../../domain/foreign/values.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { openReturnStatuses, openStatuses, returnBuckets, shipmentBuckets } from '../../domain/parcels/statuses.ts'
import { isoOf } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { flagFor, refuse } from '../command/faults.ts'
import { list } from '../command/flags.ts'
import { rawInput, type Raw } from '../args/input.ts'
import { moment, month, payment } from '../args/kinds.ts'
import { warehouseAlias } from '../config/profiles.ts'
import { lenientInput } from './unknownvalues.ts'
import type { View } from '../output/columns.ts'
import { returnView, shipmentView } from '../output/views.ts'

/** How the two listings differ. */
export interface Kind<R> {
  readonly endpoint: 'listShipments' | 'listReturns'
  readonly walk: 'walkShipments' | 'walkReturns'
  readonly ids: 'shipmentIds' | 'returnIds'
  readonly view: View<R>
  /** Reads a record from its JSON text, in any shape that a deployment sends; reports unreadable values. */
  readonly read: (text: string, missed?: OnUnreadable) => R
  /** Short flags for a filter: flag and API name. */
  readonly short: Readonly<Record<string, string>>
  readonly dates: (raw: Raw, since: number | undefined, until: number | undefined) => void
  /** Each detailed status and the status that its filter uses. */
  readonly detailed: Readonly<Record<string, string | null>>
  /** The statuses of records that have not ended. */
  readonly open: readonly string[]
  /** The name of its courier, or else the courier's id. */
  readonly courier: (record: R) => string | null
  /** What people call a record. */
  readonly names: (record: R) => readonly string[]
}

const textsOf = (values: readonly (string | null | undefined)[]): readonly string[] =>
  values.filter((value) => value != null && value !== '') as readonly string[]

/** Shipments. */
export const shipmentKind: Kind<Shipment> = {
  endpoint: 'listShipments',
  walk: 'walkShipments',
  ids: 'shipmentIds',
  view: shipmentView,
  read: (text, missed) => readRecord('shipments', text, missed),
  short: { store: 'store_name', courier: 'carrier_id', order: 'order_display_id', warehouse: 'warehouse_ids' },
  dates: (raw, since, until) => {
    if (since !== undefined) raw['start_time'] = Math.floor(since / 1000)
    if (until !== undefined) raw['end_time'] = Math.floor(until / 1000)
  },
  detailed: shipmentBuckets,
  open: openStatuses,
  courier: ({ attributes: { carrier } }) => carrier?.name ?? carrier?.id ?? null,
  names: ({ id, attributes: a }) =>
    textsOf([a.tracking_number, a.order?.display_id, a.order?.external_id, a.order?.id, id]),
}

/** Returns. */
export const returnKind: Kind<Return> = {
  endpoint: 'listReturns',
  walk: 'walkReturns',
  ids: 'returnIds',
  view: returnView,
  read: (text, missed) => readRecord('returns', text, missed),
  short: {
    store: 'store_name',
    courier: 'carrier_ids',
    warehouse: 'warehouse_id',
    qc: 'qc_status',
    refund: 'refund_status',
  },
  dates: (raw, since, until) => {
    if (since !== undefined) raw['created_at__gte'] = isoOf(since)
    if (until !== undefined) raw['created_at__lte'] = isoOf(until)
  },
  detailed: Object.fromEntries(Object.entries(returnBuckets).map(([name, { filter }]) => [name, filter])),
  open: openReturnStatuses,
  courier: ({ attributes: { shipment } }) => shipment?.carrier?.name ?? shipment?.carrier?.id ?? null,
  names: ({ id, attributes: a }) => textsOf([a.display_id, id]),
}

/** A listing's checked query, and its values that shipx does not know (`warnUnknown`). */
export interface Asked {
  readonly input: Query
  readonly unknown: readonly string[]
}

/**
 * The query of a command's flags; `over` supplies values for flags that the command lacks. Throws `invalid_input` with
 * all faults at once, the given ones included.
 */
export async function asked<R>(
  context: Context,
  kind: Kind<R>,
  more: readonly Fault[] = [],
  over: Raw = {},
): Promise<Asked> {
  const { raw, faults } = question(context, kind)
  const parsed = await lenientInput(context, kind.endpoint, { ...raw, ...over })
  const unread = new Set(faults.map(({ field }) => field))
  const judged = parsed.faults.filter(({ field }) => !unread.has(field))
  const named = judged.map((fault) => {
    const short = shortFor(context, kind, fault.field ?? '')
    return short === undefined ? fault : { ...fault, field: short }
  })
  refuse(context, [...faults, ...named, ...more])
  return { input: parsed.value as Query, unknown: parsed.unknown }
}

/** Flags that set a field which other flags set too, or several of them together. */
const combined: readonly (readonly [flag: string, field: string])[] = [
  ['status', 'statuses'],
  ['open', 'statuses'],
  ['payment', 'is_cod'],
  ['cod', 'is_cod'],
  ['prepaid', 'is_cod'],
]

/** The short flag that the user typed in place of a longer one, if any. */
function shortFor<R>({ flags }: Context, kind: Kind<R>, flag: string): string | undefined {
  const typed = [...Object.entries(kind.short), ...combined].find(
    ([short, field]) => flag === `--${dashed(field)}` && flags.has(short) && !flags.has(dashed(field)),
  )
  return typed === undefined ? undefined : `--${typed[0]}`
}

/** The flag that set a field of a listing. */
export function flagIn<R>(context: Context, kind: Kind<R>, field: string): string {
  const flag = flagFor(context.command, context.flags, field)
  return shortFor(context, kind, flag) ?? flag
}

/** The detailed statuses that make up these statuses. */
export const detailedOf = <R>({ detailed }: Kind<R>, statuses: readonly string[]): readonly string[] =>
  Object.keys(detailed).filter((name) => statuses.includes(detailed[name] ?? ''))

const dashed = (field: string): string => field.replace(/_+/g, '-')

/** Sets the statuses: one as the API's own filter, several or all open ones as `statuses`. */
function readStatuses<R>({ flags }: Context, kind: Kind<R>, raw: Raw): void {
  const named = flags.has('open')
    ? kind.open
    : list(flags, 'status')?.flatMap((one) => (one === 'open' ? kind.open : one))
  if (named === undefined) return
  const [one, ...more] = new Set(named)
  if (more.length > 0) raw['statuses'] = [one, ...more]
  // Without any value, the contract refuses the empty one: it must not mean every status.
  if (more.length > 0) delete raw['status']
  else raw['status'] = one ?? ''
}

/** Sets the period, and returns the faults of its flags. */
function readPeriod<R>({ flags, io }: Context, kind: Kind<R>, raw: Raw): readonly Fault[] {
  const now = io.host.now()
  const [since, until, whole] = [moment(flags, 'since', now), moment(flags, 'until', now), month(flags, 'month', now)]
  const faults = [...since.faults, ...until.faults, ...whole.faults]
  if (since.value !== undefined && until.value !== undefined && since.value > until.value)
    return [...faults, { field: '--until', message: 'is before --since; the range is reversed' }]
  kind.dates(raw, since.value ?? whole.value?.[0], until.value ?? whole.value?.[1])
  return faults
}

/** The endpoint's raw input from the flags, with the faults of the short flags. */
function question<R>(context: Context, kind: Kind<R>): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { flags, io } = context
  const { value: raw, faults: unread } = rawInput(context)
  const meanings: Readonly<Record<string, (value: string) => readonly string[]>> = {
    order: orderSpellings,
    warehouse: (name) => [warehouseAlias(io, flags, name)],
  }
  for (const [flag, field] of Object.entries(kind.short)) {
    const values = list(flags, flag)
    if (values === undefined) continue
    const meant = values.flatMap(meanings[flag] ?? ((value) => [value]))
    raw[field] = [...((raw[field] as readonly string[] | undefined) ?? []), ...meant]
  }
  readStatuses(context, kind, raw)
  const paid = payment(flags, 'payment', 0)
  if (flags.has('cod') || paid.value === 'cod') raw['is_cod'] ??= true
  if (flags.has('prepaid') || paid.value === 'prepaid') raw['is_cod'] ??= false
  return { raw, faults: [...unread, ...paid.faults, ...readPeriod(context, kind, raw)] }
}
