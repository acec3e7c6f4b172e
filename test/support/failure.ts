// What a call that must fail ends with.
import { ShipxError } from '../../src/domain/errors.ts'

/** The error of a call; throws when it succeeds or fails with another one. */
export async function failure(call: Promise<unknown>): Promise<ShipxError> {
  const error: unknown = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (error instanceof ShipxError) return error
  throw new Error(`expected a ShipxError, got ${String(error)}`, { cause: error })
}
