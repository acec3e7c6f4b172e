// What a pull did to its records: counts each record once however often it was read, in two bits a record.
import type { SavedEntry } from '../../../engine/records/records.ts'

/** How many records were new, changed or unchanged. */
export interface Tally {
  readonly note: (saved: readonly SavedEntry[]) => void
  readonly counts: () => { readonly new: number; readonly changed: number; readonly unchanged: number }
}

const [unchanged, changed, made] = [1, 2, 3]

/** Record numbers start again for each account. */
const range = 2 ** 32

export function tallyOf(): Tally {
  /** By record number; four to a byte. */
  let marks = new Uint8Array(1024)
  const totals = [0, 0, 0, 0]
  const note = ({ outcome, seq }: SavedEntry): void => {
    const at = seq % range
    const [byte, shift] = [at >> 2, (at & 3) * 2]
    if (byte >= marks.length) {
      const larger = new Uint8Array(Math.max(byte + 1, marks.length * 2))
      larger.set(marks)
      marks = larger
    }
    const before = (marks[byte]! >> shift) & 3
    const now = Math.max(before, outcome === 'created' ? made : outcome === 'updated' ? changed : unchanged)
    if (now === before) return
    totals[before]!--
    totals[now]!++
    marks[byte] = (marks[byte]! & ~(3 << shift)) | (now << shift)
  }
  return {
    note: (saved) => saved.forEach(note),
    counts: () => ({ new: totals[made]!, changed: totals[changed]!, unchanged: totals[unchanged]! }),
  }
}
