// What a parcel costs as quoted: the courier's price, kept with the card and the version that it comes from
// (docs/guides/cost.md).
import { firstDay } from '../rates/cardversions.ts'
import { rtoSurchargesOf, surchargesOf, type Offer } from '../rates/pricing.ts'
import type { RateCard } from '../rates/ratecard.ts'
import { milligrams } from '../filters.ts'

/** Where the zone of a price comes from: the card's own rules, or the record. */
export type ZoneBy = 'card' | 'record'

/** A named surcharge and the leg that it is due on, paise. */
export interface ChargePart {
  readonly leg: 'forward' | 'rto'
  readonly name: string
  readonly paise: number
}

/** The quoted price of a parcel: integer paise before GST, milligrams, an IST day. */
export interface Charges {
  readonly carrier_id: string
  readonly card: string
  /** The first day of the card's version; '' for one that has no first day. */
  readonly valid_from: string
  /** The day of the price, `YYYY-MM-DD` in IST. */
  readonly day: string
  /** The service's own name of the zone. */
  readonly zone: string
  readonly zone_by: ZoneBy
  /** The charged weight, and the end of the slab that is paid for. */
  readonly weight: number
  readonly slab: number
  /** The forward freight without surcharges. */
  readonly freight: number
  /** The forward surcharges together. */
  readonly surcharges: number
  readonly cod: number
  /** What stays of the COD fee when the parcel returns. */
  readonly cod_kept: number
  /** What a parcel that returns costs more, with its surcharges. */
  readonly rto: number
  readonly platform_fee: number
  /** GST in hundredths of a percent. */
  readonly gst: number
  readonly parts: readonly ChargePart[]
}

/** The charges of a forward parcel by an offer of a card on a day (`YYYY-MM-DD` in IST). */
export function chargesBy(offer: Offer, card: RateCard, day: string, zone_by: ZoneBy = 'card'): Charges {
  const { service, zone, weight, slab, freight, surcharges, cod, rto, fee } = offer
  return {
    carrier_id: service.carrier_id,
    card: card.name,
    valid_from: firstDay(card),
    day,
    zone: zone.name,
    zone_by,
    weight: milligrams(weight),
    slab: milligrams(slab),
    freight,
    surcharges,
    cod,
    cod_kept: service.cod.on_rto === 'charged' ? cod : 0,
    rto,
    platform_fee: fee,
    gst: Math.round(card.gst_percent * 100),
    parts: [
      ...surchargesOf(offer).map(({ name, amount }) => ({ leg: 'forward', name, paise: amount }) as const),
      ...rtoSurchargesOf(offer).map(({ name, amount }) => ({ leg: 'rto', name, paise: amount }) as const),
    ],
  }
}
