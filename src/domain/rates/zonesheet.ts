// A courier's sheet of zones as a zone table: its lines checked, and its pincodes in ranges where that loses nothing
// (docs/guides/contracts.md, Zones).
import type { ZoneTable } from './cardschema.ts'
import { prefixesOf } from './prefixes.ts'
import { excerpt } from '../read/typed.ts'

/** The lines of a sheet as they come. */
export interface ZoneSheet {
  /** Takes a line at a place of the file; `from` is '' for every origin. Returns what is wrong with it. */
  readonly add: (from: string, to: string, zone: string, at: number) => string | undefined
  /** The names of the zones in their order, each with its number of pincodes and prefixes. */
  readonly zones: () => ReadonlyMap<string, number>
  /** The pincodes of six digits that the sheet names. */
  readonly pincodes: () => ReadonlySet<number>
  readonly origins: () => ZoneTable['origins']
}

interface Entry {
  readonly zone: string
  readonly at: number
  /** How many places of the sheet it stands for: a piece of a range has so many pincodes. */
  readonly places: number
}

/** Pincodes have six digits from here on. */
const sixDigits = 100_000

/** A sheet without lines; `counts` is what the places of its lines count, `known` how the card spells its zones. */
export function zoneSheet(counts: 'line' | 'row', known: readonly string[]): ZoneSheet {
  const origins = new Map<string, Map<number, Entry>>()
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  const add: ZoneSheet['add'] = (from, to, written, at) => {
    const zone = zoneName(written)
    if (zone === undefined)
      return `${excerpt(written)} is not the name of a zone: 1 to 20 letters, digits, spaces, - or _`
    const name = names.get(zone.toLowerCase()) ?? zone
    const places = placesIn(to)
    if (typeof places === 'string') return places
    names.set(zone.toLowerCase(), name)
    let ends = origins.get(from)
    if (ends === undefined) origins.set(from, (ends = new Map()))
    for (const place of places)
      for (const prefix of prefixesOf(place)) {
        const before = ends.get(prefix)
        if (before !== undefined && before.zone !== name) {
          const pair = from === '' ? String(prefix) : `${from} to ${prefix}`
          return `${pair} is in zone ${name} here and in zone ${before.zone} in ${counts} ${before.at}`
        }
        const many = place.includes('-') ? 10 ** (6 - String(prefix).length) : 1
        if (before === undefined) ends.set(prefix, { zone: name, at, places: many })
      }
    return undefined
  }
  const entries = (): readonly (readonly [number, Entry])[] => [...origins.values()].flatMap((ends) => [...ends])
  return {
    add,
    zones: () => {
      const count = new Map<string, number>()
      for (const [, { zone, places }] of entries()) count.set(zone, (count.get(zone) ?? 0) + places)
      return new Map([...count].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
    pincodes: () => new Set(entries().flatMap(([prefix]) => (prefix >= sixDigits ? [prefix] : []))),
    origins: () => [...origins].map(([from, ends]) => ({ from, to: grouped(ends) })),
  }
}

const zoneNamed = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,19}$/

/** The name of a zone as a card may have it: without the word zone, other characters as spaces; or undefined. */
export function zoneName(written: string): string | undefined {
  const plain = written
    .slice(0, 60)
    .replace(/[^A-Za-z0-9_-]+/g, ' ')
    .trim()
  const name = plain.replace(/^z(?:one)?[ _-]{1,2}(?=.)/i, '')
  return zoneNamed.test(name) ? name : undefined
}

/**
 * The prefixes and ranges of a cell: `560001`, `560 001`, `560`, `560xxx`, `560001-560099`, `560-562`, several with
 * commas; or why it is none.
 */
export function placesIn(cell: string): readonly string[] | string {
  const places: string[] = []
  for (const part of cell.split(/[,;/]/)) {
    const text = part.trim().replace(/^'/, '').replace(/\.0$/, '')
    const [first, last, ...more] = text.split(/ ?(?:-|–| to ) ?/i).map(bare)
    if (first === undefined || more.length > 0 || !isPlace(first) || (last !== undefined && !isPlace(last)))
      return `${excerpt(part.trim())} is not a pincode, a prefix or a range, such as 560001, 560 or 560001-560099`
    if (last === undefined) places.push(first)
    else if (first.length !== last.length || Number(first) > Number(last))
      return `${excerpt(part.trim())} is not a range: write for example 560001-560099`
    else places.push(`${first.padEnd(6, '0')}-${last.padEnd(6, '9')}`)
  }
  return places
}

/** Digits without a space in their middle and without the letters that stand for any. */
const bare = (text: string): string => text.replace(/^(\d{3}) (\d{3})$/, '$1$2').replace(/(?<=^\d{1,5})[xX*]{1,5}$/, '')

const isPlace = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text)

/** The places of each zone: pincodes that follow each other as a range, where no prefix could get in its way. */
function grouped(ends: ReadonlyMap<number, Entry>): Record<string, string[]> {
  const zones = new Map<string, string[]>()
  const sorted = [...ends].toSorted(([a], [b]) => a - b)
  const whole = sorted.every(([prefix]) => prefix >= sixDigits)
  for (let i = 0; i < sorted.length; i++) {
    const [first, { zone }] = sorted[i]!
    let last = first
    if (whole) for (; sorted[i + 1]?.[0] === last + 1 && sorted[i + 1]![1].zone === zone; i++) last++
    const list = zones.get(zone) ?? []
    list.push(last === first ? String(first) : `${first}-${last}`)
    zones.set(zone, list)
  }
  return Object.fromEntries([...zones].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The lines of a table as a sheet, header first: one for each pincode or prefix. */
export function zoneLines({ origins }: ZoneTable): readonly (readonly [from: string, to: string, zone: string])[] {
  const lines = origins.flatMap(({ from, to }) =>
    Object.entries(to)
      .flatMap(([zone, list]) => list.flatMap((text) => pincodesOf(text).map((place) => [place, zone] as const)))
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([place, zone]) => [from === '' ? 'any' : from, place, zone] as const),
  )
  return [['from', 'to', 'zone'], ...lines]
}

/** A range as its pincodes; a pincode or a prefix as it is. */
function pincodesOf(text: string): readonly string[] {
  const [first, last] = text.split('-')
  if (last === undefined) return [first!]
  const start = Number(first)
  return Array.from({ length: Number(last) - start + 1 }, (_, i) => String(start + i))
}
