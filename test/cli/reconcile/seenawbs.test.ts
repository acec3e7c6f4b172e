// What a document billed of its AWBs, where they are too many for memory: the same as if they were not.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { seenAwbs } from '../../../src/domain/money/seenawbs.ts'
import { awbRuns } from '../../../src/cli/commands/reconcile/awbruns.ts'
import type { TempFile } from '../../../src/cli/files/tempfile.ts'
import { sandbox } from '../../support/sandbox.ts'
import { runs } from '../../support/size.ts'
import type { Line } from './invoices.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipx-awbs-'))
afterAll(() => rmSync(folder, { recursive: true }))

function temporary(): TempFile {
  const descriptor = openSync(join(folder, 'runs'), 'w+')
  let size = 0
  return {
    descriptor,
    size: () => size,
    append: (bytes) => void (size += writeSync(descriptor, bytes, 0, bytes.length, size)),
    read: () => {
      throw new Error('is read at places')
    },
    close: () => closeSync(descriptor),
  }
}

/** Numbers, numbers with a zero in front, letters, and texts that only a digest tells apart. */
const awb = fc
  .tuple(fc.nat(400), fc.constantFrom('', '0', 'FM-', 'x_', '₹', 'a text of more than sixteen characters '))
  .map(([n, before]) => `${before}${n}`)
const bill = fc.record({ awb, bits: fc.integer({ min: 0, max: 15 }), net: fc.integer({ min: -1e13, max: 1e13 }) })

test('every AWB has what was billed of it last, and its first line, however few are in memory', () => {
  fc.assert(
    fc.property(fc.array(bill, { maxLength: 600 }), fc.integer({ min: 1, max: 80 }), (bills, most) => {
      const older = awbRuns(temporary)
      const awbs = seenAwbs(older, most)
      const known = new Map<string, { readonly bits: number; readonly net: number; readonly line: number }>()
      for (const [n, one] of bills.entries()) {
        const before = known.get(one.awb)
        awbs.goTo(one.awb)
        const own = { bits: awbs.bits(), net: awbs.net(), line: awbs.line() }
        expect([one.awb, own]).toEqual([one.awb, before ?? { bits: 0, net: 0, line: 0 }])
        awbs.bill(one.bits, one.net, n + 1)
        known.set(one.awb, { bits: one.bits, net: one.net, line: before?.line ?? n + 1 })
      }
      older.close()
    }),
    { numRuns: runs(30, 300) },
  )
})

test(
  'AWBs of a bill of 320,000 lines that come again after most of it are duplicates',
  { tags: ['full'] },
  async () => {
    const box = sandbox()
    try {
      const row = (n: number): string => `${n % 3 === 0 ? 'FM' : ''}${70_000_000_000 + n * 7},c,400,40`
      const many = 320_000
      const rows = Array.from({ length: many }, (_, n) => row(n))
      const again = [0, 1, 2, 299_998, 299_999, 300_000, 300_001, many - 1]
      const path = box.file('large.csv', ['awb,zone,weight_g,freight', ...rows, ...again.map(row)].join('\n'))
      const words = [
        'reconcile',
        'invoice',
        path,
        '--no-card',
        '--no-parcels',
        '--dry-run',
        '--jsonl',
        '--only',
        'over',
      ]
      const { stdout, exit } = await box.shipx(words)
      const found = stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as Line)
      expect([exit, found.map(({ line, category, reasons }) => [line, category, reasons[0]!.text])]).toEqual([
        0,
        again.map((n, at) => [many + at + 2, 'duplicate', `line ${n + 2} of this document bills it already`]),
      ])
    } finally {
      box.remove()
    }
  },
)
