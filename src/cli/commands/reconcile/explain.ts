// Every rupee of a line in words: what was billed, what the card says, and the parts of the difference.
import { rupeesOf } from '../../../domain/money.ts'
import { showMoney } from '../../output/display.ts'
import { safeText } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { Outcome } from './judging.ts'
import type { RecordTerms } from './records.ts'

/** The explanation of a line, some lines of text. */
export function explained(
  { line, parcel, matchedBy, judged }: Outcome,
  { shape }: RecordTerms,
  screen: Screen,
): string {
  const money = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const gst = shape.gst === 'none' ? 'before GST' : 'with GST'
  const signed = (paise: number): string => `${paise < 0 ? '-' : '+'}${money(Math.abs(paise))}`
  const kilos = (units: number): string => `${units / 100_000} kg`
  const known = [
    ...(judged.zone === undefined ? [] : [`zone ${judged.zone.zone.name} by ${judged.zone.by}`]),
    ...(judged.weight === undefined ? [] : [`${kilos(judged.weight)} by ${parcel!.weight_by}`]),
    ...(judged.slab === undefined ? [] : [`slab ${kilos(judged.slab)}`]),
    ...(judged.card === null ? [] : [`card ${judged.card}`]),
    ...(matchedBy === undefined || matchedBy === 'awb' ? [] : [`found by ${matchedBy}`]),
  ]
  const billed = [
    ...(judged.zoneBilled === '' ? [] : [`zone ${judged.zoneBilled}`]),
    ...(line.weight === 0 ? [] : [kilos(line.weight)]),
  ]
  const due = judged.expected === null ? 'it cannot be judged' : `${money(judged.expected)} due`
  return safeText(
    [
      `${line.awb} (line ${line.line}, ${judged.journey}): ${money(judged.billed)} billed ${gst}, ${due}: ${judged.verdict}`,
      ...(billed.length === 0 ? [] : [`  billed   ${billed.join(', ')}`]),
      ...(known.length === 0 ? [] : [`  ours     ${known.join(', ')}`]),
      ...judged.reasons.map(
        ({ code, amount, text }) => `  ${amount === null ? '' : `${signed(amount)}  `}${code}: ${text}`,
      ),
      '',
    ].join('\n'),
  )
}
