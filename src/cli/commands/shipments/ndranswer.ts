// `shipx shipments ndr answer`: keeps what the merchant decided about failed deliveries, one by one or from a sheet.
// shipx tells no courier; `shipx shipments ndr export` writes the sheet for it.
import { counted } from '../../../domain/count.ts'
import { invalid, ShipxError, type Fault } from '../../../domain/errors.ts'
import {
  answerParts,
  readAnswer,
  type AnswerPart,
  type AnswerTexts,
  type NdrAnswer,
} from '../../../domain/parcels/ndranswers.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import { undeliveredOf } from '../../../domain/parcels/worklists.ts'
import { keepAnswers, type NewAnswer } from '../../../engine/records/ndranswers.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { answerImporter, awaiting, type Awaiting, newAnswer, recordsOf } from '../../imports/ndranswers.ts'
import { importFile } from '../../imports/run.ts'
import { namesIn } from '../../listings/pastednames.ts'
import { decisionText } from '../../output/ndranswer.ts'
import { answer as report, wouldDo } from '../../output/outcome.ts'
import { besideOf, besidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'

const options = {
  reattempt: word,
  phone: word,
  address: word,
  pincode: word,
  rto: flag,
  note: word,
  file: word,
  template: flag,
  dry_run: flag,
}

type Options = OptionsOf<typeof options>

const answer = verb(options, async (context, given) => {
  const { file, template, dry_run: dry } = given
  // Other imports take the file as an argument. Here it is a flag, because the arguments are parcels.
  if (file !== undefined || template) {
    const importing = { ...context, args: file === undefined ? [] : [file] }
    return importFile(importing, answerImporter(importing))
  }
  const decided = answerFrom(context, given)
  return withSource(context, 'beside', async (source) => {
    const names = [...new Set(context.args.flatMap(namesIn))].map((name) => ({ name }))
    const found = await recordsOf(source, names)
    const parcels = refusingOthers(found.map(({ reference, records }) => awaiting(reference.name, records)))
    const answers = parcels.map((record) => newAnswer(context, record, decided))
    const place = besidePlace(context, source)
    if (dry)
      return wouldDo(context, `save an answer for ${sentence(context, place, answers)}`, {
        answer: decided,
        shipments: answers.map(({ shipment_id }) => shipment_id),
      })
    const answersThere = (await besideOf(context, source, 'write'))!
    try {
      await answersThere.database.write(() => keepAnswers(answersThere.database.dialect, answersThere.account, answers))
    } finally {
      await answersThere.close()
    }
    const kept = parcels.map((record, i) => undeliveredOf(record, answers[i]!.decided_at, keptOf(answers[i]!)))
    const exit = await report(context, `Answer saved for ${sentence(context, place, answers)}`, kept)
    await context.note(`The courier does not know yet. For its sheet: ${sheetHint}`)
    return exit
  })
})

const sheetHint = 'shipx shipments ndr export --split-by courier --excel --out ndr-sheets'

const keptOf = (made: NewAnswer) => ({ ...made, sent_at: null })

/** The flag of each part of an answer. */
const flagOfPart: Readonly<Record<AnswerPart, string | null>> = {
  answer: null,
  date: '--reattempt',
  phone: '--phone',
  address: '--address',
  pincode: '--pincode',
  note: '--note',
}

/** The answer that the flags give. Throws `invalid_input` with every fault. */
function answerFrom(context: Context, { reattempt, phone, address, pincode, rto, note }: Options): NdrAnswer {
  const faults: Fault[] = []
  if (context.args.flatMap(namesIn).length === 0) faults.push(missingArgument(context, 'shipment'))
  for (const name of ['map', 'map-value', 'ignore', 'use-map', 'save-map', 'sheet', 'force'])
    if (context.flags.has(name)) faults.push({ field: `--${name}`, message: 'goes with --file' })
  const name = rto
    ? 'rto'
    : reattempt !== undefined
      ? 'reattempt'
      : address !== undefined
        ? 'address'
        : phone !== undefined
          ? 'phone'
          : undefined
  const way = '<day>, --phone <number>, --address <text> or --rto is required: what you decided'
  if (name === undefined) refuse(context, [...faults, { field: '--reattempt', message: way }])
  const typed = { answer: name, date: reattempt, phone, address, pincode, note }
  const texts = Object.fromEntries(answerParts.map((part) => [part, typed[part] ?? ''])) as AnswerTexts
  const read = readAnswer(texts, context.io.host.now())
  if ('faults' in read)
    faults.push(...read.faults.map(({ part, message }) => ({ field: flagOfPart[part], message: safe(message) })))
  refuse(context, faults)
  return (read as { readonly value: NdrAnswer }).value
}

/** The shipments, each once. Throws for all references that name none in NDR, so that nothing is half done. */
function refusingOthers(found: readonly Awaiting[]): readonly Shipment[] {
  const failures = found.flatMap((one) => ('failure' in one ? [one.failure] : []))
  const [first, ...more] = failures
  if (first === undefined) {
    const shipments = found.flatMap((one) => ('shipment' in one ? [one.shipment] : []))
    return [...new Map(shipments.map((one) => [one.id, one])).values()]
  }
  if (more.length === 0) {
    if (first.code === 'invalid_input') throw invalid([{ field: '<shipment>', message: first.message }])
    throw new ShipxError(first.code, first.message, { hint: 'shipx shipments ndr' })
  }
  const code = failures.find((one) => one.code !== 'invalid_input')?.code ?? 'invalid_input'
  throw new ShipxError(
    code,
    `${counted(failures.length, ['parcel', 'parcels'])} cannot have an answer; none is saved`,
    {
      details: failures.map(({ message }) => ({ field: null, message })),
      hint: 'shipx shipments ndr',
    },
  )
}

/** Which parcels an answer is for, and what it says, with the day as shipx read it. */
function sentence(context: Context, place: string, answers: readonly NewAnswer[]): string {
  const [first] = answers
  const who =
    answers.length === 1
      ? (first!.tracking_number ?? first!.shipment_id)
      : counted(answers.length, ['parcel', 'parcels'])
  return `${who} ${place}: ${decisionText(first!, context.screen)}`
}

export const verbs = { 'shipments ndr answer': answer }
