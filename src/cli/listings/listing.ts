// The two kinds of listed records for commands: their endpoints, their short flags, and the query of a command line.
import type { Query } from '../../domain/contract.ts'
import type { Fault } from '../../domain/errors.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import type { OnUnreadable } from '../../domain/foreign/values.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { returnBuckets, shipmentBuckets } from '../../domain/parcels/statuses.ts'
import { isoOf } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { flagFor, refuse } from '../command/faults.ts'
import { list, text } from '../command/flags.ts'
import { rawInput, type Raw } from '../args/input.ts'
import { moment } from '../args/kinds.ts'
import { lenientInput } from './unknownvalues.ts'
import type { View } from '../output/columns.ts'
import { returnView, shipmentView } from '../output/views.ts'

/** How the two listings differ. */
export interface Kind<R> {
  readonly endpoint: 'listShipments' | 'listReturns'
  readonly walk: 'walkShipments' | 'walkReturns'
  readonly view: View<R>
  /** Reads a record from its JSON text, in any shape that a deployment sends; reports unreadable values. */
  readonly read: (text: string, missed?: OnUnreadable) => R
  /** Short flags for a filter: flag and API name. */
  readonly short: Readonly<Record<string, string>>
  readonly dates: (raw: Raw, since: number | undefined, until: number | undefined) => void
  /** Each detailed status and the status that its filter uses. */
  readonly detailed: Readonly<Record<string, string | null>>
  /** Whether a reference names a record. */
  readonly named: (record: R, reference: string) => boolean
}

/** Shipments. */
export const shipmentKind: Kind<Shipment> = {
  endpoint: 'listShipments',
  walk: 'walkShipments',
  view: shipmentView,
  read: (text, missed) => readRecord('shipments', text, missed),
  short: { store: 'store_name' },
  dates: (raw, since, until) => {
    if (since !== undefined) raw['start_time'] = Math.floor(since / 1000)
    if (until !== undefined) raw['end_time'] = Math.floor(until / 1000)
  },
  detailed: shipmentBuckets,
  named: ({ id, attributes: a }, reference) =>
    [id, a.tracking_number, a.order?.id, a.order?.display_id, a.order?.external_id].includes(reference),
}

/** Returns. */
export const returnKind: Kind<Return> = {
  endpoint: 'listReturns',
  walk: 'walkReturns',
  view: returnView,
  read: (text, missed) => readRecord('returns', text, missed),
  short: { store: 'store_name', qc: 'qc_status', refund: 'refund_status' },
  dates: (raw, since, until) => {
    if (since !== undefined) raw['created_at__gte'] = isoOf(since)
    if (until !== undefined) raw['created_at__lte'] = isoOf(until)
  },
  detailed: Object.fromEntries(Object.entries(returnBuckets).map(([name, { filter }]) => [name, filter])),
  named: ({ id, attributes: a }, reference) => [id, a.display_id].includes(reference),
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
  const { flags } = context
  const { raw, faults } = question(context, kind)
  const parsed = await lenientInput(context, kind.endpoint, { ...raw, ...over })
  const unread = new Set(faults.map(({ field }) => field))
  const judged = parsed.faults.filter(({ field }) => !unread.has(field))
  const named = judged.map((fault) => {
    const short = shortFor(context, kind, fault.field ?? '')
    if (short !== undefined) return { ...fault, field: short }
    const several = fault.field === '--status' ? detailedOf(kind, text(flags, 'status') ?? '') : ''
    return several === '' ? fault : { ...fault, message: `takes one value; several: --granular-status ${several}` }
  })
  refuse(context, [...faults, ...named, ...more])
  return { input: parsed.value as Query, unknown: parsed.unknown }
}

/** The short flag that the user typed in place of a longer one, if any. */
function shortFor<R>({ flags }: Context, kind: Kind<R>, flag: string): string | undefined {
  const typed = Object.entries(kind.short).find(
    ([short, field]) => flag === `--${dashed(field)}` && flags.has(short) && !flags.has(dashed(field)),
  )
  return typed === undefined ? undefined : `--${typed[0]}`
}

/** The flag that set a field of a listing. */
export function flagIn<R>(context: Context, kind: Kind<R>, field: string): string {
  const flag = flagFor(context.command, context.flags, field)
  return shortFor(context, kind, flag) ?? flag
}

/** The detailed statuses of several statuses with commas; "" unless they are several of ours. */
function detailedOf<R>({ detailed }: Kind<R>, typed: string): string {
  const asked = typed.split(',').map((part) => part.trim())
  const known = new Set(Object.values(detailed))
  if (asked.length < 2 || !asked.every((part) => known.has(part))) return ''
  return Object.keys(detailed)
    .filter((name) => asked.includes(detailed[name] ?? ''))
    .join()
}

const dashed = (field: string): string => field.replace(/_+/g, '-')

/** The endpoint's raw input from the flags, with the faults of the short flags. */
function question<R>(context: Context, kind: Kind<R>): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { flags, io } = context
  const { value: raw, faults: unread } = rawInput(context)
  const faults = [...unread]
  for (const [flag, field] of Object.entries(kind.short)) {
    const values = list(flags, flag)
    if (values === undefined) continue
    raw[field] = [...((raw[field] as readonly string[] | undefined) ?? []), ...values]
  }
  if (flags.has('cod')) raw['is_cod'] ??= true
  if (flags.has('prepaid')) raw['is_cod'] ??= false
  const [since, until] = [moment(flags, 'since', io.host.now()), moment(flags, 'until', io.host.now())]
  faults.push(...since.faults, ...until.faults)
  if (since.value !== undefined && until.value !== undefined && since.value > until.value)
    faults.push({ field: '--until', message: 'is before --since; the range is reversed' })
  else kind.dates(raw, since.value, until.value)
  return { raw, faults }
}
