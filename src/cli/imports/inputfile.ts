// The file of an import: opened once and read as often as needed. Every reading returns the same bytes or fails
// (docs/guides/sheets.md).
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { ShipxError, invalid } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { workbookKind } from '../files/foreignfiles.ts'
import { fileFault } from '../files/userfiles.ts'
import { safe } from '../terminal/safe.ts'
import { bytesAt, openTempFile } from '../files/tempfile.ts'

/** One reading of the file from its start. */
export interface Reading {
  readonly bytes: () => AsyncIterable<Uint8Array>
  /** SHA-256 of the bytes read so far, in hexadecimal. */
  readonly digest: () => string
}

/** An import's file. */
export interface InputFile {
  /** The path as typed; - for standard input. */
  readonly path: string
  /** The path as people see it. */
  readonly shown: string
  /** The folder of relative paths in the file. */
  readonly folder: string
  readonly read: () => Reading
  readonly close: () => void
}

/** Reads the start of a file as far as it needs. Throws when it refuses the file. */
export type Look = (bytes: () => AsyncIterable<Uint8Array>) => Promise<void>

/**
 * Opens the file, or stages standard input. `look` checks standard input as it arrives, so that shipx does not wait for
 * the rest of a file with a wrong header. Throws `invalid_input` naming `field`, `output_failed`, and what `look`
 * throws.
 */
export async function openInputFile(context: Context, path: string, field: string, look: Look): Promise<InputFile> {
  const about = {
    path,
    shown: path === '-' ? 'standard input' : safe(basename(path)),
    folder: path === '-' ? '.' : dirname(path),
  }
  if (path === '-') return { ...about, ...(await putAside(context, context.io.stdin.bytes(), look)) }
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw invalid([fileFault(field, path, error)])
  }
  const found = fstatSync(descriptor)
  if (found.isDirectory()) {
    closeSync(descriptor)
    throw invalid([{ field, message: `${safe(path)}: it is a folder` }])
  }
  // Stage a pipe, because it can be read only once.
  if (!found.isFile())
    return { ...about, ...(await putAside(context, createReadStream(path, { fd: descriptor }), look)) }
  return {
    ...about,
    read: () => hashed(() => bytesAt(descriptor)),
    close: () => closeSync(descriptor),
  }
}

/** The error of a file that changed between two readings. */
export const changed = (shown: string): ShipxError =>
  new ShipxError('invalid_file', `${shown} was changed while it was being checked; nothing was sent`, {
    hint: 'run the command again',
  })

/** The largest staged input and its longest line, bytes: endless input must not fill the disk. */
const [mostAside, longestLine] = [4_000_000_000, 4_194_304]

async function putAside(context: Context, source: AsyncIterable<Uint8Array>, look: Look) {
  const temporary = openTempFile(context)
  let lengthOf: ((chunk: Uint8Array) => number) | undefined
  const chunks = source[Symbol.asyncIterator]()
  /** Stages and returns the next bytes; undefined at the end. */
  const take = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await chunks.next()
    if (done === true) return undefined
    lengthOf ??= workbookKind(value) === undefined ? lineMeter() : () => 0
    if (lengthOf(value) > longestLine)
      throw new ShipxError('invalid_file', 'a line is longer than 4 MB', {
        hint: 'CSV has a row on each line, JSON Lines an object',
      })
    temporary.append(Buffer.from(value))
    if (temporary.size() > mostAside)
      throw new ShipxError('invalid_file', 'there is more than 4 GB of it', {
        hint: 'write it to a file and name that, or import it in parts',
      })
    return value
  }
  try {
    await look(async function* () {
      for (let chunk = await take(); chunk !== undefined; chunk = await take()) yield chunk
    })
    while ((await take()) !== undefined);
  } catch (error) {
    temporary.close()
    await chunks.return?.()
    throw error
  }
  return { read: () => hashed(temporary.read), close: temporary.close }
}

/** Measures the longest line so far of text that arrives in pieces, bytes. */
function lineMeter(): (chunk: Uint8Array) => number {
  let [open, longest] = [0, 0]
  return (chunk) => {
    for (const byte of chunk) {
      open = byte === 0x0a || byte === 0x0d ? 0 : open + 1
      if (open > longest) longest = open
    }
    return longest
  }
}

function hashed(bytes: () => AsyncIterable<Uint8Array>): Reading {
  const hash = createHash('sha256')
  return {
    bytes: async function* () {
      for await (const chunk of bytes()) {
        hash.update(chunk)
        yield chunk
      }
    },
    digest: () => hash.copy().digest('hex'),
  }
}
