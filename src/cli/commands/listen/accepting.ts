// Judges posts: who sent them, when, what they say. A post that counts is kept, and handed on, before it is answered.
import { createHash, timingSafeEqual } from 'node:crypto'
import QuickLRU from 'quick-lru'
import { messageOf } from '../../../domain/errors.ts'
import { signatureFault } from '../../../delivery/signature.ts'
import type { SendResult } from '../../../delivery/attempt.ts'
import { readBody, type Hint } from './hint.ts'
import type { Post, Reply } from './receiver.ts'

/** How senders prove who they are. */
export interface Proofs {
  /** Signing secrets; none where the sender does not sign. */
  readonly secrets: readonly string[]
  /** What `X-API-Key` must be. */
  readonly api_key: string | undefined
}

/** Where posts go. */
export interface Destinations {
  /** Keeps a hint durably. */
  readonly keep: (hint: Hint) => Promise<void>
  /** Hands a post on under the headers of its signature. */
  readonly forward: ((body: string, headers: Readonly<Record<string, string>>) => Promise<SendResult>) | undefined
  /** Called with each post that counts, also when it came before. */
  readonly heard: () => void
  /** Called with what hinders a post that is sound; the sender comes again. */
  readonly hindered: (why: string) => void
  /** The real clock, ms UTC. */
  readonly clock: () => number
}

/** How many posts are remembered, so that a repeated one does nothing. */
const remembered = 10_000

const faults = {
  unsigned: 'the headers webhook-id, webhook-timestamp and webhook-signature are missing',
  wrong: 'the signature is not of this body, or another secret made it',
  untimely: 'the signature is more than five minutes from now: the clocks differ, or it was sent before',
} as const

/** Returns the function that judges posts, for one run. It does not throw. */
export function accepting(proofs: Proofs, destinations: Destinations): (post: Post) => Promise<Reply> {
  const done = new QuickLRU<string, true>({ maxSize: remembered })
  const underWay = new Map<string, Promise<Reply>>()
  return async (post) => {
    const refusal = refused(proofs, post, destinations.clock())
    if (refusal !== undefined) return { status: 401, message: refusal }
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(post.body)
    } catch {
      return { status: 400, message: 'the body is not UTF-8' }
    }
    const read = readBody(text)
    if ('fault' in read) return { status: 400, message: read.fault }
    destinations.heard()
    const id = post.headers['webhook-id']
    // Without a signature the id proves nothing, and the same body is the same post.
    const name = proofs.secrets.length > 0 ? String(id) : createHash('sha256').update(post.body).digest('base64')
    if (done.has(name)) return { status: 204 }
    const before = underWay.get(name)
    if (before !== undefined) return before
    const reply = taken(destinations, read.hint, text, post)
    underWay.set(name, reply)
    try {
      const { status } = await reply
      if (status < 300) done.set(name, true)
      return await reply
    } finally {
      underWay.delete(name)
    }
  }
}

/** Why a post does not prove who sent it, or undefined. */
function refused({ secrets, api_key }: Proofs, { headers, body }: Post, now: number): string | undefined {
  if (api_key !== undefined && !sameText(api_key, String(headers['x-api-key'] ?? '')))
    return 'the header X-API-Key is not the one that was agreed'
  const fault = secrets.length === 0 ? undefined : signatureFault(secrets, headers, body, now)
  return fault === undefined ? undefined : faults[fault]
}

/** Compares in a time that says nothing about either text. */
function sameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}

const handedOn = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Keeps the hint, hands the post on, and says how that went. */
async function taken(
  { keep, forward, hindered }: Destinations,
  hint: Hint | undefined,
  text: string,
  { headers }: Post,
): Promise<Reply> {
  try {
    if (hint !== undefined) await keep(hint)
  } catch (error) {
    hindered(`a webhook could not be saved: ${messageOf(error)}`)
    return { status: 503, message: 'it could not be saved', retry_after: 5 }
  }
  if (forward === undefined) return { status: 204 }
  const own = handedOn.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const sent = await forward(text, Object.fromEntries(own))
  if (sent.ok) return { status: 204 }
  hindered(`a webhook could not be handed on: ${sent.error}`)
  return { status: 502, message: 'it could not be handed on' }
}
