// The numbers (`seq`) of the records of an SQLite file: each account has a range of its own, which is then also one
// range of the search index.

/** How many numbers an account has. */
const range = 2 ** 32

export const firstSeq = (account: number): number => (account - 1) * range + 1

export const lastSeq = (account: number): number => account * range

/** The account of a number. */
export const accountOf = (seq: number): number => Math.floor((seq - 1) / range) + 1
