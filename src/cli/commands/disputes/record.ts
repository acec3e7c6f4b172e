// A dispute as it is shown: rupees, its clock, what it still has to show.
import { agreedOf, proofsFor, statusAt, type DisputeStatus } from '../../../domain/money/disputes.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import { proofsOf, type Proof } from '../../../domain/money/proofs.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { dayMs, isoOf } from '../../../domain/time.ts'
import { disputeFields } from '../../../engine/money/disputefields.ts'
import type { Dispute } from '../../../engine/money/disputes.ts'
import { evidenceOf } from '../../../engine/money/evidence.ts'
import { notTaken } from '../../../engine/orders/handover.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, showTime, untilText, words } from '../../output/display.ts'
import type { BesidePlace } from '../../source/beside.ts'

/** A dispute as it is shown, rupees. */
export interface DisputeRecord extends Record<string, unknown> {
  readonly id: string
  readonly awb: string
  readonly courier: string | null
  readonly reason: string
  readonly amount: number
  readonly status: DisputeStatus
  readonly due_at: string | null
  readonly missing: readonly Proof[]
  readonly note: string | null
}

/** An amount in a sentence: whole rupees without paise. */
const inWords = (paise: number): string => showMoney(rupeesOf(paise)).replace(/\.00$/, '')

/** Days of silence after which a dispute says so. */
const quietDays = 30

/** What should be known of a dispute beside its status: a part that was credited, a long silence. */
function noteOf(dispute: Dispute, status: DisputeStatus, now: number): string | null {
  if (!waiting.has(status)) return null
  const days = Math.floor((now - dispute.changed_at) / dayMs)
  const said = words(status).toLowerCase()
  const credited = dispute.credited === 0 ? '' : `, ${inWords(dispute.credited)} credited`
  if (days < quietDays) return credited === '' ? null : `${said}${credited}`
  if (status === 'raised' || status === 'in_review') return `${said}${credited}, no answer for ${days} days`
  return `${said}, ${inWords(agreedOf(dispute) - dispute.credited)} not credited for ${days} days`
}

/** The statuses in which the courier has to do something. */
const waiting: ReadonlySet<DisputeStatus> = new Set(['raised', 'in_review', 'accepted', 'partly'])

/** A dispute with what is attached to its parcel and what is missing. */
export const recordOf = (
  dispute: Dispute,
  { missing, files, now }: { readonly missing: readonly Proof[]; readonly files: number; readonly now: number },
): DisputeRecord => {
  const status = statusAt(dispute, now)
  return {
    ...disputeFields(dispute, status),
    missing,
    files,
    changed_at: isoOf(dispute.changed_at),
    note: noteOf(dispute, status, now),
  }
}

/** The statuses in which evidence is still of use. */
const wanting: ReadonlySet<DisputeStatus> = new Set(['found', 'raised', 'in_review', 'rejected'])

/** What makes records of disputes, with the evidence that the policies of their couriers want. */
export function recorder(
  { database, account }: BesidePlace,
  policies: readonly OwnPolicy[],
  now: number,
): (disputes: readonly Dispute[]) => Promise<readonly DisputeRecord[]> {
  const known = new Map<string, readonly Proof[]>()
  const weightProof = (courier: string): readonly Proof[] => {
    let proof = known.get(courier)
    if (proof === undefined) known.set(courier, (proof = policyOf(courier, policies).weight_proof))
    return proof
  }
  return async (disputes) => {
    const awbs = [...new Set(disputes.map(({ awb }) => awb))]
    const all = awbs.length === 0 ? [] : await database.read(() => evidenceOf(account, awbs))
    const claimed = disputes.flatMap(({ awb, reason }) => (reason === 'not_shipped' ? [awb] : []))
    const left = claimed.length === 0 ? [] : await database.read(() => notTaken(database.dialect, account, claimed))
    const shown = new Map<string, Set<Proof>>(left.map(({ awb }) => [awb, new Set(['manifest'] as const)]))
    const files = new Map<string, number>()
    for (const { awb, shows } of all) {
      files.set(awb, (files.get(awb) ?? 0) + 1)
      shown.set(awb, new Set([...(shown.get(awb) ?? []), ...proofsOf(shows)]))
    }
    return disputes.map((dispute) => {
      const there = shown.get(dispute.awb)
      const wanted = wanting.has(statusAt(dispute, now)) ? proofsFor(dispute.reason, weightProof(dispute.courier)) : []
      const missing = wanted.filter((proof) => there?.has(proof) !== true)
      return recordOf(dispute, { missing, files: files.get(dispute.awb) ?? 0, now })
    })
  }
}

const plain = (key: string, rank: number, more: Partial<Column<DisputeRecord>> = {}): Column<DisputeRecord> => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  raw: (one) => {
    const value = one[key]
    return Array.isArray(value) ? value.join(' ') : (value as string | number | null)
  },
  ...more,
})

const money = (
  key: 'amount' | 'accepted' | 'credited',
  rank: number,
  more: Partial<Column<DisputeRecord>> = {},
): Column<DisputeRecord> =>
  plain(key, rank, {
    right: true,
    whole: true,
    kind: 'money',
    show: (one, screen) => (one[key] === null ? '' : showMoney(one[key] as number, screen)),
    ...more,
  })

const dueShown = ({ status, due_at: due }: DisputeRecord, now: number): string =>
  due === null || (status !== 'found' && status !== 'lapsed' && status !== 'auto_accepted')
    ? '-'
    : untilText(Date.parse(due), now)

export const disputeView: View<DisputeRecord> = {
  noun: ['dispute', 'disputes'],
  id: ({ id }) => id,
  names: [
    'id',
    'awb',
    'order',
    'courier',
    'invoice',
    'line',
    'journey',
    'reason',
    'amount',
    'status',
    'due_at',
    'accepted',
    'credited',
    'missing',
    'files',
    'changed_at',
    'note',
  ],
  columns: [
    plain('id', 2, { whole: true }),
    plain('due_at', 1, { whole: true, header: 'due in', kind: 'time', show: (one, { now }) => dueShown(one, now) }),
    money('amount', 1),
    money('accepted', 2, { sparse: true }),
    plain('reason', 1, { raw: ({ reason }) => reasonName(reason) }),
    plain('status', 1, { main: true, show: ({ status, note }) => note ?? words(status) }),
    plain('awb', 1, { whole: true }),
    plain('courier', 3),
    plain('missing', 4, { sparse: true, show: ({ missing }) => missing.join(', ') }),
    plain('invoice', 5),
    money('credited', 7, { wide: true }),
    plain('order', 8, { wide: true }),
    plain('line', 9, { wide: true, right: true }),
    plain('journey', 9, { wide: true }),
    plain('files', 10, { wide: true, right: true }),
    plain('changed_at', 11, {
      wide: true,
      kind: 'time',
      show: ({ changed_at: at }, screen) => showTime(Date.parse(String(at)), screen),
    }),
    plain('note', 12, { wide: true }),
  ],
}
