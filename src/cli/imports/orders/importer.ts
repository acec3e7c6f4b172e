// The importer of orders: the items of a sheet, the values from flags and profile, and the target
// (docs/guides/sheets.md, Orders).
import type { Fault } from '../../../domain/errors.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Context } from '../../command/context.ts'
import { sourceOf } from '../../source/open.ts'
import { bulkPace } from '../../source/pace.ts'
import { count } from '../../../domain/count.ts'
import type { Failure, Importer, Item } from '../importer.ts'
import { engineTarget } from './enginetarget.ts'
import { remoteTarget } from './remotetarget.ts'
import { sheetColumns } from './columns.ts'
import { orderReader, type OrderPlan, type OrderReader, type SheetOrder } from './sheet.ts'
import { orderRows } from './template.ts'

/** How orders are created: with a courier or without. */
export interface OrderWay {
  readonly assign: boolean
}

/** The import of orders under a plan. */
export function orderImporter(context: Context, plan: OrderPlan, { assign }: OrderWay): Importer<OrderCreate> {
  const { orders, late } = orderReader(plan)
  return {
    noun: ['order', 'orders'],
    columns: sheetColumns,
    items: itemsOf(context, orders),
    claims: true,
    late: (line) => {
      const fault = late(line)
      return fault === undefined ? undefined : failureOf([fault], line)
    },
    open: async (opening) => {
      const { use, max_rps, stop } = opening
      const target = await context.target()
      if (target.kind === 'embedded') return engineTarget(opening, assign, await sourceOf(context, use))
      return remoteTarget(opening, assign, await sourceOf(context, use, bulkPace(max_rps, stop)), target)
    },
    template: orderRows('api', context.io.host.now()),
  }
}

/* ---- Items ---- */

/** Orders in one batch. */
const step = 100

/** How many notes are shown one by one. */
const notesShown = 10

function itemsOf(context: Context, orders: OrderReader['orders']): Importer<OrderCreate>['items'] {
  return async function* (sheet, _, names) {
    const notes: string[] = []
    let noted = 0
    let batch: Item<OrderCreate>[] = []
    for await (const order of orders(sheet, names)) {
      noted += order.notes.length
      if (notes.length < notesShown) notes.push(...order.notes)
      batch.push(itemOf(order))
      if (batch.length < step) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
    if (noted === 0) return
    const shown = notes.slice(0, notesShown)
    const more = noted - shown.length
    await context.warn([...shown, ...(more > 0 ? [`and ${count(more)} more such lines`] : [])].join('\n'))
  }
}

function itemOf({ order_id, rows, input, faults }: SheetOrder): Item<OrderCreate> {
  const [first, ...more] = rows
  const item = { rows: [first!, ...more] as const, name: order_id, value: input }
  return { ...item, failure: input === undefined ? failureOf(faults, first!.line) : undefined }
}

/** The faults of an order as one failure; the order starts in `line`. */
function failureOf(faults: readonly Fault[], line: number): Failure {
  const sentence = ({ field, message, row }: Fault): string =>
    `${field === null ? '' : `${field} `}${message}${row === line || row == null ? '' : ` (line ${row})`}`
  const code = faults.some(({ field }) => field === null) ? 'invalid_file' : 'invalid_input'
  return { code, message: faults.map(sentence).join('; ') }
}
