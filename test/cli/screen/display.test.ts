// Amounts, times, phones and words for people, against Intl where Intl knows the answer.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  maskPhone,
  showAgo,
  showDay,
  showMoney,
  showTime,
  showWeight,
  timeZoneKnown,
  words,
} from '../../../src/cli/output/display.ts'
import { runs } from '../../support/size.ts'

const now = Date.parse('2026-09-28T08:35:00Z')
const kolkata = { tz: 'Asia/Kolkata', now }

describe('money and weight', () => {
  const intl = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })

  test('amounts are grouped as Intl groups them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), fc.integer({ min: 0, max: 9 }), (paise, shorter) => {
        const rupees = Math.trunc(paise / 10 ** shorter) / 100
        expect(showMoney(rupees)).toBe(intl.format(rupees === 0 ? 0 : rupees))
      }),
      { numRuns: runs(500, 5000) },
    )
  })

  test('amounts by example', () => {
    expect(showMoney(1234567.5)).toBe('₹12,34,567.50')
    expect(showMoney(-1)).toBe('-₹1.00')
    expect(showMoney(0)).toBe('₹0.00')
    expect(showMoney(-0.001)).toBe('₹0.00')
    expect(showMoney(0.1 + 0.2)).toBe('₹0.30')
    expect(showMoney(999.99)).toBe('₹999.99')
    expect(showMoney(1e15)).toBe('₹1,00,00,00,00,00,00,000.00')
    expect(showMoney(1234, { ascii: true })).toBe('Rs 1,234.00')
    expect(showMoney(-100000, { ascii: true })).toBe('-Rs 1,00,000.00')
  })

  test('weights are plain grams', () => {
    expect(showWeight(600)).toBe('600 g')
    expect(showWeight(1500)).toBe('1,500 g')
    expect(showWeight(123456.5)).toBe('1,23,456.5 g')
  })
})

describe('time', () => {
  const expected = (ms: number, tz: string): string => {
    const formatter = new Intl.DateTimeFormat('en-GB', {
      timeZone: tz,
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const part = Object.fromEntries(formatter.formatToParts(ms).map(({ type, value }) => [type, value]))
    const month = 'JanFebMarAprMayJunJulAugSepOctNovDec'.slice(Number(part['month']) * 3 - 3, Number(part['month']) * 3)
    const sameYear = part['year'] === '2026'
    return sameYear
      ? `${part['day']} ${month} ${part['hour']}:${part['minute']}`
      : `${part['day']} ${month} ${part['year']}`
  }

  test.each(['Asia/Kolkata', 'UTC', 'America/New_York', 'Australia/Lord_Howe'])('times in %s agree with Intl', (tz) => {
    const thisYear = fc.integer({ min: Date.UTC(2025, 11, 30), max: Date.UTC(2027, 0, 2) })
    const anyYear = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2099, 0) })
    fc.assert(
      fc.property(fc.oneof(thisYear, anyYear), (ms) => {
        expect(showTime(ms, { tz, now })).toBe(expected(ms, tz))
      }),
      { numRuns: 500 },
    )
  })

  test('the year stands in for the time when it is another one', () => {
    expect(showTime(now, kolkata)).toBe('28 Sep 14:05')
    expect(showTime(now - 366 * 86_400_000, kolkata)).toBe('27 Sep 2025')
    expect(showTime(Date.parse('2026-12-31T18:30:00Z'), kolkata)).toBe('01 Jan 2027')
    expect(showTime(Date.parse('2026-12-31T18:30:00Z'), { tz: 'UTC', now })).toBe('31 Dec 18:30')
    expect(showTime(now, { tz: 'Asia/Kolkata', now: Date.parse('2026-12-31T18:29:59Z') })).toBe('28 Sep 14:05')
    expect(showTime(now, { tz: 'Asia/Kolkata', now: Date.parse('2026-12-31T18:30:00Z') })).toBe('28 Sep 2026')
    expect(showTime(Number.NaN, kolkata)).toBe('')
  })

  test('distances from now', () => {
    const ago = (ms: number): string => showAgo(now - ms, { now })
    const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
    expect([0, 59_999, -59_999].map(ago)).toEqual(['just now', 'just now', 'just now'])
    expect([minute, 59 * minute, 2.9 * hour, 3 * day].map(ago)).toEqual(['1m ago', '59m ago', '2h ago', '3d ago'])
    expect([-minute, -2 * day, -40 * day].map(ago)).toEqual(['in 1m', 'in 2d', 'in 1mo'])
    expect([29 * day, 30 * day, 364 * day, 800 * day].map(ago)).toEqual(['29d ago', '1mo ago', '12mo ago', '2y ago'])
    expect(ago(Number.NaN)).toBe('')
  })

  test('dates', () => {
    expect(showDay('2026-09-29')).toBe('29 Sep')
    expect(showDay('2026-10-02')).toBe('02 Oct')
    expect(showDay('2026-13-02')).toBe('2026-13-02')
    expect(showDay('soon')).toBe('soon')
  })

  test('known time zones', () => {
    expect(['Asia/Kolkata', 'UTC', 'Europe/Paris', 'asia/tokyo'].map(timeZoneKnown)).toEqual([true, true, true, true])
    expect(['', 'Mars/Base', 'IST5'].map(timeZoneKnown)).toEqual([false, false, false])
  })
})

describe('phones and words', () => {
  test('phones by example', () => {
    expect(maskPhone('+91 9876543221')).toBe('+91 98••••••21')
    expect(maskPhone('919876543221')).toBe('+91 98••••••21')
    expect(maskPhone('+91-98765-43221')).toBe('+91 98••••••21')
    expect(maskPhone('9876543221')).toBe('+91 98••••••21')
    expect(maskPhone('09876543221', { ascii: true })).toBe('+91 98******21')
    expect(maskPhone('+1 415 555 2671')).toBe('+1 4•• ••• ••71')
    expect(maskPhone('12345')).toBe('•••••')
    expect(maskPhone('९८७६५४३२२१')).toBe('९८••••••२१')
    expect(maskPhone('')).toBe('')
    expect(maskPhone('+91 9876543221', { ascii: false, pii: true })).toBe('+91 9876543221')
  })

  test('of any text at most four digits and a country code are left', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+0-9 ()a-z-]{0,30}$/), (text) => {
        const left = maskPhone(text).replace(/^\+91 |^0(?=\d\d•)/, '')
        expect(left.match(/\d/g)?.length ?? 0).toBeLessThanOrEqual(4)
      }),
      { numRuns: runs(200, 2000) },
    )
  })

  test('words', () => {
    expect(words('in_transit')).toBe('In transit')
    expect(words('out_for_delivery')).toBe('Out for delivery')
    expect(words('rto_in_transit')).toBe('RTO in transit')
    expect(words('ndr_raised')).toBe('NDR raised')
    expect(words('')).toBe('')
  })
})
