// The settings of an account: its number and its warehouses.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
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
