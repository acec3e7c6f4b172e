// `shipx reconcile invoice`: what a courier billed against what the card says (docs/guides/money.md).
import { basename, extname } from 'node:path'
import { counted } from '../../../domain/count.ts'
import { ShipxError, invalid } from '../../../domain/errors.ts'
import type { Terms } from '../../../domain/money/billed.ts'
import { comparisonOf, type Comparison } from '../../../domain/money/alike.ts'
import { noCard, type Bench } from '../../../domain/money/judge.ts'
import { billerOf, policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import type { Versions } from '../../../domain/rates/cardversions.ts'
import { readDay } from '../../../domain/time.ts'
import { keepsAny, type Document } from '../../../engine/money/documents.ts'
import { earlierOf } from '../../../engine/money/lines.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { hasShipments } from '../../../engine/money/parcels.ts'
import { noParcels, parcelPlace } from '../../../engine/money/parcelplace.ts'
import { mapsOf, keepMaps } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import { canAsk } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { checkShape } from '../../output/printer.ts'
import { checkPlace } from '../../files/userfiles.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { givenVersions, versionsNamed } from '../ratecards/cards.ts'
import { warehousesHere } from './warehouses.ts'
import { inventedNote } from '../rates/show.ts'
import { otherFlags, printAgain } from './again.ts'
import { carriedBy, courierGiven } from './billers.ts'
import { openInvoice, shapeOf, type InvoiceFile, type Opening } from './invoicefile.ts'
import { daysReader, type Days } from './days.ts'
import { courierCheck, type Matching } from './judging.ts'
import { contentOf, keeperOf, type Keeper } from './keeper.ts'
import { blankWarnings, countsOf, fillCollected, type Counted } from './nocard.ts'
import { writeCard } from './infercard.ts'
import { keptTermsOf, type Reading } from './keptterms.ts'
import { namedIn, readingOf } from './named.ts'
import { invoiceFaults, invoiceOptions, type InvoiceOptions } from './options.ts'
import { givenParcels } from './parcelsfile.ts'
import { lineView } from './lineview.ts'
import { reconcile, type Work } from './reconcile.ts'
import { knownOf, replacedBy } from './replaced.ts'
import { shownOf, type Shown } from './shown.ts'
import type { Tally } from './tally.ts'
import { titledIn } from './titles.ts'
import { numberFlag, unreadOf } from './unread.ts'

/** The card of the flag, or the one in use. */
const cardOf = ({ card, card_sheet: sheet }: InvoiceOptions, context: Context): Promise<Versions> =>
  card === undefined ? versionsNamed(context, undefined) : givenVersions(context, card, { field: '--card', sheet })

/** What is known of a document before its lines. */
interface Before {
  /** The document that the file is kept as. */
  readonly own?: Document | undefined
  /** The document that it takes the place of. */
  readonly replaced?: Document | undefined
  /** Its IST day, where no flag says one. */
  readonly day?: string | undefined
}

/** Where the records and what is kept of invoices are; `database` is undefined where there is none yet. */
async function matchingOf(
  context: Context,
  place: BesidePlace | undefined,
  options: InvoiceOptions,
  { own, replaced, day }: Before = {},
): Promise<Matching> {
  const parcels = await givenParcels(context, options.parcels)
  const date = (options.date ?? day) === undefined ? undefined : readDay((options.date ?? day)!)![1]
  if (place === undefined) return { database: undefined, place: noParcels, parcels, date }
  const { database, account } = place
  const warehouses = await warehousesHere(context)
  const [found, kept] = await database.read(function* () {
    return [yield* parcelPlace(database.dialect, account, warehouses), yield* keepsAny(account)] as const
  })
  // A document that takes the place of another does not find itself there.
  const earlier = (awbs: readonly string[], number: string) =>
    earlierOf(
      database.dialect,
      account,
      awbs,
      [own?.number, ...(options.replace ? [number, replaced?.number] : [])].flatMap((one) => one ?? []),
      number,
    )
  return { database, place: found, parcels, date, ...(kept ? { earlier } : {}) }
}

/** How the lines of a file are judged: by a card, or by each other. */
function benchOf(
  file: InvoiceFile,
  options: InvoiceOptions,
  by: JudgedBy,
  policies: readonly OwnPolicy[],
  days: Days,
): Bench {
  // An empty --courier says that the document is of no one courier.
  const courier = (options.courier ?? file.form?.courier) || undefined
  const terms: Terms = {
    shape: shapeOf(file, options.gst === 'included'),
    order: options.order ?? 'zone',
    tolerance: options.tolerance,
    weightTolerance: options.weight_tolerance,
    keepsCod: keepsCod((own) => billerOf(file.name, courier ?? own), policies),
  }
  return {
    terms,
    tariff: by.versions === undefined ? () => 'no card' : tariffsOf(by.versions),
    comparison: by.comparison,
    alone: by.alone,
    dayOf: days.at,
    courier,
    sameCourier: courierCheck(),
  }
}

/** Whether the policy of a courier keeps the COD fee of a parcel that came back: that of the biller, else its own. */
function keepsCod(biller: (courier: string) => string, policies: readonly OwnPolicy[]): (courier: string) => boolean {
  const known = new Map<string, boolean>()
  return (courier) => {
    const name = biller(courier)
    let keeps = known.get(name)
    if (keeps === undefined) known.set(name, (keeps = policyOf(name, policies).cod_on_rto === 'charged'))
    return keeps
  }
}

/** What lines are judged by: a card, or the other lines of the file. */
interface JudgedBy {
  readonly versions: Versions | undefined
  readonly comparison: Comparison | undefined
  /** Whether no parcel is looked for. */
  readonly alone: boolean
  /** The counts of the file, where the card of --infer-card is made of them. */
  readonly counted: Counted | undefined
}

/** Counts the lines of a file; what was collected comes from the parcels where the lines do not say it. */
async function countedWith(
  context: Context,
  opening: Opening,
  options: InvoiceOptions,
  matching: Matching | undefined,
): Promise<Counted> {
  const counted = await countsOf(context, opening, options)
  if (matching !== undefined) await fillCollected(counted.counts.codFees(), matching)
  return counted
}

/** Writes the card of --infer-card. */
async function inferCard(
  context: Context,
  { infer_card: path, force }: InvoiceOptions,
  biller: string | undefined,
  counts: () => Promise<Counted>,
) {
  if (path !== undefined) await writeCard(context, await counts(), { path, force, biller })
}

/** What the lines of a file are judged by; without a card, the file is read once for it. */
async function judgedBy(
  context: Context,
  opening: Opening,
  options: InvoiceOptions,
  matching: Matching,
): Promise<JudgedBy> {
  if (!options.no_card) {
    const versions = await cardOf(options, context)
    for (const note of inventedNote(versions[0].name)) await context.note(note)
    return { versions, comparison: undefined, alone: false, counted: undefined }
  }
  const { database, place, parcels } = matching
  const some = database !== undefined && (await database.read(() => hasShipments(place.account), 'single'))
  const alone = options.no_parcels || (parcels.size === 0 && !some)
  const counted = await countedWith(context, opening, options, alone ? undefined : matching)
  const { counts, shape } = counted
  // The counts of a long bill are tens of megabytes.
  const kept = options.infer_card === undefined ? undefined : counted
  for (const warning of blankWarnings(counts)) await context.warn(warning)
  return { versions: undefined, comparison: comparisonOf(counts, shape.whole), alone, counted: kept }
}

const invoice = verb(invoiceOptions, async (context, options) => {
  const [path = ''] = context.args
  refuse(context, invoiceFaults(options, path, context.format))
  checkShape(context, lineView)
  if (options.infer_card !== undefined) checkPlace(options.infer_card, options.force, '--infer-card')
  return withSource(context, 'beside', async (source) => {
    const shown = shownOf(context, options.out, options.force)
    let place: BesidePlace | undefined
    try {
      place = await besideOf(context, source, options.dry_run ? 'read' : 'write')
      const sha256 = path === '-' ? undefined : await contentOf(path)
      const known =
        place === undefined || sha256 === undefined || options.replace ? undefined : await knownOf(place, sha256)
      // A dry run changes nothing, and may ask what other terms would find.
      const others = known === undefined || !options.dry_run ? [] : await otherFlags(context, place!, known, options)
      if (known !== undefined && others.length > 0) {
        await context.note(
          `This file is kept as invoice ${safe(known.number)}; this run judges it anew with ${others.join(', ')}.`,
        )
        return await readInvoice(context, path, options, { place, sha256, shown, kept: known })
      }
      if (known !== undefined) {
        const exit = await printAgain(context, place!, known, options, shown)
        await inferCard(context, options, known.courier, async () => {
          const opening = { path, maps: mapsOf(context, options), ...options }
          const matching = options.no_parcels ? undefined : await matchingOf(context, place, options)
          return countedWith(context, opening, options, matching)
        })
        return exit
      }
      return await readInvoice(context, path, options, { place, sha256, shown })
    } finally {
      await place?.close()
    }
  })
})

/** Where a file is read to. */
interface Run {
  readonly place: BesidePlace | undefined
  /** Of the content of the file; undefined for standard input. */
  readonly sha256: string | undefined
  readonly shown: Shown
  /** The document that the file is kept as; its own lines count as no earlier ones. */
  readonly kept?: Document
}

/** Judges a file that is not kept yet, and keeps it unless it is a dry run. */
async function readInvoice(
  context: Context,
  path: string,
  given: InvoiceOptions,
  { place, sha256, shown, kept: own }: Run,
): Promise<number> {
  const maps = mapsOf(context, given)
  const opening = { path, maps, ...given }
  const file = await openInvoice(context, opening)
  try {
    const titled = titledIn(file.sheet.titles ?? [])
    const replaced = await replacedBy(place, given, sha256, titled)
    const known = given.number ?? own?.number ?? titled.number ?? replaced?.number
    const named = known ?? (given.dry_run ? titleOf(path) : undefined)
    refuseMissing(context, file, given, named)
    const day = titled.day ?? replaced?.day ?? undefined
    const matching = await matchingOf(context, place, given, { own, replaced, day })
    const options = { ...given, courier: await courierOf(context, given, place, matching) }
    await keepMaps(context, options.save_map, { ...maps, courier: options.courier }, options.dry_run)
    const by = await judgedBy(context, opening, options, matching)
    const policies = (await place?.database.read(() => listPolicies(place.account), 'single')) ?? []
    const days = daysReader()
    const bench = benchOf(file, options, by, policies, days)
    const card = by.versions?.[0].name ?? noCard
    const blank = { lines: 0, first: [] }
    const seen = { date: '', last: 0, misprints: 0, strangers: [], blank, footnotes: [], leftOut: [] }
    const unread = unreadOf(file)
    const work: Work = {
      file,
      path,
      number: named ?? '',
      kept: own === undefined ? place : undefined,
      sha256,
      matching,
      bench,
      days,
      card,
      options,
      policies,
      day,
      titled: { number: given.number === undefined ? titled.number : undefined, day: titled.day },
      seen,
      unread,
      shown,
    }
    const keeper =
      options.dry_run || place === undefined || sha256 === undefined
        ? undefined
        : keeperOf(context, { place, file, sha256, card, replace: options.replace })
    const reading = keeper && readingOf(await namedIn(context, options), file, by)
    const tally = await kept(context, work, keeper, reading)
    const counts = async () => by.counted ?? countedWith(context, opening, options, matching)
    await inferCard(context, options, carriedBy(tally, file, options), counts)
    if (tally.unread === 0) return 0
    throw new ShipxError('partial', `${counted(tally.unread, ['line', 'lines'])} of ${safe(path)} cannot be read`, {
      hint: 'shipx reconcile invoice … --only unknown shows them',
    })
  } finally {
    file.sheet.close()
  }
}

/** Throws for all that is missing to keep an invoice at once: its number, and a yes where nobody can be asked. */
function refuseMissing(context: Context, file: InvoiceFile, options: InvoiceOptions, named: string | undefined): void {
  const unsure = !options.dry_run && !context.flags.has('yes') && !canAsk(context)
  if (named !== undefined || file.places.has('number')) {
    if (!unsure) return
    throw new ShipxError('needs_answer', 'to keep the invoice needs a yes', { hint: 'add --yes, or --dry-run' })
  }
  const flag = numberFlag(file)
  const message = 'is required: the file does not say the number of the invoice'
  const way = flag === undefined ? '' : `; if a column has it: ${flag}`
  throw invalid([
    { field: '--number', message: `${message}${way}` },
    ...(unsure ? [{ field: '--yes', message: 'is required too, to keep the invoice; --dry-run only reads it' }] : []),
  ])
}

/** The courier of --courier, else that of --use-map, as it is spelt here; '' for a document of no one courier. */
async function courierOf(
  context: Context,
  options: InvoiceOptions,
  place: BesidePlace | undefined,
  { parcels }: Matching,
): Promise<string | undefined> {
  const name = options.courier ?? mapsOf(context, options).courier
  if (name === undefined) return undefined
  const ofCard = async (): Promise<readonly string[]> =>
    options.no_card
      ? []
      : (await cardOf(options, context)).flatMap(({ services }) => services.map((one) => one.carrier_name))
  const carried = [...new Set([...parcels.values()].flatMap(({ carrier_name: one }) => one ?? []))]
  return courierGiven(context, name, { place, given: carried, ofCard, lenient: options.dry_run || options.force })
}

/** Reconciles, and keeps the document whole or not at all. */
async function kept(
  context: Context,
  work: Work,
  keeper: Keeper | undefined,
  reading: Reading | undefined,
): Promise<Tally> {
  try {
    const tally = await reconcile(context, work, keeper)
    await keeper?.finish(tally, keptTermsOf(work.bench.terms, reading))
    return tally
  } catch (error) {
    await keeper?.drop()
    throw error
  }
}

const titleOf = (path: string): string => (path === '-' ? 'standard input' : basename(path, extname(path)))

export const verbs = { 'reconcile invoice': invoice }
