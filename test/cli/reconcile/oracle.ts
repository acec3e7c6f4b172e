// Another way to the same judgement of an invoice: fractions of BigInt over the texts of a contract, in the words of
// docs/guides/money.md. It shares no code with the program.

export const zones = ['a', 'b', 'c', 'd', 'e'] as const
export type Zone = (typeof zones)[number]

/** The prices of a version of the contract, rupees and percents as text. */
export interface Prices {
  readonly from: string
  readonly freight: Readonly<Record<Zone, readonly [first: string, step: string]>>
  readonly rto: string
  readonly cod: readonly [fixed: string, percent: string]
  readonly fuel: string
  readonly docket: string
  readonly qc: string
}

/** What is true of a parcel: hundredths of a gram, paise. */
export interface Truth {
  readonly awb: string
  readonly courier: 'Delhivery' | 'Blue Dart'
  /** Undefined where neither its record nor its pincodes say it. */
  readonly zone: Zone | undefined
  readonly units: bigint | undefined
  readonly day: string
  readonly back: boolean
  readonly shipped: boolean
  readonly cod: boolean
  readonly collected: bigint
}

/** The amounts of a line by what they are for, paise. */
export interface Amounts {
  readonly freight: bigint
  readonly rto: bigint
  readonly reverse: bigint
  readonly qc: bigint
  readonly cod: bigint
  readonly fuel: bigint
  readonly other: bigint
}

/** A line as its file prints it; what the file has no column for is undefined. */
export interface Printed extends Amounts {
  readonly awb: string
  readonly zone: Zone | undefined
  readonly units: bigint | undefined
  readonly word: 'forward' | 'rto' | 'both' | 'reverse' | undefined
  readonly gross: bigint | undefined
  readonly tax: bigint | undefined
  readonly total: bigint | undefined
}

/** What the file compares, and how. */
export interface Terms {
  readonly biller: 'Delhivery' | undefined
  readonly whole: boolean
  readonly has: Readonly<Record<'rto' | 'cod' | 'fuel' | 'other', boolean>>
  readonly gst: 'columns' | 'inside' | 'none'
  readonly order: 'zone' | 'weight'
  readonly tolerance: bigint
  readonly weightTolerance: bigint
}

/** What was billed of an AWB so far: its ways, and the sum. */
export interface Ledger {
  here: Set<string>
  hereSum: bigint
  before: Set<string>
  beforeSum: bigint
}

/** A judgement: paise; an unknown line has the code of why. */
export interface Judgement {
  readonly journey: 'forward' | 'rto' | 'reverse'
  readonly verdict: string
  readonly billed: bigint
  readonly expected: bigint | undefined
  readonly category: string
  readonly reasons: ReadonlyMap<string, bigint | undefined>
  /** What was billed by the card's parts less what was due, before GST. */
  readonly apart?: bigint
}

type Fraction = readonly [over: bigint, under: bigint]
const fraction = (text: string): Fraction => {
  const [whole, decimals = ''] = text.split('.') as [string, string?]
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}
const size = (n: bigint): bigint => (n < 0n ? -n : n)
/** Half-up, away from zero for negative ones. */
const rounded = ([over, under]: Fraction): bigint => (over < 0n ? -1n : 1n) * ((2n * size(over) + under) / (2n * under))
export const paise = (rupees: string): bigint => rounded([fraction(rupees)[0] * 100n, fraction(rupees)[1]])
export const share = (amount: bigint, percent: string): bigint =>
  rounded([amount * fraction(percent)[0], 100n * fraction(percent)[1]])
const gst = (amount: bigint): bigint => share(amount, '18')
const bare = (amount: bigint): bigint => rounded([amount * 100n, 118n])

/** Freight of a weight in hundredths of a gram: the first 500 g, and each 500 g begun. */
export function freightOf({ freight }: Prices, zone: Zone, units: bigint): bigint {
  const [first, step] = freight[zone]
  const more = units <= 50_000n ? 0n : (units - 50_000n + 49_999n) / 50_000n
  return paise(first) + more * paise(step)
}
export const backOf = (prices: Prices, zone: Zone, units: bigint): bigint =>
  share(freightOf(prices, zone, units), prices.rto)
export const codOf = ({ cod: [fixed, percent] }: Prices, collected: bigint): bigint => {
  const part = share(collected, percent)
  return part > paise(fixed) ? part : paise(fixed)
}

const sumOf = ({ freight, rto, reverse, qc, cod, fuel, other }: Amounts): bigint =>
  freight + rto + reverse + qc + cod + fuel + other

/** The way that a line bills. */
function journeyOf(line: Printed, truth: Truth | undefined, { whole }: Terms): Judgement['journey'] {
  if (!whole) {
    if (line.reverse !== 0n || line.qc !== 0n) return 'reverse'
    if (line.rto !== 0n) return 'rto'
    if (line.word === 'reverse') return 'reverse'
    if (line.freight !== 0n) return 'forward'
  }
  if (line.word !== undefined) return line.word === 'both' ? 'rto' : line.word
  return truth?.back === true ? 'rto' : 'forward'
}

/** The ways that a line bills: by its charges, else by its words; a bare amount of a parcel that came back is for both. */
function waysOf(line: Printed, journey: Judgement['journey'], { whole }: Terms): readonly string[] {
  if (journey === 'reverse') return ['reverse']
  const charged = [...(line.freight === 0n ? [] : ['forward']), ...(line.rto === 0n ? [] : ['rto'])]
  if (!whole && charged.length > 0) return charged
  return whole && journey === 'rto' && line.word !== 'rto' ? ['forward', 'rto'] : [journey]
}

/** The parts of a difference, by their codes. */
type Parts = Map<string, bigint>
const add = (parts: Parts, code: string, amount: bigint): void => void parts.set(code, (parts.get(code) ?? 0n) + amount)

interface Case {
  readonly line: Printed
  readonly truth: Truth
  readonly prices: Prices
  readonly terms: Terms
  readonly ours: { readonly zone: Zone; readonly units: bigint }
  readonly theirs: { readonly zone: Zone; readonly units: bigint }
  /** Ways of the line that were billed already, and the code of each; never all of them. */
  readonly again: ReadonlyMap<string, string>
}

/** Splits an amount in the order of the terms; returns what it should have been. */
function split(
  { terms, ours, theirs }: Case,
  parts: Parts,
  amount: bigint,
  rest: string,
  price: (zone: Zone, units: bigint) => bigint,
): bigint {
  const [own, their] = [price(ours.zone, ours.units), price(theirs.zone, theirs.units)]
  const middle = terms.order === 'zone' ? price(theirs.zone, ours.units) : price(ours.zone, theirs.units)
  const [first, second] = terms.order === 'zone' ? ['zone', 'weight'] : ['weight', 'zone']
  add(parts, first!, middle - own)
  add(parts, second!, their - middle)
  add(parts, rest, amount - their)
  return own
}

/** The COD fee that is due. */
const codDue = ({ truth, prices }: Case): bigint => (!truth.cod || truth.back ? 0n : codOf(prices, truth.collected))

/** A return: the price of returns, quality checks, and what the card adds. */
function reverseParts({ line, prices, terms, ours }: Case, parts: Parts, paid: bigint): bigint {
  const freight = freightOf(prices, ours.zone, ours.units)
  const fuel = terms.whole || terms.has.fuel ? share(freight, prices.fuel) : 0n
  const other = terms.whole || terms.has.other ? paise(prices.docket) : 0n
  if (terms.whole) {
    add(parts, 'reverse', paid - freight - fuel - other)
    return freight + fuel + other
  }
  const qc = line.qc === 0n ? 0n : paise(prices.qc)
  add(parts, 'reverse', line.reverse + line.freight - freight)
  add(parts, 'qc', line.qc - qc)
  add(parts, 'fuel', line.fuel - fuel)
  add(parts, 'surcharge', line.rto + line.cod + line.other - other)
  return freight + qc + fuel + other
}

/** A line with charges in columns. */
function columnParts(given: Case, parts: Parts): bigint {
  const { line, truth, prices, terms } = given
  const { again } = given
  let due = 0n
  const outAgain = again.has('forward')
  if (outAgain) add(parts, again.get('forward')!, line.freight + line.cod)
  if (again.has('rto')) add(parts, again.get('rto')!, line.rto)
  const out = outAgain || (line.freight === 0n && line.rto !== 0n)
  const freight = out ? 0n : split(given, parts, line.freight, 'rate', (zone, units) => freightOf(prices, zone, units))
  let home = 0n
  if (again.has('rto')) home = 0n
  else if (line.rto !== 0n && truth.back)
    home = split(given, parts, line.rto, 'rto_rate', (zone, units) => backOf(prices, zone, units))
  else add(parts, 'rto_not_returned', line.rto)
  due += freight + home
  if (terms.has.cod && !outAgain) {
    // The fee goes with the way out: a line of the way back alone has none.
    const fee = line.freight === 0n && (line.cod === 0n || line.rto !== 0n) ? 0n : codDue(given)
    due += fee
    const back = truth.back && fee === 0n
    add(parts, !truth.cod ? 'cod_on_prepaid' : back ? 'cod_not_reversed' : 'cod_rate', line.cod - fee)
  }
  const fuel = terms.has.fuel ? share(freight, prices.fuel) + share(home, prices.fuel) : 0n
  // A docket is of the way out.
  const other = terms.has.other && !out ? paise(prices.docket) : 0n
  add(parts, 'fuel', line.fuel - fuel)
  add(parts, 'surcharge', line.other - other)
  return due + fuel + other
}

/** A line with one amount: forward, or forward and RTO, with all that the card adds. */
function wholeParts(given: Case, parts: Parts, paid: bigint, journey: string, outBefore: boolean): bigint {
  const { line, truth, prices, theirs } = given
  const says = journey === 'rto'
  const [outAgain, homeAgain] = [given.again.get('forward'), given.again.get('rto')]
  const alone = outAgain !== undefined || (says && line.word === 'rto' && outBefore)
  const fee = alone ? 0n : codDue(given)
  const outAt = (zone: Zone, units: bigint): bigint => {
    const out = freightOf(prices, zone, units)
    return out + share(out, prices.fuel) + paise(prices.docket)
  }
  const homeAt = (zone: Zone, units: bigint): bigint => {
    const home = backOf(prices, zone, units)
    return home + share(home, prices.fuel)
  }
  const whole = (zone: Zone, units: bigint): bigint =>
    (alone ? 0n : outAt(zone, units)) + (says && truth.back && homeAgain === undefined ? homeAt(zone, units) : 0n)
  const rest: Parts = new Map()
  const own = split(given, rest, paid - fee, 'rest', whole)
  let left = rest.get('rest') ?? 0n
  const take = (code: string, most: bigint): void => {
    const part = left < 0n ? 0n : left < most ? left : most
    add(parts, code, part)
    left -= part
  }
  if (outAgain !== undefined) take(outAgain, outAt(theirs.zone, theirs.units) + codDue(given))
  if (homeAgain !== undefined) take(homeAgain, homeAt(theirs.zone, theirs.units))
  else if (says && !truth.back) take('rto_not_returned', backOf(prices, theirs.zone, theirs.units))
  add(parts, 'zone', rest.get('zone') ?? 0n)
  add(parts, 'weight', rest.get('weight') ?? 0n)
  add(parts, alone && truth.back ? 'rto_rate' : 'rate', left)
  return own + fee
}

/** What a line bills in all. */
export const billedOf = (line: Printed, { gst: how }: Terms): bigint =>
  line.total ?? (line.gross ?? sumOf(line)) + (how === 'columns' ? (line.tax ?? 0n) : 0n)

/** The greatest reason, GST on the difference aside; of two equal ones the later in the alphabet. */
const categoryOf = (reasons: ReadonlyMap<string, bigint>): string =>
  [...reasons]
    .filter(([code]) => code !== 'gst_on_difference')
    .toSorted(([a, one], [b, two]) => (size(one) === size(two) ? (a < b ? 1 : -1) : size(one) < size(two) ? 1 : -1))
    .map(([code]) => code)[0] ?? 'ok'

/** Where one column has all freight, a row that says RTO bills the way back in it. */
function read(row: Printed, { whole, has }: Terms): Printed {
  const plain = row.rto === 0n && row.reverse === 0n && row.qc === 0n
  return whole || has.rto || row.word !== 'rto' || !plain ? row : { ...row, rto: row.freight, freight: 0n }
}

/** Judges a line, and enters it into the ledger of its AWB. */
export function judged(
  row: Printed,
  truth: Truth | undefined,
  versions: readonly Prices[],
  ledger: Ledger,
  terms: Terms,
): Judgement {
  const line = read(row, terms)
  const billed = billedOf(line, terms)
  const journey = journeyOf(line, truth, terms)
  const base = { journey, billed }
  const credit = billed < 0n && ledger.hereSum + ledger.beforeSum > 0n
  const outBefore = ledger.here.has('forward') || ledger.before.has('forward')
  const ways = billed < 0n ? [] : waysOf(line, journey, terms)
  const again = new Map(
    ways.flatMap((way) => {
      const code = ledger.here.has(way) ? 'duplicate' : ledger.before.has(way) ? 'billed_before' : undefined
      return code === undefined ? [] : [[way, code] as const]
    }),
  )
  const twice = ways.length > 0 && again.size === ways.length
  const codes = [...again.values()]
  const already = !twice ? undefined : codes.includes('duplicate') ? 'duplicate' : codes[0]
  const whole = billed < 0n ? undefined : (wholeReason(truth, terms) ?? already)
  const before = { ways: new Set(ledger.before), sum: ledger.beforeSum }
  ledger.hereSum += billed
  // What was credited in full may be billed again.
  if (billed < 0n && ledger.hereSum + ledger.beforeSum <= 0n)
    for (const all of [ledger.here, ledger.before]) all.clear()
  if (credit) return { ...base, verdict: 'credit', expected: billed, category: 'ok', reasons: new Map() }
  for (const way of ways) ledger.here.add(way)
  const unknown = (code: string): Judgement => ({
    ...base,
    verdict: 'unknown',
    expected: undefined,
    category: 'unknown',
    reasons: new Map([[code, undefined]]),
  })
  if (whole !== undefined) {
    const further = whole === 'billed_before' ? furtherBill(line, truth!, versions, before, terms) : undefined
    return further ?? concluded(base, 0n, new Map([[whole, billed]]), 0n)
  }
  if (billed < 0n) return unknown('credit_first')
  const prices = versions.findLast(({ from }) => from <= truth!.day)
  if (prices === undefined) return unknown('no_card_for_day')
  if (truth!.zone === undefined) return unknown('no_zone')
  if (truth!.units === undefined) return unknown('no_weight')
  const ours = { zone: truth!.zone, units: truth!.units }
  const granted =
    line.units !== undefined && line.units > ours.units && line.units - ours.units <= terms.weightTolerance
  const zone = line.zone ?? ours.zone
  const by = (units: bigint): Judgement => {
    const weights = { ours: { ...ours, units }, theirs: { zone, units: granted ? units : (line.units ?? units) } }
    return priced({ line, truth: truth!, prices, terms, again, ...weights }, base, outBefore)
  }
  const own = by(ours.units)
  const found = granted ? nearer(own, by(line.units!)) : own
  // One amount that covers the price of both ways bills both.
  if (terms.whole && journey === 'rto' && (found.verdict === 'ok' || found.verdict === 'over'))
    for (const way of ['forward', 'rto']) ledger.here.add(way)
  return found
}

/** The judgement by the price that is nearer to what was billed, before GST; of two as near the first. */
function nearer(one: Judgement, other: Judgement): Judgement {
  const away = ({ apart }: Judgement): bigint => size(apart ?? 0n)
  return away(other) < away(one) ? other : one
}

/** Why nothing of a line was due, whatever was billed before. */
function wholeReason(truth: Truth | undefined, { biller }: Terms): string | undefined {
  if (truth === undefined) return 'unknown_awb'
  if (biller !== undefined && truth.courier !== biller) return 'other_courier'
  return truth.shipped ? undefined : 'not_shipped'
}

/**
 * A further bill of a parcel whose bills before are below its price: what they left is due, and the rest was billed
 * before; undefined where they left nothing. Bills before have freight alone.
 */
function furtherBill(
  line: Printed,
  truth: Truth,
  versions: readonly Prices[],
  before: { readonly ways: ReadonlySet<string>; readonly sum: bigint },
  terms: Terms,
): Judgement | undefined {
  const prices = versions.findLast(({ from }) => from <= truth.day)
  const { zone, units } = truth
  if (prices === undefined || zone === undefined || units === undefined || before.sum === 0n) return undefined
  const { whole, has, tolerance } = terms
  const billed = billedOf(line, terms)
  const plain = whole || line.total === undefined ? billed : sumOf(line)
  const columns = line.gross ?? (whole ? (line.total ?? 0n) - (line.tax ?? 0n) : sumOf(line))
  const paid = terms.gst === 'inside' ? bare(billed) : terms.gst === 'none' ? plain : columns
  const dueAt = (weight: bigint): bigint => {
    const freight = freightOf(prices, zone, weight)
    const fee = (whole || has.cod) && truth.cod && !truth.back ? codOf(prices, truth.collected) : 0n
    const fuel = whole || has.fuel ? share(freight, prices.fuel) : 0n
    return freight + fee + fuel + (whole || has.other ? paise(prices.docket) : 0n)
  }
  const more = line.units !== undefined && line.units > units && line.units - units <= terms.weightTolerance
  const [own, granted] = [dueAt(units), dueAt(more ? line.units! : units)]
  const sum = before.sum + paid
  const left = (size(sum - granted) < size(sum - own) ? granted : own) - before.sum
  if (left <= 0n || left < tolerance) return undefined
  const due = left < paid ? left : paid
  const parts: Parts = new Map([['billed_before', paid - due]])
  const base = { journey: journeyOf(line, truth, terms), billed }
  if (terms.gst === 'none') {
    if (!whole && line.total !== undefined) add(parts, 'arithmetic', line.total - sumOf(line))
    return concluded(base, due, parts, tolerance)
  }
  const taxed = terms.gst === 'inside' ? paid : columns
  add(parts, 'gst', (terms.gst === 'inside' ? billed - taxed : line.tax!) - gst(taxed))
  add(parts, 'gst_on_difference', gst(taxed) - gst(due))
  add(parts, 'arithmetic', billed - due - gst(due) - [...parts.values()].reduce((all, one) => all + one, 0n))
  return concluded(base, due + gst(due), parts, tolerance)
}

/** The judgement of a line by the card. */
function priced(given: Case, base: Pick<Judgement, 'journey' | 'billed'>, outBefore: boolean): Judgement {
  const { line, terms } = given
  const inside = terms.gst === 'inside'
  const own = inside ? { ...line, ...Object.fromEntries(amountNames.map((name) => [name, bare(line[name])])) } : line
  const paid = inside ? bare(base.billed) : (line.gross ?? (line.total ?? 0n) - (line.tax ?? 0n))
  const parts: Parts = new Map()
  const bareCase = { ...given, line: own }
  const due =
    base.journey === 'reverse'
      ? reverseParts(bareCase, parts, paid)
      : terms.whole
        ? wholeParts(bareCase, parts, paid, base.journey, outBefore)
        : columnParts(bareCase, parts)
  const apart = [...parts.values()].reduce((sum, amount) => sum + amount, 0n)
  if (terms.gst === 'none') {
    if (!terms.whole && line.total !== undefined) add(parts, 'arithmetic', line.total - sumOf(line))
    return { ...concluded(base, due, parts, terms.tolerance), apart }
  }
  const taxed = inside ? bare(base.billed) : (line.gross ?? (terms.whole ? paid : sumOf(line)))
  const tax = inside ? base.billed - taxed : line.tax!
  const expected = due + gst(due)
  add(parts, 'gst', tax - gst(taxed))
  add(parts, 'gst_on_difference', gst(taxed) - gst(due))
  add(parts, 'arithmetic', base.billed - expected - [...parts.values()].reduce((sum, amount) => sum + amount, 0n))
  return { ...concluded(base, expected, parts, terms.tolerance), apart }
}

export const amountNames = ['freight', 'rto', 'reverse', 'qc', 'cod', 'fuel', 'other'] as const

function concluded(
  base: Pick<Judgement, 'journey' | 'billed'>,
  expected: bigint,
  parts: ReadonlyMap<string, bigint>,
  tolerance: bigint,
): Judgement {
  const difference = base.billed - expected
  const small = difference !== 0n && size(difference) < tolerance
  const all = difference === 0n ? [] : small ? [['rounding', difference] as const] : [...parts]
  const reasons = new Map(all.filter(([, amount]) => amount !== 0n))
  const verdict = difference === 0n || small ? 'ok' : difference > 0n ? 'over' : 'under'
  return { ...base, expected, verdict, category: categoryOf(reasons), reasons }
}
