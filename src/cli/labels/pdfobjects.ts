// The objects of a PDF as they are written one after another, and the table of their places at its end.
import { deflateSync } from 'node:zlib'

/** Writes objects; each has its number before it is written, or when it is. */
export interface PdfObjects {
  /** The number of an object that comes later. */
  readonly numbered: () => number
  readonly object: (number: number, body: string) => void
  /** An object with bytes, packed; `entries` are those of its dictionary besides their length. */
  readonly stream: (number: number, entries: string, bytes: Uint8Array) => void
  /** Hands on what waits, once it is much. */
  readonly flow: () => Promise<void>
  /** Writes the table of places. */
  readonly end: (catalog: number, info: number) => Promise<void>
}

/** Bytes that are written at once. */
const piece = 262_144

/** Rows of the table that are made at once. */
const rowsAtOnce = 5000

/** Opens the objects of a file whose first numbers are taken. */
export function pdfObjects(write: (bytes: Uint8Array) => Promise<void>, taken: number): PdfObjects {
  /** Where each object begins, by its number. */
  const places = Array.from({ length: taken + 1 }, () => 0)
  let [size, held] = [0, 0]
  let waiting: Uint8Array[] = []
  const add = (bytes: Uint8Array | string): void => {
    const part = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    waiting.push(part)
    held += part.length
    size += part.length
  }
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, held)
    ;[waiting, held] = [[], 0]
    if (bytes.length > 0) await write(bytes)
  }
  // The second line says to programs that move files that this one is not text.
  add('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n')
  return {
    numbered: () => places.push(0) - 1,
    object: (number, body) => {
      places[number] = size
      add(`${number} 0 obj\n${body}\nendobj\n`)
    },
    stream: (number, entries, bytes) => {
      const packed = deflateSync(bytes)
      places[number] = size
      add(`${number} 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode${entries} >>\nstream\n`)
      add(packed)
      add('\nendstream\nendobj\n')
    },
    flow: async () => {
      if (held >= piece) await flush()
    },
    end: async (catalog, info) => {
      const table = size
      add(`xref\n0 ${places.length}\n0000000000 65535 f \n`)
      for (let from = 1; from < places.length; from += rowsAtOnce) {
        const rows = places.slice(from, from + rowsAtOnce)
        add(rows.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join(''))
        await flush()
      }
      add(`trailer\n<< /Size ${places.length} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${table}\n%%EOF\n`)
      await flush()
    },
  }
}
