// The input of the rates endpoint: a pincode that India Post does not list is right where the account's card names it.
import type { Endpoint } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import { parseFor } from '../domain/parse.ts'
import { readPincode } from '../domain/read/pincode.ts'

const fields = ['origin_pincode', 'destination_pincode'] as const

/** A pincode that exists, for the check of the other fields. */
const standIn = '110001'

type Raw = Readonly<Record<string, unknown>>
type Names = (pincode: string) => Promise<boolean>

/**
 * The checked input, at once where it is right. Calls `names` only with pincodes that it would refuse without. Throws
 * as `parseFor`.
 */
export function rateInput(row: Endpoint, raw: Raw, names: Names): unknown {
  try {
    return parseFor(row, raw)
  } catch (error) {
    if (!(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
    return namedInput(row, raw, names, error)
  }
}

/** The same with the pincodes that the card names. Throws the first error where there are none. */
async function namedInput(row: Endpoint, raw: Raw, names: Names, first: ShipxError): Promise<unknown> {
  const named: Record<string, string> = {}
  for (const field of fields) {
    const given = raw[field]
    if (typeof given !== 'string' || !first.details.some((fault) => fault.field === field)) continue
    const pincode = readPincode(given)
    if (/^[1-9][0-9]{5}$/.test(pincode) && (await names(pincode))) named[field] = pincode
  }
  if (Object.keys(named).length === 0) throw first
  const checked = parseFor(row, {
    ...raw,
    ...Object.fromEntries(Object.keys(named).map((field) => [field, standIn])),
  })
  return { ...(checked as object), ...named }
}
