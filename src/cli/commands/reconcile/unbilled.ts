// Prices parcels that no invoice bills yet, by the card of their pickup day.
import { blankLine, nothingSeen, type Judged } from '../../../domain/money/billed.ts'
import { judge, type Bench } from '../../../domain/money/judge.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import { isList, type Found } from '../../../engine/money/parcels.ts'
import type { Context } from '../../command/context.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** The card in use, by the version of a day. */
export const tariffInUse = async (context: Context): Promise<Bench['tariff']> =>
  tariffsOf(await versionsNamed(context, undefined))

/** How parcels are priced that no line bills: as a whole, before GST. */
export const unbilledBench = (tariff: Bench['tariff']): Bench => ({
  terms: {
    shape: { whole: true, rto: true, cod: true, fuel: true, other: true, gst: 'none' },
    order: 'zone',
    tolerance: 0,
    weightTolerance: { units: 0, share: 0 },
  },
  tariff,
  dayOf: () => undefined,
  courier: undefined,
  sameCourier: () => true,
})

/** What the card says of a parcel that no line bills: of several with its AWB, the one that was read last. */
export function judgeUnbilled(
  awb: string,
  found: Found,
  bench: Bench,
): { readonly parcel: KnownParcel | undefined; readonly judged: Judged } {
  const known = found.get(awb)
  const parcel = known !== undefined && isList(known) ? known.at(-1) : known
  return { parcel, judged: judge({ ...blankLine(awb), total: 0 }, parcel, nothingSeen, bench) }
}
