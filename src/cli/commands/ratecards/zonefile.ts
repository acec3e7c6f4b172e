// A courier's sheet of zones as a file: its columns, the origin that it is about, and what its zones count in.
import { invalid, mostFaults, type Fault } from '../../../domain/errors.ts'
import { guessZone } from '../../../domain/read/zone.ts'
import type { ZoneTable } from '../../../domain/rates/cardschema.ts'
import { placesIn, zoneSheet, type ZoneSheet } from '../../../domain/rates/zonesheet.ts'
import { unmapped } from '../../../domain/rates/smallzones.ts'
import { zones as five, type Zone } from '../../../domain/rates/zones.ts'
import { warehousePincode } from '../../../engine/accounts/settings.ts'
import { canAsk } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { defaultOrigin, warehouseAlias } from '../../config/profiles.ts'
import type { SheetColumn } from '../../files/headers.ts'
import { openSheet } from '../../files/opensheet.ts'
import { words } from '../../output/display.ts'
import { withEngine } from '../../source/engine.ts'
import { safe } from '../../terminal/safe.ts'

const origins =
  'origin, origin pincode, origin pin, from pincode, from pin, source, source pincode, pickup pincode, pickup pin, ' +
  'pickup, hub pincode, warehouse pincode'
const destinations =
  'pincode, pincodes, pin, pin code, pin no, destination, destination pincode, destination pin, dest pincode, ' +
  'dest pin, to pincode, to pin, delivery pincode, delivery pin, drop pincode, drop pin, customer pincode, zip, ' +
  'zip code, postal code, prefix, pincode prefix'

/** The usual headers of such sheets. */
const columns: readonly SheetColumn[] = [
  { name: 'from', aliases: origins.split(', ') },
  { name: 'to', aliases: destinations.split(', '), required: true },
  { name: 'zone', aliases: ['zone name', 'zone code', 'zones', 'courier zone', 'delivery zone'], required: true },
]

/** What a sheet is read with. */
interface SheetOptions {
  readonly origin: string | undefined
  readonly sheet: string | undefined
  readonly map: readonly string[] | undefined
  readonly ignore: readonly string[] | undefined
  /** The zones of the card, as it spells them. */
  readonly known: readonly string[]
}

/** A sheet that has been read. */
export interface DrawnSheet {
  readonly origins: ZoneTable['origins']
  /** The zones with the number of their places. */
  readonly zones: ReadonlyMap<string, number>
  readonly places: number
  readonly pincodes: ReadonlySet<number>
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
}

/** Whose zones a sheet without a column of origins has. */
interface OriginOptions {
  readonly origin: string | undefined
  readonly warehouse: string | undefined
}

/** The origin that the flags or the profile name; '' for any. Throws `invalid_input`. */
export async function originOf(context: Context, { origin, warehouse }: OriginOptions): Promise<string | undefined> {
  if (warehouse !== undefined) {
    const id = warehouseAlias(context.io, context.flags, warehouse)
    const found = await withEngine(context, 'read', ({ database, account }) =>
      database.read(() => warehousePincode(account, id)),
    )
    if (found !== undefined) return found
    const message = `there is no warehouse ${safe(id)} on this computer`
    throw invalid([{ field: '--warehouse', message }], 'shipx local warehouse list')
  }
  if (origin === undefined) return undefined
  return oneOrigin(origin, '--origin')
}

/** An origin as a card has it. Throws `invalid_input`. */
function oneOrigin(text: string, field: string): string {
  if (/^(?:any|all|\*)$/i.test(text.trim())) return ''
  const places = placesIn(text)
  if (typeof places === 'string' || places.length !== 1)
    throw invalid([{ field, message: typeof places === 'string' ? places : 'is one pincode, prefix or range, or any' }])
  return places[0]!
}

/** Reads a sheet. Throws `invalid_input` with its faults by line, and `invalid_file`. */
export async function readZoneSheet(context: Context, path: string, options: SheetOptions): Promise<DrawnSheet> {
  const { sheet: named, map = [], ignore = [] } = options
  const sheet = await openSheet(context.io, { path, field: '<file>', columns, sheet: named, map, ignore })
  const [fromAt, toAt, zoneAt] = ['from', 'to', 'zone'].map((name) => sheet.places.get(name))
  const usual = options.origin ?? (fromAt === undefined ? originOfProfile(context) : undefined)
  if (fromAt !== undefined && options.origin !== undefined)
    throw invalid([
      { field: '--origin', message: 'and a column of origins exclude each other; --ignore leaves it out' },
    ])
  const zones = zoneSheet(sheet.counts, options.known)
  const faults: Fault[] = []
  const known = new Map<string, string>()
  try {
    for await (const batch of sheet.rows) {
      for (const { cells, line, fault } of batch) {
        const found = fault ?? addLine(zones, known, { cells, line, fromAt, toAt: toAt!, zoneAt: zoneAt!, usual })
        if (found !== undefined) faults.push({ field: null, message: found, row: line, counts: sheet.counts })
      }
      if (faults.length >= mostFaults) break
    }
  } finally {
    sheet.close()
  }
  if (faults.length > 0) throw invalid(faults.slice(0, mostFaults))
  const counts = zones.zones()
  const places = [...counts.values()].reduce((sum, one) => sum + one, 0)
  if (places === 0) throw invalid([{ field: sheet.name, message: 'the sheet has no lines below its header' }])
  const left = sheet.unknown.length === 0 ? [] : [`Not read: ${sheet.unknown.map((one) => safe(one)).join(', ')}.`]
  const notes = [...sheet.notes(), ...left]
  return { origins: zones.origins(), zones: counts, places, pincodes: zones.pincodes(), notes }
}

/** The origin of the profile. Throws `invalid_input` where there is none. */
function originOfProfile({ io, flags }: Context): string {
  const origin = defaultOrigin(io, flags)
  if (origin !== undefined) return origin
  const message = 'is required: the sheet has no column of origins. Whose zones are they? Your pincode, or any'
  throw invalid([{ field: '--origin', message }], 'for example --origin 400001, or --warehouse WH1')
}

/** A line and where its cells are. */
interface Placed {
  readonly cells: readonly string[]
  readonly line: number
  readonly fromAt: number | undefined
  readonly toAt: number
  readonly zoneAt: number
  readonly usual: string | undefined
}

/** Takes a line; returns what is wrong with it. An origin that came before is known. */
function addLine(zones: ZoneSheet, known: Map<string, string>, placed: Placed): string | undefined {
  const { cells, line, fromAt, toAt, zoneAt, usual } = placed
  const [to, zone] = [cells[toAt]!, cells[zoneAt]!]
  const written = fromAt === undefined ? '' : cells[fromAt]!
  if (to.trim() === '' && zone.trim() === '' && written.trim() === '') return undefined
  if (zone.trim() === '') return 'the zone is empty'
  let from = fromAt === undefined ? usual! : known.get(written)
  if (from === undefined) {
    const places = /^(?:any|all|\*)$/i.test(written.trim()) ? [''] : placesIn(written)
    if (typeof places === 'string') return places
    if (places.length !== 1) return 'has several origins in one cell; write a line for each'
    from = places[0]!
    known.set(written, from)
  }
  return zones.add(from, to, zone, line)
}

/**
 * The one of the five that each zone counts in: by --zone-map, as the table has it, by its name, or asked. Throws
 * `invalid_input` where no one can answer.
 */
export async function mapping(
  context: Context,
  found: ReadonlyMap<string, number>,
  map: ReadonlyMap<string, Zone>,
  before: ZoneTable | undefined,
): Promise<Record<string, Zone>> {
  const known = new Map(Object.entries(before?.zones ?? {}).map(([name, as]) => [name.toLowerCase(), as]))
  const zones: Record<string, Zone> = {}
  const open: string[] = []
  for (const name of found.keys()) {
    const as = map.get(name.toLowerCase()) ?? known.get(name.toLowerCase()) ?? guessZone(name)
    if (as === undefined) open.push(name)
    else zones[name] = as
  }
  if (open.length > 0 && !(context.attended && canAsk(context)))
    throw invalid(
      open.map((name) => ({ field: '--zone-map', message: unmapped(name) })),
      `for example --zone-map "${open.map((name) => `${name}=zone_e`).join(',')}"`,
    )
  if (open.length === 0) return zones
  const { askerOf } = await import('../../ask/ask.ts')
  const asker = await askerOf(context)
  for (const name of open) {
    const choices = five.map((zone) => ({ value: zone, name: words(zone) }))
    zones[name] = (await asker.choice(`Zone ${safe(name)} counts in`, choices)) as Zone
  }
  return zones
}
