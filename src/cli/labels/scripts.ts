// The scripts of India that labels have fonts for: which letters each has, and the file of its font.

/** A script: its range of letters, and the font that draws it. */
export interface Script {
  readonly name: string
  /** The first and the last code point of its block. */
  readonly block: readonly [first: number, last: number]
  /** The tag of the script in a font (ISO 15924). */
  readonly tag: string
}

export const scripts: readonly Script[] = [
  { name: 'devanagari', block: [0x0900, 0x097f], tag: 'Deva' },
  { name: 'bengali', block: [0x0980, 0x09ff], tag: 'Beng' },
  { name: 'gurmukhi', block: [0x0a00, 0x0a7f], tag: 'Guru' },
  { name: 'gujarati', block: [0x0a80, 0x0aff], tag: 'Gujr' },
  { name: 'oriya', block: [0x0b00, 0x0b7f], tag: 'Orya' },
  { name: 'tamil', block: [0x0b80, 0x0bff], tag: 'Taml' },
  { name: 'telugu', block: [0x0c00, 0x0c7f], tag: 'Telu' },
  { name: 'kannada', block: [0x0c80, 0x0cff], tag: 'Knda' },
  { name: 'malayalam', block: [0x0d00, 0x0d7f], tag: 'Mlym' },
]

/** The font for other letters that Helvetica lacks, such as ₹ and ā. */
export const otherLetters = scripts[0]!

/** The script of a code point; undefined for one of none of these. The dandas go with what is before them. */
export function scriptOf(point: number): Script | undefined {
  if (point < 0x0900 || point > 0x0d7f || point === 0x0964 || point === 0x0965) return undefined
  return scripts.find(({ block: [first, last] }) => point >= first && point <= last)
}

/** What joins or parts the letters of a word in these scripts, and the dandas that end its sentences. */
export const goesWithScript = (point: number): boolean =>
  point === 0x200c || point === 0x200d || point === 0x0964 || point === 0x0965 || point === 0x25cc
