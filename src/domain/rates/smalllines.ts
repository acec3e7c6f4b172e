// A rate card in the small form: its lines as a sheet, and a sheet to start with (docs/guides/contracts.md).
import { readZoneWords } from '../read/zone.ts'
import { cardCell } from './cardcells.ts'
import type { Band, RateCard, Service } from './ratecard.ts'
import { smallTerms } from './smallcolumns.ts'
import { zoneHeaders, zoneKey } from './smallform.ts'
import { journeys, type Journey } from './smallreading.ts'
import { surchargeCell } from './smallsurcharges.ts'
import { zones } from './zones.ts'

/** A table of texts, its header first. */
export type Rows = readonly (readonly string[])[]

const prices: readonly (readonly [first: number, step: number])[] = [
  [32, 26],
  [38, 30],
  [48, 38],
  [54, 42],
  [68, 55],
]

const templateTerms = ['rto_percent', 'cod_fixed', 'cod_percent', 'fuel_percent', 'gst_percent', 'divisor'] as const

/** A small sheet to start with: two lines with numbers to replace, or a line without prices for each named courier. */
export function smallTemplate(named: readonly string[] | undefined, couriers: readonly string[] = []): Rows {
  const five = named === undefined || named.every((name) => readZoneWords(name) !== undefined)
  const own = named?.map((name) => (five ? readZoneWords(name)! : name)) ?? zones
  const heads = own.map(zoneHeaders)
  const header = [
    'courier',
    'service',
    'first_weight',
    ...heads.map(({ first }) => first),
    'step_weight',
    ...heads.map(({ step }) => step),
    ...templateTerms,
  ]
  const price = (i: number, more: number): readonly [string, string] => {
    const [first, step] = prices[i] ?? [prices[4]![0] + 10 * (i - 4), prices[4]![1] + 8 * (i - 4)]
    return [String(first + more), String(step + more)]
  }
  const line = (courier: string, service: string, more: number | undefined, terms: readonly string[]): string[] => [
    courier,
    service,
    '500g',
    ...own.map((_, i) => (more === undefined ? '' : price(i, more)[0])),
    '500g',
    ...own.map((_, i) => (more === undefined ? '' : price(i, more)[1])),
    ...terms,
  ]
  if (couriers.length > 0) return [header, ...couriers.map((name) => line(name, '', undefined, openTerms))]
  return [
    header,
    line('Sample Surface', 'standard', 0, ['100', '40', '1.8', '12', '18', '5000']),
    line('Sample Air', 'express', 20, ['100', '45', '2', '15', '18', '5000']),
  ]
}

/** What most contracts have, where the sheet has no numbers to replace: RTO, no COD, no fuel, GST, the divisor. */
const openTerms: readonly string[] = ['100', '', '', '', '18', '5000']

/** The lines of a service by journey and band: zone → band. */
function linesOf(service: Service): readonly { readonly journey: Journey; readonly bands: Map<string, Band> }[] {
  return journeys.flatMap((journey) => {
    const tariff = tariffOf(service, journey)
    const most = Math.max(0, ...Object.values(tariff).map((bands) => bands.length))
    return Array.from({ length: most }, (_, i) => ({
      journey,
      bands: new Map(
        Object.entries(tariff).flatMap(([zone, bands]) => (bands[i] === undefined ? [] : [[zone, bands[i]]])),
      ),
    }))
  })
}

function tariffOf(
  { forward, return: back, rto }: Service,
  journey: Journey,
): Readonly<Record<string, readonly Band[]>> {
  if (journey === 'forward') return forward
  if (journey === 'return') return back
  if (journey === 'rto') return 'bands' in rto ? rto.bands : {}
  if (!('per_slab' in rto)) return {}
  const band = (price: number): Band[] => [
    { up_to: null, first_weight: 500, first_price: price, step_weight: 500, step_price: 0 },
  ]
  return Object.fromEntries(Object.entries(rto.per_slab).map(([zone, price]) => [zone, band(price)]))
}

/**
 * Why the small form cannot hold the prices of a card; undefined when it can. Terms without a column stay with the
 * card, as in the long form.
 */
export function smallFault(card: RateCard): string | undefined {
  const clash = [zoneNames(card), ...card.services.map(({ forward }) => Object.keys(forward))]
    .map((names) => names.filter((name, i) => names.findIndex((other) => zoneKey(other) === zoneKey(name)) !== i))
    .find((names) => names.length > 0)
  if (clash !== undefined) return `a header cannot tell the zone ${clash[0]!} from another one of the card`
  for (const service of card.services) {
    const name = service.carrier_name
    for (const { bands } of linesOf(service)) {
      const [first, ...others] = bands.values()
      const same = (band: Band): boolean =>
        band.up_to === first!.up_to &&
        band.first_weight === first!.first_weight &&
        band.step_weight === first!.step_weight
      if (!others.every(same)) return `${name} has other slabs in some zones than in others`
    }
    const spans = new Set(Object.values(service.forward).map((bands) => bands.length))
    if (spans.size > 1) return `${name} has other slabs in some zones than in others`
  }
  return undefined
}

/** The rows of a card in the small form. Holidays, zones, serviceability and cut-offs stay with the card. */
export function smallLines(card: RateCard): Rows {
  const names = zoneNames(card)
  const extra = [...new Set(card.services.flatMap(ownSurcharges).map(([column]) => column))].filter((column) =>
    column.startsWith('surcharge:'),
  )
  const head = names.map(zoneHeaders)
  const before = smallTerms.slice(0, smallTerms.indexOf('step_weight'))
  const after = smallTerms.slice(smallTerms.indexOf('step_weight') + 1)
  const zoned = (key: 'first' | 'step' | 'days'): readonly string[] => head.map((one) => one[key])
  const header = [...before, ...zoned('first'), 'step_weight', ...zoned('step'), ...zoned('days'), ...after, ...extra]
  const rows = card.services.flatMap((service) =>
    linesOf(service).map(({ journey, bands }) => {
      const cells = new Map<string, string>(termCells(card, service, journey))
      const [band] = bands.values()
      for (const [column, value] of [
        ['up_to', band!.up_to],
        ['first_weight', journey === 'rto_per_slab' ? null : band!.first_weight],
        ['step_weight', journey === 'rto_per_slab' ? null : band!.step_weight],
      ] as const)
        cells.set(column, cardCell(column, value))
      for (const [zone, one] of bands) {
        const { first, step, days } = zoneHeaders(columnOf(names, zone))
        cells.set(first, cardCell('first_price', one.first_price))
        cells.set(step, journey === 'rto_per_slab' ? '' : cardCell('step_price', one.step_price))
        const transit = journey === 'forward' || journey === 'return' ? service.transit_days[journey][zone] : undefined
        cells.set(days, cardCell('transit_days', transit))
      }
      return header.map((column) => cells.get(column) ?? '')
    }),
  )
  return [header, ...rows]
}

/** The zones of a card, each once: the five first, then the courier's own. */
function zoneNames({ services }: RateCard): readonly string[] {
  const all = [...new Set(services.flatMap((service) => linesOf(service).flatMap(({ bands }) => [...bands.keys()])))]
  const five = zones.filter((zone) => all.includes(zone))
  const own = all.filter((zone) => !(zones as readonly string[]).includes(zone))
  return [...five, ...own.filter((name) => !five.some((zone) => readZoneWords(name) === zone))]
}

/** The name of the column of a zone: a courier's own A shares that of zone_a. */
const columnOf = (names: readonly string[], zone: string): string =>
  names.includes(zone) ? zone : names.find((name) => readZoneWords(name) === readZoneWords(zone))!

const ownSurcharges = ({ surcharges = [] }: Service): readonly (readonly [string, string])[] =>
  surcharges.flatMap((surcharge) => {
    const cell = surchargeCell(surcharge)
    return cell === undefined ? [] : [cell]
  })

function termCells(card: RateCard, service: Service, journey: Journey): readonly (readonly [string, string])[] {
  const { cod, qc, rto } = service
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    courier: service.carrier_name,
    courier_id: service.carrier_id,
    courier_code: service.carrier_code,
    service: service.service_level,
    journey,
    divisor: service.divisor,
    min_weight: service.min_weight,
    max_weight: service.max_weight,
    rto_percent: 'percent' in rto ? rto.percent : null,
    cod_fixed: cod.available && cod.slabs === undefined ? cod.fixed : null,
    cod_percent: cod.available && cod.slabs === undefined ? cod.percent : null,
    cod_rule: cod.available ? cod.rule : null,
    cod_max: cod.max_value,
    minimum_charge: service.minimum_charge,
    qc_price: qc.available ? qc.price : null,
    platform_fee: service.platform_fee,
    gst_percent: card.gst_percent,
  }
  const cells = Object.entries(values).map(([column, value]) => [column, cardCell(column, value)] as const)
  return [...cells, ...ownSurcharges(service)]
}
