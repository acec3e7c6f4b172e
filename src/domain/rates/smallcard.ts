// A rate card from a small sheet: one line for each courier with its prices by zone, as a contract prints them. What
// the sheet does not say comes from the card before, or from defaults that shipx names (docs/guides/contracts.md).
import type { Fault } from '../errors.ts'
import { readZoneWords } from '../read/zone.ts'
import type { Band, RateCard, Service } from './ratecard.ts'
import { smallForm, type SmallSheet, type ZonePlace } from './smallform.ts'
import type { SmallTerm } from './smallcolumns.ts'
import { termsOf } from './smallterms.ts'
import {
  cellFault,
  idOf,
  journeys,
  lineWith,
  numberIn,
  sheetPlace,
  type Defaults,
  type Draft,
  type Journey,
  type Reading,
  type SmallLine,
  type SmallPlan,
} from './smallreading.ts'
import { drawnTables, type OwnZones } from './smallzones.ts'
import { zones, type Zone } from './zones.ts'

/** A card of a small sheet: what shipx filled in, and which zones lose their prices, in short sentences. */
interface SmallCard {
  readonly card: RateCard
  readonly filled: readonly string[]
  readonly lost: readonly string[]
}

const otherJourneys: Readonly<Record<string, Journey>> = { '': 'forward', fwd: 'forward', reverse: 'return' }

/** A card from a small sheet, or its faults. */
export function cardOfSmall(sheet: SmallSheet, plan: SmallPlan): SmallCard | { readonly faults: readonly Fault[] } {
  const { form, faults: wrong } = smallForm(sheet)
  const reading: Reading = { sheet, form, plan, faults: [...wrong] }
  if (reading.faults.length > 0) return { faults: reading.faults }
  const drafts = new Map<string, Draft>()
  for (const line of sheet.lines) takeLine(reading, drafts, line)
  if (sheet.lines.length === 0)
    return { faults: [{ field: null, message: 'there is no line below the header', row: sheet.headLine }] }
  const { tables, tableOf } = drawnTables(reading, [...drafts.values()])
  const defaults: Defaults = new Set<string>()
  const services = [...drafts.values()].map((draft) => serviceOf(reading, draft, tableOf(draft), defaults))
  distinctIds(reading, services, [...drafts.values()])
  const gst = gstOf(reading, [...drafts.values()], defaults)
  if (reading.faults.length > 0) return { faults: distinct(reading.faults) }
  const { base, name } = plan
  const card = { ...base, name, note: '', gst_percent: gst, services }
  const whole = tables.length === 0 ? card : { ...card, zone_tables: [...tables] }
  const lost = services.flatMap((service, i) => lostPrices([...drafts.values()][i]!.known, service))
  return { card: whole, filled: [...defaults], lost }
}

/** The zones that a service had prices for and has none any more, as a sentence: their cells are empty. */
function lostPrices(before: Service | undefined, { forward, carrier_name: name }: Service): readonly string[] {
  const lost = Object.keys(before?.forward ?? {}).filter((zone) => forward[zone] === undefined)
  return lost.length === 0 ? [] : [`no more prices in ${lost.join(', ')} of ${name}`]
}

/** Faults without those that come again: two couriers with the same zone that counts in none. */
const distinct = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((fault) => [`${fault.row ?? ''} ${fault.field ?? ''} ${fault.message}`, fault])).values(),
]

const cellOf = ({ form }: Reading, { cells }: SmallLine, term: SmallTerm): string => {
  const at = form.terms.get(term)
  return at === undefined ? '' : (cells[at] ?? '').trim()
}

/** Takes a line to the service that it belongs to. */
function takeLine(reading: Reading, drafts: Map<string, Draft>, line: SmallLine): void {
  const [name, id] = [cellOf(reading, line, 'courier'), cellOf(reading, line, 'courier_id')]
  if (name === '' && id === '') return cellFault(reading, line.at, reading.form.terms.get('courier')!, 'is empty')
  const level = levelOf(reading, line)
  const same = [...drafts.values()].filter((draft) => (id === '' ? draft.name === name : draft.id === id))
  const found = same.find((draft) => level === undefined || draft.level === level)
  const draft = found ?? newDraft(reading, name === '' ? id : name, id, level)
  if (found === undefined) drafts.set(`${draft.id} ${draft.name} ${draft.level}`, draft)
  draft.lines.push(line)
  const journey = journeyOf(reading, line)
  if (journey === undefined) return
  const before = draft.endless.get(journey)
  if (before !== undefined) {
    const message = `${sheetPlace(reading, before)} has the prices of this courier and journey for every weight`
    return cellFault(reading, line.at, 'up_to', `${message}; give it an up_to`)
  }
  takeBands(reading, draft, journey, line)
}

function newDraft({ plan }: Reading, name: string, id: string, level: Draft['level'] | undefined): Draft {
  const known = plan.base.services.find((service) =>
    id === ''
      ? service.carrier_name.toLowerCase() === name.toLowerCase() &&
        (level ?? service.service_level) === service.service_level
      : service.carrier_id === id,
  )
  return {
    name,
    id,
    level: level ?? known?.service_level ?? 'standard',
    lines: [],
    bands: { forward: new Map(), return: new Map(), rto: new Map(), rto_per_slab: new Map() },
    days: { forward: {}, return: {} },
    endless: new Map(),
    known,
  }
}

function levelOf(reading: Reading, line: SmallLine): Draft['level'] | undefined {
  const cell = cellOf(reading, line, 'service').toLowerCase()
  if (cell === '') return undefined
  if (['standard', 'surface', 'ground', 'economy'].includes(cell)) return 'standard'
  if (['express', 'air', 'priority'].includes(cell)) return 'express'
  const at = reading.form.terms.get('service')!
  cellFault(reading, line.at, at, `"${cell.slice(0, 20)}" is not standard (surface) or express (air)`)
  return undefined
}

function journeyOf(reading: Reading, line: SmallLine): Journey | undefined {
  const cell = cellOf(reading, line, 'journey')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
  const journey = otherJourneys[cell] ?? journeys.find((known) => known === cell)
  if (journey === undefined) {
    const at = reading.form.terms.get('journey')!
    cellFault(reading, line.at, at, `"${cell.slice(0, 20)}" is not ${journeys.slice(0, -1).join(', ')} or rto_per_slab`)
  }
  return journey
}

const dashes: ReadonlySet<string> = new Set(['-', '–', '—', 'na', 'n/a', 'nil'])

/** The number of a price; undefined for a zone that is not served. */
function priceIn(reading: Reading, line: SmallLine, at: number, column: string): number | undefined {
  const cell = (line.cells[at] ?? '').trim().toLowerCase()
  return dashes.has(cell) ? undefined : numberIn(reading, line, at, column)
}

/** Takes the prices of a line: a band for each zone that has a price. */
function takeBands(reading: Reading, draft: Draft, journey: Journey, line: SmallLine): void {
  const { terms, slabs, zones: places } = reading.form
  const term = (name: SmallTerm): number | undefined =>
    terms.has(name) ? numberIn(reading, line, terms.get(name)!, name) : undefined
  const upTo = term('up_to') ?? null
  const slabOf = (name: 'first_weight' | 'step_weight'): number | undefined => {
    const [inCell, slab] = [term(name), slabs[name]]
    if (inCell !== undefined && slab !== undefined && inCell !== slab.grams)
      cellFault(
        reading,
        line.at,
        terms.get(name)!,
        `is ${inCell} g, and the header "${slab.header}" names ${slab.grams} g`,
      )
    return inCell ?? slab?.grams
  }
  const first = slabOf('first_weight')
  const step = slabOf('step_weight') ?? first ?? 500
  if (upTo === null) draft.endless.set(journey, line.at)
  const known = reading.faults.length
  let priced = 0
  for (const place of places) {
    const faults = reading.faults.length
    const price = priceIn(reading, line, place.first, 'first_price')
    const more = priceIn(reading, line, place.step, 'step_price')
    if (reading.faults.length === faults && price === undefined && more === undefined) continue
    priced++
    if (reading.faults.length > faults) continue
    if (price === undefined)
      cellFault(reading, line.at, place.first, 'is empty, and there is a price for each further slab')
    else if (more === undefined && journey !== 'rto_per_slab')
      cellFault(reading, line.at, place.step, 'is empty: the price of each further slab')
    else {
      const band = {
        up_to: upTo,
        first_weight: first ?? 500,
        first_price: price,
        step_weight: step,
        step_price: more ?? 0,
      }
      const bands = draft.bands[journey]
      bands.set(place.name, [...(bands.get(place.name) ?? []), band])
    }
    takeDays(reading, draft, journey, line, place)
  }
  if (priced === 0 && reading.faults.length === known)
    cellFault(reading, line.at, places[0]?.first ?? 'zone_a', 'is empty, as every other zone is: fill in the prices')
}

function takeDays(reading: Reading, draft: Draft, journey: Journey, line: SmallLine, place: ZonePlace): void {
  if (place.days === undefined || (journey !== 'forward' && journey !== 'return')) return
  const days = numberIn(reading, line, place.days, 'transit_days')
  if (days !== undefined) draft.days[journey][place.name] = days
}

/** The days that a parcel takes to each zone where the sheet does not say. */
const usualDays: Readonly<Record<Zone, number>> = { zone_a: 2, zone_b: 3, zone_c: 4, zone_d: 5, zone_e: 7 }

/** The service of a draft. `table` names its zones; without one it goes by the five. */
function serviceOf(reading: Reading, draft: Draft, table: OwnZones | undefined, defaults: Defaults): Service {
  const { known, bands, name, level } = draft
  const zonesOf = table?.zonesOf ?? ((zone: string): readonly string[] => [readZoneWords(zone) ?? zone])
  const tariff = (journey: Journey): Record<string, Band[]> =>
    Object.fromEntries([...bands[journey]].flatMap(([zone, list]) => zonesOf(zone).map((name) => [name, list])))
  const days = (journey: 'forward' | 'return'): Record<string, number> => {
    const given = Object.fromEntries(
      Object.entries(draft.days[journey]).flatMap(([zone, n]) => zonesOf(zone).map((name) => [name, n])),
    )
    const before = known?.transit_days[journey] ?? {}
    const priced = Object.keys(tariff(journey))
    const five = table === undefined ? zones.filter((zone) => priced.includes(zone)) : priced.length === 0 ? [] : zones
    const open = five.filter((zone) => given[zone] === undefined && before[zone] === undefined)
    const lacks =
      table === undefined ? open.length > 0 : priced.some((zone) => (given[zone] ?? before[zone]) === undefined)
    if (known === undefined && lacks) defaults.add('transit days 2 to 7')
    return { ...Object.fromEntries(open.map((zone) => [zone, usualDays[zone]])), ...before, ...given }
  }
  if (known === undefined) {
    if (
      reading.form.slabs.first_weight === undefined &&
      !draft.lines.some((line) => cellOf(reading, line, 'first_weight') !== '')
    )
      defaults.add('a first slab of 500 g')
    if (bands.return.size === 0) defaults.add('no returns')
  }
  return {
    ...termsOf(reading, draft, defaults),
    carrier_id: draft.id === '' ? (known?.carrier_id ?? idOf(name)) : draft.id,
    carrier_name: name,
    service_level: level,
    forward: tariff('forward'),
    return: tariff('return'),
    rto: rtoOf(reading, draft, tariff, defaults),
    transit_days: { forward: days('forward'), return: days('return') },
    ...(table === undefined ? {} : { zone_table: table.name }),
  }
}

function rtoOf(
  reading: Reading,
  draft: Draft,
  tariff: (journey: Journey) => Record<string, Band[]>,
  defaults: Defaults,
): Service['rto'] {
  if (draft.bands.rto.size > 0) return { bands: tariff('rto') }
  if (draft.bands.rto_per_slab.size > 0) {
    const slabs = Object.entries(tariff('rto_per_slab')).map(([zone, [band]]) => [zone, band!.first_price] as const)
    return { per_slab: Object.fromEntries(slabs) }
  }
  const at = reading.form.terms.get('rto_percent')
  const line = lineWith(reading, draft, at)
  const percent = line && numberIn(reading, line, at!, 'rto_percent')
  if (percent !== undefined) return { percent }
  if (draft.known === undefined) defaults.add('RTO 100 % of the freight')
  return draft.known?.rto ?? { percent: 100 }
}

/** Gives services of the same made id one of their own, and refuses a given id that comes twice. */
function distinctIds(reading: Reading, services: Service[], drafts: readonly Draft[]): void {
  const seen = new Set<string>()
  for (const [i, service] of services.entries()) {
    const draft = drafts[i]!
    let id = service.carrier_id
    if (seen.has(id) && draft.id === '' && draft.known === undefined) {
      id = `${id}-${service.service_level === 'express' ? 'EXPRESS' : 'STANDARD'}`
      services[i] = { ...service, carrier_id: id }
    }
    if (seen.has(id)) {
      const message = `${id} is the id of two couriers; give each its own courier_id`
      cellFault(reading, draft.lines[0]!.at, 'courier', message)
    }
    seen.add(id)
  }
}

/** The GST of the card, percent: one for all lines. */
function gstOf(reading: Reading, drafts: readonly Draft[], defaults: Defaults): number {
  const at = reading.form.terms.get('gst_percent')
  let found: { readonly percent: number; readonly row: number } | undefined
  for (const { lines } of drafts)
    for (const line of lines) {
      const percent = at === undefined ? undefined : numberIn(reading, line, at, 'gst_percent')
      if (percent === undefined) continue
      if (found !== undefined && found.percent !== percent)
        cellFault(
          reading,
          line.at,
          at!,
          `${percent} differs from ${sheetPlace(reading, found.row)}; a card has one GST`,
        )
      found ??= { percent, row: line.at }
    }
  if (found === undefined) defaults.add(`GST ${reading.plan.base.gst_percent} %`)
  return found?.percent ?? reading.plan.base.gst_percent
}
