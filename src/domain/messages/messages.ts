// Messages to customers and webhooks: their facts, when they may be sent, and their status.
import type { CustomerStep } from '../parcels/journeys.ts'
import { dayMs, istMinuteOfDay } from '../time.ts'

/** The status of a message. `withheld`: the merchant's settings stop it; `opted_out`: the customer does not want it. */
export const messageStatuses = ['waiting', 'sent', 'parked', 'cancelled', 'withheld', 'opted_out', 'expired'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** How a message is sent: short text, e-mail, or an event to the merchant's own systems. */
export const messageChannels = ['text', 'email', 'webhook'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** What a webhook can receive: changes of a parcel's status, and what happens to disputes. */
export const webhookEvents = ['status', 'disputes'] as const
export type WebhookEvents = (typeof webhookEvents)[number]

/** The step of a message without the number of the attempt. */
export const stepOf = (step: string): CustomerStep => step.split(':')[0] as CustomerStep

/** A store's brand as it was when the message was made. */
export interface Brand {
  readonly brand_name: string | null
  readonly logo_type: string | null
  readonly logo: Uint8Array | null
}

/** What a message about a parcel can say. Missing facts are null; amounts are rupees, times ISO 8601. */
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
  /** Rupees to pay at the door. */
  readonly cod: number | null
  /** The number of the failed attempt, and why it failed. */
  readonly attempt: number | null
  readonly reason: string | null
  readonly return: string | null
}

/** Quiet hours of short texts, minutes of the IST day: from 21:00 to 09:00. */
const quiet = { from: 21 * 60, until: 9 * 60 }

/**
 * When a message that is made now may be sent, ms UTC: short texts wait for the morning, except that the courier is
 * about to come.
 */
export function dueAt(now: number, channel: MessageChannel, step: string): number {
  if (channel !== 'text' || stepOf(step) === 'out_for_delivery') return now
  const minute = istMinuteOfDay(now)
  if (minute >= quiet.until && minute < quiet.from) return now
  const wait = minute < quiet.until ? quiet.until - minute : 24 * 60 - minute + quiet.until
  return Math.floor(now / 60_000) * 60_000 + wait * 60_000
}

/** Whether short texts wait for the morning now (ms UTC). */
export const quietNow = (now: number): boolean => dueAt(now, 'text', 'shipped') > now

/** After this many failures a message is parked until the merchant retries it. */
export const mostFailures = 10

/** How long after it was due a message to a customer is still sent, ms. A webhook has no such limit. */
export const newsFor = dayMs

/**
 * When a message is tried again after its n-th failure (from 1), ms UTC: 0.5 s x 2^(n-1) plus up to as much again at
 * random, never before the receiver asked for it (`asked`, ms from now) and not in quiet hours; undefined when it is
 * not tried again.
 */
export function nextTry(
  message: { readonly channel: MessageChannel; readonly step: string; readonly due_at: number },
  failures: number,
  now: number,
  asked: number | undefined,
  random: () => number,
): number | undefined {
  if (failures >= mostFailures || (asked ?? 0) > newsFor) return undefined
  const wait = Math.ceil(500 * 2 ** (failures - 1) * (1 + random()))
  const at = dueAt(now + Math.max(wait, asked ?? 0), message.channel, message.step)
  return message.channel !== 'webhook' && at > message.due_at + newsFor ? undefined : at
}

/**
 * A phone number in the form in which it is saved and compared: Indian mobiles as +919876543210, others as their
 * digits.
 */
export function phoneOf(text: string): string {
  const digits = text.replace(/[^\d]/g, '')
  const mobile = /^(?:0|91|091|0091)?([6-9]\d{9})$/.exec(digits)?.[1]
  if (mobile !== undefined) return `+91${mobile}`
  return digits === '' ? text.trim() : `${text.trim().startsWith('+') ? '+' : ''}${digits}`
}
