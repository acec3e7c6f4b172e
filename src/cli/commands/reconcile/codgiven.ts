// A remittance before it is judged: read from its file, or as it is kept.
import { basename, extname } from 'node:path'
import { ShipxError } from '../../../domain/errors.ts'
import { readWindow, windowText, type Window } from '../../../domain/money/deadlines.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import type { Document } from '../../../engine/money/documents.ts'
import { remittanceLinesOf, type Counted } from '../../../engine/money/remittances.ts'
import { keepMaps, mapsOf } from '../../args/maps.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { safe } from '../../terminal/safe.ts'
import { courierGiven, isCourierOf } from './billers.ts'
import { wrongTotals } from './coddeductions.ts'
import { openRemittance } from './codfile.ts'
import { refuseUnread } from './codjudging.ts'
import { keptCodOf, lineOfKept, type KeptCod } from './codkeeper.ts'
import type { CodLine } from './codlines.ts'
import type { CodOptions } from './codoptions.ts'
import { readRemittance } from './codread.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** Kept lines that are read at a time. */
const piece = 2000

/** A remittance before it is judged: from its file, or as it is kept. */
export interface Given {
  readonly lines: readonly CodLine[]
  readonly form: string
  readonly number: string
  /** Whose parcels are due; undefined where all are. */
  readonly courier: string | undefined
  readonly day: string | undefined
  readonly terms: KeptCod
  readonly cycle: Window | undefined
  /** ms UTC: as of when it is judged. */
  readonly now: number
  readonly counted: Counted
  readonly sha256: string | undefined
}

/** Reads a remittance that is not kept yet. */
export async function fromFile(
  context: Context,
  path: string,
  options: CodOptions,
  sha256: string | undefined,
  place: BesidePlace | undefined,
): Promise<Given> {
  const maps = mapsOf(context, options)
  const { sheet: named, format, amounts, utr, date, cycle, since = 0, tolerance } = options
  const file = await openRemittance(context, { path, maps, sheet: named, format, amounts })
  try {
    const courier = await courierOf(context, options, maps.courier, place)
    await keepMaps(context, options.save_map, { ...maps, courier }, options.dry_run)
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

/** The courier of --courier, else that of --use-map, as it is spelt here. */
async function courierOf(
  context: Context,
  { courier, dry_run, force }: CodOptions,
  saved: string | undefined,
  place: BesidePlace | undefined,
): Promise<string | undefined> {
  const name = courier ?? saved
  if (name === undefined) return undefined
  const ofCard = async (): Promise<readonly string[]> =>
    (await versionsNamed(context, undefined)).flatMap(({ services }) => services.map((one) => one.carrier_name))
  const found = await courierGiven(context, name, { place, ofCard, lenient: dry_run || force })
  return found === '' ? undefined : found
}

/** The number of a remittance by its lines: their one batch, else their one UTR. */
function numberIn(lines: readonly CodLine[]): string | undefined {
  const batches = new Set(lines.flatMap(({ batch }) => (batch === '' ? [] : [batch])))
  const utrs = new Set(lines.flatMap(({ utrs: own }) => (own.length === 0 ? [] : [own.join(', ')])))
  const [only, ...others] = batches.size > 0 ? batches : utrs
  return others.length === 0 ? only : undefined
}

/** A kept remittance as it was read: by the terms and what was known then. */
export async function fromKept(
  context: Context,
  place: BesidePlace,
  known: Document,
  options: CodOptions,
): Promise<Given> {
  const { database, account } = place
  if (
    (options.number !== undefined && options.number !== known.number) ||
    (options.courier !== undefined && !(await isCourierOf(place, known.courier, options.courier)))
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
    courier: known.courier === '' || terms.everyone === true ? undefined : known.courier,
    day: known.day ?? undefined,
    terms,
    cycle: read === undefined || 'fault' in read ? undefined : read.value,
    now: terms.now,
    counted: { before: known.created_at },
    sha256: known.sha256,
  }
}
