// The life of a dispute: a table of steps (from, to), what the clock and the passbook do to it by themselves, and what
// is most urgent (docs/guides/disputes.md). Amounts are integer paise, times ms UTC.
import { dayMs } from '../time.ts'
import type { ReasonCode } from './billed.ts'
import type { Proof } from './proofs.ts'

export const disputeStatuses = [
  'found',
  'raised',
  'in_review',
  'accepted',
  'partly',
  'rejected',
  'credited',
  'closed',
  'lapsed',
  'auto_accepted',
  'withdrawn',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** The statuses in which something is still to do or to come. */
export const openStatuses = ['found', 'raised', 'in_review', 'accepted', 'partly'] as const satisfies DisputeStatus[]

/** The statuses that a person gives a dispute; the others come from deadlines and from later documents. */
export const givenStatuses = ['raised', 'in_review', 'accepted', 'partly', 'rejected', 'closed', 'withdrawn'] as const
export type GivenStatus = (typeof givenStatuses)[number]

/** How a status comes that no person gives; undefined for the others. */
export const comesBy = (status: string): string | undefined =>
  status === 'credited'
    ? 'comes from a credit line of its AWB in a later document: read the credit note with shipx reconcile invoice'
    : status === 'lapsed' || status === 'auto_accepted'
      ? 'comes when the deadline passes'
      : status === 'found'
        ? 'comes from shipx disputes create'
        : undefined

/** What each status may become by a person. A rejected dispute can be opened again, and a late one raised. */
// prettier-ignore
const steps: { readonly [S in DisputeStatus]: readonly GivenStatus[] } = {
  found:         ['raised', 'withdrawn'],
  raised:        ['in_review', 'accepted', 'partly', 'rejected', 'withdrawn'],
  in_review:     ['accepted', 'partly', 'rejected', 'withdrawn'],
  accepted:      ['partly', 'rejected', 'closed'],
  partly:        ['accepted', 'rejected', 'in_review', 'closed'],
  rejected:      ['in_review', 'accepted', 'partly', 'closed'],
  credited:      ['closed'],
  closed:        [],
  lapsed:        ['raised', 'closed'],
  auto_accepted: ['raised', 'closed'],
  withdrawn:     [],
}

/** Whether a person may give a dispute this status; the same status again changes nothing. */
export const mayBecome = (from: DisputeStatus, to: GivenStatus): boolean => steps[from].includes(to)

/** The statuses that a person may give a dispute next. */
export const nextStatuses = (from: DisputeStatus): readonly GivenStatus[] => steps[from]

/** A dispute as its clocks see it. */
export interface Clocked {
  /** As it was kept last. */
  readonly status: DisputeStatus
  /** The last instant to raise it; null where nobody sets one. */
  readonly due_at: number | null
  /** Whether a passbook took the money already. */
  readonly taken: boolean
}

/** The status of a dispute at an instant: what nobody raised in time has lapsed, or counts as accepted. */
export const statusAt = ({ status, due_at: due, taken }: Clocked, now: number): DisputeStatus =>
  status === 'found' && due !== null && now > due ? (taken ? 'auto_accepted' : 'lapsed') : status

/** How far a credit may be from what was agreed: GST is rounded line by line. */
const near = 100

/** What the courier owes by an answer, or by the dispute itself. */
export const agreedOf = ({ amount, settled }: { readonly amount: number; readonly settled: number | null }): number =>
  settled ?? amount

/** Whether credits pay what was agreed. */
export const isCredited = (agreed: number, credited: number): boolean => credited > 0 && credited >= agreed - near

/** After so long a silence, or without a credit, a dispute comes back to the top of the list. */
const patience = 30 * dayMs

/** How long before its deadline a dispute is near it: webhooks are told then. */
export const nearFor = 2 * dayMs

/** Where disputes without a clock stand: behind all others. */
const never = 9_000_000_000_000_000

/** When a dispute becomes urgent: by its deadline, or when patience with the courier ends; else the dearest first. */
export function urgentAt(
  status: DisputeStatus,
  { due_at: due, amount }: { readonly due_at: number | null; readonly amount: number },
  since: number,
): number {
  const last = never - amount
  if (status === 'found') return due ?? last
  return (openStatuses as readonly DisputeStatus[]).includes(status) ? since + patience : last
}

/** What a dispute about a reason has to show; for a weight the policy of the courier says it. */
export const proofsFor = (reason: ReasonCode, weightProof: readonly Proof[]): readonly Proof[] =>
  reason === 'weight'
    ? weightProof
    : reason === 'rto_not_returned'
      ? ['pod']
      : reason === 'not_shipped'
        ? ['manifest']
        : []
