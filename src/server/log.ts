// The access log: one JSON line for each request, with no key, no path of a record and no body in it.

/** A line of the log: a request that was answered, or a fault inside. */
export type LogEntry =
  | {
      readonly level: 'info'
      readonly id: string
      readonly method: string
      readonly route: string
      readonly status: number
      readonly ms: number
      readonly account?: string
      readonly key?: string
      readonly code?: string
    }
  | { readonly level: 'error'; readonly id: string; readonly message: string }

/** A line as it is written. `now` is ms UTC. */
export function logLine(entry: LogEntry, now: number): string {
  return `${JSON.stringify({ time: new Date(now).toISOString(), ...entry })}\n`
}
