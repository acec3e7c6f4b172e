// The manifest of a pickup: the parcels that a courier takes from a warehouse on a day, and which of them it took.
import type { Shipment } from '../parcels/shipments.ts'
import { collectOf } from './label.ts'

/** A parcel on a manifest. Amounts are paise, weights grams. */
export interface ManifestLine {
  /** The id of the shipment. */
  readonly id: string
  readonly awb: string
  readonly order: string | null
  readonly pieces: number
  readonly weight: number | null
  readonly collect: number
  /** Whether it was handed over; null before the list of the pickup came back. */
  readonly handed: boolean | null
}

/** A manifest. */
export interface Manifest {
  readonly number: string
  readonly courier: string
  readonly warehouse: string
  /** The day of the pickup in IST, `YYYY-MM-DD`. */
  readonly day: string
  readonly lines: readonly ManifestLine[]
}

/** What the lines of a manifest add up to: those that were struck out do not count. */
export interface ManifestTotals {
  readonly parcels: number
  readonly pieces: number
  readonly weight: number
  readonly collect: number
  readonly struck: number
}

/** A shipment as the line of a manifest says it; undefined for one without an AWB. */
export function manifestLine({ id, attributes: a }: Shipment): ManifestLine | undefined {
  const awb = a.tracking_number?.trim() ?? ''
  if (awb === '') return undefined
  return {
    id,
    awb,
    order: a.order?.display_id ?? a.order?.external_id ?? null,
    pieces: (a.items ?? []).reduce((all, { quantity }) => all + (quantity ?? 1), 0),
    weight: a.applied_weight?.value ?? null,
    collect: collectOf(a) ?? 0,
    handed: null,
  }
}

/** The sums of a manifest. */
export function totalsOf({ lines }: Pick<Manifest, 'lines'>): ManifestTotals {
  const counted = lines.filter(({ handed }) => handed !== false)
  const sum = (of: (line: ManifestLine) => number): number => counted.reduce((all, line) => all + of(line), 0)
  return {
    parcels: counted.length,
    pieces: sum(({ pieces }) => pieces),
    weight: sum(({ weight }) => weight ?? 0),
    collect: sum(({ collect }) => collect),
    struck: lines.length - counted.length,
  }
}

/** The beginning of the numbers of a courier's manifests at a warehouse on a day: `20261124-WH1-blueline-`. */
export const numberPrefix = (day: string, warehouse: string, courier: string): string =>
  `${[day.replaceAll('-', ''), warehouse, courier].map((part) => part.replace(/[^\w.]+/g, '_')).join('-')}-`

/**
 * The number of a manifest, among those that were printed before with the same beginning: that of the same parcels
 * again, else the next one.
 */
export function numberOf(
  prefix: string,
  before: readonly { readonly number: string; readonly shipments: ReadonlySet<string> }[],
  ids: readonly string[],
): string {
  const same = before.find(({ shipments }) => shipments.size === ids.length && ids.every((id) => shipments.has(id)))
  if (same !== undefined) return same.number
  const last = Math.max(0, ...before.map(({ number }) => Number(number.slice(prefix.length)) || 0))
  return `${prefix}${last + 1}`
}
