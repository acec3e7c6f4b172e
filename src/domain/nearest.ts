// The nearest known word to a misspelt one.

/** The number of single-letter edits (insert, delete, replace, swap of neighbours) between two words. */
export function distance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforePrevious[j - 2]! + 1)
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}

/** How many wrong words of one list or object get a guess: a request may have hundreds, and each guess is expensive. */
export const mostGuesses = 10

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether one word is inside the other: all of the typed one in the known one, or most or a part of it is known. */
const says = (word: string, wanted: string, name: string): boolean =>
  Math.min(wanted.length, name.length) >= 3 &&
  (name.includes(wanted) ||
    (name.length > 3 && wanted.startsWith(name)) ||
    (wanted.includes(name) && (name.length * 2 > wanted.length || partsOf(word).includes(name))))

const partsOf = (word: string): string[] => word.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/** Two words without the parts that both start with. */
function apart(word: string, name: string): readonly [string, string] {
  const [ours, theirs] = [partsOf(word), partsOf(name)]
  const shared = ours.findIndex((part, i) => part !== theirs[i])
  return shared < 1 ? [plain(word), plain(name)] : [ours.slice(shared).join(''), theirs.slice(shared).join('')]
}

/** Whether a known word that is not one misspelling away counts as near all the same. */
type Inside = (word: string, wanted: string, name: string) => boolean

/** The known word with the fewest edits, of those within `most` edits (for the shorter of two words) or inside. */
function closest(
  typed: string,
  known: readonly string[],
  inside: Inside,
  most: (length: number) => number,
): string | undefined {
  const word = typed.slice(0, 60)
  const wanted = plain(word)
  if (wanted === '') return undefined
  let best: string | undefined
  let bestScore = Infinity
  for (const candidate of known) {
    const name = plain(candidate)
    const edits = distance(wanted, name)
    const within = inside(word, wanted, name)
    // A shared beginning says nothing about the rest: `billing-name` is not `billing-state`.
    const [ours, theirs] = apart(word, candidate)
    const allowed = Math.max(1, Math.floor(most(Math.min(ours.length, theirs.length))))
    // Half of a word changed is another word.
    if (!within && (edits > allowed || edits * 2 >= Math.max(wanted.length, name.length))) continue
    // Of two that are equally near, the one with the same first letter.
    const score = (within ? edits / 4 : edits) - (name[0] === wanted[0] ? 0.1 : 0)
    if (score < bestScore) [best, bestScore] = [candidate, score]
  }
  return best
}

/**
 * The known value or field that a misspelt one most likely meant, or undefined when none is near. A known word that
 * contains the misspelt one (or a part of it after an underscore: `transit` for `in_transit`) counts as near; letters
 * that happen to end a word do not (`cod` in `pincode`).
 */
export const nearest = (word: string, known: readonly string[]): string | undefined =>
  closest(word, known, says, (length) => length / 3)

/** The first letters of a name, typed instead of all of it. */
const begins: Inside = (_, wanted, name) => wanted.length >= 3 && name.startsWith(wanted)

/**
 * The command or flag that a misspelt one most likely meant, or undefined. Stricter than `nearest`: a part of a name is
 * another name (`order` is not `sort-order`), and six letters with two wrong ones are too (`import` is not `report`).
 */
export const nearestName = (word: string, known: readonly string[]): string | undefined =>
  closest(word, known, begins, (length) => (length + 1) / 4)

/** `. Did you mean x?` after a sentence about a word that is not known; '' when no word is near. */
export const guessText = (near: string | undefined): string => (near === undefined ? '' : `. Did you mean ${near}?`)

/** The same for a word and the known ones. */
export const didYouMean = (word: string, known: readonly string[]): string => guessText(nearest(word, known))
