// Archives whose bytes depend on their files alone: no clock, no user, no order of a disk.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'

/** A file of an archive. */
export interface Entry {
  /** Its path in the archive. */
  readonly name: string
  /** Where it is now. */
  readonly path: string
  readonly runs: boolean
}

/** The time of every file: the one that npm gives the files of a package. */
const madeAt = new Date(499_162_500_000)

const modeOf = ({ runs }: Entry): number => (runs ? 0o755 : 0o644)

/** A tar of files, compressed. */
export async function tarGz(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const entry of entries)
    archive.entry({ name: entry.name, mode: modeOf(entry), mtime: madeAt }, readFileSync(entry.path))
  archive.finalize()
  return gzipSync(await wholeOf(archive))
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
  return wholeOf(file.outputStream)
}

async function wholeOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
