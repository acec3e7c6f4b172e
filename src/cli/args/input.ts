// From flags to the raw input of an endpoint: the fields that flags fill as they are, and the friendly forms of weight,
// size and time; the contract judges the values afterwards.
import type { Fault } from '../../domain/errors.ts'
import { readSize, scaled, weigh, type BareWeight, type WeightUnit } from '../../domain/rates/measures.ts'
import { excerpt, readRupees } from '../../domain/money.ts'
import { istMinute, readMoment } from '../../domain/time.ts'
import { readTime } from '../../domain/readers/cells.ts'
import type { Context } from '../command/context.ts'
import { text, type FlagValues } from '../command/flags.ts'
import { warehouseAlias } from '../config/profiles.ts'

/** Raw input under the API's own names. */
export type Raw = Record<string, unknown>

/** The fields that flags name directly; `skip` names flags that are read elsewhere. A friendly flag wins over a hidden one. */
export function rawInput(context: Pick<Context, 'io' | 'command' | 'flags'>, skip: readonly string[] = []): Raw {
  const { io, command, flags } = context
  const named = (id: string): string => warehouseAlias(io, flags, id)
  const raw: Raw = {}
  const ordered = command.flags.toSorted((a, b) => Number(b.hidden ?? false) - Number(a.hidden ?? false))
  for (const flag of ordered) {
    const value = flags.get(flag.name)
    if (flag.key === undefined || value === undefined || skip.includes(flag.name)) continue
    if (warehouseFields.has(flag.key)) raw[flag.key] = Array.isArray(value) ? value.map(named) : named(String(value))
    else raw[flag.key] = flag.kind === 'boolean' ? truth(value) : value
  }
  return raw
}

/** The fields that name warehouses, for which the profile may have names of its own. */
const warehouseFields = new Set(['warehouse_id', 'warehouse_ids', 'rto_warehouse_id'])

const truth = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value)

/** What a weight without a unit is on the command line and at a prompt: grams, where it cannot be kilograms. */
export const bareWeight: BareWeight = { unit: 'g', certain: false }

/** A weight flag in grams (or kilograms), with its fault. */
export function weightFrom(
  flags: FlagValues,
  name: string,
  unit: WeightUnit,
): { readonly value?: number; readonly faults: readonly Fault[] } {
  const given = text(flags, name)
  if (given === undefined) return { faults: [] }
  const weight = weigh(given, bareWeight)
  if ('fault' in weight) return { faults: [{ field: `--${name}`, message: weight.fault }] }
  return { value: unit === 'kg' ? scaled(weight.grams, 0.001) : weight.grams, faults: [] }
}

/** The amounts among raw input as the one reader of amounts reads them; what it cannot read stays, for `quoting` to tell. */
export function readAmounts(raw: Raw): void {
  for (const field of amountFields) {
    const read = typeof raw[field] === 'string' ? readRupees(raw[field]) : undefined
    if (read !== undefined && 'rupees' in read) raw[field] = read.rupees
  }
}

/** The fields that are amounts in rupees. */
const amountFields = ['shipment_value', 'sub_total', 'cod_collectible', 'shipping_charges', 'discount', 'tax'] as const

/** A fault of a number with the value that was typed, which the contract does not repeat. */
export function quoting(fault: Fault, { command, flags }: Pick<Context, 'command' | 'flags'>): Fault {
  const name = (fault.field ?? '').replace(/^--/, '')
  const given = fault.message === 'must be a number' ? text(flags, name) : undefined
  if (given === undefined) return fault
  const key = command.flags.find((flag) => flag.name === name)?.key
  const read = (amountFields as readonly unknown[]).includes(key) ? readRupees(given) : undefined
  return { ...fault, message: read !== undefined && 'fault' in read ? read.fault : `${excerpt(given)} is not a number` }
}

/** The three sides of a size flag in centimetres, with its fault. */
export function sizeFrom(flags: FlagValues): {
  readonly value?: readonly [number, number, number]
  readonly faults: readonly Fault[]
} {
  const given = text(flags, 'size')
  if (given === undefined) return { faults: [] }
  const sides = readSize(given)
  const [length, width, height] = sides
  if (sides.length !== 3 || length === undefined || width === undefined || height === undefined) {
    return { faults: [{ field: '--size', message: 'needs three numbers, for example 20x15x10' }] }
  }
  if (!(length > 0 && width > 0 && height > 0))
    return { faults: [{ field: '--size', message: 'must have three sides of more than 0 cm' }] }
  return { value: [length, width, height], faults: [] }
}

/** A `--since` or `--until` in ms UTC, with its fault. */
export function momentFrom(
  flags: FlagValues,
  name: 'since' | 'until',
  now: number,
): { readonly value?: number; readonly faults: readonly Fault[] } {
  const given = text(flags, name)
  if (given === undefined) return { faults: [] }
  const value = readMoment(given, now, name === 'until')
  if (value === undefined || value < 0) {
    return {
      faults: [
        {
          field: `--${name}`,
          message: `"${given.slice(0, 40)}" is not a time; write 7d, 12h, today, 2026-09-01, or an ISO 8601 time`,
        },
      ],
    }
  }
  return { value, faults: [] }
}

/** An `--order-date` as the API has it, in IST, with its fault: every time that `momentFrom` takes, and the day first. */
export function orderDateFrom(
  flags: FlagValues,
  now: number,
): { readonly value?: string; readonly faults: readonly Fault[] } {
  const given = text(flags, 'order-date')
  if (given === undefined) return { faults: [] }
  const at = readMoment(given, now, false) ?? readTime(given.trim())
  if (at !== undefined) return { value: istMinute(at), faults: [] }
  return {
    faults: [
      {
        field: '--order-date',
        message: `${excerpt(given)} is not a time; write 2026-09-28 14:05, today, yesterday, or an ISO 8601 time`,
      },
    ],
  }
}

/** A whole number from `least` to `most` out of a flag, with its fault. */
export function numberFrom(
  context: Context,
  name: string,
  usual: number,
  most: number,
  least = 0,
): { readonly value: number; readonly faults: readonly Fault[] } {
  const given = text(context.flags, name)
  if (given === undefined) return { value: usual, faults: [] }
  if (/^\d{1,9}$/.test(given) && Number(given) <= most && Number(given) >= least)
    return { value: Number(given), faults: [] }
  return {
    value: usual,
    faults: [
      {
        field: `--${name}`,
        message: `"${given.slice(0, 20)}" is not a whole number from ${least} to ${most.toLocaleString('en-IN')}`,
      },
    ],
  }
}

/** The limit asked for (Infinity for all), or the usual one; with its fault. */
export function limitFrom(
  flags: FlagValues,
  usual: number,
): { readonly value: number; readonly faults: readonly Fault[] } {
  const given = text(flags, 'limit')
  if (given === undefined) return { value: usual, faults: [] }
  if (given === 'all') return { value: Infinity, faults: [] }
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return { value: Number(given), faults: [] }
  return {
    value: usual,
    faults: [{ field: '--limit', message: `"${given.slice(0, 20)}" is neither a number from 1 nor all` }],
  }
}
