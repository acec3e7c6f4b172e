// `shipx ratecard zones import|export`: the zones that a courier draws, from its sheet and back
// (docs/guides/contracts.md, Zones).
import { counted, count } from '../../../domain/count.ts'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { pincodeKnown } from '../../../domain/pincodes.ts'
import { couriersMeant } from '../../../domain/rates/pick.ts'
import { firstDay, versionAt } from '../../../domain/rates/cardversions.ts'
import { byFive, withSheet, withTable, type Drawn, type LostPlaces } from '../../../domain/rates/drawnprices.ts'
import type { RateCard, ZoneTable } from '../../../domain/rates/cardschema.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { zoneLines } from '../../../domain/rates/zonesheet.ts'
import { saveCard } from '../../../engine/accounts/ratecards.ts'
import { day, flag, list, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { printOne } from '../../output/printer.ts'
import { withEngine } from '../../source/engine.ts'
import { here } from '../../source/place.ts'
import { safe } from '../../terminal/safe.ts'
import { inGrams, today, versionsNamed } from './cards.ts'
import { sayCounted, sayUnreached, validFrom } from './import.ts'
import { versionTexts } from './versions.ts'
import { zoneMap } from './zonemap.ts'
import { mapping, originOf, readZoneSheet, type DrawnSheet } from './zonefile.ts'

const cardFault: Fault = { field: '--card', message: 'is required: the rate card that gets the zones' }

const importOptions = {
  card: word,
  zone_table: word,
  origin: word,
  warehouse: word,
  courier: list,
  couriers: list,
  zone_map: zoneMap,
  valid_from: day,
  replace: flag,
  dry_run: flag,
  sheet: word,
  map: list,
  ignore: list,
}

const importZones = verb(importOptions, async (context, options) => {
  const [path] = context.args
  refuse(context, [
    ...(path === undefined ? [missingArgument(context, 'file')] : []),
    ...(options.card === undefined ? [cardFault] : []),
  ])
  const { card, later } = await cardOf(context, options.card!, options.valid_from)
  const name = options.zone_table ?? tableName(card)
  const before = card.zone_tables?.find((table) => table.name === name)
  const origin = await originOf(context, options)
  const sheet = await readZoneSheet(context, path!, { ...options, origin, known: Object.keys(before?.zones ?? {}) })
  const zones = await mapping(context, sheet.zones, options.zone_map, before)
  const { table, kept, lost } = withSheet(card, { name, zones, origins: [...sheet.origins] }, options.replace)
  const ids = services(context, card, name, options.courier ?? options.couriers)
  const drawn = withTable(card, table, ids)
  if (drawn.unpriced.length > 0) throw unpriced(drawn, table)
  const saved = inGrams(drawn.card)
  await saySheet(context, sheet, drawn, kept)
  await sayLost(context, lost)
  await sayCounted(context, before, zones)
  await sayUnreached(context, saved, table)
  await sayLater(context, later)
  return saveZones(context, saved, { table, sheet, ids, dry: options.dry_run })
})

/**
 * The version that gets the zones: that of today, or a copy from a day on; and the first days of later ones, which keep
 * their own. Throws `not_found`.
 */
async function cardOf(
  context: Context,
  name: string,
  from: string | undefined,
): Promise<{ readonly card: RateCard; readonly later: readonly string[] }> {
  if (name === sampleCard.name)
    throw invalid([{ field: '--card', message: 'sample is the built-in card; import a contract of your own first' }])
  const versions = await versionsNamed(context, name)
  const found = versionAt(versions, from ?? today(context))
  const card = from === undefined ? found : validFrom(found, from)
  return { card, later: versions.map(firstDay).filter((first) => first > firstDay(card)) }
}

/** The table that a sheet fills: the only one of the card, else one with the card's name. */
function tableName({ name, zone_tables: tables = [] }: RateCard): string {
  if (tables.length < 2) return tables[0]?.name ?? name
  const names = tables.map((table) => table.name).join(', ')
  throw invalid([{ field: '--zone-table', message: `is required: the card has the zone tables ${names}` }])
}

/** The ids of the services that go by the table: the named ones, else those that do already, else all. */
function services(
  context: Context,
  card: RateCard,
  table: string,
  words: readonly string[] | undefined,
): ReadonlySet<string> {
  const already = card.services.filter((service) => service.zone_table === table)
  if (words === undefined) return new Set((already.length > 0 ? already : card.services).map((one) => one.carrier_id))
  const known = card.services.map(({ carrier_name: name }) => safe(name)).join(', ')
  refuse(
    context,
    words
      .filter((one) => couriersMeant(one, card.services).length === 0)
      .map((one) => ({ field: '--courier', message: `the card has no courier "${safe(one)}"; it has ${known}` })),
  )
  return new Set([
    ...already.map((one) => one.carrier_id),
    ...words.flatMap((one) => couriersMeant(one, card.services).map((found) => found.carrier_id)),
  ])
}

/** The refusal of a table whose zones some service has no prices for. */
function unpriced({ unpriced: all }: Drawn, table: ZoneTable): ShipxError {
  const faults = all.map(({ service, lacks, extra }) => {
    const parts = [
      ...(lacks.length === 0 ? [] : [`has no prices for ${lacks.join(', ')}`]),
      ...(extra.length === 0 ? [] : [`has prices for ${extra.join(', ')}, which the sheet lacks`]),
    ]
    return { field: safe(service.carrier_name), message: parts.join(', and ') }
  })
  const names = Object.keys(table.zones).join(',')
  return invalid(faults, `for a sheet with all of its zones: shipx ratecard template --zones "${names}"`)
}

/** Says what the sheet holds beyond its zones. */
async function saySheet(context: Context, sheet: DrawnSheet, { carried, card }: Drawn, kept: number): Promise<void> {
  for (const note of sheet.notes) await context.note(note)
  const unknown = [...sheet.pincodes].filter((pincode) => !pincodeKnown(String(pincode)))
  if (unknown.length > 0) {
    const some = unknown.slice(0, 3).join(', ')
    const are = counted(unknown.length, ['pincode', 'pincodes'])
    await context.note(`India Post does not list ${are} of the sheet (${some}); the card prices them all the same.`)
  }
  if (carried.length > 0) {
    const table = card.zone_tables!.at(-1)!
    const names = carried.map(({ carrier_name: name }) => safe(name)).join(', ')
    await context.note(`The prices of ${names} now go by the zones of the sheet: ${byFive(table).join('; ')}.`)
  }
  if (kept > 0)
    await context.note(
      `Kept ${counted(kept, ['origin', 'origins'])} that the sheet does not have (--replace drops them).`,
    )
}

/** Warns of pincodes that the sheet takes away. */
async function sayLost(context: Context, lost: readonly LostPlaces[]): Promise<void> {
  for (const { from, pincodes } of lost) {
    const some = `${pincodes.slice(0, 3).join(', ')}${pincodes.length > 3 ? ' …' : ''}`
    const all = counted(pincodes.length, ['pincode', 'pincodes'])
    const origin = from === '' ? 'any origin' : from
    await context.warn(`the sheet lacks ${all} that the card had from ${origin} (${some}): they have no zone now`)
  }
}

/** Warns of later versions, which keep zones of their own. */
async function sayLater(context: Context, later: readonly string[]): Promise<void> {
  for (const first of later)
    await context.warn(
      `the version from ${first} keeps its own zones: import the sheet for it with --valid-from ${first}`,
    )
}

/** Saves the card with its zones, and says so. */
async function saveZones(
  context: Context,
  card: RateCard,
  given: {
    readonly table: ZoneTable
    readonly sheet: DrawnSheet
    readonly ids: ReadonlySet<string>
    readonly dry: boolean
  },
): Promise<number> {
  const { table, sheet, ids, dry } = given
  const { from } = versionTexts(card, [])
  const names = card.services.filter((one) => ids.has(one.carrier_id)).map((one) => one.carrier_name)
  const size = `${counted(sheet.places, ['place', 'places'])} in ${counted(sheet.zones.size, ['zone', 'zones'])}`
  const what = `zones "${safe(table.name)}" of rate card ${safe(card.name)}${from}`
  const shown = {
    name: card.name,
    table: table.name,
    valid_from: card.valid_from,
    places: sheet.places,
    zones: Object.fromEntries(sheet.zones),
    counted_as: table.zones,
    couriers: names,
  }
  const go = `${names.map((name) => safe(name)).join(', ')} ${names.length === 1 ? 'goes' : 'go'} by them`
  if (dry) return wouldDo(context, `import ${what} ${here(context)}: ${size}; ${go}`, shown)
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(() => saveCard(engine.account, card, context.io.host.now()))
    await done(context, `Imported ${what} ${here(context)}: ${size}; ${go}`)
    await printOne(context, shown, card.name)
    return 0
  })
}

const exportOptions = { card: word, zone_table: word, valid_from: day, out: word, force: flag }

const exportZones = verb(exportOptions, async (context, options) => {
  const formats = ['json', 'jsonl', 'ids'].filter((name) => context.flags.has(name))
  refuse(
    context,
    formats.map((name) => ({ field: `--${name}`, message: 'a sheet is CSV; shipx ratecard export has JSON' })),
  )
  const versions = await versionsNamed(context, options.card)
  const card = versionAt(versions, options.valid_from ?? today(context))
  const table = tableToWrite(card, options.zone_table)
  const [header, ...lines] = zoneLines(table)
  const writer = writerFor(context, options.out !== undefined)
  const content = writer.header(header!) + lines.map((line) => writer.row(line)).join('')
  if (options.out === undefined) await context.io.stdout.write(content)
  else {
    writeWhole(options.out, content, options.force, '--out')
    const from = firstDay(card) === '' ? '' : ` from ${firstDay(card)}`
    const what = `zones "${safe(table.name)}" of ${safe(card.name)}${from}`
    await done(context, `Wrote ${count(lines.length)} lines of the ${what} to ${safe(options.out)}`)
  }
  return 0
})

/** The table to write: the named one, or the only one. Throws `not_found`. */
function tableToWrite({ name: card, zone_tables: tables = [] }: RateCard, named: string | undefined): ZoneTable {
  const table = named === undefined && tables.length === 1 ? tables[0] : tables.find(({ name }) => name === named)
  if (table !== undefined) return table
  const have = tables.map(({ name }) => safe(name)).join(', ') || 'none'
  if (named === undefined && tables.length > 1)
    throw invalid([{ field: '--zone-table', message: `is required: ${safe(card)} has the zone tables ${have}` }])
  const what = named === undefined ? 'zone table' : `zone table "${safe(named)}"`
  throw new ShipxError('not_found', `${safe(card)} has no ${what}; it has: ${have}`)
}

export const verbs = { 'ratecard zones import': importZones, 'ratecard zones export': exportZones }
