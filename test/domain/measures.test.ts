// Weights and sizes as people write them, and volumetric weight, against exact arithmetic on whole numbers.
import { describe, expect, test } from 'vitest'
import { roundWeight, scaled, volumetricWeight } from '../../src/domain/rates/measures.ts'
import { readDecimal } from '../../src/domain/read/number.ts'
import { couldBeInches, readSize } from '../../src/domain/read/sides.ts'
import { readGrams } from '../../src/domain/read/weight.ts'
import { drawsOf, wrongOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'

describe('weights and sizes', () => {
  // prettier-ignore
  test.each<[string, number | undefined]>([
    ['500', 500], ['0.5', 0.5], ['.5', 0.5], ['5.', 5], ['+5', 5], [' 12.25 ', 12.25], ['007', 7], ['0', 0],
    ['999999999999', 999_999_999_999], ['1000000000000', undefined],
    ['', undefined], [' ', undefined], ['.', undefined], ['+', undefined], ['-5', undefined], ['1e3', undefined], ['0x10', undefined],
    ['NaN', undefined], ['Infinity', undefined], ['1,000', undefined], ['1 000', undefined], ['5g', undefined], ['٥', undefined],
  ])('readDecimal(%j) is %j', (text, value) => {
    expect(readDecimal(text)).toBe(value)
  })

  // prettier-ignore
  test.each<[string, number | undefined]>([
    ['500', 500], ['500g', 500], ['500 g', 500], ['500G', 500], ['500 gm', 500], ['500gms', 500], ['500 grams', 500], ['1 gram', 1],
    ['0.5kg', 500], ['0.5 KG', 500], ['.5kg', 500], ['2kgs', 2000], ['1 kilogram', 1000], ['1.5 kilograms', 1500],
    ['0.545kg', 545], ['1.005kg', 1005], ['0.0011kg', 1.1], ['4.35kg', 4350], ['8.2 kg', 8200],
    ['kg', undefined], ['g', undefined], ['', undefined], ['-1kg', undefined], ['1e3', undefined], ['0x10g', undefined],
    ['500 lb', undefined], ['5 kg g', undefined], ['1,5kg', undefined], ['half a kilo', undefined], ['500mg', undefined],
    ['NaN kg', undefined],
    [`1${'\t'.repeat(300_000)}x`, undefined], ['5\u00a0kg', 5000], ['2 Kgs.', 2000],
  ])('%j weighs %j grams where a bare number is grams', (text, value) => {
    const weight = readGrams(text, { unit: 'g', certain: true })
    expect('grams' in weight ? weight.grams : undefined).toBe(value)
  })

  // prettier-ignore
  test.each([
    ['g', '2', 'kg'], ['g', '9.99', 'kg'], ['g', '12.5', 'kg'], ['g', '500.0', 'kg'], ['kg', '51', 'g'], ['kg', '500', 'g'], ['kg', '50.5', 'g'],
  ] as const)('where %s is usual, a bare %s is not read: it could be %s', (unit, text, other) => {
    expect(readGrams(text, { unit, certain: false })).toEqual({ fault: `${text} what? Write ${text}kg or ${text}g` })
    expect(readGrams(text, { unit, certain: true })).toHaveProperty('grams')
    for (const written of [unit, other]) expect(readGrams(text + written, { unit, certain: false })).toHaveProperty('grams')
  })

  // prettier-ignore
  test.each([['g', '10'], ['g', '500'], ['kg', '50'], ['kg', '0.3'], ['kg', '2']] as const)('where %s is usual, a bare %s is that', (unit, text) => {
    expect(readGrams(text, { unit, certain: false })).toEqual({ grams: Number(text) * (unit === 'kg' ? 1000 : 1) })
  })

  // prettier-ignore
  test.each<[string, readonly number[] | undefined, said?: string]>([
    ['20x15x10', [20, 15, 10]], ['20 x 15 x 10', [20, 15, 10]], ['20X15X10', [20, 15, 10]], ['20*15*10', [20, 15, 10]],
    ['20×15×10', [20, 15, 10]], ['20,15,10', [20, 15, 10]], ['20.5x15x10 cm', [20.5, 15, 10]], [' 20x15x10cms ', [20, 15, 10]],
    ['20x15', undefined], ['20', undefined], ['1x2x3x4', undefined], ['20xx10', undefined], ['20-15-10', undefined],
    ['20cm x 15cm x 10 cm.', [20, 15, 10]], [`1${' '.repeat(300_000)}x`, undefined], ['ax15x10', undefined], ['20x-15x10', undefined],
    ['', undefined], ['0x10x10', undefined], ['8inx6x4', undefined], ['20x15x10ft', undefined],
    ['8x6x4in', [20.32, 15.24, 10.16], '8x6x4 in is 20.32x15.24x10.16 cm'], ['8"x6"x4"', [20.32, 15.24, 10.16], '8x6x4 in is 20.32x15.24x10.16 cm'],
    ['8 x 6 x 4 inches', [20.32, 15.24, 10.16], '8x6x4 in is 20.32x15.24x10.16 cm'], ['200x150x100mm', [20, 15, 10], '200x150x100 mm is 20x15x10 cm'],
    ['8in x 15cm x 100mm', [20.32, 15, 10], '8in x 15cm x 100mm is 20.32x15x10 cm'], ['8inx6x10cm', [20.32, 6, 10], '8inx6x10cm is 20.32x6x10 cm'],
    // Exactly, without the dust of binary fractions.
    ['1.25x0.75x2in', [3.175, 1.905, 5.08], '1.25x0.75x2 in is 3.175x1.905x5.08 cm'], ['0.5x1.4x1.7mm', [0.05, 0.14, 0.17], '0.5x1.4x1.7 mm is 0.05x0.14x0.17 cm'],
  ])('readSize(%j) is %j', (text, value, said) => {
    const read = readSize(text)
    if (value === undefined) expect(read).toEqual({ fault: expect.any(String) })
    else expect(read).toEqual(said === undefined ? { value } : { value, said })
  })

  // prettier-ignore
  test.each([
    [25, 20, 15, 5000, 1500], [20, 15, 10, 5000, 600], [13, 13, 13, 5000, 439.4], [13, 13, 13, 6000, 366.17],
    [1, 1, 1, 5000, 0.2], [1, 1, 1, 4500, 0.22], [0.1, 0.1, 0.1, 5000, 0], [10_000, 10_000, 10_000, 1000, 1e12],
    [0.5, 0.5, 0.1, 5000, 0.01], [0.1, 0.2, 0.3, 5000, 0], [1, 1, 0.025, 5000, 0.01], [1, 1, 0.0249999, 5000, 0],
  ])('%d x %d x %d cm by %d is %d g', (length, width, height, divisor, grams) => {
    expect(volumetricWeight(length, width, height, divisor)).toBe(grams)
  })

  test('sides in inches were rounded before volumetric weight, which changed the price', () => {
    const read = readSize('8x6x4in')
    const [long, wide, high] = 'value' in read ? read.value : [0, 0, 0]
    // 192 cubic inches of 16.387064 cubic centimetres each.
    expect(volumetricWeight(long, wide, high, 5000)).toBe(629.26)
  })

  // prettier-ignore
  test.each<[string, number, boolean]>([
    ['12x9x6', 2000, true], ['12 × 9 × 6', 649, true], ['12x9x6', 648, false], ['12x9x6cm', 2000, false], ['12x9x6in', 90_000, false],
    ['20x20x20', 8001, true], ['21x9x6', 5000, false],
  ])('%s for %d g could be inches: %s', (text, grams, could) => {
    const read = readSize(text)
    expect('value' in read && couldBeInches(text, read.value, grams)).toBe(could)
  })

  test('a box too large for exact binary fractions is still exact', () => {
    // Just below half a hundredth; a division of doubles rounds it up.
    const hundredths = (BigInt(9832 * 9366) * 9276n * 100_000n * 2n + 7321n) / (2n * 7321n)
    const grams = volumetricWeight(9832, 9366, 9276, 7321)
    expect([grams, BigInt(Math.round(grams * 100))]).toEqual([116_677_296_177.02, hundredths])
  })

  test('a side that JavaScript writes with an exponent is still exact', () => {
    expect(volumetricWeight(1e-7, 500, 500, 5000)).toBe(0.01)
    expect(volumetricWeight(1e-7, 499, 500, 5000)).toBe(0)
    expect(volumetricWeight(5e-324, 5e-324, 10_000, 5000)).toBe(0)
  })

  test('volumetric weight is the nearest hundredth of a gram, half-up, for many boxes', () => {
    const { below } = drawsOf(4)
    const divisors = [4000, 4500, 4750, 5000, 6000, 1000, 10_000, 4999, 7321]
    const draw = () => {
      const decimals = below(5)
      const side = (): number => 1 + below(decimals === 0 ? 10 ** (1 + below(4)) : 10 ** (decimals + 2))
      return { decimals, sides: [side(), side(), side()] as const, divisor: divisors[below(divisors.length)]! }
    }
    expect(
      wrongOf(runs(20_000, 100_000), draw, ({ decimals, sides, divisor }) => {
        const [length, width, height] = sides.map((side) => Number(`${side}e-${decimals}`)) as [number, number, number]
        const grams = volumetricWeight(length, width, height, divisor)
        const hundredths = BigInt(Math.round(grams * 100))
        const twice = sides.reduce((product, side) => product * BigInt(side), 200_000n)
        const one = BigInt(divisor) * 10n ** BigInt(3 * decimals)
        const near = (2n * hundredths - 1n) * one <= twice && twice < (2n * hundredths + 1n) * one
        return (
          near && grams === Number(`${hundredths}e-2`) && volumetricWeight(height, length, width, divisor) === grams
        )
      }),
    ).toEqual([])
  })

  test('kilograms become grams, and grams two decimals, without binary dust, for many weights', () => {
    const { below } = drawsOf(5)
    expect(
      wrongOf(
        runs(20_000, 100_000),
        () => below(100_000_000),
        (units) => {
          const kilograms = Number(`${units}e-5`)
          const grams = Number(`${units}e-2`)
          const rounded = Number(`${(BigInt(units) + 5n) / 10n}e-2`)
          return scaled(kilograms, 1000) === grams && roundWeight(Number(`${units}e-3`)) === rounded
        },
      ),
    ).toEqual([])
    expect([1.005, 500.004, 500.005, 0.004, 9_999_999.995].map(roundWeight)).toEqual([1.01, 500, 500.01, 0, 10_000_000])
  })
})
