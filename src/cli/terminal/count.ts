// Counts as people read them: grouped the Indian way, with their noun.
import { groupedDigits } from '../../domain/money.ts'

/** A count, grouped the Indian way: `12,34,567`. */
export const count = (n: number): string => (n < 0 ? `-${groupedDigits(String(-n))}` : groupedDigits(String(n)))

/** One and several of a thing: `['shipment', 'shipments']`. */
export type Noun = readonly [one: string, many: string]

/** A count with its noun: `1 shipment`, `2,000 shipments`. */
export const counted = (n: number, [one, many]: Noun): string => `${count(n)} ${n === 1 ? one : many}`
