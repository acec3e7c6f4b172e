// What a service charges in a zone: its slabs, the price of a parcel that comes back, and the days in transit.
import { paiseOf, percentage } from '../money.ts'
import { bandFor, freightOf, slabsOf, type Service, type Slabs } from './ratecard.ts'
import type { DrawnZone } from './zonetables.ts'

/** The prices and days of a service in a zone. */
export interface Lane {
  readonly slabs: readonly Slabs[]
  /** The freight back, from the weight (hundredths of a gram) and freight of the way out; not every zone has one. */
  readonly rto: (units: number, freight: number) => number | undefined
  readonly transit: number | undefined
}

/** The lane of a service in a zone, or why it has none. */
export function laneOf(service: Service, journey: 'forward' | 'return', zone: DrawnZone): Lane | string {
  const forward = journey === 'forward'
  const bands = service[journey][zone.name]
  if (!forward && Object.keys(service.return).length === 0) return 'takes no returns'
  if (bands === undefined) return `does not serve ${zone.name}${forward ? '' : ' for returns'}`
  const days = service.transit_days[journey]
  return {
    slabs: slabsOf(bands),
    rto: wayBack(service, zone.name, slabsOf(bands)),
    transit: days[zone.name] ?? days[zone.as],
  }
}

function wayBack({ rto }: Service, zone: string, forward: readonly Slabs[]): Lane['rto'] {
  if ('percent' in rto) {
    const share = percentage(rto.percent)
    return (_, freight) => share(freight)
  }
  if ('per_slab' in rto) {
    const each = rto.per_slab[zone]
    if (each === undefined) return () => undefined
    // The size of the first slab counts in every band: later ones have other steps.
    const [paise, size] = [paiseOf(each)!, forward[0]!.first]
    return (units) => Math.ceil(units / size) * paise
  }
  const back = rto.bands[zone]
  if (back === undefined) return () => undefined
  const slabs = slabsOf(back)
  return (units) => {
    const band = bandFor(slabs, units)
    return band && freightOf(band, units)
  }
}
