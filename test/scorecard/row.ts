// What a row of the scorecard finds out, and the small tools that rows share.

/** One row: what was tried, how often, and what is held against the target. */
export interface Finding {
  readonly row: string
  readonly what: string
  /** How much was tried. */
  readonly tried: number
  readonly result: string
  readonly target: string
  /** What speaks against the target; none is a pass. */
  readonly faults: readonly string[]
  readonly seconds: number
}

/** How large a row is run: 1 is the whole, and a few hundredths are a sample. */
export type Size = number

/** So many of a whole, at least `least`. */
export const share = (size: Size, whole: number, least = 1): number => Math.max(least, Math.round(whole * size))

/** Evenly spread elements of a list, so many as the size says, never fewer than `least`. */
export function sample<T>(list: readonly T[], size: Size, least = 1): readonly T[] {
  const wanted = Math.min(list.length, share(size, list.length, least))
  return Array.from({ length: wanted }, (_, n) => list[Math.floor((n * list.length) / wanted)]!)
}

/** Runs a row and says how long it took. */
export async function timed(work: () => Promise<Omit<Finding, 'seconds'>>): Promise<Finding> {
  const began = performance.now()
  const found = await work()
  return { ...found, seconds: Math.round((performance.now() - began) / 100) / 10 }
}

/** A megabyte of names and numbers as JSON, and what the parser takes for it where the limits of rows were found, ms. */
const yardstick = `{${Array.from({ length: 50_000 }, (_, n) => `"name_${1_000_000 + n}":${n}`).join()}}`
const usualMs = 30

/**
 * How many times longer than there the parser takes here and now, 1 at least. Rows multiply their limits in ms by it: a
 * slow or busy machine is no fault of the program.
 */
export function slowness(): number {
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now()
    JSON.parse(yardstick)
    return performance.now() - began
  })
  return Math.max(1, percentile(times, 50) / usualMs)
}

/** Runs work on every element, so many at a time; the first failure of the work itself ends it. */
export async function atOnce<T>(limit: number, list: readonly T[], work: (element: T, n: number) => Promise<void>) {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < list.length; n = next++) await work(list[n]!, n)
  }
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, worker))
}

/** The number below which so many hundredths of the numbers are. */
export function percentile(numbers: readonly number[], hundredths: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * hundredths) / 100))] ?? 0
}

/** Faults with equal ones counted, at most so many, so that ten thousand of a kind are one line. */
export function summed(faults: readonly string[], most = 12): readonly string[] {
  const counts = new Map<string, number>()
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1)
  const lines = [...counts].map(([fault, times]) => (times === 1 ? fault : `${fault} (${times} times)`))
  return lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} others`] : lines
}
