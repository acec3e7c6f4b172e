// The other side of P8, a program of its own: a CSV through csv-parse to CSV again, with no work in between. What writes is
// our own writer, since csv-stringify is not among the libraries of the project; it is the faster of the two (docs).
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { csvWriter } from '../../src/cli/files/csv.ts'

const writer = csvWriter({ raw: false, excel: false, tsv: false })

/** Copies a CSV to standard output, a row at a time as the streams of csv-stringify do. */
export function copyCsv(path: string, out: NodeJS.WritableStream): Promise<void> {
  const write = new Transform({
    writableObjectMode: true,
    transform: (cells: readonly string[], _, done) => done(null, writer.row(cells)),
  })
  return pipeline(createReadStream(path), parse({ bom: true }), write, out, { end: false })
}

await copyCsv(process.argv[2]!, process.stdout)
