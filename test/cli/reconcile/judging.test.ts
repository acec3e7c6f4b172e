// What the judge says of the lines of one document, in their order: by a card of round prices, without a database.
import { describe, expect, test } from 'vitest'
import { judgeOf, type Earlier } from '../../../src/cli/commands/reconcile/judging.ts'
import { comparisonOf } from '../../../src/domain/money/alike.ts'
import { blankLine, type Billed, type Judged, type Shape, type Terms } from '../../../src/domain/money/billed.ts'
import type { Bench } from '../../../src/domain/money/judge.ts'
import { billCounts } from '../../../src/domain/money/kinds.ts'
import type { KnownParcel } from '../../../src/domain/money/parcel.ts'
import type { OlderAwbs } from '../../../src/domain/money/seenawbs.ts'
import { tariffsOf } from '../../../src/domain/money/tariffs.ts'
import type { RateCard } from '../../../src/domain/rates/ratecard.ts'
import { contract } from './invoices.ts'

/** Zone C: 40 for the first 500 g, 30 for each 500 g more; RTO the same; a COD fee of 30. */
const tariff = tariffsOf([contract() as unknown as RateCard])

const columns: Shape = { whole: false, rto: true, cod: true, fuel: true, other: true, gst: 'none' }
const total: Shape = { ...columns, whole: true }

const parcelOf = (more: Partial<KnownParcel> = {}): KnownParcel => ({
  awb: '1001',
  order: null,
  carrier_id: 'DLV',
  carrier_name: null,
  journey: 'forward',
  merchant: '400001',
  customer: '560001',
  zone: null,
  day_at: Date.parse('2026-09-05T06:30:00Z'),
  status: 'rto_delivered',
  shipped: true,
  back: true,
  delivered_at: null,
  cod: false,
  cod_amount: null,
  collected: undefined,
  worth: undefined,
  dead: 400,
  length: 0,
  width: 0,
  height: 0,
  weight_by: 'record',
  ...more,
})

const rupees = (amount: number): number => amount * 100

/** A line with amounts in rupees. */
function lineOf(over: Partial<Billed>): Billed {
  const { freight = 0, rto = 0, cod = 0, total: all } = over
  const amounts = { freight: rupees(freight), rto: rupees(rto), cod: rupees(cod) }
  return { ...blankLine('1001'), ...over, ...amounts, total: all === undefined ? undefined : rupees(all) }
}

interface Document {
  readonly shape?: Shape
  readonly terms?: Partial<Terms>
  readonly parcel?: Partial<KnownParcel>
  readonly earlier?: Earlier
  readonly bench?: Partial<Bench>
}

/** A document this small keeps all AWBs in memory. */
const noneOlder: OlderAwbs = {
  digest: () => [0, 0],
  keep: () => {
    throw new Error('too many AWBs')
  },
  find: () => undefined,
}

/** The lines of a document as they are judged. */
function outcomesOf(
  lines: readonly Partial<Billed>[],
  { shape = columns, terms, parcel, earlier, bench }: Document = {},
): readonly Judged[] {
  const judge = judgeOf(
    {
      terms: { shape, order: 'zone', tolerance: 0, weightTolerance: { units: 0, share: 0 }, ...terms },
      tariff,
      dayOf: () => undefined,
      courier: undefined,
      sameCourier: () => true,
      ...bench,
    },
    noneOlder,
  )
  return lines.map((over, at) => {
    const line = { ...lineOf(over), line: at + 2 }
    return judge({ line, parcel: parcelOf(parcel), matchedBy: 'awb', earlier }).judged
  })
}

/** The verdict of each line of a document, and its reasons in rupees. The reasons add up to the difference. */
const judged = (lines: readonly Partial<Billed>[], document: Document = {}) =>
  outcomesOf(lines, document).map((found) => {
    const reasons = found.reasons.map(({ code, amount }) => [code, amount === null ? null : amount / 100] as const)
    const sum = found.reasons.reduce((all, { amount }) => all + (amount ?? 0), 0)
    if (found.expected !== null) expect(found.billed - found.expected).toBe(sum)
    return [found.verdict, Object.fromEntries(reasons)]
  })

const earlierOf = (before: number, net: number): Earlier => ({
  before,
  beforeNet: rupees(net),
  earlier: [{ invoice: 'AUG', amount: rupees(net) }],
})

const [out, home, both] = [{ freight: 40 }, { rto: 40 }, { freight: 40, rto: 40 }]

describe('one way of a line that bills two', () => {
  test.each([
    ['out, then out and back', [out, both], [{}, { duplicate: 40 }]],
    ['out and back, then out', [both, out], [{}, { duplicate: 40 }]],
    ['back, then out and back', [home, both], [{}, { duplicate: 40 }]],
    ['out and back, then back', [both, home], [{}, { duplicate: 40 }]],
    ['out and back twice', [both, both], [{}, { duplicate: 80 }]],
    ['out and back after each of them', [out, home, both], [{}, {}, { duplicate: 80 }]],
    ['at another price', [out, { freight: 50, rto: 45 }], [{}, { duplicate: 50, rto_rate: 5 }]],
  ])('was billed twice and ok: %s', (_, lines, reasons) => {
    expect(judged(lines).map(([, found]) => found)).toEqual(reasons)
  })

  test('was billed in an earlier document', () => {
    expect(judged([both], { earlier: earlierOf(1, 40) })).toEqual([['over', { billed_before: 40 }]])
    expect(judged([both], { earlier: earlierOf(2, 40) })).toEqual([['over', { billed_before: 40 }]])
    expect(judged([both], { earlier: earlierOf(3, 80) })).toEqual([['over', { billed_before: 80 }]])
    expect(judged([home, both], { earlier: earlierOf(1, 40) })).toEqual([
      ['ok', {}],
      ['over', { duplicate: 80 }],
    ])
  })

  test('has the COD fee of the way out; RTO of a parcel that did not come back is not told twice', () => {
    const cod = { cod: true, collected: 100_000, back: false }
    const lines = [
      { freight: 40, cod: 30 },
      { freight: 40, rto: 40, cod: 30 },
    ]
    expect(judged(lines, { parcel: cod })).toEqual([
      ['ok', {}],
      ['over', { duplicate: 70, rto_not_returned: 40 }],
    ])
    expect(judged([home, both], { parcel: { back: false } })).toEqual([
      ['over', { rto_not_returned: 40 }],
      ['over', { duplicate: 40 }],
    ])
  })

  test('with GST in columns the parts add up to the paisa', () => {
    const gst = (base: number) => ({ tax: base * 18, total: base + base * 0.18 })
    const lines = [
      { ...out, ...gst(40) },
      { ...both, ...gst(80) },
    ]
    expect(judged(lines, { shape: { ...columns, gst: 'columns' } })[1]).toEqual([
      'over',
      { duplicate: 40, gst_on_difference: 7.2 },
    ])
  })
})

describe('a file with one amount', () => {
  const [forward, back, two] = [
    { said: 'forward', total: 40 },
    { said: 'rto', total: 40 },
    { said: 'both', total: 80 },
  ] as const

  test.each<readonly [string, readonly Partial<Billed>[], readonly object[]]>([
    ['out, then out and back', [forward, two], [{}, { duplicate: 40 }]],
    ['out and back, then out', [two, forward], [{}, { duplicate: 40 }]],
    ['out, then a line without a word of a parcel that came back', [forward, { total: 80 }], [{}, { duplicate: 40 }]],
    ['an amount for both ways that says RTO, then out', [{ ...back, total: 80 }, forward], [{}, { duplicate: 40 }]],
    ['out and back twice', [two, two], [{}, { duplicate: 80 }]],
  ])('billed a way twice and was ok: %s', (_, lines, reasons) => {
    expect(judged(lines, { shape: total }).map(([, found]) => found)).toEqual(reasons)
  })

  test('the way back alone is no duplicate of the way out, whatever its word is', () => {
    expect(judged([forward, back], { shape: total })).toEqual([
      ['ok', {}],
      ['ok', {}],
    ])
    expect(judged([forward, { ...two, total: 40 }], { shape: total })[1]).toEqual(['ok', {}])
    // Where it comes first it is below the price of both, and the way out may follow.
    expect(judged([back, forward], { shape: total })).toEqual([
      ['under', { rate: -40 }],
      ['ok', {}],
    ])
  })

  test('of a parcel that did not come back', () => {
    expect(judged([forward, two], { shape: total, parcel: { back: false } })[1]).toEqual([
      'over',
      { duplicate: 40, rto_not_returned: 40 },
    ])
  })
})

describe('without a card', () => {
  const comparing = (shape: Shape, lines: readonly Partial<Billed>[], judging: readonly Partial<Billed>[]) => {
    const counts = billCounts(shape)
    for (const line of lines) counts.add(lineOf(line), '')
    return judged(judging, { shape, bench: { comparison: comparisonOf(counts, shape.whole) } })
  }
  const kind = { zone: 'c', weight: 40_000, payment: 'prepaid' } as const

  test('a way that was billed twice was ok', () => {
    const [one, two] = [
      { ...kind, ...out },
      { ...kind, ...both },
    ]
    expect(comparing(columns, [one, one, one, two, two, two], [one, two])).toEqual([
      ['ok', {}],
      ['over', { duplicate: 40 }],
    ])
  })

  test('one amount for both ways cannot be judged where one of them was billed', () => {
    const [one, two] = [
      { ...kind, said: 'forward', total: 40 },
      { ...kind, said: 'both', total: 80 },
    ] as const
    expect(comparing(total, [one, one, one, two, two, two], [one, two])).toEqual([
      ['ok', {}],
      ['unknown', { no_comparison: null }],
    ])
  })
})

describe('credits', () => {
  test('a debit after its credit was a duplicate', () => {
    expect(judged([{ freight: -40 }, out, out])).toEqual([
      ['unknown', { credit_first: null }],
      ['ok', {}],
      ['over', { duplicate: 40 }],
    ])
  })

  test('a credit and a corrected line for an earlier document were billed before', () => {
    const earlier = earlierOf(1, 50)
    expect(judged([{ freight: -50 }, out, out], { earlier })).toEqual([
      ['credit', {}],
      ['ok', {}],
      ['over', { duplicate: 40 }],
    ])
    expect(judged([{ freight: -10 }, out], { earlier })).toEqual([
      ['credit', {}],
      ['over', { billed_before: 40 }],
    ])
  })

  test('the second credit of an AWB was called one of an AWB that nothing bills', () => {
    const [, , second] = outcomesOf([out, { freight: -40 }, { freight: -40 }])
    expect(second!.reasons).toEqual([
      { code: 'credit_first', amount: null, text: 'nothing is left to credit for this AWB' },
    ])
  })
})

describe('fuel of freight and COD', () => {
  const surcharges = [{ name: 'Fuel', percent: 10, of: 'freight_and_cod' }]
  const bench = { tariff: tariffsOf([contract({}, { surcharges }) as unknown as RateCard]) }
  const parcel = { cod: true, collected: 100_000, back: false }

  test('was due of the COD fee as billed, so too high a fee made its fuel right', () => {
    expect(judged([{ freight: 40, cod: 50, fuel: 900 }], { bench, parcel })).toEqual([
      ['over', { cod_rate: 20, fuel: 2 }],
    ])
    // The same bill with one amount.
    expect(judged([{ said: 'forward', total: 99 }], { bench, parcel, shape: total })).toEqual([['over', { rate: 22 }]])
    expect(judged([{ freight: 40, cod: 30, fuel: 700 }], { bench, parcel })).toEqual([['ok', {}]])
  })

  test('was due of the COD fee of a parcel that came back', () => {
    const line = { freight: 40, rto: 40, cod: 30, fuel: 1100 }
    expect(judged([line], { bench, parcel: { ...parcel, back: true } })).toEqual([
      ['over', { cod_not_reversed: 30, fuel: 3 }],
    ])
  })
})

describe('--weight-tolerance', () => {
  const [terms, ours] = [{ weightTolerance: { units: 5000, share: 0 } }, { parcel: { dead: 490 } }]
  const at = (grams: number, freight: number) => judged([{ weight: grams * 100, freight }], { terms, ...ours })[0]

  test('the price at a billed weight within it was another rate', () => {
    expect(at(510, 70)).toEqual(['ok', {}])
    expect(at(510, 40)).toEqual(['ok', {}])
  })

  test('the nearer price is expected, and beyond it the weight is wrong', () => {
    expect([at(510, 75), at(510, 45), at(510, 35)]).toEqual([
      ['over', { rate: 5 }],
      ['over', { rate: 5 }],
      ['under', { rate: -5 }],
    ])
    expect(at(541, 70)).toEqual(['over', { weight: 30 }])
  })
})
