// Prices parcels that no invoice bills yet, by the card of their pickup day.
import type { Billed, Judged, Seen } from '../../../domain/money/billed.ts'
import { judge, type Bench } from '../../../domain/money/judge.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import type { Found } from '../../../engine/money/parcels.ts'

const notBilled = (awb: string): Billed => ({
  line: 0,
  number: '',
  awb,
  child: '',
  order: '',
  courier: '',
  said: undefined,
  pickedUp: '',
  dated: '',
  zone: '',
  weight: 0,
  freight: 0,
  rto: 0,
  reverse: 0,
  qc: 0,
  cod: 0,
  fuel: 0,
  other: 0,
  others: '',
  gross: undefined,
  tax: undefined,
  total: 0,
  fault: undefined,
})

const nothingSeen: Seen = { here: 0, hereNet: 0, hereLine: 0, before: 0, beforeNet: 0, earlier: [], codHere: false }

/** How parcels are priced that no line bills: as a whole, before GST. */
export const unbilledBench = (tariff: Bench['tariff']): Bench => ({
  terms: {
    shape: { whole: true, cod: true, fuel: true, other: true, gst: 'none' },
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
  const parcel: KnownParcel | undefined = Array.isArray(known)
    ? (known as readonly KnownParcel[]).at(-1)
    : (known as KnownParcel | undefined)
  return { parcel, judged: judge(notBilled(awb), parcel, nothingSeen, bench) }
}
