// The UTR of a bank transfer: as a courier writes it into a file, and as a bank writes it into a narration
// (docs/guides/cod.md, The bank).

/** The characters of a UTR: of IMPS and UPI 12, of NEFT 16, of RTGS and newer NEFT 22. */
const lengths: ReadonlySet<number> = new Set([12, 16, 22])

/** Words that stand in front of a UTR, with or without a sign between. */
const words = ['UTR', 'UTRNO', 'REF', 'REFNO', 'RRN', 'NO', 'NEFT', 'NEFTCR', 'RTGS', 'RTGSCR', 'IMPS', 'CR']
const wordBefore: ReadonlySet<string> = new Set(words)

const bare = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** What UTRs are compared by: letters and digits; banks fill a number up with zeros in front. */
export function utrKey(text: string): string {
  const key = bare(text)
  return /^\d+$/.test(key) ? key.replace(/^0+(?=\d)/, '') : key
}

/** A cell without the words in front of its UTR. */
function withoutWords(text: string): string {
  const words = text.trim().split(/\s+/)
  const line = words.join(' ')
  const sign = /^(?:UTR|REF|RRN)(?: ?(?:NO|NUMBER|ID))? ?[.:#=-]/i.exec(line)
  if (sign !== null) return line.slice(sign[0].length).trim()
  const [first = '', ...others] = words
  const named = wordBefore.has(first.toUpperCase()) && others.length > 0
  return named ? withoutWords(others.join(' ')) : text
}

/**
 * The UTRs of a cell of a courier's file, upper case without blanks and signs: one, or several where each part of the
 * cell is as long as a UTR. A blank or a slash may stand inside of one.
 */
export function utrsIn(cell: string): readonly string[] {
  if (cell.trim() === '' || /^(?:-|n\/?a|nil|null)$/i.test(cell.trim())) return []
  const text = withoutWords(cell.slice(0, 200))
  const whole = bare(text)
  if (whole === '') return []
  if (lengths.has(whole.length)) return [whole]
  const parts = text.split(/[,;&+|/\s]+/).map(bare)
  const several = parts.filter((part) => part !== '')
  return several.length > 1 && several.every((part) => lengths.has(part.length)) ? [...new Set(several)] : [whole]
}

/** Letters and digits of a text in upper case, and which of them begin or end a run of such characters. */
function charactersOf(text: string): { readonly all: string; readonly starts: boolean[]; readonly ends: boolean[] } {
  let all = ''
  const starts: boolean[] = []
  const ends: boolean[] = []
  let inside = false
  for (const character of text.toUpperCase()) {
    const counts = /[A-Z0-9]/.test(character)
    if (counts) {
      all += character
      starts.push(!inside)
      ends.push(false)
    } else if (ends.length > 0) ends[ends.length - 1] = true
    inside = counts
  }
  if (ends.length > 0) ends[ends.length - 1] = true
  return { all, starts, ends }
}

/**
 * The keys among `known` that a bank's narration or reference holds. A key begins where a run of letters and digits
 * begins, or behind a word such as NEFT, and ends where one ends; blanks and signs inside do not matter.
 */
export function knownUtrsIn(
  text: string,
  known: { readonly has: (key: string) => boolean },
  sizes: Iterable<number>,
): readonly string[] {
  const { all, starts, ends } = charactersOf(text.slice(0, 1000))
  const found = new Set<string>()
  const wanted = [...sizes]
  let run = 0
  for (let at = 0; at < all.length; at++) {
    if (starts[at]!) run = at
    let zeros = at
    if (at === run) while (all[zeros] === '0') zeros++
    if (at !== run && !wordBefore.has(all.slice(run, at))) continue
    for (const size of wanted)
      for (const from of zeros === at ? [at] : [at, zeros])
        if (ends[from + size - 1] === true && known.has(all.slice(from, from + size)))
          found.add(all.slice(from, from + size))
  }
  return [...found]
}

/** Whether a text alone is a UTR of NEFT or RTGS: a bank's letters, then mostly digits. */
const looksUtr = (text: string): boolean =>
  (text.length === 16 && /^[A-Z]{1,6}\d{10,}$/.test(text)) ||
  (text.length === 22 && /^[A-Z]{4}[A-Z0-9]{1,3}\d{15,}$/.test(text))

/** The code of a bank's branch, which narrations name next to a UTR. */
const ifsc = /^[A-Z]{4}0[A-Z0-9]{6}$/

/** The UTR of a transfer that no file of ours names, as its narration or reference has it; undefined without one. */
export function anyUtrIn(text: string): string | undefined {
  const runs = text
    .slice(0, 1000)
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
  for (const [at, run] of runs.entries()) {
    const word = words.findLast((one) => run.startsWith(one))
    const own = word === undefined ? run : run.slice(word.length)
    if (looksUtr(own)) return own
    if (word !== undefined && /^\d*$/.test(own)) continue
    if (looksUtr(run)) return run
    const joined = run + (runs[at + 1] ?? '')
    if (/^[A-Z]{1,6}[A-Z0-9]*$/.test(run) && !ifsc.test(run) && looksUtr(joined)) return joined
  }
  return undefined
}
