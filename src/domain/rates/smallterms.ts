// The terms of a courier on a small card: what its lines say, then what the card before had, then defaults.
import { awbName, fuelName, readSurchargeCell, surchargeCell } from './smallsurcharges.ts'
import {
  cellFault,
  idOf,
  lineWith,
  numberIn,
  type Defaults,
  type Draft,
  type Reading,
  type SmallLine,
} from './smallreading.ts'
import type { SmallTerm } from './smallcolumns.ts'
import type { Service, Surcharge } from './cardschema.ts'

/** Heavier parcels than any that shipx prices, grams: no limit. */
const anyWeight = 10_000_000

type Terms = Omit<
  Service,
  'carrier_id' | 'carrier_name' | 'service_level' | 'forward' | 'return' | 'rto' | 'transit_days'
>

/** The terms of a draft. */
export function termsOf(reading: Reading, draft: Draft, defaults: Defaults): Terms {
  const { known, level } = draft
  const fresh = known === undefined
  const number = (term: SmallTerm): number | undefined => {
    const at = reading.form.terms.get(term)
    const line = lineWith(reading, draft, at)
    return line && numberIn(reading, line, at!, term)
  }
  const filled = <T>(value: T | undefined, usual: T, said: string): T => {
    if (value !== undefined) return value
    if (fresh) defaults.add(said)
    return usual
  }
  const qc = number('qc_price')
  const codeAt = reading.form.terms.get('courier_code')
  const code = codeAt === undefined ? undefined : lineWith(reading, draft, codeAt)?.cells[codeAt]?.trim()
  const least = number('minimum_charge') ?? known?.minimum_charge
  const surcharges = surchargesOf(reading, draft)
  if (fresh) defaults.add('pickup cut-off 14:00, Monday to Saturday')
  return {
    ...(known ?? {
      is_fast: level === 'express',
      is_prime: false,
      max_side: null,
      pickup_cutoff: '14:00',
      working_days: [1, 2, 3, 4, 5, 6],
      serviceability: {},
    }),
    carrier_code: code ?? known?.carrier_code ?? idOf(draft.name).toLowerCase().replaceAll('-', '_'),
    divisor: filled(number('divisor') ?? known?.divisor, 5000, 'divisor 5000'),
    min_weight: number('min_weight') ?? known?.min_weight ?? 1,
    max_weight: filled(number('max_weight') ?? known?.max_weight, anyWeight, 'any weight'),
    cod: codOf(reading, draft, number, defaults),
    qc: qc === undefined ? (known?.qc ?? { available: false, price: 0 }) : { available: true, price: qc },
    platform_fee: number('platform_fee') ?? known?.platform_fee ?? 0,
    ...(least === undefined ? {} : { minimum_charge: least }),
    ...(surcharges.length === 0 ? { surcharges: undefined } : { surcharges: [...surcharges] }),
  }
}

function codOf(
  reading: Reading,
  draft: Draft,
  number: (term: SmallTerm) => number | undefined,
  defaults: Defaults,
): Service['cod'] {
  const { known } = draft
  const [fixed, percent, most] = [number('cod_fixed'), number('cod_percent'), number('cod_max')]
  const given = fixed !== undefined || percent !== undefined
  const before = known?.cod ?? { available: given, fixed: 0, percent: 0, rule: 'max' as const, max_value: null }
  if (known === undefined && !given) defaults.add('no COD')
  const at = reading.form.terms.get('cod_rule')
  const line = lineWith(reading, draft, at)
  const said = line?.cells[at!]?.trim().toLowerCase()
  if (said !== undefined && said !== 'max' && said !== 'sum')
    cellFault(reading, line!.at, at!, `"${said.slice(0, 20)}" is not max (the greater) or sum (both)`)
  if (known === undefined && said === undefined && fixed !== undefined && percent !== undefined && fixed * percent > 0)
    defaults.add('the greater of both COD fees')
  return {
    ...before,
    available: given || before.available,
    fixed: fixed ?? (given ? 0 : before.fixed),
    percent: percent ?? (given ? 0 : before.percent),
    rule: said === 'sum' ? 'sum' : said === 'max' ? 'max' : before.rule,
    max_value: most ?? before.max_value,
    ...(given ? { slabs: undefined } : {}),
  }
}

/** The surcharges of the columns, in the place of those of the card before that have the same names. */
function surchargesOf(reading: Reading, draft: Draft): readonly Surcharge[] {
  const { terms, surcharges } = reading.form
  const columns: (readonly [
    name: string,
    at: number,
    read: (line: SmallLine, at: number) => Partial<Surcharge> | undefined,
  ])[] = surcharges.map(({ name, at }) => [name, at, (line) => surchargeIn(reading, line, at)])
  const own = (term: SmallTerm, name: string, key: 'percent' | 'amount'): void => {
    const at = terms.get(term)
    if (at === undefined) return
    columns.push([
      name,
      at,
      (line) => {
        const value = numberIn(reading, line, at, term)
        return value === undefined ? undefined : { [key]: value }
      },
    ])
  }
  own('awb_fee', awbName, 'amount')
  own('fuel_percent', fuelName, 'percent')
  const found = new Map((draft.known?.surcharges ?? []).map((surcharge) => [surcharge.name, surcharge]))
  for (const [name, at, read] of columns) {
    const line = lineWith(reading, draft, at)
    const way = line && read(line, at)
    if (way !== undefined && Object.values(way).some((value) => value !== 0)) found.set(name, { name, ...way })
    // What a cell cannot say, such as a rate by day, stays where the cell is empty.
    else if (way !== undefined || surchargeCell(found.get(name) ?? { name }) !== undefined) found.delete(name)
  }
  return [...found.values()]
}

function surchargeIn(reading: Reading, line: SmallLine, at: number): Omit<Surcharge, 'name'> | undefined {
  const read = readSurchargeCell(line.cells[at]!, reading.sheet.grouped)
  if ('way' in read) return read.way
  cellFault(reading, line.at, at, read.fault)
  return undefined
}
