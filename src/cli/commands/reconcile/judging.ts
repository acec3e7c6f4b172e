// Judges the lines of an invoice some hundreds at a time: one statement finds their parcels, and each line is then
// judged in the order of the file.
import type { Billed, Judged, Seen } from '../../../domain/money/billed.ts'
import { journeyBit, judge, type Bench } from '../../../domain/money/judge.ts'
import type { KnownParcel } from '../../../domain/money/parcel.ts'
import { seenAwbs } from '../../../domain/money/seenawbs.ts'
import { readTime } from '../../../domain/read/day.ts'
import { parcelsOf, parcelsOfOrders, type Found, type ParcelPlace } from '../../../engine/money/parcels.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { folded } from '../../files/headers.ts'

/** What earlier documents billed of an AWB. */
export type Earlier = Pick<Seen, 'before' | 'beforeNet' | 'earlier'>

/** Where lines are matched. */
export interface Matching {
  /** The database of the records; undefined where there is none. */
  readonly database: Database | undefined
  readonly place: ParcelPlace
  /** The parcels of --parcels by AWB. */
  readonly parcels: ReadonlyMap<string, KnownParcel>
  /** What earlier documents billed of AWBs; those that none billed are left out. Undefined where none is kept. */
  readonly earlier?: (awbs: readonly string[], number: string) => Work<ReadonlyMap<string, Earlier>>
  /** ms UTC of the document; parcels of an AWB that was used again are told apart by it. */
  readonly date: number | undefined
}

/** How a line found its parcel. */
export type MatchedBy = 'awb' | 'order' | 'suffix' | 'parcels'

/** A line with its parcel and its judgement. */
export interface Outcome {
  readonly line: Billed
  readonly parcel: KnownParcel | undefined
  readonly matchedBy: MatchedBy | undefined
  readonly judged: Judged
  readonly earlier: Earlier['earlier']
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

/** Finds the parcels of lines: by AWB, by the file of --parcels, by order and courier, by an AWB without its suffix. */
export async function match(lines: readonly Billed[], matching: Matching, bench: Bench): Promise<readonly Matched[]> {
  const { database, place, parcels } = matching
  const awbs = [...new Set(lines.map(({ awb }) => awb))]
  if (bench.alone === true) return matchedAlone(lines, awbs, matching)
  if (database === undefined)
    return lines.map((line) => ({ line, ...byParcels(parcels, line.awb), earlier: undefined }))
  const { found, earlier, orders, bare } = await database.read(function* () {
    const all = yield* parcelsOf(place, awbs)
    const before = matching.earlier === undefined ? noneEarlier : yield* matching.earlier(awbs, lines[0]!.number)
    const left = lines.filter(({ awb }) => !all.has(awb) && !parcels.has(awb))
    const named = [...new Set(left.flatMap(({ order }) => (order === '' ? [] : [order])))]
    const cut = [...new Set(left.flatMap(({ awb }) => (suffix.test(awb) ? [awb.replace(suffix, '')] : [])))]
    return {
      found: all,
      earlier: before,
      orders: named.length === 0 ? none : yield* parcelsOfOrders(place, named),
      bare: cut.length === 0 ? none : yield* parcelsOf(place, cut),
    }
  })
  return lines.map((line) => {
    const before = earlier.size === 0 ? undefined : earlier.get(line.awb)
    const own = meant(found.get(line.awb), line, matching, bench)
    if (own !== undefined) return { line, parcel: own, matchedBy: 'awb', earlier: before }
    const given = byParcels(parcels, line.awb)
    if (given.parcel !== undefined) return { line, ...given, earlier: before }
    const ordered = onlyOne(orders.get(line.order), line, bench)
    if (ordered !== undefined) return { line, parcel: ordered, matchedBy: 'order', earlier: before }
    const cut = suffix.test(line.awb) ? meant(bare.get(line.awb.replace(suffix, '')), line, matching, bench) : undefined
    return { line, parcel: cut, matchedBy: cut && 'suffix', earlier: before }
  })
}

/** Lines without parcels, with what earlier documents billed. */
async function matchedAlone(
  lines: readonly Billed[],
  awbs: readonly string[],
  { database, earlier }: Matching,
): Promise<readonly Matched[]> {
  const before =
    database === undefined || earlier === undefined
      ? noneEarlier
      : await database.read(() => earlier(awbs, lines[0]!.number), 'single')
  return lines.map((line) => ({
    line,
    parcel: undefined,
    matchedBy: undefined,
    earlier: before.get(line.awb),
  }))
}

const none: Found = new Map()
const noneEarlier: ReadonlyMap<string, Earlier> = new Map()

function byParcels(parcels: Matching['parcels'], awb: string): Pick<Matched, 'parcel' | 'matchedBy'> {
  const parcel = parcels.size === 0 ? undefined : parcels.get(awb)
  return { parcel, matchedBy: parcel && 'parcels' }
}

const isList = (found: KnownParcel | readonly KnownParcel[]): found is readonly KnownParcel[] => Array.isArray(found)

/** The parcel of an AWB; of several, the one whose pickup is nearest before the day of the bill. */
function meant(
  found: KnownParcel | readonly KnownParcel[] | undefined,
  line: Billed,
  { date }: Matching,
  bench: Bench,
): KnownParcel | undefined {
  if (found === undefined || !isList(found)) return found
  const at = bench.dayOf(line.dated) ?? bench.dayOf(line.pickedUp) ?? date ?? Infinity
  const ordered = found.toSorted((a, b) => (a.day_at ?? 0) - (b.day_at ?? 0))
  return ordered.findLast(({ day_at: day }) => (day ?? 0) <= at) ?? ordered[0]
}

/** The parcel of an order number, where it is the only one of the biller's. */
function onlyOne(
  found: KnownParcel | readonly KnownParcel[] | undefined,
  line: Billed,
  bench: Bench,
): KnownParcel | undefined {
  if (found === undefined) return undefined
  const biller = bench.courier ?? line.courier
  const fitting = (isList(found) ? found : [found]).filter(
    (parcel) => biller === '' || bench.sameCourier(biller, parcel),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** What judges matched lines in the order of the file, and remembers what it saw. */
export function judgeOf(bench: Bench): (matched: Matched) => Outcome {
  const awbs = seenAwbs()
  const seen: Seen = { here: 0, hereNet: 0, hereLine: 0, before: 0, beforeNet: 0, earlier: noEarlier }
  return ({ line, parcel, matchedBy, earlier }) => {
    const at = awbs.at(line.awb)
    seen.here = awbs.bits(at)
    seen.hereNet = awbs.net(at)
    seen.hereLine = awbs.line(at)
    seen.before = earlier?.before ?? 0
    seen.beforeNet = earlier?.beforeNet ?? 0
    seen.earlier = earlier?.earlier ?? noEarlier
    const judged = judge(line, parcel, seen, bench)
    const net = seen.hereNet + judged.billed
    // What was credited in full may be billed again.
    const kept = judged.verdict === 'credit' && net + seen.beforeNet <= 0 ? 0 : seen.here
    const bit = judged.verdict === 'credit' || line.fault !== undefined ? 0 : journeyBit[judged.journey]
    awbs.bill(at, kept | bit, net, line.line)
    return { line, parcel, matchedBy, judged, earlier: seen.earlier }
  }
}

/** Whether a courier that bills is the one that a parcel went with: by its id, or by one name in the other. */
export function courierCheck(): Bench['sameCourier'] {
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

const shortYear = /^(\d{1,2})[- ]([A-Za-z]{3})[- ](\d{2})(?!\d)/

/** Reads the days of an invoice: `28-07-2025 07:48`, `07-Jul-25`; most lines have the day of another one. */
export function dayReader(): Bench['dayOf'] {
  const days = new Map<string, number | undefined>()
  return (text) => {
    const word = text.trim().replace(shortYear, '$1-$2-20$3')
    if (word === '') return undefined
    const date = /^\S+/.exec(word)![0]
    const key = date.length > 7 ? date : word
    if (!days.has(key)) {
      if (days.size > 10_000) days.clear()
      days.set(key, readTime(key.split('T', 1)[0]!) ?? readTime(word))
    }
    return days.get(key)
  }
}
