// Values and pincodes that shipx does not know and another deployment may know. shipx sends them as typed and warns
// afterwards (docs/inside/decisions.md, Listings). Our own service refuses them in the same words as the embedded
// engine.
import type { Input, Name } from '../../domain/contract.ts'
import { ShipxError, type Fault } from '../../domain/errors.ts'
import { parseInput } from '../../domain/parse.ts'
import { closedFilters, listings } from '../../domain/parcels/listings.ts'
import { isRemote, mirrorFor } from '../source/open.ts'
import type { Context } from '../command/context.ts'
import { collect } from '../command/faults.ts'
import type { Raw } from '../args/input.ts'
import { safe } from '../terminal/safe.ts'

/** Parameters of a listing whose closed lists come from us, not from the specification. */
const closedFields = (name: Name): readonly string[] =>
  name === 'listShipments' || name === 'listReturns' ? closedFilters(listings[name]) : []

const pincodes: ReadonlySet<string> = new Set([
  'origin_pincode',
  'destination_pincode',
  'billing_pincode',
  'shipping_pincode',
  'pincode',
])

/**
 * Input that may be sent, the faults that prevent it, and the unknown values to warn about after the service accepted
 * it.
 */
export interface Lenient<N extends Name> {
  readonly value: Input<N> | undefined
  readonly faults: readonly Fault[]
  readonly unknown: readonly string[]
}

/**
 * Checks raw input; for a deployment, values outside our own lists pass, and on this computer the pincodes that `named`
 * accepts. Returns faults, which name flags, without throwing them.
 */
export async function lenientInput<N extends Name>(
  context: Context,
  name: N,
  raw: Raw,
  named: (pincode: string) => boolean | Promise<boolean> = () => false,
): Promise<Lenient<N>> {
  const strict = collect(context, () => parseInput(name, raw))
  if (strict.value !== undefined) return { ...strict, unknown: [] }
  const mirror = mirrorFor(context)
  const here = mirror === undefined && !(await isRemote(context))
  const closed = here ? [] : closedFields(name)
  const suspects: (readonly [string, unknown])[] = []
  for (const [field, value] of faultFields(name, raw))
    if (mayBeKnown(closed, field, value) && (!here || (await named(String(digits(value))))))
      suspects.push([field, value])
  if (suspects.length === 0) return { ...strict, unknown: [] }
  const rest: Raw = { ...raw }
  for (const [field] of suspects) {
    // The other fields need some pincode for the check, so an existing one replaces it.
    if (pincodes.has(field)) rest[field] = '110001'
    else delete rest[field]
  }
  // A deployment that announces our filters refuses unknown values, and so does its mirror.
  if (mirror !== undefined && (await (await import('../source/mirror.ts')).announces(context, mirror, 'extra_filters')))
    return { ...strict, unknown: [] }
  const judged = collect(context, () => parseInput(name, rest))
  if (judged.value === undefined) return { ...strict, unknown: [] }
  const kept = Object.fromEntries(
    suspects.map(([field, value]) => [field, pincodes.has(field) ? digits(value) : value]),
  )
  const unknown = suspects.map(([field, value]) => `${field} ${safe([value].flat().map(String).join(', '))}`)
  return { value: { ...(judged.value as object), ...kept } as Input<N>, faults: [], unknown }
}

/** The fields with faults, and their raw values. */
function faultFields(name: Name, raw: Raw): readonly (readonly [string, unknown])[] {
  try {
    parseInput(name, raw)
    return []
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    const fields = new Set(error.details.map((fault) => (fault.field ?? '').split('.')[0]!))
    return [...fields].flatMap((field) => (raw[field] === undefined ? [] : [[field, raw[field]] as const]))
  }
}

/** Whether a deployment may accept a value that shipx does not know. */
const mayBeKnown = (closed: readonly string[], field: string, value: unknown): boolean =>
  pincodes.has(field)
    ? [value].flat().every((pincode) => /^[1-9]\d{2} ?\d{3}$/.test(String(pincode)))
    : closed.includes(field) && [value].flat().every((word) => typeof word === 'string' && /^[\w &-]{1,60}$/.test(word))

/** A pincode, or several, without blanks. */
const digits = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(digits) : String(value).replaceAll(' ', '')

/** Warns about values that the service accepted and shipx does not know. */
export async function warnUnknown(context: Context, unknown: readonly string[]): Promise<void> {
  if (unknown.length === 0) return
  const done = mirrorFor(context) === undefined ? 'sent' : 'looked for'
  await context.warn(`shipx does not know ${unknown.join('; ')}; ${done} as written`)
}
