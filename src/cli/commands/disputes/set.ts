// `shipx disputes set`: what became of disputes, one by one or by the courier's sheet of answers.
import { counted } from '../../../domain/count.ts'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { comesBy, givenStatuses, type GivenStatus } from '../../../domain/money/disputes.ts'
import { paiseOf } from '../../../domain/money.ts'
import { notOneOf } from '../../../domain/values.ts'
import { disputesMeant } from '../../source/disputenames.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { disputesNumbered, type Dispute } from '../../../engine/money/disputes.ts'
import { faulty, flag, optionKind, rupees, sound, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import {
  answerFailure,
  answerTo,
  disputeAnswerImporter,
  keepAnswered,
  longestNote,
} from '../../imports/disputeanswers.ts'
import type { Failure } from '../../imports/importer.ts'
import { importFile } from '../../imports/run.ts'
import { words } from '../../output/display.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { besideOf, changeBy } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { recorder } from './record.ts'

/** A status that a person gives; for the others it says how they come. */
const givenStatus = optionKind<GivenStatus | undefined, undefined>(undefined, (given, name) => {
  const value = givenStatuses.find((one) => one === given)
  if (value !== undefined) return sound(value)
  const how = comesBy(given)
  return faulty(undefined, name, how === undefined ? notOneOf(given, givenStatuses, 'status') : `${given} ${how}`)
})

const options = {
  status: givenStatus,
  amount: rupees,
  note: word,
  late: flag,
  file: word,
  template: flag,
  dry_run: flag,
}

/** Throws for all names that cannot have the answer, so that nothing is half done. */
function refuseFailures(failures: readonly Failure[]): void {
  const [first, ...more] = failures
  if (first === undefined) return
  if (more.length === 0 && first.code === 'invalid_input') throw invalid([{ field: null, message: first.message }])
  if (more.length === 0) throw new ShipxError(first.code, first.message, { hint: 'shipx disputes list' })
  const code = failures.find((one) => one.code !== 'invalid_input')?.code ?? 'invalid_input'
  throw new ShipxError(
    code,
    `${counted(failures.length, ['dispute', 'disputes'])} cannot have this; nothing is changed`,
    {
      details: failures.map(({ message }) => ({ field: null, message })),
      hint: 'shipx disputes list',
    },
  )
}

const set = verb(options, async (context, given) => {
  const { status, amount, note, late, file, template, dry_run: dry } = given
  if (file !== undefined || template) {
    const importing = { ...context, args: file === undefined ? [] : [file] }
    return importFile(importing, disputeAnswerImporter(importing, file ?? ''))
  }
  const faults: Fault[] = []
  if (context.args.length === 0) faults.push(missingArgument(context, 'dispute'))
  if (status === undefined) faults.push({ field: '--status', message: `is required: ${givenStatuses.join(', ')}` })
  if (note !== undefined && note.length > longestNote)
    faults.push({ field: '--note', message: `has more than ${longestNote} characters` })
  for (const name of ['map', 'map-value', 'ignore', 'use-map', 'save-map', 'sheet', 'force'])
    if (context.flags.has(name)) faults.push({ field: `--${name}`, message: 'goes with --file' })
  refuse(context, faults)
  const now = context.io.host.now()
  const names = [...new Set(context.args.map((name) => name.trim()))]
  const said = { status: status!, amount: amount === undefined ? null : paiseOf(amount)!, note: note ?? null }
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      if (place === undefined) throw new ShipxError('not_found', 'no disputes yet', { hint: 'shipx disputes create' })
      const { database, account } = place
      const meant = await database.read(() => disputesMeant(database.dialect, account, names))
      refuseFailures(
        meant.flatMap((one): readonly Failure[] => {
          const failure = 'code' in one ? one : answerFailure(one, said, { now, late })
          return failure === undefined ? [] : [failure]
        }),
      )
      const disputes = [...new Map((meant as readonly Dispute[]).map((one) => [one.id, one])).values()]
      const what = counted(disputes.length, ['dispute', 'disputes'])
      const ids = disputes.map(({ id }) => id)
      if (dry) return await wouldDo(context, `set ${what} to ${status!}`, { set: said.status, disputes: ids })
      const answers = disputes.map((dispute) => ({ dispute, answer: answerTo(dispute, { name: dispute.id, ...said }) }))
      await keepAnswered(place, answers, changeBy(context, 'disputes set'), true)
      const [after, policies] = await database.read(function* () {
        return [yield* disputesNumbered(account, ids), yield* listPolicies(account)] as const
      })
      const records = await recorder(place, policies, now)(after)
      const one = disputes.length === 1 ? disputes[0]!.id : what
      return await answer(
        context,
        `${one} ${disputes.length === 1 ? 'is' : 'are'} ${words(records[0]!.status).toLowerCase()} now`,
        records,
      )
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'disputes set': set }
