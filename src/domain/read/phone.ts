// The reader of mobile numbers.

/**
 * Ten digits of an Indian mobile number, or undefined; spaces, dashes, a leading +91, 91, 0091 or 0, and the apostrophe
 * that spreadsheets put before digits come off.
 */
export function readPhone(input: string): string | undefined {
  const digits = input
    .replace(/[\s-]+/g, '')
    .replace(/^'/, '')
    .replace(/^(?:\+91|0091|91(?=\d{10}$)|0(?=\d{10}$))/, '')
  return /^[6-9]\d{9}$/.test(digits) ? digits : undefined
}
