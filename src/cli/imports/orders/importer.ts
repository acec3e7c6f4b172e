// The importer of orders: the items of a sheet, the values from flags and profile, and the target
// (docs/guides/sheets.md, Orders).
import { inBatches } from '../../listings/inorder.ts'
import type { Fault } from '../../../domain/errors.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Context } from '../../command/context.ts'
import { sourceOf } from '../../source/open.ts'
import { bulkPace } from '../../source/pace.ts'
import type { SheetColumn } from '../../files/headers.ts'
import { unusedText } from '../../files/mapped.ts'
import type { Failure, Importer, Item } from '../importer.ts'
import { callingOff, type Lookup } from './calledoff.ts'
import { engineTarget } from './enginetarget.ts'
import { remoteTarget } from './remotetarget.ts'
import { sheetColumns } from '../forms/columns.ts'
import { owingText } from './outstanding.ts'
import type { OrderPlan } from './plan.ts'
import { findings, readNotes } from './readnotes.ts'
import { refundText } from './refunds.ts'
import { orderReader, type OrderReader, type SheetOrder } from './sheet.ts'
import { orderRows } from './template.ts'

/** How orders are created: with a courier or without. */
export interface OrderWay {
  readonly assign: boolean
}

/** The import of orders under a plan. */
export function orderImporter(context: Context, plan: OrderPlan, { assign }: OrderWay): Importer<OrderCreate> {
  const reader = orderReader(plan)
  const { late, form, shown } = reader
  const making = { assign, shown }
  let lookup: Lookup | undefined
  return {
    noun: ['order', 'orders'],
    columns: columnsUnder(plan),
    form,
    command: 'orders import',
    items: itemsOf(context, reader, () => lookup!),
    claims: true,
    late: () => new Map([...late()].map(([line, fault]) => [line, failureOf([fault], line)])),
    open: async (opening) => {
      const { use, max_rps, stop } = opening
      const target = await context.target()
      const opened =
        target.kind === 'embedded'
          ? engineTarget(opening, making, await sourceOf(context, use))
          : await remoteTarget(opening, making, await sourceOf(context, use, bulkPace(max_rps, stop)), target)
      lookup = opened.lookup
      return opened
    },
    template: orderRows('api', context.io.host.now()),
  }
}

/** The columns of a sheet under a plan: one that a flag fills need not be there. */
const columnsUnder = ({ defaults }: OrderPlan): readonly SheetColumn[] =>
  sheetColumns.map((column) => (defaults[column.name] === undefined ? column : { ...column, required: false }))

/* ---- Items ---- */

/** Orders in one batch. */
const step = 100

function itemsOf(
  context: Context,
  { orders, left, off, unread, bySku, owing, refunds }: OrderReader,
  lookup: () => Lookup,
): Importer<OrderCreate>['items'] {
  return async function* (sheet, _, names) {
    const found = findings()
    const calling = callingOff(lookup)
    for await (const some of inBatches(orders(sheet, names), step)) {
      for (const { notes } of some) found.add(notes)
      await calling.add(off.splice(0))
      yield some.map(itemOf)
    }
    for (const sentence of [...unusedText([...unread]), ...readNotes({ left, bySku })]) await context.note(sentence)
    await calling.add(off.splice(0))
    await calling.end(context)
    for (const text of [owingText(owing), refundText(refunds), found.text()])
      if (text !== undefined) await context.warn(text)
  }
}

function itemOf({ order_id, rows, input, faults }: SheetOrder): Item<OrderCreate> {
  const [first, ...more] = rows
  const item = { rows: [first!, ...more] as const, name: order_id, value: input }
  return { ...item, failure: input === undefined ? failureOf(faults, first!.line) : undefined }
}

/** The faults of an order as one failure; the order starts in `line`. */
export function failureOf(faults: readonly Fault[], line: number): Failure {
  const sentence = ({ field, message, row, counts = 'line' }: Fault): string =>
    `${field === null ? '' : `${field} `}${message}${row === line || row == null ? '' : ` (${counts} ${row})`}`
  const code = faults.some(({ field }) => field === null) ? 'invalid_file' : 'invalid_input'
  const own = ({ field, message, row }: Fault) => ({
    message: sentence({ field, message, row: line }),
    line: row ?? line,
  })
  return { code, message: faults.map(sentence).join('; '), faults: faults.map(own) }
}
