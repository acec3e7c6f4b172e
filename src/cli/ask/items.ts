// The question for the items of an order, one at a time.
import { readDecimal } from '../../domain/read/number.ts'
import { decimalText, paiseOf, rupeesOf } from '../../domain/money.ts'
import { readRupees } from '../../domain/read/money.ts'
import type { Question } from './missing.ts'

/** Asks for items until an empty line. */
export const items: Question = {
  about: ['item', 'order_items'],
  ask: async ({ asker, fault }) => {
    const given: string[] = []
    for (;;) {
      const answer = await asker.line({
        message:
          given.length === 0
            ? 'Item, as sku:units:price:name (CR-02:2:499:Cotton romper)'
            : 'Another item (Enter for no more)',
        fault: async (value) =>
          given.length > 0 && value.trim() === '' ? undefined : fault({ item: [...given, value] }),
      })
      if (answer.trim() === '') return { item: given }
      given.push(answer)
    }
  },
}

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
