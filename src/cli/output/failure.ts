// A failure as users see it: lines for people, or one line of JSON under --json and --jsonl.
import { ShipxError, type Fault, messageOf } from '../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../domain/filelimit.ts'
import type { Paint } from '../terminal/screen.ts'
import { jsonText, safe, safeText } from '../terminal/safe.ts'

/** Any error as a ShipxError: another error is a fault inside shipx, unless the limit of open files caused it. */
export function failureOf(error: unknown): ShipxError {
  if (error instanceof ShipxError && error.code === 'too_many_files') return error
  if (saysTooManyFiles(error)) return tooManyFiles(pathIn(error), error)
  if (error instanceof ShipxError) return error
  const message = messageOf(error)
  return new ShipxError('internal', `something went wrong inside shipx: ${message}`, {
    cause: error,
    hint: 'run it again with --debug and report what it says',
  })
}

/** The file that the system names in an error or in its cause. */
function pathIn(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++)
    if ('path' in current && typeof current.path === 'string') return safe(current.path)
  return undefined
}

/** The whole message in one line, each input fault with its name. */
function oneLine({ code, message, details }: ShipxError): string {
  if (code !== 'invalid_input' || details.length === 0) return message
  const faults = details.map((fault) => named(nameOf(fault), fault.message.replaceAll('\n', ' '))).join('; ')
  return details.length === 1 ? faults : `${details.length} things to fix: ${faults}`
}

/** The failure as one line of JSON (docs/reference/errors.md). */
export function failureJson(error: ShipxError): string {
  const body = {
    code: error.code,
    message: oneLine(error),
    status: error.status,
    details: error.details.map((fault) => ({ field: fault.field, message: fault.message, row: fault.row ?? null })),
    hint: error.hint ?? null,
    retryable: error.retryable,
    retry_after_ms: error.retry_after_ms ?? null,
    exit_code: error.exit,
  }
  return `${jsonText({ error: body })}\n`
}

/** The failure for people: what happened, each fault under its flag, and one next step. */
export function failureText(error: ShipxError, paint: Paint, ascii: boolean): string {
  const [cross, arrow] = ascii ? ['x', '->'] : ['✗', '→']
  const lines =
    error.code === 'invalid_input'
      ? faultLines(error.details, paint, cross)
      : [`${paint.red(cross)} ${lined(error.message, 2)}`]
  if (error.code !== 'invalid_input' && error.details.length > 0) {
    // Do not repeat a sentence that the message contains; a bare name or number may be in it by chance.
    const said = ({ message }: Fault): boolean => message.includes(' ') && error.message.includes(message)
    for (const fault of error.details) if (!said(fault)) lines.push(`  ${faultText(fault)}`)
  }
  if (error.hint !== undefined) lines.push(`${arrow} ${safe(error.hint)}`)
  return `${lines.join('\n')}\n`
}

/** Text with our own line breaks, and a list of words on a line of its own; everything else is made safe. */
const lined = (text: string, indent: number): string =>
  safeText(text.replace(/ (?=One of: )/, '\n')).replaceAll('\n', `\n${' '.repeat(indent)}`)

const nameOf = (fault: Fault): string =>
  [fault.row == null ? '' : `${fault.counts ?? 'line'} ${fault.row}`, fault.field ?? '']
    .filter((part) => part !== '')
    .join(' ')

/** A message after its name; without a colon when the name starts the sentence (`--limit and --page …`). */
const named = (name: string, message: string): string =>
  name === '' ? message : `${name}${/^(and|or) --/.test(message) ? '' : ':'} ${message}`

const faultText = (fault: Fault): string => named(safe(nameOf(fault)), lined(fault.message, 2))

function faultLines(faults: readonly Fault[], paint: Paint, cross: string): string[] {
  if (faults.length === 1) return [`${paint.red(cross)} ${faultText(faults[0]!)}`]
  const width = Math.max(...faults.map((fault) => nameOf(fault).length))
  return [
    `${paint.red(cross)} ${faults.length} things to fix`,
    ...faults.map((fault) => `  ${safe(nameOf(fault)).padEnd(width)}  ${lined(fault.message, width + 4)}`),
  ]
}

/** The chain of causes, for --debug. */
export function stackOf(error: unknown): string {
  const parts: string[] = []
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++)
    parts.push(current.stack ?? current.message)
  return safeText(parts.join('\ncaused by '))
}
