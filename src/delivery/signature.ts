// Signatures of messages, by the Standard Webhooks specification (standardwebhooks.com): made for what shipx sends, and
// judged on what it receives.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'

/** A new signing secret: 32 random bytes. */
export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/** Whether text is a signing secret: `whsec_` and 24 to 64 bytes in base64, as the standard requires. */
export function isSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false
  const bytes = Buffer.from(text.slice(prefix.length), 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text.slice(prefix.length)
}

/** The signature headers of a message. Its id is the same in every try; the time (ms UTC) is that of the try. */
export function signatureHeaders(
  secret: string,
  id: string,
  at: number,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = digestOf(secret, id, timestamp, Buffer.from(body)).toString('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const digestOf = (secret: string, id: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest()

/** How far the time of a signature may be from now, ms, as the libraries of the standard have it. */
const tolerance = 300_000

/** Why a message is not accepted: a header is missing, no secret made the signature, or it is of another time. */
export type SignatureFault = 'unsigned' | 'wrong' | 'untimely'

/**
 * Judges the signature headers of a body as it came. Each of several secrets and signatures counts, since a secret is
 * replaced while messages are on their way. `now` is ms UTC.
 */
export function signatureFault(
  secrets: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Uint8Array,
  now: number,
): SignatureFault | undefined {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'unsigned'
  const wanted = secrets.map((secret) => digestOf(secret, id, timestamp, body))
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []))
  const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
  if (!given.some((one) => wanted.some((other) => same(one, other)))) return 'wrong'
  const timely = /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= tolerance
  return timely ? undefined : 'untimely'
}
