// The versions of a rate card: each is valid from a day, until the day before the next (docs/guides/contracts.md,
// Versions). Days are `YYYY-MM-DD` in IST.
import { ShipxError } from '../errors.ts'
import { addDays } from '../time.ts'
import type { RateCard } from './ratecard.ts'

/** The first day of a version; '' when it has no first day. */
export const firstDay = ({ valid_from: from }: Pick<RateCard, 'valid_from'>): string => from ?? ''

/** What stands for the first day of a version that has none: `contract@beginning`. */
export const noFirstDay = 'beginning'

/** The versions of a card from the earliest to the latest. */
export type Versions = readonly [RateCard, ...RateCard[]]

/** The version that is valid on a day, or undefined when there is none. */
export function versionOn(versions: readonly RateCard[], day: string): RateCard | undefined {
  const version = versions.findLast((card) => firstDay(card) <= day)
  return version === undefined || (version.valid_to !== null && version.valid_to < day) ? undefined : version
}

/** The version of a day. Throws `no_card_for_day` when the card has none: prices of another day are not prices. */
export function versionFor(versions: Versions, day: string): RateCard {
  const version = versionOn(versions, day)
  if (version !== undefined) return version
  const [{ name, valid_from: from }] = versions
  const last = versions.at(-1)!
  const range = day < (from ?? '') ? `is valid from ${from!}` : `was valid until ${last.valid_to!}`
  const gap = versions.length > 1 && day > (from ?? '') && day < firstDay(last)
  const message = `the rate card ${name} has no prices for ${day}: it ${gap ? 'has no version of that day' : range}`
  throw new ShipxError('no_card_for_day', message, { hint: `shipx ratecard versions ${name}` })
}

/** The version that quotes of a day use: the valid one, else the next that begins, else the last. */
export const versionAt = (versions: Versions, day: string): RateCard =>
  versionOn(versions, day) ?? versions.find((card) => firstDay(card) > day) ?? versions.at(-1)!

/**
 * The versions after one is added: it takes the place of one that begins on the same day, ends the one before it on the
 * day before, and ends before the one after it.
 */
export function withVersion(versions: readonly RateCard[], added: RateCard): Versions {
  const others = versions.filter((card) => firstDay(card) !== firstDay(added))
  const ordered = [...others, added].toSorted((a, b) => (firstDay(a) < firstDay(b) ? -1 : 1))
  return ordered.map((card, i) => {
    const next = ordered[i + 1]
    const end = next === undefined ? undefined : addDays(firstDay(next), -1)
    return end !== undefined && (card.valid_to === null || card.valid_to > end) ? { ...card, valid_to: end } : card
  }) as unknown as Versions
}

/** The versions without one of them. One that ended on the day before it goes on in its place, to its last day. */
export function withoutVersion(versions: readonly RateCard[], gone: RateCard): readonly RateCard[] {
  const eve = gone.valid_from === null ? undefined : addDays(gone.valid_from, -1)
  return versions
    .filter((card) => card !== gone)
    .map((card) => (card.valid_to !== null && card.valid_to === eve ? { ...card, valid_to: gone.valid_to } : card))
}

/** The days of a version in words: `from 2026-10-01 to 2026-12-31`, `to 2026-09-30`, or '' when it has no limit. */
export const daysOf = ({ valid_from: from, valid_to: to }: Pick<RateCard, 'valid_from' | 'valid_to'>): string =>
  [...(from === null ? [] : [`from ${from}`]), ...(to === null ? [] : [`to ${to}`])].join(' ')
