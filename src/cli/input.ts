// From flags to the raw input of an endpoint: the fields that flags fill as they are, and the friendly forms of weight,
// size and time; the contract judges the values afterwards.
import type { Fault } from '../domain/errors.ts'
import { readSize, readWeight, scaled } from '../domain/measures.ts'
import { readMoment } from '../domain/time.ts'
import { type Context } from './context.ts'
import { text, type FlagValues } from './flags.ts'
import { warehouseAlias } from './profiles.ts'

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

/** A weight flag in grams (or kilograms), with its fault. */
export function weightFrom(
  flags: FlagValues,
  name: string,
  unit: 'g' | 'kg',
): { readonly value?: number; readonly faults: readonly Fault[] } {
  const given = text(flags, name)
  if (given === undefined) return { faults: [] }
  const grams = readWeight(given)
  if (grams === undefined) return { faults: [{ field: `--${name}`, message: notAWeight(given) }] }
  if (!(grams > 0)) return { faults: [{ field: `--${name}`, message: 'must be more than 0' }] }
  return { value: unit === 'kg' ? scaled(grams, 0.001) : grams, faults: [] }
}

/** What is said of a text that is no weight. */
export function notAWeight(given: string): string {
  if (/^\s*-/.test(given)) return 'must be more than 0'
  return `"${given.slice(0, 30)}" is not a weight; write 500, 500g or 0.5kg`
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
