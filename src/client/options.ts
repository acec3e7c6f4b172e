// What a remote service is made of.
import type { Budget } from './budget.ts'
import type { Exchange } from './exchange.ts'
import type { Timeouts } from './networkerrors.ts'

/** What a remote service is made of. */
export interface RemoteOptions {
  /** Where the service is; a path in it is kept. */
  readonly base_url: string
  /** The account's credential, 8 to 512 visible ASCII characters. */
  readonly key: string
  /** How the key goes into the Authorization header: behind `Bearer`, or alone. */
  readonly scheme: 'bearer' | 'bare'
  /** ms UTC. */
  readonly now: () => number
  /** From 0 up to and without 1. */
  readonly random: () => number
  readonly uuid: () => string
  /** Waits this many ms; rejects when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** ms; by default 10 s to connect, 30 s to the headers and between pieces of the body, 120 s for one try. */
  readonly timeouts?: Partial<Timeouts>
  /** ms; replaces the limit to the headers and the limit of one try (`SHIPX_TIMEOUT`). */
  readonly timeout_ms?: number | undefined
  /** The most ms that waits which the service asks for may take in all; 120 s, and 600 s for bulk work. */
  readonly patience_ms?: number
  /** What every request waits for, also each try of one call. */
  readonly budget?: Budget
  /** Certificates in PEM form that are trusted next to the built-in ones. */
  readonly ca?: string | undefined
  /** The environment, for its proxies: https_proxy, all_proxy, no_proxy, in either case. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Called with each request and what came back; the key is never in it. */
  readonly trace?: (entry: Exchange) => void
  /** Called with a sentence that a person should read. */
  readonly warn?: (text: string) => void
  /** Whether a filter that the deployment does not know fails the listing (`filter_ignored`) instead of a warning. */
  readonly strict?: boolean
}
