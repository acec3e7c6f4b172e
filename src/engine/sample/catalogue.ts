// What invented merchants sell and who carries it: items by popularity, couriers by share, and the odds of other
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
  /** Minutes after midnight: the courier picks up orders before it on the same day. */
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

const items: readonly CatalogueItem[] = products.map((product) => ({
  product,
  paise: paiseOf(product.price)!,
  volume: product.size[0] * product.size[1] * product.size[2],
}))

// Popularity falls with the rank. 23 and the number of products have no common divisor, so that each rank occurs once
// and the ranks are spread over the categories.
const rankOf = (index: number): number => (index * 23) % items.length

const popular = (chosen: readonly CatalogueItem[]): Table<CatalogueItem> =>
  tableOf(
    chosen,
    chosen.map((item) => 1 / (rankOf(items.indexOf(item)) + 3)),
  )

/** All products, by popularity. */
export const popularItems = popular(items)

const categories = [...new Set(products.map(({ category }) => category))]

/** The products of each category, by popularity. */
export const popularByCategory = categories.map((category) =>
  popular(items.filter(({ product }) => product.category === category)),
)

/** Channels of orders with a store. */
export const storeChannel = sharesTable(storeChannels)
/** Channels of orders without a store. */
export const storelessChannel = sharesTable(storelessChannels)
/** Why customers return what they bought. */
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
