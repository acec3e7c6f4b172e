// Order sheets: lines of a table put together to orders, each judged by the contract, its faults told by the file's own
// headers and lines; knows no service, and nothing of what becomes of the orders (docs/bulk.md, Orders).
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { excerpt, paiseOf, rupeesOf } from '../../../domain/money.ts'
import { maxItems, orderRefusals, shippingFields, type OrderCreate } from '../../../domain/orders.ts'
import { parseInput } from '../../../domain/parse.ts'
import { pincodeFault, pincodeKnown, placeOf, readPincode } from '../../../domain/pincodes.ts'
import type { Raw } from '../../args/input.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import type { Names } from '../uniquenames.ts'
import type { Reading } from '../../../domain/readers/cells.ts'
import { itemColumns, itemField, orderColumns } from './columns.ts'

/** An order of a sheet. */
export interface SheetOrder {
  readonly order_id: string
  /** The lines that its rows begin in. */
  readonly lines: readonly number[]
  readonly rows: readonly SheetRow[]
  /** The checked request; undefined when there are faults. */
  readonly input: OrderCreate | undefined
  /** What is wrong, by the header of the file or the flag, with the line. */
  readonly faults: readonly Fault[]
  /** What is odd and may be meant. */
  readonly notes: readonly string[]
}

/** What an order has that its sheet does not say. */
export interface OrderPlan {
  /** Values of the API's fields for whatever a sheet leaves open. */
  readonly defaults: Raw
  /** The flags that fill those fields, by the fields' names. */
  readonly flags: ReadonlyMap<string, string>
  /** A warehouse's id for a name that the profile gives it. */
  readonly warehouse: (name: string) => string
  /** Whether a pincode of six digits that our table lacks may pass: a deployment may know it. */
  readonly lenient: boolean
  /** Now, ms UTC. */
  readonly now: () => number
}

/** More items than an order can have: what goes on beyond them is not collected. */
const mostRows = maxItems + 1

/** Fields that a header or a flag must give. */
const needed = ['warehouse_id', 'length', 'breadth', 'height', 'weight'] as const

/** So many orders whose lines stand apart are a file that was sorted by something else. */
const mostApart = 10_000

/** A reader of one sheet. */
export interface OrderReader {
  /**
   * The orders in the order of their first lines. Throws `invalid_input` for a header that lacks what no flag gives, and
   * `invalid_file` for a file whose orders stand apart everywhere.
   */
  readonly orders: (sheet: Sheet, names: Names) => AsyncGenerator<SheetOrder>
  /** Once all were read: the fault of an order, by its first line, whose lines go on further down. */
  readonly late: (line: number) => Fault | undefined
}

/**
 * Reads a sheet under a plan. The lines of one order stand together: what comes again after other orders is a fault of both
 * places, since nothing tells that the order is whole.
 */
export function orderReader(plan: OrderPlan): OrderReader {
  /** The line that an order came back in, by its first line. */
  const apart = new Map<number, { readonly id: string; readonly line: number }>()
  let field = 'order_id'
  const stands = (id: string, line: number, other: number): Fault => ({
    field,
    message: `${excerpt(id)} stands in line ${other} too, with other orders between; the lines of one order must stand together`,
    row: line,
  })
  return {
    orders: async function* (sheet, names) {
      refuseLacks(plan, sheet)
      const torn = (id: string, line: number): Fault | undefined => {
        const first = id === '' ? line : names.claim(id, line)
        if (first === line) return undefined
        if (!apart.has(first)) apart.set(first, { id, line })
        if (apart.size > mostApart)
          throw new ShipxError(
            'invalid_file',
            `the lines of ${mostApart.toLocaleString('en-IN')} orders stand apart, those of ${excerpt(id)} in lines ${first} and ${line}`,
            { hint: 'sort the file by its order ids' },
          )
        return stands(id, line, first)
      }
      const read = orderOf(plan, sheet, torn)
      const place = sheet.places.get('order_id')!
      field = sheet.headers[place]!
      let rows: SheetRow[] = []
      let id = ''
      for await (const batch of sheet.rows)
        for (const row of batch) {
          const own = row.cells[place]!.trim().normalize('NFC')
          if (own === id && own !== '' && rows.length < mostRows) rows.push(row)
          else {
            if (rows.length > 0) yield read(id, rows)
            rows = [row]
            id = own
          }
        }
      if (rows.length > 0) yield read(id, rows)
    },
    late: (line) => {
      const back = apart.get(line)
      return back === undefined ? undefined : stands(back.id, line, back.line)
    },
  }
}

function refuseLacks({ defaults, flags }: OrderPlan, { places }: Sheet): void {
  const lacks = needed.filter((field) => defaults[field] === undefined && !places.has(field))
  const faults = [...new Set(lacks.map((field) => flags.get(field)))].map((flag): Fault => {
    const fields = lacks.filter((field) => flags.get(field) === flag).join(', ')
    return flag === undefined
      ? { field: '<file>', message: `the header lacks ${fields}`, row: 1 }
      : { field: flag, message: `is required: the file has no column ${fields}` }
  })
  if (faults.length > 0) throw invalid(faults)
}

/** A value of an order and the line that it stands in. */
interface Given {
  readonly text: string
  readonly line: number
}

function orderOf(
  plan: OrderPlan,
  { places, headers, delimiter, weights }: Sheet,
  torn: (id: string, line: number) => Fault | undefined,
): (order_id: string, rows: readonly SheetRow[]) => SheetOrder {
  // Where decimals have commas, cells are kept apart by semicolons.
  const reading: Reading = {
    grouped: delimiter !== ';',
    weight: weights.get('weight') ?? { unit: 'kg', certain: true },
  }
  const placed = <C extends { readonly name: string }>(columns: readonly C[]) =>
    columns.flatMap((column) => (places.has(column.name) ? [{ ...column, at: places.get(column.name)! }] : []))
  const [ofOrder, ofItem] = [placed(orderColumns), placed(itemColumns)]
  const header = (name: string): string | undefined => (places.has(name) ? headers[places.get(name)!] : undefined)

  return (order_id, rows) => {
    const lines = rows.map(({ line }) => line)
    const line = lines[0]!
    const faults: Fault[] = []
    const ragged = rows.filter(({ fault }) => fault !== undefined)
    const apart = torn(order_id, line)
    if (apart !== undefined) faults.push(apart)
    // Cells of such a row may stand in the wrong columns: more about them would mislead.
    if (ragged.length > 0) {
      faults.push(...ragged.map(({ fault, line: row }) => ({ field: null, message: fault!, row })))
      return { order_id, lines, rows, input: undefined, faults, notes: [] }
    }

    const given = new Map<string, Given>()
    const raw: Raw = {}
    /** Fields about which enough has been said. */
    const covered = new Set<string>()
    for (const { name, read, at } of ofOrder) {
      const first = agreed(rows, at, headers[at]!, faults)
      if (first === undefined) continue
      given.set(name, first)
      const cell = read?.(first.text, reading) ?? { value: first.text }
      if ('value' in cell) raw[name] = cell.value
      else {
        faults.push({ field: headers[at]!, message: cell.fault, row: first.line })
        covered.add(name)
      }
    }
    const items = rows.map(({ cells, line: row }, n) => {
      const item: Raw = {}
      for (const { name, read, at } of ofItem) {
        const text = cells[at]!.trim()
        if (text === '') continue
        const cell = read?.(text, reading) ?? { value: text }
        if ('value' in cell) item[itemField(name)] = cell.value
        else {
          faults.push({ field: headers[at]!, message: cell.fault, row })
          covered.add(`order_items.${n}.${itemField(name)}`)
        }
      }
      return item
    })
    complete(plan, raw, items)

    const unknown = plan.lenient ? unknownPincodes(raw) : []
    const judged = judge(raw, unknown, plan.now())
    for (const field of ['billing', 'shipping']) {
      const pincode = raw[`${field}_pincode`]
      if (
        pincode === undefined ||
        covered.has(`${field}_pincode`) ||
        pincodeFault(readPincode(String(pincode))) !== undefined
      )
        for (const part of ['city', 'state']) covered.add(`${field}_${part}`)
    }
    const badItems = judged.faults.some(({ field }) => field?.startsWith('order_items') === true)
    if (badItems || covered.has('sub_total'))
      for (const sum of ['sub_total', 'cod_collectible']) if (!given.has(sum)) covered.add(sum)
    for (const { field, message } of judged.faults) {
      const [top, n, part] = (field ?? '').split('.') as [string, string?, string?]
      if (field === null || covered.has(field) || covered.has(top)) continue
      if (top === 'order_items' && n !== undefined) {
        const name = `item_${part ?? 'name'}`
        faults.push({ field: header(name) ?? name, message, row: lines[Number(n)] ?? line })
        continue
      }
      const flag = plan.flags.get(top)
      const own = header(top)
      faults.push({
        field: own ?? (given.get(top) === undefined ? flag : undefined) ?? (top === 'order_items' ? null : top),
        message: message === 'is required' && flag !== undefined ? `is required, here or as ${flag}` : message,
        row: given.get(top)?.line ?? line,
      })
    }
    if (faults.length > 0)
      return { order_id, lines, rows, input: undefined, faults: inOrder(faults, headers), notes: [] }
    const input = judged.value!
    return { order_id, lines, rows, input, faults, notes: notesOn(input, unknown, line) }
  }
}

/** The first value of an order's lines in a column; each line that says something else is a fault. */
function agreed(rows: readonly SheetRow[], at: number, field: string, faults: Fault[]): Given | undefined {
  let first: Given | undefined
  for (const { cells, line } of rows) {
    const text = cells[at]!.trim()
    if (text === '') continue
    if (first === undefined) first = { text, line }
    else if (first.text !== text)
      faults.push({
        field,
        message: `${excerpt(text)} differs from ${excerpt(first.text)} in line ${first.line}; the lines of one order must agree`,
        row: line,
      })
  }
  return first
}

/** Fills what the sheet leaves open: parts that belong together, the plan's values, places of pincodes, sums. */
function complete({ defaults, warehouse }: OrderPlan, raw: Raw, items: readonly Raw[]): void {
  const { address_line_2: more, landmark, ...rest } = raw
  for (const name of ['address_line_2', 'landmark']) delete raw[name]
  if (rest['billing_address'] !== undefined)
    raw['billing_address'] = [rest['billing_address'], more, landmark].filter((part) => part !== undefined).join(', ')
  for (const [field, value] of Object.entries(defaults)) raw[field] ??= value
  for (const field of ['warehouse_id', 'rto_warehouse_id'])
    if (raw[field] !== undefined) raw[field] = warehouse(String(raw[field]))
  if (shippingFields.some((field) => raw[field] !== undefined)) raw['shipping_is_billing'] ??= false
  settle(raw, 'billing')
  if (raw['shipping_is_billing'] === false) settle(raw, 'shipping')
  for (const item of items) if (item['name'] === undefined && item['sku'] !== undefined) item['name'] = item['sku']
  raw['order_items'] = items
  const sum = sumOf(items)
  if (sum !== undefined) raw['sub_total'] ??= sum
  if (raw['payment_method'] === 'COD' && raw['sub_total'] !== undefined) raw['cod_collectible'] ??= raw['sub_total']
}

/** City, state and country of an address by its pincode. */
function settle(raw: Raw, address: 'billing' | 'shipping'): void {
  const place = placeOf(readPincode(String(raw[`${address}_pincode`] ?? '')))
  if (place !== undefined) {
    raw[`${address}_city`] ??= place.city
    raw[`${address}_state`] ??= place.state
  }
  raw[`${address}_country`] ??= 'India'
}

/** The value of the items in rupees, or undefined when one of them has none. */
function sumOf(items: readonly Raw[]): number | undefined {
  let sum = 0
  for (const { units, selling_price: price } of items) {
    const paise = typeof price === 'string' ? paiseOf(price) : undefined
    if (paise === undefined || typeof units !== 'string' || !/^\d{1,6}(?:\.0+)?$/.test(units)) return undefined
    sum += paise * Number(units)
  }
  return rupeesOf(sum)
}

/** The fields with a pincode that our table lacks and another may have, where the sheet says what is there. */
const unknownPincodes = (raw: Raw): readonly string[] =>
  ['billing', 'shipping'].flatMap((address) => {
    const pincode = readPincode(String(raw[`${address}_pincode`] ?? ''))
    const told = raw[`${address}_city`] !== undefined && raw[`${address}_state`] !== undefined
    return told && /^[1-9]\d{5}$/.test(pincode) && !pincodeKnown(pincode) ? [`${address}_pincode`] : []
  })

/** What the contract and the business make of an order; a pincode that exists stands in for those that only a deployment may know. */
function judge(
  raw: Raw,
  unknown: readonly string[],
  now: number,
): { readonly value?: OrderCreate; readonly faults: readonly Fault[] } {
  const own = Object.fromEntries(unknown.map((field) => [field, readPincode(String(raw[field]))]))
  const asked =
    unknown.length === 0 ? raw : { ...raw, ...Object.fromEntries(unknown.map((field) => [field, '110001'])) }
  try {
    const value = parseInput('orchestrateForwardOrder', asked)
    const faults = orderRefusals(value, now)
    return faults.length > 0 ? { faults } : { value: { ...value, ...own }, faults }
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'invalid_input') return { faults: error.details }
    throw error
  }
}

const notesOn = (input: OrderCreate, unknown: readonly string[], line: number): readonly string[] =>
  unknown.map(
    (field) =>
      `line ${line}: shipx does not know pincode ${String(input[field as 'billing_pincode'])}; sent as written`,
  )

/** As one reads a sheet: by lines, from left to right. */
const inOrder = (faults: readonly Fault[], headers: readonly string[]): readonly Fault[] =>
  faults.toSorted(
    (a, b) => (a.row ?? 0) - (b.row ?? 0) || headers.indexOf(a.field ?? '') - headers.indexOf(b.field ?? ''),
  )
