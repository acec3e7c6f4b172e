// `shipx reconcile cod`: what a courier remitted of COD against what was due, and what reached the bank
// (docs/guides/cod.md).
import { count, counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { keepsPayments } from '../../../engine/money/codowed.ts'
import { codKinds, documentOf, type Document, type NewDocument } from '../../../engine/money/documents.ts'
import { noParcels, parcelPlace } from '../../../engine/money/parcelplace.ts'
import { verb } from '../../args/options.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { shownHeaders } from '../../files/shownheaders.ts'
import { checkPlace } from '../../files/userfiles.ts'
import { showMoney } from '../../output/display.ts'
import { done } from '../../output/outcome.ts'
import { checkShape } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { carriersOf, speltHere } from './billers.ts'
import type { UnreadRow } from './bankfile.ts'
import { bankFor, type CodBank } from './codbank.ts'
import { couriersIn, type CodCouriers } from './codcouriers.ts'
import { deductionsOf, sumsOf, unexplainedOf } from './coddeductions.ts'
import { fromFile, fromKept, type Given } from './codgiven.ts'
import {
  judgeOwed,
  judgePaid,
  matchPaid,
  type CodBench,
  type CodMatching,
  type CodOutcome,
  type PaidAwb,
} from './codjudging.ts'
import { keepDocuments, keptLines, type Keeping } from './codkeeper.ts'
import { keepNews, marksFor } from './codmarks.ts'
import type { CodLine } from './codlines.ts'
import { codFaults, codOptions, noStatement, type CodOptions } from './codoptions.ts'
import { othersOf } from './codothers.ts'
import { codOutput } from './codoutput.ts'
import { codTally, type CodTally } from './codpage.ts'
import { codRecord, codView } from './codrecords.ts'
import { codTermsHere } from './codterms.ts'
import { contentOf } from './keeper.ts'
import { paidStandings, refuseNumber, refuseSameLines } from './samebill.ts'

const cod = verb(codOptions, async (context, options) => {
  const [path = ''] = context.args
  refuse(context, codFaults(options, path, context.format))
  checkShape(context, codView)
  if (options.out_bank !== undefined) checkPlace(options.out_bank, options.force, '--out-bank')
  return withSource(context, 'beside', async (source) => {
    const place = await besideOf(context, source, options.dry_run ? 'read' : 'write')
    try {
      const sha256 = path === '-' ? undefined : await contentOf(path)
      const known =
        place === undefined || sha256 === undefined || options.replace
          ? undefined
          : await place.database.read(() => documentOf(place.account, sha256, codKinds), 'single')
      if (known === undefined) refuse(context, noStatement(options))
      if (known === undefined && !options.dry_run && !context.flags.has('yes') && !canAsk(context))
        throw new ShipxError('needs_answer', 'to keep the remittance needs a yes', { hint: 'add --yes, or --dry-run' })
      if (known?.kind === 'bank')
        throw new ShipxError('unknown_form', `this file is kept as statement ${safe(known.number)}`, {
          hint: 'name the remittance as <file>, and the statement with --bank',
        })
      const given =
        known === undefined
          ? await fromFile(context, { path, sha256, place }, options)
          : await fromKept(context, { path, sha256, place: place! }, known, options)
      return await reconcileCod(context, given, options, place, known)
    } finally {
      await place?.close()
    }
  })
})

/** Judges a remittance, prints it, and keeps what is not kept. */
export async function reconcileCod(
  context: Context,
  given: Given,
  options: CodOptions,
  place: BesidePlace | undefined,
  known: Document | undefined,
): Promise<number> {
  const { terms: kept, cycle, courier, now } = given
  const terms = await codTermsHere(context, place, cycle)
  const matching: CodMatching = {
    database: place?.database,
    place:
      place === undefined
        ? noParcels
        : await place.database.read(() => parcelPlace(place.database.dialect, place.account, new Map())),
    courier,
    terms,
    now,
    tolerance: kept.tolerance,
    since: kept.since,
    force: options.force || known !== undefined,
  }
  const sound = given.lines.filter(({ fault }) => fault === undefined)
  const paid = await matchPaid(sound, matching)
  const owner = await ownerOf(place, given, paid)
  const judging = { replace: options.replace, today: context.io.host.now() }
  const bench: CodBench = { ...matching, others: await othersOf(place, given, owner, judging) }
  const outcomes = await judgePaid(paid, bench)
  await minded(context, given, outcomes, options)
  if (known === undefined && place !== undefined) await refuseKept(place, given, owner, outcomes, options)
  const bank = await bankFor(context, options, { lines: sound, place, bench }, known)
  const couriers = couriersIn(courier, outcomes)
  const tally = codTally(options.mail)
  const out = codOutput(context, options)
  const others = await print(out, outcomes, { bank, tally, bench, couriers })
  const unexplained = unexplainedOf(sound, kept.unexplained, bank.matches, bank.asked)
  const sums = sumsOf(sound)
  await out.finish(tally, {
    courier: couriers.only,
    number: given.number,
    day: given.day,
    form: given.form,
    lines: sound.length,
    ...sums,
    cycle: terms.words(couriers.only),
    deductions: deductionsOf(sound, outcomes, unexplained),
    unexplained,
    wrong: kept.wrong,
    bank: bank.records,
    asked: bank.asked,
    others,
  })
  if (others > 0 && courier === undefined) await noteOthers(context, others)
  if (!options.dry_run && place !== undefined)
    await keep(context, { given, owner, outcomes, bank, known, bench, options, place, tally })
  const unread = given.lines.filter(({ fault }) => fault !== undefined)
  if (unread.length === 0 && bank.unread.length === 0) return 0
  throw unreadIn(unread, bank.unread)
}

/** Names the lines of a remittance and the rows of its statement that cannot be read. */
function unreadIn(lines: readonly Pick<CodLine, 'line' | 'fault'>[], rows: readonly UnreadRow[]): ShipxError {
  const what = [
    ...(lines.length === 0 ? [] : [counted(lines.length, ['line', 'lines'])]),
    ...(rows.length === 0 ? [] : [counted(rows.length, ['row of the statement', 'rows of the statement'])]),
  ]
  return new ShipxError('partial', `${what.join(' and ')} cannot be read`, {
    details: [
      ...lines.slice(0, 50).map(({ line, fault }) => ({ field: null, message: fault!, row: line })),
      ...rows.slice(0, 50).map(({ line, fault }) => ({ field: '--bank', message: fault, row: line })),
    ],
  })
}

/** Names the headers that nothing reads. Throws `unread_amounts` where the lines do not add up without them. */
async function minded(
  context: Context,
  { lines, unread, terms: { wrong } }: Given,
  outcomes: readonly CodOutcome[],
  { force }: CodOptions,
): Promise<void> {
  if (unread === undefined || unread.headers.length === 0) return
  if (!force) unread.refuse({ lines, outcomes, wrong })
  await context.warn(
    `Not read: ${shownHeaders(unread.headers)}. Name them with --map "<header>=<column>", or leave them out with ` +
      '--ignore.',
  )
}

/** Whose remittance it is, '' of nobody: as --courier says, else the one courier of its parcels. */
async function ownerOf(place: BesidePlace | undefined, given: Given, paid: readonly PaidAwb[]): Promise<string> {
  const { courier, terms, form } = given
  if (courier !== undefined || terms.unnamed !== true) return courier ?? ''
  const [only, ...others] = carriersOf(paid.map(({ matched }) => matched))
  // A platform pays for all of its couriers.
  if (only === undefined || others.length > 0 || form !== 'cod' || place === undefined) return ''
  return speltHere(place, only[0])
}

/** Throws `document_differs` where a remittance is kept under this number, and `document_exists` for the same lines. */
async function refuseKept(
  place: BesidePlace,
  { number, sha256 }: Given,
  courier: string,
  outcomes: readonly CodOutcome[],
  { replace, force }: CodOptions,
): Promise<void> {
  if (!replace) await refuseNumber(place, { kind: 'remittance', number, courier, sha256 })
  if (!force) await refuseSameLines(place, { kinds: ['remittance'], number, sha256 }, paidStandings(outcomes))
}

/** What a remittance is printed with. */
interface Printing {
  readonly bank: CodBank
  readonly tally: CodTally
  readonly bench: CodBench
  readonly couriers: CodCouriers
}

/** Prints what was paid and what is due besides; returns how many unpaid parcels of other couriers it left out. */
async function print(
  out: ReturnType<typeof codOutput>,
  outcomes: readonly CodOutcome[],
  { bank, tally, bench, couriers }: Printing,
): Promise<number> {
  const seen = new Set<string>()
  const show = (some: readonly CodOutcome[]): Promise<void> => {
    for (const one of some) tally.add(one)
    return out.add(some.map((one) => codRecord(one, bank.verdictOf(one.utrs))))
  }
  for (const one of outcomes) seen.add(one.awb)
  for (let at = 0; at < outcomes.length; at += 500) await show(outcomes.slice(at, at + 500))
  const { database, place } = bench
  if (database === undefined) return 0
  const paid = await database.read(() => keepsPayments(place.account), 'single')
  let others = 0
  for await (const owed of judgeOwed(bench, paid)) {
    const due = owed.filter(({ awb, by }) => !seen.has(awb) && couriers.wanted(by))
    others += owed.filter(({ awb, by }) => !seen.has(awb) && !couriers.wanted(by)).length
    if (due.length > 0) await show(due)
  }
  return others
}

/** Says that unpaid parcels of couriers which the remittance has no parcel of are not listed. */
const noteOthers = (context: Context, others: number): Promise<void> =>
  context.note(
    `Left out: ${counted(others, ['unpaid parcel', 'unpaid parcels'])} of couriers that this file does not name. ` +
      'All couriers: shipx cod due',
  )

/** What is kept of a run. */
interface Kept {
  readonly given: Given
  readonly owner: string
  readonly outcomes: readonly CodOutcome[]
  readonly bank: CodBank
  readonly known: Document | undefined
  readonly bench: CodBench
  readonly options: CodOptions
  readonly place: BesidePlace
  readonly tally: CodTally
}

/** Asks, and keeps the remittance and the statement that are not kept yet. */
async function keep(
  context: Context,
  { given, owner: courier, outcomes, bank, known, bench, options, place, tally }: Kept,
): Promise<void> {
  const { host } = context.io
  const one = (
    kind: 'remittance' | 'bank',
    more: Pick<NewDocument, 'number' | 'sha256' | 'form' | 'day' | 'courier'>,
  ): NewDocument => ({
    id: host.uuid(),
    kind,
    card: '',
    gst: 'none',
    dispute_by: null,
    created_at: host.now(),
    ...more,
  })
  const keeping: Keeping[] = []
  const sound = given.lines.filter(({ fault }) => fault === undefined)
  if (known === undefined && sound.length === 0) await context.note('The file has no lines: nothing is kept.')
  if (known === undefined && sound.length > 0) {
    const { number, form, day = null, sha256 = '' } = given
    const marks = await marksFor(place, sound, outcomes, options.bank !== undefined)
    keeping.push({
      document: one('remittance', { number, sha256, form, day, courier }),
      sums: {
        lines: sound.length,
        billed: sumsOf(sound).remitted,
        expected: outcomes.reduce((sum, { due }) => sum + due, 0),
        reasons: JSON.stringify({ ...given.terms, ...marks }),
      },
      lines: keptLines(sound, outcomes),
    })
  }
  if (bank.fresh !== undefined)
    keeping.push({ ...bank.fresh, document: one('bank', { ...bank.fresh.document, courier: '' }) })
  const { inBank: seen } = bench.others
  if (keeping.length === 0) {
    await keepNews(place, sound, bank, known, seen)
    return noteNews(context, bank)
  }
  const money = (paise: number): string => showMoney(rupeesOf(paise), context.screen)
  const overdue = tally.verdicts.get('overdue')
  const what = keeping.map(({ document, sums }) =>
    document.kind === 'bank'
      ? `statement ${safe(document.number)}`
      : `remittance ${safe(document.number)}, ${counted(sums.lines, ['line', 'lines'])}, ` +
        `${money(sums.billed)} remitted` +
        (overdue === undefined ? '' : `, ${money(-overdue.difference)} overdue`),
  )
  await confirm(context, `Keep ${what.join('; and ')}`)
  await keepDocuments(context, place, keeping, options.replace)
  await keepNews(place, sound, bank, known, seen)
  for (const { document, sums, credits = [] } of keeping)
    await done(
      context,
      document.kind === 'bank'
        ? `Kept statement ${safe(document.number)}: ${creditWords(credits, '')} with a UTR`
        : `Kept remittance ${safe(document.number)}: ${count(sums.lines)} lines, ${money(sums.billed)} remitted`,
    )
  await noteNews(context, bank)
}

/** How many credits, and how many transfers that went back. */
function creditWords(rows: readonly { readonly amount: number }[], more: string): string {
  const back = rows.filter(({ amount }) => amount < 0).length
  const came = counted(rows.filter(({ amount }) => amount > 0).length, [`${more}credit`, `${more}credits`])
  return back === 0 ? came : `${came} and ${counted(back, ['return', 'returns'])}`
}

/** Says that a kept statement has more credits now. */
async function noteNews(context: Context, { news }: CodBank): Promise<void> {
  if (news === undefined || news.credits.fresh.length === 0) return
  const what = creditWords(news.credits.fresh, 'more ')
  await done(context, `Kept ${what} of statement ${safe(news.statement.number)}`)
}

export const verbs = { 'reconcile cod': cod }
