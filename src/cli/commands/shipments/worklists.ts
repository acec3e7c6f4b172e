// `shipx shipments stuck|ndr`: the parcels that need an action today, the most urgent first.
// src/domain/parcels/worklists.ts decides what is urgent.
import type { Input } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
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
import { refuseAbsentThere } from '../../listings/absentnames.ts'
import { questionFor } from '../../listings/question.ts'
import type { Context } from '../../command/context.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { limit, optionKind, sound, faulty } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { count, counted } from '../../../domain/count.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { checkShape, hiddenColumns, printer } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { progress } from '../../output/progress.ts'
import { withSource } from '../../source/open.ts'
import { mirrorOnly, placeOf } from '../../source/source.ts'
import { stuckView, undeliveredView } from './worklistviews.ts'

/** After this many days without a scan a parcel is stuck. */
const daysWithout = optionKind(3, (given, name) =>
  /^\d{1,4}$/.test(given) ? sound(Number(given)) : faulty(3, name, `"${given.slice(0, 20)}" is not a number of days`),
)

const stuck = verb({ limit: limit(Infinity), days: daysWithout }, async (context, { limit, days }) => {
  const { io } = context
  const { input: typed, unknown } = await asked(context, shipmentKind, [])
  checkShape(context, stuckView)
  return withSource(context, 'read', async (source) => {
    const { engine } = source
    if (engine === undefined) throw mirrorOnly('parcels without a scan')
    const input = await questionFor(context, shipmentKind, source, typed)
    const { stuckShipments } = await import('../../../engine/records/stuck.ts')
    const now = io.host.now()
    const at = { before: now - days * dayMs, now }
    const parts = stuckShipments(engine.database, placeOf(engine), input as Input<'listShipments'>, at)
    const found: Stuck[] = []
    await gathered(context, 'Looking at parcels', undefined, parts, (part) => {
      found.push(...part.stuck)
      return part.recordsRead
    })
    found.sort(stuckOrder)
    const couriers = new Set(found.map((parcel) => parcel.courier)).size
    await listed(context, stuckView, found, limit, (shown) =>
      found.length === 0
        ? `No open parcel is without a scan for ${days} days.`
        : `\n${ofAll(shown, found.length, stuckView)} at ${counted(couriers, ['courier', 'couriers'])} ` +
          `without a scan for ${days} days or more`,
    )
    await warnUnknown(context, unknown)
    return 0
  })
})

/** How many records are shown, and of how many: `5 of 1,200 parcels`. */
const ofAll = <R>(shown: number, all: number, { noun }: View<R>): string =>
  `${shown === all ? '' : `${count(shown)} of `}${counted(all, noun)}`

const ndr = verb({ limit: limit(Infinity) }, async (context, { limit }) => {
  const { io } = context
  const { input: typed, unknown } = await asked(context, shipmentKind, [], { status: 'ndr_raised' })
  checkShape(context, undeliveredView)
  return withSource(context, 'read', async (source) => {
    const input = await questionFor(context, shipmentKind, source, typed)
    const walk = await source.service.walkShipments({ ...input, per_page: maxPerPage })
    const now = io.host.now()
    const found: Undelivered[] = []
    await gathered(context, 'Reading failed deliveries', walk.total, walk.batches, ({ records }) => {
      for (const record of records) found.push(undeliveredOf(readRecord('shipments', record, context.missed), now))
      return records.length
    })
    if (found.length === 0) await refuseAbsentThere(context, shipmentKind, source, input)
    found.sort(undeliveredOrder)
    const due = found.filter((one) => one.days_left !== null && one.days_left <= 0).length
    await listed(context, undeliveredView, found, limit, (shown) =>
      found.length === 0
        ? 'No failed delivery waits for an answer.'
        : `\n${ofAll(shown, found.length, undeliveredView)}, ${count(due)} due today or over`,
    )
    await warnUnknown(context, unknown)
    return 0
  })
})

/** Collects every part, with progress on stderr. An interruption ends it between two parts and throws `interrupted`. */
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
