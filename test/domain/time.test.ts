// The calendar of India: days, minutes, instants and working days, against Intl and a calendar that is written out.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  instantFault,
  readInstant,
  readOrderDate,
  readTimeOfDay,
} from '../../src/domain/time.ts'
import { instant } from '../../src/domain/recordfields.ts'
import type { Outcome } from '../../src/domain/read/typed.ts'
import { readMoment, readMonth } from '../../src/domain/read/day.ts'
import { drawsOf, wrongOf } from '../support/chance.ts'
import { runs } from '../support/size.ts'

const valueOf = (read: Outcome<number>): number | undefined => ('value' in read ? read.value : undefined)
describe('a month in India', () => {
  // 31 December 2025, 23:59 and 1 January 2026, 00:01 there.
  const [before, after] = [Date.parse('2025-12-31T18:29:00Z'), Date.parse('2025-12-31T18:31:00Z')]
  test.each([
    ['2026-02', before, '2026-01-31T18:30:00.000Z', '2026-02-28T18:29:59.999Z'],
    ['2024-2', before, '2024-01-31T18:30:00.000Z', '2024-02-29T18:29:59.999Z'],
    ['this-month', before, '2025-11-30T18:30:00.000Z', '2025-12-31T18:29:59.999Z'],
    ['This-Month', after, '2025-12-31T18:30:00.000Z', '2026-01-31T18:29:59.999Z'],
    ['last-month', before, '2025-10-31T18:30:00.000Z', '2025-11-30T18:29:59.999Z'],
    ['last-month', after, '2025-11-30T18:30:00.000Z', '2025-12-31T18:29:59.999Z'],
  ])('%s', (text, now, start, end) => {
    expect(readMonth(text, now)?.map(isoOf)).toEqual([start, end])
  })
  test.each(['2026-13', '2026-00', '2026', '2026-10-01', '2026/10/01', 'octember', '1969-12', '9999-12', ''])(
    '"%s" is none',
    (text) => expect(readMonth(text, after)).toBeUndefined(),
  )
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
    const { below } = drawsOf(6)
    const draw = (): number => below(4_102_444_800) * 1000 + below(1000)
    expect(
      wrongOf(20_000, draw, (ms) => {
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

  test('readInstant reads a time in our own form as one with a digit more, which goes another way', () => {
    const time = '2026-02-28T19:05:59.073Z'
    const longer = (text: string): string => `${text.slice(0, 23)}0${text.slice(23)}`
    for (let at = 0; at < time.length - 1; at++)
      for (const sign of '0123456789:-+.,TtZz x') {
        const text = `${time.slice(0, at)}${sign}${time.slice(at + 1)}`
        expect([text, readInstant(text)]).toEqual([text, readInstant(longer(text))])
      }
    for (const text of ['2026-02-29', '2028-02-29', '1969-12-31', '2026-13-01', '2026-00-10', '2026-01-00'])
      expect(readInstant(`${text}T00:00:00.000Z`)).toBe(readInstant(`${text}T00:00:00.0000Z`))
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
      ['2026-09-01T12:34:00',  '2026-09-01T12:34:00+05:30', '2026-09-01T12:34:00.999+05:30'],
      ['01/09/2026',           '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['28-09-2026',           '2026-09-28T00:00:00+05:30', '2026-09-28T23:59:59.999+05:30'],
      ['28.9.2026 14:05',      '2026-09-28T14:05:00+05:30', '2026-09-28T14:05:59.999+05:30'],
      ['1 Sep 2026',           '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['01-SEPT-2026',         '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['28 September, 2026 9:05', '2026-09-28T09:05:00+05:30', '2026-09-28T09:05:59.999+05:30'],
      ['2026-09-21 18:05:11 +0530', '2026-09-21T18:05:11+05:30'],
      ['2026-09-21 18:05:11 -03:00', '2026-09-21T18:05:11-03:00'],
      ['09/28/2026',           undefined],
      ['31 Sep 2026',          undefined],
      ['1 Sap 2026',           undefined],
      ['1 Sep 26',             '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['20-Nov-26',            '2026-11-20T00:00:00+05:30', '2026-11-20T23:59:59.999+05:30'],
      ['1/9/26',               '2026-09-01T00:00:00+05:30', '2026-09-01T23:59:59.999+05:30'],
      ['26/9/1',               undefined],
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
      const read = (end: boolean): number | undefined => valueOf(readMoment(text, { now, end }))
      expect([read(false), read(true)]).toEqual([from, to])
    })

    test('today and yesterday are those of India just after its midnight', () => {
      const late = Date.parse('2026-09-28T19:00:00Z')
      expect(istDate(valueOf(readMoment('today', { now: late }))!)).toBe('2026-09-29')
      expect(istDate(valueOf(readMoment('yesterday', { now: late }))!)).toBe('2026-09-28')
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

test('a time before 1970 was refused as no ISO 8601 time, which it is', () => {
  expect(instantFault('1969-12-31T23:59:59Z')).toBe('must be a time from 1970 on')
  expect(instantFault('2026-02-30T10:00:00Z')).toBe('must be a day and a time that exist')
  expect(instantFault('2026-02-28T10:00:00')).toBe('must be an ISO 8601 time with Z or an offset')
  const { error } = instant.safeParse('1969-12-31T23:59:59Z')
  expect(error!.issues.map(({ message }) => message)).toEqual(['must be a time from 1970 on'])
})
