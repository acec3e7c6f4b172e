// Defends the comparison of a bill's lines with each other: what differs is found, and nothing is accused that the file
// cannot tell.
import { describe, expect, test } from 'vitest'
import type { Billed } from '../../src/domain/money/billed.ts'
import { drawsOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'
import { billOf, emptyLine, judgedAlone, onlyTotal, tariffOf } from './bills.ts'

const rows = (n: number, over: Partial<Billed>, from = 1): readonly Billed[] =>
  Array.from({ length: n }, (_, i) => ({
    ...emptyLine(from + i),
    zone: 'C',
    weight: 40_000,
    freight: 3300,
    tax: 594,
    payment: 'prepaid' as const,
    ...over,
  }))

const found = (lines: readonly Billed[], ...more: [shape?: typeof onlyTotal]) =>
  judgedAlone(lines, ...more).map(({ verdict, reasons }) => [verdict, ...reasons.map(({ code }) => code)].join(' '))

test.each(Array.from({ length: runs(3, 20) }, (_, seed) => seed))(
  'finds the faults of a drawn bill to the paisa, and nothing else, seed %i',
  (seed) => {
    const tariff = tariffOf(drawsOf(seed), ['A', 'B', 'C'])
    const made = billOf(seed, tariff, 3000, 0.05)
    const judged = judgedAlone(made.map(({ line }) => line))
    const wrong = judged.flatMap((one, n) => {
      const own = Object.fromEntries(
        one.reasons.filter(({ code }) => code !== 'gst_on_difference').map(({ code, amount }) => [code, amount]),
      )
      const right = JSON.stringify(own) === JSON.stringify(made[n]!.wrong)
      return one.verdict === 'unknown' || right ? [] : [{ line: made[n], own }]
    })
    expect(wrong).toEqual([])
    // A slab and zone of few lines is no measure; most have enough.
    const unknown = judged.filter(({ verdict }) => verdict === 'unknown').length
    expect(unknown).toBeLessThan(made.length / 10)
  },
)

describe('a line', () => {
  test('that differs from its kind says what the others cost, and how many they are', () => {
    const lines = [...rows(132, {}), ...rows(1, { freight: 4500, tax: 810 }, 500)]
    const judged = judgedAlone(lines).at(-1)!
    expect(judged).toMatchObject({
      verdict: 'over',
      category: 'rate',
      card: '(no card)',
      expected: 3894,
      slabBilled: 50_000,
    })
    expect(judged.reasons[0]).toEqual({
      code: 'rate',
      amount: 1200,
      text: 'freight ₹45.00 in place of ₹33.00: the same as 132 other lines of zone C to 500 g',
    })
  })

  test('without two more of its kind, or with a kind that does not agree, is unknown and never ok', () => {
    expect(found(rows(1, {}))).toEqual(['unknown no_comparison'])
    expect(found(rows(2, {}))).toEqual(Array(2).fill('unknown no_comparison'))
    expect(found([...rows(3, {}), ...rows(3, { freight: 4500, tax: 810 }, 10)])).toEqual(
      Array(6).fill('unknown no_comparison'),
    )
    expect(found([])).toEqual([])
  })

  test('without a zone or a weight is like no other', () => {
    expect(found(rows(5, { zone: '' }))).toEqual(Array(5).fill('unknown no_zone'))
    expect(found(rows(5, { weight: 0 }))).toEqual(Array(5).fill('unknown no_weight'))
  })

  test('in another zone, slab or payment is not compared with it', () => {
    const others = [
      ...rows(4, { zone: 'D', freight: 4500, tax: 810 }, 100),
      ...rows(4, { weight: 90_000, freight: 5800, tax: 1044 }, 200),
      ...rows(4, { payment: 'cod', freight: 3500, cod: 3000, tax: 1170 }, 300),
    ]
    expect(new Set(found([...rows(4, {}), ...others]))).toEqual(new Set(['ok']))
  })

  test('that bills a COD fee for a prepaid parcel is found by the word of the bill', () => {
    const lines = [...rows(4, {}), ...rows(1, { cod: 3000, tax: 1134 }, 10)]
    expect(found(lines).at(-1)).toBe('over cod_on_prepaid gst_on_difference')
  })

  test('with wrong tax, or parts that do not add up, needs no other line for it', () => {
    const lines = [
      ...rows(4, { total: 3894 }),
      ...rows(1, { tax: 700, total: 4000 }, 10),
      ...rows(1, { total: 4894 }, 20),
    ]
    expect(found(lines).slice(4)).toEqual(['over gst', 'over arithmetic'])
  })
})

test('wrong tax and a wrong sum are found on a line that no other is like, and the rest of it stays unsaid', () => {
  const judged = judgedAlone([
    ...rows(1, { tax: 900 }),
    ...rows(1, { zone: 'E', total: 4894 }, 10),
    ...rows(1, { zone: 'D', tax: 600 }, 20),
  ])
  expect(
    judged.map(({ verdict, category, reasons }) => [verdict, category, reasons.map(({ amount }) => amount)]),
  ).toEqual([
    ['over', 'gst', [306]],
    ['over', 'arithmetic', [1000]],
    ['unknown', 'unknown', [null]],
  ])
})

describe('COD fees that may go by a value the bill does not name', () => {
  test('are unknown above the fixed fee, not over', () => {
    const cod = { payment: 'cod', cod: 3000, tax: 1134 } as const
    const lines = [...rows(8, cod), ...rows(2, { ...cod, cod: 4100, tax: 1332 }, 50)]
    expect(found(lines).slice(8)).toEqual(Array(2).fill('unknown no_comparison'))
  })

  test('are over where nearly all fees are one', () => {
    const cod = { payment: 'cod', cod: 3000, tax: 1134 } as const
    const lines = [...rows(60, cod), ...rows(1, { ...cod, cod: 4100, tax: 1332 }, 90)]
    expect(found(lines).at(-1)).toBe('over cod_rate gst_on_difference')
  })
})

describe('a bill with one amount for everything', () => {
  const whole = { freight: 0, tax: undefined, total: 3300, said: 'forward' } as const
  test('is compared as a whole, COD lines by the fee above prepaid ones', () => {
    const cod = { ...whole, payment: 'cod', total: 6300, collected: 90_000 } as const
    const lines = [...rows(6, whole), ...rows(1, { ...whole, total: 4300 }, 20), ...rows(6, cod, 40)]
    const judged = found([...lines, ...rows(1, { ...cod, total: 7000 }, 60)], onlyTotal)
    expect(judged.slice(0, 6)).toEqual(Array(6).fill('ok'))
    expect([judged[6], judged.at(-1)]).toEqual(['over rate', 'over rate'])
  })

  test('is unknown above its kind where no word says which way a line bills', () => {
    const lines = [
      ...rows(9, { ...whole, said: undefined }),
      ...rows(1, { ...whole, said: undefined, total: 6600 }, 50),
    ]
    expect(found(lines, onlyTotal).at(-1)).toBe('unknown no_comparison')
  })

  test('without a word of payment is unknown', () => {
    expect(found(rows(5, { ...whole, payment: undefined }), onlyTotal)).toEqual(Array(5).fill('unknown no_payment'))
  })
})
