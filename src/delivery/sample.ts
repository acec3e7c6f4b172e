// Facts of an invented order, for previews and for trying out a template: once with every fact, once with none.
import type { CustomerStep } from '../domain/parcels/journeys.ts'
import type { Facts } from '../domain/messages/messages.ts'

/** All the facts of a message of a step, for an order paid at the door. */
export const sampleFacts = (step: CustomerStep, at: string): Facts => ({
  step,
  at,
  tracking_number: '14344940012345',
  order: '1497',
  courier: 'BlueLine',
  customer: { name: 'Asha Rao', city: 'Bengaluru', pincode: '560001' },
  items: [
    { name: 'Cotton romper, 6 to 9 months', quantity: 2 },
    { name: 'Muslin swaddle', quantity: 1 },
  ],
  total: 1499,
  cod: step.startsWith('return') || step === 'refund' ? null : 1499,
  attempt: step === 'attempt_failed' ? 1 : null,
  reason: step === 'attempt_failed' ? 'customer_not_available' : null,
  return: step.startsWith('return') || step === 'refund' ? 'RT-5521' : null,
})

/** The fewest facts that a message of a step can have. */
export const bareFacts = (step: CustomerStep, at: string): Facts => ({
  ...sampleFacts(step, at),
  tracking_number: null,
  order: null,
  courier: null,
  customer: { name: null, city: null, pincode: null },
  items: [],
  total: null,
  cod: null,
  attempt: null,
  reason: null,
  return: null,
})
