// `shipx cod due --unexplained` and `--twice`: what remittances took off without a reason, and what they paid twice.
import type { CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { codDoubts, type CodDoubt } from '../../../engine/money/coddoubts.ts'
import type { Work } from '../../../engine/database/port.ts'
import type { PaidUntil } from '../../../engine/money/codowed.ts'
import type { Context } from '../../command/context.ts'
import type { View } from '../../output/columns.ts'
import { showMoney } from '../../output/display.ts'
import { printList } from '../../output/printer.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { day, money, plain } from './columns.ts'

type Kind = CodDoubt['kind']

/** A deduction without a reason, or a parcel that was paid twice: rupees. */
interface Doubt extends Record<string, unknown> {
  readonly kind: Kind
  readonly awb: string | null
  readonly order: string | null
  readonly courier: string | null
  readonly remittance: string
  readonly utr: string | null
  readonly remitted_on: string | null
  readonly due: number
  readonly remitted: number
  readonly amount: number
}

export const doubtView: View<Doubt> = {
  noun: ['line', 'lines'],
  id: ({ awb, remittance }) => awb ?? remittance,
  names: ['kind', 'awb', 'order', 'courier', 'remittance', 'utr', 'remitted_on', 'due', 'remitted', 'amount'],
  columns: [
    plain('kind', 'what', 3),
    plain('awb', 'AWB', 1, { whole: true, show: ({ awb }) => awb ?? '-' }),
    plain('order', 'order', 9, { sparse: true }),
    plain('courier', 'courier', 6),
    plain('remittance', 'remittance', 4),
    plain('utr', 'UTR', 8, { sparse: true }),
    day('remitted_on', 'remitted on', 7),
    money('due', 'due', 10),
    money('remitted', 'remitted', 5),
    money('amount', 'amount', 2),
  ],
}

/** Which of them: of some couriers, until the end of a day. */
interface DoubtQuestion {
  readonly wanted: (courier: CourierName) => boolean
  readonly asOf: PaidUntil | undefined
}

/** What is in doubt: rupees. */
export interface DoubtSums {
  readonly unexplained: number
  readonly paid_twice: number
}

function* doubtsIn({ database, account }: BesidePlace, { wanted, asOf }: DoubtQuestion): Work<readonly CodDoubt[]> {
  const found = yield* codDoubts(database.dialect, account, asOf)
  return found.filter(({ courier }) => wanted({ carrier_id: null, carrier_name: courier }))
}

const sumOf = (doubts: readonly CodDoubt[], kind: Kind): number =>
  doubts.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0)

/** What was taken off without a reason and what was paid twice, together. */
export function* doubtSums(place: BesidePlace, question: DoubtQuestion): Work<DoubtSums> {
  const doubts = yield* doubtsIn(place, question)
  return { unexplained: rupeesOf(sumOf(doubts, 'unexplained')), paid_twice: rupeesOf(sumOf(doubts, 'twice')) }
}

/** Says these sums, with the commands that list them. */
export async function noteDoubts(
  context: Context,
  { unexplained, paid_twice: twice }: DoubtSums,
  of: string,
): Promise<void> {
  const amount = (rupees: number): string => showMoney(rupees, context.screen)
  if (unexplained !== 0)
    await context.note(
      `${amount(unexplained)} was taken off remittances without a reason: nobody counts it as owed. ` +
        `To list it: shipx cod due --unexplained${of}`,
    )
  if (twice !== 0)
    await context.note(
      `${amount(twice)} was paid twice: the courier may take it back. To list it: shipx cod due --twice${of}`,
    )
}

/** That nothing is in doubt. */
function noneOf(kinds: readonly Kind[]): string {
  const what = {
    unexplained: 'took nothing off without a reason',
    twice: 'paid no parcel twice',
  }
  return `The kept remittances ${kinds.map((kind) => what[kind]).join(' and ')}.`
}

/** Prints what is in doubt, and what it adds up to. */
export async function printDoubts(
  context: Context,
  place: BesidePlace | undefined,
  { kinds, ...question }: DoubtQuestion & { readonly kinds: readonly Kind[] },
): Promise<void> {
  const found = place === undefined ? [] : await place.database.read(() => doubtsIn(place, question))
  const doubts = found.filter(({ kind }) => kinds.includes(kind))
  const records = doubts.map(({ on, due, remitted, amount, ...one }): Doubt => ({
    ...one,
    remitted_on: on,
    due: rupeesOf(due),
    remitted: rupeesOf(remitted),
    amount: rupeesOf(amount),
  }))
  await printList(context, doubtView, records, noneOf(kinds))
  const said = { unexplained: 'taken off without a reason', twice: 'paid twice' }
  if (records.length > 0)
    await context.note(
      `${kinds.map((kind) => `${showMoney(rupeesOf(sumOf(doubts, kind)), context.screen)} ${said[kind]}`).join(', ')}.`,
    )
}
