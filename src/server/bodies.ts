// Request bodies: JSON and multipart, counted while they stream, with a limit for everything (docs/reference/http.md).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ShipxError, invalid, type Fault } from '../domain/errors.ts'
import { jsonTextFault } from '../domain/jsonlimits.ts'
import { maxLogoBytes, type Logo } from '../domain/stores.ts'

/** Every limit of a request and of a page: bytes, ms, and numbers of parts. */
export const limits = {
  json: 1_048_576,
  /** A whole multipart body: a logo of 2 MB and the other fields. */
  form: 3_145_728,
  /** The records of a page together, unless it is one record. */
  page: 4_194_304,
  headers: 8192,
  headersMs: 10_000,
  requestMs: 30_000,
  /**
   * A connection on which nothing moves while a request is under way: above all a client that does not read its answer.
   */
  silenceMs: 30_000,
  multipart: {
    fieldNameSize: 100,
    fieldSize: 10_000,
    fields: 20,
    files: 2,
    parts: 22,
    fileSize: maxLogoBytes + 1,
    headerPairs: 20,
  },
} as const

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Called with the bytes of a request's body that were read, also of one that is refused. */
export type CountBytes = (request: FastifyRequest, bytes: number) => void

/** Accepts JSON bodies; anything else but multipart is 415. */
export function addBodies(app: FastifyInstance, countBytes: CountBytes): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      countBytes(request, bytes.length)
      if (bytes.length === 0) return done(null, undefined)
      const text = decoder.decode(bytes as Buffer)
      const fault = jsonTextFault(text)
      if (fault !== undefined) throw invalid([{ field: null, message: `the body ${fault}` }])
      // Its type allows a promise; it calls back at once.
      void parse(request, text, (error, body) =>
        error === null ? done(null, body) : done(invalid([{ field: null, message: 'the body is not JSON' }])),
      )
    } catch (error) {
      done(error instanceof ShipxError ? error : invalid([{ field: null, message: 'the body is not UTF-8 text' }]))
    }
  })
}

/** How many bytes the body of a request takes in memory at most; 0 for one that its headers show to be too large. */
export function bodyBytes({ headers }: FastifyRequest): number {
  const limit = headers['content-type']?.startsWith('multipart/') === true ? limits.form : limits.json
  if (headers['transfer-encoding'] !== undefined) return limit
  const length = Number(headers['content-length'] ?? 0)
  return length > limit ? 0 : length
}

/**
 * The fields of a form with its logo. Throws `invalid_input`, `body_too_large` and `logo_too_large`.
 */
export async function formOf(request: FastifyRequest, countBytes: CountBytes): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limits.form) throw tooLarge()
  try {
    return await fieldsOf(request, countBytes)
  } catch (error) {
    // The form's own reader has no codes for forms that it cannot read, and those are the sender's fault.
    if (error instanceof ShipxError || (error as { readonly code?: unknown }).code !== undefined) throw error
    throw invalid([{ field: null, message: 'the form cannot be read' }])
  }
}

async function fieldsOf(request: FastifyRequest, countBytes: CountBytes): Promise<unknown> {
  let seen = 0
  request.raw.on('data', (bytes: Buffer) => {
    seen += bytes.length
    if (seen > limits.form) request.raw.destroy(tooLarge())
  })
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const faults: Fault[] = []
  try {
    for await (const part of request.parts()) {
      const { fieldname } = part
      if (fieldname in fields) faults.push({ field: fieldname, message: 'is sent twice' })
      if (part.type === 'field') {
        fields[fieldname] = part.value
        if (part.valueTruncated || part.fieldnameTruncated) faults.push({ field: fieldname, message: 'is too long' })
      } else if (fieldname === 'logo') {
        const logo: Logo = { bytes: await bytesOf(part.file), name: part.filename }
        // A form whose file was not chosen sends an empty one without a name.
        if (logo.bytes.byteLength > 0 || (logo.name ?? '') !== '') fields[fieldname] = logo
      } else {
        part.file.resume()
        faults.push({ field: fieldname, message: 'must not be a file' })
      }
    }
  } finally {
    countBytes(request, seen)
  }
  if (faults.length > 0) throw invalid(faults)
  return { ...fields }
}

/** The bytes of a logo, counted while they come; throws `logo_too_large`. */
async function bytesOf(file: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > maxLogoBytes) {
      const message = 'the logo has more than 2 MB (20,97,152 bytes)'
      throw new ShipxError('logo_too_large', message, { details: [{ field: 'logo', message }] })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): ShipxError => new ShipxError('body_too_large', 'the request body is too large')

/** The refusal of a body of another type. */
export const mediaType = (): ShipxError =>
  new ShipxError('media_type', 'the body must be application/json, or multipart/form-data for a store')
