// `shipx shipments stuck|ndr`: what somebody has to do something about today, the most urgent first; what is urgent is
// decided elsewhere (src/domain/parcels/worklists.ts).
import type { Input } from '../../../domain/contract.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { maxPerPage } from '../../../domain/page.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import { dayMs } from '../../../domain/time.ts'
import {
  stuckOrder,
  undeliveredOf,
  undeliveredOrder,
  type Stuck,
  type Undelivered,
} from '../../../domain/parcels/worklists.ts'
import { refuseAbsent, refuseAbsentStores } from '../../listings/absentnames.ts'
import type { Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { limitFrom } from '../../args/input.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { checkShape, hiddenColumns, printer } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { progress } from '../../output/progress.ts'
import { withSource } from '../../source/open.ts'
import { mirrorOnly, placeOf } from '../../source/source.ts'
import { stuckView, undeliveredView } from './worklistviews.ts'

const number = (n: number): string => n.toLocaleString('en-IN')

async function stuck(context: Context): Promise<number> {
  const { flags, io } = context
  const limit = limitFrom(flags, Infinity)
  const days = daysFrom(text(flags, 'days'))
  const { input, unknown } = await asked(context, shipmentKind, [...limit.faults, ...days.faults])
  checkShape(context, stuckView)
  return withSource(context, 'read', async (source) => {
    const { engine } = source
    if (engine === undefined) throw mirrorOnly('parcels without a scan')
    source.check?.('shipments', input as Input<'listShipments'>)
    await refuseAbsent(context, shipmentKind, source, input)
    const { stuckShipments } = await import('../../../engine/records/stuck.ts')
    const now = io.host.now()
    const at = { before: now - days.value * dayMs, now }
    const parts = stuckShipments(engine.database, placeOf(engine), input as Input<'listShipments'>, at)
    const found: Stuck[] = []
    await gathered(context, 'Looking at parcels', undefined, parts, (part) => {
      found.push(...part.stuck)
      return part.looked
    })
    found.sort(stuckOrder)
    const couriers = new Set(found.map((parcel) => parcel.courier)).size
    await listed(context, stuckView, found, limit.value, (shown) =>
      found.length === 0
        ? `No open parcel is without a scan for ${days.value} days.`
        : `\n${shown === found.length ? '' : `${number(shown)} of `}${number(found.length)} ${stuckView.noun[found.length === 1 ? 0 : 1]} at ${couriers} ${couriers === 1 ? 'courier' : 'couriers'} without a scan for ${days.value} days or more`,
    )
    await warnUnknown(context, unknown)
    return 0
  })
}

function daysFrom(given: string | undefined): { readonly value: number; readonly faults: readonly Fault[] } {
  if (given === undefined) return { value: 3, faults: [] }
  if (/^\d{1,4}$/.test(given)) return { value: Number(given), faults: [] }
  return { value: 3, faults: [{ field: '--days', message: `"${given.slice(0, 20)}" is not a number of days` }] }
}

async function ndr(context: Context): Promise<number> {
  const { flags, io } = context
  const limit = limitFrom(flags, Infinity)
  const { input, unknown } = await asked(context, shipmentKind, limit.faults, { status: 'ndr_raised' })
  checkShape(context, undeliveredView)
  return withSource(context, 'read', async (source) => {
    await refuseAbsent(context, shipmentKind, source, input)
    const walk = await source.service.walkShipments({ ...input, per_page: maxPerPage })
    const now = io.host.now()
    const found: Undelivered[] = []
    await gathered(context, 'Reading failed deliveries', walk.total, walk.batches, ({ records }) => {
      for (const record of records) found.push(undeliveredOf(readRecord('shipments', record, context.missed), now))
      return records.length
    })
    if (found.length === 0) await refuseAbsentStores(context, shipmentKind, source, input)
    found.sort(undeliveredOrder)
    const due = found.filter((one) => one.days_left !== null && one.days_left <= 0).length
    await listed(context, undeliveredView, found, limit.value, (shown) =>
      found.length === 0
        ? 'No failed delivery waits for an answer.'
        : `\n${shown === found.length ? '' : `${number(shown)} of `}${number(found.length)} ${undeliveredView.noun[found.length === 1 ? 0 : 1]}, ${number(due)} due today or over`,
    )
    await warnUnknown(context, unknown)
    return 0
  })
}

/** Takes every part, with progress on stderr; an interruption ends it between two parts and throws `interrupted`. */
async function gathered<P>(
  context: Context,
  what: string,
  total: number | undefined,
  parts: AsyncIterable<P>,
  take: (part: P) => number,
): Promise<void> {
  let stopped = false
  const quieten = context.io.onInterrupt(() => {
    stopped = true
  })
  const shown = await progress(context, what, total)
  try {
    for await (const part of parts) {
      await shown.advance(take(part))
      if (stopped) throw new ShipxError('interrupted', 'stopped; nothing was printed')
    }
  } finally {
    await shown.end()
    quieten()
  }
}

async function listed<R>(
  context: Context,
  view: View<R>,
  found: readonly R[],
  limit: number,
  sentence: (shown: number) => string,
): Promise<void> {
  const rows = found.slice(0, limit)
  const out = printer(context, view)
  for (let at = 0; at < rows.length; at += 1000)
    await out.batch(rows.slice(at, at + 1000).map((row) => JSON.stringify(row)))
  await out.end()
  if (context.screen.tty || found.length === 0) await context.note(sentence(rows.length))
  if (out.hidden() > 0) await context.note(hiddenColumns(out.hidden()))
}

export const verbs = { 'shipments stuck': stuck, 'shipments ndr': ndr }
