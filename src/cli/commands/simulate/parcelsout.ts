// The file of `--parcels-out`: a line for each parcel and card, in rupees.
import { rupeesOf } from '../../../domain/money.ts'
import { costTotal } from '../../../domain/rates/whatif.ts'
import { istDate } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import { openWhole } from '../../files/userfiles.ts'
import { writerFor } from '../../output/csvwriter.ts'
import type { SimulatedCard } from './cards.ts'
import type { OnParcel } from './pass.ts'

const columns = (
  'awb order day from to payment outcome card courier zone slab freight rto cod gst total as_shipped cheapest ' +
  'cheapest_courier reason why'
).split(' ')

/** A file of parcels that is being written. */
export interface ParcelsFile {
  readonly onParcel: OnParcel
  /** Puts the file in its place. */
  readonly finish: () => void
  readonly close: () => void
}

/**
 * Opens the file; with a mix, a line has its first courier. Throws `invalid_input` for a file that is there.
 */
export function parcelsFile(
  context: Context,
  path: string,
  force: boolean,
  cards: readonly SimulatedCard[],
): ParcelsFile {
  const writer = writerFor(context, true)
  const file = openWhole(path, force, '--parcels-out')
  let text = writer.header(columns)
  const flush = (): void => {
    file.write(text)
    text = ''
  }
  return {
    onParcel: (row, from, answers) => {
      for (const [i, { shipped, cheapest, chosen }] of answers.entries()) {
        const share = 'reason' in chosen ? undefined : chosen[0]
        const sum = (part: (cost: NonNullable<typeof share>['cost']) => number): number | null =>
          'reason' in chosen
            ? null
            : rupeesOf(Math.round(chosen.reduce((all, one) => all + one.weight * part(one.cost), 0) / 10_000))
        text += writer.row([
          row.tracking_number,
          row.order_name,
          row.day_at === null ? null : istDate(row.day_at),
          from ?? null,
          row.pincode,
          row.is_cod === 1 ? 'cod' : row.is_cod === 0 ? 'prepaid' : null,
          row.back === 1 ? 'rto' : 'delivered',
          cards[i]!.word,
          share?.courier ?? null,
          share?.zone ?? null,
          share?.slab ?? null,
          sum(({ freight }) => freight),
          sum(({ rto }) => rto),
          sum(({ cod }) => cod),
          sum(({ gst }) => gst),
          sum(costTotal),
          'reason' in shipped ? null : rupeesOf(costTotal(shipped.cost)),
          'reason' in cheapest ? null : rupeesOf(costTotal(cheapest.cost)),
          'reason' in cheapest ? null : cheapest.courier,
          'reason' in chosen ? chosen.reason : null,
          'reason' in chosen ? (chosen.why ?? null) : null,
        ])
      }
      if (text.length > 65_536) flush()
    },
    finish: () => {
      flush()
      file.finish()
    },
    close: file.close,
  }
}
