// Defends days as people write them: without the year, as days of the week, with two digits of the year, on a clock of
// twelve hours.
import { describe, expect, test } from 'vitest'
import { readAhead, readMoment, readTime } from '../../src/domain/read/day.ts'
import { istDate, istMinute } from '../../src/domain/time.ts'

/** Thursday. */
const now = Date.parse('2026-11-26T12:00:00+05:30')

const dayOf = (text: string, yearless = true): string => {
  const read = readMoment(text, { now, yearless })
  return 'fault' in read ? read.fault : istDate(read.value)
}

describe('a day without its year was not a day of the calendar', () => {
  test.each([
    ['24/11', '2026-11-24'],
    ['24-11', '2026-11-24'],
    ['24 Nov', '2026-11-24'],
    ['24nov', '2026-11-24'],
    ['26/11', '2026-11-26'],
    ['27/11', '2025-11-27'],
    ['1 December', '2025-12-01'],
    ['29/2', '2024-02-29'],
  ])('%s since is the last one that has begun', (text, day) => {
    expect(dayOf(text)).toBe(day)
  })

  test('until is the end of the day', () => {
    const read = readMoment('24/11', { now, end: true, yearless: true })
    expect('value' in read && istMinute(read.value)).toBe('2026-11-24 23:59')
  })

  test('where the year matters it must be written', () => {
    expect(dayOf('24/11', false)).toContain('"24/11" cannot be read as a day; write 2026-09-28')
  })

  test.each([
    ['28/11', '2026-11-28'],
    ['28 Nov', '2026-11-28'],
    ['26-11', '2026-11-26'],
    ['2 Jan', '2027-01-02'],
    ['monday', '2026-11-30'],
    ['Fri', '2026-11-27'],
    ['Thursday', '2026-12-03'],
    ['day after  tomorrow', '2026-11-28'],
    ['tomorrow', '2026-11-27'],
    ['28-11-2026', '2026-11-28'],
  ])('%s to come is the next one', (text, day) => {
    expect(istDate(readAhead(text, now)!)).toBe(day)
  })

  test.each(['someday', '31/11', '32 Nov', ''])('%j is no day to come', (text) => {
    expect(readAhead(text, now)).toBeUndefined()
  })
})

test.each([
  ['27/11/26 04:30', '2026-11-27 04:30'],
  ['27-11-26', '2026-11-27 00:00'],
  ['27/11/2026 04:40 AM', '2026-11-27 04:40'],
  ['27/11/2026 04:40PM', '2026-11-27 16:40'],
  ['27/11/2026, 12:05:10 am', '2026-11-27 00:05'],
  ['27 Nov 2026 12:05 pm', '2026-11-27 12:05'],
  ['2026-11-27 4:05 PM', '2026-11-27 16:05'],
])('a scan at %s was refused', (text, minute) => {
  expect(istMinute(readTime(text)!)).toBe(minute)
})

test.each(['26-11-05', '27/11/2026 16:40 PM', '27/11/2026 0:40 AM', '30-02-26'])('%s is not a time', (text) => {
  expect(readTime(text)).toBeUndefined()
})

test('only a day that does not exist is not of the calendar', () => {
  for (const text of ['2026-02-30', '30/02/2026', '30 Feb 2026', '2026-13-01'])
    expect(dayOf(text)).toContain('is not a day of the calendar')
  for (const text of ['yesteday', 'soon', '26-11-05']) expect(dayOf(text)).toContain('cannot be read as a day')
})
