// `shipx invoices unbilled`: the parcels that no invoice bills yet, with what the card says.
import type { Bench } from '../../../domain/money/judge.ts'
import { counted } from '../../../domain/count.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import { istDate } from '../../../domain/time.ts'
import { parcelCouriers } from '../../../engine/money/couriers.ts'
import { parcelsOf, type Found } from '../../../engine/money/parcels.ts'
import { parcelPlace } from '../../../engine/money/parcelplace.ts'
import { moment, month, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { showMoney } from '../../output/display.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { safe } from '../../terminal/safe.ts'
import { givenVersions, versionsNamed } from '../ratecards/cards.ts'
import { judgeUnbilled, unbilledBench } from '../reconcile/unbilled.ts'
import { couriersWanted } from '../reconcile/wantedcouriers.ts'
import { warehousesHere } from '../reconcile/warehouses.ts'
import { unbilledAwbs } from './unbilledawbs.ts'

/** A parcel that no invoice bills, rupees and grams. */
interface Unbilled extends Record<string, unknown> {
  readonly awb: string
  readonly courier: string | null
  readonly expected: number | null
}

const unbilledNames = 'awb order courier journey status picked_up card zone weight expected'.split(' ')
const unbilledView = plainView<Unbilled>(['parcel', 'parcels'], ({ awb }) => awb, unbilledNames)

/** A parcel that no line bills, with what the card says. */
function unbilledRecord(awb: string, found: Found, bench: Bench): Unbilled {
  const { parcel, judged } = judgeUnbilled(awb, found, bench)
  const { expected, journey, card, zone, weight } = judged
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

/** Unbilled parcels picked up between two instants, some at a time. */
async function* unbilledIn(
  place: BesidePlace,
  warehouses: ReadonlyMap<string, string>,
  since: number,
  until: number,
): AsyncGenerator<{ readonly awbs: readonly string[]; readonly found: Found }> {
  const { database, account } = place
  const named = await database.read(() => parcelPlace(database.dialect, account, warehouses))
  for await (const awbs of unbilledAwbs(place, since, until)) {
    const found = await database.read(() => parcelsOf(named, awbs))
    // A parcel may have another AWB since.
    yield { awbs: awbs.filter((awb) => found.has(awb)), found }
  }
}

/** Which of the parcels that no invoice bills are wanted, and what they add up to. */
function unbilledSums(wanted: readonly string[] | undefined) {
  let [parcels, rupees] = [0, 0]
  return {
    counts: ({ courier: own, expected }: Unbilled): boolean => {
      if (wanted !== undefined && !wanted.includes(own ?? '')) return false
      parcels++
      rupees += expected ?? 0
      return true
    },
    /** Says the sum, or that there is none. */
    tell: async ({ note, screen, flags }: Context): Promise<void> => {
      if (parcels > 0) {
        const sum = showMoney(Math.round(rupees * 100) / 100, screen)
        return note(`No invoice bills ${counted(parcels, ['parcel', 'parcels'])}; by the card ${sum} before GST.`)
      }
      const when = flags.has('since') || flags.has('until') || flags.has('month') ? ' in this time' : ''
      const of = wanted === undefined ? '' : ` of ${wanted.map((name) => safe(name)).join(' or ')}`
      return note(`Invoices bill all parcels${of} that were picked up${when}.`)
    },
  }
}

const unbilledOptions = { since: moment, until: moment, month, courier: word, card: word }

const unbilled = verb(unbilledOptions, async (context, { month: whole, courier, card, ...days }) => {
  refuse(context, [])
  const [since, until] = whole ?? [days.since ?? 0, days.until]
  checkShape(context, unbilledView)
  keepHeapSmall()
  const bench = unbilledBench(
    tariffsOf(
      card === undefined
        ? await versionsNamed(context, undefined)
        : await givenVersions(context, card, { field: '--card' }),
    ),
  )
  const warehouses = await warehousesHere(context)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    const out = printer(context, unbilledView)
    const wanted =
      courier === undefined ? undefined : await couriersWanted(context, place, courier, await couriersOf(place))
    const sums = unbilledSums(wanted)
    try {
      if (place !== undefined)
        for await (const { awbs, found } of unbilledIn(place, warehouses, since, until ?? context.io.host.now()))
          await out.batch(
            awbs
              .map((awb) => unbilledRecord(awb, found, bench))
              .filter(sums.counts)
              .map((one) => JSON.stringify(one)),
          )
      await out.end()
      await sums.tell(context)
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** The names of the couriers of all parcels. */
async function couriersOf(place: BesidePlace | undefined): Promise<readonly string[]> {
  if (place === undefined) return []
  const { database, account } = place
  const all = await database.read(() => parcelCouriers(database.dialect, account), 'single')
  return [...new Set(all.map(({ name }) => name))]
}

export const verbs = { 'invoices unbilled': unbilled }
