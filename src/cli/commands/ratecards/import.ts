// `shipx ratecard import|template`: a contract from a file, and a sheet to fill in.
import { counted } from '../../../domain/count.ts'
import { invalid } from '../../../domain/errors.ts'
import type { RateCard, ZoneTable } from '../../../domain/rates/cardschema.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { smallTemplate } from '../../../domain/rates/smalllines.ts'
import { likelyTypos, withoutPlaces } from '../../../domain/rates/smallzones.ts'
import { saveCard, useCard } from '../../../engine/accounts/ratecards.ts'
import { day, flag, list, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { words } from '../../output/display.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { printOne } from '../../output/printer.ts'
import { withEngine } from '../../source/engine.ts'
import { here } from '../../source/place.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { baseOf, cardNamed, readCard, sound, titleOf, type ReadCard } from './cards.ts'
import { knownVersions, nameInUse, refuseUndated, versionTexts } from './versions.ts'
import { zoneMap } from './zonemap.ts'

/** How many services a card has, in words. */
export const servicesOf = ({ services }: RateCard): string => counted(services.length, ['service', 'services'])

/** A card from a day on. A last day before it is that of the version that the card was made from. */
export const validFrom = (card: RateCard, from: string): RateCard => ({
  ...card,
  valid_from: from,
  valid_to: card.valid_to !== null && card.valid_to < from ? null : card.valid_to,
})

/** Says which prices are gone, what shipx filled in, and which of the courier's zones have no pincodes yet. */
export async function sayFilled(context: Context, { card, filled, lost }: ReadCard): Promise<void> {
  for (const text of lost) await context.warn(`${safe(text)}: a zone whose price is empty is not served`)
  if (filled.length > 0)
    await context.note(`Filled in: ${filled.join(', ')}. To change them: shipx ratecard export ${card.name}`)
  const used = new Set(card.services.map((service) => service.zone_table))
  for (const table of (card.zone_tables ?? []).filter(({ name }) => used.has(name)))
    await sayUnreached(context, card, table)
}

/** Warns of the zones of a courier that count as others of the five than before. */
export async function sayCounted(
  context: Context,
  before: ZoneTable | undefined,
  zones: ZoneTable['zones'],
): Promise<void> {
  for (const [name, five] of Object.entries(zones)) {
    const old = before?.zones[name]
    if (old !== undefined && old !== five)
      await context.warn(`zone ${safe(name)} counts as ${five} now, not as ${old}: transit days follow`)
  }
}

/** Warns of the zones of a table that no pincode leads to, and of those that look misspelt. */
export async function sayUnreached(context: Context, card: RateCard, table: ZoneTable): Promise<void> {
  const empty = withoutPlaces(table)
  if (empty.length === 0) return
  const one = empty.length === 1
  const zones = `${one ? 'zone' : 'zones'} ${safe(empty.join(', '))}`
  await context.warn(
    `the ${zones} of ${safe(card.name)} ${one ? 'has' : 'have'} no pincodes yet, so no pincode leads to ` +
      `${one ? 'its' : 'their'} prices: shipx ratecard zones import <sheet> --card ${card.name}`,
  )
  for (const { name, zone } of likelyTypos(table).filter((typo) => empty.includes(typo.name)))
    await context.warn(
      `"${safe(name)}" is none of the five zones: is it ${words(zone)} misspelt? All zones are the courier's own now`,
    )
}

/** How a card is saved. */
interface Saving {
  readonly use: boolean
  readonly dry: boolean
  /** `Imported`, and `import` for a dry run. */
  readonly words: readonly [did: string, would: string]
}

/** Saves a card as a version of its name, and says so. Throws `invalid_input` for the name of the built-in card. */
export async function saveAs(context: Context, card: RateCard, { use, dry, words }: Saving): Promise<number> {
  if (card.name === sampleCard.name)
    throw invalid([{ field: '--name', message: 'the name sample is the built-in card; give another one with --name' }])
  const known = await knownVersions(context, card.name)
  refuseUndated(card, known)
  const { from, after } = versionTexts(card, known)
  const used = use || (await nameInUse(context)) === card.name
  const [did, would] = words
  if (dry)
    return wouldDo(context, `${would} rate card ${card.name}${from} ${here(context)}, ${servicesOf(card)}${after}`, {
      [would]: card.name,
      valid_from: card.valid_from,
      services: card.services.length,
      use,
    })
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(function* () {
      yield* saveCard(engine.account, card, context.io.host.now())
      if (use) yield* useCard(engine.account, card.name)
    })
    const next = use ? ', in use from now on' : used ? '' : `. Quote with it: shipx ratecard use ${card.name}`
    await done(context, `${did} rate card ${card.name}${from} ${here(context)}, ${servicesOf(card)}${after}${next}`)
    await printOne(context, { name: card.name, services: card.services.length, valid_from: card.valid_from }, card.name)
    return 0
  })
}

const importOptions = {
  dry_run: flag,
  use: flag,
  name: word,
  base: word,
  valid_from: day,
  sheet: word,
  zone_map: zoneMap,
}

const importCard = verb(importOptions, async (context, options) => {
  const [path] = context.args
  refuse(
    context,
    path === undefined ? [{ field: '<file>', message: 'is required: a card as .json, .csv or .xlsx' }] : [],
  )
  const { name, sheet, base: named, zone_map: zones } = options
  const base = (): Promise<RateCard> =>
    named !== undefined ? cardNamed(context, named) : baseOf(context, name ?? titleOf(path!))
  const read = await readCard(context, path!, { name, base, sheet, zones })
  const card = options.valid_from === undefined ? read.card : sound(validFrom(read.card, options.valid_from))
  if (options.valid_from !== undefined && name === undefined) await refuseNewName(context, card.name)
  const saving = { use: options.use, dry: options.dry_run, words: ['Imported', 'import'] as const }
  const before = zones.size === 0 ? [] : ((await base()).zone_tables ?? [])
  const exit = await saveAs(context, card, saving)
  await sayFilled(context, { ...read, card })
  for (const table of card.zone_tables ?? [])
    await sayCounted(
      context,
      before.find((old) => old.name === table.name),
      table.zones,
    )
  return exit
})

/** Refuses prices from a day on whose card is taken from the name of the file, while another card is in use. */
async function refuseNewName(context: Context, name: string): Promise<void> {
  const used = await nameInUse(context)
  if (used === sampleCard.name || (await knownVersions(context, name)).length > 0) return
  const [own, other] = [safe(used), safe(name)]
  const message = `is required: ${own} for a new version of the card in use, ${other} for another card`
  throw invalid([{ field: '--name', message }])
}

const templateOptions = { zones: list, courier: list, couriers: list, out: word, force: flag }

const template = verb(templateOptions, async (context, { zones, courier, couriers, out, force }) => {
  const formats = ['json', 'jsonl', 'ids'].filter((name) => context.flags.has(name))
  const wrong = (zones ?? []).filter((name) => !/^[A-Za-z0-9][A-Za-z0-9 _-]{0,19}$/.test(name.trim()))
  refuse(context, [
    ...formats.map((name) => ({ field: `--${name}`, message: 'a sheet is CSV' })),
    ...wrong.map((name) => ({ field: '--zones', message: `"${name.slice(0, 20)}" is not the name of a zone` })),
  ])
  const [header, ...rows] = smallTemplate(
    zones?.map((name) => name.trim()),
    courier ?? couriers,
  )
  const writer = writerFor(context, out !== undefined)
  const content = writer.header(header!) + rows.map(writer.row).join('')
  if (out === undefined) await context.io.stdout.write(content)
  else {
    writeWhole(out, content, force, '--out')
    await done(context, `Wrote ${safe(out)}. Fill it in, then: shipx ratecard import ${quoted(out)} --use`)
    await context.note(
      'A sheet has no columns for conditions of surcharges, rates by day, COD fees by value and rules of weight: ' +
        'after the import, edit the JSON of shipx ratecard export.',
    )
  }
  return 0
})

export const verbs = { 'ratecard import': importCard, 'ratecard template': template }
