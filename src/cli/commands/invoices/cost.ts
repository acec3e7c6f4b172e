// `shipx shipments cost` and `shipx invoices unbilled`: what was billed for a parcel, and what was not billed yet.
import type { Billed, Seen } from '../../../domain/money/billed.ts'
import { judge, type Bench } from '../../../domain/money/judge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import { istDate } from '../../../domain/time.ts'
import { linesOfAwbs, unbilledOf, type AwbLine } from '../../../engine/money/lines.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import type { Versions } from '../../../domain/rates/cardversions.ts'
import { parcelPlace, parcelsOf, type Found } from '../../../engine/money/parcels.ts'
import { moment, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { checkShape, printer, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { givenVersions, versionsNamed } from '../ratecards/cards.ts'
import { warehousesHere } from '../reconcile/warehouses.ts'

/** A line of the ledger of an AWB, rupees; `net` is what was billed for it up to this line. */
interface CostLine extends Record<string, unknown> {
  readonly awb: string
}

const costNames = 'awb invoice day courier journey billed expected difference verdict category net'.split(' ')
const costView = plainView<CostLine>(['line', 'lines'], ({ awb }) => awb, costNames)

function ledgerOf(lines: readonly AwbLine[]): readonly CostLine[] {
  const nets = new Map<string, number>()
  return lines.map(({ awb, number, day, biller, journey, billed, expected, verdict, category }) => {
    const net = (nets.get(awb) ?? 0) + billed
    nets.set(awb, net)
    return {
      awb,
      invoice: number,
      day,
      courier: biller === '' ? null : biller,
      journey,
      billed: rupeesOf(billed),
      expected: expected === null ? null : rupeesOf(expected),
      difference: expected === null ? null : rupeesOf(billed - expected),
      verdict,
      category,
      net: rupeesOf(net),
    }
  })
}

const cost = verb({}, async (context) => {
  const awbs = [...new Set(context.args)]
  refuse(context, awbs.length === 0 ? [missingArgument(context, 'awb')] : [])
  checkShape(context, costView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const lines = (await place?.database.read(() => linesOfAwbs(place.account, awbs))) ?? []
      await printList(context, costView, ledgerOf(lines), 'No invoice that was read bills this parcel.')
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** A parcel that no invoice bills, rupees and grams. */
interface Unbilled extends Record<string, unknown> {
  readonly awb: string
  readonly expected: number | null
}

const unbilledNames = 'awb order courier journey status picked_up card zone weight expected'.split(' ')
const unbilledView = plainView<Unbilled>(['parcel', 'parcels'], ({ awb }) => awb, unbilledNames)

const notBilled = (awb: string): Billed => ({
  line: 0,
  number: '',
  awb,
  order: '',
  courier: '',
  said: undefined,
  pickedUp: '',
  dated: '',
  zone: '',
  weight: 0,
  freight: 0,
  rto: 0,
  reverse: 0,
  qc: 0,
  cod: 0,
  fuel: 0,
  other: 0,
  others: '',
  gross: undefined,
  tax: undefined,
  total: 0,
  fault: undefined,
})

const nothingSeen: Seen = { here: 0, hereNet: 0, hereLine: 0, before: 0, beforeNet: 0, earlier: [] }

/** Parcels that are priced at once. */
const piece = 512

/** How parcels are priced that no line bills: as a whole, before GST. */
const benchOf = (versions: Versions): Bench => ({
  terms: {
    shape: { whole: true, cod: true, fuel: true, other: true, gst: 'none' },
    order: 'zone',
    tolerance: 0,
    weightTolerance: { units: 0, share: 0 },
  },
  tariff: tariffsOf(versions),
  dayOf: () => undefined,
  courier: undefined,
  sameCourier: () => true,
})

/** A parcel that no line bills, with what the card says. */
function unbilledRecord(awb: string, found: Found, bench: Bench): Unbilled {
  const known = found.get(awb)
  const parcel: KnownParcel | undefined = Array.isArray(known)
    ? (known as readonly KnownParcel[]).at(-1)
    : (known as KnownParcel | undefined)
  const { expected, journey, card, zone, weight } = judge(notBilled(awb), parcel, nothingSeen, bench)
  const day = parcel?.day_at ?? null
  return {
    awb,
    order: parcel?.order ?? null,
    courier: parcel?.carrier_name ?? null,
    journey,
    status: parcel?.status ?? null,
    picked_up: day === null ? null : istDate(day),
    card,
    zone: zone?.zone.name ?? null,
    weight: weight === undefined ? null : weight / 100,
    expected: expected === null ? null : rupeesOf(expected),
  }
}

/** Unbilled parcels picked up between two instants, some hundreds at a time. */
async function* unbilledIn(
  { database, account }: BesidePlace,
  warehouses: ReadonlyMap<string, string>,
  since: number,
  until: number,
): AsyncGenerator<{ readonly awbs: readonly string[]; readonly found: Found }> {
  for (let after = ''; ;) {
    const from = after
    const next = await database.read(function* () {
      const awbs = [...new Set(yield* unbilledOf(account, since, until, from, piece))]
      return { awbs, found: yield* parcelsOf(yield* parcelPlace(account, warehouses), awbs) }
    })
    const last = next.awbs.at(-1)
    if (last === undefined) return
    yield next
    after = last
  }
}

const unbilled = verb({ since: moment, until: moment, card: word }, async (context, { since = 0, until, card }) => {
  refuse(context, [])
  checkShape(context, unbilledView)
  const bench = benchOf(
    card === undefined
      ? await versionsNamed(context, undefined)
      : await givenVersions(context, card, { field: '--card' }),
  )
  const warehouses = await warehousesHere(context)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    const out = printer(context, unbilledView)
    try {
      if (place !== undefined)
        for await (const { awbs, found } of unbilledIn(place, warehouses, since, until ?? context.io.host.now()))
          await out.batch(awbs.map((awb) => JSON.stringify(unbilledRecord(awb, found, bench))))
      await out.end()
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'shipments cost': cost, 'invoices unbilled': unbilled }
