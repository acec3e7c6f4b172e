// What a template can name: the facts of a message as words of its language, made fit to be read by a customer; knows no template.
import type { Facts } from '../domain/messages.ts'
import type { Language } from '../domain/templates.ts'
import { istDate, istMinute } from '../domain/time.ts'
import { plainText, typewritten } from '../domain/plaintext.ts'
import { englishReasons } from './texts/en.ts'
import { hindiReasons } from './texts/hi.ts'

const reasons: Readonly<Record<Language, Readonly<Record<string, string | null>>>> = {
  en: englishReasons,
  hi: hindiReasons,
}

/** After these a courier comes again by itself. */
const retried: ReadonlySet<string> = new Set(['customer_not_available', 'premises_closed', 'customer_unreachable', 'payment_not_ready', 'future_delivery_requested', 'fake_attempt', 'other']) // prettier-ignore

// prettier-ignore
const months: Readonly<Record<Language, readonly string[]>> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  hi: ['जनवरी', 'फ़रवरी', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुलाई', 'अगस्त', 'सितंबर', 'अक्टूबर', 'नवंबर', 'दिसंबर'],
}

/** The longest words, UTF-16 units: a registered short text takes 30 for each of its variables. */
const longest = { short: 30, long: 100 } as const
const mostItems = 10

/** What a template can name beside `content`, which only a page has. */
export type Words = {
  readonly step: string
  readonly language: Language
  readonly brand: string | null
  readonly order: string | null
  readonly return: string | null
  readonly tracking_number: string | null
  readonly courier: string | null
  readonly customer: { readonly name: string | null; readonly first_name: string | null; readonly city: string | null; readonly pincode: string | null } // prettier-ignore
  readonly items: readonly { readonly name: string | null; readonly quantity: number }[]
  readonly more_items: number
  readonly total: string | null
  readonly cod: string | null
  readonly attempt: number | null
  readonly reason: string | null
  readonly retry: boolean
  readonly date: string
  readonly time: string
}

/** The words of a message for its short text, or for its e-mail. */
export function wordsOf(facts: Facts, brand: string | null, language: Language, size: 'short' | 'long'): Words {
  const most = longest[size]
  const simple = size === 'short' && language === 'en'
  const word = (text: string | null, whose: 'own' | 'other' = 'other'): string | null => {
    if (text === null) return null
    const plain = plainText(text, most, whose)
    return plain === '' ? null : simple ? typewritten(plain) : plain
  }
  const at = Date.parse(facts.at)
  const [, month, day] = istDate(at).split('-').map(Number)
  const name = word(facts.customer.name)
  const reason = facts.reason === null ? null : facts.reason
  return {
    step: facts.step,
    language,
    brand: word(brand, 'own'),
    order: word(facts.order),
    return: word(facts.return),
    tracking_number: word(facts.tracking_number),
    courier: word(facts.courier),
    customer: {
      name,
      first_name: firstOf(name),
      city: word(facts.customer.city),
      pincode: word(facts.customer.pincode),
    },
    items: facts.items.slice(0, mostItems).map((item) => ({ name: word(item.name), quantity: item.quantity })),
    more_items: Math.max(0, facts.items.length - mostItems),
    total: rupees(facts.total, simple),
    cod: rupees(facts.cod, simple),
    attempt: facts.attempt,
    reason: reason === null ? null : (reasons[language][reason] ?? null),
    retry: reason !== null && retried.has(reason),
    date: `${day!} ${months[language][month! - 1]!}`,
    time: istMinute(at).slice(11),
  }
}

/** Titles and initials, with which a first name alone would be none. */
const title = /^(?:mr|mrs|ms|miss|dr|prof|shri|sri|smt|kumari|md|mohd|श्री|श्रीमती|सुश्री|डॉ|\p{L}\p{M}*)\.?$/iu

/** The first of a person's names, or all of them behind a title. */
function firstOf(name: string | null): string | null {
  const first = name?.split(' ')[0]
  return name === null || first === undefined || title.test(first) ? name : first
}

/** Rupees in Indian grouping; `Rs` where the sign would not be in the alphabet of short texts. */
function rupees(amount: number | null, simple: boolean): string | null {
  if (amount === null || !Number.isFinite(amount)) return null
  const [whole, cents] = Math.abs(amount).toFixed(2).split('.') as [string, string]
  const grouped = whole.replace(/(?<=\d)(?=(?:\d{2})*\d{3}$)/g, ',')
  return `${amount < 0 ? '-' : ''}${simple ? 'Rs ' : '₹'}${grouped}${cents === '00' ? '' : `.${cents}`}`
}
