// Turns flags into the raw input of an endpoint: the fields that flags set directly. The contract checks the values
// later.
import type { Fault, Read } from '../../domain/errors.ts'
import { readerOf, type FieldReader, type Manner } from '../../domain/read/fields.ts'
import { readNumber } from '../../domain/read/number.ts'
import { readTruth } from '../../domain/read/truth.ts'
import type { Context } from '../command/context.ts'
import type { Flag } from '../command/tree.ts'
import { warehouseAlias } from '../config/profiles.ts'
import { bareWeight } from './kinds.ts'

/** Raw input under the API's own names. */
export type Raw = Record<string, unknown>

/** Raw input with what is wrong with it, by flag, and what the user must hear about conversions. */
export interface RawRead extends Read<Raw> {
  readonly said: readonly string[]
}

/**
 * The fields that flags name directly, read by the readers of their kinds; `skip` lists flags that are read elsewhere.
 * A friendly flag wins over a hidden one. An unreadable value stays as typed: the contract refuses it too.
 */
export function rawInput(context: Pick<Context, 'io' | 'command' | 'flags'>, skip: readonly string[] = []): RawRead {
  const { io, command, flags } = context
  const named = (id: string): string => warehouseAlias(io, flags, id)
  const manner: Manner = { grouped: true, weight: bareWeight, now: io.host.now() }
  const [raw, faults, said]: [Raw, Fault[], string[]] = [{}, [], []]
  const ordered = command.flags.toSorted((a, b) => Number(b.hidden ?? false) - Number(a.hidden ?? false))
  for (const flag of ordered) {
    const value = flags.get(flag.name)
    if (flag.key === undefined || value === undefined || skip.includes(flag.name)) continue
    if (warehouseFields.has(flag.key)) raw[flag.key] = Array.isArray(value) ? value.map(named) : named(String(value))
    else raw[flag.key] = value
    const read = typeof value === 'string' ? readerFor(flag, flag.key)?.(value, manner) : undefined
    if (read === undefined) continue
    if ('fault' in read) faults.push({ field: `--${flag.name}`, message: read.fault })
    else raw[flag.key] = read.value
    if ('said' in read && read.said !== undefined) said.push(read.said)
  }
  return { value: raw, faults, said }
}

/** The reader of a flag's field: by the field's name, else by the kind of the flag. */
function readerFor({ kind }: Flag, key: string): FieldReader | undefined {
  if (kind === 'boolean') return readTruth
  return readerOf(key) ?? (kind === 'number' ? (text) => readNumber(text, 'a number', '5') : undefined)
}

/** Says what shipx converted, such as inches. */
export async function sayConverted({ note }: Pick<Context, 'note'>, said: readonly string[]): Promise<void> {
  for (const sentence of said) await note(sentence)
}

/** The fields that name warehouses; the profile may have its own names for these. */
const warehouseFields = new Set(['warehouse_id', 'warehouse_ids', 'rto_warehouse_id'])
