// What a cell of any table may hold, before any of it is read.
import { count } from '../../domain/count.ts'

/** The longest cell, in characters: no value of ours is as long, and what reads a cell may look at it several times. */
const longest = 10_000

/** What is wrong with a cell whatever its column is, as the end of a sentence about its row; undefined for nothing. */
export const cellFault = (cell: string): string | undefined =>
  cell.length > longest
    ? `has a cell of more than ${count(longest)} characters`
    : cell.includes('\0')
      ? 'holds the character U+0000'
      : undefined
