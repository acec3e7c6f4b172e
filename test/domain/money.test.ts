// Rupees, paise and shares of them, against exact arithmetic on the decimal text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalText, paiseOf, percentOf, rupeesOf, rupeesText } from '../../src/domain/money.ts'
import { readRupees } from '../../src/domain/read/money.ts'
import { drawsOf, wrongOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'

describe('money', () => {
  // prettier-ignore
  test.each<[number | string, number | undefined]>([
    [0, 0], [1, 100], [44.4, 4440], [1.005, 101], [1.004, 100], [1.0049999, 100], [0.005, 1], [0.004, 0], [8.165, 817],
    [1.115, 112], [2.675, 268], [0.285, 29], [1e-7, 0], [5e-324, 0], [-1.005, -101], [-0.004, 0], [-0, 0],
    [9_999_999_999_999, 999_999_999_999_900], [10_000_000_000_000, undefined], [1e21, undefined],
    [NaN, undefined], [Infinity, undefined], [-Infinity, undefined],
    ['1.005', 101], ['0.999', 100], [' 12.30 ', 1230], ['-5', -500], ['007', 700], ['12.', undefined], ['.5', undefined],
    ['', undefined], ['+5', undefined], ['1,000', undefined], ['0x10', undefined], ['1e3', undefined], ['₹5', undefined],
    ['NaN', undefined], ['--5', undefined], ['1.2.3', undefined], ['5 5', undefined], ['٥', undefined],
  ])('paiseOf(%j) is %j', (rupees, paise) => {
    expect(paiseOf(rupees)).toBe(paise)
  })

  // prettier-ignore
  test.each<[string, string | undefined]>([
    ['1499', '1499'], ['1,499.00', '1499.00'], ['\u20b91,499', '1499'], ['\u20b9 1,49,999', '149999'], ['Rs. 999', '999'], ['INR 999', '999'],
    ['999/-', '999'], ['rs1,00,000/-', '100000'], ['499 INR', '499'], ['-5', '-5'], ['1499.', '1499'],
    ['four', undefined], ['1,4,9', undefined], ['', undefined], ['1e3', undefined], ['$5', undefined], [`1${'\t'.repeat(300_000)}x`, undefined],
  ])('%j is %j rupees', (text, rupees) => {
    const read = readRupees(text)
    expect('rupees' in read ? read.rupees : undefined).toBe(rupees)
    if ('fault' in read) expect(read.fault).toContain(text.slice(0, 30))
  })

  test('paiseOf is half-up of the decimal text, for many amounts', () => {
    const { below } = drawsOf(1)
    const draw = (): string => {
      const decimals = below(5)
      const whole = String(below(10 ** (1 + below(9))))
      return decimals === 0 ? whole : `${whole}.${String(below(10 ** decimals)).padStart(decimals, '0')}`
    }
    const expected = (text: string): bigint => {
      const [whole, fraction = ''] = text.split('.')
      const tenthsOfPaise = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3))
      return tenthsOfPaise / 10n + (tenthsOfPaise % 10n >= 5n ? 1n : 0n)
    }
    expect(
      wrongOf(runs(20_000, 100_000), draw, (text) => {
        const paise = expected(text)
        return (
          BigInt(paiseOf(text)!) === paise &&
          BigInt(paiseOf(Number(text))!) === paise &&
          BigInt(paiseOf(-Number(text))!) === -paise
        )
      }),
    ).toEqual([])
  })

  test('rupees have at most two decimals and come back as the same paise, for many amounts', () => {
    const { below } = drawsOf(2)
    const draw = (): number => below(10 ** (1 + below(9))) * (1 + below(9000)) + below(100)
    expect(
      wrongOf(runs(20_000, 100_000), draw, (paise) => {
        const exact = `${BigInt(paise) / 100n}.${String(BigInt(paise) % 100n).padStart(2, '0')}`
        const shortest = exact.replace(/\.?0+$/, '')
        return (
          rupeesText(paise) === exact &&
          String(rupeesOf(paise)) === (exact.endsWith('.00') ? exact.slice(0, -3) : shortest) &&
          paiseOf(rupeesOf(paise)) === paise &&
          paiseOf(exact) === paise
        )
      }),
    ).toEqual([])
    expect([-5, -100, -12345].map(rupeesText)).toEqual(['-0.05', '-1.00', '-123.45'])
  })

  // prettier-ignore
  test.each([
    [10000, 1.25, 125], [39, 1.25, 0], [40, 1.25, 1], [149900, 1.5, 2249], [149900, 1.8, 2698], [3333, 50, 1667],
    [1, 50, 1], [1, 49.9999, 0], [4550, 0.0625, 3], [100, 100, 100], [0, 99, 0], [5_000_000, 1.33333, 66667],
    [100, 1e-7, 0], [1_000_000_000_000, 1e-7, 1000], [1_000_000_000_000, 1000, 10_000_000_000_000],
  ])('percentOf(%d, %d) is %d', (paise, percent, part) => {
    expect(percentOf(paise, percent)).toBe(part)
  })

  test('percentOf is nearest to the exact share, half-up, for many shares', () => {
    const { below } = drawsOf(3)
    const draw = (): readonly [paise: number, units: number, decimals: number] => {
      const decimals = below(7)
      return [below(10 ** (1 + below(9))), below(10 ** (decimals + 2)), decimals]
    }
    expect(
      wrongOf(runs(20_000, 100_000), draw, ([paise, units, decimals]) => {
        const percent = Number(`${units}e-${decimals}`)
        const part = BigInt(percentOf(paise, percent))
        // part - 1/2 <= exact < part + 1/2, both sides times 2 x 100 x 10^decimals
        const [exact, one] = [2n * BigInt(paise) * BigInt(units), 100n * 10n ** BigInt(decimals)]
        return (2n * part - 1n) * one <= exact && exact < (2n * part + 1n) * one
      }),
    ).toEqual([])
  })

  test('decimalText is the shortest decimal of a number, without an exponent', () => {
    // prettier-ignore
    expect([0, -0, 5, 0.1, 1e-7, 1.25e-10, -3e-8, 1e21, 1.5e22, 123456789012345680000].map(decimalText)).toEqual([
      '0', '0', '5', '0.1', '0.0000001', '0.000000000125', '-0.00000003', '1000000000000000000000', '15000000000000000000000',
      '123456789012345680000',
    ])
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimalText(value)).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(decimalText(value)) === value).toBe(true)
      }),
      { numRuns: runs(200, 2000) },
    )
  })
})
