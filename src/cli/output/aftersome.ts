// The error of long work that ends after a part of it: it says how far the work came.
import { count } from '../../domain/count.ts'
import { ShipxError } from '../../domain/errors.ts'

/**
 * The error of work that ended after `n` answers. A broken file is then `partial`; other errors keep their codes. An
 * error that is no ShipxError is returned as it is.
 */
export function afterSome(error: unknown, n: number, [one, many]: readonly [one: string, many: string]): unknown {
  if (!(error instanceof ShipxError)) return error
  const { code, message, details, hint, retry_after_ms } = error
  const which = n === 1 ? `the ${one} before it is answered` : `the ${count(n)} ${many} before it are answered`
  return new ShipxError(code === 'invalid_file' ? 'partial' : code, `${message}; ${which}`, {
    details,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  })
}
