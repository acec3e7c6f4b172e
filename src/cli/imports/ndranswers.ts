// The import of answers to failed deliveries: the columns of their sheet, which parcel a row names, and its saving
// (docs/guides/worklists.md).
import { counted } from '../../domain/count.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import {
  answerParts,
  readAnswer,
  sameAnswer,
  type AnswerTexts,
  type NdrAnswer,
} from '../../domain/parcels/ndranswers.ts'
import { awbSpellings, weakerAwbs } from '../../domain/money/owncolumns.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import { readInstant } from '../../domain/time.ts'
import { undeliveredOf } from '../../domain/parcels/worklists.ts'
import { keepAnswers, lastAnswers, type NewAnswer } from '../../engine/records/ndranswers.ts'
import type { Context } from '../command/context.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import { lookUpShipments, type LookedUp, type Reference } from '../listings/lookup.ts'
import { words } from '../output/display.ts'
import { besideOf, besidePlace, decider, type BesidePlace } from '../source/beside.ts'
import { sourceOf } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import { safe } from '../terminal/safe.ts'
import { answerItem, cellOf } from './answerrows.ts'
import type { Failure, Importer, Item, Label, Target, Wanted } from './importer.ts'
import { saidOnce, type SaidOnce } from './saidonce.ts'

/** An answer, and the user's name for its parcel. */
export interface NamedAnswer extends Reference {
  readonly answer: NdrAnswer
}

/** Requests at the same time, where a deployment looks parcels up. */
const together = 4

/** The shipment of a reference that waits for an answer, or why there is none. */
export type Awaiting = { readonly shipment: Shipment } | { readonly failure: Failure }

/** Finds it among the records of the reference. */
export function awaiting(reference: string, records: readonly string[]): Awaiting {
  const found = records.map((record) => readRecord('shipments', record))
  const waiting = found.filter(({ attributes }) => attributes.status === 'ndr_raised')
  const [one, ...others] = waiting
  if (one !== undefined && others.length === 0) return { shipment: one }
  const name = safe(reference, 'id')
  const failed = (code: Failure['code'], message: string): Awaiting => ({ failure: { code, message } })
  const ids = waiting.map(({ id }) => safe(id, 'id')).join(', ')
  if (others.length > 0)
    return failed('invalid_input', `${name} names ${waiting.length} parcels in NDR; use one of ${ids}`)
  if (found.length === 0) return failed('not_found', `there is no shipment ${name}`)
  const status = words(found[0]!.attributes.status ?? 'unknown')
  return failed('wrong_state', `${name} is not in NDR: its status is ${safe(status)}`)
}

/** The records of each reference, in their order. */
export async function recordsOf<R extends Reference>(
  source: Source,
  references: readonly R[],
): Promise<readonly LookedUp<R>[]> {
  const found: LookedUp<R>[] = []
  const each = async function* (): AsyncGenerator<R> {
    yield* references
  }
  for await (const one of lookUpShipments(source, each(), together)) found.push(one)
  return found
}

/** A decision of this run about a shipment. */
export function newAnswer(context: Context, record: Shipment, answer: NdrAnswer): NewAnswer {
  const { host } = context.io
  const now = host.now()
  const { id, tracking_number, order, courier, attempts, failed_at } = undeliveredOf(record, now)
  return {
    ...answer,
    id: host.uuid(),
    shipment_id: id,
    tracking_number,
    order_name: order,
    courier,
    attempts,
    failed_at: failed_at === null ? null : readInstant(failed_at)!,
    decided_by: decider(context),
    decided_at: now,
  }
}

const columns = [
  {
    name: 'awb',
    aliases: [...awbSpellings, 'order', 'order_id', 'order_no'],
    weaker: weakerAwbs,
    // Our own lists have both, and the customer's phone next to a new one.
    preferred: ['awb', 'tracking_number', ...awbSpellings],
    required: true,
  },
  {
    name: 'answer',
    aliases: ['action', 'decision', 'ndr_action', 'instruction'],
    weaker: ['customer_response', 'response', 'ndr_response', 'seller_action'],
    required: true,
  },
  {
    name: 'date',
    aliases: ['reattempt_on', 'reattempt_date', 'deferred_date', 'day'],
    weaker: ['next_attempt_date', 'next_attempt_on'],
  },
  {
    name: 'phone',
    aliases: ['new_phone', 'alternate_phone', 'mobile'],
    weaker: ['alt_mobile', 'alt_phone', 'alternate_mobile', 'new_mobile'],
    preferred: ['new_phone'],
  },
  { name: 'address', aliases: ['new_address', 'alternate_address'], weaker: ['new_addr', 'landmark_new_addr'] },
  { name: 'pincode', aliases: ['new_pincode', 'zip'], weaker: ['pin', 'new_pin'] },
  { name: 'note', aliases: ['notes', 'remark', 'remarks', 'comment'] },
] as const

/** Whether nobody has written an answer into the row of a parcel: our own list has a row for each. */
const unanswered = (row: SheetRow, sheet: Sheet): boolean =>
  row.fault === undefined &&
  cellOf(row, sheet, 'awb') !== '' &&
  answerParts.every((part) => cellOf(row, sheet, part) === '')

const itemOf = (row: SheetRow, sheet: Sheet, now: number): Item<NamedAnswer> =>
  answerItem(row, sheet, (name, cell) => {
    const texts = Object.fromEntries(answerParts.map((part) => [part, cell(part)])) as AnswerTexts
    const read = readAnswer(texts, now)
    return 'value' in read
      ? { value: { name, answer: read.value } }
      : { fault: read.faults.map(({ part, message }) => `${part} ${message}`).join('; ') }
  })

/** The import of answers. */
export function answerImporter(context: Context): Importer<NamedAnswer> {
  const now = context.io.host.now()
  const said = saidOnce<NamedAnswer>((one, other) => sameAnswer(one.answer, other.answer))
  return {
    noun: ['answer', 'answers'],
    deed: { would: 'save', doing: 'Saving', done: 'saved' },
    columns,
    command: 'shipments ndr answer --file',
    items: async function* (sheet) {
      said.counts = sheet.counts
      let left = 0
      for await (const batch of sheet.rows) {
        const answers = batch.filter((row) => !unanswered(row, sheet))
        left += batch.length - answers.length
        yield answers.map((row) => itemOf(row, sheet, now))
      }
      if (left > 0) await context.note(`Left out ${counted(left, ['row', 'rows'])} without an answer.`)
    },
    claims: true,
    late: said.late,
    open: async ({ use }) => {
      const source = await sourceOf(context, use === 'bulk' || context.flags.has('dry-run') ? 'beside' : 'read')
      try {
        return answerTarget(context, source, await besideOf(context, source, use), said)
      } catch (error) {
        await source.close()
        throw error
      }
    },
    template: [
      ['awb', 'answer', 'date', 'phone', 'address', 'pincode', 'note'],
      ['14344940012345', 'reattempt', '2026-10-01', '', '', '', 'After 6 pm'],
      ['14344940012346', 'phone', '', '9876543210', '', '', ''],
      ['14344940012347', 'address', '', '', '14 MG Road, first floor', '560001', ''],
      ['14344940012348', 'rto', '', '', '', '', 'The customer does not want it'],
    ],
  }
}

function answerTarget(
  context: Context,
  source: Source,
  place: BesidePlace | undefined,
  said: SaidOnce<NamedAnswer>,
): Target<NamedAnswer> {
  /** The shipment of each answer, or why it cannot be kept. */
  const shipments = async (wanted: readonly Wanted<NamedAnswer>[]): Promise<readonly Awaiting[]> =>
    (
      await recordsOf(
        source,
        wanted.map(({ value }) => value),
      )
    ).map(({ reference, records }) => awaiting(reference.name, records))
  const labelOf = async (wanted: readonly Wanted<NamedAnswer>[]): Promise<readonly (Label | Failure)[]> => {
    const found = await shipments(wanted)
    const ids = found.flatMap((one) => ('shipment' in one ? [one.shipment.id] : []))
    const kept = await place?.database.read(() => lastAnswers(place.account, ids))
    return found.map((one, i) => {
      if ('failure' in one) return one.failure
      const { shipment } = one
      const twice = said.claim(shipment.id, wanted[i]!)
      if (twice !== undefined) return twice
      const before = kept?.get(shipment.id)
      const counts = before !== undefined && undeliveredOf(shipment, context.io.host.now(), before).answer !== null
      return counts && sameAnswer(before, wanted[i]!.value.answer) ? 'unchanged' : 'create'
    })
  }
  return {
    where: besidePlace(context, source),
    label: labelOf,
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const found = await shipments(wanted)
        const answers = found.flatMap((one, i) =>
          'shipment' in one ? [newAnswer(context, one.shipment, wanted[i]!.value.answer)] : [],
        )
        const { database, account } = place!
        await database.write(() => keepAnswers(database.dialect, account, answers))
        return found.map((one) => ('failure' in one ? one.failure : 'created'))
      },
    },
    close: async () => {
      await place?.close()
      await source.close()
    },
  }
}
