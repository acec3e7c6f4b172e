// `shipx ratecard …`: imports, shows and exports the merchant's own contract prices.
import { counted } from '../../../domain/count.ts'
import { invalid } from '../../../domain/errors.ts'
import { cardColumns, writtenWeight, type CardLine } from '../../../domain/rates/cardcells.ts'
import { cardLines, tableFault } from '../../../domain/rates/cardtable.ts'
import type { RateCard } from '../../../domain/rates/cardschema.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { zones } from '../../../domain/rates/zones.ts'
import { cardVersions, listCards, saveCard, useCard } from '../../../engine/accounts/ratecards.ts'
import { baseOf, cardNamed, inGrams, isFile, readCard, reading, sound, titleOf, today } from './cards.ts'
import { knownVersions, nameInUse, refuseUndated, versionTexts } from './versions.ts'
import { done, say, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse } from '../../source/engine.ts'
import { day, flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { showMoney } from '../../output/display.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { printList, printOne } from '../../output/printer.ts'
import { jsonText, safe, safeJson } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

interface CardSummary extends Record<string, unknown> {
  readonly name: string
  readonly in_use: boolean
  readonly services: number
  readonly versions: number
  readonly note: string
}

const summaryOf = (versions: Versions, used: boolean, day: string): CardSummary => ({
  name: versions[0].name,
  in_use: used,
  services: versionAt(versions, day).services.length,
  versions: versions.length,
  note: versionAt(versions, day).note ?? '',
})

const cardView = plainView<CardSummary>(['rate card', 'rate cards'], (card) => card.name, [
  'name',
  'in_use',
  'services',
  'versions',
  'note',
])

async function list(context: Context): Promise<number> {
  refuse(context, [])
  const cards = await reading(
    context,
    ({ database, account }) =>
      database.read(function* () {
        const entries = yield* listCards(account)
        const own: CardSummary[] = []
        for (const entry of entries)
          own.push(summaryOf(yield* cardVersions(account, entry.name), entry.in_use === 1, today(context)))
        return own
      }),
    () => [],
  )
  const all = [
    ...cards,
    ...(cards.some((card) => card.name === sampleCard.name)
      ? []
      : [summaryOf([sampleCard], !cards.some((card) => card.in_use), today(context))]),
  ]
  await printList(context, cardView, all)
  return 0
}

async function show(context: Context): Promise<number> {
  refuse(context, [])
  const card = await cardNamed(context, context.args[0])
  const { format, io, screen } = context
  if (format === 'json' || format === 'jsonl')
    return (await io.stdout.write(`${jsonText(card, format === 'json' && screen.tty)}\n`), 0)
  if (screen.tty && format === 'plain') {
    const note = card.note === undefined || card.note === '' ? '' : `: ${safe(card.note)}`
    const about = `Rupees before GST (${card.gst_percent} %) for the first slab, then for each further one.`
    await say(context, `${screen.paint.bold(safe(card.name))}${note}\n${about}\n`)
  }
  const lines = cardLines(card).filter((line) => line.journey !== 'rto')
  const rows = [...new Set(lines.map((line) => `${line.carrier_id} ${line.journey}`))].map((key) =>
    priceRow(lines.filter((line) => `${line.carrier_id} ${line.journey}` === key)),
  )
  await printList(context, priceView(context), rows)
  return 0
}

/** A carrier's prices for one journey: `first + step` by zone. */
type PriceRow = Readonly<Record<string, string>>

function priceRow(lines: readonly CardLine[]): PriceRow {
  const first = lines[0]!
  const cells = zones.map((zone) => {
    const band = lines.find((line) => line.zone === zone)
    return [zone, band === undefined ? '' : `${band.first_price} + ${band.step_price}`] as const
  })
  return {
    id: first.carrier_id,
    courier: first.carrier_name,
    service: first.service_level,
    journey: first.journey,
    slab: `${first.first_weight} + ${first.step_weight} g`,
    ...Object.fromEntries(cells),
  }
}

const priceView = (context: Context) => {
  const keys = ['courier', 'service', 'journey', 'slab', ...zones]
  const view = plainView<PriceRow>(['price', 'prices'], (row) => row['id']!, keys)
  const money = (cell: string): string =>
    cell.replace(/^[\d.]+/, (first) => showMoney(Number(first), context.screen)) || '-'
  return {
    ...view,
    columns: view.columns.map((column) =>
      column.key.startsWith('zone_')
        ? { ...column, right: true as const, show: (row: PriceRow) => money(row[column.key]!) }
        : column,
    ),
  }
}

const servicesOf = ({ services }: RateCard): string => counted(services.length, ['service', 'services'])

const check = verb({ sheet: word }, async (context, { sheet }) => {
  const [given] = context.args
  refuse(context, [])
  const card =
    given !== undefined && isFile(given)
      ? await readCard(context, given, undefined, async () => sampleCard, '<file>', sheet)
      : inGrams(await cardNamed(context, given))
  await done(context, `${safe(card.name)} is sound: ${servicesOf(card)}, freight never falls as weight grows`)
  await printOne(context, { name: card.name, services: card.services.length, faults: [] }, card.name)
  return 0
})

const exportCard = verb({ force: flag, out: word }, async (context, options) => {
  refuse(context, [])
  const card = await cardNamed(context, context.args[0])
  const csv = context.format === 'csv' || context.format === 'tsv' || context.format === 'excel'
  const text = (): string => `${JSON.stringify(card, writtenWeight, 2)}\n`
  const content = csv ? csvOf(context, card, options.out !== undefined) : text()
  const out = options.out
  if (out === undefined) await context.io.stdout.write(csv ? content : safeJson(content))
  else {
    writeWhole(out, content, options.force, '--out')
    await done(context, `Wrote ${safe(card.name)} to ${safe(out)}`)
  }
  return 0
})

function csvOf(context: Context, card: RateCard, toFile: boolean): string {
  const fault = tableFault(card)
  if (fault !== undefined)
    throw invalid([{ field: null, message: `${fault}, and a table has no column for it; export the card as JSON` }])
  const writer = writerFor(context, toFile)
  return (
    writer.header(cardColumns) +
    cardLines(card)
      .map((line) => writer.row(cardColumns.map((column) => line[column])))
      .join('')
  )
}

/** A card from a day on. A last day before it is that of the version that the card was made from. */
const validFrom = (card: RateCard, from: string): RateCard => ({
  ...card,
  valid_from: from,
  valid_to: card.valid_to !== null && card.valid_to < from ? null : card.valid_to,
})

const importCardOptions = { dry_run: flag, use: flag, name: word, base: word, valid_from: day, sheet: word }

const importCard = verb(importCardOptions, async (context, options) => {
  const [path] = context.args
  refuse(
    context,
    path === undefined ? [{ field: '<file>', message: 'is required: a card as .json, .csv or .xlsx' }] : [],
  )
  const name = options.name
  const named = options.base
  const base = (): Promise<RateCard> =>
    named !== undefined ? cardNamed(context, named) : baseOf(context, name ?? titleOf(path!))
  const read = await readCard(context, path!, name, base, '<file>', options.sheet)
  const card = options.valid_from === undefined ? read : sound(validFrom(read, options.valid_from))
  if (card.name === sampleCard.name)
    throw invalid([{ field: '--name', message: 'the name sample is the built-in card; give another one with --name' }])
  const known = await knownVersions(context, card.name)
  refuseUndated(card, known)
  const { from, after } = versionTexts(card, known)
  const used = options.use || (await nameInUse(context)) === card.name
  if (options.dry_run)
    return wouldDo(context, `import rate card ${card.name}${from} ${here(context)}, ${servicesOf(card)}${after}`, {
      import: card.name,
      valid_from: card.valid_from,
      services: card.services.length,
      use: options.use,
    })
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(function* () {
      yield* saveCard(engine.account, card, context.io.host.now())
      if (options.use) yield* useCard(engine.account, card.name)
    })
    const next = options.use ? ', in use from now on' : used ? '' : `. Quote with it: shipx ratecard use ${card.name}`
    await done(context, `Imported rate card ${card.name}${from} ${here(context)}, ${servicesOf(card)}${after}${next}`)
    await printOne(context, { name: card.name, services: card.services.length, valid_from: card.valid_from }, card.name)
    return 0
  })
})

const use = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [name] = context.args
  refuse(context, name === undefined ? [{ field: '<card>', message: 'is required: the name of a card' }] : [])
  if (dry) {
    await rehearse(context, ({ account }) => useCard(account, name!))
    return wouldDo(context, `use rate card ${name!} for quotes ${here(context)}`, { use: name })
  }
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(() => useCard(engine.account, name!))
    await done(context, `Quotes ${here(context)} come from ${safe(name!)} now`)
    await printOne(context, { name, in_use: true }, name!)
    return 0
  })
})

export const verbs = {
  'ratecard list': list,
  'ratecard show': show,
  'ratecard check': check,
  'ratecard export': exportCard,
  'ratecard import': importCard,
  'ratecard use': use,
}
