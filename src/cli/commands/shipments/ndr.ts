// `shipx shipments ndr`: failed deliveries, those without an answer first, the most urgent at the top.
// src/domain/parcels/worklists.ts decides what is urgent.
import { count } from '../../../domain/count.ts'
import { isDue } from '../../../domain/parcels/worklists.ts'
import { refuseAbsentThere } from '../../listings/absentnames.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { flag, limit } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { sheetContext, splitOf, splitOptions } from '../../listings/couriersheets.ts'
import { checkShape } from '../../output/printer.ts'
import { besideOf } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { failedDeliveries } from './failures.ts'
import { listed, listedInSheets, ofAll } from './worklist.ts'
import { undeliveredView, unansweredView } from './worklistviews.ts'

const options = { limit: limit(Infinity), unanswered: flag, ...splitOptions }

const ndr = verb(options, async (context, { limit, unanswered, ...given }) => {
  const { split, faults } = splitOf(context, given)
  const { input: typed, unknown } = await asked(context, shipmentKind, faults, { status: 'ndr_raised' })
  checkShape(split === undefined ? context : sheetContext(context), undeliveredView)
  keepHeapSmall()
  return withSource(context, 'read', async (source) => {
    const input = await questionFor(context, shipmentKind, source, typed)
    const place = await besideOf(context, source, 'read')
    try {
      const all = await failedDeliveries(context, source, input, place)
      if (all.length === 0) await refuseAbsentThere(context, shipmentKind, source, input)
      const answered = all.filter(({ kept }) => kept !== undefined).length
      const found = all.flatMap(({ parcel, kept }) => (unanswered && kept !== undefined ? [] : [parcel]))
      const due = `${count(found.filter(isDue).length)} due today or over`
      const none = all.length === 0 ? 'No failed delivery waits for an answer.' : 'Every failed delivery has an answer.'
      const view = answered === 0 || unanswered ? unansweredView(context) : undeliveredView
      if (split !== undefined) {
        await listedInSheets(context, undeliveredView, found, limit, split)
        if (found.length === 0) await context.note(none)
      } else
        await listed(context, view, found, limit, (shown) =>
          found.length === 0
            ? none
            : `\n${ofAll(shown, found.length, undeliveredView)}, ` +
              (answered === 0 || unanswered ? due : `${count(answered)} answered, ${due}`),
        )
      await warnUnknown(context, unknown)
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'shipments ndr': ndr }
