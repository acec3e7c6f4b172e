// The columns of messages; phones and mail addresses only in part.
import { isoOf, readInstant } from '../../../domain/time.ts'
import { shownEnd } from '../../../engine/messages/ids.ts'
import type { ShownMessage } from '../../../engine/messages/queue.ts'
import type { Column, View } from '../../output/columns.ts'
import { maskPhone, showAgo, words } from '../../output/display.ts'
import type { Screen } from '../../terminal/screen.ts'

/** A message as shipx shows it; times are ISO 8601. */
export interface MessageRecord extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly step: string
  readonly tracking_number: string | null
  readonly order_id: string | null
  readonly store_name: string | null
  readonly brand_name: string | null
  readonly channel: string
  readonly status: string
  readonly phone: string | null
  readonly email: string | null
  readonly webhook: string | null
  readonly attempts: number
  readonly created_at: string
  readonly due_at: string
  readonly next_at: string | null
  readonly sent_at: string | null
  readonly error: string | null
}

const iso = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** The event of a webhook's step: `status`, or of a dispute what happened to it, `dispute:raised`. */
const eventIn = (step: string): string => (step.startsWith('dispute:') ? step.split(':', 2).join(':') : 'status')

/** A message as shipx shows it. */
export const messageRecord = (message: ShownMessage): MessageRecord => ({
  id: message.id,
  // A webhook's step holds its event and its webhook. Here `step` is the event, and `webhook` the webhook.
  step: message.channel === 'webhook' ? eventIn(message.step) : message.step,
  tracking_number: message.tracking_number,
  order_id: message.order_id,
  store_name: message.store_name,
  brand_name: message.brand_name,
  channel: message.channel,
  status: message.status,
  phone: message.phone,
  email: message.email,
  webhook: message.target,
  attempts: Number(message.attempts),
  created_at: isoOf(Number(message.created_at)),
  due_at: isoOf(Number(message.due_at)),
  next_at: message.status === 'waiting' ? isoOf(Number(message.next_at)) : null,
  sent_at: iso(message.sent_at),
  error: message.error,
})

/** An address with only its first letter and its domain: `a•••@example.com`. */
const maskMail = (mail: string): string => mail.replace(/^(.)[^@]*@/u, '$1•••@')

const paints = { sent: 'green', waiting: 'dim', parked: 'red', expired: 'red', cancelled: 'yellow' } as const

/** Who gets it, for people: a webhook's id, or the phone or mail address in part. */
export function receiverText(m: MessageRecord, screen: Screen): string {
  if (m.webhook !== null) return m.webhook
  if (m.channel === 'email' && m.email !== null) return screen.pii ? m.email : maskMail(m.email)
  return m.phone === null ? '-' : maskPhone(m.phone, screen)
}

// prettier-ignore
const columns: readonly Column<MessageRecord>[] = [
  { key: 'id',       header: 'message',  rank: 1,  whole: true, main: true, raw: (m) => m.id, show: (m) => m.id.slice(-shownEnd) },
  { key: 'status',   header: 'status',   rank: 2,  main: true, raw: (m) => m.status, show: (m) => m.status in paints ? { text: words(m.status), paint: paints[m.status as keyof typeof paints] } : words(m.status) },
  { key: 'step',     header: 'step',     rank: 3,  main: true, raw: (m) => m.step, show: (m) => words(m.step.replace(':', ' ')) },
  { key: 'channel',  header: 'by',       rank: 5,  raw: (m) => m.channel, show: (m) => words(m.channel) },
  { key: 'awb',      header: 'awb',      rank: 8,  whole: true, raw: (m) => m.tracking_number, show: (m) => m.tracking_number ?? '-' },
  { key: 'order',    header: 'order',    rank: 4,  whole: true, main: true, raw: (m) => m.order_id, show: (m) => m.order_id ?? '-' },
  { key: 'store',    header: 'store',    rank: 9,  wide: true, raw: (m) => m.store_name, show: (m) => m.store_name ?? '-' },
  { key: 'brand',    header: 'brand',    rank: 10, raw: (m) => m.brand_name, show: (m) => m.brand_name ?? '-' },
  { key: 'to',       header: 'to',       rank: 6,  raw: (m) => m.webhook ?? m.email ?? m.phone, show: receiverText },
  { key: 'attempts', header: 'tries',    rank: 12, wide: true, right: true, raw: (m) => m.attempts },
  { key: 'created',  header: 'made',     rank: 7,  right: true, raw: (m) => m.created_at, show: (m, screen) => showAgo(readInstant(m.created_at)!, screen) },
  { key: 'error',    header: 'error',    rank: 3,  sparse: true, raw: (m) => m.error, show: (m) => m.error ?? '' },
]

/** The table and the CSV of messages. */
export const messageView: View<MessageRecord> = {
  columns,
  id: (message) => message.id,
  names: [
    'id',
    'step',
    'tracking_number',
    'order_id',
    'store_name',
    'brand_name',
    'channel',
    'status',
    'phone',
    'email',
    'webhook',
    'attempts',
    'created_at',
    'due_at',
    'next_at',
    'sent_at',
    'error',
  ],
  noun: ['message', 'messages'],
}
