// What a courier allows and promises: windows to dispute, the COD cycle, liability (docs/guides/disputes.md,
// Policies). The fields of a policy, how each is read, and what couriers publish.
import { withoutEnd } from '../textends.ts'
import { excerpt, type Outcome } from '../read/typed.ts'
import { notOneOf } from '../values.ts'
import { paiseOf } from '../money.ts'
import { readRupees } from '../read/money.ts'
import { policyFieldNames, published, publishedFor, type PolicyField, type Published } from './publishedpolicies.ts'
import { readWindow, weekdays, windowText, windowWords, type Window } from './deadlines.ts'
import { proofs, type Proof } from './proofs.ts'

/** A policy as rules read it: paise, percentages as decimal text; null where there is no such term. */
export interface Policy {
  /** How long a billed weight can be disputed, and from when: the courier's announcement, or the day of the invoice. */
  readonly weight_window: Window
  readonly weight_from: 'discrepancy' | 'invoice'
  /** For damage and pilferage, from the delivery. */
  readonly claim_window: Window
  /** For a delivery that the customer denies, from the delivery. */
  readonly delivery_window: Window
  /** To ask for a POD, from the delivery. */
  readonly pod_window: Window
  /** The most that the courier pays for a lost parcel; less where the parcel is worth less. */
  readonly liability: number
  /** From the delivery to the day on which COD is due. */
  readonly cod_cycle: Window
  /** The days of the week on which COD is credited, 0 for Sunday; null for every day. */
  readonly cod_days: ReadonlySet<number> | null
  /** The fee for COD before the cycle, percent of the COD amount. */
  readonly early_cod: string | null
  /** Whether the COD fee of a parcel that came back is given back; null where the rate card alone says it. */
  readonly cod_on_rto: 'reversed' | 'charged' | null
  /** The fuel surcharge, percent of freight: invoices are judged by the rate card. */
  readonly fuel: string | null
  /** What a dispute about a weight has to show. */
  readonly weight_proof: readonly Proof[]
}

export { policyFieldNames, publishedNames, type PolicyField } from './publishedpolicies.ts'

/** A field: its value as text is read to what rules use, and written in one form. */
interface Field<T> {
  readonly about: string
  readonly read: (text: string) => Outcome<T>
  readonly text: (value: T) => string
  readonly words?: (value: T) => string
}

const windowField = (about: string): Field<Window> => ({
  about,
  read: readWindow,
  text: windowText,
  words: windowWords,
})

const choiceField = <T extends string>(about: string, known: readonly T[]): Field<T> => ({
  about,
  read: (text) => {
    const word = text.trim().toLowerCase()
    const value = known.find((one) => one === word)
    return value === undefined ? { fault: notOneOf(text.trim().slice(0, 40), known, 'value') } : { value }
  },
  text: (value) => value,
})

/** A term that a courier may not have: `none`. */
const orNone = <T>({ about, read, text, words = text }: Field<T>): Field<T | null> => ({
  about,
  read: (typed) => (typed.trim().toLowerCase() === 'none' ? { value: null } : read(typed)),
  text: (value) => (value === null ? 'none' : text(value)),
  words: (value) => (value === null ? 'none' : words(value)),
})

const listField = <T extends string>(about: string, known: readonly T[], noun: string): Field<readonly T[]> => ({
  about,
  read: (text) => {
    const words = text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== '')
    const wrong = words.find((word) => !known.includes(word as T))
    if (wrong !== undefined) return { fault: notOneOf(wrong.slice(0, 40), known, noun) }
    if (words.length === 0) return { fault: `needs at least one ${noun}, or none` }
    return { value: known.filter((one) => words.includes(one)) }
  },
  text: (value) => value.join(','),
})

const percentField = (about: string): Field<string> => ({
  about,
  read: (text) => {
    const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?\s*%?$/.exec(text.trim()) ?? []
    if (whole === undefined || Number(`${whole}.${fraction}`) > 100)
      return { fault: `${excerpt(text)} is not a percentage; write for example 0.99%` }
    const decimals = withoutEnd(fraction, '0')
    return { value: `${Number(whole)}${decimals === '' ? '' : `.${decimals}`}` }
  },
  text: (value) => `${value}%`,
})

const liabilityField: Field<number> = {
  about: 'The most that the courier pays for a lost parcel; never more than its value',
  read: (text) => {
    const [, inside] = /^min\s*\(([^()]*),\s*value\s*\)$/i.exec(text.trim()) ?? []
    const read = readRupees(inside ?? text)
    const paise = 'fault' in read ? undefined : paiseOf(read.rupees)
    if (paise === undefined || paise < 0)
      return { fault: `${excerpt(text)} is not an amount; write 5000 or min(5000, value)` }
    return { value: paise }
  },
  text: (paise) => `min(${paise % 100 === 0 ? paise / 100 : (paise / 100).toFixed(2)}, value)`,
}

const daysField = listField('The days of the week on which COD is credited', weekdays, 'day of the week')

/** The fields of a policy, in the order in which they are shown. */
export const policyFields: { readonly [F in keyof Policy]: Field<Policy[F]> } = {
  weight_window: windowField('How long a billed weight can be disputed'),
  weight_from: choiceField('What that begins with: the discrepancy that the courier announces, or the invoice', [
    'discrepancy',
    'invoice',
  ]),
  claim_window: windowField('How long after the delivery damage and pilferage can be claimed'),
  delivery_window: windowField('How long after the delivery it can be denied'),
  pod_window: windowField('How long after the delivery a POD can be asked for'),
  liability: liabilityField,
  cod_cycle: windowField('From the delivery to the day on which COD is due'),
  cod_days: orNone<ReadonlySet<number>>({
    about: daysField.about,
    read: (text) => {
      const read = daysField.read(text)
      return 'fault' in read ? read : { value: new Set(read.value.map((day) => weekdays.indexOf(day))) }
    },
    text: (days) => weekdays.filter((_, day) => days.has(day)).join(','),
  }),
  early_cod: orNone(percentField('The fee for COD before the cycle, percent of the COD amount')),
  cod_on_rto: orNone(
    choiceField('Whether the COD fee of a parcel that came back is reversed, where the rate card does not say', [
      'reversed',
      'charged',
    ]),
  ),
  fuel: orNone(percentField('The fuel surcharge, percent of freight; invoices are judged by the rate card')),
  weight_proof: listField('What a dispute about a weight has to show', proofs, 'proof'),
}

/** A field that the account set: its text as kept, and when (ms UTC). */
export interface SetValue {
  readonly value: string
  readonly at: number
}

/** What an account set for a courier. */
export interface OwnPolicy {
  readonly courier: string
  readonly values: Readonly<Partial<Record<PolicyField, SetValue>>>
}

/** A term as it applies, with where it is from. */
export interface Term extends Published {
  readonly field: PolicyField
  /** When the account set it, ms UTC; null for what somebody publishes. */
  readonly setAt: number | null
}

const wordsOf = (courier: string): readonly string[] =>
  courier
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** Who bills by a form of an aggregator's own, whichever courier carried a parcel. */
const billers: Readonly<Record<string, string>> = { shiprocket: 'Shiprocket', passbook: 'Shiprocket', pickrr: 'Pickrr' }

/** Whose policy goes for a document of a form: that of who bills. */
export const billerOf = (form: string, courier: string): string =>
  Object.hasOwn(billers, form) ? billers[form]! : courier

/** The name of a courier as policies are kept under: `Blue Dart Surface` is `bluedartsurface`. */
export const courierKey = (courier: string): string => wordsOf(courier).join('')

/** The keys that stand for a courier, the longest first: a policy of `Blue Dart` is that of `Blue Dart Surface`. */
export function courierKeys(courier: string): readonly string[] {
  const words = wordsOf(courier)
  return words.map((_, n) => words.slice(0, words.length - n).join(''))
}

/** What applies to a courier: what the account set, else what the courier publishes, else the shortest published. */
export function termsFor(courier: string, own: readonly OwnPolicy[]): readonly Term[] {
  const keys = courierKeys(courier)
  const sets = keys.flatMap((key) => own.filter((one) => courierKey(one.courier) === key))
  const theirs = keys.map(publishedFor).find((one) => one !== undefined)
  return policyFieldNames.map((field): Term => {
    const set = sets.find(({ values }) => values[field] !== undefined)?.values[field]
    if (set !== undefined) return { field, value: set.value, source: null, read: null, setAt: set.at }
    return { field, setAt: null, ...(theirs?.[field] ?? published.default[field]) }
  })
}

/** The policy of a courier, as rules read it. */
export function policyOf(courier: string, own: readonly OwnPolicy[]): Policy {
  return Object.fromEntries(
    termsFor(courier, own).map(({ field, value }) => {
      const read = policyFields[field].read(value)
      // Kept by a newer shipx, or changed by hand: what is published counts.
      const sound = 'fault' in read ? policyFields[field].read(published.default[field].value) : read
      return [field, (sound as { readonly value: unknown }).value]
    }),
  ) as unknown as Policy
}

/** The form in which a value is kept; a fault says why it is none. */
export function readPolicyValue(field: PolicyField, text: string): Outcome<string> {
  const { read, text: written } = policyFields[field] as Field<unknown>
  const value = read(text)
  return 'fault' in value ? value : { value: written(value.value) }
}

/** A kept value in words: `7 working days`. */
export function policyWords(field: PolicyField, text: string): string {
  const { read, words, text: written } = policyFields[field] as Field<unknown>
  const value = read(text)
  return 'fault' in value ? text : (words ?? written)(value.value)
}
