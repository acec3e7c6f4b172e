// What a template can name: the facts of a message as words of its language, in a form that customers can read.
import type { Facts } from '../domain/messages/messages.ts'
import { groupedDigits } from '../domain/money.ts'
import type { Language } from '../domain/messages/templates.ts'
import { mostAttempts } from '../domain/parcels/worklists.ts'
import { istDate, istMinute } from '../domain/time.ts'
import { plainText, shortened, plainMarks } from '../domain/messages/plaintext.ts'
import { englishReasons } from './texts/en.ts'
import { hindiReasons } from './texts/hi.ts'
import type { Words } from './texts/words.ts'

const reasons: Readonly<Record<Language, Readonly<Record<string, string | null>>>> = {
  en: englishReasons,
  hi: hindiReasons,
}

/** After these reasons a courier comes again by itself. */
const retried: ReadonlySet<string> = new Set([
  'customer_not_available',
  'premises_closed',
  'customer_unreachable',
  'payment_not_ready',
  'future_delivery_requested',
  'fake_attempt',
  'other',
])

/** Steps with something to pay: until the parcel is handed over or goes back. */
const unpaid: ReadonlySet<string> = new Set(['order_confirmed', 'shipped', 'out_for_delivery', 'attempt_failed'])

const months: Readonly<Record<Language, readonly string[]>> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  hi: ['जनवरी', 'फ़रवरी', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुलाई', 'अगस्त', 'सितंबर', 'अक्टूबर', 'नवंबर', 'दिसंबर'],
}

/** The longest value in an e-mail and in a short text, UTF-16 units: a registered text allows 30 for each variable. */
const longest = 100

const longestShort = 30

const mostItems = 10

/** The words of a message for its subject and its e-mail. */
export function wordsOf(facts: Facts, brand: string | null, language: Language): Words {
  const word = (text: string | null, whose: 'own' | 'other' = 'other'): string | null => {
    if (text === null) return null
    const plain = plainText(text, longest, whose)
    return plain === '' ? null : plain
  }
  const { reason, customer, items } = facts
  const at = Date.parse(facts.at)
  const [, month, day] = istDate(at).split('-').map(Number)
  const name = word(customer.name)
  return {
    step: facts.step,
    language,
    brand: word(brand, 'own'),
    order: word(facts.order),
    return: word(facts.return),
    tracking_number: word(facts.tracking_number),
    courier: word(facts.courier),
    customer: { name, first_name: firstOf(name), city: word(customer.city), pincode: word(customer.pincode) },
    items: items.slice(0, mostItems).map((item) => ({ name: word(item.name), quantity: item.quantity })),
    more_items: Math.max(0, items.length - mostItems),
    total: rupees(facts.total),
    cod: unpaid.has(facts.step) ? rupees(facts.cod) : null,
    attempt: facts.attempt,
    reason: reason === null ? null : (reasons[language][reason] ?? null),
    retry: reason !== null && retried.has(reason) && (facts.attempt ?? 1) < mostAttempts,
    date: `${day!} ${months[language][month! - 1]!}`,
    time: istMinute(at).slice(11),
  }
}

/** The same for a short text: shorter, and in English, where possible, in the alphabet of short texts. */
export function shortWordsOf(words: Words): Words {
  const simple = words.language === 'en'
  const short = (word: string | null): string | null => {
    if (word === null) return null
    const cut = word.length > longestShort ? shortened(word, longestShort) : word
    return simple ? plainMarks(cut) : cut
  }
  const { customer } = words
  return {
    ...words,
    brand: short(words.brand),
    order: short(words.order),
    return: short(words.return),
    tracking_number: short(words.tracking_number),
    courier: short(words.courier),
    customer: {
      name: short(customer.name),
      first_name: short(customer.first_name),
      city: short(customer.city),
      pincode: short(customer.pincode),
    },
    items: words.items.map(({ name, quantity }) => ({ name: short(name), quantity })),
    total: short(words.total),
    cod: short(words.cod),
  }
}

/** Titles and initials: a first name that is only this is not a name. */
const title = /^(?:mr|mrs|ms|miss|dr|prof|shri|sri|smt|kumari|md|mohd|श्री|श्रीमती|सुश्री|डॉ|\p{L}\p{M}*)\.?$/iu

/** The first of a person's names, or all of them after a title. */
function firstOf(name: string | null): string | null {
  const first = name?.split(' ')[0]
  return name === null || first === undefined || title.test(first) ? name : first
}

/** Rupees in Indian grouping, with paise if there are any. */
function rupees(amount: number | null): string | null {
  if (amount === null || !Number.isFinite(amount)) return null
  const [whole, cents] = Math.abs(amount).toFixed(2).split('.') as [string, string]
  return `${amount < 0 ? '-' : ''}₹${groupedDigits(whole)}${cents === '00' ? '' : `.${cents}`}`
}
