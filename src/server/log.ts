// The access log: one JSON line for each request, without the secret key, the path of a record or a body.

/** A line of the log: a request that was answered (`key` is the id of its key), or an internal error. */
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
  const head = `{"time":"${timeOf(now)}","level":"${entry.level}","id":${JSON.stringify(entry.id)}`
  if (entry.level === 'error') return `${head},"message":${JSON.stringify(entry.message)}}\n`
  const { method, route, status, ms, account, key, code } = entry
  const asked = `"method":${quoted(method)},"route":${quoted(route)},"status":${status},"ms":${ms}`
  const maybe = (name: string, word: string | undefined): string =>
    word === undefined ? '' : `,"${name}":${quoted(word)}`
  return `${head},${asked}${maybe('account', account)}${maybe('key', key)}${maybe('code', code)}}\n`
}

/** The words that come again and again, as JSON. */
const known = new Map<string, string>()
const mostKnown = 10_000

function quoted(word: string): string {
  let text = known.get(word)
  if (text === undefined) {
    text = JSON.stringify(word)
    if (known.size >= mostKnown) known.clear()
    known.set(word, text)
  }
  return text
}

let last = { at: NaN, time: '' }

/** An instant in ISO 8601; lines that are written together share one. */
function timeOf(at: number): string {
  if (last.at !== at) last = { at, time: new Date(at).toISOString() }
  return last.time
}
