// Orders of a file that are at the target already and need a look: they differ, or were cancelled there. The first are
// named (docs/guides/sheets.md, Orders).
import { count, counted } from '../../../domain/count.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { safe } from '../../terminal/safe.ts'
import type { Label } from '../importer.ts'
import { differing, type Found, type Shown } from './comparison.ts'

/** How many of a kind are named. */
const named = 10

interface Group {
  all: number
  readonly first: string[]
}

/** Labels orders by what the target has, and says which of them need a look. */
export interface Standing {
  readonly label: (input: OrderCreate, there: Found | undefined) => Label
  /** Of a run that changes nothing: the orders that differ, and in what. */
  readonly differences: () => string | undefined
  readonly cancelled: () => string | undefined
}

/** The standing of the orders of one file; `place` is where the target is: `here`. */
export function standing(place: string, shown: Shown): Standing {
  const [others, dead]: readonly [Group, Group] = [
    { all: 0, first: [] },
    { all: 0, first: [] },
  ]
  return {
    label: (input, there) => {
      if (there === undefined) return 'create'
      const { granular_status, status } = there.shipment.attributes
      if ((granular_status ?? status) === 'cancelled') add(dead, input.order_id)
      const fields = differing(input, there, shown)
      if (fields.length === 0) return 'unchanged'
      add(others, input.order_id, ` (${fields.map((field) => safe(field)).join(', ')})`)
      return 'conflict'
    },
    differences: () => {
      if (others.all === 0) return undefined
      const which = counted(others.all, ['order is', 'orders are'])
      return `${which} there already and ${others.all === 1 ? 'differs' : 'differ'}: ${names(others)}`
    },
    cancelled: () => {
      if (dead.all === 0) return undefined
      const which = counted(dead.all, ['order of the file is', 'orders of the file are'])
      const whom = dead.all === 1 ? 'it' : 'them'
      return `${which} cancelled ${place}: ${names(dead)}. To ship ${whom}, import ${whom} with another order id.`
    },
  }
}

function add(group: Group, id: string, more = ''): void {
  group.all++
  if (group.first.length < named) group.first.push(`${safe(id, 'id')}${more}`)
}

const names = ({ all, first }: Group): string =>
  `${first.join(', ')}${all > first.length ? ` and ${count(all - first.length)} more` : ''}`
