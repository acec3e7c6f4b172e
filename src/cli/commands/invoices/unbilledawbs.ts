// The AWBs of the parcels that no invoice bills, some at a time, in their order.
import { pickedUpBetween, unbilledBetween, unbilledOf } from '../../../engine/money/unbilled.ts'
import type { BesidePlace } from '../../source/beside.ts'

/** Parcels of a time that are found together: their AWBs are sorted in memory. */
const mostTogether = 200_000

/** Parcels that are looked up and priced at once: what is read of the file for them fits into its cache. */
const piece = 128

/**
 * The AWBs of unbilled parcels that were picked up between two instants (ms UTC), each once. Those of some months are
 * found by the time, as they are at the start; for more than `together` parcels, all are looked at, piece by piece.
 */
export async function* unbilledAwbs(
  { database: { dialect, read }, account }: Pick<BesidePlace, 'database' | 'account'>,
  since: number,
  until: number,
  together = mostTogether,
): AsyncGenerator<readonly string[]> {
  const few = await read(function* () {
    if ((yield* pickedUpBetween(account, since, until, [], together + 1)) > together) return undefined
    return yield* unbilledBetween(dialect, account, since, until, [], together)
  })
  if (few !== undefined) {
    const sorted = few.toSorted()
    for (let at = 0; at < sorted.length; at += piece) yield sorted.slice(at, at + piece)
    return
  }
  for (let after = ''; ;) {
    const from = after
    const awbs = await read(() => unbilledOf(dialect, account, since, until, from, piece))
    const last = awbs.at(-1)
    if (last === undefined) return
    yield [...new Set(awbs)]
    after = last
  }
}
