// Pincode prefixes and ranges as numbers that are looked up digit by digit.

/** Values by pincode prefix: 11 and 110 differ, since no pincode starts with 0. */
export type Prefixes<T> = ReadonlyMap<number, T>

/**
 * The prefixes that a prefix ("110") or range ("121001-121015") stands for: a range becomes the shortest ones that
 * cover it, so that one kind of look-up serves both. Throws RangeError for other text.
 */
export function prefixesOf(text: string): readonly number[] {
  const match = /^([1-9][0-9]{0,5})$|^([1-9][0-9]{5})-([1-9][0-9]{5})$/.exec(text.trim())
  if (match === null)
    throw new RangeError(`"${text.slice(0, 20)}" is not a pincode prefix or range, such as 110 or 121001-121015`)
  if (match[1] !== undefined) return [Number(match[1])]
  const last = Number(match[3])
  let next = Number(match[2])
  if (next > last) throw new RangeError(`the pincode range ${next}-${last} runs backwards`)
  const prefixes: number[] = []
  while (next <= last) {
    let size = 1
    while (size < 100000 && next % (size * 10) === 0 && next + size * 10 - 1 <= last) size *= 10
    prefixes.push(next / size)
    next += size
  }
  return prefixes
}

/** The value of the longest prefix of a pincode. */
export function longestPrefix<T>(prefixes: Prefixes<T>, pincode: string): T | undefined {
  for (let prefix = Number(pincode); prefix >= 1; prefix = (prefix / 10) | 0) {
    const value = prefixes.get(prefix)
    if (value !== undefined) return value
  }
  return undefined
}
