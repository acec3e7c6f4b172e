// The merchant's answer to a failed delivery, for people: what, by whom and when, and whether a sheet had it.
import type { KeptAnswer } from '../../domain/parcels/ndranswers.ts'
import { safe } from '../terminal/safe.ts'
import type { Screen } from '../terminal/screen.ts'
import { maskPhone, showDay, showTime } from './display.ts'

/** A kept answer, and whether it still counts: the courier has not tried again since. */
export interface AnswerOf {
  readonly kept: KeptAnswer
  readonly counts: boolean
}

/** What an answer says, without its note: `try again on 24 Nov, new phone +91 98••••••10`. */
export function decisionText(
  given: Pick<KeptAnswer, 'answer' | 'reattempt_on' | 'phone' | 'address' | 'pincode'>,
  screen: Screen,
): string {
  const { reattempt_on: day, phone, address, pincode } = given
  const parts = [
    ...(given.answer === 'rto' ? ['RTO'] : []),
    ...(day === null ? [] : [`try again on ${showDay(day)}`]),
    ...(phone === null ? [] : [`new phone ${maskPhone(phone, screen)}`]),
    ...(address === null ? [] : [`new address ${address}${pincode === null ? '' : ` ${pincode}`}`]),
  ]
  return parts.join(', ')
}

/** The answer in one line: `try again on 24 Nov · by asha, 22 Nov 18:05 · not sent`. */
export function answerText({ kept, counts }: AnswerOf, screen: Screen): string {
  const { note, sent_at: sent } = kept
  const what = [decisionText(kept, screen), ...(note === null ? [] : [`"${note}"`])]
  return [
    safe(what.join(', ')),
    `by ${safe(kept.decided_by)}, ${showTime(kept.decided_at, screen)}`,
    sent === null ? 'not sent' : `sent ${showTime(sent, screen)}`,
    ...(counts ? [] : ['the courier tried again since']),
  ].join(screen.ascii ? ' - ' : ' · ')
}
