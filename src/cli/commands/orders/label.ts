// `shipx orders label`: the labels of parcels, for a label printer or on A4 paper (docs/guides/labels.md).
import { count, counted } from '../../../domain/count.ts'
import { invalid, ShipxError, type Fault } from '../../../domain/errors.ts'
import { istMinute } from '../../../domain/time.ts'
import { keepPrints, labelsPrinted, type Print } from '../../../engine/orders/prints.ts'
import { flag, oneOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { argumentNames, type Asked } from '../../listings/namedshipments.ts'
import { questionFor } from '../../listings/question.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { labelSpool, type LabelSpool } from '../../labels/labelspool.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { besideOf, besidePlace, decider, type BesidePlace } from '../../source/beside.ts'
import { installed } from '../../source/packagefiles.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import { safe } from '../../terminal/safe.ts'
import { papers, sizes, sorts, writeLabels, type Drawn } from './labelfile.ts'
import { labelMaker, type LabelMaker } from './labelsources.ts'
import { checkOut, intoFile, outFaults } from './outfile.ts'
import { parcelsMatching, parcelsNamed, waitingForPickup, type Parcel } from './parcelsnamed.ts'

const options = {
  file: word,
  sheet: word,
  out: word,
  force: flag,
  size: oneOf(sizes, 'size'),
  zpl: flag,
  sort: oneOf(sorts, 'order'),
  hide_phone: flag,
  not_printed: flag,
  dry_run: flag,
}

type Options = OptionsOf<typeof options>

/** Flags that choose parcels by what they are; without one, a command that names none would print everything. */
const statusFlags = ['status', 'granular-status', 'open']

/** Whether parcels are named, and the faults of naming them in two ways. */
function naming({ args, flags, command }: Context, { file, sheet }: Options): readonly [boolean, readonly Fault[]] {
  const named = argumentNames(args).length > 0 || file !== undefined
  const filters = command.flags.filter(({ name, group }) => group === 'Filters' && flags.has(name))
  const both = named ? filters.map(({ name }) => ({ field: `--${name}`, message: 'goes with no named orders' })) : []
  const none = !named && filters.length === 0 && !flags.has('not-printed')
  return [
    named,
    [
      ...both,
      ...(none ? [missingArgument({ command }, 'order')] : []),
      ...(file === undefined && sheet !== undefined ? [{ field: '--sheet', message: 'goes with --file' }] : []),
    ],
  ]
}

const label = verb(options, async (context, given) => {
  const [named, faults] = naming(context, given)
  const fileless = given.dry_run && given.out === undefined
  const all = [...faults, ...(fileless ? [] : outFaults(context, given.out, '--out labels.pdf'))]
  const status = statusFlags.some((name) => context.flags.has(name))
  const waiting = status ? {} : { granular_status: [...waitingForPickup] }
  // Names need no question, whose filters take a while to check.
  if (named) refuse(context, all)
  const { input: typed, unknown } = named
    ? { input: {}, unknown: [] }
    : await asked(context, shipmentKind, all, waiting)
  if (given.out !== undefined) checkOut({ out: given.out, force: given.force })
  // For a few labels it would only load V8's module.
  if (!named || given.file !== undefined) (await import('../../terminal/heap.ts')).growHeapSlowly()
  return withSource(context, 'beside', async (source) => {
    const prints = await besideOf(context, source, given.dry_run ? 'read' : 'write')
    const maker = await labelMaker(context, source, papers[given.zpl ? '4x6' : (given.size ?? '4x6')].label[0])
    const spool = labelSpool(context)
    try {
      const missing: Asked[] = []
      const parcels = named
        ? parcelsNamed(context, source, { file: given.file, sheet: given.sheet }, (one) => missing.push(one))
        : parcelsMatching(source, await questionFor(context, shipmentKind, source, typed))
      const printed = await collected(parcels, maker, spool, given.not_printed ? prints : undefined)
      const left = [...missing.map(notThere), ...maker.leftOut]
      if (spool.count() === 0) return await nothingToPrint(context, left, printed)
      if (given.dry_run) await wouldWrite(context, given, spool.count(), left)
      else await written(context, given, source, spool, maker, prints)
      if (printed > 0) await context.note(`shipx left out ${counted(printed, parcelNoun)} printed before.`)
      await warnUnknown(context, unknown)
      if (left.length > 0) throw someLeft(left, left.length + spool.count())
      return 0
    } finally {
      spool.close()
      await prints?.close()
    }
  })
})

const parcelNoun = ['parcel', 'parcels'] as const
const labelNoun = ['label', 'labels'] as const

const notThere = ({ name, line, counts = 'line' }: Asked): Fault => ({
  field: null,
  message: `there is no shipment ${safe(name)}`,
  row: line ?? null,
  counts,
})

/** Makes the labels of parcels; returns how many were left out because they were printed before. */
async function collected(
  parcels: AsyncIterable<readonly Parcel[]>,
  maker: LabelMaker,
  spool: LabelSpool,
  printed: BesidePlace | undefined,
): Promise<number> {
  let before = 0
  for await (const batch of parcels) {
    const ids = batch.map(({ record }) => record.id)
    const there =
      printed === undefined
        ? undefined
        : await printed.database.read(() => labelsPrinted(printed.account, ids), 'single')
    const fresh = there === undefined ? batch : batch.filter(({ record }) => !there.has(record.id))
    before += batch.length - fresh.length
    spool.add(await maker.made(fresh))
  }
  return before
}

/** Ends a run without a label: 0 where all were printed before, or nothing waits. Throws where parcels have none. */
async function nothingToPrint(context: Context, left: readonly Fault[], printed: number): Promise<number> {
  if (left.length > 0) throw noneLeft(left)
  const why =
    printed > 0
      ? `${printed === 1 ? 'the parcel was' : `all ${count(printed)} parcels were`} printed before`
      : 'no parcel matches'
  await context.warn(`${why}; shipx wrote no label`)
  return 0
}

const noneLeft = (left: readonly Fault[]): ShipxError => {
  const absent = left.every(({ message }) => message.startsWith('there is no shipment'))
  return new ShipxError(absent ? 'not_found' : 'wrong_state', left.length === 1 ? left[0]!.message : 'no label', {
    details: left.length === 1 ? [] : left,
  })
}

const someLeft = (left: readonly Fault[], all: number): ShipxError =>
  new ShipxError('partial', `${count(left.length)} of ${counted(all, parcelNoun)} have no label`, { details: left })

async function wouldWrite(context: Context, given: Options, labels: number, left: readonly Fault[]): Promise<void> {
  const to = given.out === undefined ? '' : ` to ${given.out}`
  const what = `write ${counted(labels, labelNoun)}${to}`
  await wouldDo(context, what, { file: given.out ?? null, labels, left_out: left.map(({ message }) => message) })
}

/** Writes the labels, then remembers them: if shipx stops in between, a label is printed twice, and none is lost. */
async function written(
  context: Context,
  given: Options,
  source: Source,
  spool: LabelSpool,
  maker: LabelMaker,
  prints: BesidePlace | undefined,
): Promise<void> {
  const now = context.io.host.now()
  const { size = '4x6', zpl, sort, hide_phone: hidePhone, force } = given
  if (zpl && size === 'a4') throw invalid([{ field: '--size', message: 'a4 is for PDF: a label printer has 4x6' }])
  const form = { size, zpl, sort, hidePhone, printed: `${istMinute(now)} IST`, now, version: installed().version }
  const drawn = await intoFile(context, { out: given.out!, force }, (write) => writeLabels(spool, form, write))
  if (prints !== undefined) {
    const by = decider(context)
    const made = function* (): Generator<Print> {
      for (let place = 0; place < spool.count(); place++) {
        const { id, awb } = spool.at(place)
        yield {
          id: context.io.host.uuid(),
          shipment_id: id,
          kind: 'label',
          tracking_number: awb,
          manifest: null,
          handed_over: null,
          printed_by: by,
          printed_at: now,
        }
      }
    }
    await prints.database.write(() => keepPrints(prints.account, made))
  }
  const sentence = `Wrote ${counted(drawn.labels, labelNoun)} to ${given.out === '-' ? 'standard output' : given.out!}`
  if (given.out === '-') await context.note(sentence)
  else await answer(context, sentence, { file: given.out, labels: drawn.labels })
  await told(context, source, drawn, maker, prints)
}

/** Says what the labels lack. */
async function told(
  context: Context,
  source: Source,
  { cut, narrow, boxed }: Drawn,
  maker: LabelMaker,
  prints: BesidePlace | undefined,
): Promise<void> {
  const { warn, note } = context
  if (prints === undefined) await warn('shipx does not remember what it printed: this key has no profile')
  else await note(`shipx remembers them as printed (${besidePlace(context, source)}); --not-printed leaves them out.`)
  const [streetless, homeless] = [maker.streetless(), maker.homeless()]
  if (streetless > 0) await warn(`${counted(streetless, labelNoun)} without a street: the records have only the city`)
  if (homeless > 0)
    await note(
      `${counted(homeless, labelNoun)} without a return address: ` +
        'shipx local warehouse set <id> <pincode> --name … --address …',
    )
  if (cut > 0) await warn(`${counted(cut, labelNoun)} with a text that was cut; it ends in …`)
  if (narrow > 0) await warn(`${counted(narrow, labelNoun)} with narrow bars: the AWB is long; try your scanner first`)
  if (boxed > 0)
    await warn(`${counted(boxed, ['word has', 'words have'])} letters that no font here has: a box stands for each`)
}

export const verbs = { 'orders label': label }
