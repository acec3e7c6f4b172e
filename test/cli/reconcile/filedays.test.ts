// Defends the days of bills, remittances and statements: those of one reader, in the order of a file.
import { expect, test } from 'vitest'
import { daysReader } from '../../../src/cli/commands/reconcile/days.ts'
import { readDay } from '../../../src/domain/time.ts'

test('a time with Z or an offset was of the day before in India', () => {
  const { on, unread } = daysReader()
  const days = [
    ['2026-09-30T18:30:00.000Z', '2026-10-01'],
    ['2026-09-30T18:29:59.999Z', '2026-09-30'],
    ['2026-09-30T18:30Z', '2026-10-01'],
    ['2026-09-30 18:30:00Z', '2026-10-01'],
    ['2026-09-30 10:00:00Z', '2026-09-30'],
    ['2026-09-30T23:30:00+05:30', '2026-09-30'],
    ['2026-10-01T00:30:00+0800', '2026-09-30'],
    ['2026-09-30 18:05:11 -0500', '2026-10-01'],
    ['2026-09-30 18:05:11 +0530', '2026-09-30'],
  ] as const
  for (const [text, day] of days) expect([text, on(text)]).toEqual([text, day])
  expect(unread()).toBe(undefined)
})

test('a time with an offset is the start of its day, as a time without one is', () => {
  const { at } = daysReader()
  const [start] = readDay('2026-10-01')!
  for (const text of [
    '2026-09-30T20:00:00Z',
    '2026-10-01T09:00:00',
    '2026-10-01 09:00',
    '01-10-2026',
    '01-10-2026 23:59',
  ])
    expect([text, at(text)]).toEqual([text, start])
})

test('what only looks like a time with an offset is the day that it names', () => {
  const { on } = daysReader()
  const days = [
    ['30-09-2026 18:30:00Z', '2026-09-30'],
    ['2026-09-30T24:00:00Z', '2026-09-30'],
    ['9999-12-31T23:00:00Z', '9999-12-31'],
    ['1970-01-01T00:00:00+14:00', '1970-01-01'],
    ['2026-09-30T18:30:00Z (UTC)', '2026-10-01'],
    ['2026-09-30T18:30:00 (IST)', '2026-09-30'],
    ['30-09-2026', '2026-09-30'],
    ['2026-09-30 18:30', '2026-09-30'],
  ] as const
  for (const [text, day] of days) expect([text, on(text)]).toEqual([text, day])
})
