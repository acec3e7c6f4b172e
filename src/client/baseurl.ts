// Checks what a client needs before it sends anything: the base URL, the keys, and ids in paths
// (docs/reference/http.md).
import { basePath } from '../domain/contract.ts'
import { withoutEnd } from '../domain/textends.ts'
import { invalid, type ShipxError } from '../domain/errors.ts'
import { isCredential, isIdempotencyKey, isKey } from '../domain/keys.ts'

/** A valid base URL, in its parts. */
export interface BaseUrl {
  /** Scheme, host and port. Messages show them. */
  readonly origin: string
  /** The path before each endpoint's own path, without a slash at its end. */
  readonly prefix: string
  /** Whether the host is this machine. shipx never uses a proxy for it. */
  readonly loopback: boolean
  /** Whether the scheme is https. */
  readonly secure: boolean
}

const refused = (field: string, message: string): ShipxError => invalid([{ field, message }])

/** Whether a host (a name or an IP address, with or without brackets) is this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host)
}

/** Why a base URL with a key is refused: messages, `--debug` and profiles show the URL. */
export const keyInBaseUrl = 'must not contain the key; give it to shipx auth login'

/** Whether a part of a path is a key of shipx serve or a JSON Web Token. */
const looksLikeKey = (part: string): boolean => isKey(part) || /^eyJ[\w-]{8,}\.[\w-]+\.[\w-]+$/.test(part)

/**
 * Checks a base URL and returns its parts. Throws `invalid_input` unless it is an http or https URL without a user
 * name, a password, a query and a fragment. Plain http may only go to this machine: on a network, others could read
 * the key.
 */
export function parseBaseUrl(base_url: string): BaseUrl {
  const text = base_url.trim()
  if (/[\s\\\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw refused('base_url', 'must be a URL such as https://api.example.com')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    throw refused('base_url', 'must not contain a user name or password; give the key to shipx auth login')
  if (/[?#]/.test(text)) throw refused('base_url', 'must not contain a query or a fragment')
  const loopback = isLoopback(url.hostname)
  const secure = url.protocol === 'https:'
  if (!secure && !loopback)
    throw refused('base_url', `must be https://: over http:// a key to ${url.host} would travel unencrypted`)
  const path = withoutEnd(url.pathname, '/')
  if (path.split('/').some(looksLikeKey)) throw refused('base_url', keyInBaseUrl)
  const prefix = path.endsWith(basePath) ? path : `${path}${basePath}`
  return { origin: url.origin, prefix, loopback, secure }
}

/** Returns the key. Throws `invalid_input` unless it is 8 to 512 visible ASCII characters; the error never shows it. */
export function checkKey(key: string): string {
  if (isCredential(key)) return key
  throw refused('key', 'must be 8 to 512 visible ASCII characters without spaces')
}

/** Returns the idempotency key. Throws `invalid_input` unless it is 1 to 255 visible ASCII characters. */
export function checkIdempotencyKey(key: string): string {
  if (isIdempotencyKey(key)) return key
  throw refused('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
}

/** Encodes an id as one segment of a path. Throws `invalid_input` for an id that would lead to another path. */
export function pathSegment(id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) throw refused('id', 'is not the id of a record')
  return encodeURIComponent(id)
}
