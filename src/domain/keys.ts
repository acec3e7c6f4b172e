// Keys of the service: their form, `sxk_` + 43 letters of base62 + a checksum (docs/reference/http.md).

/** The letters of a key. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 43 letters of 62 are 256 bits. */
export const keyLetters = 43
const checkLetters = 6
const prefix = 'sxk_'

/** A key from 43 random letters. */
export function keyOf(letters: string): string {
  return `${prefix}${letters}${checksum(letters)}`
}

/** Whether text can be a key of this service: a typing mistake is found without the database. */
export function isKey(text: string): boolean {
  if (text.length !== prefix.length + keyLetters + checkLetters || !text.startsWith(prefix)) return false
  const letters = text.slice(prefix.length, prefix.length + keyLetters)
  return /^[0-9A-Za-z]+$/.test(letters) && text.endsWith(checksum(letters))
}

let crcTable: Int32Array | undefined

/** The CRC-32 of one byte, by which others follow eight bits at a time. */
function crcOf(byte: number): number {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
}

/** CRC-32 of ASCII letters in base62, so that a typing mistake does not make another key. */
function checksum(letters: string): string {
  const table = (crcTable ??= Int32Array.from({ length: 256 }, (_, byte) => crcOf(byte)))
  let crc = 0xffffffff
  for (let i = 0; i < letters.length; i++) crc = (crc >>> 8) ^ table[(crc ^ letters.charCodeAt(i)) & 255]!
  let rest = (crc ^ 0xffffffff) >>> 0
  let text = ''
  for (let i = 0; i < checkLetters; i++) {
    text = base62[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Whether text may be a credential at all: what a header can carry, of any deployment. */
export const isCredential = (text: string): boolean => /^[\x21-\x7e]{8,512}$/.test(text)

/** Whether text may be an idempotency key (docs/inside/decisions.md, Errors). */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)

/** The credential in an Authorization header, with or without `Bearer` in any case; undefined when there is none. */
export function credentialIn(header: string | undefined): string | undefined {
  const text = (header ?? '').trim().replace(/^bearer[ \t]+/i, '')
  return isCredential(text) ? text : undefined
}
