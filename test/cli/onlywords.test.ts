// Defends --only of reconcile, invoices and cod due: codes and the words of pages, and what is near a wrong one.
import { expect, test } from 'vitest'
import { someOf } from '../../src/cli/args/kinds.ts'
import { dueName, dueWords } from '../../src/cli/commands/cod/ages.ts'
import { lineWords } from '../../src/domain/money/billed.ts'
import { reasonName } from '../../src/domain/money/reasonnames.ts'

const reasons = someOf<string>(lineWords, 'verdict or reason', reasonName)
const ages = someOf(dueWords, 'age', dueName)
const read = (kind: typeof reasons, ...given: readonly string[]) => kind(new Map([['only', given]]), 'only', 0)

test('--only did not take the words in which its own page calls a reason', () => {
  expect(read(reasons, 'billed twice here', 'Weight slab', 'NOT-OURS', 'zone', 'COD fee (not reversed)')).toEqual({
    value: ['duplicate', 'weight', 'unknown_awb', 'zone', 'cod_not_reversed'],
    faults: [],
  })
  // Each code and each name mean one reason.
  for (const code of lineWords) {
    expect(read(reasons, code).value).toEqual([code])
    expect([code, read(reasons, reasonName(code)).value]).toEqual([code, [code]])
  }
  for (const word of dueWords) expect(read(ages, word, dueName(word)).value).toEqual([word, word])
})

test('a wrong word of --only gets the nearest, by code or by name', () => {
  const near = (given: string): string => read(reasons, given).faults[0]!.message
  expect(near('bileld twice here')).toContain('Did you mean duplicate?')
  expect(near('duplicat')).toContain('Did you mean duplicate?')
  expect(near('xyzzy')).not.toContain('Did you mean')
  expect(read(ages, '1-3 dys').faults[0]!.message).toContain('Did you mean late_1_3?')
})
