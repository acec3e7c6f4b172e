// The reader of yes and no.
import { excerpt, typed, type Outcome } from './typed.ts'

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
])

/** Yes or no in the words of people, programs and spreadsheets. */
export function readTruth(text: string): Outcome<boolean> {
  const value = words.get(typed(text).toLowerCase())
  return value === undefined ? { fault: `${excerpt(text)} is not yes or no` } : { value }
}
