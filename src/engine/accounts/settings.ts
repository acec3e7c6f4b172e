// The settings of an account: warehouses and rate cards.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { row, rows, type Work } from '../database/port.ts'

/** The number of the account with a name, which is created if missing. This number is the first part of every key. */
export function* accountNamed(name: string, now: number): Work<number> {
  const found = yield* row<{ id: number }>(sql`select id from accounts where name = ${name}`)
  if (found !== undefined) return found.id
  const made = yield* row<{ id: number }>(
    sql`insert into accounts (id, name, created_at)
      select coalesce(max(id), 0) + 1, ${name}, ${now} from accounts returning id`,
  )
  return made!.id
}

/** A write that changes nothing, to find out whether the database accepts writes. */
export function* writeNothing(): Work<void> {
  yield sql`update accounts set name = name where id = (select min(id) from accounts)`
}

/** The number of an existing account, or undefined. */
export function* findAccount(name: string): Work<number | undefined> {
  return (yield* row<{ id: number }>(sql`select id from accounts where name = ${name}`))?.id
}

/** A place where couriers pick up parcels. */
export interface Warehouse extends Record<string, unknown> {
  readonly id: string
  readonly pincode: string
}

/** The account's warehouses, sorted by id. */
export function* listWarehouses(account: number): Work<readonly Warehouse[]> {
  return yield* rows<Warehouse>(sql`select id, pincode from warehouses where account_id = ${account} order by id`)
}

/** The pincode of a warehouse, or undefined. */
export function* warehousePincode(account: number, id: string): Work<string | undefined> {
  return (yield* row<Warehouse>(sql`select id, pincode from warehouses where account_id = ${account} and id = ${id}`))
    ?.pincode
}

/** Adds a warehouse or changes its pincode. */
export function* setWarehouse(account: number, id: string, pincode: string): Work<Warehouse> {
  yield* rows(
    sql`insert into warehouses (account_id, id, pincode) values (${account}, ${id}, ${pincode})
      on conflict (account_id, id) do update set pincode = excluded.pincode`,
  )
  return { id, pincode }
}

/** Removes a warehouse; throws `not_found`. */
export function* removeWarehouse(account: number, id: string): Work<void> {
  const gone = yield* row(sql`delete from warehouses where account_id = ${account} and id = ${id} returning id`)
  if (gone === undefined)
    throw new ShipxError('not_found', `there is no warehouse ${id}`, { hint: 'shipx local warehouse list' })
}

/** A rate card as a list shows it. */
export interface CardEntry extends Record<string, unknown> {
  readonly name: string
  readonly in_use: number
}

/** The account's imported cards, sorted by name. */
export function* listCards(account: number): Work<readonly CardEntry[]> {
  return yield* rows<CardEntry>(sql`select name, in_use from ratecards where account_id = ${account} order by name`)
}

/** The card with a name, `sample` included; throws `not_found`. */
export function* findCard(account: number, name: string): Work<RateCard> {
  const found = yield* row<{ card: string }>(
    sql`select card from ratecards where account_id = ${account} and name = ${name}`,
  )
  if (found !== undefined) return JSON.parse(found.card) as RateCard
  if (name === sampleCard.name) return sampleCard
  throw new ShipxError('not_found', `there is no rate card ${name}`, { hint: 'shipx ratecard list' })
}

/** The card that quotes use: the one in use, else `sample`. */
export function* cardInUse(account: number): Work<RateCard> {
  const found = yield* row<{ card: string }>(
    sql`select card from ratecards where account_id = ${account} and in_use = 1`,
  )
  return found === undefined ? sampleCard : (JSON.parse(found.card) as RateCard)
}

/** Saves a checked card under its name. A card that is in use stays in use. */
export function* saveCard(account: number, card: RateCard, now: number): Work<void> {
  yield* rows(
    sql`insert into ratecards (account_id, name, card, in_use, updated_at)
      values (${account}, ${card.name}, ${JSON.stringify(card)}, 0, ${now})
      on conflict (account_id, name) do update set card = excluded.card, updated_at = excluded.updated_at`,
  )
}

/** Makes quotes use the card with a name; throws `not_found`. */
export function* useCard(account: number, name: string): Work<void> {
  yield* findCard(account, name)
  yield* rows(sql`update ratecards set in_use = 0 where account_id = ${account} and in_use = 1`)
  yield* rows(sql`update ratecards set in_use = 1 where account_id = ${account} and name = ${name}`)
}
