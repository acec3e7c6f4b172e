// Money as integer paise.

/** The largest amount taken from outside, in paise (10 billion rupees). */
export const maxPaise = 1_000_000_000_000

/**
 * Rupees, as a JSON number or a plain decimal string, in integer paise, half-up to the paisa; undefined when it is not
 * a plain number. A number goes through its shortest decimal text, so 1.005 is 1.005 and not 1.00499….
 */
export function paiseOf(rupees: number | string): number | undefined {
  if (typeof rupees === 'number' && Number.isInteger(rupees) && Math.abs(rupees) < 1e13)
    return rupees === 0 ? 0 : rupees * 100
  // The shortest text of the number nearest to a hundredth is that hundredth.
  if (typeof rupees === 'number' && Math.abs(rupees) < 1e13) {
    const paise = Math.round(rupees * 100)
    if (paise / 100 === rupees) return paise
  }
  const text = typeof rupees === 'number' ? decimalText(rupees) : rupees.trim()
  const match = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(text)
  if (match === null) return undefined
  const decimals = (match[3] ?? '').padEnd(3, '0')
  const paise = Number(match[2]) * 100 + Number(decimals.slice(0, 2)) + (decimals[2]! >= '5' ? 1 : 0)
  return match[1] === '-' && paise !== 0 ? -paise : paise
}

/** Paise as the rupees number that JSON carries (at most two decimals). */
export function rupeesOf(paise: number): number {
  return paise / 100
}

/** Digits grouped the Indian way: the last three, then pairs. */
export function groupedDigits(digits: string): string {
  const head = digits.slice(0, -3)
  const groups: string[] = []
  for (let at = head.length % 2 === 0 ? 0 : -1; at < head.length; at += 2)
    groups.push(head.slice(Math.max(0, at), at + 2))
  groups.push(digits.slice(-3))
  return groups.join(',')
}

/**
 * Paise as text with two decimals, `"44.40"`, the form of charges in order answers (docs/inside/decisions.md, Orders).
 */
export function rupeesText(paise: number): string {
  const whole = Math.trunc(Math.abs(paise) / 100)
  return `${paise < 0 ? '-' : ''}${whole}.${String(Math.abs(paise) % 100).padStart(2, '0')}`
}

/** A percentage of an amount in integer paise, half-up, exact for any decimals of the percentage. */
export function percentOf(paise: number, percent: number): number {
  if (percent !== last.percent) last = { percent, of: percentage(percent) }
  return last.of(paise)
}

/** The percentage that was asked for last: a file of parcels asks for the same one each time. */
let last: { readonly percent: number; readonly of: (paise: number) => number } = { percent: 0, of: () => 0 }

/** `percentOf` for many amounts of at least 0, the percentage read once. */
export function percentage(percent: number): (paise: number) => number {
  const { units, scale } = fixedPoint(percent)
  const hundred = 100n * scale
  const [twice, half, whole] = [Number(2n * units), Number(hundred), Number(2n * hundred)]
  return (paise) => {
    // The floor of a quotient is exact while both integers are.
    const doubled = paise * twice + half
    if (paise >= 0 && doubled <= Number.MAX_SAFE_INTEGER) return Math.floor(doubled / whole)
    return Number((2n * BigInt(paise) * units + hundred) / (2n * hundred))
  }
}

/** The decimal text of a number of at least 0 as an integer over a power of ten: 1.25 is 125 / 100. */
export function fixedPoint(value: number): { readonly units: bigint; readonly scale: bigint } {
  const [whole, fraction = ''] = decimalText(value).split('.')
  return { units: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) }
}

/** A finite number as plain decimal text, never in exponent form: 1e-7 is 0.0000001. */
export function decimalText(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign, whole, fraction = '', power] = match
  const exponent = Number(power)
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction.padEnd(exponent, '0')}`
}
