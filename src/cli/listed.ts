// The two kinds of listed record as commands know them: endpoints, short flags, and the question that a command line asks;
// fetches and prints nothing.
import type { Query } from '../domain/contract.ts'
import type { Fault } from '../domain/errors.ts'
import type { Return } from '../domain/returns.ts'
import { readRecord } from '../domain/sent.ts'
import type { Missed } from '../domain/sentvalues.ts'
import type { Shipment } from '../domain/shipments.ts'
import { isoOf } from '../domain/time.ts'
import { refuse, type Context } from './context.ts'
import { list } from './flags.ts'
import { momentFrom, rawInput, type Raw } from './input.ts'
import { lenientInput } from './lenient.ts'
import type { View } from './printer.ts'
import { returnView, shipmentView } from './views.ts'

/** What differs between the two listings. */
export interface Kind<R> {
  readonly endpoint: 'listShipments' | 'listReturns'
  readonly walk: 'walkShipments' | 'walkReturns'
  readonly view: View<R>
  /** A record out of its JSON text, whatever shape it was sent in; told what cannot be read. */
  readonly read: (text: string, missed?: Missed) => R
  /** Short flags that stand for a filter: flag and API name. */
  readonly short: Readonly<Record<string, string>>
  readonly dates: (raw: Raw, since: number | undefined, until: number | undefined) => void
  /** Whether a record is the one that a reference names. */
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
  named: ({ id, attributes: a }, reference) => [id, a.display_id].includes(reference),
}

/** A listing's question, checked, and the values in it that shipx does not know (`warnUnknown`). */
export interface Asked {
  readonly input: Query
  readonly unknown: readonly string[]
}

/**
 * The question that a command's flags ask; `over` stands for flags that the command does not have. Throws `invalid_input`
 * with all faults at once, those given among them.
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
  const typed = Object.entries(kind.short).filter(([flag, field]) => flags.has(flag) && !flags.has(dashed(field)))
  const named = parsed.faults.map((fault) => {
    const short = typed.find(([, field]) => fault.field === `--${dashed(field)}`)
    return short === undefined ? fault : { ...fault, field: `--${short[0]}` }
  })
  refuse(context, [...faults, ...named, ...more])
  return { input: parsed.value as Query, unknown: parsed.unknown }
}

const dashed = (field: string): string => field.replace(/_+/g, '-')

/** The endpoint's raw input out of the flags, with the faults of the short ones. */
function question<R>(context: Context, kind: Kind<R>): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { flags, io } = context
  const raw = rawInput(context)
  const faults: Fault[] = []
  for (const [flag, field] of Object.entries(kind.short)) {
    const values = list(flags, flag)
    if (values === undefined) continue
    raw[field] = [...((raw[field] as readonly string[] | undefined) ?? []), ...values]
  }
  if (flags.has('cod') && flags.has('prepaid'))
    faults.push({ field: '--prepaid', message: 'and --cod exclude each other' })
  if (flags.has('cod')) raw['is_cod'] ??= true
  if (flags.has('prepaid')) raw['is_cod'] ??= false
  const [since, until] = [momentFrom(flags, 'since', io.host.now()), momentFrom(flags, 'until', io.host.now())]
  faults.push(...since.faults, ...until.faults)
  if (since.value !== undefined && until.value !== undefined && since.value > until.value)
    faults.push({ field: '--until', message: 'is before --since; the range is reversed' })
  else kind.dates(raw, since.value, until.value)
  return { raw, faults }
}
