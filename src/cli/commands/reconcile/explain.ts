// Every rupee of a line in words: what was billed, what the card says, and the parts of the difference.
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Reason } from '../../../domain/money/billed.ts'
import { howMatched, printedAwb, type KeptLine } from '../../../engine/money/lines.ts'
import { showMoney, withZones } from '../../output/display.ts'
import { safeText } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { RecordTerms } from './records.ts'

/** The reasons of a kept line, in paise again. */
export const reasonsOf = ({ reasons }: Pick<KeptLine, 'reasons'>): readonly Reason[] =>
  reasons === null
    ? []
    : (JSON.parse(reasons) as readonly Reason[]).map((reason) => ({
        ...reason,
        amount: reason.amount === null ? null : paiseOf(reason.amount)!,
        ...(reason.parts === undefined
          ? {}
          : { parts: reason.parts.map(({ code, amount }) => ({ code, amount: paiseOf(amount)! })) }),
      }))

/** What lines of one kind have in common: `Zone C to 500 g`. */
const kindText = ({ zone_billed: zone, slab_billed: slab }: KeptLine): string =>
  slab === null ? 'none is alike' : `zone ${zone ?? '-'} to ${slab / 1000} g`

/** How the parcel of a line was found: `order, as 771450000159`. */
const foundBy = (line: KeptLine): string =>
  `${howMatched(line.matched_by)}${printedAwb(line) === line.awb ? '' : `, as ${line.awb}`}`

/** The explanation of a line, some lines of text. */
export function explained(line: KeptLine, { gst }: RecordTerms, screen: Screen): string {
  const money = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const signed = (paise: number): string => `${paise < 0 ? '-' : '+'}${money(Math.abs(paise))}`
  const kilos = (milligrams: number): string => `${milligrams / 1_000_000} kg`
  const alike = line.card === noCard
  const ours = [
    ...(alike ? [`as other lines of this file: ${kindText(line)}`] : []),
    ...(line.zone === null ? [] : [`${withZones(line.zone)} by ${line.zone_by}`]),
    ...(line.weight === null ? [] : [`${kilos(line.weight)} by ${line.weight_by}`]),
    ...(line.slab === null ? [] : [`slab ${kilos(line.slab)}`]),
    ...(line.card === null || alike ? [] : [`card ${line.card}`]),
    ...(line.matched_by === null || line.matched_by === 'awb' ? [] : [`found by ${foundBy(line)}`]),
  ]
  const theirs = [
    ...(line.zone_billed === null ? [] : [withZones(line.zone_billed)]),
    ...(line.weight_billed === null ? [] : [kilos(line.weight_billed)]),
  ]
  const parts = [
    ...(line.freight === 0 ? [] : [`freight ${money(line.freight)}`]),
    ...(line.rto === 0 ? [] : [`RTO ${money(line.rto)}`]),
    ...(line.cod_fee === 0 ? [] : [`COD fee ${money(line.cod_fee)}`]),
    ...(line.fuel === 0 ? [] : [`fuel ${money(line.fuel)}`]),
    ...(line.other === 0 ? [] : [`other ${money(line.other)}`]),
    ...(line.gst_billed === null ? [] : [`GST ${money(line.gst_billed)}`]),
  ]
  const lane = [
    ...(line.origin === null ? [] : [`from ${line.origin}`]),
    ...(line.state === null ? [] : [`to ${line.state}`]),
  ]
  const due = line.expected === null ? 'it cannot be judged' : `${money(line.expected)} due`
  const billed = `${money(line.billed)} billed ${gst === 'none' ? 'before GST' : 'with GST'}`
  return safeText(
    [
      `${printedAwb(line)} (line ${line.line}, ${line.journey}): ${billed}, ${due}: ${line.verdict}`,
      ...(lane.length === 0 ? [] : [`  lane     ${lane.join(' ')}`]),
      ...(parts.length === 0 ? [] : [`  parts    ${parts.join(', ')}`]),
      ...(theirs.length === 0 ? [] : [`  billed   ${theirs.join(', ')}`]),
      ...(ours.length === 0 ? [] : [`  ours     ${ours.join(', ')}`]),
      ...reasonsOf(line).map(
        ({ code, amount, text }) => `  ${amount === null ? '' : `${signed(amount)}  `}${code}: ${text}`,
      ),
      '',
    ].join('\n'),
  )
}
