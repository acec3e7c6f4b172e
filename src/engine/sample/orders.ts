// What customers order: lines of goods, the channel's order numbers, tags, and the customer's name.
import { draw, oneOf, type Dice } from '../../domain/random.ts'
import { names, regionOf, type Names, type Product } from './vocabulary.ts'
import { popularItems, lineCount, quantities, type CatalogueItem } from './catalogue.ts'
import type { Shop } from './world.ts'

export interface Line {
  readonly id: string
  readonly good: CatalogueItem
  readonly quantity: number
  /** The price of one piece, after a discount. */
  readonly paise: number
}

export function personIn(dice: Dice, state: string): string {
  const people = namesFor(dice, regionOf(state), state)
  return `${oneOf(dice, people.first)} ${oneOf(dice, people.last)}`
}

function namesFor(dice: Dice, region: string, state: string): Names {
  const kind = dice.unit()
  if (state === 'Tamil Nadu' && kind < 0.2) return names['tamil']!
  if ((region === 'north' || state === 'Maharashtra') && kind < 0.07) return names['devanagari']!
  if (kind < 0.72) return names[region]!
  if (kind < 0.9) return names['north']!
  return names[oneOf(dice, ['punjab', 'west', 'south', 'east'])]!
}

export function linesOf(dice: Dice, shop: Shop | undefined): readonly Line[] {
  const first = 10_000_000 + dice.below(80_000_000)
  const wanted = draw(dice, lineCount)
  const bulk = dice.chance(0.02)
  const lines: Line[] = []
  for (let i = 0; i < wanted; i++) {
    const good = draw(dice, shop !== undefined && dice.chance(0.75) ? shop.goods : popularItems)
    if (lines.some((line) => line.good === good)) continue
    const quantity = bulk && good.product.grams < 700 ? 6 + dice.below(19) : draw(dice, quantities)
    const off = dice.chance(0.3) ? 5 * (1 + dice.below(5)) : 0
    const paise = off === 0 ? good.paise : Math.round((good.paise * (100 - off)) / 100)
    lines.push({ id: `ITM${first + i}`, good, quantity, paise })
  }
  return lines
}

export const orderValue = (lines: readonly Line[]): number =>
  lines.reduce((sum, { paise, quantity }) => sum + paise * quantity, 0)

interface OrderIds {
  readonly display_id: string
  readonly external_id: string
}

/** Order numbers as each channel writes them; the serial number makes them unique. */
export function orderIds(dice: Dice, channel: string, serial: number, shop: Shop | undefined): OrderIds {
  const digits = (length: number): string => String(dice.below(10 ** length)).padStart(length, '0')
  const same = (id: string): OrderIds => ({ display_id: id, external_id: id })
  switch (channel) {
    case 'shopify':
      return { display_id: `#${1000 + serial}`, external_id: `5${digits(5)}${String(serial).padStart(7, '0')}` }
    case 'woocommerce':
      return same(String(20_000 + serial))
    case 'amazon':
      return same(`40${2 + dice.below(7)}-${digits(7)}-${String(serial).padStart(7, '0')}`)
    case 'flipkart':
      return same(`OD4${digits(8)}${String(serial).padStart(9, '0')}`)
    default:
      return same(`${shop?.prefix ?? 'MO'}-${100_000 + serial}`)
  }
}

export function tagsOf(
  dice: Dice,
  lines: readonly Line[],
  fast: boolean,
  exchange: boolean,
  influencer: boolean,
): string[] {
  const tags: string[] = []
  if (exchange) tags.push('exchange')
  if (influencer) tags.push('influencer')
  const carefully = (care: Product['care']): boolean => lines.some(({ good }) => good.product.care === care)
  if (carefully('dangerous')) tags.push('dangerous_goods')
  if (carefully('fragile')) tags.push('fragile')
  if (lines.some(({ quantity }) => quantity >= 6)) tags.push('bulk')
  const more = dice.unit()
  if (more < 0.035) tags.push('gift')
  else if (more < 0.11) tags.push('repeat-customer')
  else if (fast && more < 0.16) tags.push('priority')
  return tags
}
