// Deadlines worked out by hand, with the arithmetic beside each; windows as people write them; days of credits.
import { describe, expect, test } from 'vitest'
import {
  creditDay,
  deadlineOf,
  isOver,
  readWindow,
  windowText,
  windowWords,
  workingDays,
} from '../../src/domain/money/deadlines.ts'
import { isoOf, istMinute } from '../../src/domain/time.ts'
import { readTime as read } from '../../src/domain/read/day.ts'

/** From when, the window, the card's holidays, and the last minute in IST that is in time. */
type Row = readonly [about: string, from: string, window: string, last: string, holidays: readonly string[]]

// 2026: 26 January is a Monday, 15 August a Saturday, 2 October a Friday. 2028 is a leap year.
// prettier-ignore
const rows: readonly Row[] = [
  // Sat 3 Oct; Sun 4 is none; Mon 5 is the first working day.
  ['a Sunday',              '2026-10-03 10:00', '1wd', '2026-10-05 23:59', []],
  // Thu 1; Fri 2 off; Sat 3 = 1; Sun 4 off; Mon 5 = 2, Tue 6 = 3, Wed 7 = 4, Thu 8 = 5, Fri 9 = 6, Sat 10 = 7.
  ['2 October',             '2026-10-01 09:00', '7 working days', '2026-10-10 23:59', []],
  // Fri 14; Sat 15 off; Sun 16 off; Mon 17 = 1, Tue 18 = 2.
  ['15 August',             '2026-08-14 18:30', '2 working_days', '2026-08-18 23:59', []],
  // Sat 24; Sun 25 off; Mon 26 off; Tue 27 = 1.
  ['26 January',            '2026-01-24 12:00', '1wd', '2026-01-27 23:59', []],
  // Mon 9 Nov; Tue 10 = 1; Wed 11 is a holiday of the card; Thu 12 = 2, Fri 13 = 3.
  ['a holiday of the card', '2026-11-09 12:00', '3wd', '2026-11-13 23:59', ['2026-11-11']],
  // Calendar days count all: Fri 2 = 1 (a holiday), Sat 3 = 2, Sun 4 = 3, Mon 5 = 4.
  ['calendar days',         '2026-10-01 09:00', '4d', '2026-10-05 23:59', []],
  // 14:05 on the 3rd and 48 hours: 14:05 on the 5th. The 37 seconds do not count.
  ['hours to the minute',   '2026-10-03 14:05:37', '48h', '2026-10-05 14:05', []],
  // 23:30 on Fri 14 Aug and 72 hours: 23:30 on Mon 17. Hours run on through the 15th and the Sunday.
  ['hours over days off',   '2026-08-14 23:30', '72 hours', '2026-08-17 23:30', []],
  // 00:00 of the 3rd belongs to the 3rd (18:30 UTC of the 2nd): 4 = 1, 5 = 2, 6 = 3, 7 = 4.
  ['IST midnight',          '2026-10-03 00:00', '4d', '2026-10-07 23:59', []],
  // One minute earlier it is the 2nd: 3 = 1, 4 = 2, 5 = 3, 6 = 4.
  ['before IST midnight',   '2026-10-02 23:59', '4d', '2026-10-06 23:59', []],
  // Thu 31 Dec; Fri 1 Jan = 1, Sat 2 = 2; Sun 3 off; Mon 4 = 3. The first of January is a working day.
  ['the end of a year',     '2026-12-31 20:00', '3wd', '2027-01-04 23:59', []],
  // Mon 28 Feb 2028 and one day: Tue 29 Feb.
  ['a leap day',            '2028-02-28 08:00', '1d', '2028-02-29 23:59', []],
]

describe('deadlines', () => {
  test.each(rows)('%s: from %s, %s', (_, from, window, last, holidays) => {
    const given = readWindow(window)
    expect(given).toHaveProperty('value')
    const at = deadlineOf(read(from)!, (given as { value: never }).value, workingDays(new Set(holidays)))
    expect(istMinute(at)).toBe(last)
    const minute = read(last)!
    const [hours, days] = [isOver(at, minute), isOver(at, minute + 59_999)]
    // The last minute of hours is the one at which they end; a day is over at 00:00 of the next one.
    expect([hours, days]).toEqual([false, window.includes('h')])
    expect(isOver(at, minute + 60_000)).toBe(true)
  })

  test('a day that is over counts from 00:00 IST of the next one', () => {
    const at = deadlineOf(read('2026-10-03')!, { count: 4, unit: 'days' })
    expect(isoOf(at)).toBe('2026-10-07T18:29:59.999Z')
    expect([isOver(at, read('2026-10-08 00:00')! - 1), isOver(at, read('2026-10-08 00:00')!)]).toEqual([false, true])
  })

  test('windows as people write them', () => {
    const texts = [
      '7wd',
      '7 WD',
      '7 working days',
      '7 working_days',
      '7-working-days',
      '7 business days',
      '48h',
      '48 hrs',
      '1 day',
      '2D',
    ]
    expect(texts.map((text) => readWindow(text)).map((one) => ('value' in one ? windowText(one.value) : one))).toEqual([
      ...Array.from({ length: 6 }, () => '7 working_days'),
      '48 hours',
      '48 hours',
      '1 days',
      '2 days',
    ])
    expect(windowWords({ count: 1, unit: 'working_days' })).toBe('1 working day')
    for (const text of ['', '7', 'wd', '0d', '-1d', '1.5h', '367d', '7 weeks', '7constructor', `${'9'.repeat(300)}d`])
      expect(readWindow(text), text).toHaveProperty('fault')
  })
})

describe('days of credits', () => {
  const days = (...names: readonly number[]): ReadonlySet<number> => new Set(names)

  test('COD is credited on the next day of the courier that is no holiday', () => {
    // Delivered Mon 28 Sep: Tue 29 = 1, Wed 30 = 2, Thu 1 = 3, Fri 2 off, Sat 3 = 4, Mon 5 = 5, Tue 6 = 6, Wed 7 = 7,
    // Thu 8 = 8. On Mon, Wed and Fri the next credit is on Fri 9.
    const due = istMinute(deadlineOf(read('2026-09-28 15:00')!, { count: 8, unit: 'working_days' })).slice(0, 10)
    expect(due).toBe('2026-10-08')
    expect(creditDay(due, days(1, 3, 5))).toBe('2026-10-09')
    // That Friday is a holiday of the card: Mon 12.
    expect(creditDay(due, days(1, 3, 5), new Set(['2026-10-09']))).toBe('2026-10-12')
    // A credit day itself is one, and without such days every day is.
    expect([creditDay('2026-10-09', days(1, 3, 5)), creditDay(due, null), creditDay(due, days())]).toEqual([
      '2026-10-09',
      due,
      due,
    ])
    // Fri 2 October is off, and so Mon 5 is next; a courier that credits on Sundays does.
    expect([creditDay('2026-10-01', days(5)), creditDay('2026-10-02', days(1, 5))]).toEqual([
      '2026-10-09',
      '2026-10-05',
    ])
    expect(creditDay('2026-10-03', days(0))).toBe('2026-10-04')
  })

  test('a card whose holidays fill the year ends', () => {
    const all = new Set(Array.from({ length: 800 }, (_, n) => isoOf(Date.UTC(2026, 9, 1 + n)).slice(0, 10)))
    expect(creditDay('2026-10-01', days(1), all) > '2027-10-01').toBe(true)
  })
})
