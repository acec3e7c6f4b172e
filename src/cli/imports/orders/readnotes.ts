// What is said about a sheet of orders once it was read: what stayed out, what came from SKUs, what is unusual.
import { count, counted } from '../../../domain/count.ts'
import type { OrderReader } from './sheet.ts'

/** How many findings are shown one by one. */
const mostShown = 10

/** The findings about single orders so far. */
export interface Findings {
  readonly add: (notes: readonly string[]) => void
  /** The first of them in lines, and how many more; undefined when there were none. */
  readonly text: () => string | undefined
}

export function findings(): Findings {
  const shown: string[] = []
  let all = 0
  return {
    add: (notes) => {
      all += notes.length
      if (shown.length < mostShown) shown.push(...notes.slice(0, mostShown - shown.length))
    },
    text: () => {
      if (all === 0) return undefined
      const more = all - shown.length
      return [...shown, ...(more > 0 ? [`and ${count(more)} more such lines`] : [])].join('\n')
    },
  }
}

/** What stayed out and what SKUs supplied, in sentences. */
export function readNotes({ left, bySku }: Pick<OrderReader<unknown>, 'left' | 'bySku'>): readonly string[] {
  return [
    ...(left.size > 0 ? [leftOut(left)] : []),
    ...(bySku.weighed > 0 ? [`${counted(bySku.weighed, hasNoun)} the weight of ${owner(bySku.weighed)} SKUs`] : []),
    ...(bySku.sized > 0 ? [`${counted(bySku.sized, hasNoun)} the size of ${owner(bySku.sized)} largest SKU`] : []),
  ]
}

const hasNoun = ['order has', 'orders have'] as const
const owner = (orders: number): string => (orders === 1 ? 'its' : 'their')

/** `Left out 12 cancelled and 30 fulfilled orders.` */
function leftOut(left: OrderReader['left']): string {
  const parts = [...left].map(([as, orders]) => `${count(orders)} ${as}`)
  const [last, ...before] = parts.toReversed()
  const all = before.length === 0 ? last! : `${before.toReversed().join(', ')} and ${last!}`
  const one = left.size === 1 && [...left.values()][0] === 1
  return `Left out ${all} ${one ? 'order' : 'orders'}.`
}
