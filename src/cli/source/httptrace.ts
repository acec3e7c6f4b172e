// What went over the wire, for --debug (the key redacted, people's data masked, only headers that are known to be
// harmless) and as a curl command for --curl.
import { maskBody } from '../../client/redact.ts'
import type { Exchange } from '../../client/exchange.ts'
import { safe, safeJson } from '../terminal/safe.ts'

/** Headers that are shown; whatever else a service sends may be a secret. */
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

/** Characters of a body that are shown. */
const shownBody = 1000

const bodyLine = (text: string, mark: string): readonly string[] =>
  text === '' ? [] : [`${mark} ${safe(maskBody(text).slice(0, shownBody))}${text.length > shownBody ? '…' : ''}`]

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

/** Text as one word of a POSIX shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request of an exchange as a command that runs where `SHIPX_API_KEY` holds the key. */
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
    // `--form-string` takes a value as it is; a file is named as it was, without its size.
    const file = /^@(.*) \([\d,]+ bytes\)$/s.exec(value)?.[1]
    parts.push(file === undefined ? `--form-string ${word(`${name}=${value}`)}` : `-F ${word(`${name}=@${file}`)}`)
  }
  return safe(parts.join(' '))
}
