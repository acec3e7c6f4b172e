// What stands at the end of a text, taken off in one pass: an expression that looks for it tries at every place before.

/** A text without the characters `end` at its end. */
export function withoutEnd(text: string, end: string): string {
  let length = text.length
  while (length > 0 && text[length - 1] === end) length--
  return text.slice(0, length)
}
