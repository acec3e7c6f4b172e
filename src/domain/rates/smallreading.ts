// A small sheet of prices while shipx reads it: its lines by service, and the faults so far.
import type { Fault } from '../errors.ts'
import { readCardCell } from './cardcells.ts'
import type { Band, RateCard, Service } from './ratecard.ts'
import type { SmallForm, SmallSheet } from './smallform.ts'
import type { Zone } from './zones.ts'

/** What was filled in, in short sentences. */
export type Defaults = Set<string>

/** What a small card is made with. */
export interface SmallPlan {
  /** The card that has what the sheet does not say. */
  readonly base: RateCard
  readonly name: string
  /** The one of the five that each of the courier's own zones counts in, by its name in small letters. */
  readonly zones: ReadonlyMap<string, Zone>
}

/** A line of a small card, and its place in the file. */
export interface SmallLine {
  readonly at: number
  readonly cells: readonly string[]
}

/** The journeys that a line may have prices of. */
export const journeys = ['forward', 'return', 'rto', 'rto_per_slab'] as const
export type Journey = (typeof journeys)[number]

/** The lines of one service. */
export interface Draft {
  readonly name: string
  /** The id that the sheet gives; '' for one that is made from the name. */
  readonly id: string
  readonly level: 'standard' | 'express'
  readonly lines: SmallLine[]
  readonly bands: { readonly [J in Journey]: Map<string, Band[]> }
  readonly days: { readonly forward: Record<string, number>; readonly return: Record<string, number> }
  /** The line of each journey whose band has no end. */
  readonly endless: Map<Journey, number>
  readonly known: Service | undefined
}

/** Reading a small sheet: its form, and the faults so far. */
export interface Reading {
  readonly sheet: SmallSheet
  readonly form: SmallForm
  readonly plan: SmallPlan
  readonly faults: Fault[]
}

/** A fault of a cell, under the header as it stands. */
export function cellFault({ sheet, faults }: Reading, row: number, at: number | string, message: string): void {
  faults.push({ field: typeof at === 'number' ? sheet.headers[at]! : at, message, row, counts: sheet.counts })
}

/** The number in a cell, undefined for an empty one and for one that is a fault. */
export function numberIn(reading: Reading, line: SmallLine, at: number, column: string): number | undefined {
  const cell = (line.cells[at] ?? '').trim()
  if (cell === '') return undefined
  const read = readCardCell(column, cell, { grouped: reading.sheet.grouped, weights: reading.form.weights })
  if ('value' in read) return read.value
  cellFault(reading, line.at, at, read.fault)
  return undefined
}

/** The first line of a draft that has a cell of a column; later ones must say the same. */
export function lineWith(reading: Reading, { lines }: Draft, at: number | undefined): SmallLine | undefined {
  if (at === undefined) return undefined
  const [first, ...others] = lines.filter(({ cells }) => (cells[at] ?? '').trim() !== '')
  for (const other of others)
    if (other.cells[at]!.trim() !== first!.cells[at]!.trim()) {
      const message = `"${other.cells[at]!.slice(0, 20)}" differs from ${sheetPlace(reading, first!.at)}`
      cellFault(reading, other.at, at, `${message}, which has the same courier`)
    }
  return first
}

/** A place of the file in words: `line 3`. */
export const sheetPlace = ({ sheet }: Reading, row: number): string => `${sheet.counts} ${row}`

/** An id made from the name of a courier. */
export const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 30) || 'COURIER'
