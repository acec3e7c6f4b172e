// `shipx invoices list`, `get` and `remove`: the invoices that were read so far.
import { count, counted } from '../../../domain/count.ts'
import { lineWords } from '../../../domain/money/billed.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { isoOf } from '../../../domain/time.ts'
import { documentGone } from '../../../engine/money/credits.ts'
import { raisedOf } from '../../../engine/money/disputelines.ts'
import { listDocuments, removeDocument, type Document } from '../../../engine/money/documents.ts'
import { flag, oneOf, someOf, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { confirm } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList, printRecord } from '../../output/printer.ts'
import { besideOf, changeBy, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { printKept } from '../reconcile/again.ts'
import { groupings } from '../reconcile/groups.ts'
import { totalsOf, wrongSums } from '../reconcile/keptterms.ts'
import { couriersWanted } from '../reconcile/wantedcouriers.ts'
import { lineView } from '../reconcile/lineview.ts'
import { documentNamed } from '../reconcile/keptdocument.ts'
import { byFaults, mailFaults, outFaults } from '../reconcile/options.ts'
import { noOutput, outputOf } from '../reconcile/output.ts'
import { shownOf } from '../reconcile/shown.ts'
import { noteTurned, tallyTurned } from '../reconcile/turned.ts'

/** A document as it is shown: rupees. */
interface Shown extends Record<string, unknown> {
  readonly number: string
  /** One that was replaced counts nowhere. */
  readonly state: 'kept' | 'replaced'
  readonly courier: string | null
  readonly day: string | null
  readonly lines: number
  readonly billed: number
  readonly over: number
  readonly under: number
  readonly expected: number
  readonly unknown_lines: number
}

const shownRecord = (one: Document): Shown => ({
  number: one.number,
  state: one.superseded_at === null ? 'kept' : 'replaced',
  courier: one.courier === '' ? null : one.courier,
  day: one.day,
  form: one.form,
  card: one.card,
  gst: one.gst,
  lines: one.lines,
  billed: rupeesOf(one.billed),
  expected: rupeesOf(one.expected),
  over: rupeesOf(one.over_paise),
  over_lines: one.over_lines,
  under: rupeesOf(one.under_paise),
  under_lines: one.under_lines,
  unknown_lines: one.unknown_lines,
  credit_lines: one.credit_lines,
  reasons: totalsOf(one).reasons,
  wrong_totals: wrongSums(one),
  dispute_by: one.dispute_by,
  read_at: isoOf(one.created_at),
  replaced_at: one.superseded_at === null ? null : isoOf(one.superseded_at),
})

const plain = (key: keyof Shown & string, rank: number, more: Partial<Column<Shown>> = {}): Column<Shown> => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  raw: (one) => {
    const value = one[key]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | null)
  },
  ...more,
})

const money = (key: 'billed' | 'expected' | 'over' | 'under', rank: number): Column<Shown> =>
  plain(key, rank, {
    right: true,
    whole: true,
    kind: 'money',
    show: (one, screen) => showMoney(one[key], screen),
  })

const view: View<Shown> = {
  noun: ['invoice', 'invoices'],
  id: ({ number }) => number,
  names: Object.keys(shownRecord({ reasons: '[]', created_at: 0, superseded_at: null } as Document)),
  columns: [
    plain('number', 1, { whole: true }),
    plain('state', 2, { sparse: true, show: ({ state }) => (state === 'kept' ? '' : state) }),
    plain('courier', 3, { main: true }),
    plain('day', 4, { kind: 'day', show: ({ day }) => (day === null ? '-' : showDay(day)) }),
    plain('lines', 7, { right: true }),
    money('billed', 2),
    money('expected', 6),
    money('over', 2),
    money('under', 8),
    plain('unknown_lines', 9, { right: true, header: 'unknown' }),
    plain('form', 10, { wide: true }),
    plain('card', 11, { wide: true }),
    plain('replaced_at', 12, { sparse: true, kind: 'time', header: 'replaced' }),
  ],
}

/** Runs work beside the records; undefined where nothing is kept yet. */
const beside = <T>(
  context: Context,
  use: 'read' | 'write',
  work: (place: BesidePlace | undefined) => Promise<T>,
): Promise<T> =>
  withSource(context, use === 'read' ? 'read' : 'beside', async (source) => {
    const place = await besideOf(context, source, use)
    try {
      return await work(place)
    } finally {
      await place?.close()
    }
  })

const list = verb({ courier: word }, async (context, { courier }) => {
  refuse(context, [])
  checkShape(context, view)
  return beside(context, 'read', async (place) => {
    const all = (await place?.database.read(() => listDocuments(place.account), 'single')) ?? []
    const listed = all.map((one) => one.courier)
    const named = courier === undefined ? undefined : await couriersWanted(context, place, courier, listed)
    const own = all.filter((one) => named === undefined || named.includes(one.courier))
    const none =
      named === undefined || all.length === 0
        ? 'No invoices yet: shipx reconcile invoice <file>'
        : `No invoices of ${named.map((name) => safe(name)).join(' or ')}.`
    await printList(context, view, own.map(shownRecord), none)
    const replaced = own.filter((one) => one.superseded_at !== null).length
    if (replaced > 0)
      await context.note(`${counted(replaced, ['replaced invoice counts', 'replaced invoices count'])} nowhere.`)
    return 0
  })
})

const getOptions = {
  courier: word,
  lines: flag,
  only: someOf<string>(lineWords, 'verdict or reason', reasonName),
  by: oneOf(groupings, 'key'),
  mail: flag,
  out: word,
  force: flag,
}

const get = verb(getOptions, async (context, { courier, lines, only, by, mail, out, force }) => {
  const [number] = context.args
  const { format } = context
  refuse(context, [
    ...(number === undefined ? [missingArgument(context, 'number')] : []),
    ...(only !== undefined && !lines ? [{ field: '--only', message: 'goes with --lines' }] : []),
    ...mailFaults({ mail }, format),
    ...outFaults({ out, only, mail }, lines && format === 'plain' ? 'csv' : format),
    ...byFaults({ by, out, only, lines, mail }, format),
  ])
  // A workbook has the lines also without --lines, next to what they add up to.
  const record = !lines && format !== 'plain' && format !== 'xlsx'
  if (record) checkShape(context, view)
  else checkShape(context, lineView)
  return beside(context, 'read', async (place) => {
    const found = await documentNamed(place, number!, { courier, list: 'shipx invoices list' })
    const shown = shownOf(context, out, force)
    if (record) await printRecord(context, view, shownRecord(found))
    if (record && out === undefined) return 0
    const printed = record ? noOutput : outputOf(context, { only, explain: undefined, lines })
    await printKept(context, place!, found, { out: printed, by, shown })
    return 0
  })
})

const remainText = (disputes: number): string =>
  disputes === 1
    ? '1 dispute that you raised from it remains.'
    : `${count(disputes)} disputes that you raised from it remain.`

const remove = verb({ courier: word, dry_run: flag }, async (context, { courier, dry_run: dry }) => {
  const [number] = context.args
  refuse(context, number === undefined ? [missingArgument(context, 'number')] : [])
  return beside(context, dry ? 'read' : 'write', async (place) => {
    const found = await documentNamed(place, number!, { courier, list: 'shipx invoices list' })
    const what = `invoice ${safe(found.number, 'id')} with ${counted(found.lines, ['line', 'lines'])}`
    if (dry) return wouldDo(context, `remove ${what}`, { remove: shownRecord(found) })
    await confirm(context, `Remove ${what}`)
    const { database, account } = place!
    const left = await database.read(() => raisedOf(account, found.id), 'single')
    const change = changeBy(context, `invoices remove ${found.number}`)
    const turned = await database.write(function* () {
      const remove = () => removeDocument(account, found.id)
      const lines = yield* documentGone(database.dialect, account, found.id, remove, change)
      yield* tallyTurned(database.dialect, account, lines)
      return lines
    })
    const exit = await answer(context, `Removed ${what}`, shownRecord(found))
    if (left > 0) await context.note(`${remainText(left)} See them: shipx disputes list`)
    await noteTurned(context, turned)
    return exit
  })
})

export const verbs = { 'invoices list': list, 'invoices get': get, 'invoices remove': remove }
