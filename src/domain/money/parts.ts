// The parts of a difference between what a line bills and what the card says: zone, weight, price, COD, the rest
// (docs/guides/money.md, Reasons). All amounts are integer paise, all weights hundredths of a gram.
import { rupeesText } from '../money.ts'
import { bandFor, freightOf, stepsOf } from '../rates/ratecard.ts'
import { knownLane } from '../rates/pricing.ts'
import { surchargeSum, type Charged } from '../rates/surcharges.ts'
import type { DrawnZone } from '../rates/zonetables.ts'
import { insideBase } from './amounts.ts'
import { addedParts, addedTo } from './added.ts'
import type { Billed, ReasonCode, Terms } from './billed.ts'
import { chargedOf, plainPart, type Case, type Part } from './case.ts'
import type { KnownParcel } from './parcel.ts'
import { billedUnits, pricesIn, zoneCalled, type Tariff, type WeightPrice, type ZonePrices } from './tariffs.ts'
import { againText, wayBit } from './ways.ts'

/** The parts of a line, what it should have cost before GST, and the slabs of both weights. */
export interface Parts {
  readonly parts: Part[]
  readonly expected: number
  readonly slab: number
  readonly slabBilled: number
  /** The zone of the line under the card's name, or as the line writes it. */
  readonly zoneBilled: string
}

/** The zones and weights that a freight is compared at. */
interface Points {
  readonly lane: ZonePrices
  readonly theirs: ZonePrices
  readonly zoneBilled: DrawnZone
  readonly units: number
  readonly unitsBilled: number
}

/** What a line should have cost and its parts, or why that cannot be said. */
export function partsOf(given: Case): Parts | string {
  const own = partsAt(given)
  const units = acceptedUnits(given)
  if (units === undefined || typeof own === 'string' || differenceOf(own) === 0) return own
  // Within the tolerance of weights, the price at either weight is right: the nearer one is expected.
  const accepted = partsAt({ ...given, units })
  return typeof accepted === 'string' || differenceOf(accepted) >= differenceOf(own)
    ? own
    : { ...accepted, slab: own.slab }
}

const differenceOf = ({ parts }: Parts): number => Math.abs(parts.reduce((sum, { amount }) => sum + amount, 0))

/** The parts of a line by a weight. */
function partsAt(given: Case): Parts | string {
  const { line, ready, zone, units, terms } = given
  if (given.journey === 'reverse') return reverseParts(given)
  const lane = pricesIn(ready, zone)
  if (typeof lane === 'string') return lane
  const named = line.zone === '' ? undefined : zoneCalled(ready, line.zone)
  const zoneBilled = named ?? zone
  const other = zoneBilled === zone ? lane : pricesIn(ready, zoneBilled)
  const theirs = typeof other === 'string' ? lane : other
  const points = { lane, theirs, zoneBilled, units, unitsBilled: weightBilled(given) }
  const found = terms.shape.whole ? wholeParts(given, points) : columnParts(given, points)
  if (typeof found === 'string') return found
  const { parts, expected } = found
  return {
    parts,
    expected,
    slab: lane.at(units).slab,
    slabBilled: theirs.at(line.weight === 0 ? units : billedUnits(ready, line.weight)).slab,
    zoneBilled: named?.name ?? line.zone.trim(),
  }
}

/** A billed weight that is above ours, but within the tolerance; undefined for any other. */
export function acceptedUnits({ line, ready, units, terms }: Case): number | undefined {
  const { units: most, share } = terms.weightTolerance
  if (line.weight === 0 || (most === 0 && share === 0)) return undefined
  const billed = billedUnits(ready, line.weight)
  return billed > units && (billed - units <= most || billed - units <= units * share) ? billed : undefined
}

/** The weight that a line bills, ours where it names none or one within the tolerance. */
function weightBilled(given: Case): number {
  const { line, ready, units } = given
  return line.weight === 0 || acceptedUnits(given) !== undefined ? units : billedUnits(ready, line.weight)
}

/** The sums of the parts on their way. */
interface Sums {
  zone: number
  weight: number
  rest: number
}

/** Splits an amount in the order of the terms; returns what it should have been, or undefined without a price. */
function split(
  { terms }: Case,
  { lane, theirs, units, unitsBilled }: Points,
  amount: number,
  price: (at: WeightPrice) => number | undefined,
  sums: Sums,
): number | undefined {
  const own = price(lane.at(units))
  if (own === undefined) return undefined
  if (lane === theirs && units === unitsBilled) {
    sums.rest += amount - own
    return own
  }
  const both = price(theirs.at(unitsBilled))
  const byZone = terms.order === 'zone'
  const middle = (byZone ? price(theirs.at(units)) : price(lane.at(unitsBilled))) ?? own
  const last = both ?? middle
  sums.zone += byZone ? middle - own : last - middle
  sums.weight += byZone ? last - middle : middle - own
  sums.rest += amount - last
  return own
}

const forwardPrice = (price: WeightPrice): number | undefined => price.freight
const rtoPrice = (price: WeightPrice): number | undefined => price.back

const short = ({ name }: DrawnZone): string => name.replace(/^zone_/, '')
const kilograms = (units: number): string => `${units / 100_000} kg`

const zonePart = (amount: number, { zone }: Case, { zoneBilled }: Points): Part => ({
  code: 'zone',
  amount,
  text: () => `zone ${short(zoneBilled)} in place of ${short(zone)}`,
})

const weightPart = (amount: number, { line, ready }: Case, { theirs, lane, units }: Points): Part => ({
  code: 'weight',
  amount,
  text: () => {
    const billed = theirs.at(billedUnits(ready, line.weight)).slab
    return `weight ${kilograms(billed)} in place of ${kilograms(lane.at(units).slab)}`
  },
})

/** Adds the parts of freight that are not 0. */
function addSums(given: Case, points: Points, sums: Sums, code: ReasonCode, parts: Part[]): void {
  if (sums.zone !== 0) parts.push(zonePart(sums.zone, given, points))
  if (sums.weight !== 0) parts.push(weightPart(sums.weight, given, points))
  if (sums.rest !== 0) parts.push(plainPart(code, sums.rest, "not the card's price at the billed zone and weight"))
}

/** The COD fee by the card: 0 for a prepaid parcel, and for one that came back unless the card keeps the fee then. */
function codDue({ line, parcel, ready, zone, seen, terms }: Case, back: boolean): number | string {
  // Of the boxes of a parcel, one has the fee.
  if (line.child !== '' && (seen.codHere || (line.cod === 0 && !terms.shape.whole))) return 0
  if (parcel.cod === undefined) return 'no_payment'
  if (!parcel.cod) return 0
  if (back) {
    const { on_rto: rule } = ready.service.cod
    const kept = rule === undefined ? terms.keepsCod?.(line.courier || (parcel.carrier_name ?? '')) : rule === 'charged'
    if (kept !== true) return 0
  }
  if (parcel.collected === undefined) return 'no_payment'
  return ready.codFee(parcel.collected, zone.name)
}

/** A line whose charges stand in columns. */
function columnParts(given: Case, points: Points): Pick<Parts, 'parts' | 'expected'> | string {
  const { parcel, terms, tariff, again } = given
  const { shape } = terms
  const line = shape.gst === 'inside' ? withoutGst(given.line, tariff.gstPercent) : given.line
  const [outAgain, homeAgain] = [again?.way === 'forward', again?.way === 'rto']
  const parts: Part[] = []
  // The COD fee goes with the way out.
  if (again !== undefined)
    parts.push(plainPart(again.code, outAgain ? line.freight + line.cod : line.rto, againText(again)))
  const [out, home] = [
    { zone: 0, weight: 0, rest: 0 },
    { zone: 0, weight: 0, rest: 0 },
  ]
  const back = parcel.back ?? (line.rto !== 0 || line.said === 'rto' || line.said === 'both')
  const freight =
    outAgain || (line.freight === 0 && line.rto !== 0) ? 0 : split(given, points, line.freight, forwardPrice, out)
  if (freight === undefined) return 'no price for its weight'
  const rto = line.rto !== 0 && back && !homeAgain ? split(given, points, line.rto, rtoPrice, home) : 0
  if (rto === undefined) return 'no RTO price for its weight'
  const sums = { zone: out.zone + home.zone, weight: out.weight + home.weight, rest: out.rest }
  addSums(given, points, sums, 'rate', parts)
  if (home.rest !== 0)
    parts.push(plainPart('rto_rate', home.rest, "not the card's RTO price at the billed zone and weight"))
  if (line.rto !== 0 && !back && !homeAgain)
    parts.push(plainPart('rto_not_returned', line.rto, 'the parcel did not come back'))
  let cod = 0
  if (shape.cod && !outAgain) {
    const due = line.freight === 0 && (line.cod === 0 || line.rto !== 0) ? 0 : codDue(given, back)
    if (typeof due === 'string') return due
    cod = due
    if (line.cod !== due) parts.push(codPart(parcel, back, line.cod, due))
  }
  const more = surchargeParts(given, line, { freight, rto, cod }, parts)
  return typeof more === 'string' ? more : { parts, expected: freight + rto + cod + more }
}

/** A COD fee that is not the card's. */
function codPart(parcel: KnownParcel, back: boolean, billed: number, due: number): Part {
  const amount = billed - due
  if (parcel.cod !== true) return plainPart('cod_on_prepaid', amount, 'a COD fee for a prepaid parcel')
  if (back && due === 0) return plainPart('cod_not_reversed', amount, 'the COD fee of a parcel that came back')
  return { code: 'cod_rate', amount, text: () => `COD fee ${rupeesText(billed)} in place of ${rupeesText(due)}` }
}

/** Compares fuel and the other components; returns what the card adds for them, or why it has no amount. */
function surchargeParts(
  given: Case,
  line: Billed,
  own: { readonly freight: number; readonly rto: number; readonly cod: number },
  parts: Part[],
): number | string {
  if (given.ready.surcharges === undefined && line.fuel === 0 && line.other === 0) return 0
  const noWayOut = given.again?.way === 'forward' || (own.freight === 0 && line.freight === 0)
  const out = noWayOut ? [] : [['forward', own.freight, own.cod] as const]
  const added = addedTo(given, [...out, ...(own.rto === 0 ? [] : [['rto', own.rto, 0] as const])])
  return typeof added === 'string' ? added : addedParts(given, line, added, parts)
}

/** The same line with its parts before GST. */
function withoutGst(line: Billed, percent: number): Billed {
  const bare = (paise: number): number => insideBase(paise, percent)
  return {
    ...line,
    freight: bare(line.freight),
    rto: bare(line.rto),
    cod: bare(line.cod),
    fuel: bare(line.fuel),
    other: bare(line.other),
    reverse: bare(line.reverse),
    qc: bare(line.qc),
  }
}

/** A line with one amount: freight, or freight and RTO, with everything that the card adds. */
function wholeParts(given: Case, points: Points): Pick<Parts, 'parts' | 'expected'> | string {
  const { line, parcel, terms, tariff, seen, journey, again } = given
  const paid = amountOf(line, terms, tariff)
  const says = journey === 'rto'
  const back = parcel.back ?? says
  // The way out of a parcel that came back may have been billed before: then this is the way back alone.
  const alone =
    again?.way === 'forward' || (says && line.said === 'rto' && ((seen.here | seen.before) & wayBit.forward) !== 0)
  const home = says && back && again?.way !== 'rto'
  const cod = codDue(given, back)
  if (typeof cod === 'string') return cod
  const due = alone ? 0 : cod
  const charged = chargedOf(given)
  const price = (home: boolean) => (at: WeightPrice) => wholeAt(given, charged, at, due, home, alone)
  const sums = { zone: 0, weight: 0, rest: 0 }
  const own = split(given, points, paid - due, price(home), sums)
  if (own === undefined) return home ? 'no RTO price for its weight' : 'no price for its weight'
  const parts: Part[] = []
  const theirs = points.theirs.at(points.unitsBilled)
  const take = (code: ReasonCode, most: number, text: string): void => {
    const part = Math.min(Math.max(0, sums.rest), most)
    if (part !== 0) parts.push(plainPart(code, part, text))
    sums.rest -= part
  }
  if (again?.way === 'forward')
    take(again.code, cod + (wholeAt(given, charged, theirs, cod, false, false) ?? 0), againText(again))
  if (again?.way === 'rto') take(again.code, wholeAt(given, charged, theirs, 0, true, true) ?? 0, againText(again))
  else if (says && !back) take('rto_not_returned', theirs.back ?? 0, 'the parcel did not come back')
  addSums(given, points, sums, says && back && alone ? 'rto_rate' : 'rate', parts)
  return { parts, expected: own + due }
}

/** The one amount of a line before GST. */
function amountOf(line: Billed, { shape }: Terms, { gstPercent }: Tariff): number {
  const total = line.total ?? line.gross ?? 0
  if (shape.gst === 'inside') return insideBase(total, gstPercent)
  return shape.gst === 'columns' ? (line.gross ?? total - (line.tax ?? 0)) : total
}

/** What the card takes in a lane for a weight, without the COD fee: out, out and back, or back alone. */
function wholeAt(
  { ready }: Case,
  charged: Charged,
  { freight: out, back: rto }: WeightPrice,
  cod: number,
  home: boolean,
  alone: boolean,
): number | undefined {
  const back = home ? rto : 0
  if (out === undefined || back === undefined) return undefined
  const bare = (alone ? 0 : out) + back
  if (ready.surcharges === undefined) return bare
  const forward = alone ? 0 : surchargeSum(ready.surcharges.forward, charged, out, cod)
  const homeward = home ? surchargeSum(ready.surcharges.rto, charged, back, 0) : 0
  return typeof forward === 'string' || typeof homeward === 'string' ? undefined : bare + forward + homeward
}

/** A return from the customer, by the prices of returns. */
function reverseParts(given: Case): Parts | string {
  const { line, ready, zone, units, terms, tariff } = given
  const lane = knownLane(ready, 'return', zone)
  if (typeof lane === 'string') return lane
  const band = bandFor(lane.slabs, units)
  if (band === undefined) return 'no price for its weight'
  const freight = freightOf(band, units)
  const added = addedTo(given, [['return', freight, 0]])
  if (typeof added === 'string') return added
  const slab = band.first + stepsOf(band, units) * band.step
  const parts: Part[] = []
  const found = { parts, slab, slabBilled: slab, zoneBilled: line.zone.trim() }
  if (terms.shape.whole) {
    const [paid, due] = [amountOf(line, terms, tariff), freight + added.fuel + added.other]
    if (paid !== due) parts.push(returnPart(paid, due))
    return { ...found, expected: due }
  }
  const own = terms.shape.gst === 'inside' ? withoutGst(line, tariff.gstPercent) : line
  const qc = own.qc === 0 ? 0 : ready.qc
  const paid = own.reverse + own.freight
  if (paid !== freight) parts.push(returnPart(paid, freight))
  if (own.qc !== qc) parts.push(plainPart('qc', own.qc - qc, "quality check at another price than the card's"))
  // A return has neither RTO nor a COD fee.
  const more = addedParts(given, { ...own, other: own.other + own.rto + own.cod }, added, parts)
  return { ...found, expected: freight + qc + more }
}

const returnPart = (paid: number, due: number): Part => ({
  code: 'reverse',
  amount: paid - due,
  text: () => `return ${rupeesText(paid)} in place of ${rupeesText(due)}`,
})
