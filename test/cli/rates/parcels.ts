// Many parcels: as lines of a file, as the requests that the lines mean, and as the prices that come back.
import { everyPincode } from '../../../src/domain/pincodes.ts'
import type { Offer } from '../../../src/domain/rates/pricing.ts'
import type { RateRequest } from '../../../src/domain/rates/rates.ts'

/** A generator of numbers that is the same every time. */
export function dice(seed: number) {
  let state = seed
  const upTo = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
  return { upTo, any: <T>(list: readonly T[]): T => list[upTo(list.length)]! }
}

/** The first line of a file of parcels. */
export const header = 'ref,from,to,weight_g,length,width,height,payment,value,journey,qc\n'
const pincodes = [...everyPincode()]

/** So many parcels as lines and as requests. */
export function parcelsOf(
  count: number,
  seed: number,
): { readonly csv: string; readonly requests: readonly RateRequest[] } {
  const { upTo, any } = dice(seed)
  const side = (): number => any([1 + upTo(60), (1 + upTo(6000)) / 100, (1 + upTo(60_000)) / 1000])
  const requests: RateRequest[] = []
  let csv = header
  for (let i = 0; i < count; i++) {
    const back = upTo(5) === 0
    const cod = upTo(2) === 0
    const value = upTo(6_000_000) / 100 + 1
    const weight = any([500, 1 + upTo(40_000), (1 + upTo(9_000_000)) / 1000])
    const [length, width, height] = [side(), side(), side()]
    const [from, to] = [any(['400001', '110001', any(pincodes)]), any(pincodes)]
    const qc = any([undefined, true, false])
    requests.push({
      journey_type: back ? 'return' : 'forward',
      origin_pincode: from,
      destination_pincode: to,
      dead_weight: weight,
      length,
      width,
      height,
      ...(back
        ? qc === undefined
          ? {}
          : { qc_applicable: qc }
        : { payment_method: cod ? 'cod' : 'prepaid', ...(cod ? { shipment_value: value } : {}) }),
    })
    const shownWeight =
      upTo(3) === 0 ? `${weight}g` : upTo(2) === 0 && Number.isInteger(weight) ? `${weight / 1000} kg` : String(weight)
    csv += `P${i},${from},${to},${shownWeight},${length},${width},${height},${back ? '' : any(cod ? ['cod', 'COD'] : ['prepaid', 'Prepaid'])},${cod && !back ? value : ''},${back ? 'return' : any(['', 'forward'])},${back ? (qc === undefined ? '' : any(qc ? ['true', 'yes'] : ['false', 'No'])) : ''}\n`
  }
  return { csv, requests }
}

/** What a merchant pays for an offer, in paise. */
export const paid = (offer: Offer): number => offer.total + offer.fee

/** A parcel with its price, as the command writes it. */
export type Line = Readonly<Record<string, string | number | null>>

export const recordsIn = (jsonl: string): readonly Line[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
