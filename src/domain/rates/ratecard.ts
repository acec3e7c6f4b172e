// The rate card: a merchant's contract with its couriers, its tariffs in integers and its checks.
import type { Area, Band, RateCard, Service } from './cardschema.ts'
import type { Fault } from '../errors.ts'
import { paiseOf, rupeesText } from '../money.ts'
import { nearest } from '../nearest.ts'
import { stateNames } from '../pincodes.ts'
import { surchargeFaults } from './surcharges.ts'
import { zoneOptionsFault, zones } from './zones.ts'
import { zoneTableFaults } from './zonetables.ts'

export type { Area, Band, RateCard, Service, Surcharge } from './cardschema.ts'

/** A band in integers: weights in hundredths of a gram, prices in paise. */
export interface Slabs {
  readonly upTo: number
  readonly first: number
  readonly firstPrice: number
  readonly step: number
  readonly stepPrice: number
}

const compiled = new WeakMap<readonly Band[], readonly Slabs[]>()

/** The bands in integers, worked out once for each card. */
export function slabsOf(bands: readonly Band[]): readonly Slabs[] {
  let slabs = compiled.get(bands)
  if (slabs === undefined) {
    slabs = bands.map((band) => ({
      upTo: band.up_to === null ? Infinity : hundredths(band.up_to),
      first: hundredths(band.first_weight),
      firstPrice: paiseOf(band.first_price)!,
      step: hundredths(band.step_weight),
      stepPrice: paiseOf(band.step_price)!,
    }))
    compiled.set(bands, slabs)
  }
  return slabs
}

/** Grams in hundredths of a gram, the unit that slabs are counted in, so that no fraction of a gram adds one. */
export function hundredths(grams: number): number {
  return Math.round(grams * 100)
}

/** The band that serves a weight (hundredths of a gram), or undefined when the tariff has none for it. */
export function bandFor(slabs: readonly Slabs[], weight: number): Slabs | undefined {
  return slabs.find((band) => weight <= band.upTo)
}

/** Whole steps above the first weight (hundredths of a gram); a weight exactly on a step stays in it. */
export function stepsOf(band: Slabs, weight: number): number {
  return weight <= band.first ? 0 : Math.ceil((weight - band.first) / band.step)
}

/** Freight of a weight (hundredths of a gram) in a band, in integer paise. */
export function freightOf(band: Slabs, weight: number): number {
  return band.firstPrice + stepsOf(band, weight) * band.stepPrice
}

/** The zones that a service may have prices for: those of its table, or the five. */
export function zonesOf({ zone_tables: tables = [] }: RateCard, { zone_table: named }: Service): readonly string[] {
  const table = named === undefined ? undefined : tables.find(({ name }) => name === named)
  return table === undefined ? zones : Object.keys(table.zones)
}

/**
 * What is wrong with a card beyond its schema: repeated carriers, bands out of order, freight that falls as weight
 * grows (the band is named), zones with a price and without transit days, reversed dates, states, zones and pincode
 * prefixes that do not exist, surcharges without an amount.
 */
export function cardFaults(card: RateCard): readonly Fault[] {
  const faults: Fault[] = []
  if (card.valid_from !== null && card.valid_to !== null && card.valid_from > card.valid_to) {
    faults.push({ field: 'valid_to', message: `${card.valid_to} is before valid_from ${card.valid_from}` })
  }
  const zoneFault = zoneOptionsFault(card.zones)
  if (zoneFault !== undefined) faults.push({ field: 'zones', message: zoneFault })
  faults.push(...zoneTableFaults(card.zone_tables ?? []))
  const seen = new Set<string>()
  card.services.forEach((service, index) => {
    const at = `services.${index}`
    if (seen.has(service.carrier_id))
      faults.push({ field: `${at}.carrier_id`, message: `${service.carrier_id} appears twice` })
    seen.add(service.carrier_id)
    if (service.min_weight > service.max_weight)
      faults.push({ field: `${at}.min_weight`, message: 'is above max_weight' })
    faults.push(...zoneNameFaults(card, service, at))
    for (const journey of ['forward', 'return'] as const) faults.push(...tariffFaults(card, service, journey, at))
    faults.push(...rtoFaults(service, at), ...surchargeFaults(service, at))
    for (const [use, area] of Object.entries(service.serviceability)) {
      if (area !== undefined) faults.push(...stateFaults(area, `${at}.serviceability.${use}`))
    }
  })
  return faults
}

/** Zones in a service's prices that its zone table, or the five, do not have; and a table that the card lacks. */
function zoneNameFaults(card: RateCard, service: Service, at: string): readonly Fault[] {
  const { zone_table: named, forward, return: back, rto, cod, surcharges = [], carrier_name: carrier } = service
  if (named !== undefined && !(card.zone_tables ?? []).some(({ name }) => name === named)) {
    const have = (card.zone_tables ?? []).map(({ name }) => name).join(', ') || 'none'
    return [{ field: `${at}.zone_table`, message: `the card has no zone table "${named}"; it has: ${have}` }]
  }
  const known = zonesOf(card, service)
  const used = [
    ...[forward, back, 'bands' in rto ? rto.bands : 'per_slab' in rto ? rto.per_slab : {}].flatMap(Object.keys),
    ...(cod.slabs ?? []).flatMap((slab) => slab.zones ?? []),
    ...surcharges.flatMap(({ when }) => when?.zones ?? []),
  ]
  return [...new Set(used)]
    .filter((zone) => !known.includes(zone))
    .map((zone) => ({
      field: at,
      message: `${carrier}: "${zone}" is not a zone of ${named ?? 'the card'}; zones: ${known.join(', ')}`,
    }))
}

function tariffFaults(card: RateCard, service: Service, journey: 'forward' | 'return', at: string): readonly Fault[] {
  const as = (card.zone_tables ?? []).find(({ name }) => name === service.zone_table)?.zones ?? {}
  const days = service.transit_days[journey]
  return Object.entries(service[journey]).flatMap(([zone, bands]) => {
    const where = `${service.carrier_name}, ${journey} ${zone}`
    const faults = [...bandFaults(bands, `${at}.${journey}.${zone}`, where)]
    if ((days[zone] ?? days[as[zone] ?? '']) === undefined) {
      const message = `${where} has a price and no transit days`
      faults.push({ field: `${at}.transit_days.${journey}.${zone}`, message })
    }
    return faults
  })
}

function rtoFaults({ rto, forward, carrier_name: carrier }: Service, at: string): readonly Fault[] {
  if ('percent' in rto) return []
  const [name, prices] = 'bands' in rto ? ['bands', rto.bands] : ['per_slab', rto.per_slab]
  const lacking = Object.keys(forward).filter((zone) => prices[zone] === undefined)
  return [
    ...('bands' in rto ? Object.entries(rto.bands) : []).flatMap(([zone, bands]) =>
      bandFaults(bands, `${at}.rto.bands.${zone}`, `${carrier}, rto ${zone}`),
    ),
    ...lacking.map((zone) => ({
      field: `${at}.rto.${name}.${zone}`,
      message: `${carrier} has a forward price for ${zone} and no RTO price`,
    })),
  ]
}

// A misspelt state would match no place, and nothing would show that its rule has no effect.
function stateFaults(area: Area, field: string): readonly Fault[] {
  return (['states', 'not_states'] as const).flatMap((list) =>
    (area[list] ?? []).flatMap((state, index) => {
      if (stateNames().includes(state)) return []
      const near = nearest(state, stateNames())
      const guess = near === undefined ? '' : `; did you mean "${near}"?`
      const message = `"${state.slice(0, 40)}" is not a state or union territory${guess}`
      return [{ field: `${field}.${list}.${index}`, message }]
    }),
  )
}

function bandFaults(bands: readonly Band[], field: string, where: string): readonly Fault[] {
  const faults: Fault[] = []
  const slabs = slabsOf(bands)
  for (let i = 0; i + 1 < slabs.length; i++) {
    const [band, next] = [slabs[i]!, slabs[i + 1]!]
    if (next.upTo <= band.upTo) {
      faults.push({
        field: `${field}.${i + 1}.up_to`,
        message: `${where}: bands must grow; band ${i + 2} can never be reached`,
      })
      continue
    }
    // Weights are charged to the hundredth of a gram, so the next weight after the band's end is one hundredth more.
    const [last, first] = [freightOf(band, band.upTo), freightOf(next, band.upTo + 1)]
    if (first < last) {
      faults.push({
        field: `${field}.${i + 1}`,
        message:
          `${where}: freight falls from ₹${rupeesText(last)} at ${band.upTo / 100} g ` +
          `to ₹${rupeesText(first)} just above it (band ${i + 2})`,
      })
    }
  }
  return faults
}
