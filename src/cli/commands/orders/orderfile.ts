// An order in a file: the JSON of the API, from a file or a pipe.
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { jsonTextFault } from '../../../domain/jsonlimits.ts'
import { maxItems } from '../../../domain/orders.ts'
import { readerOf, type Manner } from '../../../domain/read/fields.ts'
import type { Context } from '../../command/context.ts'
import { readText } from '../../files/userfiles.ts'
import type { Raw, RawRead } from '../../args/input.ts'
import { safe } from '../../terminal/safe.ts'

/** The largest order file, bytes: a file holds one order. */
const maxOrderBytes = 1_048_576

/** The order from a file or a pipe. Throws `invalid_file`. */
export async function orderIn(context: Context, path: string): Promise<Raw> {
  const content = await readText(context.io, path, maxOrderBytes, '--file')
  let value: unknown
  // A repeated name would silently lose one of its values.
  const fault = jsonTextFault(content)
  if (fault !== undefined) throw invalid([{ field: '--file', message: fault }])
  const name = path === '-' ? 'standard input' : safe(path)
  if (content.trim() === '')
    throw new ShipxError('invalid_file', `--file: ${name} is empty; it must hold an order as JSON`)
  try {
    value = JSON.parse(content)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : ''
    throw new ShipxError('invalid_file', `--file: ${name} is not JSON (${why})`, { cause: error })
  }
  if (!isObject(value)) throw invalid([{ field: '--file', message: 'must hold one order as a JSON object' }])
  return value
}

/** The manner of a file of the API's own names: a weight is in kilograms, and words such as yesterday mean nothing. */
const apiManner: Manner = { grouped: true, weight: { unit: 'kg', certain: true } }

/**
 * The fields of an order with the texts read as everywhere (`"500g"`, `"\u20b91,499"`); the faults name the field as it
 * stands in the file. Numbers and other values stay for the contract.
 */
export function readFile(order: Raw): RawRead {
  const [faults, said]: [Fault[], string[]] = [[], []]
  const fieldsOf = (raw: Raw, path: string): Raw =>
    Object.fromEntries(
      Object.entries(raw).map(([key, value]) => {
        const read = typeof value === 'string' ? readerOf(key)?.(value, apiManner) : undefined
        if (read === undefined) return [key, value]
        if ('said' in read && read.said !== undefined) said.push(`${path}${key}: ${read.said}`)
        if (!('fault' in read)) return [key, read.value]
        faults.push({ field: `${path}${key}`, message: read.fault })
        return [key, value]
      }),
    )
  const value = fieldsOf(order, '')
  const { order_items: items } = value
  if (Array.isArray(items))
    value['order_items'] = items
      .slice(0, maxItems + 1)
      .map((item: unknown, n) => (isObject(item) ? fieldsOf(item, `order_items.${n}.`) : item))
  return { value, faults, said }
}

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)
