// Code 128, the barcode of AWBs and orders (ISO/IEC 15417): the widths of bars and spaces, by the shortest code.

const patterns = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')

/** Set B has a symbol for each letter, set C for each pair of digits. */
type Codeset = 'B' | 'C'
const starts: Readonly<Record<Codeset, number>> = { B: 104, C: 105 }
const changes: Readonly<Record<Codeset, number>> = { B: 100, C: 99 }
const stop = 106

/** The blank that a barcode needs on each side, in modules. */
export const quietModules = 10

/** Whether a text can be a barcode: printable ASCII, at most 80 characters. */
export const hasBarcode = (text: string): boolean => /^[ -~]{1,80}$/.test(text)

/** How many digits begin at a place. */
function digitsAt(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at]! >= '0' && text[at]! <= '9') at++
  return at - from
}

/** Whether to write digits as pairs: where it saves more symbols than the changes to set C and back cost. */
function pairsPay(text: string, at: number, set: Codeset | undefined): boolean {
  const digits = digitsAt(text, at)
  if (set === 'C') return digits >= 2
  const ends = at + digits === text.length
  // An odd digit before the pairs keeps them together with what follows.
  if (set === undefined) return digits >= 4 || (digits === 2 && ends)
  return digits % 2 === 0 && digits >= (ends ? 4 : 6)
}

/** A part of a text in one set. */
export interface Segment {
  readonly set: Codeset
  readonly text: string
}

/** A text in parts, each in the set that writes it shortest. */
export function segmentsOf(text: string): readonly Segment[] {
  const parts: { set: Codeset; text: string }[] = []
  for (let at = 0; at < text.length;) {
    const last = parts.at(-1)
    const set = pairsPay(text, at, last?.set) ? 'C' : 'B'
    const taken = text.slice(at, at + (set === 'C' ? 2 : 1))
    if (last?.set === set) last.text += taken
    else parts.push({ set, text: taken })
    at += taken.length
  }
  return parts
}

/** The symbols of a text, from the start to the stop. */
function symbolsOf(text: string): readonly number[] {
  const symbols = segmentsOf(text).flatMap(({ set, text: part }, i) => [
    i === 0 ? starts[set] : changes[set],
    ...(set === 'C' ? part.match(/../g)!.map(Number) : Array.from(part, (letter) => letter.charCodeAt(0) - 32)),
  ])
  const sum = symbols.reduce((all, symbol, place) => all + symbol * Math.max(1, place), 0)
  return [...symbols, sum % 103, stop]
}

/** The widths of bars and spaces in turn, in modules, without the quiet zones. The text is one that `hasBarcode`. */
export const barsOf = (text: string): readonly number[] =>
  symbolsOf(text).flatMap((symbol) => Array.from(patterns[symbol]!, Number))

/** The width of a barcode in modules, without the quiet zones. */
export const modulesOf = (text: string): number => barsOf(text).reduce((all, width) => all + width, 0)
