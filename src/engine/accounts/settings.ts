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

/** What a label says of a warehouse; null where it says nothing. */
export interface WarehouseDetails {
  readonly name: string | null
  readonly address: string | null
  readonly phone: string | null
  readonly gstin: string | null
}

/** A warehouse with what labels say of it. */
export interface DetailedWarehouse extends Warehouse, WarehouseDetails {}

/** The account's warehouses with what labels say of them, sorted by id. */
export function* detailedWarehouses(account: number): Work<readonly DetailedWarehouse[]> {
  return yield* rows<DetailedWarehouse>(
    sql`select id, pincode, name, address, phone, gstin from warehouses where account_id = ${account} order by id`,
  )
}

/** Adds a warehouse, or changes its pincode and those of its details that are given; an empty text takes one away. */
export function* setWarehouse(
  account: number,
  id: string,
  pincode: string,
  details: Partial<WarehouseDetails> = {},
): Work<DetailedWarehouse> {
  const before = yield* row<DetailedWarehouse>(
    sql`select id, pincode, name, address, phone, gstin from warehouses where account_id = ${account} and id = ${id}`,
  )
  const of = (name: keyof WarehouseDetails): string | null =>
    details[name] === undefined ? (before?.[name] ?? null) : details[name] === '' ? null : details[name]
  const set = { id, pincode, name: of('name'), address: of('address'), phone: of('phone'), gstin: of('gstin') }
  yield* rows(
    sql`insert into warehouses (account_id, id, pincode, name, address, phone, gstin)
      values (${account}, ${id}, ${pincode}, ${set.name}, ${set.address}, ${set.phone}, ${set.gstin})
      on conflict (account_id, id) do update set pincode = excluded.pincode, name = excluded.name,
        address = excluded.address, phone = excluded.phone, gstin = excluded.gstin`,
  )
  return set
}

/** Removes a warehouse; throws `not_found`. */
export function* removeWarehouse(account: number, id: string): Work<void> {
  const gone = yield* row(sql`delete from warehouses where account_id = ${account} and id = ${id} returning id`)
  if (gone === undefined)
    throw new ShipxError('not_found', `there is no warehouse ${id}`, { hint: 'shipx local warehouse list' })
}
