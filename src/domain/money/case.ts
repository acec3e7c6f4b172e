// A line of an invoice with everything that its judgement depends on, and a part of its difference.
import type { ReadyService } from '../rates/pricing.ts'
import type { Charged } from '../rates/surcharges.ts'
import type { DrawnZone } from '../rates/zonetables.ts'
import type { Billed, ReasonCode, Seen, Terms } from './billed.ts'
import type { KnownParcel } from './parcel.ts'
import type { Tariff } from './tariffs.ts'
import type { Again } from './ways.ts'
import type { Journey } from './words.ts'

/** A part of a difference; its sentence is made when a reader wants it. */
export interface Part {
  readonly code: ReasonCode
  readonly amount: number
  readonly text: () => string
}

/** A line whose parcel, service, zone and weight are known. */
export interface Case {
  readonly line: Billed
  readonly parcel: KnownParcel
  readonly tariff: Tariff
  readonly ready: ReadyService
  readonly zone: DrawnZone
  /** Our weight as slabs count it. */
  readonly units: number
  readonly terms: Terms
  readonly journey: Journey
  readonly seen: Seen
  /** The way of it that was billed already. */
  readonly again: Again | undefined
}

/** A part with a sentence of its own. */
export const plainPart = (code: ReasonCode, amount: number, text: string): Part => ({ code, amount, text: () => text })

/** What surcharges depend on in a parcel. */
export const chargedOf = ({ parcel, zone, units, tariff }: Case): Charged => ({
  weight: units / 100,
  zone,
  day: tariff.day,
  parcel: {
    longest: Math.max(parcel.length, parcel.width, parcel.height),
    cod: parcel.cod === true,
    worth: parcel.worth,
    customer: parcel.customer ?? '',
  },
})
