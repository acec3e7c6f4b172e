// `shipx shipments get` for several: references out of arguments or a file, answered in their order, those that nobody knows
// named at the end; finds nothing itself.
import { invalid, ShipxError, type Fault } from '../../domain/errors.ts'
import { bulkPace, paceFrom } from '../bulkpace.ts'
import { missingArgument, refuse, type Context } from '../context.ts'
import { unguard } from '../csv.ts'
import { readText } from '../files.ts'
import { text } from '../flags.ts'
import { shipmentKind } from '../listed.ts'
import { lookUpShipments } from '../lookup.ts'
import { checkShape, printer } from '../printer.ts'
import { progress } from '../progress.ts'
import { sourceOf } from '../source.ts'

/** A reference and the line that it is on, where it comes out of a file. */
interface Reference {
  readonly name: string
  readonly line: number | undefined
}

/** The largest file of references, bytes. */
const mostBytes = 64 * 1024 * 1024

/** Headers that a column of references may have. */
const headers: ReadonlySet<string> = new Set(['awb', 'awbs', 'awb number', 'awb_code', 'tracking number', 'tracking_number', 'shipment', 'id', 'order', 'order id', 'order_id']) // prettier-ignore

const clean = (cell: string): string =>
  unguard(cell.trim().replace(/^"(.*)"$/, (_, inside: string) => inside.replaceAll('""', '"'))).trim()

/** One reference a line; empty lines and a header are left out. */
function referencesIn(file: string): readonly Reference[] {
  const lines = file.replace(/^\ufeff/, '').split(/\r\n|[\n\r]/)
  const all = lines.map((line, i) => ({ name: clean(line), line: i + 1 })).filter(({ name }) => name !== '')
  return all[0] !== undefined && headers.has(all[0].name.toLowerCase()) ? all.slice(1) : all
}

/** Prints the shipments of all references, in their order; throws `partial` or `not_found` with those that are missing. */
export async function getMany(context: Context): Promise<number> {
  const { args, flags, io } = context
  const path = text(flags, 'file')
  const faults: Fault[] = []
  if (path !== undefined && args.length > 0)
    faults.push({ field: '--file', message: 'and <shipment> exclude each other' })
  if (path === undefined && args.every((arg) => clean(arg) === '')) faults.push(missingArgument(context, 'shipment'))
  const pace = paceFrom(flags)
  faults.push(...pace.faults)
  refuse(context, faults)
  checkShape(context, shipmentKind.view)
  const given =
    path === undefined
      ? args.map((arg) => ({ name: clean(arg), line: undefined })).filter(({ name }) => name !== '')
      : referencesIn(await readText(io, path, mostBytes, '--file'))
  if (given.length === 0) throw invalid([{ field: '--file', message: 'has no tracking number, id or order id' }])
  const source = await sourceOf(context, 'read', bulkPace(pace.value.per_second))
  let stopped = false
  const quieten = io.onInterrupt(() => {
    stopped = true
  })
  const shown = await progress(context, 'Looking up', given.length)
  const out = printer(context, shipmentKind.view)
  const missing: Reference[] = []
  try {
    let batch: string[] = []
    let at = 0
    for await (const records of lookUpShipments(
      source,
      given.map(({ name }) => name),
      pace.value.concurrency,
    )) {
      // prettier-ignore
      if (records.length === 0) missing.push(given[at]!)
      at++
      batch.push(...records)
      await shown.advance(1)
      if (batch.length >= 100) {
        await out.batch(batch)
        batch = []
      }
      if (stopped) break
    }
    if (missing.length === given.length) throw notThere(missing, given.length)
    await out.batch(batch)
    await out.end()
    if (stopped && at < given.length)
      throw new ShipxError('interrupted', `stopped after ${at} of ${given.length}; the rest begins with ${given[at]!.name}`) // prettier-ignore
  } finally {
    quieten()
    await shown.end()
    await source.close()
  }
  if (missing.length > 0) throw notThere(missing, given.length)
  return 0
}

function notThere(missing: readonly Reference[], all: number): ShipxError {
  const details = missing.map(({ name, line }) => ({ field: null, message: name, row: line ?? null }))
  return missing.length === all
    ? new ShipxError('not_found', all === 1 ? 'there is no such shipment' : `none of the ${all} shipments was found`, { details }) // prettier-ignore
    : new ShipxError('partial', `${missing.length} of ${all} shipments not found`, { details })
}
