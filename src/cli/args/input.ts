// Turns flags into the raw input of an endpoint: the fields that flags set directly. The contract checks the values
// later.
import type { Fault } from '../../domain/errors.ts'
import { excerpt } from '../../domain/read/excerpt.ts'
import { readRupees } from '../../domain/read/money.ts'
import type { Context } from '../command/context.ts'
import { text } from '../command/flags.ts'
import { warehouseAlias } from '../config/profiles.ts'

/** Raw input under the API's own names. */
export type Raw = Record<string, unknown>

/** The fields that flags name directly; `skip` lists flags that are read elsewhere. */
export function rawInput(context: Pick<Context, 'io' | 'command' | 'flags'>, skip: readonly string[] = []): Raw {
  const { io, command, flags } = context
  const named = (id: string): string => warehouseAlias(io, flags, id)
  const raw: Raw = {}
  for (const flag of command.flags) {
    const value = flags.get(flag.name)
    if (flag.key === undefined || value === undefined || skip.includes(flag.name)) continue
    if (warehouseFields.has(flag.key)) raw[flag.key] = Array.isArray(value) ? value.map(named) : named(String(value))
    else raw[flag.key] = flag.kind === 'boolean' ? truth(value) : value
  }
  return raw
}

/** The fields that name warehouses; the profile may have its own names for these. */
const warehouseFields = new Set(['warehouse_id', 'warehouse_ids', 'rto_warehouse_id'])

const truth = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value)

/**
 * Replaces amounts in raw input with what the amount reader reads. An unreadable one becomes NaN: the contract refuses
 * it, and `quoting` reports it as typed.
 */
export function readAmounts(raw: Raw): void {
  for (const field of amountFields) {
    const read = typeof raw[field] === 'string' ? readRupees(raw[field]) : undefined
    if (read !== undefined) raw[field] = 'rupees' in read ? read.rupees : NaN
  }
}

/** The fields that are amounts in rupees. */
const amountFields = ['shipment_value', 'sub_total', 'cod_collectible', 'shipping_charges', 'discount', 'tax'] as const

/** A fault of a number with the typed value, which the contract does not repeat. */
export function quoting(fault: Fault, { command, flags }: Pick<Context, 'command' | 'flags'>): Fault {
  const name = (fault.field ?? '').replace(/^--/, '')
  const given = fault.message === 'must be a number' ? text(flags, name) : undefined
  if (given === undefined) return fault
  const key = command.flags.find((flag) => flag.name === name)?.key
  const read = (amountFields as readonly unknown[]).includes(key) ? readRupees(given) : undefined
  return { ...fault, message: read !== undefined && 'fault' in read ? read.fault : `${excerpt(given)} is not a number` }
}
