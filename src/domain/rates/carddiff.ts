// What differs between two rate cards: prices by zone, terms, and pincodes that change their zone.
import { journeyTariffs, type PricedJourney } from './cardrows.ts'
import { everyPincode } from '../pincodes.ts'
import type { Band, RateCard, Service } from './ratecard.ts'
import type { ZoneTable } from './cardschema.ts'
import { drawnZone, readyZones } from './zonetables.ts'

/** A difference. Amounts are rupees; null is what a card does not have. */
export interface Difference extends Record<string, unknown> {
  /** The courier; '' for the card itself. */
  readonly courier: string
  readonly journey: PricedJourney | ''
  readonly zone: string
  readonly what: string
  readonly before: string | number | null
  readonly after: string | number | null
  /** The change of a number in percent, one decimal; null for anything else. */
  readonly change: number | null
}

/** How a term of a service is shown. */
export interface TermTexts {
  readonly weight: (service: Service) => string
  readonly cod: (service: Service) => string
  readonly rto: (service: Service) => string
  readonly surcharge: (surcharge: NonNullable<Service['surcharges']>[number]) => string
  readonly area: (service: Service) => string
}

type Value = string | number | null

/** The differences between two cards, those of the first one's couriers first. */
export function cardDifferences(a: RateCard, b: RateCard, texts: TermTexts): readonly Difference[] {
  const found: Difference[] = []
  const card = (what: string, before: Value, after: Value): void => {
    if (before !== after) found.push(difference({ courier: '', journey: '', zone: '', what }, before, after))
  }
  card('GST %', a.gst_percent, b.gst_percent)
  card('holidays', a.holidays.toSorted().join(', '), b.holidays.toSorted().join(', '))
  if (JSON.stringify(a.zones) !== JSON.stringify(b.zones)) card('zone rules', rules(a), rules(b))
  const left = [...b.services]
  const moved = new Set<string>()
  for (const service of a.services) {
    const at = left.findIndex((other) => other.carrier_id === service.carrier_id)
    const place = at === -1 ? left.findIndex((other) => sameName(service, other)) : at
    const [other] = place === -1 ? [] : left.splice(place, 1)
    if (other === undefined) found.push(presence(service, 'in the card', null))
    else found.push(...serviceDifferences([a, service], [b, other], texts), ...moves([a, service], [b, other], moved))
  }
  return [...found, ...left.map((service) => presence(service, null, 'in the card'))]
}

const rules = ({ zones }: RateCard): string =>
  Object.keys(zones).length === 0 ? 'usual' : Object.keys(zones).join(', ')

const sameName = (a: Service, b: Service): boolean =>
  a.carrier_name.toLowerCase() === b.carrier_name.toLowerCase() && a.service_level === b.service_level

const presence = ({ carrier_name: courier }: Service, before: Value, after: Value): Difference =>
  difference({ courier, journey: '', zone: '', what: 'courier' }, before, after)

function difference(
  about: Pick<Difference, 'courier' | 'journey' | 'zone' | 'what'>,
  before: Value,
  after: Value,
): Difference {
  const numbers = typeof before === 'number' && typeof after === 'number' && before > 0
  return { ...about, before, after, change: numbers ? Math.round(((after - before) / before) * 1000) / 10 : null }
}

type Side = readonly [card: RateCard, service: Service]

function serviceDifferences([a, one]: Side, [b, other]: Side, texts: TermTexts): readonly Difference[] {
  const courier = one.carrier_name
  const found: Difference[] = []
  const term = (what: string, before: Value, after: Value): void => {
    if (before !== after) found.push(difference({ courier, journey: '', zone: '', what }, before, after))
  }
  for (const [i, { journey, tariff }] of journeyTariffs(one).entries())
    found.push(
      ...priceDifferences(courier, journey, [tariff, asOf(a, one)], [journeyTariffs(other)[i]!.tariff, asOf(b, other)]),
    )
  term('id', one.carrier_id, other.carrier_id)
  term('name', one.carrier_name, other.carrier_name)
  term('service', one.service_level, other.service_level)
  term('zones', one.zone_table ?? 'the five', other.zone_table ?? 'the five')
  term('weight', texts.weight(one), texts.weight(other))
  term('longest side, cm', one.max_side, other.max_side)
  term('COD', texts.cod(one), texts.cod(other))
  if (!('bands' in one.rto && 'bands' in other.rto)) term('RTO', texts.rto(one), texts.rto(other))
  const names = [one, other].flatMap(({ surcharges = [] }) => surcharges.map(({ name }) => name))
  for (const name of new Set(names)) {
    const text = ({ surcharges = [] }: Service): Value => {
      const own = surcharges.find((surcharge) => surcharge.name === name)
      return own === undefined ? null : texts.surcharge(own)
    }
    term(name, text(one), text(other))
  }
  term('least charge', one.minimum_charge ?? null, other.minimum_charge ?? null)
  const qc = (service: Service): Value => (service.qc.available ? service.qc.price : null)
  term('QC', qc(one), qc(other))
  term('platform fee', one.platform_fee, other.platform_fee)
  for (const journey of ['forward', 'return'] as const)
    term(`days, ${journey}`, daysText(one, journey), daysText(other, journey))
  term('cut-off', one.pickup_cutoff, other.pickup_cutoff)
  term('working days', one.working_days.toSorted().join(','), other.working_days.toSorted().join(','))
  term('where', texts.area(one), texts.area(other))
  return found
}

const daysText = ({ transit_days: days }: Service, journey: 'forward' | 'return'): string =>
  Object.entries(days[journey])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([zone, n]) => `${zone} ${n}`)
    .join(', ')

type Tariff = Readonly<Record<string, readonly Band[]>>
type As = Readonly<Record<string, string>>

/** What the own zones of a service count in; nothing for one that goes by the five. */
const asOf = ({ zone_tables: tables = [] }: RateCard, { zone_table: named }: Service): As =>
  tables.find(({ name }) => name === named)?.zones ?? {}

function priceDifferences(
  courier: string,
  journey: PricedJourney,
  [a, as]: readonly [Tariff, As],
  [b, bs]: readonly [Tariff, As],
): readonly Difference[] {
  // Where one card has the five and the other the courier's own, each own zone is compared with what it counts in.
  const pairs = new Map<string, readonly [Value: string, other: string]>()
  for (const zone of Object.keys(a)) {
    const own = b[zone] !== undefined ? [zone] : Object.keys(b).filter((name) => bs[name] === zone)
    for (const name of own) pairs.set(name === zone ? zone : `${zone} → ${name}`, [zone, name])
    if (own.length === 0) {
      const five = as[zone]
      pairs.set(five !== undefined && b[five] !== undefined ? `${zone} → ${five}` : zone, [zone, five ?? zone])
    }
  }
  const paired = new Set([...pairs.values()].map(([, name]) => name))
  for (const zone of Object.keys(b)) if (!paired.has(zone)) pairs.set(zone, [zone, zone])
  return [...pairs].flatMap(([zone, [one, other]]) =>
    bandDifferences({ courier, journey, zone }, a[one] ?? [], b[other] ?? []),
  )
}

function bandDifferences(
  about: Pick<Difference, 'courier' | 'journey' | 'zone'>,
  a: readonly Band[],
  b: readonly Band[],
): readonly Difference[] {
  if (a.length === 0 || b.length === 0)
    return a.length === b.length ? [] : [difference({ ...about, what: 'prices' }, bandsText(a), bandsText(b))]
  const sameSlabs =
    a.length === b.length &&
    a.every((band, i) => {
      const other = b[i]!
      return (
        band.up_to === other.up_to && band.first_weight === other.first_weight && band.step_weight === other.step_weight
      )
    })
  if (!sameSlabs) return [difference({ ...about, what: 'prices' }, bandsText(a), bandsText(b))]
  return a.flatMap((band, i) => {
    const other = b[i]!
    const slab = i === 0 ? '' : `, above ${a[i - 1]!.up_to} g`
    const rows: Difference[] = []
    if (band.first_price !== other.first_price)
      rows.push(
        difference({ ...about, what: `first ${band.first_weight} g${slab}` }, band.first_price, other.first_price),
      )
    if (band.step_price !== other.step_price)
      rows.push(
        difference({ ...about, what: `each ${band.step_weight} g more${slab}` }, band.step_price, other.step_price),
      )
    return rows
  })
}

const bandsText = (bands: readonly Band[]): Value =>
  bands.length === 0
    ? null
    : bands
        .map(({ up_to: end, first_weight: first, first_price: price, step_weight: step, step_price: more }) => {
          const to = end === null ? '' : ` to ${end} g`
          return `${price} for ${first} g + ${more} for each ${step} g${to}`
        })
        .join('; ')

/** How many pincodes of a move are named. */
const mostNamed = 3

/** The pincodes whose zone another one is, by origin and by both zones. Two services of one table count once. */
function moves([a, one]: Side, [b, other]: Side, seen: Set<string>): readonly Difference[] {
  const [old, now] = [tableOf(a, one), tableOf(b, other)]
  if (old === undefined || now === undefined) return []
  const key = `${old.name} ${now.name}`
  if (seen.has(key) || JSON.stringify(old) === JSON.stringify(now)) return []
  seen.add(key)
  const tables = [old, now]
  const [before, after] = [readyZones(old), readyZones(now)]
  const pincodes = new Set(everyPincode())
  for (const table of tables) for (const pincode of pincodesIn(table)) pincodes.add(pincode)
  const found: Difference[] = []
  for (const from of new Set(tables.flatMap(({ origins }) => origins.map((origin) => origin.from)))) {
    const groups = new Map<string, { readonly was: Value; readonly is: Value; readonly pincodes: string[] }>()
    // A range of origins is looked up by its first.
    const origin = from.slice(0, 6)
    for (const pincode of pincodes) {
      const [was, is] = [before, after].map((ready) => drawnZone(ready, origin, pincode)?.name ?? null)
      if (was === is) continue
      const group = groups.get(`${was!}>${is!}`) ?? { was: was!, is: is!, pincodes: [] }
      group.pincodes.push(pincode)
      groups.set(`${was!}>${is!}`, group)
    }
    for (const { was, is, pincodes: moved } of groups.values()) {
      const named = moved.toSorted().slice(0, mostNamed).join(', ')
      const more = moved.length > mostNamed ? ` and ${moved.length - mostNamed} more` : ''
      const what = `${from === '' ? 'any origin' : `from ${from}`} to ${named}${more}`
      found.push(difference({ courier: now.name, journey: '', zone: '', what }, was, is))
    }
  }
  return found
}

const tableOf = ({ zone_tables: tables = [] }: RateCard, { zone_table: named }: Service): ZoneTable | undefined =>
  named === undefined ? undefined : tables.find(({ name }) => name === named)

/** The whole pincodes that a table names. */
function* pincodesIn({ origins }: ZoneTable): Generator<string> {
  for (const { to } of origins)
    for (const text of Object.values(to).flat()) {
      const [first, last] = text.split('-')
      if (first!.length < 6) continue
      for (let pincode = Number(first); pincode <= Number(last ?? first); pincode++) yield String(pincode)
    }
}
