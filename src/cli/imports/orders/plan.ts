// How a sheet of orders is to be read: the values from flags and profile, exports by their forms.
import { invalid, type Fault } from '../../../domain/errors.ts'
import { maxItems } from '../../../domain/orders.ts'
import type { Outcome } from '../../../domain/read/typed.ts'
import type { Sku } from '../../../engine/accounts/skus.ts'
import type { Sheet } from '../../files/sheet.ts'
import { formOf, type FormName } from '../forms/forms.ts'
import { readByForm, type FormReading } from '../forms/readform.ts'
import type { SheetColumn } from '../../files/headers.ts'
import { sheetColumns } from '../forms/columns.ts'
import type { OrderDefaults } from './checkorder.ts'
import type { OrderUse } from './use.ts'
import { sideFields } from './skuparcel.ts'

/** Values of an order that its sheet does not contain, and how strictly to read it. */
export interface OrderPlan extends OrderDefaults {
  /** The flags that set those fields, by the fields' names. */
  readonly flags: ReadonlyMap<string, string>
  /** Reads the courier of a cell by its id, code or name; undefined where its id stays as it is. */
  readonly courier?: ((word: string) => Outcome<string>) | undefined
  /** Whether to accept a six-digit pincode that our table lacks: a deployment may know it. */
  readonly lenient: boolean
  /** Whether a pincode against its state is a fault instead of a note. */
  readonly strict: boolean
  /** Now, ms UTC. */
  readonly now: () => number
  /** How exports of other programs are read. */
  readonly exports: ExportPlan
  /** Weights and sizes of the merchant's SKUs, by their names. */
  readonly skus: ReadonlyMap<string, Sku>
}

/** How exports of other programs are read. */
export interface ExportPlan {
  /** The form that the user names; undefined when the header says it. */
  readonly from: FormName | undefined
  /** The flag that names it: --from, or another one where --from is a place. */
  readonly flag?: string
  /** Headers that are not read. */
  readonly ignore: readonly string[]
}

/** Receives what of an export is not imported. */
export type Aside = Pick<FormReading, 'leave' | 'miss'>

/** One item more than an order can have; rows beyond that are not collected. */
export const mostRows = maxItems + 1

/** Fields that the SKUs of an order can supply. */
const ofParcel: readonly string[] = [...sideFields, 'weight']

/**
 * A sheet in our own columns: an export is read by its form. `aside` gets what of an export stays out. Throws
 * `invalid_input` when a column is missing.
 */
export function ourSheet(
  plan: OrderPlan,
  use: Pick<OrderUse<unknown>, 'columns' | 'needed'>,
  opened: Sheet,
  aside: Aside,
): Sheet {
  const sheet = readSheet(plan, use.columns, opened, aside)
  refuseLacks(plan, use.needed, sheet)
  return sheet
}

function readSheet(
  { exports, defaults }: OrderPlan,
  columns: readonly SheetColumn[],
  sheet: Sheet,
  aside: Aside,
): Sheet {
  const { from, flag = '--from' } = exports
  const form = sheet.apart === true ? formOf(sheet.headers, from, flag) : undefined
  const must = new Set(columns.flatMap(({ name, required }) => (required === true ? [name] : [])))
  const open = sheetColumns.filter(({ name }) => !must.has(name)).map(({ name }) => name)
  if (form !== undefined)
    return readByForm(sheet, {
      form,
      ignore: exports.ignore,
      filled: new Set([...Object.keys(defaults), ...open]),
      ...aside,
      most: mostRows,
    })
  if (from === undefined || from === 'sheet') return sheet
  throw invalid([{ field: flag, message: `is for a file with a header; ${sheet.name} is JSON Lines` }])
}

function refuseLacks(
  { defaults, flags, skus }: OrderPlan,
  needed: readonly string[],
  { name, places, headLine, counts }: Sheet,
): void {
  const bySku = (field: string): boolean => skus.size > 0 && ofParcel.includes(field)
  const bySize = (field: string): boolean =>
    places.has('parcel_size') && (sideFields as readonly string[]).includes(field)
  const lacks = needed.filter(
    (field) => defaults[field] === undefined && !places.has(field) && !bySku(field) && !bySize(field),
  )
  const faults = [...new Set(lacks.map((field) => flags.get(field)))].map((flag): Fault => {
    const fields = lacks.filter((field) => flags.get(field) === flag).join(', ')
    return flag === undefined
      ? { field: name, message: `the header lacks ${fields}`, row: headLine, counts }
      : { field: flag, message: `is required: the file has no column ${fields}` }
  })
  if (faults.length > 0) throw invalid(faults)
}
