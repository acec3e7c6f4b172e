// A ZIP file of evidence, written piece by piece: one file of it is in memory at a time.
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of a ZIP; its content is asked for when it is written. */
export interface ZipPart {
  readonly name: string
  readonly content: () => Uint8Array
}

/** Writes a ZIP with these files. Throws what `write` throws. */
export async function zipTo(
  write: (bytes: Uint8Array) => Promise<void>,
  mtime: Date,
  parts: readonly ZipPart[],
): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  for (const { name, content } of parts)
    zip.addReadStreamLazy(name, { mtime }, (take) => {
      void import('node:stream').then(({ Readable: stream }) => take(null, stream.from([Buffer.from(content())])))
    })
  zip.end()
  for await (const bytes of output) await write(bytes as Uint8Array)
}
