// `shipx ratecard simulate`: what the parcels that ended would have cost on other cards, with the returns and the COD
// that really happened (docs/guides/whatif.md).
import type { Query } from '../../../domain/contract.ts'
import { counted } from '../../../domain/count.ts'
import { invalid, ShipxError } from '../../../domain/errors.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { done, say } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { safe } from '../../terminal/safe.ts'
import { withRecords, type OwnSource } from '../pull/offer.ts'
import { inventedNote } from '../rates/show.ts'
import { warehousesHere } from '../reconcile/warehouses.ts'
import { codPolicies } from '../shipments/codpolicies.ts'
import { breakEvenOf, numberOf, withNumber, type BreakEven } from './breakeven.ts'
import { simulatedCards, type SimulatedCard } from './cards.ts'
import { chancesOf } from './chances.ts'
import { courierFaults, simulateOptions, togetherFaults, wayOf, type SimulateOptions } from './options.ts'
import { parcelsFile } from './parcelsout.ts'
import { adding, endedParcels, type Asking, type OnParcel, type Passed } from './pass.ts'
import { recordsOf } from './records.ts'
import { simulatedText, simulatedView } from './show.ts'

const simulate = verb(simulateOptions, async (context, options) => {
  const { input: typed, unknown } = await asked(context, shipmentKind, togetherFaults(options))
  const way = wayOf(options)
  const view = simulatedView(options.gst, way.name === 'pick' || way.name === 'mix')
  checkShape(context, view)
  growHeapSlowly()
  const given = await simulatedCards(context, options.cards!)
  const faults = courierFaults(
    options,
    given.flatMap(({ versions }) => versions),
  )
  if (faults.length > 0) throw invalid(faults)
  const number = options.break_even === undefined ? undefined : numberOf(given[1]!, options.break_even)
  for (const note of inventedNote(given.find(({ versions }) => versions[0].name === sampleCard.name)?.versions[0].name))
    await context.note(note)
  return withRecords(context, 'what parcels would have cost', ['shipments'], async (own, source) => {
    const input = await questionFor(own, shipmentKind, source, typed)
    const run: Run = { context: own, source, input, warehouses: await warehousesHere(own), stop: { asked: false } }
    const chances = options.rto_by === undefined ? undefined : await chancesOf(source.engine, input)
    const withPolicies = await codPolicies(source)
    const cards = given.map(({ word, versions }) => ({ word, versions: withPolicies(versions) }))
    const asking: Asking = { cards, way, gst: options.gst, commit: options.commit ?? [], chances, total: 'all' }
    const quieten = own.io.onInterrupt(() => {
      run.stop.asked = true
    })
    try {
      const passed = await passWithFile(run, asking, options)
      if (passed.parcels === 0) throw nothingEnded()
      const breakEven = number === undefined ? undefined : await evenIn(run, asking, options.break_even!, number)
      const pick = options.mix === undefined ? (options.pick ?? ['as-shipped']).join(',') : 'mix'
      const { rto } = options
      const records = recordsOf(passed, { pick, rto, commit: asking.commit, chances, breakEven })
      await printList(own, view, records)
      if (own.format === 'plain' && own.screen.tty)
        await say(own, `\n${simulatedText(records, options.gst, own.screen).trimEnd()}`)
      else for (const record of records) await sayUnpriced(own, record)
      await warnUnknown(own, unknown)
      return 0
    } finally {
      quieten()
    }
  })
})

/** What passes over the parcels share. */
interface Run {
  readonly context: Context
  readonly source: OwnSource
  readonly input: Query
  readonly warehouses: ReadonlyMap<string, string>
  readonly stop: { asked: boolean }
}

/** One pass over all parcels that match. Throws `interrupted`. */
async function passOf(
  { context, source, input, warehouses, stop }: Run,
  asking: Asking,
  onParcel?: OnParcel,
): Promise<Passed> {
  const { add, passed } = adding(asking, warehouses, onParcel)
  const bar = await progress(context, 'Pricing parcels', undefined)
  try {
    for await (const rows of endedParcels(source.engine, input, () => stop.asked)) {
      add(rows)
      await bar.advance(rows.length)
    }
  } finally {
    await bar.end()
  }
  if (stop.asked)
    throw new ShipxError('interrupted', `stopped after ${counted(passed().parcels, ['parcel', 'parcels'])}`, {
      hint: 'nothing is written; run it again for all of them',
    })
  return passed()
}

async function passWithFile(run: Run, asking: Asking, { parcels_out: path, force }: SimulateOptions): Promise<Passed> {
  if (path === undefined) return passOf(run, asking)
  const file = parcelsFile(run.context, path, force, asking.cards)
  try {
    const passed = await passOf(run, asking, file.onParcel)
    file.finish()
    await done(run.context, `Wrote ${counted(passed.parcels, ['parcel', 'parcels'])} to ${path}`)
    return passed
  } finally {
    file.close()
  }
}

/** The break-even of a number of the second card, on the parcels that both cards price. */
async function evenIn(run: Run, asking: Asking, path: string, number: ReturnType<typeof numberOf>): Promise<BreakEven> {
  const [first, second] = asking.cards as [SimulatedCard, SimulatedCard]
  return breakEvenOf(path, number, async (value) => {
    const cards = [first, withNumber(second, path, value)]
    const { cards: sums } = await passOf(run, { ...asking, cards, commit: [], chances: undefined, total: 'chosen' })
    const { before, after } = sums[1]!.compared
    return after - before
  })
}

const nothingEnded = (): ShipxError =>
  new ShipxError('not_found', 'none of these parcels is delivered or came back, so there is nothing to price', {
    hint: 'take a longer period, or fewer filters: --since 180d',
  })

/** Warns of parcels that a card does not price as chosen: no total has them. */
async function sayUnpriced(
  context: Context,
  { card, priced, parcels }: { card: string; priced: number; parcels: number },
): Promise<void> {
  if (priced === parcels) return
  const lacking = counted(parcels - priced, ['parcel', 'parcels'])
  await context.warn(`${safe(card)} has no price for ${lacking} of ${parcels}: see unpriced in --json`)
}

export const verbs = { 'ratecard simulate': simulate }
