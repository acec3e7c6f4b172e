// The text of a mail to a courier's desk about an invoice (docs/guides/money.md, The courier's desk).
import { counted } from '../../../domain/count.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import { inventedNote } from '../rates/show.ts'
import type { WrongTotal } from './keptterms.ts'
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
  const { credited } = tally
  const claimed = over.paise - credited
  const number = safe(facts.number)
  const gst = facts.gst ? 'with GST' : 'before GST'
  const day = facts.day === undefined ? '' : ` of ${showDay(facts.day)}`
  const alike = facts.card === noCard
  const billed = `Your invoice ${number}${day} bills ${money(tally.billed)} ${gst} for ${lines(tally.lines)}.`
  const totals = tally.wrong.map((one) => totalText(one, money))
  const patterns = patternLines(tally, screen)
  const end = ['', 'Regards', '']
  if (claimed === 0 && (patterns.length === 0 || credited > 0)) {
    const counted = credited === 0 ? '' : `, with the ${money(credited)} that it credits counted`
    const nothing = `We found nothing ${alike ? 'to correct' : 'above our contract'}${counted}.`
    const found = totals.length === 0 || credited > 0 ? [nothing, ...totals] : totals
    const asked = totals.length === 0 ? [''] : ['', 'Please correct it.', ...end]
    const subject = totals.length === 0 ? '' : ': its total is not the sum of its lines'
    return [`Subject: Invoice ${number}${subject}`, '', 'Dear team,', '', [billed, ...found].join(' '), ...asked].join(
      '\n',
    )
  }
  const above = alike
    ? 'above what you bill for the same zone and weight on other lines of it'
    : `above our contract (card ${safe(facts.card)})`
  const subject = claimed === 0 ? '' : `: ${money(claimed)} ${alike ? 'too much' : 'above our contract'}`
  return [
    `Subject: Invoice ${number}${subject}`,
    '',
    'Dear team,',
    '',
    over.lines === 0 ? billed : `${billed} On ${lines(over.lines)}, that is ${money(over.paise)} ${above}.`,
    ...(credited === 0 ? [] : [`The same invoice credits ${money(credited)} of it: ${money(claimed)} is left.`]),
    ...(under.lines === 0 ? [] : [`On ${lines(under.lines)} it is ${money(-under.paise)} below.`]),
    ...totals,
    ...patterns,
    ...(over.lines === 0 ? [] : ['', ...reasonRows(tally, facts, money)]),
    '',
    'The attached sheet has each line with our calculation. Please check them and send a credit note.',
    ...end,
  ].join('\n')
}

const lines = (n: number): string => counted(n, ['line', 'lines'])

/** A printed total that is wrong, and by how much. */
function totalText({ counts, line, printed, sum }: WrongTotal, money: (paise: number) => string): string {
  const by = `${money(Math.abs(printed - sum))} ${printed > sum ? 'more' : 'less'}`
  const total = `The total in ${counts} ${line} of your file is ${money(printed)}`
  return `${total}, ${by} than the sum of its lines, ${money(sum)}.`
}

/** Why the lines above cost too much: the rows add up to what is claimed. */
function reasonRows(
  { tooMuch, credited }: Tally,
  facts: PageFacts,
  money: (paise: number) => string,
): readonly string[] {
  const rows = [...tooMuch]
    .filter(([code, { paise }]) => code !== onGst && paise !== 0)
    .toSorted(([, a], [, b]) => b.paise - a.paise)
    .map(([code, sum]) => `- ${reasonName(code)}: ${lines(sum.lines)}, ${money(sum.paise)}`)
  const gst = tooMuch.get(onGst)?.paise ?? 0
  return [
    facts.gst ? 'By reason, before GST:' : 'By reason:',
    ...rows,
    ...(gst === 0 ? [] : [`- GST on these: ${money(gst)}`]),
    ...(credited === 0 ? [] : [`- credited in the same invoice: ${money(-credited)}`]),
  ]
}

const onGst = 'gst_on_difference'
