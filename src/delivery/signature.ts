// Signatures of messages, by the Standard Webhooks specification (standardwebhooks.com): any of its libraries verifies
// them.
import { createHmac, randomBytes } from 'node:crypto'

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
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
