// What is looked at before the first line of an invoice is judged: weights in another unit, a file of somebody else's
// parcels, AWBs whose digits are gone. Such a file is refused, since it would be a page of false findings.
import { count } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { partSum, type Billed, type Shape } from '../../../domain/money/billed.ts'
import { isSpoilt } from '../../../domain/money/awbs.ts'
import { shownHeader } from '../../files/shownheaders.ts'
import { quoted } from '../../terminal/safe.ts'
import type { InvoiceFile } from './invoicefile.ts'
import type { Matched } from './judging.ts'

/** Lines that are looked at. */
export const looked = 1000

/** Fewer lines say nothing about a file. */
const least = 5

/** Throws `unit_doubtful` where the weights look like the other unit, or like both. */
export function refuseUnit(lines: readonly Billed[], { unit, sheet, places }: InvoiceFile): void {
  const weights = lines.flatMap(({ weight }) => (weight > 0 ? [weight] : [])).toSorted((a, b) => a - b)
  if (weights.length === 0) return
  const median = weights[Math.floor(weights.length / 2)]!
  const [light, heavy] = [5_000, 5_000_000]
  const odd = weights.filter((weight) => weight < 1_000 || weight > 10_000_000).length
  if (median >= light && median <= heavy && odd * 10 <= weights.length) return
  const header = sheet.headers[places.get('weight')?.[0] ?? -1] ?? 'weight'
  const shown = unit === 'kg' ? `${median / 100_000} kg` : `${median / 100} g`
  const what =
    median < light || median > heavy
      ? `half of them are ${median < light ? 'at most' : 'at least'} ${shown}`
      : 'some are in kg and some in g'
  throw new ShipxError('unit_doubtful', `the weights under "${header}" look like another unit: ${what}`, {
    hint: `say the unit of the column: --unit ${unit === 'kg' ? 'g' : 'kg'} (or --unit ${unit}, if that is right)`,
  })
}

/** How many times its parts a total may be before it looks like the value of the goods. */
const goodsTimes = 3

/** Throws `invalid_file` where the totals look like the value of the goods: `Invoice value` may be either. */
export function refuseGoods(
  lines: readonly Billed[],
  { form, places, sheet, totalMapped }: InvoiceFile,
  { whole }: Shape,
): void {
  const at = places.get('total')?.[0]
  if (form !== undefined || totalMapped || at === undefined) return
  const far = lines.filter((line) => {
    const base = line.gross ?? (whole ? 0 : partSum(line))
    return base > 0 && (line.total ?? 0) > goodsTimes * (base + (line.tax ?? 0))
  })
  if (lines.length < least || far.length * 2 <= lines.length) return
  const header = sheet.headers[at]!
  const many = `${count(far.length)} of the first ${count(lines.length)} lines`
  const message =
    `the amounts under "${shownHeader(header)}" look like the value of the goods: ` +
    `on ${many} they are more than ${goodsTimes} times the charges`
  throw new ShipxError('invalid_file', message, {
    hint: `if they are: --ignore ${quoted(header)} (or --map ${quoted(`${header}=total`)}, if they are the bill)`,
  })
}

/** Throws `invalid_file` where most AWBs lost their digits. */
export function refuseSpoilt(lines: readonly Pick<Billed, 'awb' | 'line'>[]): void {
  const spoilt = lines.filter(({ awb }) => isSpoilt(awb))
  if (spoilt.length * 2 <= lines.length || spoilt.length === 0) return
  const many = `${count(spoilt.length)} of the first ${count(lines.length)} AWBs`
  const message = `${many} are like ${spoilt[0]!.awb}: a spreadsheet has rounded them`
  throw new ShipxError('invalid_file', message, {
    hint: 'export the file again, and open it with the column as text',
    details: [{ field: 'awb', message: 'awb_spoilt: the digits are gone', row: spoilt[0]!.line }],
  })
}

/** Throws `invalid_file` where most AWBs are no parcel of the account. */
export function refuseStrangers(matched: readonly Matched[], form: string): void {
  const unknown = matched.filter(({ parcel }) => parcel === undefined)
  if (matched.length < least || unknown.length * 2 <= matched.length) return
  const known = matched.find(({ parcel }) => parcel !== undefined)?.parcel
  const guess =
    known?.carrier_name == null
      ? 'it may be of another account, or your parcels are not on this computer yet'
      : `it may be of another courier: the parcels that are known went with ${known.carrier_name}`
  const many = `${count(unknown.length)} of the first ${count(matched.length)} AWBs`
  const message = `${many} of this file (form ${form}) are none of yours; ${guess}`
  throw new ShipxError('invalid_file', message, {
    hint: 'shipx pull, or --parcels <file> with what was shipped; --force reads it as it is',
  })
}

/** Throws `invalid_file` where most parcels went with another courier: then the name is wrong and not the parcels. */
export function refuseCourier(matched: readonly Matched[], same: (matched: Matched) => boolean): void {
  const known = matched.filter(({ parcel }) => parcel !== undefined)
  const others = known.filter((one) => !same(one))
  if (known.length < least || others.length * 2 <= known.length) return
  const names = [...new Set(others.map(({ parcel }) => parcel!.carrier_name ?? parcel!.carrier_id ?? '-'))].slice(0, 3)
  const many = `${count(others.length)} of the first ${count(known.length)} parcels`
  const message = `${many} went with ${names.join(', ')}, not with the courier of this file`
  throw new ShipxError('invalid_file', message, {
    hint: `name the courier as your parcels do: --courier "${names[0]!}"; --force reads it as it is`,
  })
}
