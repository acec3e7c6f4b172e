// HTTP exchanges as text: for --debug (the key redacted, personal data masked, only harmless headers), and as a curl
// command for --curl.
import { maskBody } from '../../client/redact.ts'
import type { Exchange } from '../../client/exchange.ts'
import { safe, safeJson } from '../terminal/safe.ts'

/** Headers that --debug shows; any other header of a service may hold a secret. */
const shownHeaders = [
  'content-type',
  'content-length',
  'retry-after',
  'location',
  'idempotency-key',
  'idempotency-replayed',
  'shipx-capabilities',
  'shipx-error',
  'shipx-error-fields',
  'shipx-quote',
  'x-request-id',
  'date',
  'server',
  'via',
]

const headerLines = (headers: Readonly<Record<string, string | undefined>>, mark: string): readonly string[] =>
  shownHeaders.flatMap((name) => (headers[name] === undefined ? [] : [`${mark} ${name}: ${safe(headers[name])}`]))

/** Characters of a body that --debug shows, and how many it masks first: a mask is shorter than what it hides. */
const shownBody = 1000
const maskedBody = 64 * shownBody

const bodyLine = (text: string, mark: string): readonly string[] =>
  text === ''
    ? []
    : [`${mark} ${safe(maskBody(text.slice(0, maskedBody)).slice(0, shownBody))}${text.length > shownBody ? '…' : ''}`]

/** An exchange as lines for --debug. */
export function exchangeText(exchange: Exchange): string {
  const { method, url, request_headers: asked, request_body: body, request_form: form, status } = exchange
  const failed = exchange.error === undefined ? '' : `, ${safe(exchange.error)}`
  const lines = [
    `> ${method} ${safe(url)}${exchange.attempt > 1 ? ` (try ${exchange.attempt})` : ''}`,
    `> authorization: ${asked['authorization'] ?? ''}`,
    ...headerLines(asked, '>'),
    ...bodyLine(form === undefined ? (body ?? '') : JSON.stringify(form), '>'),
    status === undefined
      ? `< no answer after ${Math.round(exchange.ms)} ms: ${safe(exchange.error ?? '')}`
      : `< ${status} after ${Math.round(exchange.ms)} ms${failed}`,
    ...headerLines(exchange.answer_headers, '<'),
    ...bodyLine(exchange.answer_text, '<'),
  ]
  return lines.map((line) => `[debug] ${line}\n`).join('')
}

/** Text quoted as one word for a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request of an exchange as a curl command; `SHIPX_API_KEY` must hold the key. */
export function curlOf({
  method,
  url,
  request_headers: asked,
  request_body: body,
  request_form: form,
}: Exchange): string {
  const bearer = (asked['authorization'] ?? '').startsWith('Bearer')
  const parts = [
    `curl -X ${method} ${word(url)}`,
    `-H "Authorization: ${bearer ? 'Bearer ' : ''}$SHIPX_API_KEY"`,
    ...['idempotency-key'].flatMap((name) =>
      asked[name] === undefined ? [] : [`-H ${word(`${name}: ${asked[name]}`)}`],
    ),
  ]
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json'`, `--data-raw ${word(safeJson(body))}`)
  for (const [name, value] of Object.entries(form ?? {})) {
    // `--form-string` sends a value literally. A file keeps its name and loses the size that the trace added.
    const file = /^@(.*) \([\d,]+ bytes\)$/s.exec(value)?.[1]
    parts.push(file === undefined ? `--form-string ${word(`${name}=${value}`)}` : `-F ${word(`${name}=@${file}`)}`)
  }
  return safe(parts.join(' '))
}
