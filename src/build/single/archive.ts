// Archives whose bytes depend on their files alone: no clock, no user, no order of a disk.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ZipFile } from 'yazl'

/** A file of an archive. */
export interface Entry {
  /** Its path in the archive. */
  readonly name: string
  /** Where it is now. */
  readonly path: string
  readonly runs: boolean
}

/** The time of every file: the one that npm gives the files of a package, s. */
const madeAt = 499_162_500

const block = 512
const modeOf = ({ runs }: Entry): number => (runs ? 0o755 : 0o644)

/** A tar of files (ustar), compressed. Throws for a name of more than 100 characters. */
export function tarGz(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const bytes = readFileSync(entry.path)
    return [tarHead(entry, bytes.length), bytes, Buffer.alloc((block - (bytes.length % block)) % block)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * block)]))
}

function tarHead(entry: Entry, size: number): Buffer {
  if (entry.name.length > 100) throw new Error(`${entry.name} is too long a name for the archive`)
  const head = Buffer.alloc(block)
  const octal = (value: number, at: number, digits: number): void => {
    head.write(value.toString(8).padStart(digits, '0'), at, 'latin1')
  }
  head.write(entry.name, 0, 'utf8')
  octal(modeOf(entry), 100, 7)
  for (const owner of [108, 116]) octal(0, owner, 7)
  octal(size, 124, 11)
  octal(madeAt, 136, 11)
  head.write('0', 156)
  head.write('ustar\u000000', 257, 'latin1')
  // The sum counts its own place as blanks.
  head.fill(' ', 148, 156)
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  head[154] = 0
  return head
}

/** A ZIP of files. */
export async function zip(entries: readonly Entry[]): Promise<Buffer> {
  const file = new ZipFile()
  // A ZIP has the time of the day and no zone: so it is the same everywhere.
  const mtime = new Date(1985, 9, 26, 8, 15)
  for (const entry of entries) {
    file.addBuffer(readFileSync(entry.path), entry.name, {
      mtime,
      mode: 0o100000 | modeOf(entry),
      forceDosTimestamp: true,
    })
  }
  file.end()
  const parts: Buffer[] = []
  for await (const part of file.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
