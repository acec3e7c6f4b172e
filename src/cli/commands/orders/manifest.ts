// `shipx orders manifest`: the list of parcels that a courier takes from a warehouse, to sign, and what it took.
import { counted } from '../../../domain/count.ts'
import type { Query } from '../../../domain/contract.ts'
import { invalid, ShipxError, type Fault } from '../../../domain/errors.ts'
import {
  manifestLine,
  numberOf,
  numberPrefix,
  type Manifest,
  type ManifestLine,
} from '../../../domain/labels/manifest.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { spellings } from '../../../domain/parcels/ordernumbers.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import { istDate, istMinute, readDay } from '../../../domain/time.ts'
import { handovers, keepPrints, manifestsOf, type Handover, type Print } from '../../../engine/orders/prints.ts'
import { day, flag, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { defaultWarehouse, warehouseAlias } from '../../config/profiles.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { referencesIn } from '../../listings/namedshipments.ts'
import { questionFor } from '../../listings/question.ts'
import { drawManifest } from '../../labels/manifestpage.ts'
import { pdfFile } from '../../labels/pdffile.ts'
import { typesetter } from '../../labels/typesetter.ts'
import { answer, done, wouldDo } from '../../output/outcome.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, besidePlace, decider, type BesidePlace } from '../../source/beside.ts'
import { installed } from '../../source/packagefiles.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { checkOut, intoFile, outFaults } from './outfile.ts'
import { parcelsMatching, waitingForPickup } from './parcelsnamed.ts'

/** A line of a manifest as it is printed for programs: rupees and grams. */
interface Row extends Record<string, unknown> {
  readonly awb: string
}

const rowNames = 'manifest courier warehouse date awb order pieces weight cod handed_over'.split(' ')
const rowView = plainView<Row>(['parcel', 'parcels'], ({ awb }) => awb, rowNames)

/** What lists of pickups said before, by AWB. */
type Handovers = ReadonlyMap<string, Handover>

/** A line with what lists of pickups said of it: one that an earlier pickup left behind waits for this one. */
function toldOf({ number }: Manifest, line: ManifestLine, before: Handovers): boolean | null {
  const said = before.get(line.awb)
  if (line.handed !== null || said?.shipment !== line.id) return line.handed
  return said.taken || said.manifest === number ? said.taken : null
}

const rowOf = (manifest: Manifest, line: ManifestLine, before: Handovers): Row => ({
  manifest: manifest.number,
  courier: manifest.courier,
  warehouse: manifest.warehouse,
  date: manifest.day,
  awb: line.awb,
  order: line.order,
  pieces: line.pieces,
  weight: line.weight,
  cod: rupeesOf(line.collect),
  handed_over: toldOf(manifest, line, before),
})

const options = {
  courier: word,
  warehouse: word,
  date: day,
  handed_over: word,
  sheet: word,
  out: word,
  force: flag,
  dry_run: flag,
}

type Options = OptionsOf<typeof options>

/** The faults of what a manifest must have: one courier, one warehouse, and somewhere to go. */
function faultsOf(
  context: Context,
  { courier, warehouse, handed_over: handed, sheet, out }: Options,
): readonly Fault[] {
  const faults: Fault[] = []
  for (const [field, value, what] of [
    ['--courier', courier, 'the courier that picks up'],
    [
      '--warehouse',
      warehouse,
      'the warehouse that it picks up at; shipx profile set warehouse.default <id> makes one the default',
    ],
  ] as const) {
    if (value === undefined || value === '') faults.push({ field, message: `is required: ${what}` })
    else if (value.includes(',')) faults.push({ field, message: 'takes one: a manifest is for one pickup' })
  }
  if (sheet !== undefined && handed === undefined) faults.push({ field: '--sheet', message: 'goes with --handed-over' })
  if (out !== undefined || context.format === 'plain') faults.push(...outFaults(context, out, '--out manifest.pdf'))
  return faults
}

const manifestVerb = verb(options, async (context, typedOptions) => {
  const usual = defaultWarehouse(context.io, context.flags)
  const given = { ...typedOptions, warehouse: typedOptions.warehouse ?? usual }
  const { input: typed } = await asked(context, shipmentKind, faultsOf(context, given), {
    granular_status: [...waitingForPickup],
    ...(given.courier === undefined ? {} : { carrier_id: [given.courier] }),
    ...(given.warehouse === undefined
      ? {}
      : { warehouse_ids: [warehouseAlias(context.io, context.flags, given.warehouse)] }),
  })
  checkShape(context, rowView)
  const place = given.out === undefined ? undefined : { out: given.out, force: given.force }
  if (place !== undefined) checkOut(place)
  const now = context.io.host.now()
  const date = given.date ?? istDate(now)
  return withSource(context, 'beside', async (source) => {
    const prints = await besideOf(context, source, given.dry_run ? 'read' : 'write')
    try {
      const question = await questionFor(context, shipmentKind, source, typed)
      const shipments = await shipmentsOn(source, question, date)
      if (shipments.length === 0) throw nothingThere(given, date)
      const manifest = await manifestOf(context, given, date, shipments, prints)
      if (given.dry_run) return await wouldPrint(context, given, manifest)
      const before = await saidBefore(
        prints,
        manifest.lines.map(({ awb }) => awb),
      )
      if (place === undefined) await printRows(context, manifest, before)
      else await written(context, place, manifest, before)
      await remembered(context, source, manifest, prints)
      return 0
    } finally {
      await prints?.close()
    }
  })
})

const saidBefore = async (prints: BesidePlace | undefined, awbs: readonly string[]): Promise<Handovers> =>
  prints === undefined ? new Map() : prints.database.read(() => handovers(prints.account, awbs))

const nothingThere = ({ courier, warehouse }: Options, date: string): ShipxError =>
  new ShipxError(
    'not_found',
    `no parcel of ${safe(courier!)} waits at ${safe(warehouse!)} or left it on ${date}; a manifest needs one`,
    {
      hint: `shipx shipments list --courier ${quoted(courier!)} --granular-status ${waitingForPickup.join(',')}`,
    },
  )

/** When a shipment was ready for its courier, else when it was created, ms UTC. */
function readyAt({ attributes }: Shipment): number {
  const ready = attributes.shipment_milestones?.find(({ milestone }) => milestone === 'ready_for_pickup')
  const ms = Date.parse(ready?.milestone_at ?? '')
  return Number.isNaN(ms) ? Date.parse(attributes.created_at) : ms
}

/** The shipments of a manifest: those that wait by the end of a day, and those picked up on it; by AWB. */
async function shipmentsOn(source: Source, waiting: Query, date: string): Promise<readonly Shipment[]> {
  const [start, end] = readDay(date)!
  const { granular_status: _, ...rest } = waiting as Extract<Query, { granular_status?: unknown }>
  const picked = {
    ...rest,
    date_field: 'picked_up_at',
    start_time: Math.floor(start / 1000),
    end_time: Math.floor(end / 1000),
  } as Query
  const found = new Map<string, Shipment>()
  for (const question of [waiting, picked])
    for await (const batch of parcelsMatching(source, question))
      for (const { record } of batch) {
        const onDay = question === picked || readyAt(record) <= end
        if (onDay && manifestLine(record) !== undefined) found.set(record.id, record)
      }
  const awb = (shipment: Shipment): string => shipment.attributes.tracking_number!
  return [...found.values()].toSorted((a, b) => (awb(a) < awb(b) ? -1 : 1))
}

/** The manifest of shipments, with what was handed over where a file says it. */
async function manifestOf(
  context: Context,
  given: Options,
  date: string,
  shipments: readonly Shipment[],
  prints: BesidePlace | undefined,
): Promise<Manifest> {
  const couriers = new Set(shipments.map((shipment) => shipmentKind.courier(shipment) ?? given.courier!))
  const warehouse = shipments[0]!.attributes.warehouse_id ?? given.warehouse!
  const prefix = numberPrefix(date, warehouse, shipments[0]!.attributes.carrier?.id ?? given.courier!)
  const before =
    prints === undefined ? [] : await prints.database.read(() => manifestsOf(prints.account, prefix), 'single')
  const all = shipments.map((shipment) => manifestLine(shipment)!)
  const ids = all.map(({ id }) => id)
  return {
    number: numberOf(prefix, before, ids),
    courier: [...couriers].join(', '),
    warehouse,
    day: date,
    lines: given.handed_over === undefined ? all : await handedOver(context, given, all, prints),
  }
}

/** Finds the parcels of a name: by AWB, id or order as it is written, else by the order with or without its `#`. */
function idsByName(lines: readonly ManifestLine[]): (name: string) => readonly string[] {
  const [exact, loose] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const add = (to: typeof exact, name: string, id: string): void =>
    void to.set(name, (to.get(name) ?? new Set()).add(id))
  for (const { awb, id, order } of lines) {
    for (const name of new Set([awb, id, order ?? awb])) add(exact, name, id)
    for (const name of spellings(order ?? '')) add(loose, name, id)
  }
  return (name) => [...(exact.get(name) ?? loose.get(name) ?? [])]
}

const severalHanded = (name: string, parcels: number, where: Pick<Fault, 'row' | 'counts'>): Fault => ({
  field: '--handed-over',
  message: `${safe(name)} names ${parcels} parcels of this manifest: write their AWBs`,
  ...where,
})

/** The lines with what a file says was handed over. Throws `invalid_input` for a parcel that is not among them. */
async function handedOver(
  context: Context,
  { handed_over: path, sheet }: Options,
  lines: readonly ManifestLine[],
  prints: BesidePlace | undefined,
): Promise<readonly ManifestLine[]> {
  const idsOf = idsByName(lines)
  const handed = new Set<string>()
  const absent: { readonly name: string; readonly row: number | null; readonly counts: 'line' | 'row' }[] = []
  for await (const { name, line, counts = 'line' } of referencesIn(context, path!, sheet)) {
    const [id, ...others] = idsOf(name)
    if (others.length > 0) throw invalid([severalHanded(name, others.length + 1, { row: line ?? null, counts })])
    if (id === undefined) absent.push({ name, row: line ?? null, counts })
    else handed.add(id)
  }
  if (absent.length > 0) {
    const before = await saidBefore(
      prints,
      absent.map(({ name }) => name),
    )
    const faults = absent.map(({ name, ...where }): Fault => {
      const said = before.get(name)
      const message =
        said?.taken === true
          ? `${safe(name)} was handed over on ${istDate(said.at)} already, manifest ${safe(said.manifest)}`
          : `${safe(name)} is not on this manifest`
      return { field: '--handed-over', message, ...where }
    })
    throw invalid(faults, 'choose its --courier, --warehouse and --date, or remove the line')
  }
  return lines.map((line) => ({ ...line, handed: handed.has(line.id) }))
}

async function wouldPrint(context: Context, { out }: Options, manifest: Manifest): Promise<number> {
  const parcels = manifest.lines.length
  const where = out === undefined ? 'standard output' : out
  return wouldDo(context, `write manifest ${manifest.number} of ${counted(parcels, rowView.noun)} to ${where}`, {
    manifest: manifest.number,
    parcels,
    file: out ?? null,
  })
}

async function printRows(context: Context, manifest: Manifest, before: Handovers): Promise<void> {
  const out = printer(context, rowView)
  await out.batch(manifest.lines.map((line) => JSON.stringify(rowOf(manifest, line, before))))
  await out.end()
}

async function written(
  context: Context,
  place: { out: string; force: boolean },
  manifest: Manifest,
  before: Handovers,
): Promise<void> {
  const now = context.io.host.now()
  const set = typesetter()
  await set.ready([manifest.courier, manifest.warehouse, ...manifest.lines.map(({ order }) => order)])
  const pages = drawManifest(set, manifest, `${istMinute(now)} IST`)
  await intoFile(context, place, async (write) => {
    const about = { title: `Manifest ${manifest.number}`, producer: `shipx ${installed().version}`, created: now }
    const pdf = pdfFile(write, about)
    for (const page of pages) await pdf.sheet({ width: page.width, height: page.height, pages: [{ page, x: 0, y: 0 }] })
    await pdf.end()
  })
  const parcels = counted(manifest.lines.length, rowView.noun)
  const where = place.out === '-' ? 'standard output' : place.out
  const sentence = `Wrote manifest ${manifest.number} of ${parcels} to ${where}`
  if (place.out === '-') await done(context, sentence)
  else if (context.format === 'plain') await answer(context, sentence, {})
  else {
    await done(context, sentence)
    await printRows(context, manifest, before)
  }
}

/** Keeps the lines of the manifest with what was handed over: evidence for parcels that the courier says it has. */
async function remembered(
  context: Context,
  source: Source,
  { number, lines }: Manifest,
  prints: BesidePlace | undefined,
): Promise<void> {
  if (prints === undefined)
    return context.warn('shipx does not remember this manifest: the key has no profile to keep it in')
  const now = context.io.host.now()
  const made = lines.map(({ id, awb, handed }): Print => ({
    id: context.io.host.uuid(),
    shipment_id: id,
    kind: 'manifest',
    tracking_number: awb,
    manifest: number,
    handed_over: handed === null ? null : handed ? 1 : 0,
    printed_by: decider(context),
    printed_at: now,
  }))
  await prints.database.write(() => keepPrints(prints.account, () => made))
  const struck = lines.filter(({ handed }) => handed === false).length
  if (struck > 0)
    await context.note(
      `Struck out: ${counted(struck, rowView.noun)} not handed over. ` +
        `shipx keeps this as evidence (${besidePlace(context, source)}).`,
    )
}

export const verbs = { 'orders manifest': manifestVerb }
