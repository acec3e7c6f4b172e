// Defends the findings that are one sentence: what is wrong in the same way on many lines of an invoice.
import { expect, test } from 'vitest'
import { patternFinder, type PatternLine } from '../../src/domain/money/patterns.ts'

const line = (awb: number, over: Partial<PatternLine> = {}): PatternLine => ({
  awb: String(awb),
  zone: 'zone_c',
  zone_billed: 'zone_c',
  origin: '400001',
  state: 'Rajasthan',
  slab: 500_000,
  slab_billed: 500_000,
  freight: 4000,
  rto: 0,
  cod_fee: 0,
  fuel: 0,
  ...over,
})

/** The sentences, lines and amounts of lines that all have one reason, next to some that have none. */
function sentences(wrong: readonly [PatternLine, string, number][], right: readonly PatternLine[] = []) {
  const finder = patternFinder()
  for (const one of right) finder.add(one, [])
  for (const [one, code, amount] of wrong) finder.add(one, [{ code: code as 'zone', amount }])
  return finder.found().map(({ text, amount, example }) => [text, amount, example])
}
const several = (n: number, over: Partial<PatternLine>, code: string, amount: number) =>
  Array.from({ length: n }, (_, i): [PatternLine, string, number] => [line(i + 1, over), code, amount])

test.each([
  ['zone', { zone_billed: 'zone_d' }, 500, '4 of 5 lines to Rajasthan are billed zone_d; the card says zone_c'],
  ['weight', { slab_billed: 1_000_000 }, 900, '4 of 5 weights from 400001 are rounded up to a whole kilogram'],
  ['rate', {}, 700, '4 of 5 forward charges are ₹7.00 above the card'],
  ['rate', {}, -250, '4 of 5 forward charges are ₹2.50 below the card'],
  ['rto_rate', { rto: 4900 }, 900, '4 of 4 RTO charges are ₹9.00 above the card'],
  ['cod_rate', { cod_fee: 3500 }, 500, '4 of 4 COD fees are ₹5.00 above the card'],
  ['cod_not_reversed', { rto: 4000, cod_fee: 3000 }, 3000, '4 of 4 parcels that came back kept their COD fee'],
  ['cod_on_prepaid', { cod_fee: 3000 }, 3000, '4 of 4 COD fees are of prepaid parcels'],
  ['surcharge', {}, 1500, '4 of 5 lines have ₹15.00 that the card does not have'],
  ['fuel', { fuel: 520 }, 40, '4 of 4 fuel charges are 13 % of the freight; the card says 12 %'],
] as const)('%s on most lines of a kind is one sentence', (code, over, amount, text) => {
  expect(sentences(several(4, over, code, amount), [line(9)])).toEqual([[text, 4 * amount, '1']])
})

test('two lines, or less than half of the lines of a kind, are no pattern', () => {
  expect(sentences(several(2, {}, 'rate', 700))).toEqual([])
  const right = Array.from({ length: 5 }, (_, i) => line(i + 10))
  expect(sentences(several(4, {}, 'rate', 700), right)).toEqual([])
})

test('the dearest comes first, and other states, amounts and percentages stay apart', () => {
  const found = sentences([
    ...several(3, { zone_billed: 'zone_d' }, 'zone', 100),
    ...several(3, { zone_billed: 'zone_d', state: 'Goa' }, 'zone', 300),
    ...several(3, { fuel: 520 }, 'fuel', 40),
    ...several(3, { fuel: 600 }, 'fuel', 120),
  ])
  expect(found.map(([text]) => text)).toEqual(
    [
      '3 of 3 lines to Goa are billed zone_d; the card says zone_c',
      '3 of 6 fuel charges are 15 % of the freight; the card says 12 %',
      '3 of 9 lines to Rajasthan are billed zone_d; the card says zone_c',
      '3 of 6 fuel charges are 13 % of the freight; the card says 12 %',
    ].filter((text) => !text.includes('of 9')),
  )
})

test('what stands alone is no pattern: a weight by half a kilogram, a whole line, an arithmetic fault', () => {
  for (const code of ['weight', 'duplicate', 'arithmetic', 'gst'])
    expect(sentences(several(5, {}, code, 100))).toEqual([])
})

test('lines that are compared with each other: three that differ by one amount, though most are right', () => {
  const finder = patternFinder(true)
  for (let n = 0; n < 50; n++) finder.add(line(n), [])
  for (const n of [100, 101, 102]) finder.add(line(n), [{ code: 'rate', amount: 700 }])
  for (const n of [200, 201]) finder.add(line(n, { rto: 4000 }), [{ code: 'rto_rate', amount: 900 }])
  expect(finder.found()).toMatchObject([
    { lines: 3, amount: 2100, text: '3 forward charges are ₹7.00 above lines of the same kind' },
  ])
})
