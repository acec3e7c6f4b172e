// The files of evidence in the data folder, each once under its SHA-256, readable by their owner alone.
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../terminal/io.ts'
import { dataFolder, makeFolder } from './folders.ts'
import { openWhole, readBytes } from './userfiles.ts'

/** The largest file of evidence, bytes: couriers take no more by mail. */
export const largestEvidence = 20 * 2 ** 20

/** The kinds of files that couriers take, with their endings. */
const kinds: readonly (readonly [ending: string, starts: (bytes: Buffer) => boolean])[] = [
  ['jpg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ['webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['heic', (bytes) => /^ftyp(?:heic|heix|mif1|msf1)$/.test(bytes.toString('latin1', 4, 12))],
  ['mp4', (bytes) => /^ftyp(?:mp4|iso|avc|qt)/.test(bytes.toString('latin1', 4, 12))],
  ['pdf', (bytes) => bytes.toString('latin1', 0, 5) === '%PDF-'],
]

/** The ending of a file by its first bytes; undefined for what is no picture, film or PDF. */
export const evidenceKind = (bytes: Uint8Array): string | undefined =>
  kinds.find(([, starts]) => starts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))?.[0]

/** The folder of evidence. */
export const evidenceFolder = (io: Io): string => join(dataFolder(io), 'evidence')

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A file that the user names, read whole. Throws `invalid_input`. */
export function readEvidence(path: string): { readonly bytes: Uint8Array; readonly sha256: string } {
  const bytes = readBytes(path, largestEvidence, '<file>', '; make the picture smaller')
  return { bytes, sha256: sha256Of(bytes) }
}

/** Keeps a file in a folder; one that is whole there stays. Throws `output_failed`. */
export function keepIn(folder: string, sha256: string, bytes: Uint8Array): void {
  makeFolder(folder, 0o700)
  if (evidenceState(folder, sha256) === 'whole') return
  // Two that keep the same content at once write the same bytes.
  const file = openWhole(join(folder, sha256), true, '<file>')
  try {
    file.write(bytes)
    file.finish()
  } finally {
    file.close()
  }
}

/** A file of a folder; undefined where it is not there, or something has changed it. */
export function keptIn(folder: string, sha256: string): Uint8Array | undefined {
  const path = join(folder, sha256)
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: Infinity }
  if (size > largestEvidence) return undefined
  const bytes = readBytes(path, largestEvidence, '<file>')
  return sha256Of(bytes) === sha256 ? bytes : undefined
}

/** How a file is in a folder; `quick` takes one that is there for whole. */
export function evidenceState(folder: string, sha256: string, quick = false): 'whole' | 'missing' | 'changed' {
  if (!existsSync(join(folder, sha256))) return 'missing'
  return quick || keptIn(folder, sha256) !== undefined ? 'whole' : 'changed'
}

/** Keeps a file of evidence; one that is there already stays. Throws `output_failed`. */
export const putEvidence = (io: Io, sha256: string, bytes: Uint8Array): void =>
  keepIn(evidenceFolder(io), sha256, bytes)

/** A kept file; undefined where this computer does not have it, or something has changed it. */
export const keptEvidence = (io: Io, sha256: string): Uint8Array | undefined => keptIn(evidenceFolder(io), sha256)
