// The answer of an order endpoint, from any deployment.
import { isFields, textIn, type Fields } from './values.ts'

/** An order as its answer shows it; undefined is unknown. */
export interface AnsweredOrder {
  /** The tracking number: an order with one has a courier, whatever `awb_generated` says. */
  readonly awb: string | undefined
  readonly courier: string | undefined
  /** Why no courier took it, in the words of the deployment. */
  readonly reason: string | undefined
}

/** Names under which deployments say why there is no courier. */
const reasons = [
  'error_message',
  'awb_error',
  'awb_assign_error',
  'failure_reason',
  'reason',
  'error',
  'message',
] as const

/** Reads the body of an answer. */
export function readOrderAnswer(answer: unknown): AnsweredOrder {
  const body: Fields = isFields(answer) ? answer : {}
  const payload: Fields = isFields(body['payload']) ? body['payload'] : {}
  const said = reasons.map((name) => word(payload[name])).find((text) => text !== undefined)
  return {
    awb: word(payload['awb_code']),
    courier: word(payload['courier_name']) ?? word(payload['courier_company_id']),
    reason: said ?? word(body['message']) ?? word(body['error']),
  }
}

/** Text with something in it. */
function word(value: unknown): string | undefined {
  const text = textIn(value)?.trim()
  return text === undefined || text === '' ? undefined : text
}
