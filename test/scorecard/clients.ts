// The remote client as rows use it: everything that it takes from outside, said once.
import { randomUUID } from 'node:crypto'
import type { RemoteOptions } from '../../src/client/options.ts'
import { remoteService, type RemoteService } from '../../src/client/service.ts'
import { ShipxError, type Code } from '../../src/domain/errors.ts'
import { chanceOf } from '../support/chance.ts'

/** A client of a service, with nothing of the environment. */
export function clientOf(options: Pick<RemoteOptions, 'base_url' | 'key'> & Partial<RemoteOptions>): RemoteService {
  return remoteService({
    scheme: 'bearer',
    now: Date.now,
    random: chanceOf(12),
    uuid: randomUUID,
    env: {},
    ...options,
  })
}

/** The code that a call fails with, or undefined; anything but a `ShipxError` is thrown on. */
export async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof ShipxError) return error.code
    throw error
  }
}
