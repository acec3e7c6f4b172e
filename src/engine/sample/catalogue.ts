// What invented merchants sell and who carries it: goods by popularity, couriers by share, and the odds of other
// choices.
import { sharesTable, tableOf, type Table } from '../../domain/random.ts'
import { paiseOf } from '../../domain/money.ts'
import type { Service } from '../../domain/rates/ratecard.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { failures } from '../../domain/parcels/simulation.ts'
import { readTimeOfDay } from '../../domain/time.ts'
import { carrierShares, storelessChannels, products, returnReasons, storeChannels, type Product } from './vocabulary.ts'

/** A service of the sample card, with its share of the parcels and the start of its tracking numbers. */
export interface Courier {
  readonly service: Service
  readonly carrier: { readonly id: string; readonly name: string }
  readonly share: number
  readonly prefix: string
  /** Until this minute since midnight, an order is still picked up on the same day. */
  readonly cutoff: number
}

export const couriers: readonly Courier[] = sampleCard.services.map((service, index) => ({
  service,
  carrier: { id: service.carrier_id, name: service.carrier_name },
  share: carrierShares[service.carrier_code]?.share ?? 10,
  prefix: carrierShares[service.carrier_code]?.prefix ?? String(30 + index),
  cutoff: readTimeOfDay(service.pickup_cutoff)!,
}))

/** A product, with its price in paise and its volume in cm³. */
export interface CatalogueItem {
  readonly product: Product
  readonly paise: number
  readonly volume: number
}

const goods: readonly CatalogueItem[] = products.map((product) => ({
  product,
  paise: paiseOf(product.price)!,
  volume: product.size[0] * product.size[1] * product.size[2],
}))

// Popularity falls with the rank; the ranks are spread over the categories.
const rankOf = (index: number): number => (index * 23) % goods.length

const popular = (chosen: readonly CatalogueItem[]): Table<CatalogueItem> =>
  tableOf(
    chosen,
    chosen.map((good) => 1 / (rankOf(goods.indexOf(good)) + 3)),
  )

/** Every good, by popularity. */
export const popularItems = popular(goods)

const categories = [...new Set(products.map(({ category }) => category))]

/** The goods of each category, by popularity. */
export const popularByCategory = categories.map((category) =>
  popular(goods.filter(({ product }) => product.category === category)),
)

/** Channels of orders with a store, and of those without. */
export const storeChannel = sharesTable(storeChannels)
export const storelessChannel = sharesTable(storelessChannels)
export const returnReason = sharesTable(returnReasons)
/** Lines of an order, and pieces of a line. */
export const lineCount = tableOf([1, 2, 3, 4], [68, 20, 8, 4])
export const quantities = tableOf([1, 2, 3, 4], [84, 11, 3, 2])

/** Days between the promised and the actual day of delivery; negative is early. */
export const delays = tableOf([-1, 0, 1, 2, 3, 4, 5], [5, 69, 16, 6, 2, 1, 1])

/** A scan's text for each reason of a failed delivery. */
export const failureTexts = new Map(
  [...new Set(Object.values(failures).flatMap(({ values }) => values))].map((reason) => {
    return [reason, `Delivery failed: ${reason.replaceAll('_', ' ')}`]
  }),
)
