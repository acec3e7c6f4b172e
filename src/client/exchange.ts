// What is sent in one exchange with a deployment and what comes back, as types.
import type { BaseUrl } from './baseurl.ts'
import type { CutLines, ProvenLines } from './recordtext.ts'
import type { Timeouts } from './networkerrors.ts'

/** One request and what came back, for `--debug` and `--curl`: the key is never in it. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** With `authorization` as `Bearer <redacted>` or `<redacted>`. */
  readonly request_headers: Readonly<Record<string, string>>
  /** JSON, or undefined. */
  readonly request_body: string | undefined
  /** The fields of a form; a file is `@name (1,234 bytes)`. */
  readonly request_form: Readonly<Record<string, string>> | undefined
  /** Undefined when no answer came. */
  readonly status: number | undefined
  readonly answer_headers: Readonly<Record<string, string>>
  /** The first 2,000 characters. */
  readonly answer_text: string
  /** What went wrong on the way, when something did. */
  readonly error: string | undefined
  readonly ms: number
  /** From 1. */
  readonly attempt: number
}

/** A file of a form. */
export interface File {
  readonly bytes: Uint8Array
  readonly name: string
  readonly type: string
}

/** A request to be sent. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the prefix of the base URL, encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: string
  readonly form?: Readonly<Record<string, string | File>>
  /** Whether it changes nothing: only such a request follows redirects. */
  readonly reads: boolean
  readonly signal?: AbortSignal | undefined
  /** Called when the headers of a success have arrived, and again with its bytes. */
  readonly early?: ((headers: Headers, bytes: Buffer | undefined) => void) | undefined
  /** Whether records one on each line are an answer, if the service prefers them. */
  readonly lines?: boolean
  /** Whether it may use the connections of a walk in lines: the first question of one, and those for lines. */
  readonly inWalk?: boolean
}

/** An answer with a status of success. `json` is undefined for an empty body only. */
export interface Answer {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  readonly text: () => string
  /** Its value, in which whole numbers that a number cannot hold are text. */
  readonly json: unknown
  /** The elements of its `data` as they were sent, where they could be told apart while it was parsed. */
  readonly records?: readonly string[]
  /** The same, one on each line. */
  readonly lines?: Uint8Array
  /** The records of an answer that is one record on each line, instead of `json`. */
  readonly listed?: CutLines
}

export type Headers = Readonly<Record<string, string | undefined>>

/** What one try is made with. */
export interface TransportOptions {
  readonly baseUrl: BaseUrl
  /** The value of the Authorization header. */
  readonly authorization: string
  /** ms UTC. */
  readonly now: () => number
  readonly timeouts: Timeouts
  readonly ca: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes the key out of a text. */
  readonly clean: (text: string) => string
  readonly trace: ((entry: Exchange) => void) | undefined
  /** Called with the headers of every answer that is JSON or has no content. */
  readonly seen: (headers: Headers, success: boolean) => void
}

/** The outcome of one request: `status` is 0 when no answer had started. */
export interface RawAnswer {
  readonly sent: boolean
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Whether the body is known to be ASCII. */
  readonly ascii?: boolean
  /** Takes the memory of the body back for another answer, once nothing reads it any more. */
  readonly release?: () => void
  /** Its lines that were proven while it arrived. */
  readonly proven?: ProvenLines | undefined
  readonly error: Error | undefined
}
