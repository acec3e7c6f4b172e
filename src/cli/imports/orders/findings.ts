// What is doubtful in a good order of a sheet: findings that the user reads, and that --strict makes faults.
import type { Fault } from '../../../domain/errors.ts'
import { deliveryOf, type OrderCreate } from '../../../domain/orders.ts'
import { stateClash } from '../../../domain/read/states.ts'
import { totalClash } from '../../../domain/totals.ts'
import type { Sheet } from '../../files/sheet.ts'

/** A delivery address whose pincode is in another state than it says, as a fault under the sheet's header. */
export function clashIn(
  { places, headers }: Sheet,
  input: OrderCreate,
  lineOf: (column: string) => number,
): Fault | undefined {
  const { zip, state } = deliveryOf(input)
  const message = stateClash(zip, state)
  if (message === undefined) return undefined
  const column = input.shipping_is_billing === false ? 'shipping_state' : 'billing_state'
  return { field: headers[places.get(column) ?? -1] ?? column, message, row: lineOf(column) }
}

/** The findings about an order that starts in a line; `unknown` names the fields of pincodes not known to shipx. */
export const findingsOn = (
  input: OrderCreate,
  unknown: readonly string[],
  clash: Fault | undefined,
  line: number,
  counts: Sheet['counts'],
): readonly string[] => [
  ...unknown.map(
    (field) =>
      `${counts} ${line}: shipx does not know pincode ${String(input[field as 'billing_pincode'])}; sent as written`,
  ),
  ...(clash === undefined ? [] : [`${counts} ${clash.row!}: ${clash.message}`]),
  ...[totalClash(input)].flatMap((message) => (message === undefined ? [] : [`${counts} ${line}: ${message}`])),
]
