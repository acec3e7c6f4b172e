// `shipx disputes export`: the sheet of disputes for one courier, with a folder or a ZIP of evidence, and marks them as
// raised.
import { join } from 'node:path'
import { count, counted } from '../../../domain/count.ts'
import type { Fault } from '../../../domain/errors.ts'
import { sheetColumns, type SheetLine } from '../../../domain/money/disputesheets.ts'
import { disputeStatuses, statusAt, type DisputeStatus } from '../../../domain/money/disputes.ts'
import { courierKeys } from '../../../domain/money/policies.ts'
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { answerDisputes, walkDisputes, type Dispute } from '../../../engine/money/disputes.ts'
import { linesOfDisputes } from '../../../engine/money/disputelines.ts'
import { evidenceOf, type Evidence } from '../../../engine/money/evidence.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { flag, oneOf, rupees, someOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { csvWriter } from '../../files/csv.ts'
import { evidenceKind, keptEvidence } from '../../files/evidencefiles.ts'
import { fileNameOf } from '../../files/filenames.ts'
import { makeFolder } from '../../files/folders.ts'
import { checkPlace, openWhole, writeWhole } from '../../files/userfiles.ts'
import { showMoney } from '../../output/display.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, decider, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { recorder } from './record.ts'
import { zipTo } from './zip.ts'

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

/** A file of evidence under the name that it goes by. */
interface Attachment {
  readonly name: string
  readonly sha256: string
}

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

async function disputesFor(place: BesidePlace, statuses: readonly DisputeStatus[], given: Options, now: number) {
  const filter = { courier: given.courier, min: given.min === undefined ? undefined : paiseOf(given.min) }
  const walk = walkDisputes(place.account, statuses, filter, now)
  const all: Dispute[] = []
  for (;;) {
    const page = await place.database.read(walk.next(piece))
    all.push(...page)
    if (page.length < piece) return all
  }
}

/** The names of the files of one parcel: its AWB, what they show, and their ending. */
function attachmentsOf(context: Context, files: readonly Evidence[], gone: string[]): readonly Attachment[] {
  const used = new Set<string>()
  return files.flatMap(({ awb, sha256, shows, name }): readonly Attachment[] => {
    const bytes = keptEvidence(context.io, sha256)
    if (bytes === undefined) {
      gone.push(`${awb} ${name}`)
      return []
    }
    const parcel = awb.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 60)
    const base = `${parcel}-${shows === '' ? 'file' : shows.replaceAll(',', '-')}`
    const ending = evidenceKind(bytes) ?? 'bin'
    let file = `${base}.${ending}`
    for (let n = 2; used.has(file); n++) file = `${base}-${n}.${ending}`
    used.add(file)
    return [{ name: file, sha256 }]
  })
}

const textOfReasons = (reasons: string | null): string =>
  reasons === null
    ? ''
    : (JSON.parse(reasons) as readonly { readonly code: string; readonly text: string }[])
        .filter(({ code }) => code !== 'gst_on_difference')
        .map(({ text }) => text)
        .join('; ')

async function goingFrom(context: Context, place: BesidePlace, disputes: readonly Dispute[]): Promise<Going> {
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
    const named = new Map(
      awbs.map((awb) => [
        awb,
        attachmentsOf(
          context,
          files.filter((one) => one.awb === awb),
          gone,
        ),
      ]),
    )
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
async function writeGoing(context: Context, given: Options, { lines, attachments }: Going): Promise<void> {
  const columns = sheetColumns(courierKeys(given.courier!))
  const { zip, out, force } = given
  if (zip === undefined && out === undefined) {
    const names = columns.map(([header]) => header)
    const records = lines.map((line) => Object.fromEntries(columns.map(([header, cell]) => [header, cell(line)])))
    await printList(
      context,
      plainView<Record<string, string>>(['dispute', 'disputes'], (one) => one['our_reference'] ?? '', names),
      records,
    )
    return
  }
  const { header, row } = csvWriter({ raw: false, excel: true, tsv: false })
  const sheet =
    header(columns.map(([name]) => name)) + lines.map((line) => row(columns.map(([, cell]) => cell(line)))).join('')
  const name = `disputes-${fileNameOf(given.courier!, 'courier')}.csv`
  const contentOf = ({ sha256 }: Attachment): Uint8Array => keptEvidence(context.io, sha256) ?? new Uint8Array()
  if (zip !== undefined) {
    const file = openWhole(zip, force, '--zip')
    try {
      await zipTo(file.write, new Date(context.io.host.now()), [
        { name, content: () => Buffer.from(sheet) },
        ...attachments.map((one) => ({ name: `evidence/${one.name}`, content: () => contentOf(one) })),
      ])
      file.finish()
    } finally {
      file.close()
    }
    return
  }
  makeFolder(join(out!, 'evidence'))
  for (const one of attachments) writeWhole(join(out!, 'evidence', one.name), contentOf(one), true, '--out')
  writeWhole(join(out!, name), sheet, force, '--out')
}

const exporter = verb(options, async (context, given) => {
  refuse(context, faultsOf(given))
  const { courier, zip, out, force, mark, late, dry_run: dry } = given
  if (zip !== undefined) checkPlace(zip, force, '--zip')
  const now = context.io.host.now()
  const usual: readonly DisputeStatus[] = late ? ['found', 'lapsed', 'auto_accepted'] : ['found']
  return withSource(context, mark !== undefined ? 'beside' : 'read', async (source) => {
    const place = await besideOf(context, source, mark !== undefined && !dry ? 'write' : 'read')
    try {
      const disputes = place === undefined ? [] : await disputesFor(place, given.status ?? usual, given, now)
      const going = place === undefined ? emptyGoing : await goingFrom(context, place, disputes)
      const sum = showMoney(rupeesOf(disputes.reduce((all, { amount }) => all + amount, 0)), context.screen)
      const what = `${counted(disputes.length, ['dispute', 'disputes'])} with ${safe(courier!)}, ${sum}`
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
        await say('No dispute with this courier waits to be raised: shipx disputes list')
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
        await context.note(
          `Once they are sent: shipx disputes export --courier ${quoted(safe(courier!))} --mark raised`,
        )
      return 0
    } finally {
      await place?.close()
    }
  })
})

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

const emptyGoing: Going = { disputes: [], lines: [], attachments: [], gone: [] }

/** Marks what went into the sheet as raised. */
async function markRaised(
  context: Context,
  { database, account }: BesidePlace,
  disputes: readonly Dispute[],
  late: boolean,
): Promise<void> {
  const now = context.io.host.now()
  const open = disputes.filter((one) => statusAt(one, now) === 'found' || late)
  const change = { at: now, by: decider(context), source: 'disputes export' }
  let raised = 0
  for (let at = 0; at < open.length; at += piece) {
    const answers = open
      .slice(at, at + piece)
      .map(({ id }) => ({ id, status: 'raised' as const, settled: null, note: null }))
    const outcomes = await database.write(() => answerDisputes(database.dialect, account, answers, change))
    raised += outcomes.filter((one) => one?.outcome === 'updated').length
  }
  await done(context, `Marked ${counted(raised, ['dispute', 'disputes'])} as raised`)
}

export const verbs = { 'disputes export': exporter }
