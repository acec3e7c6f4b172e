// The signature of a program for macOS, without a certificate ("ad hoc"): a Mac with an Apple processor starts no
// program without one. No package for npm makes it elsewhere than on a Mac. The format is that of Apple's cs_blobs.h
// (xnu/osfmk/kern/cs_blobs.h), with the one part that ld also writes: the list of hashes of the file's pages.
import { createHash } from 'node:crypto'

/** Load commands, by their numbers in mach-o/loader.h. */
const [segment64, codeSignature] = [0x19, 0x1d]
const headerBytes = 32
const commandBytes = 16

/** The numbers of the signature (big-endian): the list of its parts, and the list of hashes. */
const [superBlob, codeDirectory] = [0xfade0cc0, 0xfade0c02]
const superBlobBytes = 20
const directoryBytes = 88
const hashBytes = 32
/** The version of the list of hashes, from which on it names the code that runs. */
const version = 0x20400
/** Without a certificate, and made by a tool that links. */
const flags = 0x20002
const mainBinary = 1
const pageBits = 12
const page = 1 << pageBits
/** The pages of memory of an Apple processor. */
const memoryPage = 16_384

const up = (bytes: number, to: number): number => Math.ceil(bytes / to) * to

interface LoadCommand {
  readonly kind: number
  readonly at: number
  readonly size: number
}

/** The load commands of a program (64 bits, little-endian). Throws for any other file. */
export function commandsOf(file: Buffer): readonly LoadCommand[] {
  if (file.readUInt32LE(0) !== 0xfeedfacf) throw new Error('this is no program for macOS with 64 bits')
  const commands: LoadCommand[] = []
  let at = headerBytes
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const size = file.readUInt32LE(at + 4)
    commands.push({ kind: file.readUInt32LE(at), at, size })
    at += size
  }
  return commands
}

/** A name of at most 16 bytes; shorter ones end with zeros. */
const nameAt = (file: Buffer, at: number): string => file.toString('latin1', at, at + 16).split('\0', 1)[0]!

/** A segment of a program. */
function segmentOf(
  file: Buffer,
  name: string,
): { readonly at: number; readonly offset: number; readonly size: number } {
  const found = commandsOf(file).find(({ kind, at }) => kind === segment64 && nameAt(file, at + 8) === name)
  if (found === undefined) throw new Error(`the program has no segment ${name}`)
  const { at } = found
  return { at, offset: Number(file.readBigUInt64LE(at + 40)), size: Number(file.readBigUInt64LE(at + 48)) }
}

/** Where the first section begins in the file: load commands end before it. */
function firstSection(file: Buffer): number {
  const offsets = commandsOf(file)
    .filter(({ kind }) => kind === segment64)
    .flatMap(({ at }) => Array.from({ length: file.readUInt32LE(at + 64) }, (_, i) => at + 72 + i * 80))
    .map((section) => file.readUInt32LE(section + 48))
  return Math.min(...offsets.filter((offset) => offset > 0))
}

/** The place of the load command of the signature; a program that has none gets one. */
function signatureCommand(file: Buffer): number {
  const commands = commandsOf(file)
  const found = commands.find(({ kind }) => kind === codeSignature)
  if (found !== undefined) return found.at
  const last = commands.at(-1)!
  const at = last.at + last.size
  if (at + commandBytes > firstSection(file)) throw new Error('the program has no room for a signature')
  file.writeUInt32LE(codeSignature, at)
  file.writeUInt32LE(commandBytes, at + 4)
  file.writeUInt32LE(commands.length + 1, 16)
  file.writeUInt32LE(file.readUInt32LE(20) + commandBytes, 20)
  return at
}

/** The program with a signature of its bytes; an earlier one goes. `identifier` is the program's name in it. */
export function signed(program: Buffer, identifier: string): Buffer {
  const linkedit = segmentOf(program, '__LINKEDIT')
  const old = commandsOf(program).find(({ kind }) => kind === codeSignature)
  const end = old === undefined ? linkedit.offset + linkedit.size : program.readUInt32LE(old.at + 8)
  const limit = up(end, 16)
  const slots = Math.ceil(limit / page)
  const hashes = directoryBytes + identifier.length + 1
  const length = superBlobBytes + hashes + slots * hashBytes
  const whole = Buffer.alloc(limit + up(length, 16))
  program.copy(whole, 0, 0, end)
  const command = signatureCommand(whole)
  whole.writeUInt32LE(limit, command + 8)
  whole.writeUInt32LE(whole.length - limit, command + 12)
  // The signature lies at the end of the last segment.
  whole.writeBigUInt64LE(BigInt(up(whole.length - linkedit.offset, memoryPage)), linkedit.at + 32)
  whole.writeBigUInt64LE(BigInt(whole.length - linkedit.offset), linkedit.at + 48)
  const text = segmentOf(whole, '__TEXT')
  const numbers = [
    [superBlob, length, 1, 0, superBlobBytes],
    [codeDirectory, length - superBlobBytes, version, flags, hashes, directoryBytes, 0, slots, limit],
    // 32 bytes a hash, of SHA-256; no platform; the size of a page.
    [(hashBytes << 24) | (2 << 16) | pageBits],
    // Nothing scattered, no team, no limit beyond 32 bits.
    [0, 0, 0, 0, 0, 0],
    // The code that runs: where it begins and ends, 64 bits each, and that it is the main program's.
    [0, text.offset, 0, text.size, 0, mainBinary],
  ].flat()
  numbers.forEach((number, i) => whole.writeUInt32BE(number, limit + i * 4))
  whole.write(`${identifier}\0`, limit + superBlobBytes + directoryBytes, 'latin1')
  pageHashes(whole, limit).forEach((hash, i) => hash.copy(whole, limit + superBlobBytes + hashes + i * hashBytes))
  return whole
}

/** The hashes of the pages before `limit`. */
function pageHashes(file: Buffer, limit: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(limit / page) }, (_, i) =>
    createHash('sha256')
      .update(file.subarray(i * page, Math.min((i + 1) * page, limit)))
      .digest(),
  )
}

/** How many pages of a signed program have another hash than its signature says. Throws where there is no signature. */
export function alteredPages(file: Buffer): number {
  const command = commandsOf(file).find(({ kind }) => kind === codeSignature)
  if (command === undefined) throw new Error('the program has no signature')
  const at = file.readUInt32LE(command.at + 8)
  const parts = Array.from({ length: file.readUInt32BE(at + 8) }, (_, i) => at + file.readUInt32BE(at + 16 + i * 8))
  const directory = parts.find(
    (part) =>
      file.readUInt32BE(part) === codeDirectory && file[part + 36] === hashBytes && file[part + 39] === pageBits,
  )
  if (file.readUInt32BE(at) !== superBlob || directory === undefined)
    throw new Error('the signature has no list of hashes')
  const hashes = directory + file.readUInt32BE(directory + 16)
  const limit = file.readUInt32BE(directory + 32)
  return pageHashes(file, limit).filter(
    (hash, i) => !hash.equals(file.subarray(hashes + i * hashBytes, hashes + (i + 1) * hashBytes)),
  ).length
}
