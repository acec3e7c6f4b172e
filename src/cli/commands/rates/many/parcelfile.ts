// A file of parcels: its columns, and each line as a rate request or as the reason why it is not one.
import type { Code, Fault } from '../../../../domain/errors.ts'
import { awbSpellings } from '../../../../domain/money/owncolumns.ts'
import { readSide } from '../../../../domain/read/sides.ts'
import { readMoment } from '../../../../domain/read/day.ts'
import { istDate } from '../../../../domain/time.ts'
import { readGrams, type BareWeight } from '../../../../domain/read/weight.ts'
import { readRupees } from '../../../../domain/read/money.ts'
import { pincodeKnown } from '../../../../domain/pincodes.ts'
import { readPincode } from '../../../../domain/read/pincode.ts'
import type { RateRequest } from '../../../../domain/rates/rates.ts'
import { readPayment } from '../../../../domain/read/payment.ts'
import { readTruth } from '../../../../domain/read/truth.ts'
import type { Outcome } from '../../../../domain/read/typed.ts'
import { notOneOf } from '../../../../domain/values.ts'
import { bareWeight } from '../../../args/kinds.ts'
import type { SheetColumn } from '../../../files/headers.ts'
import type { Sheet, SheetRow } from '../../../files/sheet.ts'
import { hasSizes, isFlat, sideColumns, sizeColumn } from '../../../files/sidecolumns.ts'
import { checkedRequest, takenBy } from './checkedrequest.ts'
import { lightest, type Listener } from './heard.ts'
import { noSide, sizeReader, type Unread } from './parcelsides.ts'

/** The columns of a file of parcels; the flags decide which ones are required. */
export const parcelColumns = [
  {
    name: 'ref',
    aliases: ['reference', 'order', 'order_id', 'awb'],
    weaker: ['ref_no', 'ref_number', 'reference_no', 'order_no', 'order_number', ...awbSpellings],
    required: true,
  },
  {
    name: 'from',
    aliases: ['origin', 'origin_pincode', 'from_pincode', 'pickup_pincode'],
    weaker: ['pickup_pin', 'pickup_pin_code', 'origin_pin', 'from_pin'],
  },
  {
    name: 'to',
    aliases: [
      'destination',
      'destination_pincode',
      'to_pincode',
      'delivery_pincode',
      'billing_pincode',
      'customer_pincode',
    ],
    weaker: ['drop_pincode', 'drop_pin', 'drop_pin_code', 'delivery_pin', 'destination_pin', 'customer_pin', 'to_pin'],
  },
  {
    name: 'weight',
    aliases: ['dead_weight', 'grams', 'wt', 'package_weight', 'weight_of_the_package', 'weight_of_shipment'],
    required: true,
    weight: { usual: 'g', api: 'dead_weight' },
  },
  ...sideColumns,
  sizeColumn,
  { name: 'payment', aliases: ['payment_method', 'payment_mode'], weaker: ['pay_mode', 'pay_type', 'payment_type'] },
  { name: 'value', aliases: ['shipment_value', 'cod_value', 'sub_total'], weaker: ['cod_amount', 'cod_amt'] },
  { name: 'journey', aliases: ['journey_type'] },
  { name: 'qc', aliases: ['qc_applicable'] },
  { name: 'date', aliases: ['pickup_date', 'ship_date'] },
  { name: 'zone', aliases: ['billed_zone', 'courier_zone'] },
] as const satisfies readonly SheetColumn[]

type ColumnName = (typeof parcelColumns)[number]['name']

/** The columns by their names in the API. */
const columnOf: Readonly<Record<string, ColumnName>> = {
  origin_pincode: 'from',
  destination_pincode: 'to',
  dead_weight: 'weight',
  payment_method: 'payment',
  shipment_value: 'value',
  journey_type: 'journey',
  qc_applicable: 'qc',
}

/** What empty pincode cells mean. */
export interface Ends {
  readonly from: string | undefined
  readonly to: string | undefined
  /** The profile's own place: the origin of forward parcels and the destination of returns. */
  readonly home: string | undefined
}

/** A line of the file: its rate request, or why there is none. */
export interface ParcelLine {
  readonly line: number
  readonly ref: string
  readonly request: RateRequest | undefined
  /** The IST day whose prices count, and the zone that the line gives, where it does. */
  readonly day?: string | undefined
  readonly zone?: string | undefined
  /** Whether the parcel came back undelivered: its price is then that of both ways. */
  readonly back?: boolean | undefined
  readonly code: Code | undefined
  readonly reason: string | undefined
}

/** What the header of a file of parcels lacks, given the flags. */
export function headerFaults(places: Sheet['places'], ends: Ends): readonly string[] {
  const lacks = (name: ColumnName): boolean => !places.has(name)
  const faults: string[] = []
  if (lacks('from') && (ends.from ?? ends.home) === undefined)
    faults.push('the header lacks from, and neither --from nor the profile says where parcels are picked up')
  if (lacks('to') && ends.to === undefined && (lacks('journey') || ends.home === undefined))
    faults.push('the header lacks to, and there is no --to')
  const sides = (['length', 'width', 'height'] as const).filter(lacks)
  if (sides.length > 0 && sides.length < 3 && lacks('size')) faults.push(`the header lacks ${sides.join(' and ')}`)
  if (lacks('payment') && lacks('journey')) faults.push('the header lacks payment: cod or prepaid on each line')
  return faults
}

type Raw = Record<string, unknown>

const journeys = ['forward', 'return', 'rto']

/**
 * Reads the lines of a sheet. `named` tells which well-formed pincodes that shipx does not know may be asked for: those
 * of a contract's own zones, and all where a deployment may know them.
 */
export function lineReader(
  sheet: Sheet,
  ends: Ends,
  named: (pincode: string) => boolean,
  heard: Listener,
  now: number,
): (row: SheetRow) => ParcelLine {
  const { places, weights, delimiter, counts } = sheet
  const { unknown, said, light } = heard
  const at = (name: ColumnName): number => places.get(name) ?? -1
  const [ref, from, to, weight, length, width, height] = [
    at('ref'),
    at('from'),
    at('to'),
    at('weight'),
    at('length'),
    at('width'),
    at('height'),
  ]
  const [payment, value, journey, qc] = [at('payment'), at('value'), at('journey'), at('qc')]
  const [date, zoned] = [at('date'), at('zone')]
  const size = at('size')
  const sizeIn = hasSizes(sheet) ? sizeReader(sheet, heard) : undefined
  const flat = isFlat(sheet) || sizeIn !== undefined
  const bare = weights.get('weight') ?? bareWeight
  // Where decimals have commas, semicolons separate the cells.
  const grouped = delimiter !== ';'
  const [takes, dayIn] = [takenBy(named), dayReader(now)]
  const tellUnknown = (pincode: string): void => {
    if (!pincodeKnown(pincode) && takes(pincode)) unknown(pincode)
  }
  const side = (text: string, line: number): unknown => {
    const read = sideIn(text)
    if (typeof read !== 'object' || 'fault' in read) return read
    if (read.said !== undefined) said(`${counts} ${line}: ${read.said}`)
    return read.value
  }
  return ({ line, cells, fault }) => {
    const cell = (place: number): string => (place === -1 ? '' : cells[place]!.trim())
    const own = cell(ref)
    if (fault !== undefined)
      return { line, ref: own, request: undefined, code: 'invalid_file', reason: `${counts} ${line} ${fault}` }
    const way = cell(journey).toLowerCase()
    const pickedUp = way === 'return'
    const raw: Raw = {
      journey_type: journeyIn(way),
      origin_pincode: pincodeIn(cell(from) || ends.from || (pickedUp ? '' : (ends.home ?? ''))),
      destination_pincode: pincodeIn(cell(to) || ends.to || (pickedUp ? (ends.home ?? '') : '')),
      dead_weight: weightIn(cell(weight), bare),
      length: flat ? noSide : side(cell(length), line),
      width: flat ? noSide : side(cell(width), line),
      height: flat ? noSide : side(cell(height), line),
    }
    sizeIn?.(raw, cell(size), line)
    const [paid, worth, check] = [cell(payment), cell(value), cell(qc)]
    if (paid !== '') raw['payment_method'] = paymentIn(paid, pickedUp)
    if (worth !== '') raw['shipment_value'] = rupeesIn(worth, grouped)
    if (check !== '') raw['qc_applicable'] = truthIn(check)
    tellUnknown(raw['origin_pincode'] as string)
    tellUnknown(raw['destination_pincode'] as string)
    const when = date === -1 ? undefined : dayIn(cell(date))
    if (typeof when === 'object')
      return { line, ref: own, request: undefined, code: 'invalid_input', reason: `date: ${when.fault}` }
    const grams = raw['dead_weight']
    if (typeof grams === 'number' && grams < lightest) light(`${counts} ${line} weighs ${grams} g`)
    const checked = checkedRequest(raw, takes)
    const [request, faults] = 'faults' in checked ? [undefined, checked.faults] : [checked.request, undefined]
    // Each member by its name: copying an object with a spread is a fifth of the time of a whole file.
    return {
      line,
      ref: own,
      request,
      day: when,
      zone: cell(zoned) || undefined,
      back: way === 'rto',
      code: faults && 'invalid_input',
      reason: faults && reasonOf(faults, raw),
    }
  }
}

/** Reads the IST day of a cell; undefined for an empty one. Most lines of a file have the day of another one. */
function dayReader(now: number): (text: string) => string | Unread | undefined {
  const [days, most] = [new Map<string, string>(), 400]
  return (text) => {
    const known = text === '' ? undefined : days.get(text)
    if (known !== undefined || text === '') return known
    const read = readMoment(text, { now })
    if ('fault' in read) return read
    const day = istDate(read.value)
    if (days.size < most) days.set(text, day)
    return day
  }
}

/** The journey that prices depend on: a parcel that came back was a forward one. */
const journeyIn = (way: string): string | Unread =>
  way === '' || way === 'rto' ? 'forward' : journeys.includes(way) ? way : { fault: notOneOf(way, journeys, 'journey') }

const wholeNumber = /^\d{1,7}$/

function weightIn(text: string, bare: BareWeight): number | Unread | undefined {
  if (text === '') return undefined
  const weight = readGrams(text, bare)
  return 'fault' in weight ? weight : weight.grams
}

/** A side, and what shipx converted. */
const sideIn = (text: string): number | Outcome<number> | undefined =>
  wholeNumber.test(text) ? Number(text) : text === '' ? undefined : readSide(text)

function rupeesIn(text: string, grouped: boolean): number | Unread {
  const amount = readRupees(text, grouped)
  return 'fault' in amount ? amount : Number(amount.rupees)
}

/** cod or prepaid in any usual spelling. A return has no payment: what its cell says does not matter. */
function paymentIn(text: string, pickedUp: boolean): string | Unread {
  if (pickedUp || text === 'cod' || text === 'prepaid') return text
  const read = readPayment(text)
  return 'fault' in read ? read : read.value.toLowerCase()
}

function truthIn(text: string): boolean | Unread {
  const read = readTruth(text)
  return 'fault' in read ? read : read.value
}

/** A pincode that a spreadsheet may have turned into a number. */
const pincodeIn = (text: string): string => readPincode(text.endsWith('.0') ? text.slice(0, -2) : text)

/** The faults of a line in one text, under the names of its columns. */
export const reasonOf = (faults: readonly Fault[], raw: Raw = {}): string =>
  faults.map((fault) => sentenceOf(fault, raw[fault.field ?? ''])).join('; ')

function sentenceOf({ field, message }: Fault, value: unknown): string {
  const unread = typeof value === 'object' && value !== null ? (value as Unread) : undefined
  const name = unread?.column ?? columnOf[field ?? ''] ?? field ?? ''
  const told = unread?.fault ?? message
  return `${name}: ${told.replaceAll('payment_method', 'payment').replaceAll('\n', ' ')}`
}
