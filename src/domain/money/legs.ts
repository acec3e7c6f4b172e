// A line for the way back whose freight stands in the column of all freight: one row for the way out, one for the RTO
// (docs/guides/money.md, Reasons).
import type { Billed, Seen, Shape } from './billed.ts'
import type { KnownParcel } from './parcel.ts'
import { wayBit } from './ways.ts'

/** Whether the freight of a line may be that of the way back: the file has no column of its own for it. */
export const mayBeBack = ({ freight, rto, reverse, qc, said }: Billed, shape: Shape): boolean =>
  said === 'rto' && !shape.whole && !shape.rto && freight !== 0 && rto === 0 && reverse === 0 && qc === 0

/** The same line with its freight as that of the way back. */
export const wayBack = (line: Billed): Billed => ({ ...line, freight: 0, rto: line.freight })

/** A line whose word is read: `Return` by its parcel, and the freight of a row for the RTO as that of the way back. */
export function legOf(
  line: Billed,
  parcel: Pick<KnownParcel, 'journey'> | undefined,
  { here, before }: Pick<Seen, 'here' | 'before'>,
  shape: Shape,
): Billed {
  if (line.said === 'return') {
    const said = parcel === undefined || parcel.journey === 'return' ? 'reverse' : 'rto'
    return legOf({ ...line, said }, parcel, { here, before }, shape)
  }
  if (!mayBeBack(line, shape)) return line
  // A status says how the parcel ended: its first line may be the way out.
  return line.byStatus && ((here | before) & wayBit.forward) === 0 ? line : wayBack(line)
}
