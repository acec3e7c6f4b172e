// Findings that are one sentence: what a courier bills wrong in the same way on many lines (docs/guides/money.md,
// Patterns). Amounts are integer paise before GST, weights milligrams.
import { rupeesText } from '../money.ts'
import type { Reason, ReasonCode } from './billed.ts'
import { fuelRates, percentText, rateCost, type FuelCharge, type FuelRates } from './fuelrates.ts'

/** What a pattern looks at in a judged line. */
export interface PatternLine {
  readonly awb: string
  readonly zone: string | null
  readonly zone_billed: string | null
  /** The pincode of the warehouse, and the state of the customer. */
  readonly origin: string | null
  readonly state: string | null
  readonly slab: number | null
  readonly slab_billed: number | null
  readonly freight: number
  readonly rto: number
  readonly cod_fee: number
  readonly fuel: number
}

/** A finding over many lines. */
export interface Pattern {
  readonly code: ReasonCode
  /** The lines that it is about, and those of the same kind: 60 of 64 lines to Rajasthan. */
  readonly lines: number
  readonly of: number
  /** What these reasons add up to, before GST. */
  readonly amount: number
  /** The first AWB. */
  readonly example: string
  readonly text: string
}

type PatternReasons = readonly Pick<Reason, 'code' | 'amount'>[]

/** Looks for patterns line by line. */
export interface PatternFinder {
  readonly add: (line: PatternLine, reasons: PatternReasons) => void
  /** The patterns, the dearest first. */
  readonly found: () => readonly Pattern[]
}

/** How many lines there are of each kind: what the lines of a group are a share of. */
interface Kinds {
  line: number
  forward: number
  rto: number
  cod: number
  fuel: number
  /** By our zone and the state of the customer. */
  readonly zones: Map<string, Map<string, number>>
  /** Weights that are no whole kilograms, by the pincode of the warehouse. */
  readonly slabs: Map<string, number>
}

/** Lines that are alike in what is wrong with them. */
interface Group {
  readonly code: ReasonCode
  readonly kind: (kinds: Kinds) => number | undefined
  readonly example: string
  readonly text: (lines: number, of: number) => string
  lines: number
  amount: number
}

/** Fewer lines are chance; a smaller share of the lines of a kind is no habit. */
const [fewest, leastShare] = [3, 0.5]

/** Groups in memory at most; an invoice has some hundreds. */
const mostGroups = 20_000

const kilo = 1_000_000
const isWhole = (slab: number): boolean => slab % kilo === 0

const more = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Counts a line with its kinds. */
function countKinds(kinds: Kinds, line: PatternLine): void {
  const { zone, state, slab, slab_billed: billed } = line
  kinds.line++
  if (zone !== null && state !== null) {
    let states = kinds.zones.get(zone)
    if (states === undefined) kinds.zones.set(zone, (states = new Map()))
    more(states, state)
  }
  if (slab !== null && billed !== null && !isWhole(slab)) more(kinds.slabs, line.origin ?? '')
  if (line.freight !== 0) kinds.forward++
  if (line.rto !== 0) kinds.rto++
  if (line.cod_fee !== 0) kinds.cod++
  if (line.fuel !== 0) kinds.fuel++
}

type Common = 'line' | 'forward' | 'rto' | 'cod' | 'fuel'
/** `own` is the part of the reason that the pattern is about, where it is not all of it. */
type Made = Omit<Group, 'lines' | 'amount' | 'example' | 'code'> & { readonly key: string; readonly own?: number }

const beyond = (amount: number): string => `₹${rupeesText(Math.abs(amount))} ${amount < 0 ? 'below' : 'above'} the card`

/** What a reason of a line has in common with those of other lines; undefined for one that stands alone. */
function groupOf(line: PatternLine, code: string, amount: number): Made | undefined {
  const { zone, zone_billed: billed, state, slab, slab_billed: slabBilled, origin } = line
  const same = (kind: Common, text: Group['text']): Made => ({
    key: `${code} ${amount}`,
    kind: (kinds) => kinds[kind],
    text,
  })
  switch (code) {
    case 'zone':
      return zone === null || billed === null || state === null
        ? undefined
        : {
            key: `zone ${zone} ${billed.toLowerCase()} ${state}`,
            kind: ({ zones }) => zones.get(zone)?.get(state),
            text: (n, of) => `${n} of ${of} lines to ${state} are billed ${billed}; the card says ${zone}`,
          }
    case 'weight':
      return slab === null || slabBilled === null || isWhole(slab) || !isWhole(slabBilled)
        ? undefined
        : {
            key: `weight ${origin ?? ''}`,
            kind: ({ slabs }) => slabs.get(origin ?? ''),
            text: (n, of) =>
              `${n} of ${of} weights${origin === null ? '' : ` from ${origin}`} are rounded up to a whole kilogram`,
          }
    case 'rate':
      return same('forward', (n, of) => `${n} of ${of} forward charges are ${beyond(amount)}`)
    case 'rto_rate':
      return same('rto', (n, of) => `${n} of ${of} RTO charges are ${beyond(amount)}`)
    case 'cod_rate':
      return same('cod', (n, of) => `${n} of ${of} COD fees are ${beyond(amount)}`)
    case 'cod_not_reversed':
      return {
        key: code,
        kind: ({ rto }) => rto,
        text: (n, of) => `${n} of ${of} parcels that came back kept their COD fee`,
      }
    case 'cod_on_prepaid':
      return { key: code, kind: ({ cod }) => cod, text: (n, of) => `${n} of ${of} COD fees are of prepaid parcels` }
    case 'surcharge':
      return same('line', (n, of) => `${n} of ${of} lines have ₹${rupeesText(amount)} that the card does not have`)
    default:
      return undefined
  }
}

/** Reasons of the freight that a charge for fuel is a share of. */
const ofFreight: ReadonlySet<string> = new Set(['zone', 'weight', 'rate', 'rto_rate', 'rto_not_returned'])

/** The percentage of a charge for fuel, where it is another one than the card's. */
function fuelOf(line: PatternLine, reasons: PatternReasons, fuels: FuelRates): Made | undefined {
  const sum = (of: (code: string) => boolean): number =>
    reasons.reduce((all, { code, amount }) => (of(code) ? all + (amount ?? 0) : all), 0)
  const base = line.freight + line.rto
  const charge: FuelCharge = {
    billed: line.fuel,
    base,
    due: line.fuel - sum((code) => code === 'fuel'),
    dueBase: base - sum((code) => ofFreight.has(code)),
  }
  const rates = fuels(charge)
  return (
    rates && {
      key: `fuel ${rates.key}`,
      kind: (kinds) => kinds.fuel,
      own: rateCost(charge),
      text: (n, of) =>
        `${n} of ${of} fuel charges are ${percentText(rates.theirs)} % of the freight; ` +
        `the card says ${percentText(rates.ours)} %`,
    }
  )
}

/** What is alike where lines are compared with each other: most are right, so a few wrong ones make a pattern. */
function apartOf({ freight, rto }: PatternLine, code: string, amount: number): Made | undefined {
  const by = `₹${rupeesText(Math.abs(amount))} ${amount < 0 ? 'below' : 'above'} lines of the same kind`
  const what: Readonly<Record<string, string>> = {
    rate: freight === 0 && rto === 0 ? 'amounts' : 'forward charges',
    rto_rate: 'RTO charges',
    cod_rate: 'COD fees',
    fuel: 'charges for fuel',
    surcharge: 'lines',
  }
  const named = what[code]
  return named === undefined
    ? undefined
    : { key: `${code} ${amount}`, kind: () => undefined, text: (n) => `${n} ${named} are ${by}` }
}

/** A finder with nothing in it; `apart` is for lines that are compared with each other. */
export function patternFinder(apart = false): PatternFinder {
  const groups = new Map<string, Group>()
  const fuels = fuelRates()
  const kinds: Kinds = { line: 0, forward: 0, rto: 0, cod: 0, fuel: 0, zones: new Map(), slabs: new Map() }
  return {
    add: (line, reasons) => {
      countKinds(kinds, line)
      for (const { code, amount } of reasons) {
        if (amount === null) continue
        const made = apart
          ? apartOf(line, code, amount)
          : code === 'fuel'
            ? fuelOf(line, reasons, fuels)
            : groupOf(line, code, amount)
        if (made === undefined) continue
        const { key, kind, text, own = amount } = made
        const known = groups.get(key)
        if (known !== undefined) {
          known.lines++
          known.amount += own
        } else if (groups.size < mostGroups)
          groups.set(key, { code: code as ReasonCode, kind, text, lines: 1, amount: own, example: line.awb })
      }
    },
    found: () =>
      [...groups.values()]
        .flatMap(({ code, kind, text, lines, amount, example }): Pattern[] => {
          const of = Math.max(lines, kind(kinds) ?? 0)
          if (lines < fewest || (!apart && lines < of * leastShare)) return []
          return [{ code, lines, of, amount, example, text: text(lines, of) }]
        })
        .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || (a.text < b.text ? -1 : 1)),
  }
}
