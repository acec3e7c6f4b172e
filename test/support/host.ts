// What the engine is given of the outside in tests: a clock that stands still, and identifiers that count.
import { createHash } from 'node:crypto'
import type { Host } from '../../src/engine/runtime.ts'

/** The time at which every test happens, unless it says otherwise. */
export const testNow = Date.parse('2025-11-21T11:03:07.250Z')

/** A host whose clock stands at `now` and whose identifiers are 1, 2, 3 and so on in the form that is asked for. */
export function testHost(now = testNow): Host {
  let n = 0
  return {
    digest: (data) => createHash('sha256').update(data).digest('hex'),
    now: () => now,
    uuid: () => `00000000-0000-4000-8000-${(++n).toString(16).padStart(12, '0')}`,
    letters: (length, alphabet) => {
      let left = ++n
      let text = ''
      for (let i = 0; i < length; i++) {
        text = alphabet[left % alphabet.length]! + text
        left = Math.floor(left / alphabet.length)
      }
      return text
    },
  }
}
