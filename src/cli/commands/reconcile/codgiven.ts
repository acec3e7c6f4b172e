// A remittance before it is judged: from its file, as it is kept, or in place of itself.
import { basename, extname } from 'node:path'
import { ShipxError } from '../../../domain/errors.ts'
import { readWindow, windowText, type Window } from '../../../domain/money/deadlines.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import type { Document } from '../../../engine/money/documents.ts'
import { remittanceLinesOf } from '../../../engine/money/remittances.ts'
import { keepMaps, mapsOf } from '../../args/maps.ts'
import type { Context } from '../../command/context.ts'
import type { Maps } from '../../files/mapped.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { versionsNamed } from '../ratecards/cards.ts'
import { courierGiven, isCourierOf } from './billers.ts'
import { wrongTotals } from './coddeductions.ts'
import { openRemittance } from './codfile.ts'
import { refuseUnread } from './codjudging.ts'
import { keptCodOf, lineOfKept, type KeptCod, type ReadBy } from './codkeeper.ts'
import type { CodLine } from './codlines.ts'
import type { CodOptions } from './codoptions.ts'
import { readRemittance } from './codread.ts'
import type { CodUnread } from './codunread.ts'

/** A remittance before it is judged. */
export interface Given {
  readonly lines: readonly CodLine[]
  readonly form: string
  readonly number: string
  /** Whose parcels are due; undefined for those of all couriers in the file. */
  readonly courier: string | undefined
  readonly day: string | undefined
  readonly terms: KeptCod
  readonly cycle: Window | undefined
  /** ms UTC: as of when it is judged. */
  readonly now: number
  /** The kept remittance that this is. */
  readonly kept: Document | undefined
  /** Whether it is judged as of a day of this run, with what was kept since. */
  readonly anew: boolean
  readonly sha256: string | undefined
  /** The headers that nothing reads; undefined for a remittance that is not read again. */
  readonly unread: CodUnread | undefined
}

/** Kept lines that are read at a time. */
const piece = 2000

/** A file of a remittance. */
export interface CodSource {
  readonly path: string
  /** Of its content; undefined for standard input. */
  readonly sha256: string | undefined
  readonly place: BesidePlace | undefined
}

/** What the flags say of a file: how it is read, and the courier of --courier, else of --use-map. */
interface Asked {
  readonly read: ReadBy
  readonly name: string | undefined
}

function askedOf(context: Context, options: CodOptions): Asked {
  const { courier: saved, ...maps } = mapsOf(context, options)
  const { sheet, amounts, utr, date, courier = saved } = options
  return { read: { sheet, amounts, utr, date, maps }, name: courier }
}

/** A courier as it is spelt here; '' for a file of no one courier. */
function courierOf(
  context: Context,
  name: string,
  { dry_run, force }: CodOptions,
  place: BesidePlace | undefined,
): Promise<string> {
  const ofCard = async (): Promise<readonly string[]> =>
    (await versionsNamed(context, undefined)).flatMap(({ services }) => services.map((one) => one.carrier_name))
  return courierGiven(context, name, { place, ofCard, lenient: dry_run || force })
}

/** What a file says: its lines and its wrong totals. Keeps the maps of the flags, with the courier. */
async function readFile(
  context: Context,
  path: string,
  options: CodOptions,
  { sheet: named, amounts, utr, date, maps, courier }: ReadBy & Pick<Maps, 'courier'>,
) {
  const file = await openRemittance(context, { path, maps, sheet: named, format: options.format, amounts })
  try {
    await keepMaps(context, options.save_map, { ...maps, courier }, options.dry_run)
    const { lines, totals, unread } = await readRemittance(context, file, path, { utr, date })
    refuseUnread(lines)
    const sound = lines.filter(({ fault }) => fault === undefined)
    const days = lines.flatMap(({ on }) => on ?? []).toSorted()
    return { lines, unread, form: file.name, day: date ?? days.at(-1), ...wrongTotals(sound, totals) }
  } finally {
    file.sheet.close()
  }
}

/** The instant as of which a remittance is judged, ms UTC. */
const instantOf = ({ io }: Context, { as_of: day }: CodOptions): number =>
  Math.min(io.host.now(), day === undefined ? Infinity : readDay(day)![1])

/** Reads a remittance that is not kept yet, or that takes the place of one. */
export async function fromFile(
  context: Context,
  { path, sha256, place }: CodSource,
  options: CodOptions,
): Promise<Given> {
  const { cycle, since = 0, tolerance } = options
  const { read, name } = askedOf(context, options)
  const courier = name === undefined ? undefined : await courierOf(context, name, options, place)
  const { wrong, unexplained, ...file } = await readFile(context, path, options, { ...read, courier })
  const now = instantOf(context, options)
  const number =
    options.number ?? numberIn(file.lines) ?? (path === '-' ? 'standard input' : basename(path, extname(path)))
  return {
    ...file,
    number,
    courier: courier || undefined,
    terms: {
      cycle: cycle === undefined ? null : windowText(cycle),
      tolerance,
      since,
      now,
      wrong,
      unexplained,
      ...(courier === undefined ? { unnamed: true } : {}),
      read,
    },
    cycle,
    now,
    kept: undefined,
    anew: false,
    sha256,
  }
}

/** The number of a remittance by its lines: their one batch, else their one UTR. */
function numberIn(lines: readonly CodLine[]): string | undefined {
  const batches = new Set(lines.flatMap(({ batch }) => (batch === '' ? [] : [batch])))
  const utrs = new Set(lines.flatMap(({ utrs: own }) => (own.length === 0 ? [] : [own.join(', ')])))
  const [only, ...others] = batches.size > 0 ? batches : utrs
  return others.length === 0 ? only : undefined
}

/** The flags of this run that name another document, judge a kept one by other terms, and read it otherwise. */
interface OtherFlags {
  readonly names: readonly string[]
  readonly terms: readonly string[]
  readonly reading: readonly string[]
}

async function otherFlags(
  context: Context,
  place: BesidePlace,
  known: Document,
  options: CodOptions,
): Promise<OtherFlags> {
  const terms = keptCodOf(known)
  const { read: own, name } = askedOf(context, options)
  const sameCourier = name === undefined || (await isCourierOf(place, known.courier, name))
  const sameMaps = JSON.stringify(own.maps) === JSON.stringify(terms.read?.maps)
  const among = (same: Readonly<Record<string, boolean>>): readonly string[] =>
    Object.keys(same).flatMap((flag) => (context.flags.has(flag) && !same[flag]! ? [`--${flag}`] : []))
  return {
    names: among({
      number: options.number === known.number,
      [options.courier === undefined ? 'use-map' : 'courier']: sameCourier,
    }),
    terms: among({
      cycle: options.cycle !== undefined && windowText(options.cycle) === terms.cycle,
      tolerance: options.tolerance === terms.tolerance,
      since: options.since === terms.since,
      // What was kept since counts on the same day, too.
      'as-of': !options.dry_run && options.as_of === istDate(terms.now),
    }),
    reading: among({
      format: options.format === known.form,
      sheet: own.sheet === terms.read?.sheet,
      amounts: own.amounts === terms.read?.amounts,
      utr: own.utr === terms.read?.utr,
      date: own.date === terms.read?.date,
      map: sameMaps,
      'map-value': sameMaps,
      ignore: sameMaps,
      'use-map': sameMaps,
    }),
  }
}

/** A kept remittance as it was read: by the terms and what was known then. */
export async function fromKept(
  context: Context,
  source: CodSource & { readonly place: BesidePlace },
  known: Document,
  options: CodOptions,
): Promise<Given> {
  const others = await otherFlags(context, source.place, known, options)
  const all = [...new Set([...others.names, ...others.terms, ...others.reading])]
  const kept = `This file is kept as remittance ${safe(known.number)}`
  if (options.dry_run && all.length > 0) {
    await context.note(`${kept}; this run judges it anew with ${all.join(', ')}, and changes nothing.`)
    return anew(context, source, known, options, others)
  }
  if (others.names.length > 0) {
    const of = known.courier === '' ? '' : ` of ${safe(known.courier)}`
    throw new ShipxError('document_exists', `this file is kept as remittance ${safe(known.number)}${of}`, {
      hint:
        '--replace keeps it like this in the place of the first; --dry-run shows what that finds; or take it back: ' +
        `shipx cod remove ${quoted(known.number)}`,
    })
  }
  if (all.length > 0)
    await context.warn(
      `shipx ignored ${all.join(', ')}: this remittance keeps its first judgement. Judge it again: --replace.`,
    )
  await context.note(`${kept} already; nothing was changed.`)
  return asKept(source.place, known)
}

/** A kept remittance by its own lines and terms. */
export async function asKept({ database, account }: BesidePlace, known: Document): Promise<Given> {
  const lines: CodLine[] = []
  for (;;) {
    const page = await database.read(() => remittanceLinesOf(account, known.id, lines.length, piece), 'single')
    if (page.length === 0) break
    lines.push(...page.map(lineOfKept))
  }
  const terms = keptCodOf(known)
  const read = terms.cycle === null ? undefined : readWindow(terms.cycle)
  return {
    lines,
    form: known.form,
    number: known.number,
    courier: known.courier === '' || terms.unnamed === true ? undefined : known.courier,
    day: known.day ?? undefined,
    terms,
    cycle: read === undefined || 'fault' in read ? undefined : read.value,
    now: terms.now,
    kept: known,
    anew: false,
    sha256: known.sha256,
    unread: undefined,
  }
}

/** How a kept file is read again: by the flags, and where they say nothing as it was read. */
function readAgain(context: Context, { terms: { read } }: Given, own: ReadBy): ReadBy {
  const mapped = ['map', 'map-value', 'ignore', 'use-map'].some((flag) => context.flags.has(flag))
  return {
    sheet: own.sheet ?? read?.sheet,
    amounts: own.amounts ?? read?.amounts,
    utr: own.utr ?? read?.utr,
    date: own.date ?? read?.date,
    maps: mapped ? own.maps : (read?.maps ?? own.maps),
  }
}

/** A kept remittance in place of itself: by the flags, and where they say nothing by its own terms. */
async function anew(
  context: Context,
  { path, place }: CodSource & { readonly place: BesidePlace },
  known: Document,
  options: CodOptions,
  { reading }: OtherFlags,
): Promise<Given> {
  const first = await asKept(place, known)
  const { read, name } = askedOf(context, options)
  const courier = name === undefined ? first.courier : await courierOf(context, name, options, place)
  const again = { ...readAgain(context, first, read), courier }
  const file = reading.length === 0 ? undefined : await readFile(context, path, options, again)
  const { cycle = first.cycle, since = first.terms.since } = options
  const now = options.as_of === undefined ? first.now : instantOf(context, options)
  const { wrong, unexplained } = file ?? first.terms
  return {
    ...first,
    ...(file === undefined ? {} : { lines: file.lines, form: file.form, day: file.day, unread: file.unread }),
    number: options.number ?? first.number,
    courier: courier || undefined,
    cycle,
    now,
    terms: {
      ...first.terms,
      tolerance: context.flags.has('tolerance') ? options.tolerance : first.terms.tolerance,
      since,
      now,
      wrong,
      unexplained,
    },
    anew: options.as_of !== undefined,
  }
}
