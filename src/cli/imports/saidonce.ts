// Rows of one file that name the same thing, perhaps in several ways: by its AWB in one, by its order in another. Each
// thing counts once.
import { safe } from '../terminal/safe.ts'
import type { Failure, Wanted } from './importer.ts'

/** What the rows of one file say, by the thing that they mean. */
export interface SaidOnce<V> {
  /** Why a row does not count: an earlier one means the same thing. `id` is the thing's own. */
  readonly claim: (id: string, wanted: Pick<Wanted<V>, 'name' | 'line' | 'value'>) => Failure | undefined
  /** The faults of rows of which later ones say otherwise, by line: the last is not known to be what is meant. */
  readonly late: () => ReadonlyMap<number, Failure>
  /** What the file counts in. */
  counts: 'line' | 'row'
}

/** Nothing said yet; `same` says whether two rows want the same. */
export function saidOnce<V>(same: (one: V, other: V) => boolean): SaidOnce<V> {
  const said = new Map<string, Pick<Wanted<V>, 'name' | 'line' | 'value'>>()
  const faults = new Map<number, Failure>()
  const once: SaidOnce<V> = {
    counts: 'line',
    claim: (id, { name, line, value }) => {
      const first = said.get(id)
      if (first === undefined) {
        said.set(id, { name, line, value })
        return undefined
      }
      const shown = safe(name, 'id')
      if (!same(first.value, value)) {
        const message = `${safe(first.name, 'id')} has another answer in ${once.counts} ${line}`
        faults.set(first.line, { code: 'invalid_input', message: `${message}${as(first.name, name)}` })
      }
      const message = `${shown} is in ${once.counts} ${first.line} already${as(name, first.name)}`
      return { code: 'invalid_input', message }
    },
    late: () => faults,
  }
  return once
}

/** The other name of a thing, where a row gives it one. */
const as = (name: string, other: string): string => (name === other ? '' : `, as ${safe(other, 'id')}`)
