// Makes names and other text from outside fit for a message: one line, not too long, without invisible characters and
// without anything that a phone or a mail program would turn into a link.

/** Printable ASCII that needs no change: no dot, colon or slash, no blanks in a row. */
const harmless = /^(?! )(?:[!-\-0-9;-~]| (?! |$))*$/

// A joiner shapes Indic names and emoji; anywhere else it is invisible.
const joinerInEmoji = /(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/u
const joinerNeeded = new RegExp(`(?<=[\\u0900-\\u0dff])[\\u200c\\u200d]|${joinerInEmoji.source}`, 'uy')
const invisible =
  /[\p{Cf}\p{Co}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\u2800]|[\u{e0100}-\u{e01ef}]/gu

/** Whether the sign at a place is a joiner that the letters before it need. */
function joins(text: string, at: number): boolean {
  joinerNeeded.lastIndex = at
  return joinerNeeded.test(text)
}

/** The first invisible sign of a text as `U+200B`; undefined for none. Joiners that shape letters do not count. */
export function invisibleIn(text: string): string | undefined {
  const found = [...text.matchAll(invisible)].find(({ index }) => !joins(text, index))
  return found === undefined ? undefined : `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whether a text shows nothing: white space and invisible signs only. */
export const isBlank = (text: string): boolean => !/[!-~]/.test(text) && text.replace(invisible, '').trim() === ''

/** Whose text it is: a brand's own name may look like an address; a customer's may not (`A.com` is `A. com`). */
type Whose = 'own' | 'other'

/** Text of any origin as one line of at most `most` UTF-16 units, cut between characters with an ellipsis. */
export function plainText(text: string, most: number, whose: Whose = 'other'): string {
  if (text.length <= most && harmless.test(text)) return text
  // The rest is cut off anyway, and regular expressions over a megabyte are slow.
  const line = text
    .slice(0, most * 8 + 256)
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(invisible, (sign, at: number, whole: string) => (joins(whole, at) ? sign : ''))
  return shortened(unlinked(line, whose).replace(/ {2,}/g, ' ').trim(), most)
}

function unlinked(line: string, whose: Whose): string {
  const bare = line.replace(/(?:\b[a-z][a-z0-9+.-]{0,15})?[:：][/／]{2,}/gi, ' ').replace(/\bwww\d*[.。．｡]/gi, ' ')
  return whose === 'own' ? bare : bare.replace(/(?<=[\p{L}\p{M}\p{N}])[.。．｡](?=\p{L}{2})/gu, '. ')
}

let segmenter: Intl.Segmenter | undefined

/** The start of a text, at most `most` UTF-16 units including the ellipsis for the rest. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  segmenter ??= new Intl.Segmenter('en')
  let end = 0
  for (const { index, segment } of segmenter.segment(text.slice(0, most + 64))) {
    if (index + segment.length > most - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** Typographic marks in the 7-bit alphabet of short texts: one curly quote would halve the text that a part holds. */
export const plainMarks = (text: string): string =>
  !/[^\0-\x7f]/.test(text)
    ? text
    : text
        .replace(/[‘’‚‛′`´]/g, "'")
        .replace(/[“”„‟″]/g, '"')
        .replace(/[‐‑‒–—―−]/g, '-')
        .replaceAll('…', '...')
        .replaceAll('₹', 'Rs ')
