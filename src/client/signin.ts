// Signing in: finds out how a service takes a key, with a read that changes nothing.
import { ShipxError } from '../domain/errors.ts'
import type { Capability } from '../domain/wire.ts'
import { parseBaseUrl } from './baseurl.ts'
import type { RemoteOptions } from './options.ts'
import { remoteService } from './service.ts'

/** How a service takes the key, and what it announces. */
export interface SignIn {
  readonly scheme: RemoteOptions['scheme']
  readonly capabilities: ReadonlySet<Capability>
}

/**
 * Lists the stores with the key behind `Bearer`, and when that is refused with the key alone. Throws `unauthorized`
 * when the service takes neither, `invalid_input` for a base URL or key that must not be used, and what a read throws.
 */
export async function signIn(options: Omit<RemoteOptions, 'scheme'>): Promise<SignIn> {
  for (const scheme of ['bearer', 'bare'] as const) {
    const service = remoteService({ ...options, scheme })
    try {
      await service.listStores({})
      return { scheme, capabilities: service.capabilities() ?? new Set() }
    } catch (error) {
      if (!(error instanceof ShipxError) || error.code !== 'unauthorized') throw error
    } finally {
      await service.close()
    }
  }
  const { origin } = parseBaseUrl(options.base_url)
  throw new ShipxError(
    'unauthorized',
    `${origin} does not accept this key; it may be mistyped, expired or for another service`,
    { hint: 'shipx auth login' },
  )
}
