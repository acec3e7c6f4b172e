// The views of pincodes and their couriers: a row for each pincode, or for each of its couriers.
import type { Code } from '../../../domain/errors.ts'
import { placeOf } from '../../../domain/pincodes.ts'
import { dayMs } from '../../../domain/time.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, words } from '../../output/display.ts'
import type { FlatRecord } from '../../output/flatprinter.ts'
import type { Reach, Served } from './many/coverage.ts'

/** A pincode in the request, with its line in the file. */
export interface Asked {
  readonly pincode: string
  readonly line: number | undefined
}

/** The result for a pincode: its couriers, or its fault. */
export interface Found extends Asked {
  readonly reach: Reach | undefined
  readonly code: Code | undefined
  readonly reason: string | undefined
}

export const noun = ['pincode', 'pincodes'] as const

export const goes = ({ delivery }: Served): boolean => delivery !== undefined

/** Days from today to the delivery; null without a date. */
const daysTo = (delivery: string | undefined, today: string): number | null =>
  delivery === undefined || delivery === '' ? null : Math.round((Date.parse(delivery) - Date.parse(today)) / dayMs)

const dateOf = ({ delivery }: Served): string | null => (delivery === undefined || delivery === '' ? null : delivery)

export function pincodeRecord(found: Found, today: string): FlatRecord {
  const { pincode, reach, code, reason } = found
  const place = placeOf(pincode)
  const going = reach?.couriers.filter(goes) ?? []
  const first = going[0]
  return {
    pincode,
    city: place?.city ?? null,
    state: place?.state ?? null,
    zone: reach?.zone ?? null,
    couriers: reach === undefined ? null : going.length,
    cod: reach === undefined ? null : going.filter(({ cod }) => cod).length,
    days: first === undefined ? null : daysTo(first.delivery, today),
    delivery: first === undefined ? null : dateOf(first),
    fastest: first?.service.carrier_name ?? null,
    code: code ?? (going.length === 0 ? 'no_courier' : null),
    reason: reason ?? (going.length === 0 ? nobody(reach!) : null),
  }
}

/** Why no courier delivers there: each reason once. */
function nobody({ couriers }: Reach): string {
  const reasons = [...new Set(couriers.map(({ why }) => why))].filter((why) => why !== undefined)
  return `no courier goes there${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`
}

export function courierRecords(found: Found, today: string): readonly FlatRecord[] {
  const { pincode, reach, code, reason } = found
  const city = placeOf(pincode)?.city ?? null
  const nothing = {
    courier: null,
    carrier_id: null,
    service: null,
    served: null,
    cod: null,
    days: null,
    delivery: null,
  }
  if (reach === undefined) return [{ pincode, city, zone: null, ...nothing, code: code!, reason: reason! }]
  if (reach.couriers.length === 0)
    return [
      {
        pincode,
        city,
        zone: reach.zone ?? null,
        ...nothing,
        served: false,
        cod: false,
        code: 'no_courier',
        reason: nobody(reach),
      },
    ]
  return reach.couriers.map((served) => ({
    pincode,
    city,
    zone: reach.zone ?? null,
    courier: served.service.carrier_name,
    carrier_id: served.service.carrier_id,
    service: served.service.service_level,
    served: goes(served),
    cod: served.cod,
    days: daysTo(served.delivery, today),
    delivery: dateOf(served),
    code: goes(served) ? null : 'no_courier',
    reason: served.why ?? null,
  }))
}

const column = (key: string, rank: number, more: Partial<Column<FlatRecord>> = {}): Column<FlatRecord> => ({
  key,
  header: key,
  rank,
  raw: (record) => record[key],
  show: (record) => String(record[key] ?? '-'),
  ...more,
})

export const reason = column('reason', 7, {
  header: 'why not',
  sparse: true,
  show: (record) => String(record['reason'] ?? ''),
})

const zone = (rank: number): Column<FlatRecord> =>
  column('zone', rank, { show: (record) => (typeof record['zone'] === 'string' ? words(record['zone']) : '-') })

const day = (key: string, rank: number): Column<FlatRecord> =>
  column(key, rank, {
    kind: 'day',
    show: (record) => (typeof record[key] === 'string' ? showDay(record[key]) : '-'),
  })

const yes = (key: string, rank: number): Column<FlatRecord> =>
  column(key, rank, { show: (record) => (record[key] === null ? '-' : record[key] === true ? 'yes' : 'no') })

export const pincodeView: View<FlatRecord> = {
  id: (record) => String(record['pincode']),
  names: ['pincode', 'city', 'state', 'zone', 'couriers', 'cod', 'days', 'delivery', 'fastest', 'code', 'reason'],
  noun,
  columns: [
    column('pincode', 1, { whole: true }),
    column('city', 6),
    column('state', 10),
    zone(5),
    column('couriers', 2, { right: true }),
    column('cod', 3, { right: true }),
    column('days', 4, { right: true }),
    day('delivery', 8),
    column('fastest', 9),
    column('code', 11, { wide: true }),
    reason,
  ],
}

export const courierView: View<FlatRecord> = {
  id: (record) => String(record['pincode']),
  names: [
    'pincode',
    'city',
    'zone',
    'courier',
    'carrier_id',
    'service',
    'served',
    'cod',
    'days',
    'delivery',
    'code',
    'reason',
  ],
  noun,
  columns: [
    column('pincode', 1, { whole: true }),
    column('city', 8),
    zone(6),
    column('courier', 2),
    column('carrier_id', 11, { wide: true, header: 'id' }),
    column('service', 9),
    yes('served', 3),
    yes('cod', 4),
    column('days', 5, { right: true }),
    day('delivery', 10),
    column('code', 12, { wide: true }),
    reason,
  ],
}
