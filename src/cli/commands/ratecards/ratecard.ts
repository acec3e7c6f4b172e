// `shipx ratecard list|check|export|use`: the merchant's own contract prices.
import { invalid } from '../../../domain/errors.ts'
import { cardColumns, writtenWeight } from '../../../domain/rates/cardcells.ts'
import { cardLines, tableFault } from '../../../domain/rates/cardtable.ts'
import type { RateCard } from '../../../domain/rates/cardschema.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { smallFault, smallLines } from '../../../domain/rates/smalllines.ts'
import { cardVersions, listCards, useCard } from '../../../engine/accounts/ratecards.ts'
import { cardMeant, inGrams, isFile, readCard, reading, today, type ReadCard } from './cards.ts'
import { sayFilled, servicesOf } from './import.ts'
import { zoneMap } from './zonemap.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse } from '../../source/engine.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { printList, printOne } from '../../output/printer.ts'
import { safe, safeJson } from '../../terminal/safe.ts'
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

const plain = plainView<CardSummary>(['rate card', 'rate cards'], (card) => card.name, [
  'name',
  'in_use',
  'services',
  'versions',
  'note',
])

const cardView: typeof plain = {
  ...plain,
  columns: plain.columns.map((column) =>
    column.key === 'in_use' ? { ...column, show: (card) => (card.in_use ? 'yes' : 'no') } : column,
  ),
}

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

const check = verb({ sheet: word, zone_map: zoneMap }, async (context, { sheet, zone_map: zones }) => {
  const [given] = context.args
  refuse(context, [])
  const read: ReadCard =
    given !== undefined && isFile(given)
      ? await readCard(context, given, { base: async () => sampleCard, sheet, zones })
      : { card: inGrams(await cardMeant(context, given, '<card>')), filled: [], lost: [] }
  const { card } = read
  await done(context, `${safe(card.name)} is sound: ${servicesOf(card)}, freight never falls as weight grows`)
  await sayFilled(context, read)
  await printOne(context, { name: card.name, services: card.services.length, faults: [] }, card.name)
  return 0
})

const exportCard = verb({ force: flag, out: word }, async (context, options) => {
  refuse(context, [])
  const card = await cardMeant(context, context.args[0], '<card>')
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

/** A card as a table: the long form, or the small one where that alone holds its prices. */
function csvOf(context: Context, card: RateCard, toFile: boolean): string {
  const writer = writerFor(context, toFile)
  if (tableFault(card) !== undefined) {
    const fault = smallFault(card)
    if (fault !== undefined)
      throw invalid([{ field: null, message: `${fault}, and a table has no column for it; export the card as JSON` }])
    const [header, ...rows] = smallLines(card)
    return writer.header(header!) + rows.map(writer.row).join('')
  }
  return (
    writer.header(cardColumns) +
    cardLines(card)
      .map((line) => writer.row(cardColumns.map((column) => line[column])))
      .join('')
  )
}

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
  'ratecard check': check,
  'ratecard export': exportCard,
  'ratecard use': use,
}
