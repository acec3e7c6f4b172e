// Writes a workbook piece by piece: rows become XML as they come, and few of them are in memory.
import { once } from 'node:events'
import { PassThrough, pipeline, Readable, type Writable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { ZipFile } from 'yazl'
import type { WorkbookCell, WorkbookColumn, WorkbookSheet } from '../command/workbook.ts'
import { mostRows } from './limits.ts'
import { packageParts, sheetName, sheetPath, type NamedSheet } from './packageparts.ts'
import { rowWriter, sheetHead, sheetTail, stylesXml } from './sheetxml.ts'

/** A file for bytes that wait. */
export interface Waiting {
  /** Throws `output_failed`. */
  readonly append: (bytes: Uint8Array) => void
  readonly read: () => AsyncIterable<Uint8Array>
  readonly close: () => void
}

/** What a workbook is written with. */
export interface Making {
  /** Takes the bytes of the file in their order. Throws `output_failed`. */
  readonly write: (bytes: Uint8Array) => void
  /** An empty temporary file. Throws `output_failed`. */
  readonly temporary: () => Waiting
  readonly version: string
  /** The time of the workbook, ms UTC. */
  readonly now: number
}

/** A workbook that is being written. */
export interface WorkbookFile {
  /** Begins a sheet, which ends before the next one begins, unless it is `aside`: then several can grow at once. */
  readonly sheet: (name: string, columns: readonly WorkbookColumn[], aside?: boolean) => WorkbookSheet
  /** How many texts were cut, because Excel takes no longer ones. */
  readonly cut: () => number
  /** Writes what comes after the sheets. Throws what `write` throws. */
  readonly end: () => Promise<void>
  /** Frees what the workbook holds; ends a write that waits. */
  readonly close: () => void
}

/** Rows that are held back until the columns have widths. */
const sampled = 200

/** Text that goes on its way at once, characters; and bytes of a sheet at most, below what a zip file holds. */
const [piece, largestSheet] = [65_536, 3.5 * 2 ** 30]

/** The XML of one sheet on its way; `end` returns its path inside the file. */
interface Part {
  readonly write: (xml: string) => Promise<void>
  readonly end: () => Promise<string>
  readonly bytes: () => number
}

/** A zip file on its way; what fails anywhere is thrown by the next call. */
interface Packing {
  readonly add: (path: string, content: Readable | string) => void
  /** Writes to a stream, and waits while it is full. */
  readonly push: (stream: Writable, bytes: Buffer) => Promise<void>
  readonly fail: (error: unknown) => void
  readonly check: () => void
  readonly end: () => Promise<void>
  readonly close: () => void
}

function packing(write: Making['write'], mtime: Date): Packing {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let failure: { readonly error: unknown } | undefined
  let wake: () => void = () => undefined
  const fail = (error: unknown): void => {
    failure ??= { error }
    wake()
  }
  const check = (): void => {
    if (failure !== undefined) throw failure.error
  }
  zip.on('error', fail)
  output.on('error', fail)
  const pouring = (async () => {
    for await (const bytes of output) {
      if (failure !== undefined) return
      write(bytes as Uint8Array)
    }
  })().catch(fail)
  return {
    add: (path, content) =>
      typeof content === 'string'
        ? zip.addBuffer(Buffer.from(content), path, { mtime })
        : zip.addReadStream(content, path, { mtime }),
    push: async (stream, bytes) => {
      check()
      if (!stream.write(bytes))
        await new Promise<void>((resolve) => {
          wake = resolve
          stream.once('drain', resolve)
        })
      check()
    },
    fail,
    check,
    end: async () => {
      check()
      zip.end()
      await Promise.race([pouring, new Promise<void>((resolve) => (wake = resolve))])
      check()
    },
    close: () => {
      fail(new Error('the workbook is closed'))
      output.destroy()
    },
  }
}

/** The bytes of a temporary file, up to a failure: then it may be closed, and its descriptor another file's. */
async function* kept(spool: Waiting, { check }: Packing): AsyncGenerator<Uint8Array> {
  for await (const bytes of spool.read()) {
    yield bytes
    check()
  }
}

/** What a temporary file holds, unpacked. A file that is closed meanwhile fails the workbook, and not shipx. */
function unpacked(spool: Waiting, zip: Packing): Readable {
  const unpacker = createGunzip()
  pipeline(Readable.from(kept(spool, zip)), unpacker, (error) => {
    if (error != null) zip.fail(error)
  })
  return unpacker
}

/** Opens a workbook. */
export function openWorkbookFile({ write, temporary, version, now }: Making): WorkbookFile {
  const zip = packing(write, new Date(now))
  const names: string[] = []
  const written: NamedSheet[] = []
  const spools: Waiting[] = []
  let [open, added, cut] = [0, 0, 0]

  const counting = (stream: Writable, end: Part['end']): Part => {
    let bytes = 0
    return {
      write: async (xml) => {
        const content = Buffer.from(xml)
        bytes += content.length
        await zip.push(stream, content)
      },
      end,
      bytes: () => bytes,
    }
  }
  /** Adds a sheet to the file, and returns its path. */
  const add = (stream: Readable): string => {
    const path = sheetPath(added++)
    zip.add(path, stream)
    return path
  }
  /** A sheet that goes into the file as it comes. */
  const straight = (): Part => {
    const stream = new PassThrough()
    open++
    const path = add(stream)
    return counting(stream, async () => {
      open--
      stream.end()
      return path
    })
  }
  /** A sheet that waits packed in a temporary file, until it is whole. */
  const aside = (): Part => {
    const spool = temporary()
    spools.push(spool)
    const packer = createGzip({ level: 1 })
    packer.on('data', (bytes: Buffer) => {
      try {
        // As in `kept`.
        zip.check()
        spool.append(bytes)
      } catch (error) {
        zip.fail(error)
      }
    })
    return counting(packer, async () => {
      packer.end()
      await once(packer, 'end')
      zip.check()
      return add(unpacked(spool, zip))
    })
  }

  return {
    sheet: (name, columns, apart = false) =>
      sheetOf(columns, {
        // Two at once would wait for each other.
        part: () => (apart || open > 0 ? aside() : straight()),
        // The first sheet to begin is the first of the workbook, unless it grows aside.
        first: () => !apart && names.length === 1,
        name: () => {
          names.push(sheetName(name, names))
          return names.at(-1)!
        },
        ended: (sheet) => void written.push(sheet),
        cut: () => void cut++,
      }),
    cut: () => cut,
    end: async () => {
      for (const [path, xml] of packageParts(written, version, new Date(now).toISOString())) zip.add(path, xml)
      zip.add('xl/styles.xml', stylesXml)
      await zip.end()
    },
    close: () => {
      zip.close()
      for (const spool of spools.splice(0)) spool.close()
    },
  }
}

/** What a sheet needs from its workbook. */
interface Place {
  readonly part: () => Part
  readonly name: () => string
  readonly first: () => boolean
  readonly ended: (sheet: NamedSheet) => void
  readonly cut: () => void
}

/** A sheet; where one has no more room, another with the same name and a number goes on. */
function sheetOf(columns: readonly WorkbookColumn[], place: Place): WorkbookSheet {
  const writer = rowWriter(columns, place.cut)
  let held: (readonly WorkbookCell[])[] | undefined = []
  let part: Part | undefined
  let name = ''
  let rows = 0
  const begin = async (sample: readonly (readonly WorkbookCell[])[]): Promise<Part> => {
    name = place.name()
    const begun = place.part()
    rows = 1
    await begun.write(sheetHead(columns, sample, place.first()) + writer.header())
    return begun
  }
  const finish = async (): Promise<void> => {
    await part!.write(sheetTail(columns.length, rows))
    const path = await part!.end()
    place.ended({ name, path, columns: columns.length, lastRow: rows })
    part = undefined
  }
  const put = async (some: readonly (readonly WorkbookCell[])[]): Promise<void> => {
    let xml = ''
    for (const row of some) {
      part ??= await begin(some.slice(0, sampled))
      xml += writer.row(row, ++rows)
      const full = rows === mostRows || part.bytes() > largestSheet
      if (xml.length < piece && !full) continue
      await part.write(xml)
      xml = ''
      if (full) await finish()
    }
    if (xml !== '') await part!.write(xml)
  }
  const release = async (): Promise<void> => {
    const sample = held ?? []
    held = undefined
    part ??= await begin(sample)
    await put(sample)
  }
  return {
    add: async (more) => {
      if (held === undefined) return put(more)
      for (const row of more) held.push(row)
      if (held.length >= sampled) await release()
    },
    end: async () => {
      if (held !== undefined) await release()
      if (part !== undefined) await finish()
    },
  }
}
