// The merchant's answers to failed deliveries: what they can be, and how flags and cells of a sheet are read as one
// (docs/guides/worklists.md).
import { readAhead } from '../read/day.ts'
import { readMobile } from '../read/phone.ts'
import { pincodeFault, readPincode } from '../read/pincode.ts'
import { excerpt } from '../read/typed.ts'
import { dayMs, istDate } from '../time.ts'
import { notOneOf } from '../values.ts'

/** What the courier does next: try again, call another phone, go to another address, or return the parcel. */
export const answerNames = ['reattempt', 'phone', 'address', 'rto'] as const
export type AnswerName = (typeof answerNames)[number]

/** A decision about a parcel; what it does not set is null. */
export interface NdrAnswer {
  readonly answer: AnswerName
  /** The IST day to try again, `YYYY-MM-DD`. */
  readonly reattempt_on: string | null
  /** Ten digits. */
  readonly phone: string | null
  readonly address: string | null
  readonly pincode: string | null
  readonly note: string | null
}

/** The parts of an answer as people write them, empty where there is none. */
export const answerParts = ['answer', 'date', 'phone', 'address', 'pincode', 'note'] as const
export type AnswerPart = (typeof answerParts)[number]
export type AnswerTexts = Readonly<Record<AnswerPart, string>>

/** What is wrong with a part of an answer. */
export interface AnswerFault {
  readonly part: AnswerPart
  readonly message: string
}

/** The longest texts, characters. */
const longest = { address: 1000, note: 500 }

/** A courier does not wait longer for the day to try again, days. */
const furthest = 30

/** Other words for the answers, letters alone. */
const otherWords: Readonly<Record<string, AnswerName>> = {
  again: 'reattempt',
  retry: 'reattempt',
  tryagain: 'reattempt',
  deliveragain: 'reattempt',
  newphone: 'phone',
  changephone: 'phone',
  newaddress: 'address',
  changeaddress: 'address',
  return: 'rto',
  returntoorigin: 'rto',
}

function nameOf(text: string): AnswerName | undefined {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return answerNames.find((name) => name === word) ?? otherWords[word]
}

/** An IST day from today on, or what is wrong with it. `now` is ms UTC. */
function dayAhead(text: string, now: number): { readonly day: string } | { readonly fault: string } {
  const at = readAhead(text, now)
  if (at === undefined)
    return { fault: `${excerpt(text)} is not a day; write tomorrow, monday, 1 Oct, 2026-10-01 or 01-10-2026` }
  const [day, today] = [istDate(at), istDate(now)]
  if (day < today) return { fault: `${day} is over: today is ${today}` }
  if (day > istDate(now + furthest * dayMs)) return { fault: `${day} is more than ${furthest} days from today` }
  return { day }
}

/**
 * Reads an answer. A reattempt needs its day, a phone and an address their values; each may add the others. An RTO
 * takes a note alone. `now` is ms UTC.
 */
export function readAnswer(
  texts: AnswerTexts,
  now: number,
): { readonly value: NdrAnswer } | { readonly faults: readonly AnswerFault[] } {
  const faults: AnswerFault[] = []
  const given = Object.fromEntries(answerParts.map((part) => [part, texts[part].trim()])) as AnswerTexts
  const refuse = (part: AnswerPart, message: string): null => {
    faults.push({ part, message })
    return null
  }
  const read = (part: AnswerPart, reader: (text: string) => string | null): string | null =>
    given[part] === '' ? null : reader(given[part])
  const short = (part: 'address' | 'note'): string | null =>
    read(part, (text) =>
      text.length > longest[part] ? refuse(part, `has more than ${longest[part]} characters`) : text,
    )
  const answer = nameOf(given.answer)
  if (given.answer === '') refuse('answer', `is missing: ${answerNames.join(', ')}`)
  else if (answer === undefined) refuse('answer', notOneOf(given.answer, answerNames, 'answer'))
  const value = {
    reattempt_on: read('date', (text) => {
      const ahead = dayAhead(text, now)
      return 'day' in ahead ? ahead.day : refuse('date', ahead.fault)
    }),
    phone: read('phone', (text) => {
      const mobile = readMobile(text)
      return 'value' in mobile ? mobile.value : refuse('phone', mobile.fault)
    }),
    address: short('address'),
    pincode: read('pincode', (text) => {
      const code = readPincode(text)
      const fault = pincodeFault(code)
      return fault === undefined ? code : refuse('pincode', fault)
    }),
    note: short('note'),
  }
  if (answer === 'rto') {
    for (const part of ['date', 'phone', 'address', 'pincode'] as const)
      if (given[part] !== '') refuse(part, 'does not go with an RTO')
  } else if (answer !== undefined) {
    const needed = answer === 'reattempt' ? 'date' : answer
    if (given[needed] === '')
      refuse(needed, needed === 'date' ? 'is missing: the day to try again' : `is missing: the new ${needed}`)
    if (given.pincode !== '' && given.address === '') refuse('pincode', 'goes with an address')
  }
  return faults.length > 0 || answer === undefined ? { faults } : { value: { answer, ...value } }
}

/** A decision as it was kept. Times are ms UTC. */
export interface KeptAnswer extends NdrAnswer {
  readonly id: string
  readonly shipment_id: string
  /** Delivery attempts before the decision, and when the last of them failed. */
  readonly attempts: number
  readonly failed_at: number | null
  readonly courier: string | null
  readonly decided_by: string
  readonly decided_at: number
  readonly sent_at: number | null
}

/**
 * Whether a decision still answers a failed delivery: the courier has not tried again since. A courier's clock may be
 * ahead, so its time at the decision also counts. Times are ms UTC.
 */
export const stillAnswers = (
  kept: Pick<KeptAnswer, 'attempts' | 'failed_at' | 'decided_at'>,
  failed: { readonly attempts: number; readonly at: number | undefined },
): boolean => failed.attempts <= kept.attempts && (failed.at ?? 0) <= Math.max(kept.decided_at, kept.failed_at ?? 0)

/** Whether two answers decide the same. */
export const sameAnswer = (a: NdrAnswer, b: NdrAnswer): boolean =>
  (['answer', 'reattempt_on', 'phone', 'address', 'pincode', 'note'] as const).every((name) => a[name] === b[name])
