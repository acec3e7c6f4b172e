// The fields of a dispute as commands and webhooks give them: rupees, and instants as ISO text.
import type { DisputeStatus } from '../../domain/money/disputes.ts'
import { rupeesOf } from '../../domain/money.ts'
import { isoOf } from '../../domain/time.ts'
import type { Dispute } from './disputes.ts'

/** What a dispute is about and how it stands, with the status that it has now. */
export const disputeFields = (dispute: Dispute, status: DisputeStatus) => ({
  id: dispute.id,
  awb: dispute.awb,
  order: dispute.order_name,
  courier: dispute.courier === '' ? null : dispute.courier,
  invoice: dispute.invoice,
  line: dispute.line,
  journey: dispute.journey,
  reason: dispute.reason,
  amount: rupeesOf(dispute.amount),
  status,
  due_at: dispute.due_at === null ? null : isoOf(dispute.due_at),
  accepted: dispute.settled === null ? null : rupeesOf(dispute.settled),
  credited: rupeesOf(dispute.credited),
})
