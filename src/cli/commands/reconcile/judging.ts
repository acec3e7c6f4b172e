// Judges the lines of an invoice some hundreds at a time: one statement finds their parcels, and each line is then
// judged in the order of the file.
import type { Billed, Judged, Seen } from '../../../domain/money/billed.ts'
import { isSameBiller } from '../../../domain/money/billers.ts'
import { judge, noCard, type Bench } from '../../../domain/money/judge.ts'
import { reusedAfter, type KnownParcel } from '../../../domain/money/parcel.ts'
import { legOf, mayBeBack, wayBack } from '../../../domain/money/legs.ts'
import { seenAwbs, type OlderAwbs } from '../../../domain/money/seenawbs.ts'
import { waysBilled } from '../../../domain/money/ways.ts'
import { suffixJourney } from '../../../domain/money/words.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import { isList, parcelsOf, parcelsOfOrders, type Found } from '../../../engine/money/parcels.ts'
import { type ParcelPlace } from '../../../engine/money/parcelplace.ts'
import type { EarlierAwb, ForeignLines } from '../../../engine/money/lines.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { folded } from '../../files/headers.ts'

/** What earlier documents billed of an AWB. */
export type Earlier = Pick<Seen, 'before' | 'beforeNet' | 'earlier' | 'billedBefore'>

/** Where lines are matched. */
export interface Matching {
  /** The database of the records; undefined where there is none. */
  readonly database: Database | undefined
  readonly place: ParcelPlace
  /** The parcels of --parcels by AWB. */
  readonly parcels: ReadonlyMap<string, KnownParcel>
  /** What earlier documents billed of AWBs; those that none billed are left out. Undefined where none is kept. */
  readonly earlier?: (awbs: readonly string[], number: string) => Work<ReadonlyMap<string, EarlierAwb>>
  /** ms UTC of the document: of an AWB that was used again, it says which parcel a line without a day bills. */
  readonly date: number | undefined
}

/** How a line found its parcel. */
export type MatchedBy = 'awb' | 'order' | 'suffix' | 'parcels' | 'child'

/** A line with its parcel and its judgement. */
export interface Outcome {
  readonly line: Billed
  readonly parcel: KnownParcel | undefined
  readonly matchedBy: MatchedBy | undefined
  readonly judged: Judged
  readonly earlier: Earlier['earlier']
  /** What was billed for its parcel in all, with this line, paise. */
  readonly net: number
}

/** A line with its parcel. */
export interface Matched {
  readonly line: Billed
  readonly parcel: KnownParcel | undefined
  readonly matchedBy: MatchedBy | undefined
  readonly earlier: Earlier | undefined
}

const suffix = /-(?:RTO|R|RP|C)$/i
const noEarlier: Earlier['earlier'] = []

/** What lines are matched by. */
export type Matcher = Pick<Bench, 'courier' | 'sameCourier' | 'dayOf' | 'alone'>

/**
 * Finds the parcels of lines: by AWB, by the file of --parcels, by order and courier, by an AWB without its suffix. A
 * box without a record counts as its parcel.
 */
export async function match(lines: readonly Billed[], matching: Matching, bench: Matcher): Promise<readonly Matched[]> {
  const { database, parcels } = matching
  const awbs = [...new Set(lines.flatMap(({ awb, child }) => (child === '' ? [awb] : [awb, child])))]
  if (bench.alone === true) return matchedAlone(lines, awbs, matching, bench)
  if (database === undefined) return lines.map((line) => ({ ...byParcels(parcels, line), earlier: undefined }))
  const known = await database.read(() => knownOf(lines, awbs, matching))
  return lines.map((line) => {
    const one = matchOf(line, known, matching, bench)
    const before = known.before.size === 0 ? undefined : known.before.get(billedAwb(one))
    return { ...one, earlier: before && ofParcel(before, one, bench) }
  })
}

/** Lines without parcels, with what earlier documents billed. */
async function matchedAlone(
  lines: readonly Billed[],
  awbs: readonly string[],
  { database, earlier }: Matching,
  bench: Matcher,
): Promise<readonly Matched[]> {
  const before =
    database === undefined || earlier === undefined
      ? noneEarlier
      : await database.read(() => earlier(awbs, lines[0]!.number), 'single')
  return lines.map((line) => {
    const one = { line, parcel: undefined, matchedBy: undefined }
    const known = before.get(billedAwb(one))
    return { ...one, earlier: known && ofParcel(known, one, bench) }
  })
}

/** The AWB of the parcel of a line that prints another one; '' for any other line. */
export const otherAwb = ({ parcel, matchedBy }: Match): string =>
  matchedBy === 'order' || matchedBy === 'suffix' ? parcel!.awb : ''

/** The AWB that a line bills: of a box its own, of a parcel that its order or a suffix found that of the parcel. */
export const billedAwb = (one: Match): string =>
  one.line.child === '' ? otherAwb(one) || one.line.awb : one.line.child

/** What is known of the parcels of some lines. */
interface Known {
  readonly found: Found
  readonly before: ReadonlyMap<string, EarlierAwb>
  readonly orders: Found
  readonly bare: Found
}

/**
 * Finds what is known of the parcels of some lines. A generator that is made anew for each piece has a hidden class of
 * its own, which would hold the piece in memory until all of V8's heap is collected.
 */
function* knownOf(
  lines: readonly Billed[],
  awbs: readonly string[],
  { place, parcels, earlier }: Matching,
): Work<Known> {
  const found = yield* parcelsOf(place, awbs)
  const before = earlier === undefined ? noneEarlier : yield* earlier(awbs, lines[0]!.number)
  const left = lines.filter(({ awb, child }) => ![awb, child].some((name) => found.has(name) || parcels.has(name)))
  const named = [...new Set(left.flatMap(({ order }) => (order === '' ? [] : [order])))]
  const cut = [...new Set(left.flatMap(({ awb }) => (suffix.test(awb) ? [awb.replace(suffix, '')] : [])))]
  const orders = named.length === 0 ? none : yield* parcelsOfOrders(place, named)
  const bare = cut.length === 0 ? none : yield* parcelsOf(place, cut)
  const others = [...orders.values(), ...bare.values()].flat().flatMap(({ awb }) => (awb === '' ? [] : [awb]))
  if (earlier === undefined || others.length === 0) return { found, before, orders, bare }
  const more = yield* earlier([...new Set(others)], lines[0]!.number)
  return { found, before: new Map([...before, ...more]), orders, bare }
}

type Match = Pick<Matched, 'line' | 'parcel' | 'matchedBy'>

/** The parcel of a line. */
function matchOf(line: Billed, { found, orders, bare }: Known, matching: Matching, bench: Matcher): Match {
  const { awb, child } = line
  if (child !== '') {
    // A box that has a record of its own is a parcel like any other.
    const box = { ...line, awb: child, child: '' }
    const own = parcelAt(found.get(child), box, matching, bench)
    if (own !== undefined) return weighed(matching, { line: box, parcel: own, matchedBy: 'awb' })
  }
  const own = parcelAt(found.get(awb), line, matching, bench)
  if (own !== undefined) return weighed(matching, { line, parcel: own, matchedBy: child === '' ? 'awb' : 'child' })
  const given = byParcels(matching.parcels, line)
  if (given.parcel !== undefined) return given
  const ordered = onlyOne(orders.get(line.order), line, bench)
  if (ordered !== undefined) return { line, parcel: ordered, matchedBy: child === '' ? 'order' : 'child' }
  const cut = suffix.test(awb) ? parcelAt(bare.get(awb.replace(suffix, '')), line, matching, bench) : undefined
  if (cut === undefined) return { line, parcel: cut, matchedBy: cut }
  const worded = line.said === undefined ? { ...line, said: suffixJourney(awb), byStatus: false } : line
  return { line: worded, parcel: cut, matchedBy: 'suffix' }
}

const none: Found = new Map()
const noneEarlier: ReadonlyMap<string, EarlierAwb> = new Map()

/** A parcel whose record has no weight has the one of --parcels. */
function weighed({ parcels }: Matching, match: Match): Match {
  const { line, parcel } = match
  const given = parcel!.dead === undefined && parcels.size > 0 ? parcels.get(line.awb) : undefined
  if (given?.dead === undefined) return match
  const { dead, length, width, height } = given
  return { ...match, parcel: { ...parcel!, dead, length, width, height, weight_by: 'parcels' } }
}

function byParcels(parcels: Matching['parcels'], line: Billed): Match {
  const { awb, child } = line
  const box = parcels.size === 0 || child === '' ? undefined : parcels.get(child)
  if (box !== undefined) return { line: { ...line, awb: child, child: '' }, parcel: box, matchedBy: 'parcels' }
  const parcel = parcels.size === 0 ? undefined : parcels.get(awb)
  return { line, parcel, matchedBy: parcel && (child === '' ? 'parcels' : 'child') }
}

/** What was billed before of a parcel, and not of another one with its AWB, nor by a courier that did not carry it. */
function ofParcel(before: EarlierAwb, { line, parcel }: Match, bench: Matcher): Earlier | undefined {
  const day = parcel?.day_at ?? null
  const same = ({ pickedUp }: EarlierAwb): boolean =>
    day === null || pickedUp === null || Math.abs(pickedUp - day) < reusedAfter
  const found = [before, ...(before.others ?? [])].find(same)
  const biller = bench.courier ?? line.courier
  const own = found === undefined || isCarrier(biller, parcel, bench) ? found : ofStranger(found, biller)
  return own?.foreign === undefined ? own : withOwn(own, own.foreign, parcel, biller, bench)
}

/** Whether who bills carried the parcel, as far as is known. */
const isCarrier = (biller: string, parcel: KnownParcel | undefined, { sameCourier }: Matcher): boolean =>
  biller === '' || parcel === undefined || sameCourier(biller, parcel)

/** What was billed before for a courier that did not carry the parcel: the bill of the one that did is not its own. */
function ofStranger({ nets, foreign, earlier }: EarlierAwb, biller: string): Earlier & Pick<EarlierAwb, 'foreign'> {
  const own = [...(nets ?? [])].filter(([name]) => name !== '' && isSameBiller(name, biller))
  const beforeNet = own.reduce((sum, [, net]) => sum + net, 0)
  const theirs = foreign?.filter((one) => one.biller === '' || isSameBiller(one.biller, biller))
  return { before: 0, beforeNet, earlier, ...(theirs === undefined ? {} : { foreign: theirs }) }
}

/** What was billed before, with the lines of couriers that are the parcel's own after all, or that bill now. */
function withOwn(
  found: Earlier,
  foreign: readonly ForeignLines[],
  parcel: KnownParcel | undefined,
  courier: string,
  bench: Matcher,
): Earlier {
  const own = foreign.filter(
    ({ biller, unknown }) =>
      biller.toLowerCase() === courier.toLowerCase() || (unknown && isCarrier(biller, parcel, bench)),
  )
  const beforeNet = own.reduce((sum, one) => sum + one.beforeNet, found.beforeNet)
  const before = own.reduce((ways, one) => ways | one.before, found.before)
  const billedBefore = own.reduce(
    ({ bare, components }, { billedBefore: one }) => ({
      bare: bare + one.bare,
      components: components | one.components,
    }),
    found.billedBefore ?? { bare: 0, components: 0 },
  )
  return { before: beforeNet <= 0 ? 0 : before, beforeNet, billedBefore, earlier: found.earlier }
}

/** The parcel of an AWB; of several, the one picked up last before the end of the bill's day, else the earliest. */
function parcelAt(
  found: KnownParcel | readonly KnownParcel[] | undefined,
  line: Billed,
  { date }: Matching,
  bench: Matcher,
): KnownParcel | undefined {
  if (found === undefined || !isList(found)) return found
  const day = bench.dayOf(line.dated) ?? bench.dayOf(line.pickedUp)
  // A bill of the day of the pickup comes after it.
  const at = day === undefined ? (date ?? Infinity) : readDay(istDate(day))![1]
  const ordered = found.toSorted((a, b) => (a.day_at ?? 0) - (b.day_at ?? 0))
  return ordered.findLast(({ day_at: picked }) => (picked ?? 0) <= at) ?? ordered[0]
}

/** The parcel of an order number, where it is the only one of the biller's. */
function onlyOne(
  found: KnownParcel | readonly KnownParcel[] | undefined,
  line: Billed,
  bench: Matcher,
): KnownParcel | undefined {
  if (found === undefined) return undefined
  const biller = bench.courier ?? line.courier
  const fitting = (isList(found) ? found : [found]).filter(
    (parcel) => biller === '' || bench.sameCourier(biller, parcel),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Bits next to those of ways: a line took the COD fee of the parcel; all that was billed before was credited. */
const [codBit, creditedBit] = [8, 16]

/** What judges matched lines in the order of the file, and remembers what it saw. */
export function judgeOf(bench: Bench, older: OlderAwbs): (matched: Matched) => Outcome {
  const awbs = seenAwbs(older)
  const { shape } = bench.terms
  const { whole } = shape
  const seen: Seen = {
    here: 0,
    hereNet: 0,
    hereLine: 0,
    before: 0,
    beforeNet: 0,
    billedBefore: undefined,
    earlier: noEarlier,
    codHere: false,
    under: '',
  }
  return (matched) => {
    const { parcel, matchedBy, earlier } = matched
    let { line } = matched
    const isBox = line.child !== ''
    if (isBox) {
      awbs.goTo(line.awb)
      seen.codHere = (awbs.bits() & codBit) !== 0
    } else seen.codHere = false
    seen.under = otherAwb(matched)
    awbs.goTo(billedAwb(matched))
    const bits = awbs.bits() & ~codBit
    seen.here = bits & ~creditedBit
    seen.hereNet = awbs.net()
    seen.hereLine = awbs.line()
    seen.before = (bits & creditedBit) === 0 ? (earlier?.before ?? 0) : 0
    seen.beforeNet = earlier?.beforeNet ?? 0
    seen.billedBefore = earlier?.billedBefore
    seen.earlier = earlier?.earlier ?? noEarlier
    // Lines that are compared with each other were counted without their parcels.
    line = legOf(line, bench.comparison === undefined ? parcel : undefined, seen, shape)
    let judged = judge(line, parcel, seen, bench)
    if (line.byStatus && mayBeBack(line, shape) && isBackRather(judged, parcel)) {
      const home = judge(wayBack(line), parcel, seen, bench)
      if (awayBy(home) < awayBy(judged)) [line, judged] = [wayBack(line), home]
    }
    const net = seen.hereNet + judged.billed
    // What was credited in full may be billed again.
    const kept = judged.billed < 0 && net + seen.beforeNet <= 0 ? creditedBit : bits
    const byCard = judged.card !== null && judged.card !== noCard
    // A courier that did not carry the parcel bills none of its ways.
    const none = judged.billed < 0 || line.fault !== undefined || judged.category === 'other_courier'
    const ways = none ? 0 : waysBilled(line, judged, { whole, byCard })
    const cod = line.cod === 0 && !(whole && isBox) ? 0 : codBit
    awbs.bill(kept | ways | (isBox ? 0 : cod), net, ways === 0 ? 0 : line.line)
    if (isBox && cod !== 0) {
      awbs.goTo(line.awb)
      awbs.bill(awbs.bits() | codBit, awbs.net(), line.line)
    }
    return { line, parcel, matchedBy, judged, earlier: seen.earlier, net: net + seen.beforeNet }
  }
}

/** Whether a line that is not the card's price of the way out may be that of the way back. */
const isBackRather = ({ verdict, journey }: Judged, parcel: KnownParcel | undefined): boolean =>
  (verdict === 'over' || verdict === 'under') && journey === 'forward' && parcel?.back === true

const awayBy = ({ billed, expected }: Judged): number => (expected === null ? Infinity : Math.abs(billed - expected))

/** Whether the courier that bills carried the parcel: the same id, one name inside the other, or one first word. */
export function courierCheck(): (biller: string, parcel: Pick<KnownParcel, 'carrier_id' | 'carrier_name'>) => boolean {
  const known = new Map<string, boolean>()
  return (biller, { carrier_id: id, carrier_name: name }) => {
    if (id === null && name === null) return true
    const key = `${biller}\n${id ?? ''}\n${name ?? ''}`
    let same = known.get(key)
    if (same === undefined) {
      const [a, b] = [folded(biller), folded(name ?? '')]
      const first = (text: string | null): string => folded(text?.trim().split(/\s+/)[0] ?? '')
      same = biller === id || (b !== '' && (a.includes(b) || b.includes(a) || first(biller) === first(name)))
      if (known.size < 10_000) known.set(key, same)
    }
    return same
  }
}
