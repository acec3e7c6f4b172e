// Reads one HTTP/1.1 answer (RFC 9112) out of the bytes of a connection, as strictly as Node does.
import { AbandonedTry } from './networkerrors.ts'

/** Headers with their names in lower case; of a repeated one all values. */
type AnswerHeaders = Record<string, string | string[]>

/** What an answer is made of, in the order of its arrival. */
export interface AnswerParts {
  /** Called for an interim answer (1xx) too. */
  readonly head: (status: number, headers: AnswerHeaders) => void
  /** The bytes are the caller's: they hold during the call. */
  readonly body: (bytes: Buffer) => void
}

/** An answer that is read. */
export interface AnswerReader {
  /** Reads on; returns whether the answer is whole. Throws `AbandonedTry` for what is no answer or no body. */
  readonly read: (bytes: Buffer) => boolean
  /** Bytes of the body that come next with nothing else between them; 0 where that is not known. */
  readonly bodyLeft: () => number
  /** Whether the answer is whole when its connection ends here. */
  readonly wholeAtEnd: () => boolean
  /** Whether the connection can take another request, once the answer is whole. */
  readonly stays: () => boolean
}

/** The longest head, and the longest line that a chunk begins with, in bytes. */
const [longestHead, longestLine] = [16_384, 1_024]

/** Lines after the last chunk. */
const mostTrailers = 100

const lineBreak = '\r\n'

/** What comes next: the head, bytes up to a length, a chunk and what is around it, all until the connection ends. */
type Expected = 'head' | 'length' | 'size' | 'chunk' | 'after' | 'trailers' | 'rest' | 'nothing'

export function answerReader(parts: AnswerParts): AnswerReader {
  let expected: Expected = 'head'
  let [left, trailers, stays] = [0, 0, true]
  const text = textReader()

  /** Reads one element; returns the place after it. */
  function element(bytes: Buffer, at: number): number {
    if (expected === 'rest') {
      parts.body(bytes.subarray(at))
      return bytes.length
    }
    if (expected === 'length' || expected === 'chunk') {
      const end = Math.min(bytes.length, at + left)
      left -= end - at
      if (left === 0) expected = expected === 'length' ? 'nothing' : 'after'
      parts.body(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
      return end
    }
    const inHead = expected === 'head'
    const after = text.read(bytes, at, inHead ? lineBreak + lineBreak : lineBreak, inHead ? longestHead : longestLine)
    if (after === undefined) {
      if (inHead && !'HTTP/1.'.startsWith(text.held().slice(0, 7))) throw new AbandonedTry('not_http')
      return bytes.length
    }
    if (inHead) begin(text.taken())
    else line(text.taken())
    return after
  }

  function begin(head: string): void {
    const { version, status, headers } = headIn(head)
    const [length, coding, connection] = ['content-length', 'transfer-encoding', 'connection'].map(
      (name) => headers[name] && String(headers[name]).toLowerCase(),
    )
    if (status === 101 || (coding !== undefined && (coding !== 'chunked' || length !== undefined)))
      throw new AbandonedTry('not_http')
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new AbandonedTry('not_http')
    if (status >= 200) {
      left = Number(length ?? 0)
      const named = (connection ?? '').split(',').map((name) => name.trim())
      stays = version === '1' ? !named.includes('close') : named.includes('keep-alive')
      if (status === 204 || status === 304 || (length !== undefined && left === 0)) expected = 'nothing'
      else expected = length !== undefined ? 'length' : coding !== undefined ? 'size' : 'rest'
    }
    parts.head(status, headers)
  }

  /** A line around chunks. */
  function line(said: string): void {
    if (expected === 'size') {
      const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(said) ?? []
      if (size === undefined) throw new AbandonedTry('broken')
      left = Number.parseInt(size, 16)
      expected = left === 0 ? 'trailers' : 'chunk'
    } else if (expected === 'after') {
      if (said !== '') throw new AbandonedTry('broken')
      expected = 'size'
    } else if (said === '') expected = 'nothing'
    else if (++trailers > mostTrailers) throw new AbandonedTry('broken')
  }

  return {
    read: (bytes) => {
      let at = 0
      while (at < bytes.length && expected !== 'nothing') at = element(bytes, at)
      // Bytes that nobody asked for.
      if (at < bytes.length) stays = false
      return expected === 'nothing'
    },
    bodyLeft: () => (expected === 'length' ? left : 0),
    wholeAtEnd: () => expected === 'rest' || expected === 'nothing',
    stays: () => stays && expected === 'nothing',
  }
}

/** Reads texts up to a mark, which may come in pieces. */
function textReader() {
  let held = Buffer.alloc(0)
  let taken = ''
  return {
    /** The place after the mark; undefined, and the bytes are held, where it has not come yet. */
    read: (bytes: Buffer, at: number, mark: string, most: number): number | undefined => {
      const rest = bytes.subarray(at)
      const all = held.length === 0 ? rest : Buffer.concat([held, rest])
      const end = all.indexOf(mark, 0, 'latin1')
      if ((end === -1 ? all.length : end) > most) throw new AbandonedTry(most === longestHead ? 'not_http' : 'broken')
      if (end === -1) {
        held = Buffer.from(all)
        return undefined
      }
      const after = at + end + mark.length - held.length
      taken = all.toString('utf8', 0, end)
      held = Buffer.alloc(0)
      return after
    },
    taken: () => taken,
    held: () => held.toString('latin1', 0, 16),
  }
}

/** The first line of an answer, and one of its headers: neither has control characters. */
const firstLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: (?:\t|\P{Cc})*)?$/u
const headerLine = /^([\w!#$%&'*+.^`|~-]+):((?:\t|\P{Cc})*)$/u

/** The parts of a head without the empty line at its end. */
function headIn(head: string): { readonly version: string; readonly status: number; readonly headers: AnswerHeaders } {
  const [first, ...lines] = head.split(lineBreak)
  const [, version, status] = firstLine.exec(first!) ?? []
  if (version === undefined) throw new AbandonedTry('not_http')
  const headers = Object.create(null) as AnswerHeaders
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined) throw new AbandonedTry('not_http')
    const [key, said] = [name.toLowerCase(), value!.trim()]
    const before = headers[key]
    headers[key] = before === undefined ? said : [before, said].flat()
  }
  return { version, status: Number(status), headers }
}
