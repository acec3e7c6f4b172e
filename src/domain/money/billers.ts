// Who billed, as far as names tell: a credit pays disputes with the courier that gives it, and with no other one.
import { billerOf, courierKey, courierKeys } from './policies.ts'

/** The name of who bills as it is compared; '' where there is none. */
const keyOf = (name: string): string => courierKey(name) || name.trim().toLowerCase()

/** What who bills in a document goes by: the aggregator of its form, and its courier or that of the line. */
export const billersOf = (form: string, courier: string): readonly string[] =>
  [...new Set([billerOf(form, ''), courier])].filter((name) => keyOf(name) !== '')

/** Whether two names are of one courier: `Blue Dart` and `Bluedart Surface` are. */
export function isSameBiller(a: string, b: string): boolean {
  const [one, other] = [keyOf(a), keyOf(b)]
  return one.includes(other) || other.includes(one) || courierKeys(a).some((key) => courierKeys(b).includes(key))
}

/**
 * Those of some bills of a parcel that one biller has: the ones of its own name. Where none of them has it, those where
 * one of the two has no name, unless they are of several billers.
 */
export function ofBiller<T extends { readonly billers: readonly string[] }>(
  own: readonly string[],
  all: readonly T[],
): readonly T[] {
  const same = all.filter(({ billers }) => billers.some((one) => own.some((other) => isSameBiller(one, other))))
  if (same.length > 0) return same
  const open = all.filter(({ billers }) => billers.length === 0 || own.length === 0)
  return new Set(open.map(({ billers }) => keyOf(billers[0] ?? ''))).size <= 1 ? open : []
}
