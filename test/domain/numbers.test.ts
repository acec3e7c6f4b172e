// What is read and counted everywhere: money, weights, sizes, the calendar of India, phones, near words and pictures, each
// against an independent way to know the answer.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pictureOf } from '../../src/domain/images.ts'
import { readDecimal, readSize, roundWeight, scaled, volumetricWeight, weigh } from '../../src/domain/rates/measures.ts'
import { decimalText, paiseOf, percentOf, readRupees, rupeesOf, rupeesText } from '../../src/domain/money.ts'
import { foldedText } from '../../src/cli/terminal/width.ts'
import { distance, nearest } from '../../src/domain/nearest.ts'
import { readPhone } from '../../src/domain/orders.ts'
import {
  addDays,
  addWorkingDays,
  isoOf,
  istDate,
  istInstant,
  istMinute,
  istMinuteOfDay,
  isWorkingDay,
  readDay,
  readInstant,
  readMoment,
  readOrderDate,
  readTimeOfDay,
} from '../../src/domain/time.ts'
import { png } from '../support/pictures.ts'
import { runs } from '../support/size.ts'

/** Random integers below a bound, the same in every run (xorshift). */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** How many of the tries go wrong, with the first of them: one expectation for many values. */
function wrong<T>(times: number, draw: () => T, right: (value: T) => boolean): readonly T[] {
  const found: T[] = []
  for (let i = 0; i < times; i++) {
    const value = draw()
    if (!right(value)) found.push(value)
  }
  return found.slice(0, 3)
}

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

  test('paiseOf is half-up of the decimal text, for 100,000 amounts', () => {
    const roll = dice(1)
    const draw = (): string => {
      const decimals = roll(5)
      const whole = String(roll(10 ** (1 + roll(9))))
      return decimals === 0 ? whole : `${whole}.${String(roll(10 ** decimals)).padStart(decimals, '0')}`
    }
    const expected = (text: string): bigint => {
      const [whole, fraction = ''] = text.split('.')
      const tenthsOfPaise = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3))
      return tenthsOfPaise / 10n + (tenthsOfPaise % 10n >= 5n ? 1n : 0n)
    }
    expect(
      wrong(100_000, draw, (text) => {
        const paise = expected(text)
        return (
          BigInt(paiseOf(text)!) === paise &&
          BigInt(paiseOf(Number(text))!) === paise &&
          BigInt(paiseOf(-Number(text))!) === -paise
        )
      }),
    ).toEqual([])
  })

  test('rupees have at most two decimals and come back as the same paise, for 100,000 amounts', () => {
    const roll = dice(2)
    const draw = (): number => roll(10 ** (1 + roll(9))) * (1 + roll(9000)) + roll(100)
    expect(
      wrong(100_000, draw, (paise) => {
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

  test('percentOf is nearest to the exact share, half-up, for 100,000 shares', () => {
    const roll = dice(3)
    const draw = (): readonly [paise: number, units: number, decimals: number] => {
      const decimals = roll(7)
      return [roll(10 ** (1 + roll(9))), roll(10 ** (decimals + 2)), decimals]
    }
    expect(
      wrong(100_000, draw, ([paise, units, decimals]) => {
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
    const weight = weigh(text, { unit: 'g', certain: true })
    expect('grams' in weight ? weight.grams : undefined).toBe(value)
  })

  // prettier-ignore
  test.each([
    ['g', '2', 'kg'], ['g', '9.99', 'kg'], ['g', '12.5', 'kg'], ['g', '500.0', 'kg'], ['kg', '51', 'g'], ['kg', '500', 'g'], ['kg', '50.5', 'g'],
  ] as const)('where %s is usual, a bare %s is not read: it could be %s', (unit, text, other) => {
    expect(weigh(text, { unit, certain: false })).toEqual({ fault: `${text} what? Write ${text}kg or ${text}g` })
    expect(weigh(text, { unit, certain: true })).toHaveProperty('grams')
    for (const written of [unit, other]) expect(weigh(text + written, { unit, certain: false })).toHaveProperty('grams')
  })

  // prettier-ignore
  test.each([['g', '10'], ['g', '500'], ['kg', '50'], ['kg', '0.3'], ['kg', '2']] as const)('where %s is usual, a bare %s is that', (unit, text) => {
    expect(weigh(text, { unit, certain: false })).toEqual({ grams: Number(text) * (unit === 'kg' ? 1000 : 1) })
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

  // prettier-ignore
  test.each<[string, readonly (number | undefined)[]]>([
    ['20x15x10', [20, 15, 10]], ['20 x 15 x 10', [20, 15, 10]], ['20X15X10', [20, 15, 10]], ['20*15*10', [20, 15, 10]],
    ['20×15×10', [20, 15, 10]], ['20,15,10', [20, 15, 10]], ['20.5x15x10 cm', [20.5, 15, 10]], [' 20x15x10cms ', [20, 15, 10]],
    ['20x15', [20, 15]], ['20', [20]], ['1x2x3x4', [1, 2, 3, 4]], ['20xx10', [20, undefined, 10]],
    ['20cm x 15cm x 10 cm.', [20, 15, 10]], [`1${' '.repeat(300_000)}x`, []], ['ax15x10', [undefined, 15, 10]], ['20x-15x10', [20, undefined, 10]], ['', [undefined]], ['0x10', [0, 10]],
  ])('readSize(%j) is %j', (text, sides) => {
    expect(readSize(text)).toEqual(sides)
  })

  // prettier-ignore
  test.each([
    [25, 20, 15, 5000, 1500], [20, 15, 10, 5000, 600], [13, 13, 13, 5000, 439.4], [13, 13, 13, 6000, 366.17],
    [1, 1, 1, 5000, 0.2], [1, 1, 1, 4500, 0.22], [0.1, 0.1, 0.1, 5000, 0], [10_000, 10_000, 10_000, 1000, 1e12],
    [0.5, 0.5, 0.1, 5000, 0.01], [0.1, 0.2, 0.3, 5000, 0], [1, 1, 0.025, 5000, 0.01], [1, 1, 0.0249999, 5000, 0],
  ])('%d x %d x %d cm by %d is %d g', (length, width, height, divisor, grams) => {
    expect(volumetricWeight(length, width, height, divisor)).toBe(grams)
  })

  test('a box too large for exact binary fractions is still exact', () => {
    // Just below half a hundredth; a division of doubles rounds it up.
    const hundredths = (BigInt(9832 * 9366) * 9276n * 100_000n * 2n + 7321n) / (2n * 7321n)
    expect(volumetricWeight(9832, 9366, 9276, 7321)).toBe(116_677_296_177.02)
    expect(hundredths).toBe(11_667_729_617_702n)
  })

  test('a side that JavaScript writes with an exponent is still exact', () => {
    expect(volumetricWeight(1e-7, 500, 500, 5000)).toBe(0.01)
    expect(volumetricWeight(1e-7, 499, 500, 5000)).toBe(0)
    expect(volumetricWeight(5e-324, 5e-324, 10_000, 5000)).toBe(0)
  })

  test('volumetric weight is the nearest hundredth of a gram, half-up, for 100,000 boxes', () => {
    const roll = dice(4)
    const divisors = [4000, 4500, 4750, 5000, 6000, 1000, 10_000, 4999, 7321]
    const draw = () => {
      const decimals = roll(5)
      const side = (): number => 1 + roll(decimals === 0 ? 10 ** (1 + roll(4)) : 10 ** (decimals + 2))
      return { decimals, sides: [side(), side(), side()] as const, divisor: divisors[roll(divisors.length)]! }
    }
    expect(
      wrong(100_000, draw, ({ decimals, sides, divisor }) => {
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

  test('kilograms become grams, and grams two decimals, without binary dust, for 100,000 weights', () => {
    const roll = dice(5)
    expect(
      wrong(
        100_000,
        () => roll(100_000_000),
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

describe('the calendar of India', () => {
  const india = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Kolkata',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

  test('dates and minutes are those of Asia/Kolkata, for 20,000 instants', () => {
    const roll = dice(6)
    const draw = (): number => roll(4_102_444_800) * 1000 + roll(1000)
    expect(
      wrong(20_000, draw, (ms) => {
        const text = india.format(ms)
        const minute = Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16))
        return (
          istMinute(ms) === text &&
          istDate(ms) === text.slice(0, 10) &&
          istMinuteOfDay(ms) === minute &&
          readOrderDate(text) === ms - (ms % 60_000) &&
          isoOf(ms) === new Date(ms).toJSON()
        )
      }),
    ).toEqual([])
  })

  test('a day begins at 18:30 UTC', () => {
    const midnight = Date.UTC(2026, 8, 28, 18, 30)
    expect([istDate(midnight - 1), istDate(midnight)]).toEqual(['2026-09-28', '2026-09-29'])
    expect([istMinuteOfDay(midnight - 1), istMinuteOfDay(midnight)]).toEqual([1439, 0])
    expect(readDay('2026-09-29')).toEqual([midnight, midnight + 86_399_999])
  })

  test('has the days of the Gregorian calendar and no others, 1970 to 2110', () => {
    const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    const faults: string[] = []
    let start = Date.parse('1970-01-01T00:00:00+05:30')
    for (let year = 1970; year <= 2110; year++) {
      const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      for (let month = 1; month <= 12; month++) {
        const length = month === 2 && leap ? 29 : lengths[month - 1]!
        for (let day = 0; day <= 32; day++) {
          const there = day >= 1 && day <= length
          const two = (value: number): string => String(value).padStart(2, '0')
          const text = `${year}-${two(month)}-${two(day)}`
          const expected = there ? start : undefined
          if (istInstant(year, month, day) !== expected || readDay(text)?.[0] !== expected) faults.push(text)
          if (readOrderDate(`${text} 00:00`) !== expected) faults.push(`${text} 00:00`)
          if (there) start += 86_400_000
        }
      }
    }
    expect(faults).toEqual([])
    expect([
      istInstant(2026, 0, 1),
      istInstant(2026, 13, 1),
      istInstant(1969, 12, 31),
      istInstant(10_000, 1, 1),
    ]).toEqual(Array(4).fill(undefined))
  })

  // prettier-ignore
  test.each<[string, string | undefined]>([
    ['2026-02-28 23:59',    '2026-02-28T23:59:00+05:30'],
    ['2028-02-29 00:00',    '2028-02-29T00:00:00+05:30'],
    ['2000-02-29 12:00',    '2000-02-29T12:00:00+05:30'],
    ['2026-02-29 00:00',    undefined],
    ['2026-02-30 10:00',    undefined],
    ['2100-02-29 10:00',    undefined],
    ['2026-04-31 10:00',    undefined],
    ['2026-13-01 10:00',    undefined],
    ['2026-00-10 10:00',    undefined],
    ['2026-01-00 10:00',    undefined],
    ['2026-01-01 24:00',    undefined],
    ['2026-01-01 10:60',    undefined],
    ['2026-01-01',          undefined],
    ['2026-01-01T10:00',    undefined],
    ['2026-01-01 10:00:00', undefined],
    ['2026-1-1 10:00',      undefined],
    ['01-01-2026 10:00',    undefined],
    [' 2026-01-01 10:00',   undefined],
    ['2026-01-01 10:00\n',  undefined],
    ['2026-01-01  10:00',   undefined],
    ['',                    undefined],
  ])('readOrderDate(%j) is %j', (text, iso) => {
    expect(readOrderDate(text)).toBe(iso === undefined ? undefined : Date.parse(iso))
  })

  // prettier-ignore
  test.each<[string, string | undefined]>([
    ['2026-09-28T10:00:00Z',           '2026-09-28T10:00:00.000Z'],
    ['2026-09-28T10:00Z',              '2026-09-28T10:00:00.000Z'],
    ['2026-09-28t10:00:00z',           '2026-09-28T10:00:00.000Z'],
    ['2026-09-28 10:00:00Z',           '2026-09-28T10:00:00.000Z'],
    ['2026-09-28T15:30:00+05:30',      '2026-09-28T10:00:00.000Z'],
    ['2026-09-28T15:30:00+0530',       '2026-09-28T10:00:00.000Z'],
    ['2026-09-28T03:00:00-07:00',      '2026-09-28T10:00:00.000Z'],
    ['2026-10-01T00:15:00+14:00',      '2026-09-30T10:15:00.000Z'],
    ['2026-09-28T10:00:00.5Z',         '2026-09-28T10:00:00.500Z'],
    ['2026-09-28T10:00:00,123456789Z', '2026-09-28T10:00:00.123Z'],
    ['2026-09-28T10:00:00.9999999Z',   '2026-09-28T10:00:00.999Z'],
    ['2026-09-28T10:00:00',            undefined],
    ['2026-09-28',                     undefined],
    ['2026-02-30T10:00:00Z',           undefined],
    ['2026-09-28T24:00:00Z',           undefined],
    ['2026-09-28T10:60:00Z',           undefined],
    ['2026-09-28T10:00:60Z',           undefined],
    ['2026-09-28T10:00:00+15:00',      undefined],
    ['2026-09-28T10:00:00+05:60',      undefined],
    ['2026-09-28T10:00:00.Z',          undefined],
    ['2026-09-28T10:00:00+5:30',       undefined],
    ['2026-09-28T10:00:00 Z',          undefined],
    ['1790589600000',                  undefined],
    ['',                               undefined],
  ])('readInstant(%j) is %j', (text, iso) => {
    expect(readInstant(text)).toBe(iso === undefined ? undefined : Date.parse(iso))
  })

  test('readInstant reads what Date writes and agrees with Date.parse, to the millisecond', () => {
    const every = Array.from({ length: 1000 }, (_, ms) => 1_790_589_600_000 + ms)
    expect(every.map((ms) => readInstant(new Date(ms).toISOString()))).toEqual(every)
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, offset) => {
          const two = (value: number): string => String(value).padStart(2, '0')
          const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
          const text = date.toISOString().replace('Z', zone)
          expect(readInstant(text)).toBe(Date.parse(text))
        },
      ),
      { numRuns: runs(100, 1000) },
    )
  })

  describe('readMoment, at 10:00 on 29 September 2026 in India', () => {
    const now = Date.parse('2026-09-29T10:00:00+05:30')
    // prettier-ignore
    test.each<[text: string, start: string | undefined, end?: string]>([
      ['now',                  '2026-09-29T10:00:00+05:30'],
      ['30m',                  '2026-09-29T09:30:00+05:30'],
      ['12h',                  '2026-09-28T22:00:00+05:30'],
      ['7d',                   '2026-09-22T10:00:00+05:30'],
      [' 2W ',                 '2026-09-15T10:00:00+05:30'],
      ['0d',                   '2026-09-29T10:00:00+05:30'],
      ['today',                '2026-09-29T00:00:00+05:30', '2026-09-29T23:59:59.999+05:30'],
      ['Yesterday',            '2026-09-28T00:00:00+05:30', '2026-09-28T23:59:59.999+05:30'],
      ['2026-09-01',           '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['2026-09-01 12:34',     '2026-09-01T12:34:00+05:30', '2026-09-01T12:34:59.999+05:30'],
      ['2026-09-01T12:34:00Z', '2026-09-01T12:34:00Z'],
      ['2026-09-01t12:34:00+05:30', '2026-09-01T12:34:00+05:30'],
      ['2026-02-30',           undefined],
      ['2026-09-01T12:34:00',  undefined],
      ['tomorrow',             undefined],
      ['7',                    undefined],
      ['-7d',                  undefined],
      ['7 d',                  undefined],
      ['7y',                   undefined],
      ['1.5d',                 undefined],
      ['100000d',              undefined],
      ['',                     undefined],
    ])('%j is from %s to %s', (text, start, end = start) => {
      const [from, to] = [start, end].map((iso) => (iso === undefined ? undefined : Date.parse(iso)))
      expect([readMoment(text, now, false), readMoment(text, now, true)]).toEqual([from, to])
    })

    test('today and yesterday are those of India just after its midnight', () => {
      const late = Date.parse('2026-09-28T19:00:00Z')
      expect(istDate(readMoment('today', late, false)!)).toBe('2026-09-29')
      expect(istDate(readMoment('yesterday', late, false)!)).toBe('2026-09-28')
    })
  })

  // prettier-ignore
  test.each<[string, number | undefined]>([
    ['00:00', 0], ['14:00', 840], ['23:59', 1439], ['24:00', undefined], ['14:60', undefined], ['9:00', undefined],
    ['14:00:00', undefined], ['14.00', undefined], ['', undefined], ['2pm', undefined], ['14:00\n', undefined],
  ])('readTimeOfDay(%j) is %j', (text, minutes) => {
    expect(readTimeOfDay(text)).toBe(minutes)
  })

  test('addDays goes over months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
    expect(addDays('2026-01-01', 365)).toBe('2027-01-01')
  })

  describe('working days', () => {
    const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' })
    const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    const works = (ms: number, days: readonly number[], holidays: readonly string[]): boolean => {
      const text = new Date(ms).toISOString().slice(0, 10)
      if (holidays.includes(text) || !days.map((day) => names[day]).includes(weekday.format(ms))) return false
      return !['-01-26', '-08-15', '-10-02'].some((feast) => text.endsWith(feast))
    }

    test('addWorkingDays is the n-th working day of a calendar written out', () => {
      const start = fc.integer({ min: 0, max: 2000 }).map((days) => Date.UTC(2024, 0, 1) + days * 86_400_000)
      const days = fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })
      const offsets = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 12 })
      fc.assert(
        fc.property(start, days, offsets, fc.integer({ min: 0, max: 60 }), (from, open, off, count) => {
          const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
          const holidays = off.map((offset) => text(from + offset * 86_400_000))
          const calendar = Array.from({ length: 600 }, (_, i) => from + (i + 1) * 86_400_000)
          const open600 = calendar.filter((ms) => works(ms, open, holidays)).map(text)
          const working = { days: new Set(open), holidays: new Set(holidays) }
          expect(addWorkingDays(text(from), count, working)).toBe(count === 0 ? text(from) : open600[count - 1])
          expect(isWorkingDay(text(from), working)).toBe(works(from, open, holidays))
        }),
        { numRuns: 200 },
      )
    })

    test('a carrier that never works does not loop for ever', () => {
      expect(addWorkingDays('2026-01-01', 1, { days: new Set(), holidays: new Set() }) > '2026-01-01').toBe(true)
    })
  })
})

describe('readPhone', () => {
  // prettier-ignore
  test.each<[string, string | undefined]>([
    ['9876543210',        '9876543210'],
    ['98765 43210',       '9876543210'],
    ['98765-43210',       '9876543210'],
    [' 9876543210 ',      '9876543210'],
    ['+919876543210',     '9876543210'],
    ['+91 98765 43210',   '9876543210'],
    ['+91-98765-43210',   '9876543210'],
    ['919876543210',      '9876543210'],
    ['00919876543210',    '9876543210'],
    ['0091 98765 43210',  '9876543210'],
    ['09876543210',       '9876543210'],
    ['6000000000',        '6000000000'],
    // Ten digits that begin with 91 are a number, not a prefix.
    ['9198765432',        '9198765432'],
    ['919198765432',      '9198765432'],
    ['5876543210',        undefined],
    ['987654321',         undefined],
    ['98765432101',       undefined],
    ['+919876543',        undefined],
    ['+9198765432',       undefined],
    ['+1 987 654 3210',   undefined],
    ['98765O3210',        undefined],
    ['(98765) 43210',     undefined],
    ['9876543210 x2',     undefined],
    ['९८७६५४३२१०',        undefined],
    ['',                  undefined],
  ])('%j is %j', (input, phone) => {
    expect(readPhone(input)).toBe(phone)
  })
})

describe('foldedText', () => {
  test('a sentence with shipx in it is broken at its words, a command stays whole', () => {
    const told = '! shipx cannot read 22 values of created_at; shipx leaves them out: shipx shipments list --wide'
    expect(foldedText(told, 30).split('\n')).toEqual([
      '! shipx cannot read 22 values',
      'of created_at; shipx leaves',
      'them out:',
      'shipx shipments list --wide',
    ])
  })
})

describe('nearest', () => {
  // prettier-ignore
  test.each<[string, readonly string[], string | undefined]>([
    ['transit',       ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['in-transit',    ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['IN_TRANSIT',    ['pending', 'in_transit', 'delivered'],          'in_transit'],
    ['delivred',      ['pending', 'in_transit', 'delivered'],          'delivered'],
    ['rto',           ['delivered', 'rto_delivered', 'rto'],           'rto'],
    ['shipmnets',     ['stores', 'shipments', 'returns'],              'shipments'],
    ['carrier_ids',   ['carrier_name', 'carrier_id', 'status'],        'carrier_id'],
    ['carier_id',     ['carrier_name', 'carrier_id', 'status'],        'carrier_id'],
    ['COD',           ['cod', 'prepaid'],                              'cod'],
    ['weight',        ['dead_weight', 'height'],                       'dead_weight'],
    ['hieght',        ['weight', 'height'],                            'height'],
    ['zebra',         ['in_transit', 'delivered'],                     undefined],
    ['x',             ['a', 'b'],                                      undefined],
    ['to',            ['tz', 'db', 'qc'],                              undefined],
    ['pincode',       ['cod', 'pager'],                                undefined],
    ['cod-amount',    ['cod', 'pager'],                                'cod'],
    ['billing-name', ['billing-state', 'billing-city'],                undefined],
    ['billing-sate', ['billing-state', 'billing-city'],                'billing-state'],
    ['return_lost',   ['lost', 'returned'],                            'lost'],
    ['jsn',           ['json', 'csv'],                                 'json'],
    ['',              ['a', 'b'],                                      undefined],
    ['--',            ['a', 'b'],                                      undefined],
    ['anything',      [],                                              undefined],
  ])('%j among %j is %j', (word, known, expected) => {
    expect(nearest(word, known)).toBe(expected)
  })

  test('a short known word inside a longer one is not what was meant', () => {
    expect(nearest('bridge', ['id'])).toBeUndefined()
    expect(nearest('origin_pincode_x', ['--', 'in'])).toBeUndefined()
    expect(nearest('ids', ['id'])).toBe('id')
  })

  test('a word of megabytes is answered at once', () => {
    expect(nearest('a'.repeat(5_000_000), ['carrier_id', 'zone'])).toBeUndefined()
  })

  // prettier-ignore
  test.each([
    ['', '', 0], ['', 'abc', 3], ['abc', 'abc', 0], ['abc', 'abd', 1], ['abc', 'ab', 1], ['ab', 'ba', 1], ['abcd', 'acbd', 1],
    ['kitten', 'sitting', 3], ['shipmnets', 'shipments', 1], ['ca', 'abc', 3],
  ])('the distance of %j and %j is %d', (a, b, edits) => {
    expect([distance(a, b), distance(b, a)]).toEqual([edits, edits])
  })

  test('a word one edit away is one away', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('a', 'b', 'c'), (head, tail, letter) => {
        expect(distance(head + tail, head + letter + tail)).toBe(1)
        expect(distance(head + letter + tail, `${head}x${tail}`)).toBe(1)
        expect(distance(`${head}xy${tail}`, `${head}yx${tail}`)).toBe(1)
      }),
      { numRuns: 300 },
    )
  })
})

describe('pictureOf', () => {
  const u16 = (value: number): number[] => [value >> 8, value & 0xff]
  const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))

  /** A JPEG of an APP0, a comment, tables, a frame and a scan; `frame` is SOF0 or another of its family. */
  function jpeg(width: number, height: number, frame = 0xc0): Buffer {
    const segment = (marker: number, data: number[]): Buffer =>
      Buffer.from([0xff, marker, ...u16(data.length + 2), ...data])
    return Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xe0, [...letters('JFIF\0'), 1, 1, 0, ...u16(1), ...u16(1), 0, 0]),
      segment(0xfe, letters('a comment with \xff\xd9 in it')),
      // A marker may have any number of fill bytes before it.
      Buffer.from([0xff]),
      segment(0xdb, Array<number>(65).fill(1)),
      segment(0xc4, [0, ...Array<number>(16).fill(0)]),
      segment(frame, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]),
      segment(0xda, [1, 1, 0, 0, 63, 0]),
      Buffer.from([0x12, 0x34, 0xff, 0x00, 0x56, 0xff, 0xd9]),
    ])
  }

  function webp(form: string, data: number[]): Buffer {
    const body = Buffer.from([...letters(`WEBP${form}`), 0, 0, 0, 0, ...data])
    body.writeUInt32LE(data.length, 8)
    const head = Buffer.from([...letters('RIFF'), 0, 0, 0, 0])
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }

  const low = (value: number, bytes: number): number[] =>
    Array.from({ length: bytes }, (_, i) => Math.trunc(value / 256 ** i) % 256)
  const lossy = (width: number, height: number): Buffer =>
    webp('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, ...low(width, 2), ...low(height, 2), 1, 2, 3, 4])
  const lossless = (width: number, height: number): Buffer =>
    webp('VP8L', [0x2f, ...low(width - 1 + (height - 1) * 16384, 4), 1, 2, 3, 4, 5, 6, 7, 8, 9])
  const extended = (width: number, height: number): Buffer =>
    webp('VP8X', [0, 0, 0, 0, ...low(width - 1, 3), ...low(height - 1, 3), 1, 2])

  const sizes: readonly (readonly [number, number])[] = [
    [1, 1],
    [8, 4],
    [300, 200],
    [4096, 4096],
    [4097, 16],
    [16_383, 16_000],
  ]
  const makers = { png, jpeg, lossy, lossless, extended }
  const types = { png: 'png', jpeg: 'jpeg', lossy: 'webp', lossless: 'webp', extended: 'webp' }
  const names = Object.keys(makers) as (keyof typeof makers)[]

  test.each(names)('tells a %s and its size', (name) => {
    for (const [width, height] of sizes) {
      expect(pictureOf(makers[name](width, height))).toEqual({ type: `image/${types[name]}`, width, height })
    }
  })

  test('reads a picture inside a larger buffer', () => {
    const picture = png(20, 10)
    const around = new Uint8Array(picture.length + 100).fill(7)
    around.set(picture, 33)
    expect(pictureOf(around.subarray(33, 33 + picture.length))).toEqual({ type: 'image/png', width: 20, height: 10 })
  })

  test('reads every kind of JPEG frame, and takes no table for one', () => {
    for (const frame of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf]) {
      expect(pictureOf(jpeg(30, 20, frame))).toMatchObject({ width: 30, height: 20 })
    }
    for (const table of [0xc4, 0xc8, 0xcc, 0xdd]) expect(pictureOf(jpeg(30, 20, table))).toBeUndefined()
  })

  test.each(names)('no prefix of a %s is a picture, and none throws', (name) => {
    const whole = makers[name](300, 200)
    const found = Array.from({ length: whole.length }, (_, end) => pictureOf(whole.subarray(0, end)))
    expect(found.filter((picture) => picture !== undefined)).toEqual([])
  })

  test.each(names)('a %s with something behind it is no picture', (name) => {
    for (const tail of ['<script>alert(1)</script>', 'PK\x03\x04', '\0\0', '%PDF-1.4']) {
      expect(pictureOf(Buffer.concat([makers[name](8, 8), Buffer.from(tail, 'latin1')]))).toBeUndefined()
    }
  })

  // A lossless or extended WebP counts from 1, and cannot say 0.
  test.each(['png', 'jpeg', 'lossy'] as const)('a %s without a size is no picture', (name) => {
    expect([makers[name](0, 8), makers[name](8, 0)].map(pictureOf)).toEqual([undefined, undefined])
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>'],
    ['SVG with a prologue', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['GIF', `GIF89a${'\x08\x00'.repeat(30)}`],
    ['BMP', `BM${'\0'.repeat(60)}`],
    ['TIFF', `II*\0${'\0'.repeat(60)}`],
    ['text', 'a text that is long enough to be a header of anything at all'],
    ['HTML', '<!doctype html><title>logo.png</title><p>not a picture at all</p>'],
    ['PDF', `%PDF-1.7\n${' '.repeat(60)}`],
    ['a RIFF that is sound', `RIFF\x38\0\0\0WAVEfmt ${'\0'.repeat(48)}`],
    ['nothing', ''],
  ])('%s is no picture', (_, text) => {
    expect(pictureOf(Buffer.from(text, 'latin1'))).toBeUndefined()
  })

  test('a PNG with its name only, out of order or without pixels is no picture', () => {
    const whole = png(8, 8)
    const renamed = Buffer.from(whole)
    renamed.write('IHDX', 12, 'latin1')
    const header = whole.subarray(0, 33)
    const end = whole.subarray(-12)
    const long = Buffer.from(whole)
    long.writeUInt32BE(0xffffffff, 33)
    for (const bytes of [renamed, header, Buffer.concat([header, end]), Buffer.concat([header, end, end]), long]) {
      expect(pictureOf(bytes)).toBeUndefined()
    }
  })

  test('no bytes at all make it throw', () => {
    const seeds = names.map((name) => makers[name](20, 10))
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 255 })), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 40 }),
        (seed, edits, noise) => {
          const bytes = Buffer.from(seed)
          for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value
          const picture = pictureOf(bytes)
          if (picture !== undefined) expect(picture.width > 0 && picture.height > 0).toBe(true)
          expect(pictureOf(noise)).toBeUndefined()
        },
      ),
      { numRuns: runs(200, 2000) },
    )
  })
})
