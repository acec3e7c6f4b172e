// The import of a courier's answers to disputes: the columns of its sheet, the dispute that a row names, and its saving
// (docs/guides/disputes.md).
import { awbSpellings, weakerAwbs } from '../../domain/money/owncolumns.ts'
import { comesBy, givenStatuses, nextStatuses, statusAt, type GivenStatus } from '../../domain/money/disputes.ts'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { paiseOf, rupeesOf } from '../../domain/money.ts'
import { readRupees } from '../../domain/read/money.ts'
import { notOneOf } from '../../domain/values.ts'
import { settleCredits } from '../../engine/money/credits.ts'
import { answerDisputes, type Answer, type Answered } from '../../engine/money/disputeanswers.ts'
import type { Change, Dispute } from '../../engine/money/disputes.ts'
import type { Context } from '../command/context.ts'
import { disputesMeant } from '../source/disputenames.ts'
import { besideOf, besidePlace, changeBy, type BesidePlace } from '../source/beside.ts'
import { sourceOf } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import { showMoney, words } from '../output/display.ts'
import { safe } from '../terminal/safe.ts'
import { lacksColumns } from '../files/shownheaders.ts'
import { answerItem, type RowRead } from './answerrows.ts'
import type { Failure, Importer, Label, Target, Wanted } from './importer.ts'
import { saidOnce, type SaidOnce } from './saidonce.ts'

/** What a courier answered about a dispute, and the user's name for it. */
export interface NamedAnswer {
  readonly name: string
  readonly status: GivenStatus
  /** Paise; null without an amount. */
  readonly amount: number | null
  readonly note: string | null
}

/** Other words for the statuses, letters alone. */
const otherWords: Readonly<Record<string, GivenStatus>> = {
  acceptedbycourier: 'accepted',
  approved: 'accepted',
  won: 'accepted',
  declined: 'rejected',
  rejectedbycourier: 'rejected',
  lost: 'rejected',
  partial: 'partly',
  partiallyaccepted: 'partly',
  partlyaccepted: 'partly',
  inprogress: 'in_review',
  underreview: 'in_review',
  disputeraised: 'raised',
}

/** The status that a courier's word means; undefined for another word. */
export function readGivenStatus(text: string): GivenStatus | undefined {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return (
    givenStatuses.find((one) => one.replace('_', '') === word) ??
    (Object.hasOwn(otherWords, word) ? otherWords[word] : undefined)
  )
}

/** Why a dispute cannot have an answer; undefined where it can. `late` raises one whose window is over. */
export function answerFailure(
  dispute: Dispute,
  { status, amount }: Pick<NamedAnswer, 'status' | 'amount'>,
  { now, late }: { readonly now: number; readonly late: boolean },
): Failure | undefined {
  const failed = (code: Failure['code'], message: string): Failure => ({
    code,
    message: `${dispute.id}: ${message}`,
    reason: message,
  })
  const was = statusAt(dispute, now)
  const most = showMoney(rupeesOf(dispute.amount))
  if (status === 'raised' && (was === 'lapsed' || was === 'auto_accepted') && !late)
    return failed('deadline_passed', 'its window is over; --late raises it all the same')
  if (was !== status && !nextStatuses(was).includes(status)) {
    const next = nextStatuses(was)
    const may = next.length === 0 ? 'nothing comes after it' : `next can be ${next.join(', ')}`
    return failed('wrong_state', `it is ${words(was).toLowerCase()} and cannot become ${status}; ${may}`)
  }
  if (amount !== null && amount > dispute.amount)
    return failed('invalid_input', `${showMoney(rupeesOf(amount))} is above the ${most} of the dispute`)
  if (status === 'partly' && (amount === null || amount <= 0 || amount >= dispute.amount))
    return failed('invalid_input', `partly needs the amount that was accepted, above 0 and below ${most}`)
  if (status === 'accepted' && amount !== null && amount !== dispute.amount)
    return failed('invalid_input', `${showMoney(rupeesOf(amount))} is not the ${most} of the dispute: that is partly`)
  if (status !== 'partly' && status !== 'accepted' && amount !== null && amount !== 0)
    return failed('invalid_input', `an amount does not go with ${status}`)
  return undefined
}

/** The answer as it is kept. */
export const answerTo = ({ id }: Dispute, { status, amount, note }: NamedAnswer): Answer => ({
  id,
  status,
  settled: status === 'partly' || status === 'accepted' ? amount : null,
  note,
})

/**
 * Keeps answers, and pays what earlier credits pay by them. Returns why an answer was not kept: another process changed
 * its dispute after it was checked. With `whole`, that throws and nothing is kept.
 */
export async function keepAnswered(
  { database, account }: BesidePlace,
  answers: readonly { readonly dispute: Dispute; readonly answer: Answer }[],
  change: Change,
  whole: boolean,
): Promise<readonly (Failure | undefined)[]> {
  return database.write(function* () {
    const outcomes = yield* answerDisputes(
      database.dialect,
      account,
      answers.map(({ answer }) => answer),
      change,
    )
    yield* settleCredits(
      database.dialect,
      account,
      answers.map(({ dispute }) => dispute.awb),
      { ...change, source: 'credits kept before' },
    )
    const failures = outcomes.map((one, n) => changedMeanwhile(answers[n]!.dispute, one))
    const first = failures.find((one) => one !== undefined)
    if (whole && first !== undefined) throw new ShipxError(first.code, first.message, { hint: 'run the command again' })
    return failures
  })
}

/** Why an answer was not kept that was right when it was checked; undefined where it was. */
function changedMeanwhile({ id }: Dispute, answered: Answered): Failure | undefined {
  if (answered === undefined) return { code: 'not_found', message: `${id}: another shipx removed it meanwhile` }
  if (answered.outcome !== 'refused') return undefined
  return { code: 'wrong_state', message: `${id}: another shipx made it ${words(answered.was).toLowerCase()} meanwhile` }
}

const columns = [
  {
    name: 'awb',
    aliases: [...awbSpellings, 'waybill_num'],
    weaker: weakerAwbs,
    preferred: ['awb'],
  },
  { name: 'dispute', aliases: ['our_reference', 'dispute_id', 'id'], preferred: ['our_reference', 'dispute', 'id'] },
  { name: 'status', aliases: ['answer', 'outcome', 'result', 'decision', 'dispute_status'], required: true },
  { name: 'amount', aliases: ['accepted', 'accepted_amount', 'credit', 'credit_amount', 'approved_amount'] },
  { name: 'note', aliases: ['notes', 'remark', 'remarks', 'comment', 'comments'] },
] as const

/** The longest note, characters. */
export const longestNote = 500

/** Reads the answer of a row. */
function readAnswered(name: string, cell: (column: string) => string): RowRead<NamedAnswer> {
  const status = readGivenStatus(cell('status'))
  if (status === undefined) {
    const said = cell('status')
    const how = comesBy(said.trim().toLowerCase())
    if (how !== undefined) return { fault: `status ${said.trim().toLowerCase()} ${how}` }
    return { fault: said === '' ? 'status is missing' : safe(notOneOf(said, givenStatuses, 'status')) }
  }
  const given = cell('amount')
  const read = given === '' ? undefined : readRupees(given)
  if (read !== undefined && 'fault' in read) return { fault: `amount: ${safe(read.fault)}` }
  const note = cell('note')
  if (note.length > longestNote) return { fault: `note has more than ${longestNote} characters` }
  const amount = read === undefined ? null : paiseOf(read.rupees)!
  return { value: { name, status, amount, note: note === '' ? null : note } }
}

/** The import of answers; `path` names the file in the events. */
export function disputeAnswerImporter(context: Context, path: string): Importer<NamedAnswer> {
  const said = saidOnce<NamedAnswer>(
    (one, other) => one.status === other.status && one.amount === other.amount && one.note === other.note,
  )
  return {
    noun: ['answer', 'answers'],
    deed: { would: 'set', doing: 'Setting', done: 'set' },
    columns,
    command: 'disputes set --file',
    items: async function* (sheet) {
      if (!sheet.places.has('awb') && !sheet.places.has('dispute'))
        throw invalid([{ field: sheet.name, message: lacksColumns(['awb'], sheet.headers), row: sheet.headLine }])
      said.counts = sheet.counts
      for await (const batch of sheet.rows)
        yield batch.map((row) => answerItem(row, sheet, readAnswered, ['dispute', 'awb']))
    },
    claims: true,
    late: said.late,
    open: async ({ use }) => {
      const source = await sourceOf(context, use === 'bulk' || context.flags.has('dry-run') ? 'beside' : 'read')
      try {
        return answerTarget(context, source, await besideOf(context, source, use), { path, said })
      } catch (error) {
        await source.close()
        throw error
      }
    },
    template: [
      ['awb', 'status', 'amount', 'note'],
      ['14344940012345', 'accepted', '', ''],
      ['14344940012346', 'partly', '40.00', 'half of the slab'],
      ['14344940012347', 'rejected', '', 'label is not visible'],
    ],
  }
}

function answerTarget(
  context: Context,
  source: Source,
  place: BesidePlace | undefined,
  { path, said }: { readonly path: string; readonly said: SaidOnce<NamedAnswer> },
): Target<NamedAnswer> {
  const change = changeBy(context, `disputes set --file ${path}`)
  const ways = { now: change.at, late: context.flags.has('late') }
  /** The dispute of each answer, or why it cannot have it. */
  const found = async (wanted: readonly Wanted<NamedAnswer>[]): Promise<readonly (Dispute | Failure)[]> => {
    const names = wanted.map(({ value }) => value.name)
    const meant =
      place === undefined
        ? undefined
        : await place.database.read(() => disputesMeant(place.database.dialect, place.account, names))
    return wanted.map(({ value }, i) => {
      const one = meant?.[i] ?? {
        code: 'not_found' as const,
        message: `there is no dispute about ${safe(value.name, 'id')}`,
      }
      return 'code' in one ? one : (answerFailure(one, value, ways) ?? one)
    })
  }
  return {
    where: besidePlace(context, source),
    label: async (wanted) =>
      (await found(wanted)).map((one, i): Label | Failure => {
        if ('code' in one) return one
        const twice = said.claim(one.id, wanted[i]!)
        if (twice !== undefined) return twice
        const { status, amount } = wanted[i]!.value
        const same = one.status === status && (amount === null || amount === one.settled)
        return same ? 'unchanged' : 'create'
      }),
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const all = await found(wanted)
        const answers = all.flatMap((one, i) =>
          'code' in one ? [] : [{ dispute: one, answer: answerTo(one, wanted[i]!.value) }],
        )
        const failures = answers.length === 0 ? [] : await keepAnswered(place!, answers, change, false)
        let n = 0
        return all.map((one) => ('code' in one ? one : (failures[n++] ?? 'created')))
      },
    },
    close: async () => {
      await place?.close()
      await source.close()
    },
  }
}
