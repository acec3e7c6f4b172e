// Orders of a sheet to create: the contract and the rules of orders check each (docs/guides/sheets.md, Orders).
import type { OrderCreate } from '../../../domain/orders.ts'
import { sheetColumns } from '../forms/columns.ts'
import { checkOrder, unknownPincodes } from './checkorder.ts'
import { clashIn, findingsOn } from './findings.ts'
import type { OrderPlan } from './plan.ts'
import type { OrderUse } from './use.ts'

/** What makes orders to create under a plan. */
export const creation = (plan: OrderPlan): OrderUse<OrderCreate> => ({
  columns: sheetColumns,
  needed: ['payment_method', 'warehouse_id', 'length', 'breadth', 'height', 'weight'],
  made: ({ raw, sheet, line, lineOf }) => {
    const unknown = plan.lenient ? unknownPincodes(raw) : []
    const { value, faults } = checkOrder(raw, unknown, plan.now())
    if (value === undefined) return { faults, notes: [] }
    const clash = clashIn(sheet, value, lineOf)
    const notes = findingsOn(value, unknown, clash, line, sheet.counts)
    return { value, faults, notes, ofSheet: clash !== undefined && plan.strict ? [clash] : [] }
  },
})
