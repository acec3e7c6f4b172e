// `shipx shipments ndr export`: writes the sheet of answers that goes to a courier, and marks them as sent.
import type { Query } from '../../../domain/contract.ts'
import { count, counted } from '../../../domain/count.ts'
import { invalid, type Fault } from '../../../domain/errors.ts'
import { dayMs } from '../../../domain/time.ts'
import { markSent, unsentSince } from '../../../engine/records/ndranswers.ts'
import { flag } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { checkPlace } from '../../files/userfiles.ts'
import {
  courierSheets,
  formatFaults,
  openSheetFile,
  plannedSheets,
  sheetContext,
  showSheets,
  splitOf,
  splitOptions,
  type Split,
  type WrittenSheet,
} from '../../listings/couriersheets.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import type { View } from '../../output/columns.ts'
import { words } from '../../output/display.ts'
import { wouldDo } from '../../output/outcome.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { nothingWritten, stopping } from '../../output/stopping.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import { safe } from '../../terminal/safe.ts'
import { failedDeliveries, type Failed } from './failures.ts'

/** A row of a courier's sheet. */
interface SheetRow extends Readonly<Record<string, unknown>> {
  readonly awb: string | null
  readonly order: string | null
}

const sheetView: View<SheetRow> = {
  ...plainView<SheetRow>(['parcel', 'parcels'], ({ awb }) => awb ?? '', [
    'awb',
    'order',
    'customer',
    'phone',
    'reason',
    'attempts',
    'answer',
    'date',
    'new_phone',
    'new_address',
    'new_pincode',
    'note',
  ]),
}

/** A failed delivery as a row for the courier, which needs the whole phone. */
function rowOf({ parcel: p }: Failed): SheetRow {
  const answer = { reattempt: 'Reattempt', phone: 'New phone', address: 'New address', rto: 'RTO' }[p.answer!]
  return {
    awb: p.tracking_number,
    order: p.order,
    customer: p.customer,
    phone: p.phone,
    reason: p.reason === null ? null : words(p.reason),
    attempts: p.attempts,
    answer,
    date: p.reattempt_on,
    new_phone: p.new_phone,
    new_address: p.new_address,
    new_pincode: p.new_pincode,
    note: p.note,
  }
}

const options = { again: flag, dry_run: flag, ...splitOptions }

type Options = OptionsOf<typeof options>

/** For this long shipx counts answers whose parcels have left NDR: couriers wait two days. */
const remembered = 3 * dayMs

const exporter = verb(options, async (context, given) => {
  const { split, faults } = placeFor(context, given)
  const { input: typed, unknown } = await asked(context, shipmentKind, faults, { status: 'ndr_raised' })
  checkShape(sheetContext(context), sheetView)
  return withSource(context, 'beside', async (source) => {
    const input = await questionFor(context, shipmentKind, source, typed)
    const place = await besideOf(context, source, given.dry_run ? 'read' : 'write')
    try {
      const all = await failedDeliveries(context, source, input, place)
      const answered = all.filter(({ kept }) => kept !== undefined)
      const going = given.again ? answered : answered.filter(({ kept }) => kept!.sent_at === null)
      const placeless = given.dry_run && given.out === undefined && context.workbook === undefined
      if (!placeless) refuseSeveral(context.workbook === undefined ? '--out' : '--xlsx', split, going)
      const left = place === undefined ? 0 : await leftNdr(context, source, input, place, all, couriersOf(going))
      if (given.dry_run) await wouldWrite(context, given, split, going)
      else await writtenAndMarked(context, given, split, going, place!)
      await told(context, given, { all: all.length, answered: answered.length, going: going.length, left })
      await warnUnknown(context, unknown)
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** Writes the sheets, then marks their answers as sent. */
async function writtenAndMarked(
  context: Context,
  given: Options,
  split: Split | undefined,
  going: readonly Failed[],
  { database, account }: BesidePlace,
): Promise<void> {
  const written = await writtenSheets(context, given, split, going)
  const ids = going.map(({ kept }) => kept!.id)
  // After the files: if shipx stops in between, the courier gets an answer twice, and none is lost.
  await database.write(() => markSent(account, ids, context.io.host.now()))
  await showSheets(context, sheetView, written)
}

/** Reports the sheets that shipx would write, each in a sentence, with the faults of their files. */
async function wouldWrite(
  context: Context,
  { out, force }: Options,
  split: Split | undefined,
  going: readonly Failed[],
): Promise<void> {
  const couriers = going.map(({ parcel }) => parcel.courier)
  const file = out ?? text(context.flags, 'xlsx') ?? null
  if (out !== undefined && split === undefined && going.length > 0) checkPlace(out, force, '--out')
  const sheets =
    split !== undefined
      ? plannedSheets(sheetContext(context), split, couriers)
      : going.length === 0
        ? []
        : [...new Set(couriers)].map((courier) => ({
            file,
            courier,
            records: couriers.filter((one) => one === courier).length,
          }))
  const each = sheets.map(
    ({ file: name, records }) => `write ${name ?? 'a sheet'} with ${counted(records, sheetView.noun)}`,
  )
  await wouldDo(context, each.length === 0 ? 'write no sheet' : each.join('.\nWould '), { sheets })
}

/** The folder for sheets, or undefined for one file; the faults of the options. */
function placeFor(
  context: Context,
  given: Options,
): { readonly split: Split | undefined; readonly faults: readonly Fault[] } {
  if (context.format === 'xlsx') return { split: undefined, faults: workbookFaults(context, given) }
  if (context.flags.has('split-by')) return splitOf(context, given)
  const faults = [...formatFaults(context)]
  const field = '--out'
  if (given.out === '' || (given.out === undefined && !given.dry_run))
    faults.push({ field, message: 'is required: the file of the sheet, for example --out ndr-blueline.csv' })
  if (given.out === '-') faults.push({ field, message: 'names a file: shipx marks what it contains as sent' })
  return { split: undefined, faults }
}

/** A workbook goes to one courier, as a file does. */
const workbookFaults = ({ flags }: Context, { out }: Options): readonly Fault[] => [
  ...(out === undefined ? [] : [{ field: '--out', message: 'and --xlsx both name the file; leave one out' }]),
  ...(flags.has('split-by')
    ? [{ field: '--split-by', message: 'writes a file for each courier; use --excel and --out <folder> with it' }]
    : []),
]

const couriersOf = (found: readonly Failed[]): readonly (string | null)[] => [
  ...new Set(found.map(({ parcel }) => parcel.courier)),
]

/** Throws `invalid_input` for one sheet with the parcels of several couriers. */
function refuseSeveral(field: string, split: Split | undefined, going: readonly Failed[]): void {
  const couriers = couriersOf(going)
  if (split !== undefined || couriers.length < 2) return
  const names = couriers.map((name) => safe(name ?? 'no courier')).join(', ')
  const message = `is one sheet, and the answers are for ${couriers.length} couriers: ${names}`
  throw invalid([{ field, message }], 'choose one courier, or add --split-by courier --out <folder>')
}

/** Writes the rows: one sheet for each courier, or one for one courier. */
async function writtenSheets(
  context: Context,
  { out, force }: Options,
  split: Split | undefined,
  going: readonly Failed[],
): Promise<readonly WrittenSheet[]> {
  if (going.length === 0) return []
  const textOf = (one: Failed): string => JSON.stringify(rowOf(one))
  if (context.workbook !== undefined) {
    const sheet = printer(context, sheetView)
    await sheet.batch(going.map(textOf))
    await sheet.end()
    await context.workbook.finish()
    return [{ file: text(context.flags, 'xlsx')!, courier: going[0]!.parcel.courier, records: going.length }]
  }
  if (split === undefined) {
    const sheet = openSheetFile(context, sheetView, out!, force, going[0]!.parcel.courier)
    const stop = stopping(context)
    try {
      await sheet.add(going.map(textOf))
      await sheet.end()
      await stop.between(() => nothingWritten)
      return [sheet.put()]
    } finally {
      stop.end()
      sheet.close()
    }
  }
  const sheets = courierSheets(context, sheetView, split)
  try {
    for (const one of going) await sheets.add(one.parcel.courier, [textOf(one)])
    return await sheets.finish()
  } finally {
    sheets.close()
  }
}

/** How many parcels of these couriers (of any, without one) left NDR before their answers went into a sheet. */
async function leftNdr(
  context: Context,
  source: Source,
  input: Query,
  place: BesidePlace,
  found: readonly Failed[],
  couriers: readonly (string | null)[],
): Promise<number> {
  const since = context.io.host.now() - remembered
  const unsent = await place.database.read(() => unsentSince(place.account, since), 'single')
  const missing = (among: readonly Failed[]): readonly string[] => {
    const there = new Set(among.map(({ parcel }) => parcel.id))
    return [...unsent.keys()].filter((id) => !there.has(id))
  }
  // Other filters leave parcels out that still are in NDR.
  const narrowed = Object.keys(input).some((name) => name !== 'status')
  const all =
    narrowed && missing(found).length > 0
      ? await failedDeliveries(context, source, { status: 'ndr_raised' } as Query, undefined)
      : found
  return missing(all).filter((id) => couriers.length === 0 || couriers.includes(unsent.get(id)!)).length
}

/** Says what is in no sheet, and why. */
async function told(
  context: Context,
  { dry_run: dry }: Options,
  { all, answered, going, left }: Readonly<Record<'all' | 'answered' | 'going' | 'left', number>>,
): Promise<void> {
  if (going === 0)
    await context.warn('no answer waits to be sent; shipx wrote no sheet (--again writes those sent before)')
  else if (!dry) await context.note('shipx marked these answers as sent.')
  if (answered > going) await context.note(`${count(answered - going)} sent before (--again)`)
  if (all > answered)
    await context.note(
      `${counted(all - answered, ['parcel has', 'parcels have'])} no answer yet: shipx shipments ndr --unanswered`,
    )
  const parcels = counted(left, ['answered parcel', 'answered parcels'])
  if (left > 0) await context.warn(`${parcels} left NDR meanwhile; no sheet has ${left === 1 ? 'it' : 'them'}`)
}

export const verbs = { 'shipments ndr export': exporter }
