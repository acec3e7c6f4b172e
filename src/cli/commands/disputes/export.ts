// `shipx disputes export`: the sheet of disputes for one courier, with a folder or a ZIP of evidence, and marks them as
// raised.
import { count, counted } from '../../../domain/count.ts'
import type { Fault } from '../../../domain/errors.ts'
import { sheetColumns, type SheetLine } from '../../../domain/money/disputesheets.ts'
import { disputeStatuses, statusAt, type DisputeStatus } from '../../../domain/money/disputes.ts'
import { courierKeys } from '../../../domain/money/policies.ts'
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { answerDisputes } from '../../../engine/money/disputeanswers.ts'
import { walkDisputes, type Dispute } from '../../../engine/money/disputes.ts'
import { linesOfDisputes } from '../../../engine/money/disputelines.ts'
import { evidenceOf } from '../../../engine/money/evidence.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { flag, oneOf, rupees, someOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { csvWriter } from '../../files/csv.ts'
import { fileNameOf } from '../../files/filenames.ts'
import { checkPlace } from '../../files/userfiles.ts'
import { showMoney } from '../../output/display.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { printList } from '../../output/printer.ts'
import { stopping, type Stopping } from '../../output/stopping.ts'
import type { View } from '../../output/columns.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, changeBy, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { courierWanted, couriersOfDisputes } from '../reconcile/wantedcouriers.ts'
import { attachmentsOf, writeFolder, writeZip, type Attachment } from './attachments.ts'
import { recorder } from './record.ts'

const options = {
  courier: word,
  status: someOf(disputeStatuses, 'status'),
  min: rupees,
  mark: oneOf(['raised'], 'mark'),
  late: flag,
  zip: word,
  out: word,
  force: flag,
  dry_run: flag,
}

type Options = OptionsOf<typeof options>

/** Disputes of a courier with their lines and their evidence. */
interface Going {
  readonly disputes: readonly Dispute[]
  readonly lines: readonly SheetLine[]
  readonly attachments: readonly Attachment[]
  /** Files that this computer does not have. */
  readonly gone: readonly string[]
}

/** Disputes that are read at a time. */
const piece = 500

async function disputesFor(
  place: BesidePlace,
  statuses: readonly DisputeStatus[],
  given: Options,
  now: number,
  stop: Stopping,
): Promise<readonly Dispute[]> {
  const filter = { couriers: [given.courier!], min: given.min === undefined ? undefined : paiseOf(given.min) }
  const walk = walkDisputes(place.account, statuses, filter, now)
  const all: Dispute[] = []
  for (;;) {
    const page = await place.database.read(walk.next(piece))
    all.push(...page)
    if (page.length < piece) return all
    await stop.between(nothingWritten)
  }
}

const textOfReasons = (reasons: string | null): string =>
  reasons === null
    ? ''
    : (JSON.parse(reasons) as readonly { readonly code: string; readonly text: string }[])
        .filter(({ code }) => code !== 'gst_on_difference')
        .map(({ text }) => text)
        .join('; ')

const nothingWritten = (): { readonly message: string } => ({ message: 'stopped; nothing is written or raised' })

async function goingFrom(
  context: Context,
  place: BesidePlace,
  disputes: readonly Dispute[],
  stop: Stopping,
): Promise<Going> {
  const { database, account } = place
  const lines: SheetLine[] = []
  const attachments: Attachment[] = []
  const gone: string[] = []
  for (let at = 0; at < disputes.length; at += piece) {
    const some = disputes.slice(at, at + piece)
    const awbs = [...new Set(some.map(({ awb }) => awb))]
    const [judged, files] = await database.read(function* () {
      return [yield* linesOfDisputes(database.dialect, account, some), yield* evidenceOf(account, awbs)] as const
    })
    const named = new Map<string, readonly Attachment[]>()
    for (const awb of awbs) {
      const own = files.filter((one) => one.awb === awb)
      named.set(awb, attachmentsOf(context, own, gone))
      if (own.length > 0) await stop.between(nothingWritten)
    }
    await stop.between(nothingWritten)
    attachments.push(...[...named.values()].flat())
    for (const { document_id: id, ...dispute } of some) {
      const line = judged.get(`${id}\n${dispute.line}`)
      lines.push({
        ...dispute,
        text: textOfReasons(line?.reasons ?? null),
        zone: line?.zone ?? null,
        zone_billed: line?.zone_billed ?? null,
        weight: line?.weight ?? null,
        weight_billed: line?.weight_billed ?? null,
        billed: line?.billed ?? null,
        expected: line?.expected ?? null,
        evidence: named
          .get(dispute.awb)!
          .map(({ name }) => name)
          .join(' '),
      })
    }
  }
  return { disputes, lines, attachments, gone }
}

function faultsOf(given: Options): readonly Fault[] {
  const { courier, zip, out } = given
  return [
    ...(courier === undefined || courier === ''
      ? [{ field: '--courier', message: 'is required: a sheet goes to one courier' }]
      : []),
    ...(zip !== undefined && out !== undefined ? [{ field: '--out', message: 'and --zip exclude each other' }] : []),
    ...(zip === '' || zip === '-' ? [{ field: '--zip', message: 'names a file' }] : []),
    ...(out === '' || out === '-' ? [{ field: '--out', message: 'names a folder' }] : []),
    ...(given.late && given.mark === undefined ? [{ field: '--late', message: 'goes with --mark raised' }] : []),
  ]
}

/** Writes the sheet and the evidence to a folder or a ZIP, or the sheet alone to standard output. */
async function writeGoing(context: Context, given: Options, going: Going): Promise<void> {
  const columns = sheetColumns(courierKeys(given.courier!))
  const { zip, out, force } = given
  const { lines, attachments } = going
  if (zip === undefined && out === undefined) {
    const names = columns.map(([header]) => header)
    const records = lines.map((line) => Object.fromEntries(columns.map(([header, cell]) => [header, cell(line)])))
    await printList(context, sheetView(names), records)
    return
  }
  const { header, row } = csvWriter({ raw: false, excel: true, tsv: false })
  const content =
    header(columns.map(([name]) => name)) + lines.map((line) => row(columns.map(([, cell]) => cell(line)))).join('')
  const sheet = { name: `disputes-${fileNameOf(given.courier!, 'courier')}.csv`, content }
  const stop = stopping(context)
  try {
    if (zip !== undefined) await writeZip(context, zip, { force, sheet, attachments }, stop)
    else await writeFolder(context, out!, { force, sheet, attachments }, stop)
  } finally {
    stop.end()
  }
}

const exporter = verb(options, async (context, asked) => {
  refuse(context, faultsOf(asked))
  const { zip, out, force, mark, late, dry_run: dry } = asked
  if (zip !== undefined) checkPlace(zip, force, '--zip')
  const now = context.io.host.now()
  const usual: readonly DisputeStatus[] = late ? ['found', 'lapsed', 'auto_accepted'] : ['found']
  return withSource(context, mark !== undefined ? 'beside' : 'read', async (source) => {
    const place = await besideOf(context, source, mark !== undefined && !dry ? 'write' : 'read')
    try {
      const courier = await courierWanted(context, place, asked.courier!, await couriersOfDisputes(place))
      const given = { ...asked, courier }
      const going = place === undefined ? emptyGoing : await goingAll(context, place, given.status ?? usual, given, now)
      const { disputes } = going
      const sum = showMoney(rupeesOf(disputes.reduce((all, { amount }) => all + amount, 0)), context.screen)
      const what = `${counted(disputes.length, ['dispute', 'disputes'])} with ${safe(courier)}, ${sum}`
      const files = `${counted(going.attachments.length, ['file', 'files'])} of evidence`
      if (dry) {
        const ids = disputes.map(({ id }) => id)
        if (mark !== undefined && disputes.length > 0) await warnMissing(context, place!, disputes, now)
        return await wouldDo(context, `write ${what}, and ${files}`, { export: ids, mark: mark ?? null })
      }
      if (disputes.length === 0) {
        // A sheet of a header alone looks like an answer; programs get their empty list.
        const sheet = sheets.has(context.format)
        const say = sheet ? context.warn : context.note
        await say(`No dispute with ${safe(courier)} waits to be raised: shipx disputes list`)
        if (zip !== undefined || out !== undefined || sheet) return 0
      }
      await writeGoing(context, given, going)
      if (zip !== undefined || out !== undefined)
        await done(context, `Wrote ${what}, with ${files}, to ${safe(zip ?? out!)}`)
      for (const file of going.gone.slice(0, 5))
        await context.warn(`${safe(file)}: this computer does not have the file`)
      if (mark !== undefined && disputes.length > 0) await warnMissing(context, place!, disputes, now)
      if (mark !== undefined && disputes.length > 0) await markRaised(context, place!, disputes, late)
      else if (disputes.some((one) => statusAt(one, now) === 'found'))
        await context.note(`Once they are sent: shipx disputes export --courier ${quoted(courier)} --mark raised`)
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** What a terminal that lacks room for all columns keeps, after the first: the AWB. */
const kept = ['disputed_amount', 'reason', 'our_reference', 'expected_amount']

function sheetView(names: readonly string[]): View<Record<string, string>> {
  const view = plainView<Record<string, string>>(['dispute', 'disputes'], (one) => one['our_reference'] ?? '', names)
  const columns = view.columns.map((column, i) => {
    const at = kept.indexOf(column.key)
    return { ...column, rank: i === 0 ? 0 : at === -1 ? kept.length + i : at + 1 }
  })
  return { ...view, columns }
}

/** The formats of sheets. */
const sheets: ReadonlySet<string> = new Set(['csv', 'tsv', 'excel'])

/** Parcels that a warning names. */
const mostNamed = 5

/** Warns of disputes that lack evidence that the policy of the courier asks for. */
async function warnMissing(
  context: Context,
  place: BesidePlace,
  disputes: readonly Dispute[],
  now: number,
): Promise<void> {
  const policies = await place.database.read(() => listPolicies(place.account), 'single')
  const raised = disputes.map((one): Dispute => ({ ...one, status: 'raised' }))
  const lacking = (await recorder(place, policies, now)(raised)).filter(({ missing }) => missing.length > 0)
  const [first] = lacking
  if (first === undefined) return
  const named = lacking.slice(0, mostNamed).map(({ awb, missing }) => `${safe(awb, 'id')} (${missing.join(', ')})`)
  const more = lacking.length > mostNamed ? `, and ${count(lacking.length - mostNamed)} more` : ''
  const lack = counted(lacking.length, ['dispute lacks', 'disputes lack'])
  await context.warn(
    `${lack} evidence that the policy asks for: ${named.join('; ')}${more}. ` +
      `To add it: shipx disputes evidence ${quoted(safe(first.awb, 'id'))} <file>`,
  )
}

/** The disputes that are asked for, with their lines and evidence. */
async function goingAll(
  context: Context,
  place: BesidePlace,
  statuses: readonly DisputeStatus[],
  given: Options,
  now: number,
): Promise<Going> {
  const stop = stopping(context)
  try {
    return await goingFrom(context, place, await disputesFor(place, statuses, given, now, stop), stop)
  } finally {
    stop.end()
  }
}

const emptyGoing: Going = { disputes: [], lines: [], attachments: [], gone: [] }

/** Marks what went into the sheet as raised, all of it or nothing. */
async function markRaised(
  context: Context,
  { database, account }: BesidePlace,
  disputes: readonly Dispute[],
  late: boolean,
): Promise<void> {
  const now = context.io.host.now()
  const open = disputes.filter((one) => statusAt(one, now) === 'found' || late)
  const change = changeBy(context, 'disputes export')
  const raised = await database.write(function* () {
    let n = 0
    for (let at = 0; at < open.length; at += piece) {
      const answers = open
        .slice(at, at + piece)
        .map(({ id }) => ({ id, status: 'raised' as const, settled: null, note: null }))
      const outcomes = yield* answerDisputes(database.dialect, account, answers, change)
      n += outcomes.filter((one) => one?.outcome === 'updated').length
    }
    return n
  })
  await done(context, `Marked ${counted(raised, ['dispute', 'disputes'])} as raised`)
}

export const verbs = { 'disputes export': exporter }
