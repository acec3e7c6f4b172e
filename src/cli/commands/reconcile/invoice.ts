// `shipx reconcile invoice`: what a courier billed against what the card says (docs/guides/money.md).
import { basename, extname } from 'node:path'
import { counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { Terms } from '../../../domain/money/billed.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import type { Versions } from '../../../domain/rates/cardversions.ts'
import { readDay } from '../../../domain/time.ts'
import { listWarehouses } from '../../../engine/accounts/settings.ts'
import { parcelPlace } from '../../../engine/money/parcels.ts'
import { mapsOf, keepMaps } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { checkShape } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { givenVersions, versionsNamed } from '../ratecards/cards.ts'
import { inventedNote } from '../rates/show.ts'
import { openInvoice, shapeOf, type InvoiceFile } from './invoicefile.ts'
import { courierCheck, dayReader, type Matching } from './judging.ts'
import { invoiceFaults, invoiceOptions, type InvoiceOptions } from './options.ts'
import { givenParcels } from './parcelsfile.ts'
import { recordView } from './records.ts'
import { reconcile, type Work } from './reconcile.ts'

/** The card of the flag, or the one in use. */
const cardOf = ({ card, card_sheet: sheet }: InvoiceOptions, context: Context): Promise<Versions> =>
  card === undefined ? versionsNamed(context, undefined) : givenVersions(context, card, { field: '--card', sheet })

/** Where the records and what is kept of invoices are; undefined where there is no database yet. */
async function matchingOf(
  context: Context,
  place: BesidePlace | undefined,
  options: InvoiceOptions,
): Promise<Matching> {
  const parcels = await givenParcels(context, options.parcels)
  const date = options.date === undefined ? undefined : readDay(options.date)![1]
  if (place === undefined)
    return { database: undefined, place: { account: 0, warehouses: new Map(), orders: false }, parcels, date }
  const { database, account } = place
  const found = await database.read(function* () {
    const warehouses = yield* listWarehouses(account)
    return yield* parcelPlace(account, new Map(warehouses.map(({ id, pincode }) => [id, pincode])))
  })
  return { database, place: found, parcels, date }
}

/** How the lines of a file are judged. */
function benchOf(file: InvoiceFile, options: InvoiceOptions, versions: Versions): Bench {
  const terms: Terms = {
    shape: shapeOf(file, options.gst === 'included'),
    order: options.order ?? 'zone',
    tolerance: options.tolerance,
    weightTolerance: options.weight_tolerance,
  }
  return {
    terms,
    tariff: tariffsOf(versions),
    dayOf: dayReader(),
    courier: options.courier ?? file.form?.courier,
    sameCourier: courierCheck(),
  }
}

const invoice = verb(invoiceOptions, async (context, options) => {
  const [path = ''] = context.args
  refuse(context, invoiceFaults(options, path))
  checkShape(context, recordView)
  const versions = await cardOf(options, context)
  for (const note of inventedNote(versions[0].name)) await context.note(note)
  const maps = mapsOf(context, options)
  const file = await openInvoice(context, { path, maps, ...options })
  await keepMaps(context, options.save_map, maps)
  const number = options.number ?? (path === '-' ? 'standard input' : basename(path, extname(path)))
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const matching = await matchingOf(context, place, options)
      const bench = benchOf(file, options, versions)
      const work: Work = { file, path, number, matching, bench, card: versions[0].name, options }
      const tally = await reconcile(context, work)
      if (tally.unread > 0)
        throw new ShipxError('partial', `${counted(tally.unread, ['line', 'lines'])} of ${safe(path)} cannot be read`, {
          hint: 'shipx reconcile invoice … --only unknown shows them',
        })
      return 0
    } finally {
      file.sheet.close()
      await place?.close()
    }
  })
})

export const verbs = { 'reconcile invoice': invoice }
