// Values in groups by a key: Node 20 has no Map.groupBy.

/** The values of each key, in the order in which they came; the keys in the order of their first values. */
export function groupedBy<T, K>(values: Iterable<T>, keyOf: (value: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
