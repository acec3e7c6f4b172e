// Which addresses messages may be sent to: public ones only, looked up once and connected to as they were checked, so that no
// name can lead into the network that shipx runs in.
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address that a name stands for. */
export interface Resolved {
  readonly address: string
  readonly family: 4 | 6
}

/** Looks a name up; throws as `node:dns` does. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>

/** The system's own way to look names up. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })) as Resolved[]

/** The range of addresses that are given out on the public IPv6 network. */
const publicSix = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is one of the public network: no loopback, private, link-local (and so no cloud's metadata), carrier's or
 * documentation's one, and none that stands for such a one in IPv6.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(publicSix)
}

/** What is thrown for a name or address that nothing is sent to. */
export const refusedCode = 'SHIPX_REFUSED'

const refusal = (host: string): Error =>
  Object.assign(new Error(`${host} is not a public address, and nothing was sent there (--allow-private)`), {
    code: refusedCode,
  })

/** What a name stands for, checked: throws when any of its addresses is not public, unless private ones are allowed. */
export async function checkedAddresses(
  host: string,
  resolve: Resolve,
  allowPrivate: boolean,
): Promise<readonly Resolved[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(bare)
    ? [{ address: bare, family: ipaddr.parse(bare).kind() === 'ipv4' ? (4 as const) : (6 as const) }]
    : await resolve(bare)
  if (found.length === 0 || (!allowPrivate && found.some(({ address }) => !isPublic(address)))) throw refusal(bare)
  return found
}

/** The same as sockets ask for it: what was checked is what is connected to. */
export const checkedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (host, options, callback) => {
    checkedAddresses(host, resolve, allowPrivate).then(
      (found) => {
        if (options.all === true) callback(null, found as Resolved[])
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    )
  }
