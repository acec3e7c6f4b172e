// Defends how a line of a file of parcels is read: taken or refused as the contract does, in the words of the file.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineReader } from '../../../src/cli/commands/rates/many/parcelfile.ts'
import { parseInput } from '../../../src/domain/parse.ts'
import { runs } from '../../support/size.ts'

describe('a line', () => {
  const columns = ['ref', 'from', 'to', 'weight', 'length', 'width', 'height', 'payment', 'value', 'journey', 'qc']
  const sheet = {
    headers: columns,
    places: new Map(columns.map((name, i) => [name, i])),
    unknown: [],
    weights: new Map(),
    name: 'parcels.csv',
    delimiter: ',',
    counts: 'line' as const,
    headLine: 1,
    rows: (async function* () {})(),
    notes: () => [],
    close: () => undefined,
  }
  const read = lineReader(
    sheet,
    { from: undefined, to: undefined, home: undefined },
    () => false,
    {
      unknown: () => undefined,
      said: () => undefined,
      light: () => undefined,
      small: () => undefined,
    },
    0,
  )
  const cell = {
    pincode: fc.constantFrom('400001', '560 001', '123456', '', '40001', 'abc', '011111'),
    number: fc.constantFrom('1', '20', '12.5', '0', '-1', '', 'x', '10000', '10001', '1e3', '0.001', '٣'),
    weight: fc.constantFrom('500', '0.5kg', '500 g', '0', '', '20kg', '99999999', 'kg', '1 tonne', '0.0000001'),
    payment: fc.constantFrom('cod', 'COD', 'prepaid', 'Prepaid', '', 'wire', 'paid'),
    value: fc.constantFrom('', '1499', '0', '1,499', '-5', '10000000000', '10000000001', '99.999'),
    journey: fc.constantFrom('', 'forward', 'RETURN', 'return', 'sideways'),
    qc: fc.constantFrom('', 'true', 'No', '1', 'maybe'),
  }

  test('is taken or refused as the contract takes or refuses it', () => {
    const seen = { taken: 0, refused: 0 }
    const { pincode, number, weight, payment, value, journey, qc } = cell
    fc.assert(
      fc.property(
        fc.tuple(fc.constant('R'), pincode, pincode, weight, number, number, number, payment, value, journey, qc),
        (cells) => {
          const { request, reason, code } = read({ line: 2, cells, fault: undefined })
          if (request !== undefined) {
            seen.taken++
            expect(parseInput('getRates', { ...request })).toEqual(request)
            expect(code).toBeUndefined()
          } else {
            seen.refused++
            expect(code).toBe('invalid_input')
            // Faults name columns of the file, in its own words.
            expect(reason).toMatch(/^(from|to|weight|length|width|height|payment|value|journey|qc): ./)
            expect(reason).not.toMatch(
              /_pincode|dead_weight|payment_method|shipment_value|journey_type|qc_applicable|\n/,
            )
          }
        },
      ),
      { numRuns: runs(4000, 20_000), seed: 7 },
    )
    expect(seen.taken).toBeGreaterThan(runs(2, 10))
    expect(seen.refused).toBeGreaterThan(1000)
  })

  const good = ['R', '400001', '560001', '500', '20', '15', '10', 'cod', '1499', 'forward', '']
  test.each([
    ['nothing', {}, undefined],
    ['kilograms', { weight: '0.5kg' }, undefined],
    ['a pincode with a space', { to: '560 001' }, undefined],
    ['a return without a payment', { journey: 'return', payment: '', value: '' }, undefined],
    ['a pincode that is none', { to: '560999' }, /^to: 560999 is not a pincode that exists; nearest: /],
    ['a missing pincode', { from: '' }, /^from: is required$/],
    ['no weight', { weight: '' }, /^weight: is required$/],
    ['a weight of nothing', { weight: '0' }, /^weight: must be more than 0$/],
    ['a weight that is none', { weight: 'heavy' }, /^weight: "heavy" is not a weight; write 500g or 0.5kg$/],
    ['COD without a value', { value: '' }, /^value: is required when payment is cod$/],
    ['a weight that could be kilograms', { weight: '2' }, /^weight: 2 what\? Write 2kg or 2g$/],
    ['a weight with decimals and no unit', { weight: '12.5' }, /^weight: 12.5 what\? Write 12.5kg or 12.5g$/],
    [
      'an amount that is none',
      { value: '1.4.9' },
      /^value: "1.4.9" is not an amount in rupees; write for example 1499$/,
    ],
    ['an amount as people write it', { value: '\u20b91,499/-' }, undefined],
    ['sides with their unit', { length: '20 cm', width: '15cms' }, undefined],
    [
      'several faults',
      { width: '0', height: 'x' },
      /^width: must be more than 0; height: "x" is not a length in cm; write for example 20, or 8in$/,
    ],
    ['an unknown payment', { payment: 'Barter' }, /^payment: "Barter" is neither COD nor PREPAID$/],
    ['an unknown journey', { journey: 'back' }, /^journey: "back" isn't a journey/],
    ['a check that is neither', { qc: 'perhaps' }, /^qc: "perhaps" is not yes or no$/],
  ] as const)('with %s', (_, over, reason) => {
    const cells = columns.map((name, i) => (over as Readonly<Record<string, string>>)[name] ?? good[i]!)
    const line = read({ line: 3, cells, fault: undefined })
    if (reason === undefined) expect(line.request).toBeDefined()
    else expect(line.reason).toMatch(reason)
  })
})
