// The ways of a parcel that a line bills, and those of them that were billed already (docs/guides/money.md, Reasons).
import type { Billed, Judged, Seen } from './billed.ts'
import type { Journey } from './words.ts'

/** A way as a bit: out, back, and from the customer. */
export const wayBit: Readonly<Record<Journey, number>> = { forward: 1, rto: 2, reverse: 4 }

/** Out and back. */
const both = wayBit.forward | wayBit.rto

/** The ways that a line bills, as bits: by its charges; of a line with one amount by its words, else by its parcel. */
export function waysOf(
  { freight, rto, said }: Pick<Billed, 'freight' | 'rto' | 'said'>,
  journey: Journey,
  whole: boolean,
) {
  if (journey === 'reverse') return wayBit.reverse
  if (!whole && (freight !== 0 || rto !== 0)) return (freight === 0 ? 0 : wayBit.forward) | (rto === 0 ? 0 : wayBit.rto)
  return whole && journey === 'rto' && said !== 'rto' ? both : wayBit[journey]
}

/** The same of a judged line: an amount that covers the card's price of both ways bills both, even if it says RTO. */
export function waysBilled(
  line: Pick<Billed, 'freight' | 'rto' | 'said'>,
  { journey, verdict }: Pick<Judged, 'journey'> & { readonly verdict: string },
  { whole, byCard }: { readonly whole: boolean; readonly byCard: boolean },
): number {
  const covers = whole && byCard && journey === 'rto' && (verdict === 'ok' || verdict === 'over')
  return covers ? both : waysOf(line, journey, whole)
}

/** That ways were billed already, and where. */
export interface Already {
  readonly code: 'duplicate' | 'billed_before'
  readonly text: string
}

/** Where all of these ways were billed already; undefined where one was not. */
export function billedAlready(ways: number, { here, hereLine, before, earlier, under }: Seen): Already | undefined {
  if ((ways & ~(here | before)) !== 0) return undefined
  const invoices = [...new Set(earlier.map(({ invoice }) => invoice))].join(', ')
  const whose = under === '' ? '' : `it is the parcel of AWB ${under}: `
  if ((ways & here) === 0) return { code: 'billed_before', text: `${whose}billed already in ${invoices}` }
  const line = `line ${hereLine} of this document`
  const where = (ways & ~here) === 0 ? `${line} bills` : `${line} and ${invoices} bill`
  return { code: 'duplicate', text: `${whose}${where} it already` }
}

/** One way of a line that bills out and back, where that way was billed already and the other one was not. */
export interface Again extends Already {
  readonly way: 'forward' | 'rto'
}

/** The way of a line that was billed already; undefined where none was, or all were. */
export function billedAgain(ways: number, seen: Seen): Again | undefined {
  if (ways !== both) return undefined
  const [out, home] = [billedAlready(wayBit.forward, seen), billedAlready(wayBit.rto, seen)]
  if ((out === undefined) === (home === undefined)) return undefined
  return out === undefined ? { ...home!, way: 'rto' } : { ...out, way: 'forward' }
}

/** What the part of a difference says of it. */
export const againText = ({ way, text }: Again): string => `${way === 'rto' ? 'RTO' : 'the way out'}: ${text}`
