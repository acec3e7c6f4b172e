// What can still be claimed of a courier for a parcel, by its policy: until when damage, a denied delivery and a POD,
// and how much a lost parcel is worth to it (docs/guides/disputes.md, Claims).
import { deadlineOf } from './deadlines.ts'
import type { KnownParcel } from './parcel.ts'
import type { Policy } from './policies.ts'
import type { WorkingDays } from '../time.ts'

/** The last instants, ms UTC, and paise; null where the parcel gives none. */
export interface Claims {
  /** Damage and pilferage. */
  readonly damage: number | null
  /** That the customer did not get it. */
  readonly denial: number | null
  /** To ask for the POD. */
  readonly pod: number | null
  /** The most that the courier pays where it lost the parcel: never more than its value. */
  readonly lost: number | null
}

/** What can be claimed for a parcel. The windows begin with the delivery; what was delivered is not lost. */
export function claimsOf(
  { delivered_at: delivered, worth }: Pick<KnownParcel, 'delivered_at' | 'worth'>,
  policy: Pick<Policy, 'claim_window' | 'delivery_window' | 'pod_window' | 'liability'>,
  working: WorkingDays,
): Claims {
  if (delivered === null)
    return { damage: null, denial: null, pod: null, lost: Math.min(policy.liability, worth ?? policy.liability) }
  return {
    damage: deadlineOf(delivered, policy.claim_window, working),
    denial: deadlineOf(delivered, policy.delivery_window, working),
    pod: deadlineOf(delivered, policy.pod_window, working),
    lost: null,
  }
}
