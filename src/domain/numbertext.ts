// Numbers as text, for records by the million. V8 keeps the text of each number that it writes in a table, until
// thousands of others came: those texts then cost more to collect than to write.
import { withoutEnd } from './textends.ts'

const to1000 = Array.from({ length: 1000 }, (_, n) => n)
/** `7`, `007`, and `.007`, without zeros at its end. */
const plain = to1000.map(String)
const padded = plain.map((text) => text.padStart(3, '0'))
const decimals = padded.map((text, n) => (n === 0 ? '' : `.${withoutEnd(text, '0')}`))

/** Above it, a number has its text from V8. */
const most = 1_000_000_000

/** The text that `String` makes of a number. Quick for those below a milliard with at most three decimals. */
export function numberText(number: number): string {
  const size = Math.abs(number)
  if (!(size < most)) return String(number)
  const whole = Math.floor(size)
  let text = integerText(whole)
  if (whole !== size) {
    const thousandths = Math.round(size * 1000)
    if (thousandths / 1000 !== size) return String(number)
    text += decimals[thousandths - whole * 1000]!
  }
  return number < 0 ? `-${text}` : text
}

function integerText(number: number): string {
  if (number < 1000) return plain[number]!
  const thousands = Math.floor(number / 1000)
  const rest = padded[number - thousands * 1000]!
  return thousands < 1000 ? plain[thousands]! + rest : integerText(thousands) + rest
}
