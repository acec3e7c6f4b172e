// The text of a mail to a courier's desk about an invoice (docs/guides/money.md, The courier's desk).
import { counted } from '../../../domain/count.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import { inventedNote } from '../rates/show.ts'
import { patternLines, type PageFacts } from './page.ts'
import type { Tally } from './tally.ts'

/**
 * The subject and the text of the mail; it asks for nothing where nothing is over. A mail with invented prices says
 * first that nobody must send it.
 */
export const mailText = (tally: Tally, facts: PageFacts, screen: Screen): string =>
  [...inventedNote(facts.card).map((note) => `DO NOT SEND. ${note}\n\n`), textOf(tally, facts, screen)].join('')

function textOf(tally: Tally, facts: PageFacts, screen: Screen): string {
  const money = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const { over, under } = tally.verdicts
  const number = safe(facts.number)
  const gst = facts.gst ? 'with GST' : 'before GST'
  const day = facts.day === undefined ? '' : ` of ${showDay(facts.day)}`
  const lines = (n: number): string => counted(n, ['line', 'lines'])
  const billed = `Your invoice ${number}${day} bills ${money(tally.billed)} ${gst} for ${lines(tally.lines)}.`
  const none = facts.card === noCard ? 'to correct' : 'above our contract'
  if (over.lines === 0) return `Subject: Invoice ${number}\n\nDear team,\n\n${billed} We found nothing ${none}.\n`
  const above =
    facts.card === noCard
      ? 'above what you bill for the same zone and weight on other lines of it'
      : `above our contract (card ${safe(facts.card)})`
  const reasons = [...tally.bare]
    .filter(([code, { paise }]) => code !== 'gst_on_difference' && paise > 0)
    .toSorted(([, a], [, b]) => b.paise - a.paise)
    .map(([code, sum]) => `- ${reasonName(code)}: ${lines(sum.lines)}, ${money(sum.paise)}`)
  const onGst = tally.bare.get('gst_on_difference')
  if (onGst !== undefined) reasons.push(`- GST on these: ${money(onGst.paise)}`)
  return [
    `Subject: Invoice ${number}: ${money(over.paise)} ${facts.card === noCard ? 'too much' : 'above our contract'}`,
    '',
    'Dear team,',
    '',
    `${billed} On ${lines(over.lines)}, that is ${money(over.paise)} ${above}.`,
    ...(under.lines === 0 ? [] : [`On ${lines(under.lines)} it is ${money(-under.paise)} below.`]),
    ...patternLines(tally, screen),
    '',
    facts.gst ? 'By reason, before GST:' : 'By reason:',
    ...reasons,
    '',
    'The attached sheet has each line with our calculation. Please check them and send a credit note.',
    '',
    'Regards',
    '',
  ].join('\n')
}
