// The dispute that a user means: by its number, or by the AWB of its parcel.
import { ShipxError, invalid } from '../../domain/errors.ts'
import { disputesNumbered, disputesOfAwbs, type Dispute } from '../../engine/money/disputes.ts'
import { awbsBilledAs } from '../../engine/money/lines.ts'
import type { Dialect, Work } from '../../engine/database/port.ts'
import type { BesidePlace } from './beside.ts'
import { safe } from '../terminal/safe.ts'

/** The number of a dispute as it is kept: `d12` is D0000012; undefined for any other text. */
export const disputeNumber = (name: string): string | undefined => {
  const digits = /^D0*(\d{1,9})$/i.exec(name.trim())?.[1]
  return digits === undefined ? undefined : `D${digits.padStart(7, '0')}`
}

/** Disputes with nothing left to do: another one of the parcel is meant. */
const over: ReadonlySet<string> = new Set(['closed', 'withdrawn', 'credited'])

/** Why a name means no dispute, or several. */
export interface Unnamed {
  readonly code: 'not_found' | 'invalid_input'
  readonly message: string
}

/**
 * The disputes of AWBs, by AWB. What no dispute has may be the AWB that the courier printed of a parcel with another.
 */
function* disputesByAwb(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
): Work<ReadonlyMap<string, readonly Dispute[]>> {
  const byAwb = new Map<string, readonly Dispute[]>()
  const add = (awb: string, one: Dispute): unknown => byAwb.set(awb, [...(byAwb.get(awb) ?? []), one])
  for (const one of awbs.length === 0 ? [] : yield* disputesOfAwbs(dialect, account, awbs)) add(one.awb, one)
  const left = awbs.filter((awb) => !byAwb.has(awb))
  const billedAs = left.length === 0 ? new Map<string, readonly string[]>() : yield* awbsBilledAs(account, left)
  for (const [printed, own] of billedAs)
    for (const one of yield* disputesOfAwbs(dialect, account, [...new Set(own)])) add(printed, one)
  return byAwb
}

/** The disputes of names, in their order. Of the disputes of a parcel, the only one that is not over is meant. */
export function* disputesMeant(
  dialect: Dialect,
  account: number,
  names: readonly string[],
): Work<readonly (Dispute | Unnamed)[]> {
  const ids = names.flatMap((name) => disputeNumber(name) ?? [])
  const numbered = new Map((ids.length === 0 ? [] : yield* disputesNumbered(account, ids)).map((one) => [one.id, one]))
  const awbs = [...new Set(names.map((name) => name.trim()))].filter((name) => !numbered.has(disputeNumber(name) ?? ''))
  const byAwb = yield* disputesByAwb(dialect, account, awbs)
  return names.map((name) => {
    const own = numbered.get(disputeNumber(name) ?? '')
    if (own !== undefined) return own
    const all = byAwb.get(name.trim()) ?? []
    const open = all.filter(({ status }) => !over.has(status))
    const [first, ...others] = open.length === 0 ? all : open
    const shown = safe(name.slice(0, 60), 'id')
    if (first === undefined) return { code: 'not_found', message: `there is no dispute about ${shown}` }
    if (others.length === 0) return first
    const each = [first, ...others].map(({ id, reason }) => `${id} (${reason})`).join(', ')
    return { code: 'invalid_input', message: `${shown} has ${others.length + 1} disputes; name one of ${each}` }
  })
}

/** The dispute of a name. Throws `not_found`, and `invalid_input` for a parcel with several. */
export async function disputeNamed({ database, account }: BesidePlace, name: string): Promise<Dispute> {
  const [found] = await database.read(() => disputesMeant(database.dialect, account, [name]))
  if (found !== undefined && 'id' in found) return found
  if (found?.code === 'invalid_input') throw invalid([{ field: '<dispute>', message: found.message }])
  throw new ShipxError('not_found', found!.message, { hint: 'shipx disputes list' })
}
