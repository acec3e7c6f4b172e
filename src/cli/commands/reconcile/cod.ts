// `shipx reconcile cod`: what a courier remitted of COD against what was due, and what reached the bank
// (docs/guides/cod.md).
import { basename, extname } from 'node:path'
import { count, counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { readWindow, windowText, type Window } from '../../../domain/money/deadlines.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { keepsPayments } from '../../../engine/money/codowed.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import { codKinds, documentOf, type Document, type NewDocument } from '../../../engine/money/documents.ts'
import { parcelPlace, type ParcelPlace } from '../../../engine/money/parcels.ts'
import { remittanceLinesOf, type Counted } from '../../../engine/money/remittances.ts'
import { keepSought } from '../../../engine/money/transfers.ts'
import { keepMaps, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { checkPlace } from '../../files/userfiles.ts'
import { showMoney } from '../../output/display.ts'
import { done } from '../../output/outcome.ts'
import { checkShape } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { bankOf, noBank, type CodBank } from './codbank.ts'
import { deductionsOf, sumsOf, wrongTotals } from './coddeductions.ts'
import { openRemittance } from './codfile.ts'
import { judgeOwed, judgePaid, refuseUnread, type CodBench, type CodOutcome } from './codjudging.ts'
import { keepDocuments, keptCodOf, keptLines, lineOfKept, type Keeping, type KeptCod } from './codkeeper.ts'
import type { CodLine } from './codlines.ts'
import { codFaults, codOptions, type CodOptions } from './codoptions.ts'
import { codOutput } from './codoutput.ts'
import { codTally, type CodTally } from './codpage.ts'
import { codRecord, codView } from './codrecords.ts'
import { readRemittance } from './codread.ts'
import { codTermsHere } from './codterms.ts'
import { contentOf } from './keeper.ts'

const noPlace: ParcelPlace = {
  dialect: { planning: undefined },
  account: 0,
  warehouses: new Map(),
  orders: false,
  skus: false,
}

/** Kept lines that are read at a time. */
const piece = 2000

/** A remittance before it is judged: from its file, or as it is kept. */
interface Given {
  readonly lines: readonly CodLine[]
  readonly form: string
  readonly number: string
  readonly courier: string | undefined
  readonly day: string | undefined
  readonly terms: KeptCod
  readonly cycle: Window | undefined
  /** ms UTC: as of when it is judged. */
  readonly now: number
  readonly counted: Counted
  readonly sha256: string | undefined
}

const cod = verb(codOptions, async (context, options) => {
  const [path = ''] = context.args
  refuse(context, codFaults(options, path))
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
      if (known === undefined && !options.dry_run && !context.flags.has('yes') && !canAsk(context))
        throw new ShipxError('needs_answer', 'to keep the remittance needs a yes', { hint: 'add --yes, or --dry-run' })
      if (known?.kind === 'bank')
        throw new ShipxError('unknown_form', `this file is kept as statement ${safe(known.number)}`, {
          hint: 'name the remittance as <file>, and the statement with --bank',
        })
      const given =
        known === undefined
          ? await fromFile(context, path, options, sha256)
          : await fromKept(context, place!, known, options)
      return await reconcileCod(context, given, options, place, known)
    } finally {
      await place?.close()
    }
  })
})

/** Reads a remittance that is not kept yet. */
async function fromFile(
  context: Context,
  path: string,
  options: CodOptions,
  sha256: string | undefined,
): Promise<Given> {
  const maps = mapsOf(context, options)
  const { sheet: named, format, amounts, utr, date, courier, cycle, since = 0, tolerance } = options
  const file = await openRemittance(context, { path, maps, sheet: named, format, amounts })
  try {
    await keepMaps(context, options.save_map, maps, options.dry_run)
    const { lines, totals } = await readRemittance(context, file, path, { utr, date })
    refuseUnread(lines)
    const sound = lines.filter(({ fault }) => fault === undefined)
    const { wrong, unexplained } = wrongTotals(sound, totals)
    const asOf = options.as_of === undefined ? Infinity : readDay(options.as_of)![1]
    const now = Math.min(context.io.host.now(), asOf)
    const number =
      options.number ?? numberIn(lines) ?? (path === '-' ? 'standard input' : basename(path, extname(path)))
    const days = lines.flatMap(({ on }) => on ?? []).toSorted()
    return {
      lines,
      form: file.name,
      number,
      courier,
      day: date ?? days.at(-1),
      terms: { cycle: cycle === undefined ? null : windowText(cycle), tolerance, since, now, wrong, unexplained },
      cycle,
      now,
      counted: options.replace ? { except: number } : {},
      sha256,
    }
  } finally {
    file.sheet.close()
  }
}

/** The number of a remittance by its lines: their one batch, else their one UTR. */
function numberIn(lines: readonly CodLine[]): string | undefined {
  const batches = new Set(lines.flatMap(({ batch }) => (batch === '' ? [] : [batch])))
  const utrs = new Set(lines.flatMap(({ utrs: own }) => (own.length === 0 ? [] : [own.join(', ')])))
  const [only, ...others] = batches.size > 0 ? batches : utrs
  return others.length === 0 ? only : undefined
}

/** A kept remittance as it was read: by the terms and what was known then. */
async function fromKept(
  context: Context,
  { database, account }: BesidePlace,
  known: Document,
  options: CodOptions,
): Promise<Given> {
  if (
    (options.number !== undefined && options.number !== known.number) ||
    (options.courier !== undefined && options.courier !== known.courier)
  )
    throw new ShipxError('document_exists', `this file is kept as remittance ${safe(known.number)}`, {
      hint: `shipx cod remove ${safe(known.number)}, then read it again`,
    })
  const terms = keptCodOf(known)
  const others = ['cycle', 'tolerance', 'since', 'as-of', 'format'].filter((flag) => context.flags.has(flag))
  const same = others.every(
    (flag) =>
      (flag === 'cycle' && options.cycle !== undefined && windowText(options.cycle) === terms.cycle) ||
      (flag === 'tolerance' && options.tolerance === terms.tolerance) ||
      (flag === 'since' && options.since === terms.since) ||
      (flag === 'as-of' && options.as_of === istDate(terms.now)) ||
      (flag === 'format' && options.format === known.form),
  )
  if (!same)
    await context.warn(
      `shipx ignored ${others.map((flag) => `--${flag}`).join(', ')}: this remittance keeps its first judgement. ` +
        'Judge it again: --replace.',
    )
  await context.note(`This file is kept as remittance ${safe(known.number)} already; nothing was changed.`)
  const lines: CodLine[] = []
  for (;;) {
    const page = await database.read(() => remittanceLinesOf(account, known.id, lines.length, piece), 'single')
    if (page.length === 0) break
    lines.push(...page.map(lineOfKept))
  }
  const read = terms.cycle === null ? undefined : readWindow(terms.cycle)
  return {
    lines,
    form: known.form,
    number: known.number,
    courier: known.courier === '' ? undefined : known.courier,
    day: known.day ?? undefined,
    terms,
    cycle: read === undefined || 'fault' in read ? undefined : read.value,
    now: terms.now,
    counted: { before: known.created_at },
    sha256: known.sha256,
  }
}

/** Judges a remittance, prints it, and keeps what is not kept. */
async function reconcileCod(
  context: Context,
  given: Given,
  options: CodOptions,
  place: BesidePlace | undefined,
  known: Document | undefined,
): Promise<number> {
  const { terms: kept, cycle, courier, now } = given
  const terms = await codTermsHere(context, place, cycle)
  const bench: CodBench = {
    database: place?.database,
    place:
      place === undefined
        ? noPlace
        : await place.database.read(() => parcelPlace(place.database.dialect, place.account, new Map())),
    courier,
    terms,
    now,
    tolerance: kept.tolerance,
    counted: given.counted,
    since: kept.since,
    force: options.force || known !== undefined,
  }
  const sound = given.lines.filter(({ fault }) => fault === undefined)
  const outcomes = await judgePaid(sound, bench)
  const bank = options.bank === undefined ? noBank : await bankOf(context, options, { lines: sound, place, given })
  const tally = codTally()
  const out = codOutput(context, options)
  await print(out, outcomes, bank, tally, bench, place)
  const deductions = deductionsOf(sound, outcomes, kept.unexplained, bank.matches)
  const sums = sumsOf(sound)
  await out.finish(tally, {
    courier,
    number: given.number,
    day: given.day,
    form: given.form,
    lines: sound.length,
    ...sums,
    cycle: terms.words(courier),
    deductions,
    wrong: kept.wrong,
    bank: bank.records,
  })
  if (!options.dry_run && place !== undefined)
    await keep(context, { given, outcomes, bank, known, options, place, tally })
  const unread = given.lines.filter(({ fault }) => fault !== undefined)
  if (unread.length === 0) return 0
  throw new ShipxError('partial', `${counted(unread.length, ['line', 'lines'])} cannot be read`, {
    details: unread.slice(0, 50).map(({ line, fault }) => ({ field: null, message: fault!, row: line })),
  })
}

/** Prints what was paid and what is due besides. */
async function print(
  out: ReturnType<typeof codOutput>,
  outcomes: readonly CodOutcome[],
  bank: CodBank,
  tally: CodTally,
  bench: CodBench,
  place: BesidePlace | undefined,
): Promise<void> {
  const seen = new Set<string>()
  const show = (some: readonly CodOutcome[]): Promise<void> => {
    for (const one of some) tally.add(one)
    return out.add(some.map((one) => codRecord(one, bank.verdictOf(one.utrs))))
  }
  for (const one of outcomes) seen.add(one.awb)
  for (let at = 0; at < outcomes.length; at += 500) await show(outcomes.slice(at, at + 500))
  if (place !== undefined) {
    const paid = await place.database.read(() => keepsPayments(place.account), 'single')
    for await (const owed of judgeOwed(bench, paid)) {
      const due = owed.filter(({ awb }) => !seen.has(awb))
      if (due.length > 0) await show(due)
    }
  }
}

/** What is kept of a run. */
interface Kept {
  readonly given: Given
  readonly outcomes: readonly CodOutcome[]
  readonly bank: CodBank
  readonly known: Document | undefined
  readonly options: CodOptions
  readonly place: BesidePlace
  readonly tally: CodTally
}

/** Asks, and keeps the remittance and the statement that are not kept yet. */
async function keep(context: Context, { given, outcomes, bank, known, options, place, tally }: Kept): Promise<void> {
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
    const { number, form, day = null, courier = '', sha256 = '' } = given
    keeping.push({
      document: one('remittance', { number, sha256, form, day, courier }),
      sums: {
        lines: sound.length,
        billed: sumsOf(sound).remitted,
        expected: outcomes.reduce((sum, { due }) => sum + due, 0),
        reasons: JSON.stringify(given.terms),
      },
      lines: keptLines(sound, outcomes),
    })
  }
  if (bank.fresh !== undefined)
    keeping.push({ ...bank.fresh, document: one('bank', { ...bank.fresh.document, courier: '' }) })
  if (keeping.length === 0) return keepNews(place, bank)
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
  await keepNews(place, bank)
  for (const { document, sums } of keeping)
    await done(
      context,
      document.kind === 'bank'
        ? `Kept statement ${safe(document.number)}: ${counted(sums.lines, ['credit', 'credits'])} with a UTR`
        : `Kept remittance ${safe(document.number)}: ${count(sums.lines)} lines, ${money(sums.billed)} remitted`,
    )
}

/** Writes down what a statement that is kept already says of the transfers of this remittance. */
async function keepNews({ database, account }: BesidePlace, { news }: CodBank): Promise<void> {
  if (news !== undefined) await database.write(() => keepSought(account, news.statement, news.text))
}

export const verbs = { 'reconcile cod': cod }
