// Removes characters at the end of a text in one pass: a regular expression would try at every place before them.

/** A text without the characters `end` at its end. */
export function withoutEnd(text: string, end: string): string {
  let length = text.length
  while (length > 0 && text[length - 1] === end) length--
  return text.slice(0, length)
}
