// One number of a rate card by its path, such as `zone_d.first`: read, and set to another value
// (docs/guides/whatif.md, Break-even). Prices are integer paise, percentages hundredths of a percent.
import { paiseOf } from '../money.ts'
import type { Band, RateCard, Service } from './cardschema.ts'

/** A number of a service, as an integer. */
interface ServiceNumber {
  readonly path: string
  readonly unit: 'paise' | 'percent'
  readonly value: number
  readonly set: (value: number) => Service
}

const rupees = (paise: number): number => paise / 100

/** The numbers of a service by their paths. */
function numbersOf(service: Service): readonly ServiceNumber[] {
  const paise = (path: string, value: number, set: (rupees: number) => Service): ServiceNumber => ({
    path,
    unit: 'paise',
    value: paiseOf(value)!,
    set: (next) => set(rupees(next)),
  })
  const percent = (path: string, value: number, set: (percent: number) => Service): ServiceNumber => ({
    path,
    unit: 'percent',
    value: Math.round(value * 100),
    set: (next) => set(next / 100),
  })
  const found: ServiceNumber[] = []
  for (const [zone, bands] of Object.entries(service.forward)) {
    const withBand = (at: number, change: Partial<Band>): Service => ({
      ...service,
      forward: { ...service.forward, [zone]: bands.map((band, i) => (i === at ? { ...band, ...change } : band)) },
    })
    const last = bands.length - 1
    found.push(
      paise(`${zone}.first`, bands[0]!.first_price, (first_price) => withBand(0, { first_price })),
      paise(`${zone}.step`, bands[last]!.step_price, (step_price) => withBand(last, { step_price })),
    )
  }
  const { rto, cod } = service
  if ('percent' in rto)
    found.push(percent('rto.percent', rto.percent, (next) => ({ ...service, rto: { percent: next } })))
  if ('per_slab' in rto)
    for (const [zone, price] of Object.entries(rto.per_slab))
      found.push(
        paise(`${zone}.rto`, price, (next) => ({ ...service, rto: { per_slab: { ...rto.per_slab, [zone]: next } } })),
      )
  if (cod.slabs === undefined)
    found.push(
      paise('cod.fixed', cod.fixed, (fixed) => ({ ...service, cod: { ...cod, fixed } })),
      percent('cod.percent', cod.percent, (next) => ({ ...service, cod: { ...cod, percent: next } })),
    )
  if (service.minimum_charge !== undefined)
    found.push(paise('minimum_charge', service.minimum_charge, (next) => ({ ...service, minimum_charge: next })))
  return found
}

/** A number of a card, in all of its services that have it or in one. */
export interface CardNumber {
  readonly unit: 'paise' | 'percent'
  /** Its values now, one for each service. */
  readonly values: readonly number[]
  readonly set: (value: number) => RateCard
}

/** The greatest value that is tried: a lakh of rupees, or 1000 %. */
export const greatest = { paise: 10_000_000, percent: 100_000 } as const

/**
 * The number of a path: `zone_d.first`, `cod.percent`, or of one courier (`alpha.zone_d.first`, by its id or code).
 * Undefined where no service has it.
 */
export function cardNumber(card: RateCard, path: string): CardNumber | undefined {
  const [, courier = '', rest = ''] = /^([^.]*)\.(.*)$/.exec(path) ?? []
  const named = card.services.filter(({ carrier_id: id, carrier_code: code, carrier_name: name }) =>
    [id, code, name].some((one) => one.toLowerCase() === courier.toLowerCase()),
  )
  const [services, own] = named.length > 0 ? [named, rest] : [card.services, path]
  const places = new Map(
    services.flatMap((service) => {
      const found = numbersOf(service).find((one) => one.path.toLowerCase() === own.toLowerCase())
      return found === undefined ? [] : [[service, found] as const]
    }),
  )
  const [first, ...others] = places.values()
  if (first === undefined) return undefined
  return {
    unit: first.unit,
    values: [first, ...others].map(({ value }) => value),
    set: (value) => ({
      ...card,
      services: card.services.map((service) => places.get(service)?.set(value) ?? service),
    }),
  }
}

/** The paths of the numbers that a card has. */
export const numberPaths = ({ services }: RateCard): readonly string[] => [
  ...new Set(services.flatMap((service) => numbersOf(service).map(({ path }) => path))),
]
