// `shipx serviceability`: which couriers deliver to which pincodes, with COD or without, and how soon.
import { defaultOrigin } from '../../config/profiles.ts'
import { count, counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import { istDate } from '../../../domain/time.ts'
import { bulkPace } from '../../source/pace.ts'
import { paceOptions, type Pace } from '../../args/pace.ts'
import { usedCard } from '../ratecards/cards.ts'
import { flag, pincode, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databaseThere } from '../../config/paths.ts'
import type { FlatRecord } from '../../output/flatprinter.ts'
import { eachOf, inOrder } from '../../listings/inorder.ts'
import { keepCouriers } from '../../help/names.ts'
import { oneLine, ofTheParcel } from './many/pricers.ts'
import { interrupted, pour, type Pouring, type Stop } from './many/stream.ts'
import { reachOfService, reachOnCard } from './many/coverage.ts'
import { checkShape } from '../../output/printer.ts'
import { openSheet } from '../../files/opensheet.ts'
import type { Sheet } from '../../files/sheet.ts'
import { isRemote, sourceOf } from '../../source/open.ts'
import {
  noun,
  goes,
  pincodeRecord,
  courierRecords,
  pincodeView,
  courierView,
  type Asked,
  type Found,
} from './reachviews.ts'

/** Totals so far. */
interface Counts {
  all: number
  served: number
  cod: number
  wrong: number
  first: Fault | undefined
}

const reachOptions = { couriers: flag, file: word, sheet: word, from: pincode, ...paceOptions }

/** Prints which couriers deliver to each pincode of a file or of the command line. */
const serviceability = verb(reachOptions, async (context, options) => {
  const { flags, io, args } = context
  const path = options.file
  const from = options.from ?? defaultOrigin(io, flags)
  const remote = await isRemote(context)
  const codes = args.map(readPincode)
  const faults: Fault[] = []
  if (from === undefined) faults.push({ field: '--from', message: 'is required: pickup pincode, 6 digits' })
  if (codes.length === 0 && path === undefined)
    faults.push({ field: '<pincode>', message: 'is required: pincodes, or --file with one on each line' })
  if (path === undefined && options.sheet !== undefined) faults.push({ field: '--sheet', message: 'goes with --file' })
  for (const code of codes) {
    const fault = wrongIn(code, remote)
    if (fault !== undefined) faults.push({ field: '<pincode>', message: fault })
  }
  refuse(context, faults)
  const each = options.couriers
  const view = each ? courierView : pincodeView
  checkShape(context, view)
  const counts: Counts = { all: 0, served: 0, cod: 0, wrong: 0, first: undefined }
  const today = istDate(io.host.now())
  const records = function* (found: Iterable<Found>): Generator<FlatRecord> {
    for (const one of found) {
      tally(counts, one)
      if (each) yield* courierRecords(one, today)
      else yield pincodeRecord(one, today)
    }
  }
  const sheet =
    path === undefined
      ? undefined
      : await openSheet(io, { path, field: '--file', columns: [], known: knownHeaders, sheet: options.sheet })
  const lines = linesOf(codes, sheet)
  const stopped = await pour(context, {
    view,
    doing: 'Looking up pincodes',
    noun,
    path,
    done: () => counts.all,
    ...(remote
      ? await fromService(context, lines, from!, options, records)
      : await onCard(context, lines, from!, records)),
  }).finally(sheet?.close)
  for (const note of sheet?.notes() ?? []) await context.note(note)
  const served = `${count(counts.served)} of ${counted(counts.all, ['pincode is', 'pincodes are'])} served`
  await context.note(`${served} from ${from!}, ${count(counts.cod)} with COD`)
  if (stopped) throw interrupted(counts.all, noun)
  if (counts.wrong > 0)
    throw new ShipxError(
      'partial',
      `${count(counts.wrong)} of ${count(counts.all)} lines ${counts.wrong === 1 ? 'has' : 'have'} no answer`,
      { details: [{ ...counts.first!, counts: sheet?.counts ?? 'line' }] },
    )
  return 0
})

type Records = (found: Iterable<Found>) => Iterable<FlatRecord>

type Ways = Pick<Pouring, 'batches' | 'close' | 'drains'>

/** Looks up pincodes on the card in use. */
async function onCard(
  context: Context,
  lines: AsyncIterable<readonly Asked[]>,
  from: string,
  records: Records,
): Promise<Ways> {
  const card = await usedCard(context)
  if (!context.flags.has('local') && databaseThere(context)) keepCouriers(context, card.services, 'all')
  const look = reachOnCard(card, from, context.io.host.now())
  const found = function* (batch: readonly Asked[]): Generator<Found> {
    for (const asked of batch)
      yield wrongOf(asked, false) ?? { ...asked, reach: look(asked.pincode), code: undefined, reason: undefined }
  }
  return {
    batches: async function* () {
      for await (const batch of lines) yield records(found(batch))
    },
    close: async () => undefined,
  }
}

/** Asks a deployment about pincodes, several at a time; starts no request after a stop. */
async function fromService(
  context: Context,
  lines: AsyncIterable<readonly Asked[]>,
  from: string,
  pace: Pace,
  records: Records,
): Promise<Ways> {
  const source = await sourceOf(context, 'read', bulkPace(pace.max_rps))
  const ask = reachOfService(source.service, from)
  const look = async (asked: Asked): Promise<Found> => {
    const wrong = wrongOf(asked, true)
    if (wrong !== undefined) return wrong
    try {
      return { ...asked, reach: await ask(asked.pincode), code: undefined, reason: undefined }
    } catch (error) {
      if (!(error instanceof ShipxError) || !ofTheParcel.has(error.kind)) throw error
      return { ...asked, reach: undefined, code: error.code, reason: oneLine(error) }
    }
  }
  return {
    batches: async function* (stop: Stop) {
      for await (const one of inOrder(eachOf(lines), look, pace.concurrency, stop)) yield records([one])
    },
    close: source.close,
    drains: true,
  }
}

const wellFormed = /^[1-9]\d{5}$/

/** The fault of a pincode; a deployment may know one that shipx does not. */
const wrongIn = (pincode: string, remote: boolean): string | undefined =>
  remote && wellFormed.test(pincode) ? undefined : pincodeFault(pincode)

function wrongOf(asked: Asked, remote: boolean): Found | undefined {
  const reason = wrongIn(asked.pincode, remote)
  return reason === undefined ? undefined : { ...asked, reach: undefined, code: 'invalid_input', reason }
}

/** The headers of a column of pincodes, folded. */
const knownHeaders: readonly string[] = ['pincode', 'pincodes', 'pin', 'zip', 'zipcode', 'postalcode']

/** The pincodes of the command line, then those in the first column of the file, with or without a header. */
async function* linesOf(codes: readonly string[], sheet: Sheet | undefined): AsyncGenerator<readonly Asked[]> {
  if (codes.length > 0) yield codes.map((pincode) => ({ pincode, line: undefined }))
  if (sheet === undefined) return
  const head = sheet.headers[0] ?? ''
  // A header contains no digit.
  if (/\d/.test(head)) yield [{ pincode: readPincode(head), line: sheet.headLine }]
  for await (const batch of sheet.rows)
    yield batch.map(({ cells, line }) => ({ pincode: readPincode(cells[0] ?? ''), line }))
}

function tally(counts: Counts, { reach, line, code, reason }: Found): void {
  counts.all++
  if (reach === undefined) {
    counts.wrong++
    counts.first ??= { field: code ?? null, message: reason ?? '', row: line ?? null }
    return
  }
  const going = reach.couriers.filter(goes)
  if (going.length > 0) counts.served++
  if (going.some(({ cod }) => cod)) counts.cod++
}

export const verbs = { serviceability }
