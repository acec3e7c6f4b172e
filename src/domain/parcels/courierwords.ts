// Couriers' words in our own: events by the whole word, reasons by the whole sentence, else by the longest phrase in
// it, else `other` (docs/reference/tracking.md).
import { nearest } from '../nearest.ts'
import { forwardEvents, returnEvents, type AnyEvent } from './journeys.ts'
import { failureReasons } from './statuses.ts'

/** Letters and digits of any script, in lower case, a space between words: `Out-For Delivery` is `out for delivery`. */
export const plainWords = (words: string): string =>
  words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** The same without spaces: `RTO-Intransit` is `rtointransit`. */
const together = (words: string): string => plainWords(words).replaceAll(' ', '')

// Words that couriers and aggregators in India share. A courier's own codes come from a file.
const eventWords: Readonly<Record<string, AnyEvent>> = {
  'pickup booked': 'pickup_scheduled',
  'out for pickup': 'pickup_scheduled',
  'pickup generated': 'pickup_scheduled',
  manifested: 'pickup_scheduled',
  'pickup rescheduled': 'pickup_scheduled',
  'pickup failed': 'not_picked',
  'pickup exception': 'not_picked',
  'pickup not done': 'not_picked',
  picked: 'picked_up',
  pkd: 'picked_up',
  'shipment picked up': 'picked_up',
  'pickup done': 'picked_up',
  'pickup complete': 'picked_up',
  'pickup completed': 'picked_up',
  shipped: 'picked_up',
  'shipment in transit': 'in_transit',
  'reached at destination hub': 'in_transit',
  'reached destination hub': 'in_transit',
  'arrived at hub': 'in_transit',
  misrouted: 'in_transit',
  delayed: 'in_transit',
  ofd: 'out_for_delivery',
  'shipment out for delivery': 'out_for_delivery',
  undelivered: 'attempt_failed',
  'not delivered': 'attempt_failed',
  'delivery attempted': 'attempt_failed',
  'delivery failed': 'attempt_failed',
  ndr: 'attempt_failed',
  'ndr raised': 'attempt_failed',
  're attempt': 'reattempt',
  'reattempt delivery': 'reattempt',
  'delivery rescheduled': 'reattempt',
  dlvd: 'delivered',
  'delivery done': 'delivered',
  'shipment delivered': 'delivered',
  rto: 'rto_initiated',
  'shipment rto created': 'rto_initiated',
  'return to origin': 'rto_initiated',
  'rto undelivered': 'rto_in_transit',
  'rto out for delivery': 'rto_in_transit',
  'rto ofd': 'rto_in_transit',
  'rto dlvd': 'rto_delivered',
  'returned to shipper': 'rto_delivered',
  canceled: 'cancelled',
  'shipment lost': 'lost',
  'qc failed': 'return_qc_failed',
}

// Words that mean one thing to some couriers and another to the rest: only a file of words says which.
const twoEvents: ReadonlyMap<string, string> = new Map([
  ['dispatched', 'out_for_delivery for some couriers (Delhivery), in_transit for others'],
])

// Phrases in the remarks of couriers. Longer ones go before shorter ones.
const reasonWords: Readonly<Record<string, string>> = {
  'not available': 'customer_not_available',
  unavailable: 'customer_not_available',
  'out of station': 'customer_not_available',
  'nobody home': 'customer_not_available',
  'no one at home': 'customer_not_available',
  'address incomplete': 'address_incomplete',
  'incomplete address': 'address_incomplete',
  'wrong address': 'address_incomplete',
  'incorrect address': 'address_incomplete',
  'address not found': 'address_incomplete',
  'address issue': 'address_incomplete',
  landmark: 'address_incomplete',
  'customer shifted': 'address_incomplete',
  refused: 'customer_refused',
  rejected: 'customer_refused',
  'refuse to accept': 'customer_refused',
  'does not want': 'customer_refused',
  'cancelled by customer': 'customer_refused',
  'open delivery': 'customer_refused',
  'premises closed': 'premises_closed',
  'premise closed': 'premises_closed',
  'door locked': 'premises_closed',
  'door closed': 'premises_closed',
  'shop closed': 'premises_closed',
  'office closed': 'premises_closed',
  'entry restricted': 'premises_closed',
  'not reachable': 'customer_unreachable',
  unreachable: 'customer_unreachable',
  'not contactable': 'customer_unreachable',
  uncontactable: 'customer_unreachable',
  'no response': 'customer_unreachable',
  'not responding': 'customer_unreachable',
  'not answering': 'customer_unreachable',
  'switched off': 'customer_unreachable',
  'wrong number': 'customer_unreachable',
  'invalid number': 'customer_unreachable',
  'cod not ready': 'payment_not_ready',
  'payment not ready': 'payment_not_ready',
  'amount not ready': 'payment_not_ready',
  'cash not ready': 'payment_not_ready',
  'money not ready': 'payment_not_ready',
  'payment issue': 'payment_not_ready',
  'future delivery': 'future_delivery_requested',
  reschedule: 'future_delivery_requested',
  'deliver later': 'future_delivery_requested',
  'delivery on later date': 'future_delivery_requested',
  'self pickup': 'self_pickup',
  'self collect': 'self_pickup',
  'collect from hub': 'self_pickup',
  'out of delivery area': 'out_of_delivery_area',
  oda: 'out_of_delivery_area',
  'not serviceable': 'out_of_delivery_area',
  'non serviceable': 'out_of_delivery_area',
  damaged: 'shipment_damaged',
  damage: 'shipment_damaged',
  'fake attempt': 'fake_attempt',
  'fake remark': 'fake_attempt',
}

/** A courier's own words and ours for them, as a file has them. */
export interface CourierWords {
  readonly events: Readonly<Record<string, string>>
  readonly reasons: Readonly<Record<string, string>>
}

/** All known words, prepared once. */
export interface CourierVocabulary {
  /** The event of a word, or undefined. */
  readonly event: (word: string) => AnyEvent | undefined
  /** The reason of a remark; `other` where no phrase of it is known, and null where there is no remark. */
  readonly reason: (remark: string) => string | null
}

/** The names of all our events, for a hint. */
export const eventNames: readonly AnyEvent[] = [...forwardEvents, ...returnEvents]

/** What a word means to one courier and to others; undefined where no courier differs. */
export const meaningsOf = (word: string): string | undefined => twoEvents.get(plainWords(word))

/** Prepares couriers' words: a courier's own come before the shared ones. */
export function courierVocabulary(own: CourierWords = { events: {}, reasons: {} }): CourierVocabulary {
  const [events, runTogether] = [new Map<string, AnyEvent>(), new Map<string, AnyEvent>()]
  const eventOf = eventNames.map((event) => [event as string, event as string] as const)
  for (const [word, event] of [...eventOf, ...Object.entries(eventWords), ...Object.entries(own.events)]) {
    events.set(plainWords(word), event as AnyEvent)
    runTogether.set(together(word), event as AnyEvent)
  }
  const exact = new Map<string, string>()
  for (const reason of failureReasons) exact.set(plainWords(reason), reason)
  for (const [phrase, reason] of [...Object.entries(reasonWords), ...Object.entries(own.reasons)])
    exact.set(plainWords(phrase), reason)
  const phrases = [...exact].toSorted(([a], [b]) => b.length - a.length)
  const known = new Map<string, string>()
  const found = (remark: string): string => {
    const words = ` ${plainWords(remark)} `
    return exact.get(words.trim()) ?? phrases.find(([phrase]) => words.includes(` ${phrase} `))?.[1] ?? 'other'
  }
  return {
    event: (word) => events.get(plainWords(word)) ?? runTogether.get(together(word)),
    reason: (remark) => {
      if (remark.trim() === '') return null
      const before = known.get(remark)
      if (before !== undefined) return before
      const reason = found(remark)
      // Remarks repeat; a file in which all differ must not fill the memory.
      if (known.size < 10_000) known.set(remark, reason)
      return reason
    },
  }
}

/** The events that have reasons of their own. */
const reasoned: ReadonlySet<AnyEvent> = new Set([
  'not_picked',
  'attempt_failed',
  'reattempt',
  'rto_initiated',
  'rto_in_transit',
  'return_not_picked',
  'return_attempt_failed',
  'return_qc_failed',
])

/** The event of an RTO that the event of a way to the customer may be in truth. */
const turnedEvents: Readonly<Partial<Record<AnyEvent, AnyEvent>>> = {
  picked_up: 'rto_in_transit',
  in_transit: 'rto_in_transit',
  out_for_delivery: 'rto_in_transit',
  attempt_failed: 'rto_initiated',
  reattempt: 'rto_initiated',
  delivered: 'rto_delivered',
}

const sender = '(?:origin|shipper|seller|sender|consignor|vendor|merchant)'
const turning = new RegExp(`\\b(?:rto|return\\p{L}*|${sender})\\b`, 'u')
const rtoTold = new RegExp(
  `\\brto\\b|\\b(?:return|returned|returning|delivered)(?: back)? to(?: the)? ${sender}\\b`,
  'u',
)
/** `Do not RTO` is an instruction to the courier. */
const between = '(?: (?:a|any|be|do|for|go|in|initiate|make|mark|process|raise|start)){0,2}'
const rtoForbidden = new RegExp(`\\b(?:no|not|dont|don t|never|avoid|without)${between} rto\\b`, 'gu')

/**
 * The event of a courier's status. `Undelivered - Customer not available` is an event and its reason; all that may say
 * more than a reason (`Delivered - RTO`) is a word of its own.
 */
export function statusIn(
  words: string,
  { event, reason }: CourierVocabulary,
): { readonly event?: AnyEvent | undefined; readonly reason?: string } {
  const whole = event(words)
  const [head = '', rest] = whole === undefined ? words.split(/\s[-\u2013\u2014:]\s(.*)/s) : []
  if (rest === undefined) return { event: whole }
  const first = event(head)
  if (first === undefined || !reasoned.has(first) || (reason(rest) ?? 'other') === 'other') return {}
  return turnedEvents[first] !== undefined && turning.test(plainWords(rest)) ? {} : { event: first, reason: rest }
}

/** The event of an RTO, where a remark beside an event of the way to the customer speaks of one. */
export function turnedBy(remark: string, event: AnyEvent): AnyEvent | undefined {
  const turned = turnedEvents[event]
  return turned !== undefined && rtoTold.test(plainWords(remark).replace(rtoForbidden, '')) ? turned : undefined
}

const opposed = new RegExp(`\\b(?:no|not|non|never|un\\p{L}+|fail\\p{L}*|rto|return\\p{L}*|${sender})\\b`, 'u')

/** The event that a misspelt word most likely meant; never the opposite, such as delivered for `Never Delivered`. */
export function nearestEvent(word: string): AnyEvent | undefined {
  const guess = nearest(word.toLowerCase(), eventNames) as AnyEvent | undefined
  if (guess === undefined) return undefined
  const plain = plainWords(word)
  const denying = guess.includes('fail') ? plain.replace(/fail\p{L}*/u, '') : plain
  const [first = ''] = plain.split(' ')
  return !opposed.test(denying) || (opposed.test(first) && guess.startsWith(`${first}_`)) ? guess : undefined
}

/** What is wrong with a courier's own words, in sentences; empty when nothing is. */
export function wordFaults({ events, reasons }: CourierWords): readonly string[] {
  const faults: string[] = []
  for (const [word, event] of Object.entries(events))
    if (!(eventNames as readonly string[]).includes(event))
      faults.push(`events: "${word}" means "${event}", which is not an event`)
  for (const [phrase, reason] of Object.entries(reasons))
    if (!(failureReasons as readonly string[]).includes(reason))
      faults.push(`reasons: "${phrase}" means "${reason}", which is not a reason`)
  return faults
}
