// The columns of messages; phones and mail addresses only in part.
import { readInstant } from '../../../domain/time.ts'
import type { Column, View } from '../../output/columns.ts'
import { maskPhone, showAgo, words } from '../../output/display.ts'

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

/** An address with only its first letter and its domain: `a•••@example.com`. */
const maskMail = (mail: string): string => mail.replace(/^(.)[^@]*@/u, '$1•••@')

const paints = { sent: 'green', waiting: 'dim', parked: 'red', expired: 'red', cancelled: 'yellow' } as const

// prettier-ignore
const columns: readonly Column<MessageRecord>[] = [
  { key: 'id',       header: 'message',  rank: 4,  whole: true, raw: (m) => m.id },
  { key: 'status',   header: 'status',   rank: 1,  raw: (m) => m.status, show: (m) => m.status in paints ? { text: words(m.status), paint: paints[m.status as keyof typeof paints] } : words(m.status) },
  { key: 'step',     header: 'step',     rank: 2,  raw: (m) => m.step, show: (m) => words(m.step.replace(':', ' ')) },
  { key: 'channel',  header: 'by',       rank: 6,  raw: (m) => m.channel, show: (m) => words(m.channel) },
  { key: 'awb',      header: 'awb',      rank: 5,  whole: true, raw: (m) => m.tracking_number, show: (m) => m.tracking_number ?? '-' },
  { key: 'order',    header: 'order',    rank: 7,  raw: (m) => m.order_id, show: (m) => m.order_id ?? '-' },
  { key: 'store',    header: 'store',    rank: 9,  wide: true, raw: (m) => m.store_name, show: (m) => m.store_name ?? '-' },
  { key: 'brand',    header: 'brand',    rank: 10, raw: (m) => m.brand_name, show: (m) => m.brand_name ?? '-' },
  { key: 'to',       header: 'to',       rank: 11, raw: (m) => m.webhook ?? m.email ?? m.phone, show: (m, screen) => m.webhook ?? (m.channel === 'email' && m.email !== null ? (screen.pii ? m.email : maskMail(m.email)) : m.phone === null ? '-' : maskPhone(m.phone, screen)) },
  { key: 'attempts', header: 'tries',    rank: 12, wide: true, right: true, raw: (m) => m.attempts },
  { key: 'created',  header: 'made',     rank: 8,  right: true, raw: (m) => m.created_at, show: (m, screen) => showAgo(readInstant(m.created_at)!, screen) },
  { key: 'error',    header: 'error',    rank: 3,  raw: (m) => m.error, show: (m) => m.error ?? '-' },
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
