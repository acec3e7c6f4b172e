// Where a service is and what may be sent there: the rules of base URLs and keys (docs/http.md, The client).
import { basePath } from '../domain/contract.ts'
import { withoutEnd } from '../domain/textends.ts'
import { invalid, type ShipxError } from '../domain/errors.ts'
import { isCredential, isIdempotencyKey, isKey } from '../domain/keys.ts'

/** A base URL that passed the rules. */
export interface Address {
  /** Scheme, host and port, as in messages. */
  readonly origin: string
  /** What every path of the API begins with, without a slash at its end. */
  readonly prefix: string
  /** Whether it can only be this machine, which no proxy may answer for. */
  readonly loopback: boolean
  readonly secure: boolean
}

const refused = (field: string, message: string): ShipxError => invalid([{ field, message }])

/** Whether a host (a name or an address, in brackets or not) can only be this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host)
}

/** An address is shown in messages, in `--debug` and in profiles. */
export const keyInAddress = 'must not contain the key; shipx auth login takes the key'

/** A key of our own service, or a signed token as other services issue. */
const looksLikeKey = (part: string): boolean => isKey(part) || /^eyJ[\w-]{8,}\.[\w-]+\.[\w-]+$/.test(part)

/**
 * The address of a service. Throws `invalid_input` for anything but an http(s) URL, for userinfo, a query or a
 * fragment, and for plain http to anything but this machine: a key would travel unencrypted.
 */
export function readAddress(base_url: string): Address {
  const text = base_url.trim()
  if (/[\s\\\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw refused('base_url', 'must be a URL such as https://api.example.com')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    throw refused('base_url', 'must not contain a user name or password; shipx auth login takes the key')
  if (/[?#]/.test(text)) throw refused('base_url', 'must not contain a query or a fragment')
  const loopback = isLoopback(url.hostname)
  const secure = url.protocol === 'https:'
  if (!secure && !loopback)
    throw refused('base_url', `must be https://: over http:// a key to ${url.host} would travel unencrypted`)
  const path = withoutEnd(url.pathname, '/')
  if (path.split('/').some(looksLikeKey)) throw refused('base_url', keyInAddress)
  const prefix = path.endsWith(basePath) ? path : `${path}${basePath}`
  return { origin: url.origin, prefix, loopback, secure }
}

/** The key, checked: throws `invalid_input`, which never shows it, when it is not 8 to 512 visible ASCII characters. */
export function readKey(key: string): string {
  if (isCredential(key)) return key
  throw refused('key', 'must be 8 to 512 visible ASCII characters without spaces')
}

/** An idempotency key, checked; throws `invalid_input`. */
export function readIdempotencyKey(key: string): string {
  if (isIdempotencyKey(key)) return key
  throw refused('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
}

/** An id as a segment of a path; throws `invalid_input` for an id that would make another path. */
export function pathSegment(id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) throw refused('id', 'is not the id of a record')
  return encodeURIComponent(id)
}
