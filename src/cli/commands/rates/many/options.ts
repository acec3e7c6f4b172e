// The options of many parcels: the choice of couriers, the cards, the pace. Checks them before reading the file.
import type { Fault } from '../../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../../domain/pincodes.ts'
import { pickerOf } from '../../../../domain/rates/pick.ts'
import type { Context } from '../../../command/context.ts'
import { list, text, type FlagValues } from '../../../command/flags.ts'
import { defaultOrigin } from '../../../config/profiles.ts'
import type { Choice } from './pricers.ts'
import type { Ends } from './parcelfile.ts'

/** A value and its faults. */
interface Read<T> {
  readonly value: T
  readonly faults: readonly Fault[]
}

/** Flags of one parcel that do not fit a file: the file has columns for them, or the output has no place for them. */
const ofOneParcel: Readonly<Record<string, string>> = {
  forward: 'journey',
  return: 'journey',
  weight: 'weight',
  size: 'length, width and height',
  length: 'length',
  width: 'width',
  height: 'height',
  prepaid: 'payment',
  cod: 'payment and value',
  'no-qc': 'qc',
  'journey-type': 'journey',
  'dead-weight': 'weight',
  'payment-method': 'payment',
  'shipment-value': 'value',
  'qc-applicable': 'qc',
}

/** The faults of flags of one parcel together with a file of many. */
export function oneParcelFaults(flags: FlagValues): readonly Fault[] {
  const columns = Object.entries(ofOneParcel)
    .filter(([name]) => flags.has(name))
    .map(([name, column]) => ({
      field: `--${name}`,
      message: `is for one parcel; with --file it is the column ${column}`,
    }))
  const shown = ['sort', 'limit', 'explain', 'courier']
    .filter((name) => flags.has(name))
    .map((name) => ({
      field: `--${name}`,
      message: `is for the offers of one parcel${name === 'courier' ? '; with --file: --pick' : ''}`,
    }))
  return [...columns, ...shown]
}

/** Which offers to take: `--pick`, or the cheapest. */
export function choiceFrom(flags: FlagValues): Read<Choice> & { readonly couriers: readonly string[] } {
  const given = list(flags, 'pick')
  const faults =
    given?.length === 0 ? [{ field: '--pick', message: 'is cheapest, fastest, or the names of couriers' }] : []
  const words = (given ?? ['cheapest']).map((word) =>
    ['cheapest', 'fastest'].includes(word.toLowerCase()) ? word.toLowerCase() : word,
  )
  const couriers = words.filter((word) => word !== 'cheapest' && word !== 'fastest')
  const only = couriers.length === words.length ? couriers : undefined
  return { value: { pick: pickerOf(words), only }, faults, couriers }
}

/** What empty pincode cells mean: `--from`, `--to`, the profile's origin. */
export function endsFrom({ io, flags }: Pick<Context, 'io' | 'flags'>): Read<Ends> {
  const faults: Fault[] = []
  const end = (name: string, api: string): string | undefined => {
    const flag = flags.has(name) ? name : api
    const given = text(flags, flag)
    if (given === undefined) return undefined
    const code = readPincode(given)
    const fault = pincodeFault(code)
    if (fault !== undefined) faults.push({ field: `--${flag}`, message: fault })
    return code
  }
  const value = {
    from: end('from', 'origin-pincode'),
    to: end('to', 'destination-pincode'),
    home: defaultOrigin(io, flags),
  }
  return { value, faults }
}
