// An order in a file: the JSON of the API, from a file or a pipe.
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { jsonTextFault } from '../../../domain/jsonlimits.ts'
import { scaled } from '../../../domain/rates/measures.ts'
import { readGrams } from '../../../domain/read/weight.ts'
import type { Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { readText } from '../../files/userfiles.ts'
import type { Raw } from '../../args/input.ts'
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
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid([{ field: '--file', message: 'must hold one order as a JSON object' }])
  return value as Raw
}

/**
 * Reads the weight of a file that has it as text, with its unit or in the API's kilograms; a fault for text that is not
 * a weight.
 */
export function readFileWeight({ flags }: Context, fromFile: Raw): Fault | undefined {
  const given = fromFile['weight']
  if (typeof given !== 'string') return undefined
  const read = readGrams(given, { unit: 'kg', certain: true })
  if ('fault' in read) return { field: `${safe(text(flags, 'file') ?? '')} weight`, message: read.fault }
  fromFile['weight'] = scaled(read.grams, 0.001)
  return undefined
}
