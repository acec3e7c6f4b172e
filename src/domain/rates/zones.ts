// Zones: how far apart two pincodes are for a rate card.
import { stateNames } from '../pincodes.ts'
import type { Locality } from '../pincodes.ts'
import { longestPrefix, prefixesOf, type Prefixes } from './prefixes.ts'

/** The five zones in the order of distance (docs/guides/rates.md). */
export const zones = ['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e'] as const

/** One of the five zones (docs/guides/rates.md). */
export type Zone = (typeof zones)[number]

interface MatrixRow {
  readonly from: string
  readonly to: string
  readonly zone: Zone
}

/**
 * What a rate card may say about zones. A missing part has the default of docs/guides/rates.md; a part that is there
 * replaces the default completely.
 */
export interface ZoneOptions {
  /**
   * Metro name → pincode prefixes (`"110"`) and ranges (`"121001-121015"`). The longest prefix wins; of two equal ones,
   * the later. A range counts as the prefixes that exactly cover it.
   */
  readonly metros?: Readonly<Record<string, readonly string[]>> | undefined
  /** State names, in any case. */
  readonly special_states?: readonly string[] | undefined
  /** Groups of state names, each of which counts as one state for zone_b. */
  readonly regions?: readonly (readonly string[])[] | undefined
  /**
   * False: Delhi, Faridabad, Gurugram, Ghaziabad and Noida are cities of their own, zone_b from one to another, and
   * still one metro towards the others.
   */
  readonly ncr_one_city?: boolean | undefined
  /** Pincode prefixes (or ranges) of two ends → zone; see zoneOf for which row wins. */
  readonly matrix?: readonly MatrixRow[] | undefined
}

/** A zone, the rule of docs/guides/rates.md that decided it, and one sentence for people about why. */
export interface ZoneDecision {
  readonly zone: Zone
  readonly rule: 'matrix' | 'table' | 'same_city' | 'special_state' | 'same_state' | 'region' | 'metro' | 'rest'
  readonly why: string
}

/** The states from and to which everything is zone_e by default, as places name them (docs/guides/rates.md). */
export const specialStates: readonly string[] = [
  'Andaman and Nicobar Islands',
  'Army Post',
  'Arunachal Pradesh',
  'Assam',
  'Jammu and Kashmir',
  'Ladakh',
  'Lakshadweep',
  'Manipur',
  'Meghalaya',
  'Mizoram',
  'Nagaland',
  'Sikkim',
  'Tripura',
]

/** The default metros with core and agglomeration, as pincode prefixes and ranges (docs/guides/rates.md). */
// prettier-ignore
export const metros: Readonly<Record<string, readonly string[]>> = {
  delhi_ncr: ['110', '121001-121015', '121999', '122001-122098', '122998', '122999', '201001-201021', '201102',
              '201103', '201301-201320'],
  mumbai:    ['4000', '4001', '4002', '4006', '4007', '401101', '401105-401108', '401201-401203', '401205-401209',
              '401301-401305', '421001-421005', '421102', '421103', '421201-421204', '421301', '421302', '421305',
              '421306', '421308', '421605', '421501-421506', '410206', '410208-410210', '410218', '410221'],
  bengaluru: ['560', '562106', '562107', '562125', '562130', '562149', '562157', '562162', '562163'],
  kolkata:   ['700', '711101-711115', '711201-711206', '711227', '712232-712235', '712245', '712246', '712248-712250',
              '712258', '712291'],
  chennai:   ['600', '603103', '603112', '603202', '603203', '603210', '603211', '602024', '601301'],
  hyderabad: ['500', '501218', '501301', '501302', '501401', '501505', '501510', '501512', '501513', '502032-502034',
              '502300', '502319', '502324', '502325', '502932'],
  pune:      ['411', '412101', '412105', '412109', '412110', '412115', '412201', '412207', '412307', '412308'],
  ahmedabad: ['380', '382210', '382330', '382340', '382345', '382350', '382405', '382415', '382418', '382424',
              '382427', '382428', '382430', '382443', '382445', '382449', '382470', '382475', '382480', '382481'],
}

// One city in several districts, not a metro.
const cities: Readonly<Record<string, readonly string[]>> = {
  chandigarh: ['160'],
}

const ncrCities: Readonly<Record<string, readonly string[]>> = {
  delhi: ['110'],
  faridabad: ['121'],
  gurugram: ['122'],
  ghaziabad: ['2010', '2011'],
  noida: ['2013'],
}

/** Zone options in the form in which pincodes are looked up. */
interface CompiledOptions {
  readonly metros: Prefixes<string>
  readonly cities: Prefixes<string>
  readonly ncr: { readonly metro: string; readonly cities: Prefixes<string> } | undefined
  readonly special: ReadonlySet<string>
  readonly regions: ReadonlyMap<string, readonly number[]>
  readonly matrix: Prefixes<Prefixes<MatrixRow>> | undefined
  /** Ends that were looked up, by their pincodes. */
  readonly ends: Map<string, End>
}

/** The metro of a pincode, and its city where that is more than a district. */
interface End {
  readonly metro: string | undefined
  readonly city: string | undefined
}

const defaults: ZoneOptions = {}
const compiledBefore = new WeakMap<ZoneOptions, CompiledOptions>()

/** More than there are pincodes. */
const mostEnds = 20_000

/**
 * The zone between two places (docs/guides/rates.md). Both directions have the same zone, unless the card's matrix has
 * rows for both. zoneOf tries matrix rows from → to first, and to → from only when none fits. Of the rows that fit, the
 * one with the most prefix digits in total wins. Of two equal ones, the one with more digits at the origin wins, then
 * the later one. Throws RangeError for zone options that zoneOptionsFault refuses.
 */
export function zoneOf(from: Locality, to: Locality, options: ZoneOptions = defaults): ZoneDecision {
  const compiled = compiledFrom(options)
  const row = compiled.matrix && (rowOf(compiled.matrix, from, to) ?? rowOf(compiled.matrix, to, from))
  if (row)
    return { zone: row.zone, rule: 'matrix', why: `the card's matrix has ${row.zone} from ${row.from} to ${row.to}` }

  const { metro: fromMetro, city: fromCity } = endOf(compiled, from.pincode)
  const { metro: toMetro, city: toCity } = endOf(compiled, to.pincode)
  if (fromCity !== undefined && fromCity === toCity) {
    return { zone: 'zone_a', rule: 'same_city', why: `both ends in the same city: ${title(fromCity)}` }
  }
  if (fromCity === undefined && toCity === undefined && sameDistrict(from, to)) {
    const why = `both ends in the same city: ${from.district}, pincodes ${from.pincode.slice(0, 3)}xxx`
    return { zone: 'zone_a', rule: 'same_city', why }
  }

  const special = [from, to].filter((place) => compiled.special.has(place.state)).map((place) => place.state)
  if (special[0] !== undefined) {
    const ends = special.length === 1 ? 'one end in a special state' : 'both ends in special states'
    return { zone: 'zone_e', rule: 'special_state', why: `${ends}: ${[...new Set(special)].join(' and ')}` }
  }
  if (from.state === to.state) {
    return { zone: 'zone_b', rule: 'same_state', why: `both ends in the same state: ${from.state}` }
  }
  if (fromMetro !== undefined && fromMetro === toMetro) {
    const why = `both ends in ${title(fromMetro)}, whose cities this card counts apart: ${from.city} and ${to.city}`
    return { zone: 'zone_b', rule: 'region', why }
  }
  if (sameRegion(compiled, from, to)) {
    return { zone: 'zone_b', rule: 'region', why: `both ends in one region of the card: ${from.state} and ${to.state}` }
  }
  if (fromMetro !== undefined && toMetro !== undefined) {
    const why = `both ends in different metros: ${title(fromMetro)} and ${title(toMetro)}`
    return { zone: 'zone_c', rule: 'metro', why }
  }
  const why = `different states, not both in metros and neither special: ${from.state} and ${to.state}`
  return { zone: 'zone_d', rule: 'rest', why }
}

/**
 * The metro that a pincode counts in towards other metros (`delhi_ncr`, `mumbai`, or the card's own name), or undefined
 * (docs/guides/rates.md). Throws RangeError for zone options that zoneOptionsFault refuses.
 */
export function metroOf(pincode: string, options: ZoneOptions = defaults): string | undefined {
  return endOf(compiledFrom(options), pincode).metro
}

/**
 * The cluster that counts as one city for zone_a: a metro, `chandigarh`, or a city of a split NCR. Undefined outside
 * clusters (docs/guides/rates.md). Throws RangeError for zone options that zoneOptionsFault refuses.
 */
export function clusterOf(pincode: string, options: ZoneOptions = defaults): string | undefined {
  return endOf(compiledFrom(options), pincode).city
}

/** Whether a place is in a special state. Throws RangeError for zone options that zoneOptionsFault refuses. */
export function isSpecial(place: Locality, options: ZoneOptions = defaults): boolean {
  return compiledFrom(options).special.has(place.state)
}

/**
 * What is wrong with the zone options of a card, in one sentence (an unknown state, a text that is not a prefix or
 * range); undefined when nothing is wrong (docs/guides/rates.md).
 */
export function zoneOptionsFault(options: ZoneOptions): string | undefined {
  try {
    compiledFrom(options)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

function compiledFrom(options: ZoneOptions): CompiledOptions {
  const known = compiledBefore.get(options)
  if (known !== undefined) return known
  const compiled = compile(options)
  compiledBefore.set(options, compiled)
  return compiled
}

function compile(options: ZoneOptions): CompiledOptions {
  const metroPrefixes = prefixMap(options.metros ?? metros)
  // The name is the card's own; the capital's pincode shows which metro the NCR is.
  const ncr = options.ncr_one_city === false ? longestPrefix(metroPrefixes, '110001') : undefined
  return {
    metros: metroPrefixes,
    cities: prefixMap(cities),
    ncr: ncr === undefined ? undefined : { metro: ncr, cities: prefixMap(ncrCities) },
    special: new Set((options.special_states ?? specialStates).map(stateNamed)),
    regions: regionMap(options.regions ?? []),
    matrix: options.matrix === undefined || options.matrix.length === 0 ? undefined : matrixMap(options.matrix),
    ends: new Map(),
  }
}

function prefixMap(groups: Readonly<Record<string, readonly string[]>>): Prefixes<string> {
  const map = new Map<number, string>()
  for (const [name, list] of Object.entries(groups))
    for (const text of list) for (const prefix of prefixesOf(text)) map.set(prefix, name)
  return map
}

function regionMap(regions: readonly (readonly string[])[]): ReadonlyMap<string, readonly number[]> {
  const map = new Map<string, number[]>()
  regions.forEach((names, region) => {
    for (const state of names.map(stateNamed)) map.set(state, [...(map.get(state) ?? []), region])
  })
  return map
}

function matrixMap(rows: readonly MatrixRow[]): Prefixes<Prefixes<MatrixRow>> {
  const map = new Map<number, Map<number, MatrixRow>>()
  for (const row of rows) {
    const ends = prefixesOf(row.to)
    for (const origin of prefixesOf(row.from)) {
      const inner = map.get(origin) ?? new Map<number, MatrixRow>()
      for (const end of ends) inner.set(end, row)
      map.set(origin, inner)
    }
  }
  return map
}

function rowOf(matrix: Prefixes<Prefixes<MatrixRow>>, from: Locality, to: Locality): MatrixRow | undefined {
  let best: MatrixRow | undefined
  let most = 0
  for (let origin = Number(from.pincode), kept = 6; kept >= 1; origin = Math.trunc(origin / 10), kept--) {
    const ends = matrix.get(origin)
    if (ends === undefined) continue
    for (let end = Number(to.pincode), more = 6; more >= 1; end = Math.trunc(end / 10), more--) {
      const row = ends.get(end)
      if (row === undefined || kept + more <= most) continue
      best = row
      most = kept + more
    }
  }
  return best
}

function endOf(compiled: CompiledOptions, pincode: string): End {
  const known = compiled.ends.get(pincode)
  if (known !== undefined) return known
  const metro = longestPrefix(compiled.metros, pincode)
  const end = { metro, city: cityIn(compiled, pincode, metro) }
  // Texts that are not pincodes can be looked up too: without a limit they would fill the memory.
  if (compiled.ends.size < mostEnds) compiled.ends.set(pincode, end)
  return end
}

function cityIn(compiled: CompiledOptions, pincode: string, metro: string | undefined): string | undefined {
  if (compiled.ncr !== undefined && metro === compiled.ncr.metro) return longestPrefix(compiled.ncr.cities, pincode)
  return metro ?? longestPrefix(compiled.cities, pincode)
}

function sameDistrict(from: Locality, to: Locality): boolean {
  return from.district === to.district && from.state === to.state && from.pincode.slice(0, 3) === to.pincode.slice(0, 3)
}

function sameRegion(compiled: CompiledOptions, from: Locality, to: Locality): boolean {
  const theirs = compiled.regions.get(to.state)
  return theirs !== undefined && (compiled.regions.get(from.state)?.some((region) => theirs.includes(region)) ?? false)
}

function stateNamed(text: string): string {
  const wanted = folded(text)
  const name = stateNames().find((state) => folded(state) === wanted)
  if (name === undefined) throw new RangeError(`"${text.slice(0, 40)}" is not a state or union territory`)
  return name
}

function folded(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\s+/g, ' ')
    .replace(/^the | islands$/g, '')
}

function title(name: string): string {
  let found = titles.get(name)
  if (found === undefined) {
    found = name.replaceAll('_', ' ').replace(/(^|\s)\p{Ll}/gu, (first) => first.toUpperCase())
    // The names come from cards: without a limit they would fill the memory.
    if (titles.size < mostTitles) titles.set(name, found)
  }
  return found
}

/** The titles of metros by their names. */
const titles = new Map([['delhi_ncr', 'Delhi NCR']])
const mostTitles = 200
