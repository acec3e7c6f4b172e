// Which addresses messages may be sent to: public ones only. Each name is looked up once, and the connection uses the
// checked address. So no name can lead into the network that shipx runs in.
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address of a name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Looks a name up; throws the same errors as `node:dns`. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

/** Looks a name up as the system does. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })) as ResolvedAddress[]

/** The range of public IPv6 addresses that are assigned. */
const publicSix = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is on the public network. Refuses loopback, private, link-local (and so cloud metadata), carrier
 * and documentation addresses, and IPv6 addresses that contain one of those.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(publicSix)
}

/** The code of the error for a name or address that must not get messages. */
export const refusedCode = 'SHIPX_REFUSED'

const refusal = (host: string): Error =>
  Object.assign(new Error(`${host} is not a public address, and nothing was sent there (--allow-private)`), {
    code: refusedCode,
  })

/** The checked addresses of a name. Throws if any of them is not public, unless private ones are allowed. */
export async function checkedAddresses(
  host: string,
  resolve: Resolve,
  allowPrivate: boolean,
): Promise<readonly ResolvedAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(bare)
    ? [{ address: bare, family: ipaddr.parse(bare).kind() === 'ipv4' ? (4 as const) : (6 as const) }]
    : await resolve(bare)
  if (found.length === 0 || (!allowPrivate && found.some(({ address }) => !isPublic(address)))) throw refusal(bare)
  return found
}

/** The same as a lookup for sockets: they connect to the checked addresses. */
export const checkedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (host, options, callback) => {
    checkedAddresses(host, resolve, allowPrivate).then(
      (found) => {
        if (options.all === true) callback(null, found as ResolvedAddress[])
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    )
  }
