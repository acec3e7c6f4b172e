// How many records a listing prints in all: `--limit` and `--all`; knows nothing of pages or services.
import type { Fault } from '../../domain/errors.ts'
import { text, type FlagValues } from '../command/flags.ts'

/** The limit asked for (Infinity for all), or the usual one; with its fault. */
export function limitFrom(
  flags: FlagValues,
  usual: number,
): { readonly value: number; readonly faults: readonly Fault[] } {
  const given = text(flags, 'limit')
  if (given === undefined) return { value: usual, faults: [] }
  if (given === 'all') return { value: Infinity, faults: [] }
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return { value: Number(given), faults: [] }
  return {
    value: usual,
    faults: [{ field: '--limit', message: `"${given.slice(0, 20)}" is neither a number from 1 nor all` }],
  }
}
