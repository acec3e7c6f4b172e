// `shipx shipments get` for several references, from arguments or a file. Prints in their order and lists the missing
// ones at the end.
import { invalid, ShipxError } from '../../../domain/errors.ts'
import { bulkPace } from '../../source/pace.ts'
import { paceOptions } from '../../args/pace.ts'
import { word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { unguard } from '../../files/csv.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { readLines } from '../../files/jsonlines.ts'
import { shipmentKind } from '../../listings/listing.ts'
import { lookUpShipments, type Reference } from '../../listings/lookup.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'

/** A reference, and its line when it comes from a file. */
interface Asked extends Reference {
  readonly line: number | undefined
}

/** Possible headers of a column of references. */
const headers: ReadonlySet<string> = new Set([
  'awb',
  'awbs',
  'awb no',
  'awb number',
  'awb code',
  'tracking no',
  'tracking number',
  'shipment',
  'id',
  'order',
  'order no',
  'order number',
  'order id',
])

/** A reference as it is written, without quotes, and without the mark that spreadsheets put before digits. */
const clean = (cell: string): string =>
  unguard(cell.trim().replace(/^"(.*)"$/, (_, inside: string) => inside.replaceAll('""', '"')))
    .trim()
    .replace(/^'(?=\d)/, '')

const isHeader = (cell: string): boolean =>
  headers.has(
    cell
      .toLowerCase()
      .replaceAll(/[\s._-]+/g, ' ')
      .trim(),
  )

/** One reference a line; skips empty lines and a header. */
async function* referencesIn(lines: AsyncIterable<string>): AsyncGenerator<Asked> {
  let [line, first] = [0, true]
  for await (const text of lines)
    for (const cell of text.split('\r')) {
      line++
      const name = clean(line === 1 ? cell.replace(/^\ufeff/, '') : cell)
      if (name === '') continue
      if (!first || !isHeader(name)) yield { name, line }
      first = false
    }
}

async function* argumentsOf(args: readonly string[]): AsyncGenerator<Asked> {
  for (const name of args.map(clean)) if (name !== '') yield { name, line: undefined }
}

/** Prints the shipments of all references in order. Throws `partial` or `not_found` with the missing ones. */
export const getMany = verb({ file: word, ...paceOptions }, async (context, { file: path, concurrency, max_rps }) => {
  const { args, io } = context
  const none = path === undefined && args.every((arg) => clean(arg) === '')
  refuse(context, none ? [missingArgument(context, 'shipment')] : [])
  checkShape(context, shipmentKind.view)
  growHeapSlowly()
  const asked = path === undefined ? argumentsOf(args) : referencesIn(readLines(io, path, '--file'))
  const all = path === undefined ? args.length : undefined
  return withSource(context, 'walk', (source) => lookUpAll(context, source, asked, concurrency, all), bulkPace(max_rps))
})

/** Looks up references and prints the found shipments as they come; `all` is their number when known. */
async function lookUpAll(
  context: Context,
  source: Source,
  asked: AsyncIterable<Asked>,
  concurrency: number,
  all: number | undefined,
): Promise<number> {
  let stopped = false
  const quieten = context.io.onInterrupt(() => {
    stopped = true
  })
  const shown = await progress(context, 'Looking up', all)
  const out = printer(context, shipmentKind.view)
  const missing: Asked[] = []
  let count = 0
  try {
    let batch: string[] = []
    for await (const { reference, records } of lookUpShipments(source, asked, concurrency)) {
      if (stopped) {
        await out.batch(batch)
        await out.end()
        throw interrupted(count, reference)
      }
      count++
      if (records.length === 0) missing.push(reference)
      batch.push(...records)
      await shown.advance(1)
      if (batch.length < atOnce) continue
      await out.batch(batch)
      batch = []
    }
    if (count === 0) throw invalid([{ field: '--file', message: 'has no tracking number, id or order id' }])
    if (missing.length === count) throw notThere(missing, count)
    await out.batch(batch)
    await out.end()
  } finally {
    quieten()
    await shown.end()
  }
  if (missing.length > 0) throw notThere(missing, count)
  return 0
}

/** How many records are printed at once. */
const atOnce = 25

const interrupted = (count: number, { name, line }: Asked): ShipxError =>
  new ShipxError(
    'interrupted',
    `stopped after ${count}; the rest starts with ${name}${line === undefined ? '' : ` in line ${line}`}`,
  )

function notThere(missing: readonly Asked[], all: number): ShipxError {
  const details = missing.map(({ name, line }) => ({ field: null, message: name, row: line ?? null }))
  return missing.length === all
    ? new ShipxError('not_found', all === 1 ? 'there is no such shipment' : `none of the ${all} shipments was found`, {
        details,
      })
    : new ShipxError('partial', `${missing.length} of ${all} shipments not found`, { details })
}
