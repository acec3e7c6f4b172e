// The check of a rate request that came out of a file: the quick one for what is certainly valid, else the contract's.
import { ShipxError, type Fault } from '../../../../domain/errors.ts'
import { maxPaise, rupeesOf } from '../../../../domain/money.ts'
import { parseInput } from '../../../../domain/parse.ts'
import { pincodeKnown } from '../../../../domain/pincodes.ts'
import { maxSide, maxWeight } from '../../../../domain/rates/measures.ts'
import type { RateRequest } from '../../../../domain/rates/rates.ts'

type Raw = Readonly<Record<string, unknown>>

/** Whether a pincode may be asked for. */
export type Takes = (pincode: string) => boolean

/** Takes the pincodes that shipx knows, and the well-formed ones that `named` says. */
export const takenBy =
  (named: (pincode: string) => boolean): Takes =>
  (pincode) =>
    pincodeKnown(pincode) || (wellFormed.test(pincode) && named(pincode))

/** The request in the values of its fields, or its faults by the API's names. */
export function checkedRequest(
  raw: Raw,
  takes: Takes,
): { readonly request: RateRequest } | { readonly faults: readonly Fault[] } {
  return plain(raw, takes) ? { request: raw as unknown as RateRequest } : judged(raw, takes)
}

const wellFormed = /^[1-9]\d{5}$/

const within = (value: unknown, most: number): boolean => typeof value === 'number' && value > 0 && value <= most
const mostRupees = rupeesOf(maxPaise)

/** Whether a request is certainly valid as it is. The contract judges any other one. */
function plain(raw: Raw, takes: Takes): boolean {
  const { journey_type: journey, payment_method: method, shipment_value: value, qc_applicable: qc } = raw
  if (!takes(raw['origin_pincode'] as string) || !takes(raw['destination_pincode'] as string)) return false
  if (!within(raw['dead_weight'], maxWeight)) return false
  if (!within(raw['length'], maxSide) || !within(raw['width'], maxSide) || !within(raw['height'], maxSide)) return false
  if ((qc !== undefined && typeof qc !== 'boolean') || (value !== undefined && typeof value !== 'number')) return false
  if (journey === 'return') return true
  return journey === 'forward' && (method === 'prepaid' || (method === 'cod' && within(value, mostRupees)))
}

function judged(raw: Raw, takes: Takes): ReturnType<typeof checkedRequest> {
  // An existing pincode replaces one that may be sent, while the contract judges the rest.
  const asked = Object.fromEntries(
    Object.entries(raw)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([key, value]) => [key, key.endsWith('_pincode') && takes(value as string) ? '110001' : value]),
  )
  try {
    const request = parseInput('getRates', asked)
    const { origin_pincode, destination_pincode } = raw as { origin_pincode: string; destination_pincode: string }
    return { request: { ...request, origin_pincode, destination_pincode } }
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'invalid_input') return { faults: error.details }
    throw error
  }
}
