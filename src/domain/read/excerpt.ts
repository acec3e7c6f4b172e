// A value that a reader refuses, as its message shows it.
/** The longest text, in characters, that is read as an amount or a measure. */
export const longestValue = 200

/** A value that cannot be read, in quotes and cut, as messages show it. */
export const excerpt = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 39)}\u2026` : text}"`
