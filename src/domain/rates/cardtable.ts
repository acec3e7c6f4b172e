// A rate card as a table, one line for each carrier, service, journey, zone and band: the form that people edit in a
// spreadsheet (docs/guides/rates.md).
import type { Fault } from '../errors.ts'
import { cardCell, cardColumns, readCardCell, type CardColumn, type CardLine, type CardReading } from './cardcells.ts'
import type { Band, RateCard, Service } from './ratecard.ts'
import { zones, type Zone } from './zones.ts'
import { readTruth } from '../read/truth.ts'
import { readZone } from '../read/zone.ts'

const journeys = ['forward', 'return', 'rto'] as const
type Journey = (typeof journeys)[number]

/** The lines of a card. Holidays, zones, serviceability and cut-offs have no column and stay with the card. */
export function cardLines(card: RateCard): readonly CardLine[] {
  return card.services.flatMap((service) =>
    journeys.flatMap((journey) =>
      zones.flatMap((zone) =>
        (tariffOf(service, journey)[zone] ?? []).map((band) => lineOf(service, journey, zone, band)),
      ),
    ),
  )
}

const tariffOf = (service: Service, journey: Journey): Service['forward'] =>
  journey === 'rto' ? ('bands' in service.rto ? service.rto.bands : {}) : service[journey]

function lineOf(service: Service, journey: Journey, zone: Zone, band: Band): CardLine {
  const values: Record<CardColumn, string | number | boolean | null | undefined> = {
    ...service,
    journey,
    zone,
    ...band,
    transit_days: journey === 'rto' ? null : service.transit_days[journey][zone],
    cod_available: service.cod.available,
    cod_fixed: service.cod.fixed,
    cod_percent: service.cod.percent,
    cod_rule: service.cod.rule,
    rto_percent: 'percent' in service.rto ? service.rto.percent : null,
    qc_available: service.qc.available,
    qc_price: service.qc.price,
  }
  return Object.fromEntries(cardColumns.map((column) => [column, cardCell(column, values[column])])) as CardLine
}

// Columns with one value for each carrier: its first line has it, and the other lines repeat it or leave it empty.
const ofCarrier = [
  'carrier_name',
  'carrier_code',
  'service_level',
  'divisor',
  'min_weight',
  'max_weight',
  'cod_available',
  'cod_fixed',
  'cod_percent',
  'cod_rule',
  'rto_percent',
  'qc_available',
  'qc_price',
  'platform_fee',
] as const satisfies readonly (keyof CardLine)[]

/** Whether two cells of a column say the same. */
function sameCell(column: CardColumn, a: string, b: string, reading: CardReading): boolean {
  if (a.trim() === b.trim()) return true
  const [one, other] = [readCardCell(column, a, reading), readCardCell(column, b, reading)]
  return 'value' in one && 'value' in other && one.value === other.value
}

const inGrams: CardReading = { grouped: true, weights: new Map() }

/**
 * A card from the lines of a table, or its faults by line (the header is line 1). Carriers, prices, days and fees come
 * from the lines; everything else from `base`, by `carrier_id` where it has the carrier, else from its first service.
 */
export function cardOfLines(
  lines: readonly CardLine[],
  base: RateCard,
  name: string,
  reading = inGrams,
): { readonly card: RateCard } | { readonly faults: readonly Fault[] } {
  const lost = tableFault(base)
  if (
    lost !== undefined &&
    lines.some((line) => base.services.some((one) => one.carrier_id === line.carrier_id.trim()))
  )
    return { faults: [{ field: null, message: `${lost}, and a table has no column for it; write the card as JSON` }] }
  const faults: Fault[] = []
  const services = new Map<string, Draft>()
  const place = reading.counts ?? 'line'
  lines.forEach((line, index) => {
    const row = reading.rows?.[index] ?? index + 2
    const fault = (field: string, message: string): void => {
      faults.push({ field, message, row })
    }
    const number = (field: CardColumn, need: boolean): number | null => {
      if (line[field].trim() === '') {
        if (need) fault(field, 'is empty')
        return null
      }
      const read = readCardCell(field, line[field], reading)
      if ('value' in read) return read.value
      fault(field, read.fault)
      return null
    }
    const id = line.carrier_id.trim()
    if (id === '') return fault('carrier_id', 'is empty')
    const zone = readZone(line.zone.trim())
    const journey = journeys.find((known) => known === line.journey.trim())
    if (zone === undefined) fault('zone', `"${line.zone.slice(0, 20)}" is not a zone`)
    if (journey === undefined) fault('journey', `"${line.journey.slice(0, 20)}" is not forward, return or rto`)
    const band: Band = {
      up_to: number('up_to', false),
      first_weight: number('first_weight', true) ?? 1,
      first_price: number('first_price', true) ?? 0,
      step_weight: number('step_weight', true) ?? 1,
      step_price: number('step_price', true) ?? 0,
    }
    const known = services.get(id)
    const service = known ?? draftOf(line, row, base, number, fault)
    services.set(id, service)
    if (known !== undefined) {
      for (const column of ofCarrier) {
        if (line[column].trim() !== '' && !sameCell(column, line[column], known.line[column], reading))
          fault(column, `"${line[column].slice(0, 20)}" differs from ${place} ${known.row}, which has the same carrier`)
      }
    }
    if (zone === undefined || journey === undefined) return
    ;(service[journey][zone] ??= []).push(band)
    const days = journey === 'rto' ? null : number('transit_days', true)
    if (days === null || journey === 'rto') return
    if ((service.days[journey][zone] ?? days) !== days)
      fault('transit_days', `${days} differs from another line of this carrier, journey and zone`)
    service.days[journey][zone] = days
  })
  if (lines.length === 0) faults.push({ field: null, message: 'there is no line below the header', row: 1 })
  if (faults.length > 0) return { faults }
  return { card: { ...base, name, note: '', services: [...services.values()].map(serviceOf) } }
}

interface Draft {
  /** The first line of the carrier, and its number. */
  readonly line: CardLine
  readonly row: number
  readonly rest: Omit<Service, 'forward' | 'return' | 'rto' | 'transit_days'>
  readonly rtoPercent: number | null
  readonly forward: Partial<Record<Zone, Band[]>>
  readonly return: Partial<Record<Zone, Band[]>>
  readonly rto: Partial<Record<Zone, Band[]>>
  readonly days: { readonly forward: Partial<Record<Zone, number>>; readonly return: Partial<Record<Zone, number>> }
}

function draftOf(
  line: CardLine,
  row: number,
  base: RateCard,
  number: (field: CardColumn, need: boolean) => number | null,
  fault: (field: string, message: string) => void,
): Draft {
  const known = base.services.find((service) => service.carrier_id === line.carrier_id.trim())
  const model = known ?? {
    ...base.services[0]!,
    is_fast: line.service_level.trim() === 'express',
    is_prime: false,
    serviceability: {},
    max_side: null,
  }
  const truth = (field: 'cod_available' | 'qc_available'): boolean => {
    const read = readTruth(line[field])
    if ('value' in read) return read.value
    fault(field, read.fault)
    return false
  }
  const rule = line.cod_rule.trim()
  if (rule !== 'max' && rule !== 'sum') fault('cod_rule', `"${rule.slice(0, 20)}" is not max or sum`)
  const level = line.service_level.trim()
  if (level !== 'standard' && level !== 'express')
    fault('service_level', `"${level.slice(0, 20)}" is not standard or express`)
  return {
    line,
    row,
    rest: {
      ...(known === undefined ? {} : termsWithoutColumn(known)),
      carrier_id: line.carrier_id.trim(),
      carrier_name: line.carrier_name.trim(),
      carrier_code: line.carrier_code.trim(),
      service_level: level === 'express' ? 'express' : 'standard',
      is_fast: model.is_fast,
      is_prime: model.is_prime,
      divisor: number('divisor', true) ?? model.divisor,
      min_weight: number('min_weight', true) ?? model.min_weight,
      max_weight: number('max_weight', true) ?? model.max_weight,
      max_side: model.max_side,
      cod: {
        ...(known === undefined ? {} : { slabs: known.cod.slabs, on_rto: known.cod.on_rto }),
        available: truth('cod_available'),
        fixed: number('cod_fixed', true) ?? 0,
        percent: number('cod_percent', true) ?? 0,
        rule: rule === 'sum' ? 'sum' : 'max',
        max_value: model.cod.max_value,
      },
      qc: { available: truth('qc_available'), price: number('qc_price', true) ?? 0 },
      platform_fee: number('platform_fee', true) ?? 0,
      pickup_cutoff: model.pickup_cutoff,
      working_days: model.working_days,
      serviceability: model.serviceability,
    },
    rtoPercent: number('rto_percent', false),
    forward: {},
    return: {},
    rto: {},
    days: { forward: {}, return: {} },
  }
}

/** The terms of a carrier that the table has no column for: its lines keep them. */
function termsWithoutColumn({ kg_per_cft, whole_cm, dead_only_to, tolerance, surcharges, minimum_charge }: Service) {
  return { kg_per_cft, whole_cm, dead_only_to, tolerance, surcharges, minimum_charge }
}

/** Why a card cannot be written as a table without losing prices; undefined when it can. */
export function tableFault({ services }: RateCard): string | undefined {
  const drawn = services.find((service) => service.zone_table !== undefined)
  if (drawn !== undefined) return `${drawn.carrier_name} goes by the zone table "${drawn.zone_table!}"`
  const slabs = services.find((service) => 'per_slab' in service.rto)
  return slabs && `${slabs.carrier_name} has an RTO price for each slab`
}

function serviceOf({ rest, rtoPercent, forward, return: back, rto, days }: Draft): Service {
  return {
    ...rest,
    forward,
    return: back,
    rto: Object.keys(rto).length > 0 ? { bands: rto } : { percent: rtoPercent ?? 100 },
    transit_days: days,
  }
}
