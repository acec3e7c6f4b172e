// Ids that grow with the time (UUID version 7, RFC 9562).

/** How many ids of one millisecond can be numbered. */
const inOneMs = 4096

/**
 * An id of a moment, ms UTC, made from a random UUID. What is made together then lies together in every index: random
 * ids would touch every page of an index of a million rows. `place` orders the ids of one moment; without it, chance
 * does.
 */
export function growingId(random: string, now: number, place?: number): string {
  const ms = now + Math.floor((place ?? 0) / inOneMs)
  const time = ms.toString(16).padStart(12, '0')
  const third = place === undefined ? random.slice(15, 18) : (place % inOneMs).toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${third}${random.slice(18)}`
}
