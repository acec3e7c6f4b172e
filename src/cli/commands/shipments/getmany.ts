// `shipx shipments get` for several references, from arguments or a file. Prints in their order and lists the missing
// ones at the end.
import { invalid, ShipxError } from '../../../domain/errors.ts'
import { bulkPace } from '../../source/pace.ts'
import { paceOptions } from '../../args/pace.ts'
import { word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { inFile } from '../../command/flags.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { shipmentKind } from '../../listings/listing.ts'
import { lookUpShipments } from '../../listings/lookup.ts'
import { argumentNames, argumentsOf, referencesIn, type Asked } from '../../listings/namedshipments.ts'
import { afterSome } from '../../output/aftersome.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'

/** Prints the shipments of all references in order. Throws `partial` or `not_found` with the missing ones. */
export const getMany = verb({ file: word, sheet: word, ...paceOptions }, async (context, options) => {
  const { file: path, sheet, concurrency, max_rps } = options
  const { args } = context
  const names = argumentNames(args)
  const none = path === undefined && names.length === 0
  refuse(context, [
    ...(none ? [missingArgument(context, 'shipment')] : []),
    ...(path === undefined && sheet !== undefined ? [{ field: '--sheet', message: 'goes with --file' }] : []),
  ])
  checkShape(context, shipmentKind.view)
  growHeapSlowly()
  const asked = path === undefined ? argumentsOf(args) : referencesIn(context, path, sheet)
  const all = path === undefined ? names.length : undefined
  return withSource(context, 'read', (source) => lookUpAll(context, source, asked, concurrency, all), bulkPace(max_rps))
})

/** Items until they fail: `failed` then gets the error, and throws one. */
async function* untilFailure<T>(
  items: AsyncIterable<T>,
  failed: (error: unknown) => Promise<never>,
): AsyncGenerator<T, void> {
  try {
    yield* items
  } catch (error) {
    await failed(error)
  }
}

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
  let [count, found] = [0, 0]
  let batch: string[] = []
  const failed = async (error: unknown): Promise<never> => {
    // A file is written whole or not at all.
    if (found === 0 || inFile(context.format)) throw error
    await out.batch(batch)
    await out.end()
    if (missing.length > 0 && missing.length < count) await context.warn(notThere(missing, count).message)
    throw afterSome(error, count, ['name', 'names'])
  }
  try {
    const answers = lookUpShipments(source, asked, concurrency)
    for await (const { reference, records } of untilFailure(answers, failed)) {
      if (stopped) {
        await out.batch(batch)
        await out.end()
        throw interrupted(count, reference)
      }
      count++
      if (records.length === 0) missing.push(reference)
      found += records.length
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

const interrupted = (count: number, { name, line, counts = 'line' }: Asked): ShipxError =>
  new ShipxError(
    'interrupted',
    `stopped after ${count}; the rest starts with ${name}${line === undefined ? '' : ` in ${counts} ${line}`}`,
  )

function notThere(missing: readonly Asked[], all: number): ShipxError {
  const details = missing.map(({ name, line, counts = 'line' }) => ({
    field: null,
    message: name,
    row: line ?? null,
    counts,
  }))
  return missing.length === all
    ? new ShipxError('not_found', all === 1 ? 'there is no such shipment' : `none of the ${all} shipments was found`, {
        details,
      })
    : new ShipxError('partial', `${missing.length} of ${all} shipments not found`, { details, status: 404 })
}
