// What a field of a request may hold by the API description: values that are good, that are bad, and that only the
// service refuses.
import * as z from 'zod/mini'
import { returnFilters } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import type { Json } from './apidocument.ts'

/** The values that are tried on a field. */
export interface Field {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  /** What is wrong and JSON Schema cannot say. */
  readonly beyond?: readonly unknown[]
}

/** A text of so many characters. */
export const long = (length: number): string => 'x'.repeat(length)

/** The limits of a number, as a schema has them. */
export interface Range extends Json {
  readonly type?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
}

/** The values around the limits of a number, as numbers and as text. */
export function numberField(range: Range): Field {
  const whole = range.type === 'integer'
  const least = range.minimum ?? (range.exclusiveMinimum === undefined ? -5 : whole ? 1 : 0.01)
  const most = range.maximum ?? (range.exclusiveMaximum === undefined ? 1e12 : range.exclusiveMaximum - 1)
  const good = [least, Math.max(least, 3), most, ...(whole ? [] : [Math.max(least, 1) + 0.5])]
  const under =
    range.minimum === undefined ? (range.exclusiveMinimum === undefined ? [] : [0, -1]) : [range.minimum - 1]
  const over = range.maximum === undefined && range.exclusiveMaximum === undefined ? [] : [most + 1]
  const bad = [...under, ...over, ...(whole ? [least + 0.5] : [])]
  return {
    good: [...good, ...good.map(String), `${least}${String(least).includes('.') ? '' : '.0'}`],
    bad: [
      ...bad,
      ...bad.map(String),
      '',
      ' ',
      '1e2',
      '0x10',
      '1,5',
      ' 1',
      '+1',
      '.5',
      '5.',
      'NaN',
      null,
      true,
      {},
      [5],
    ],
  }
}

/** The values of a field by its schema. */
export function valueField(schema: Json): Field {
  const words = schema['enum'] as readonly string[] | undefined
  if (words !== undefined) return { good: words, bad: ['nonsense', '', 5, null, {}] }
  if (schema['type'] === 'boolean') return { good: [true, false], bad: ['true', 'false', 0, 1, null, [], ''] }
  if (schema['type'] === 'number' || schema['type'] === 'integer') return numberField(schema)
  if (schema['type'] === 'null') return { good: [null], bad: ['', 'logo.png', {}, 5] }
  const most = schema['maxLength'] as number | undefined
  const texts = most === undefined ? [] : [long(most)]
  const tooLong = most === undefined ? [] : [long(most + 1)]
  return { good: ['Aé-1', ...texts], bad: [5, true, null, {}, ...tooLong] }
}

const zoneField: Field = {
  good: ['zone_a', 'a', 'B', 'z_c', 'Z_D', 'ZONE_E', 'zone-a', 'zone b'],
  bad: ['zone_f', 'zz', '', 'zone_', 'aa', 5, null, {}],
}

const pincodeField: Field = { good: ['560001', '400 001'], bad: ['Aé-1', '', '56000', '056001', 5, null, {}] }

const dayField: Field = {
  good: [
    '2025-11-01',
    '2025-11-01T10:00:00Z',
    '2025-11-01T10:00:00.123+05:30',
    '2025-11-01 10:00+0530',
    '2025-11-01t10:00z',
  ],
  bad: [
    '',
    'yesterday',
    '1763700000',
    1_763_700_000,
    '2025-13-01',
    '2025-11-01T25:00:00Z',
    '2025-11-01T10:00:00',
    '01-11-2025',
    null,
    {},
  ],
  beyond: ['2025-02-30', '2025-02-29T10:00:00Z'],
}

/** A text that must hold something that can be seen, on one line. */
export const blankless = (field: Field): Field => ({
  ...field,
  bad: [...field.bad, '', '   ', 'a\nb', 'a\u0000b'],
  beyond: ['a\ud800'],
})

/** An identifier of at most so many characters. */
export const idField = (most: number): Field => ({
  good: [long(most), ' AB-1 ', 'क्\u200dष'],
  bad: ['', ' ', '\t', 'a\u0000b', long(most + 1), 5, null],
  beyond: ['A\u200b1', '\ufeffA\u2060', '\u202eA'],
})

/** What a parameter of a listing may hold, by its row in the filter table. */
export function filterField(filter: (typeof shipmentFilters)[keyof typeof shipmentFilters]): Field {
  const made = z.toJSONSchema(filter.schema(), { io: 'input', unrepresentable: 'any' }) as Json
  if (filter.comparison === 'search')
    return { good: ['', '  ', 'asha rao', '%_"\'*', '\u200b', long(200)], bad: [long(201), 'a\tb', 5, null, ['a']] }
  if (made['type'] === 'array') {
    const items = made['items'] as Json
    const zones = (items['enum'] as readonly string[] | undefined)?.[0] === 'zone_a'
    const one = zones ? zoneField : filter.column === 'pincode' ? pincodeField : valueField(items)
    return {
      good: [...one.good, ...one.good.map((value) => [value]), one.good, [one.good[0], one.good[0]], []],
      bad: [
        ...one.bad,
        ...one.bad.map((value) => [value]),
        [one.good[0], ...one.bad],
        [one.good],
        Array.from({ length: 1001 }, () => one.good[0]),
      ],
    }
  }
  return made['type'] === 'string' && filter.comparison.startsWith('at_') ? dayField : valueField(made)
}

/** The filters of each listing. */
export const listingFilters = { listShipments: shipmentFilters, listReturns: returnFilters } as const
