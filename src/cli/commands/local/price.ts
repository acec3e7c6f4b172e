// `shipx local price`: gives the parcels on this computer that have a courier and no price the price of the card, with
// the version of their day (docs/guides/cost.md).
import type { Query } from '../../../domain/contract.ts'
import { count, counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { Work } from '../../../engine/database/port.ts'
import { priceSome, pricingBy, type PricedBatch, type Pricing } from '../../../engine/orders/pricing.ts'
import { unpricedReasons, type UnpricedReason } from '../../../engine/orders/recordprice.ts'
import { countMatches } from '../../../engine/records/listing.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { showMoney } from '../../output/display.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { progress } from '../../output/progress.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import { here } from '../../source/place.ts'
import { placeOf } from '../../source/source.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { isFile } from '../ratecards/cards.ts'
import { inventedNote } from '../rates/show.ts'

/** Parcels in one transaction: a writer of another process waits no longer than that. */
const batchSize = 1000

/** The parcels without a price for one reason, and the first of them. */
interface Refused {
  readonly reason: UnpricedReason
  parcels: number
  readonly example: string
  readonly why: string | null
}

/** What was done so far; `total` is paise before GST. */
interface Done {
  parcels: number
  priced: number
  total: number
  already: number
  without_courier: number
  readonly refused: Map<UnpricedReason, Refused>
}

const options = { card: word, again: flag, dry_run: flag }

const price = verb(options, async (context, { card, again, dry_run: dry }) => {
  const { input: typed, unknown } = await asked(context, shipmentKind, cardFaults(card))
  growHeapSlowly()
  return withEngine(context, dry ? 'read' : 'bulk', async (engine) => {
    const { database, account, service } = engine
    const source = { service, engine, remote: undefined, close: async () => undefined }
    const input = await questionFor(context, shipmentKind, source, typed)
    const over = { again, dry, now: context.io.host.now() }
    const pricing = await database.read(() => pricingBy(account, card, over))
    for (const note of inventedNote(pricing.card)) await context.note(note)
    const { so, stopped } = await priceAll(context, engine, pricing, input)
    if (stopped)
      throw new ShipxError('interrupted', `stopped after ${sentence(context, so, pricing.card)}`, {
        hint: again
          ? 'what has a new price keeps it; the same command starts again, without --again it prices the rest'
          : 'what has a price keeps it; the same command prices the rest',
      })
    await tell(context, so, pricing)
    await warnUnknown(context, unknown)
    const refused = [...so.refused.values()]
    if (refused.length > 0) throw someUnpriced(so, refused, again)
    return 0
  })
})

function cardFaults(card: string | undefined): readonly Fault[] {
  if (card === '') return [{ field: '--card', message: 'is the name of a card on this computer' }]
  if (card === undefined || !isFile(card)) return []
  const message = `is the name of a card on this computer: first shipx ratecard import ${quoted(card)}`
  return [{ field: '--card', message }]
}

/** Prices batch by batch until the end or a signal. */
async function priceAll(
  context: Context,
  engine: Engine,
  pricing: Pricing,
  input: Query,
): Promise<{ readonly so: Done; readonly stopped: boolean }> {
  const { database } = engine
  const place = placeOf(engine)
  const so: Done = { parcels: 0, priced: 0, total: 0, already: 0, without_courier: 0, refused: new Map() }
  const total = await database.read(() => countMatches(place, 'shipment', input))
  const bar = await progress(context, 'Pricing parcels', total)
  let stopped = false
  const quieten = context.io.onInterrupt(() => {
    stopped = true
  })
  try {
    for (let query: Query | undefined = input; query !== undefined;) {
      if (stopped) return { so, stopped }
      const question: Query = query
      const work = (): Work<PricedBatch> => priceSome(place, pricing, question, batchSize, total)
      const batch: PricedBatch = await (pricing.dry ? database.read(work) : database.write(work))
      so.parcels += batch.seen
      so.priced += batch.priced
      so.total += batch.total
      so.already += batch.known
      so.without_courier += batch.open
      for (const { reason, why = null, name } of batch.refused) {
        const known = so.refused.get(reason)
        if (known === undefined) so.refused.set(reason, { reason, parcels: 1, example: name, why })
        else known.parcels++
      }
      query =
        batch.next === undefined
          ? undefined
          : ({ ...input, search_after: [...batch.next], next_search_after: undefined } as Query)
      await bar.advance(batch.seen)
      // Lets signals in: SQLite answers synchronously.
      await new Promise(setImmediate)
    }
  } finally {
    quieten()
    await bar.end()
  }
  return { so, stopped: false }
}

const parcels = (n: number): string => counted(n, ['parcel', 'parcels'])

const sentence = ({ screen }: Context, { priced, total }: Done, card: string): string =>
  `${parcels(priced)} priced on ${safe(card)}, ${showMoney(rupeesOf(total), screen)} before GST`

/** The reasons with the most parcels first. */
const largest = (refused: readonly Refused[]): readonly Refused[] => refused.toSorted((a, b) => b.parcels - a.parcels)

async function tell(context: Context, so: Done, { card, dry }: Pricing): Promise<void> {
  const refused = largest([...so.refused.values()])
  const data = {
    card,
    parcels: so.parcels,
    priced: so.priced,
    total: rupeesOf(so.total),
    already: so.already,
    without_courier: so.without_courier,
    without_price: refused,
  }
  const place = here(context)
  if (dry) {
    const what = `price ${parcels(so.priced)} on ${safe(card)}, ${showMoney(rupeesOf(so.total), context.screen)}`
    await wouldDo(context, `${what} before GST, ${place}`, { price: data })
  } else await answer(context, `${sentence(context, so, card)}, ${place}`, data, true)
  const others = [
    ...(so.already === 0 ? [] : [`${parcels(so.already)} had a price (--again prices them again)`]),
    ...(so.without_courier === 0 ? [] : [`${parcels(so.without_courier)} without a courier`]),
  ]
  if (others.length > 0) await context.note(`Left out: ${others.join('; ')}.`)
}

/** Some parcels have no price. The error names the first of each reason. */
function someUnpriced({ priced, already }: Done, refused: readonly Refused[], again: boolean): ShipxError {
  const missing = refused.reduce((sum, one) => sum + one.parcels, 0)
  const all = priced + already + missing
  const lack = `${missing === 1 ? 'has' : 'have'} no ${again ? 'new ' : ''}price`
  const message = `${count(missing)} of ${parcels(all)} with a courier ${lack}`
  const details = largest(refused).map(({ reason, parcels: n, example, why }) => ({
    field: null,
    message: `${parcels(n)}: ${unpricedReasons[reason]} (${example}${why === null ? '' : `, ${why}`})`,
  }))
  return new ShipxError('partial', message, { details })
}

export const verbs = { 'local price': price }
