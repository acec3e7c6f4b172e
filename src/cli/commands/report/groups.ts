// Groups of a report: the largest ones as rows, and the others as one.
import type { Group } from '../../../domain/parcels/summary.ts'

/** A group with its key; null for records that have none. */
export type Row<F, K extends string> = F & { readonly [key in K]: string | null }

/** The largest groups, and the others together. */
export interface Largest<F, K extends string> {
  readonly rows: readonly Row<F, K>[]
  readonly others: (F & { readonly groups: number }) | null
}

/** What groups add up to. */
export function total<S extends Readonly<Record<string, number>>>(zero: S, groups: readonly Group<S>[]): S {
  const sums: Record<string, number> = { ...zero }
  for (const group of groups) for (const name of Object.keys(zero)) sums[name]! += group.sums[name]!
  return sums as S
}

/** How many groups have a row of their own. */
const most = 12

/** The largest groups with their figures; they come in their order. */
export function largest<S extends Readonly<Record<string, number>>, F, K extends string>(
  key: K,
  groups: readonly Group<S>[],
  zero: S,
  figures: (sums: S) => F,
): Largest<F, K> {
  const rest = groups.slice(most)
  return {
    rows: groups.slice(0, most).map(({ keys, sums }) => ({ [key]: keys[0]!, ...figures(sums) }) as Row<F, K>),
    others: rest.length === 0 ? null : { groups: rest.length, ...figures(total(zero, rest)) },
  }
}
