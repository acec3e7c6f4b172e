// Lists of parcels as people paste them from a chat, with commas, semicolons or spaces between.

/** What a tracking number looks like; a space may stand inside an order id, so it separates these alone. */
const likeTracking = /^(?=.*\d)[a-z\d-]{8,}$/i

/**
 * The names in an argument: commas and semicolons separate them, and spaces between tracking numbers. A name that has a
 * comma itself cannot be an argument; a column of a table (`--file`) takes it.
 */
export const namesIn = (text: string): readonly string[] =>
  text.split(/[,;]/).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '')
    return words.length > 1 && !words.every((word) => likeTracking.test(word)) ? [part.trim()] : words
  })

/**
 * The names in a line of a file, where it has several of the same kind: tracking numbers, or orders with their sign.
 * Undefined for another line: cells of several kinds are the columns of a table without its header.
 */
export function alikeNames(line: string): readonly string[] | undefined {
  if (line.length > longestLine) return undefined
  const names = namesIn(line)
  const alike = names.every((name) => likeTracking.test(name)) || names.every((name) => /^#[^\s"]+$/.test(name))
  return names.length > 1 && alike ? names : undefined
}

/** Characters of a line at most that people paste. */
const longestLine = 100_000
