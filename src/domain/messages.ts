// Messages to customers: what they tell, when they may go, and where they stand; knows no text, no storage and no gateway.
import type { CustomerStep } from './journeys.ts'
import { istMinuteOfDay } from './time.ts'

/** Where a message stands. `withheld` is one that nobody wanted to be sent, `opted_out` one that the customer does not want. */
export const messageStatuses = ['waiting', 'sent', 'parked', 'cancelled', 'withheld', 'opted_out', 'expired'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** How a message goes: short text, e-mail, or the status of a parcel to the merchant's own systems. */
export const messageChannels = ['text', 'email', 'webhook'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** The step of a message without the number of the attempt. */
export const stepOf = (step: string): CustomerStep => step.split(':')[0] as CustomerStep

/** What a message of a parcel can say. Absent things are null; amounts are rupees, times ISO 8601. */
export interface Facts {
  readonly step: CustomerStep
  /** ISO 8601, when it happened. */
  readonly at: string
  readonly tracking_number: string | null
  /** The number that the customer knows. */
  readonly order: string | null
  readonly courier: string | null
  readonly customer: { readonly name: string | null; readonly city: string | null; readonly pincode: string | null }
  readonly items: readonly { readonly name: string | null; readonly quantity: number }[]
  readonly total: number | null
  /** What is to be paid at the door. */
  readonly cod: number | null
  /** The number of the failed attempt, and why it failed. */
  readonly attempt: number | null
  readonly reason: string | null
  readonly return: string | null
}

/** Quiet hours of short texts, minutes of the IST day: from 21:00 to 09:00. */
const quiet = { from: 21 * 60, until: 9 * 60 }

/**
 * When a message that is made now may go, ms UTC: short texts wait for the morning, but for the one that says that the
 * courier is at the door soon.
 */
export function dueAt(now: number, channel: MessageChannel, step: string): number {
  if (channel !== 'text' || stepOf(step) === 'out_for_delivery') return now
  const minute = istMinuteOfDay(now)
  if (minute >= quiet.until && minute < quiet.from) return now
  const wait = minute < quiet.until ? quiet.until - minute : 24 * 60 - minute + quiet.until
  return Math.floor(now / 60_000) * 60_000 + wait * 60_000
}
