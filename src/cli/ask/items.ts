// The question for the items of an order, one at a time.
import { readDecimal } from '../../domain/read/number.ts'
import { decimalText, paiseOf, rupeesOf } from '../../domain/money.ts'
import { readRupees } from '../../domain/read/money.ts'
import type { Asking, Question } from './missing.ts'

/** Asks for items until an empty line: SKU, pieces, price and name of each, or all of it as `sku:units:price:name`. */
export const items: Question = {
  about: ['item', 'order_items'],
  ask: async (asking) => {
    const given: string[] = []
    for (;;) {
      const item = await nextItem(asking, given)
      if (item === undefined) return { item: given }
      given.push(item)
    }
  },
}

/** The next item in the form of the flag; undefined when there is no more. */
async function nextItem({ asker, fault }: Asking, before: readonly string[]): Promise<string | undefined> {
  const judged = (item: string): Promise<string | undefined> => fault({ item: [...before, item] })
  const sku = await asker.line({
    message: before.length === 0 ? 'SKU of the item (CR-02)' : 'SKU of another item (Enter for no more)',
    fault: async (value) => {
      if (before.length > 0 && value.trim() === '') return undefined
      return judged(value.includes(':') ? value : `${value.trim()}:1:1`)
    },
  })
  if (sku.trim() === '') return undefined
  if (sku.includes(':')) return sku
  let item = sku.trim()
  const pieces = await asker.line({
    message: 'Pieces',
    suggestion: '1',
    fault: (value) => judged(`${item}:${part(value)}:1`),
  })
  item = `${item}:${part(pieces)}`
  const price = await asker.line({
    message: 'Price of one piece in rupees',
    fault: (value) => judged(`${item}:${part(value)}`),
  })
  item = `${item}:${part(price)}`
  const name = await asker.line({
    message: 'Name of the item',
    suggestion: sku.trim(),
    fault: (value) => judged(`${item}:${value.trim()}`),
  })
  return `${item}:${name.trim()}`
}

/** An answer as a part of the flag's form, which colons separate. */
const part = (answer: string): string => answer.trim().replaceAll(':', ' ')

/** The total of the items in rupees, or undefined when a price is missing. */
export function itemsTotal(given: readonly string[]): string | undefined {
  let sum = 0
  for (const item of given) {
    const [, units, price] = item.split(':')
    const amount = readRupees(price ?? '')
    const [count, paise] = [readDecimal(units ?? ''), 'rupees' in amount ? paiseOf(amount.rupees) : undefined]
    if (count === undefined || paise === undefined) return undefined
    sum += count * paise
  }
  return sum > 0 && Number.isSafeInteger(sum) ? decimalText(rupeesOf(sum)) : undefined
}
