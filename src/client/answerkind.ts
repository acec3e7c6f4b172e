// What an answer is, as far as that shows without knowing the endpoint: a value, a refusal, or not an answer of the
// service.
import { ShipxError } from '../domain/errors.ts'
import { readRetryAfter } from '../domain/retryafter.ts'
import { errorFrom, headers as own, isTransient, linesType, nextFrom } from '../domain/wire.ts'
import { parsedJson, printableType, type Body } from './body.ts'
import type { Answer, Headers } from './exchange.ts'
import { badAnswer, failedTry, type FailedTry } from './networkerrors.ts'
import { cutLines, cutPage, lastIdIn, outline, type CutLines, type ProvenLines } from './recordtext.ts'

/** A response that has arrived whole, and where it came from. */
export interface Response {
  readonly origin: string
  readonly status: number
  readonly headers: Headers
  readonly content: Body
  /** Takes the memory of its bytes back. */
  readonly release: (() => void) | undefined
  /** Its lines that were proven while it arrived. */
  readonly proven: ProvenLines | undefined
  /** ms UTC. */
  readonly now: number
  /** Whether records one on each line were asked for. */
  readonly lines: boolean
}

/** What a response is; `seen` is called when it speaks JSON or has no content (204), with whether it is a success. */
export function answerIn(response: Response, seen: (headers: Headers, success: boolean) => void): Answer | FailedTry {
  const { origin, status, headers, content } = response
  const success = status >= 200 && status < 300
  if (status === 204) seen(headers, success)
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (success && type === linesType && response.lines) return linesIn(response, seen)
  const isJson = type === '' || /[/+]json$/.test(type)
  const page = success && isJson ? cutPage(content.bytes) : undefined
  if (page !== undefined) {
    seen(headers, success)
    return { ok: true, status, headers, text: content.text, ...page }
  }
  const text = content.text()
  const html = isHtml(type, text)
  // Found out before it is parsed: a value for each of a million levels is a lot of memory.
  const { cut, deep, crowded } = outline(text)
  const parsed = html || deep || crowded ? undefined : parsedJson(text)
  if (parsed !== undefined) seen(headers, success)
  if (!success) return refusal(response, html, parsed?.value)
  if (text.trim() === '') return { ok: true, status, headers, text: content.text, json: undefined }
  const bad = (message: string, again = false): FailedTry =>
    failedTry(badAnswer(origin, message), { effect: 'unknown', passing: again })
  if (html) return bad('answered with an HTML page, probably a proxy, a sign-in page or a wrong address')
  if (!isJson) return bad(`answered with ${printableType(type)} instead of JSON`)
  if (deep) return bad('answered with JSON that is nested too deep')
  if (crowded) return bad('answered with more values than any answer of the service has')
  if (parsed === undefined) return cut ? bad('broke off its answer', true) : bad('sent something that is not JSON')
  return { ok: true, status, headers, text: content.text, json: parsed.value }
}

/** Records one on each line, each judged as a page's are, and whether all of them have come. */
function linesIn(
  { origin, status, headers, content, release, proven }: Response,
  seen: (headers: Headers, success: boolean) => void,
) {
  const listed = cutLines(content.bytes, release, proven)
  const fault = typeof listed === 'string' ? listed : faultAtEnd(listed, headers)
  if (typeof listed === 'object' && fault === undefined) {
    seen(headers, true)
    return { ok: true, status, headers, text: content.text, json: undefined, listed } as const
  }
  const bad = badAnswer(origin, badLines[fault!])
  return failedTry(bad, { effect: 'unknown', passing: fault === 'cut' })
}

/**
 * Whether lines are missing at the end, as far as their headers tell: a connection may end an answer between two lines.
 * `readLines` refuses headers that do not say where the walk goes on.
 */
function faultAtEnd({ count, lines }: CutLines, headers: Headers): 'cut' | 'open' | undefined {
  const onward = nextFrom(headers[own.next])
  if (onward === undefined) return undefined
  if (onward.next !== undefined) return count > 0 && lastIdIn(lines) === onward.next[1] ? undefined : 'cut'
  const open = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
  return count > 0 && open ? 'open' : undefined
}

const badLines = {
  cut: 'broke off its answer',
  open: 'sent lines that may not be all: they have neither their length nor the id of the last one',
  deep: 'answered with JSON that is nested too deep',
  crowded: 'answered with more values than any answer of the service has',
  other: 'sent a line that is not a record',
} as const

const isHtml = (type: string, text: string): boolean =>
  type === 'text/html' ||
  type === 'application/xhtml+xml' ||
  /^<(?:!doctype|html|head|body)\b/i.test(text.slice(0, 200).trimStart())

function refusal({ origin, status, headers, content, now }: Response, html: boolean, body: unknown): FailedTry {
  const asked = readRetryAfter(headers['retry-after'], headers['date'], now)
  const parts = asked === undefined ? {} : { retry_after_ms: asked }
  const flags = {
    effect: status >= 500 || status === 408 || status === 303 ? 'unknown' : 'none',
    passing: isTransient(status),
  } as const
  if (html && status !== 401 && status !== 403) {
    const code = status === 429 ? 'rate_limited' : status >= 500 || status === 408 ? 'unavailable' : 'bad_answer'
    const message = `${origin} answered ${status} with an HTML page, probably a proxy or a wrong address`
    return failedTry(new ShipxError(code, message, { status, hint: 'shipx auth status', ...parts }), flags)
  }
  if (status < 400)
    return failedTry(badAnswer(origin, `answered ${status}, which is not an answer of this service`), flags)
  // Only the first line: the rest of a text is a page or a stack.
  const line = html
    ? ''
    : content
        .text()
        .slice(0, 2_000)
        .trim()
        .split(/[\r\n]/)[0]!
  return failedTry(errorFrom({ status, headers, body, text: line, ...parts }), flags)
}
