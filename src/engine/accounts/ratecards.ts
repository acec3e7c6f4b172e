// The rate cards of an account, each with its versions.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import {
  firstDay,
  noFirstDay,
  versionAt,
  versionOn,
  withVersion,
  withoutVersion,
  type Versions,
} from '../../domain/rates/cardversions.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { row, rows, type Work } from '../database/port.ts'

/** A rate card as a list shows it. */
export interface CardEntry extends Record<string, unknown> {
  readonly name: string
  readonly in_use: number
}

/** The account's imported cards, sorted by name. */
export function* listCards(account: number): Work<readonly CardEntry[]> {
  return yield* rows<CardEntry>(sql`select name, in_use from ratecards where account_id = ${account} order by name`)
}

/** The versions of a card from the earliest to the latest, `sample` included; throws `not_found`. */
export function* cardVersions(account: number, name: string): Work<Versions> {
  const found = yield* rows<{ card: string }>(
    sql`select card from card_versions where account_id = ${account} and name = ${name} order by valid_from`,
  )
  if (found.length > 0) return found.map(({ card }) => JSON.parse(card) as RateCard) as unknown as Versions
  if (name === sampleCard.name) return [sampleCard]
  throw new ShipxError('not_found', `there is no rate card ${name}`, { hint: 'shipx ratecard list' })
}

/** The name of the card that quotes use: the one in use, else `sample`. */
export function* usedName(account: number): Work<string> {
  const found = yield* row<{ name: string }>(
    sql`select name from ratecards where account_id = ${account} and in_use = 1`,
  )
  return found?.name ?? sampleCard.name
}

/** The versions of the card that quotes use, from the earliest to the latest. */
export function* versionsInUse(account: number): Work<Versions> {
  const found = yield* rows<{ card: string }>(
    sql`select v.card from ratecards c join card_versions v on v.account_id = ${account} and v.name = c.name
      where c.account_id = ${account} and c.in_use = 1 order by v.valid_from`,
  )
  const cards = found.map(({ card }) => JSON.parse(card) as RateCard)
  return cards.length === 0 ? [sampleCard] : (cards as unknown as Versions)
}

/** The card that quotes of a day (`YYYY-MM-DD`) use. */
export function* cardInUse(account: number, day: string): Work<RateCard> {
  return versionAt(yield* versionsInUse(account), day)
}

/** Saves a checked card as a version of its name, and ends the version before it. A card in use stays in use. */
export function* saveCard(account: number, card: RateCard, now: number): Work<void> {
  yield* rows(
    sql`insert into ratecards (account_id, name, in_use, updated_at) values (${account}, ${card.name}, 0, ${now})
      on conflict (account_id, name) do update set updated_at = excluded.updated_at`,
  )
  const before = yield* rows<{ card: string }>(
    sql`select card from card_versions where account_id = ${account} and name = ${card.name} order by valid_from`,
  )
  const known = before.map((version) => JSON.parse(version.card) as RateCard)
  for (const version of withVersion(known, card))
    if (!known.includes(version)) yield* saveVersion(account, version, now)
}

function* saveVersion(account: number, version: RateCard, now: number): Work<void> {
  const [id, from] = [versionId(version), firstDay(version)]
  yield* rows(
    sql`insert into card_versions (account_id, id, name, valid_from, card, updated_at)
      values (${account}, ${id}, ${version.name}, ${from}, ${JSON.stringify(version)}, ${now})
      on conflict (account_id, id) do update set card = excluded.card, updated_at = excluded.updated_at`,
  )
}

/** The key of a version inside its account. */
const versionId = (version: RateCard): string => `${version.name} ${firstDay(version)}`

/** Makes quotes use the card with a name; throws `not_found`. */
export function* useCard(account: number, name: string): Work<void> {
  yield* cardVersions(account, name)
  yield* rows(sql`update ratecards set in_use = 0 where account_id = ${account} and in_use = 1`)
  yield* rows(sql`update ratecards set in_use = 1 where account_id = ${account} and name = ${name}`)
}

/** Removes a card with all its versions; throws `not_found`, and `wrong_state` for the card in use and for sample. */
export function* removeCard(account: number, name: string): Work<void> {
  if (name === sampleCard.name) throw new ShipxError('wrong_state', 'sample is the built-in card and stays')
  if ((yield* usedName(account)) === name)
    throw new ShipxError('wrong_state', `quotes use the rate card ${name}`, { hint: 'shipx ratecard use <another>' })
  const gone = yield* row(sql`delete from ratecards where account_id = ${account} and name = ${name} returning name`)
  if (gone === undefined)
    throw new ShipxError('not_found', `there is no rate card ${name}`, { hint: 'shipx ratecard list' })
  yield* rows(sql`delete from card_versions where account_id = ${account} and name = ${name}`)
}

/** A version that was removed, and the one that is valid in its place, if there is one. */
export interface RemovedVersion {
  readonly gone: RateCard
  readonly instead: RateCard | undefined
}

/**
 * Removes the version of a card that begins on a day (`YYYY-MM-DD`; '' for the one without a first day). The version
 * that it ended goes on. `now` is ms UTC, `day` is today. Throws `not_found`, and `wrong_state` for the only version
 * and for prices that quotes would lose today.
 */
export function* removeVersion(
  account: number,
  name: string,
  from: string,
  { now, day }: { readonly now: number; readonly day: string },
): Work<RemovedVersion> {
  const versions = yield* cardVersions(account, name)
  const hint = `shipx ratecard versions ${name}`
  const gone = versions.find((card) => firstDay(card) === from)
  if (gone === undefined) {
    const days = versions.map((card) => `${name}@${card.valid_from ?? noFirstDay}`).join(', ')
    throw new ShipxError('not_found', `${name} has no version from ${from || noFirstDay}; it has ${days}`, { hint })
  }
  if (versions.length === 1)
    throw new ShipxError('wrong_state', `it is the only version of ${name}`, { hint: `shipx ratecard remove ${name}` })
  const left = withoutVersion(versions, gone)
  const [before, after] = [versionOn(versions, day), versionOn(left, day)]
  if (before !== undefined && after === undefined && (yield* usedName(account)) === name)
    throw new ShipxError('wrong_state', `quotes use ${name}, and no other version is valid today`, { hint })
  yield* rows(sql`delete from card_versions where account_id = ${account} and id = ${versionId(gone)}`)
  for (const card of left) if (!versions.includes(card)) yield* saveVersion(account, card, now)
  const instead = left.find((card) => firstDay(card) <= from && (card.valid_to === null || card.valid_to >= from))
  return { gone, instead }
}
