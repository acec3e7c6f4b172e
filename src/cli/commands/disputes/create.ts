// `shipx disputes create`: opens a dispute of each line that cost too much, with its deadline by the policy of who
// billed it.
import { count, counted } from '../../../domain/count.ts'
import { reasonCodes, type ReasonCode } from '../../../domain/money/billed.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { deadlineOf, workingDays } from '../../../domain/money/deadlines.ts'
import { statusAt } from '../../../domain/money/disputes.ts'
import { billerOf, policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { isoOf, istDate, readDay } from '../../../domain/time.ts'
import { settleCredits } from '../../../engine/money/credits.ts'
import { claimedLines } from '../../../engine/money/claims.ts'
import { listDocuments, type Document } from '../../../engine/money/documents.ts'
import {
  announcedBefore,
  countOver,
  makeDisputes,
  moveDeadlines,
  overLines,
  undisputed,
  type DueLine,
  type DueOf,
  type LineFilter,
  type OverLine,
} from '../../../engine/money/newdisputes.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { day, flag, oneOf, rupees, someOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, untilText } from '../../output/display.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { stopping, type Stopping } from '../../output/stopping.ts'
import { besideOf, changeBy, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { documentNamed } from '../reconcile/keptdocument.ts'
import { totalsOf } from '../reconcile/keptterms.ts'
import { couriersWanted } from '../reconcile/wantedcouriers.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** Disputes of one invoice and one reason, rupees: what goes to the courier together. */
interface Group extends Record<string, unknown> {
  readonly courier: string | null
  readonly invoice: string
  readonly reason: ReasonCode
  disputes: number
  amount: number
  readonly due_at: string | null
  lapsed: number
}

const plain = (key: keyof Group & string, rank: number, more: Partial<Column<Group>> = {}): Column<Group> => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  whole: true,
  raw: (one) => one[key] as string | number | null,
  ...more,
})

const view: View<Group> = {
  noun: ['group', 'groups'],
  id: ({ invoice, reason }) => `${invoice} ${reason}`,
  names: ['courier', 'invoice', 'reason', 'disputes', 'amount', 'due_at', 'lapsed'],
  columns: [
    plain('courier', 3),
    plain('invoice', 2),
    plain('reason', 1, { raw: ({ reason }) => reasonName(reason) }),
    plain('disputes', 1, { right: true }),
    plain('amount', 1, { right: true, kind: 'money', show: ({ amount }, screen) => showMoney(amount, screen) }),
    plain('due_at', 1, {
      header: 'due in',
      kind: 'time',
      show: ({ due_at: due }, { now }) => (due === null ? '-' : untilText(Date.parse(due), now)),
    }),
    plain('lapsed', 4, { right: true }),
  ],
}

const options = {
  from: oneOf(['invoice'], 'source'),
  reason: someOf(reasonCodes, 'reason'),
  min: rupees,
  courier: word,
  announced: day,
  dry_run: flag,
}

type Options = OptionsOf<typeof options>

/** Lines of a transaction. */
const together = 500

/** The last instant for each line of a document: a billed weight has the window of the policy, other reasons none. */
function deadlineFor(document: Document, policies: readonly OwnPolicy[], versions: Versions): DueOf {
  const days = document.day ?? istDate(document.created_at)
  const holidays = new Set(versionAt(versions, days).holidays)
  const policyDue = (courier: string, announced: string | null): number => {
    const { weight_window: window, weight_from: from } = policyOf(billerOf(document.form, courier), policies)
    // Nobody but the user knows when the courier announced a weight; the bill came later.
    const begins = from === 'discrepancy' && announced !== null ? announced : days
    return deadlineOf(readDay(begins)![0], window, workingDays(holidays))
  }
  const known = new Map<string, number>()
  return ({ reason, courier }, announced) => {
    if (reason !== 'weight') return null
    const name = document.courier === '' ? (courier ?? '') : document.courier
    const key = `${name}\n${announced ?? ''}`
    let due = known.get(key)
    if (due === undefined) known.set(key, (due = policyDue(name, announced)))
    return due
  }
}

const wantedLines = ({ reason, min }: Options): LineFilter => ({
  reasons: reason,
  min: Math.max(1, min === undefined ? 1 : paiseOf(min)!),
})

/** What a run made, or would make. */
interface Made {
  readonly groups: Map<string, Group>
  made: number
  amount: number
  before: number
  moved: number
  lapsed: number
  /** What the documents themselves credit of these lines. */
  credited: number
  /** Lines that it looked at. */
  lines: number
  /** Lines that there are. */
  readonly all: number
}

function addTo(made: Made, document: Document, line: DueLine, now: number): void {
  const courier = billerOf(document.form, document.courier === '' ? (line.courier ?? '') : document.courier)
  const key = [courier, document.number, line.reason, line.due_at].join('\n')
  let group = made.groups.get(key)
  if (group === undefined) {
    const due = line.due_at === null ? null : isoOf(line.due_at)
    group = {
      courier: courier === '' ? null : courier,
      invoice: document.number,
      reason: line.reason,
      disputes: 0,
      amount: 0,
      due_at: due,
      lapsed: 0,
    }
    made.groups.set(key, group)
  }
  const status = statusAt({ status: 'found', due_at: line.due_at, taken: document.kind === 'ledger' }, now)
  group.disputes++
  // The sum stays exact: rupees of paise.
  group.amount = rupeesOf(Math.round(group.amount * 100) + line.amount)
  if (status !== 'found') group.lapsed++
  if (status !== 'found') made.lapsed++
  made.made++
  made.amount += line.amount
}

const none: ReadonlyMap<string, string> = new Map()

const sumOf = (lines: readonly OverLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/** Whether a document may credit some of what it bills too much itself; one that an earlier shipx kept does not say. */
const mayCredit = (one: Document): boolean =>
  (totalsOf(one).credited ?? one.credit_lines + one.unknown_lines + one.under_lines) > 0

/** Makes the disputes of a document, some hundreds in a transaction; a dry run looks only. */
async function disputesOf(
  context: Context,
  { database, account }: BesidePlace,
  document: Document,
  given: Options,
  due: DueOf,
  made: Made,
  stop: Stopping,
): Promise<void> {
  const now = context.io.host.now()
  const one = { ...document, courier: billerOf(document.form, document.courier), ledger: document.kind === 'ledger' }
  const change = changeBy(context, `disputes create, invoice ${document.number}`)
  const { min: least } = wantedLines(given)
  const credits = mayCredit(document)
  for (let after = ''; ;) {
    const found = await database.read(
      () => overLines(account, document.id, wantedLines(given), after, together),
      'single',
    )
    if (found.length === 0) break
    const weights = found.flatMap(({ reason, awb }) => (reason === 'weight' ? [awb] : []))
    const before = weights.length === 0 ? none : await database.read(() => announcedBefore(account, weights))
    const open = credits
      ? await database.read(() => claimedLines(database.dialect, account, document.id, found))
      : found
    const lines = open.flatMap((line): readonly DueLine[] => {
      if (line.amount < least) return []
      const announced = line.reason === 'weight' ? (given.announced ?? before.get(line.awb) ?? null) : null
      return [{ ...line, announced, due_at: due(line, announced) }]
    })
    const { fresh: wanted, moves } = given.dry_run
      ? { fresh: await database.read(() => undisputed(account, one, lines)), moves: 0 }
      : await database.write(function* () {
          const fresh = yield* makeDisputes(database.dialect, account, one, lines, change)
          const moves = yield* moveDeadlines(account, one.id, lines, due, change)
          yield* settleCredits(
            database.dialect,
            account,
            fresh.map(({ awb }) => awb),
            { ...change, source: 'credits kept before' },
          )
          return { fresh, moves }
        })
    made.moved += moves
    for (const line of wanted) addTo(made, document, line, now)
    made.before += lines.length - wanted.length
    made.credited += sumOf(found) - sumOf(open)
    made.lines += found.length
    await stop.between(() => stoppedAfter(made, given))
    after = found.at(-1)!.key
  }
}

const stoppedAfter = ({ made, lines, all }: Made, { dry_run: dry }: Options): { message: string; hint?: string } =>
  dry
    ? { message: 'stopped; nothing is changed' }
    : {
        message:
          `stopped after ${count(lines)} of ${counted(all, ['line', 'lines'])}; ` +
          `${counted(made, ['dispute is', 'disputes are'])} open`,
        hint: 'run the same command again to go on: a line has one dispute',
      }

const create = verb(options, async (context, given) => {
  const [number] = context.args
  const { from, dry_run: dry } = given
  refuse(context, [
    ...(from !== undefined && number === undefined
      ? [{ field: '<number>', message: 'is required after --from invoice: the number of the invoice' }]
      : []),
    ...(from === undefined && number !== undefined
      ? [
          {
            field: '<number>',
            message: `to take invoice ${safe(number)} alone: shipx disputes create --from invoice ${quoted(number)}`,
          },
        ]
      : []),
    ...(given.announced !== undefined && from === undefined
      ? [{ field: '--announced', message: 'goes with --from invoice' }]
      : []),
  ])
  checkShape(context, view)
  const versions = await versionsNamed(context, undefined)
  return withSource(context, dry ? 'read' : 'beside', async (source) => {
    const place = await besideOf(context, source, dry ? 'read' : 'write')
    try {
      const documents =
        number === undefined
          ? await countedDocuments(context, place, given.courier)
          : [await documentNamed(place, number, { courier: given.courier, list: 'shipx invoices list' })]
      const policies = (await place?.database.read(() => listPolicies(place.account), 'single')) ?? []
      const all = place === undefined ? 0 : await linesOver(place, documents, given)
      const made: Made = {
        groups: new Map(),
        made: 0,
        amount: 0,
        before: 0,
        moved: 0,
        lapsed: 0,
        credited: 0,
        lines: 0,
        all,
      }
      const stop = stopping(context)
      try {
        for (const document of documents)
          await disputesOf(context, place!, document, given, deadlineFor(document, policies, versions), made, stop)
      } finally {
        stop.end()
      }
      const groups = [...made.groups.values()].toSorted((a, b) => b.amount - a.amount)
      const what = `${counted(made.made, ['dispute', 'disputes'])}, ${showMoney(rupeesOf(made.amount), context.screen)}`
      if (dry) return await wouldDo(context, `open ${what}`, { create: groups })
      await printList(context, view, groups, 'No line costs too much, or each of them has its dispute.')
      if (made.made > 0) await done(context, `Opened ${what}`)
      await tellRest(context, made, groups)
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** How many lines of documents cost too much. */
async function linesOver(
  { database, account }: BesidePlace,
  documents: readonly Document[],
  given: Options,
): Promise<number> {
  let all = 0
  for (const { id } of documents) all += await database.read(() => countOver(account, id, wantedLines(given)), 'single')
  return all
}

/** The documents that count, of one courier where it is named. */
async function countedDocuments(
  context: Context,
  place: BesidePlace | undefined,
  courier: string | undefined,
): Promise<readonly Document[]> {
  const kept = (await place?.database.read(() => listDocuments(place.account), 'single')) ?? []
  const all = kept.filter((one) => one.superseded_at === null)
  if (courier === undefined) return all
  const namesOf = (one: Document): readonly string[] => [one.courier, billerOf(one.form, one.courier)]
  const named = await couriersWanted(context, place, courier, all.flatMap(namesOf))
  return all.filter((one) => namesOf(one).some((name) => named.includes(name)))
}

async function tellRest(context: Context, made: Made, groups: readonly Group[]): Promise<void> {
  if (made.before > 0)
    await context.note(
      `${count(made.before)} of these lines ${made.before === 1 ? 'has a dispute' : 'have disputes'} already`,
    )
  if (made.credited > 0)
    await context.note(
      `Left out: ${showMoney(rupeesOf(made.credited), context.screen)} that the same invoices credit for these parcels`,
    )
  if (made.moved > 0)
    await context.note(`Moved ${counted(made.moved, ['deadline', 'deadlines'])} to the policy as it is now`)
  if (made.lapsed > 0)
    await context.warn(
      `The window of ${counted(made.lapsed, ['dispute', 'disputes'])} is over by the policy. ` +
        'If your contract says more, set it (shipx courier policy set) and run this again.',
    )
  const courier = groups.find((one) => one.courier !== null && one.lapsed < one.disputes)?.courier
  if (courier != null) await context.note(`Next: shipx disputes export --courier ${quoted(safe(courier))}`)
}

export const verbs = { 'disputes create': create }
