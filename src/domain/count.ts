// Counts as people read them: with Indian digit groups, and their noun.
import { groupedDigits } from './money.ts'

/** A count with Indian digit groups: `12,34,567`. */
export const count = (n: number): string => (n < 0 ? `-${groupedDigits(String(-n))}` : groupedDigits(String(n)))

/** The noun for one thing and for several: `['shipment', 'shipments']`. */
export type Noun = readonly [one: string, many: string]

/** A count with its noun: `1 shipment`, `2,000 shipments`. */
export const counted = (n: number, [one, many]: Noun): string => `${count(n)} ${n === 1 ? one : many}`
