// The options of many parcels: the choice of couriers, the cards, the pace. Checks them before reading the file.
import type { Fault } from '../../../../domain/errors.ts'
import { pickerOf } from '../../../../domain/rates/pick.ts'
import type { Context } from '../../../command/context.ts'
import { list, type FlagValues } from '../../../command/flags.ts'
import { pincode } from '../../../args/kinds.ts'
import type { OptionKind, OptionsOf } from '../../../args/options.ts'
import { defaultOrigin } from '../../../config/profiles.ts'
import type { Choice } from './pricers.ts'
import type { Ends } from './parcelfile.ts'

/** Flags of one parcel that do not fit a file: the file has columns for them, or the output has no place for them. */
const ofOneParcel: Readonly<Record<string, string>> = {
  forward: 'journey',
  return: 'journey',
  weight: 'weight',
  size: 'size',
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

/** The flags that apply only to a file of orders. */
export const ofOrders: readonly string[] = ['form', 'warehouse', 'payment']

/** The fault of a sheet where no flag names its workbook. */
export const sheetWithoutCard: Fault = { field: '--card-sheet', message: 'goes with --card' }

/** The faults of flags of one parcel together with a file of many; `taken` are those that the file takes too. */
export function oneParcelFaults(
  flags: FlagValues,
  file: '--file' | '--orders',
  taken: readonly string[] = [],
): readonly Fault[] {
  const columns = Object.entries(ofOneParcel)
    .filter(([name]) => flags.has(name) && !taken.includes(name))
    .map(([name, column]) => {
      const instead = file === '--file' ? `with --file it is the column ${column}` : 'the file has that of each order'
      return { field: `--${name}`, message: `is for one parcel; ${instead}` }
    })
  const shown = ['sort', 'limit', 'explain', 'courier']
    .filter((name) => flags.has(name))
    .map((name) => ({
      field: `--${name}`,
      message: `is for the offers of one parcel${name === 'courier' ? `; with ${file}: --pick` : ''}`,
    }))
  const wrong = file === '--orders' ? [] : ofOrders.filter((name) => flags.has(name))
  return [...columns, ...shown, ...wrong.map((name) => ({ field: `--${name}`, message: 'goes with --orders' }))]
}

/** Which offers to take, and the couriers among the words. */
interface PickedChoice extends Choice {
  readonly couriers: readonly string[]
}

/** Which offers to take: cheapest, fastest, or the names of couriers; the cheapest without the flag. */
export const pick: OptionKind<PickedChoice> = (flags, name) => {
  const given = list(flags, name)
  const message = 'is cheapest, fastest, or the names of couriers'
  const words = (given ?? ['cheapest']).map((word) =>
    ['cheapest', 'fastest'].includes(word.toLowerCase()) ? word.toLowerCase() : word,
  )
  const couriers = words.filter((word) => word !== 'cheapest' && word !== 'fastest')
  const only = couriers.length === words.length ? couriers : undefined
  return {
    value: { pick: pickerOf(words), only, couriers },
    faults: given?.length === 0 ? [{ field: `--${name}`, message }] : [],
  }
}

/** The flags for empty pincode cells, under their short names and those of the API. */
export const endOptions = { from: pincode, to: pincode, origin_pincode: pincode, destination_pincode: pincode }

/** What empty pincode cells mean: `--from`, `--to`, the profile's origin. */
export const endsOf = (
  { io, flags }: Pick<Context, 'io' | 'flags'>,
  { from, to, origin_pincode, destination_pincode }: OptionsOf<typeof endOptions>,
): Ends => ({ from: from ?? origin_pincode, to: to ?? destination_pincode, home: defaultOrigin(io, flags) })
