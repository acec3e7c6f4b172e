// An order in a file: the JSON of the API, from a file or a pipe.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { jsonTextFault } from '../../../domain/jsonlimits.ts'
import type { Context } from '../../command/context.ts'
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
