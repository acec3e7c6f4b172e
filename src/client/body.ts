// Bodies of requests and answers: forms, compression, JSON.
import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { FormData } from 'undici'
import { parseExact } from '../domain/exactjson.ts'
import { AbandonedTry, maxAnswerBytes } from './networkerrors.ts'
import type { File, Headers, RawAnswer } from './exchange.ts'

/* ---- Bodies ---- */

export async function formOf(form: Readonly<Record<string, string | File>>): Promise<FormData> {
  const { FormData } = await import('undici')
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, new Blob([value.bytes as Uint8Array<ArrayBuffer>], { type: value.type }), value.name)
  }
  return data
}

export const formForTrace = (form: Readonly<Record<string, string | File>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `@${value.name} (${value.bytes.byteLength.toLocaleString('en-IN')} bytes)`,
    ]),
  )

/** The content of an answer, decoded. */
export interface Body {
  readonly bytes: Buffer
  /** Its text, made on the first call: of a page in our own service's form only the bytes are read. */
  readonly text: () => string
  readonly error: Error | undefined
}

export const bodyOf = (bytes: Buffer, error?: Error): Body => {
  let text: string | undefined
  return {
    bytes,
    // Bytes that are not text are shown, but never read.
    text: () => (text ??= error === undefined ? new TextDecoder().decode(bytes) : bytes.toString('latin1')),
    error,
  }
}

export const noBytes = Buffer.alloc(0)

const [gunzipped, inflated, unbrotlied] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)]

/**
 * The content of a body, up to `maxAnswerBytes` from a compressed one. A body that cannot be decoded is no error where
 * the status already refuses.
 */
export async function contentOf({ status, body, headers, ascii = false }: RawAnswer): Promise<Body> {
  const got = await decoded(body, headers, ascii)
  return status >= 200 && status < 300 ? got : { ...got, error: undefined }
}

async function decoded(body: Buffer, headers: Headers, ascii: boolean): Promise<Body> {
  const limit = { maxOutputLength: maxAnswerBytes }
  let bytes = body
  try {
    const codings = (headers['content-encoding'] ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== 'identity')
    if (codings.length > 2) return bodyOf(noBytes, new AbandonedTry('not_http'))
    for (const coding of codings.toReversed()) {
      if (bytes.length === 0) break
      if (coding === 'gzip' || coding === 'x-gzip') bytes = await gunzipped(bytes, limit)
      else if (coding === 'deflate') bytes = await inflated(bytes, limit)
      else if (coding === 'br') bytes = await unbrotlied(bytes, limit)
      else return bodyOf(noBytes, new AbandonedTry('not_http'))
    }
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    return bodyOf(noBytes, code === 'ERR_BUFFER_TOO_LARGE' ? new AbandonedTry('too_large') : (error as Error))
  }
  return (ascii && bytes === body) || isUtf8(bytes) ? bodyOf(bytes) : bodyOf(bytes, new AbandonedTry('not_text'))
}

export function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExact(text) }
  } catch {
    return undefined
  }
}

export const printableType = (type: string): string => type.replace(/[^\x21-\x7e]/g, '').slice(0, 60) || 'something'
