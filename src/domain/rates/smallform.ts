// The header of a small card in order: where each term, each price by zone and each surcharge stands.
import type { Fault } from '../errors.ts'
import { readZoneWords } from '../read/zone.ts'
import type { BareWeight } from '../read/weight.ts'
import { notSmall, smallColumn, type SmallTerm } from './smallcolumns.ts'
import { zones } from './zones.ts'

/** A small card as its file has it. */
export interface SmallSheet {
  readonly headers: readonly string[]
  /** The line or row of the header, and what its number counts. */
  readonly headLine: number
  readonly counts: 'line' | 'row'
  readonly lines: readonly { readonly at: number; readonly cells: readonly string[] }[]
  /** A comma inside an amount groups its digits. */
  readonly grouped: boolean
}

/** Where the prices and days of a zone stand. */
export interface ZonePlace {
  /** The zone as the header names it. */
  readonly name: string
  readonly first: number
  readonly step: number
  readonly days: number | undefined
}

/** The slab that headers of prices name, in grams, and the first of these headers. */
export interface HeaderSlab {
  readonly grams: number
  readonly header: string
}

/** The places of the columns of a small card. */
export interface SmallForm {
  readonly terms: ReadonlyMap<SmallTerm, number>
  readonly weights: ReadonlyMap<string, BareWeight>
  readonly zones: readonly ZonePlace[]
  /** The weight of the first slab and of further ones, where the headers of prices name it. */
  readonly slabs: Readonly<Partial<Record<'first_weight' | 'step_weight', HeaderSlab>>>
  readonly surcharges: readonly { readonly name: string; readonly at: number }[]
}

/** One key for all spellings of a zone: its letter for one of the five, else its name in small letters. */
export const zoneKey = (name: string): string => readZoneWords(name) ?? name.trim().toLowerCase()

/** The places of a header, and what is wrong with it. */
export function smallForm({ headers, headLine: row }: Pick<SmallSheet, 'headers' | 'headLine'>): {
  readonly form: SmallForm
  readonly faults: readonly Fault[]
} {
  const faults: Fault[] = []
  const terms = new Map<SmallTerm, number>()
  const weights = new Map<string, BareWeight>()
  const places = new Map<string, { name: string; first?: number; step?: number; days?: number }>()
  const surcharges: { name: string; at: number }[] = []
  const slabs: Partial<Record<'first_weight' | 'step_weight', HeaderSlab>> = {}
  const twice = (header: string, other: number): void => {
    faults.push({ field: header, message: `means the same as "${headers[other]!}"; rename one of them`, row })
  }
  for (const [at, header] of headers.entries()) {
    if (header.trim() === '') continue
    const column = smallColumn(header)
    if (column === undefined) faults.push({ field: header.slice(0, 60), message: notSmall(header.slice(0, 60)), row })
    else if (column.kind === 'term') {
      const other = terms.get(column.term)
      if (other !== undefined) twice(header, other)
      terms.set(column.term, at)
      if (column.unit !== undefined) weights.set(column.term, column.unit)
    } else if (column.kind === 'surcharge') surcharges.push({ name: column.name, at })
    else if (column.kind !== 'remark') {
      const key = zoneKey(column.zone)
      const place = places.get(key) ?? { name: column.zone }
      const other = place[column.kind]
      if (other !== undefined) twice(header, other)
      places.set(key, { ...place, [column.kind]: at })
      if (column.kind === 'days' || column.grams === undefined) continue
      const { grams } = column
      const slab = (slabs[`${column.kind}_weight`] ??= { grams, header })
      if (slab.grams !== grams) {
        const other = `"${slab.header}" ${slab.grams} g`
        const message = `names ${grams} g, and ${other}; a line of a card has one weight for all zones`
        faults.push({ field: header, message, row })
      }
    }
  }
  if (!terms.has('courier')) faults.push({ field: 'courier', message: 'this column is missing', row })
  const found: ZonePlace[] = []
  for (const { name, first, step, days } of places.values()) {
    const zone = shownZone(name)
    if (first === undefined) faults.push({ field: `zone_${zone}`, message: 'this column is missing', row })
    else if (step === undefined)
      faults.push({
        field: `zone_${zone}_step`,
        message: 'this column is missing: the price of each further slab',
        row,
      })
    else found.push({ name, first, step, days })
  }
  return { form: { terms, weights, zones: found, surcharges, slabs }, faults }
}

/** A zone as a header names it: `a` for zone_a, else the courier's own name. */
export const shownZone = (name: string): string => {
  const five = readZoneWords(name)
  return five === undefined ? name : five.slice(-1)
}

/** The headers of a zone in the form that shipx writes. */
export const zoneHeaders = (name: string): Readonly<Record<'first' | 'step' | 'days', string>> => {
  const own = (zones as readonly string[]).includes(name) ? name : `zone_${name}`
  return { first: own, step: `${own}_step`, days: `${own}_days` }
}
