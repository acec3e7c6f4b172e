// `shipx shipments stuck`: open parcels that no courier scanned for days, by courier, the oldest first.
import type { Input } from '../../../domain/contract.ts'
import { counted } from '../../../domain/count.ts'
import { dayMs } from '../../../domain/time.ts'
import { stuckOrder, type Stuck } from '../../../domain/parcels/worklists.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { limit, optionKind, sound, faulty } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { sheetContext, splitOf, splitOptions } from '../../listings/couriersheets.ts'
import { gathered } from '../../output/gathered.ts'
import { checkShape } from '../../output/printer.ts'
import { placeOf } from '../../source/source.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { withRecords } from '../pull/offer.ts'
import { listed, listedInSheets, ofAll } from './worklist.ts'
import { stuckView } from './worklistviews.ts'

/** After this many days without a scan a parcel is stuck. */
const daysWithout = optionKind(3, (given, name) =>
  /^\d{1,4}d?$/.test(given)
    ? sound(Number.parseInt(given, 10))
    : faulty(3, name, `"${given.slice(0, 20)}" is not a number of days`),
)

const options = { limit: limit(Infinity), days: daysWithout, ...splitOptions }

const stuck = verb(options, async (context, { limit, days, ...given }) => {
  const { io } = context
  const { split, faults } = splitOf(context, given)
  const { input: typed, unknown } = await asked(context, shipmentKind, faults)
  checkShape(split === undefined ? context : sheetContext(context), stuckView)
  keepHeapSmall()
  return withRecords(context, 'parcels without a scan', ['shipments'], async (own, source) => {
    const { engine } = source
    const input = await questionFor(own, shipmentKind, source, typed)
    const { stuckShipments } = await import('../../../engine/records/stuck.ts')
    const now = io.host.now()
    const at = { before: now - days * dayMs, now }
    const parts = stuckShipments(engine.database, placeOf(engine), input as Input<'listShipments'>, at)
    const found: Stuck[] = []
    await gathered(own, 'Looking at parcels', undefined, parts, (part) => {
      found.push(...part.stuck)
      return part.recordsRead
    })
    found.sort(stuckOrder)
    const couriers = new Set(found.map((parcel) => parcel.courier)).size
    const long = counted(days, ['day', 'days'])
    const none = `No open parcel is without a scan for ${long}.`
    if (split !== undefined) {
      await listedInSheets(own, stuckView, found, limit, split)
      if (found.length === 0) await own.note(none)
    } else
      await listed(own, stuckView, found, limit, (shown) =>
        found.length === 0
          ? none
          : `\n${ofAll(shown, found.length, stuckView)} at ${counted(couriers, ['courier', 'couriers'])} ` +
            `without a scan for ${long} or more`,
      )
    await warnUnknown(own, unknown)
    return 0
  })
})

export const verbs = { 'shipments stuck': stuck }
