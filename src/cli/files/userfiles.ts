// Files that the user names: read once and to a limit, written whole or not at all.
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ShipxError, invalid, type Fault, messageOf } from '../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../domain/filelimit.ts'
import type { Io } from '../terminal/io.ts'
import { count } from '../../domain/count.ts'
import { safe } from '../terminal/safe.ts'
import { workbookIn } from './foreignfiles.ts'
import { renameOver } from './openelsewhere.ts'

/**
 * The fault of a file that cannot be used, for the flag or argument that named it. Throws `too_many_files`, which is
 * not a fault of the file.
 */
export function fileFault(field: string, path: string, error: unknown): Fault {
  if (saysTooManyFiles(error)) throw tooManyFiles(safe(path), error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why =
    code === 'ENOENT'
      ? 'there is no such file'
      : code === 'EACCES'
        ? 'it may not be read'
        : code === 'EISDIR'
          ? 'it is a folder'
          : messageOf(error)
  return field === '<file>' ? { field: safe(path), message: why } : { field, message: `${safe(path)}: ${why}` }
}

/**
 * The bytes of a regular file of at most `limit` bytes, read from one descriptor so that it cannot change under the
 * check. Throws `invalid_input` naming `field`, with `rule` when it is larger.
 */
export function readBytes(path: string, limit: number, field: string, rule = ''): Uint8Array {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw invalid([fileFault(field, path, error)])
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw invalid([{ field, message: `${safe(path)}: it is not a regular file` }])
    const bytes = new Uint8Array(Math.min(found.size, limit) + 1)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    if (length > limit)
      throw invalid([{ field, message: `${safe(path)}: it has more than ${count(limit)} bytes${rule}` }])
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

/** The text of a file, or of standard input for `-`, as UTF-8. Throws `invalid_input`. */
export async function readText(io: Io, path: string, limit: number, field: string): Promise<string> {
  return textOf(await readWhole(io, path, limit, field), path, field)
}

/** The bytes of a file, or of standard input for `-`. Throws `invalid_input`. */
export const readWhole = async (io: Io, path: string, limit: number, field: string): Promise<Uint8Array> =>
  path === '-' ? await readInput(io, limit, field) : readBytes(path, limit, field)

/** Bytes as text in UTF-8. Throws `invalid_input` for a workbook and for another encoding. */
export function textOf(bytes: Uint8Array, path: string, field: string): string {
  const workbook = workbookIn(bytes)
  if (workbook !== undefined) throw invalid([{ field, message: `${safe(path)}: it is ${workbook}` }])
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid([{ field, message: `${safe(path)}: it is not UTF-8 text; save it as UTF-8` }])
  }
}

async function readInput(io: Io, limit: number, field: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of io.stdin.bytes()) {
    length += chunk.length
    if (length > limit) throw invalid([{ field, message: `standard input has more than ${count(limit)} bytes` }])
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A file that is being written: it is in its place once it is finished, and not before. */
export interface WholeFile {
  /** Throws `output_failed`, as `finish` does. */
  readonly write: (content: string | Uint8Array) => void
  /** Syncs it and puts it in its place; `before` is done right before that, with the path that it has until then. */
  readonly finish: (before?: (written: string) => void) => void
  /** Takes away what was written, unless it was finished. */
  readonly close: () => void
  /** Whether it is in its place. */
  readonly placed: () => boolean
}

/** Throws `invalid_input` for a file that is there and may not be replaced, or whose folder is missing. */
export function checkPlace(path: string, force: boolean, field: string): void {
  if (existsSync(path) && !force)
    throw invalid([{ field, message: `${safe(path)} is there already; --force replaces it` }])
  if (!existsSync(dirname(path))) throw invalid([{ field, message: `${safe(dirname(path))}: there is no such folder` }])
}

/**
 * Opens a file that is written whole or not at all: a temporary one next to it, synced, then renamed. Throws what
 * `checkPlace` throws, and `output_failed`.
 */
export function openWhole(path: string, force: boolean, field: string): WholeFile {
  checkPlace(path, force, field)
  const temporary = join(dirname(path), `.shipx-${process.pid}-${Math.trunc(performance.now() * 1000)}.tmp`)
  let descriptor: number | undefined
  let [placed, finished] = [false, false]
  const shut = (): void => {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
  const close = (): void => {
    shut()
    if (!finished) rmSync(temporary, { force: true })
    finished = true
  }
  const failing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      close()
      throw new ShipxError('output_failed', `${safe(path)} could not be written: ${messageOf(error)}`, { cause: error })
    }
  }
  const opened = failing(() => openSync(temporary, 'wx', 0o600))
  descriptor = opened
  return {
    write: (content) =>
      failing(() => {
        if (descriptor === undefined) throw new Error('it is closed')
        const bytes = typeof content === 'string' ? Buffer.from(content) : content
        // A disk that fills up may take a part of it.
        for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at)
      }),
    finish: (before) =>
      failing(() => {
        if (descriptor === undefined) throw new Error('it is closed')
        fsyncSync(opened)
        // Windows renames nothing that is open.
        shut()
        before?.(temporary)
        renameOver(temporary, path)
        placed = finished = true
      }),
    placed: () => placed,
    close,
  }
}

/**
 * Looks now whether a file can be written later, for content that takes long to make: nothing lies beside its place
 * meanwhile. Returns what writes it whole; both throw what `openWhole` throws.
 */
export function wholeLater(
  { io }: { readonly io: Pick<Io, 'onInterrupt'> },
  path: string,
  force: boolean,
  field: string,
): (content: string) => void {
  /** Lets no signal end shipx in the middle: these milliseconds are too short to be stopped. */
  const whole = (work: () => void): void => {
    const quieten = io.onInterrupt(() => undefined)
    try {
      work()
    } finally {
      quieten()
    }
  }
  whole(() => openWhole(path, force, field).close())
  return (content) => whole(() => writeWhole(path, content, force, field))
}

/** Writes a file whole. Throws what `openWhole` throws. */
export function writeWhole(path: string, content: string | Uint8Array, force: boolean, field: string): void {
  const file = openWhole(path, force, field)
  file.write(content)
  file.finish()
}
