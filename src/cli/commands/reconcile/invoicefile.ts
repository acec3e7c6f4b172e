// A courier's file, opened by its form: which one it is, and where its columns are.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { codForms } from '../../../domain/money/codforms.ts'
import {
  amountFields,
  courierForms,
  partFields,
  refusedForms,
  type Form,
  type FormName,
  type MoneyField,
} from '../../../domain/money/forms.ts'
import { ownColumns } from '../../../domain/money/owncolumns.ts'
import type { Shape } from '../../../domain/money/billed.ts'
import type { Context } from '../../command/context.ts'
import { folded, type SheetColumn } from '../../files/headers.ts'
import { shownHeader, shownHeaders } from '../../files/shownheaders.ts'
import type { Maps } from '../../files/mapped.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { chosenForm, fieldsOf, formsAmong, namesOf, openFormed, unreadIn } from './formfile.ts'
import { statementIn } from './statements.ts'

/** What a file is opened with. */
export interface Opening {
  readonly path: string
  readonly maps: Maps
  readonly sheet: string | undefined
  readonly format: FormName | undefined
  readonly unit: 'g' | 'kg' | undefined
}

/** An invoice that is open. */
export interface InvoiceFile {
  readonly sheet: Sheet
  /** The form; undefined for a file that is read by our own names. */
  readonly form: Form | undefined
  readonly name: FormName
  readonly ledger: boolean
  /** The columns of each field; several of an amount are added up. */
  readonly places: ReadonlyMap<MoneyField, readonly number[]>
  /** The named components that the form has no field for. */
  readonly others: readonly { readonly name: string; readonly at: number }[]
  /** Whether --map says which column is the total. */
  readonly totalMapped: boolean
  /** The unit of its weights. */
  readonly unit: 'g' | 'kg'
  /** Headers that nothing reads and no flag leaves out; a courier's form has many that say nothing of the price. */
  readonly unread: readonly string[]
}

/** Our own columns as a sheet reads them; `unit` is what --unit says. */
export const ownSheetColumns = (unit: 'g' | 'kg' | undefined): readonly SheetColumn[] =>
  ownColumns.map((column) =>
    column.name === 'weight'
      ? { ...column, weight: { usual: unit ?? 'g', api: 'weight_g', ...(unit === undefined ? {} : { certain: true }) } }
      : isPart(column.name)
        ? { ...column, adds: true }
        : column,
  )

const isPart = (field: MoneyField): boolean => (partFields as readonly string[]).includes(field)

const forms = courierForms.map((form) => ({ ...form, signs: [form.signs] }))
const refusals = refusedForms.map((form) => ({ ...form, signs: [form.signs] }))

/** Our columns by every name that they have, folded. */
export const ownFields = namesOf(ownColumns)
/** Headers that no invoice has: it takes money, and names no transfer of it. */
const ofRemittance = /^(?:.*remit(?:ted|tance).*|(?:bank|transaction)?utr(?:no|number|id)?)$/

/** Why a file with these headers is refused by name; undefined for any other. */
export function refusedIn(headers: readonly string[]): string | undefined {
  const named = formsAmong(refusals, headers)[0]?.why
  if (named !== undefined || formsAmong(forms, headers).length > 0) return named
  const bank = statementIn(headers)
  if (bank !== undefined) return `this sheet is ${bank}: give it as --bank to shipx reconcile cod <file>`
  const [cod] = formsAmong(codForms, headers)
  const sign = headers.find((header) => ofRemittance.test(folded(header)))
  if (cod === undefined && sign === undefined) return undefined
  const what = cod?.title ?? `a COD remittance, for it has "${shownHeader(sign!)}"`
  return `this sheet is ${what}: shipx reconcile cod <file>`
}

/** Whether a row of a sheet is the header of an invoice: of a courier's form, or with an AWB and an amount of ours. */
export function isInvoice(headers: readonly string[], maps: Maps): boolean {
  if (formsAmong(forms, headers).length > 0) return true
  const fields = fieldsOf(headers, maps, ownFields)
  return fields.includes('awb') && fields.some((field) => (amountFields as readonly unknown[]).includes(field))
}

const wayOut = 'shipx reconcile formats; name columns with --map "<header>=<column>"'

/**
 * Opens an invoice. Throws `unknown_form` for a file that is none, and `invalid_input` for a header that two forms fit.
 */
export async function openInvoice({ io }: Context, opening: Opening): Promise<InvoiceFile> {
  const { path, maps, sheet: named, format, unit } = opening
  const own = format === 'generic' || format === 'ledger'
  // Who says that a file is generic knows better than its headers.
  const refused = own ? (headers: readonly string[]) => formsAmong(refusals, headers)[0]?.why : refusedIn
  const wanted = {
    field: '<file>',
    path,
    sheet: named,
    maps,
    columns: ownSheetColumns(unit),
    nothing: 'no invoice',
    wayOut,
    meant: (headers: readonly string[]) => isInvoice(headers, maps),
    formed: (headers: readonly string[]) => !own && formsAmong(forms, headers).length > 0,
    refused,
  }
  const sheet = await openFormed({ io }, wanted)
  try {
    const form = own ? undefined : chosenForm(sheet, forms, format, { wayOut })
    return placed(
      sheet,
      courierForms.find(({ name }) => name === form?.name),
      opening,
    )
  } catch (error) {
    sheet.close()
    throw error
  }
}

const isAmount = (field: MoneyField): boolean => (amountFields as readonly string[]).includes(field)

/** Finds the columns of an open sheet. Throws `unknown_form` for one without amounts. */
function placed(sheet: Sheet, form: Form | undefined, { unit, maps }: Opening): InvoiceFile {
  const places = new Map<MoneyField, number[]>()
  // Which amounts a file has is known before its lines: those of JSON all have the keys of the first.
  const late = sheet.keys ?? Infinity
  for (const [name, at] of sheet.places)
    if (at < late) places.set(name as MoneyField, [at, ...(sheet.more?.get(name) ?? [])])
  const taken = new Set([...sheet.places.values(), ...[...(sheet.more?.values() ?? [])].flat()])
  const mapped = new Set(sheet.places.keys())
  const others: { name: string; at: number }[] = []
  if (form !== undefined) {
    const fields = new Map(Object.entries(form.columns).map(([header, field]) => [folded(header), field]))
    for (const [at, header] of sheet.headers.entries()) {
      if (taken.has(at)) continue
      const field = fields.get(folded(header))
      if (field !== undefined && !mapped.has(field)) {
        const known = places.get(field)
        if (known === undefined) places.set(field, [at])
        else if (isAmount(field)) known.push(at)
      } else if (field === undefined && form.others !== undefined && header.startsWith(form.others))
        others.push({ name: header.slice(form.others.length), at })
    }
  }
  const has = (field: MoneyField): boolean => places.has(field)
  const ledger = form === undefined ? has('debit') || has('credit') : form.shape === 'ledger'
  if (!has('total')) {
    const lost = maps.map.find((pair) => maps.saved?.includes(pair) === true && /=\s*total\s*$/.test(pair))
    if (lost !== undefined) throw lacksTotal(lost, sheet.headers)
  }
  const amounts = ledger ? has('debit') && has('credit') : has('total') || has('gross') || partFields.some(has)
  if (!has('awb') || !amounts) {
    const lacks = has('awb') ? 'an amount (total, or freight)' : 'an AWB'
    const there = `it has: ${shownHeaders(sheet.headers)}`
    const message = `this is no invoice that shipx knows: its header lacks ${lacks}; ${there}`
    throw new ShipxError('unknown_form', message, { hint: wayOut })
  }
  return {
    sheet,
    form,
    name: form?.name ?? (ledger ? 'ledger' : 'generic'),
    ledger,
    places,
    others,
    totalMapped: maps.map.some((pair) => /=\s*total\s*$/.test(pair)),
    unit: unit ?? sheet.weights.get('weight')?.unit ?? form?.unit ?? 'g',
    unread: form === undefined ? unreadIn(sheet, maps) : [],
  }
}

/** The error of a file without the column that --use-map reads as the total. */
function lacksTotal(pair: string, headers: readonly string[]): ShipxError {
  const header = shownHeader(pair.slice(0, pair.lastIndexOf('=')).trim())
  const has = `it has: ${shownHeaders(headers)}`
  const message = `the file has no header "${header}", which --use-map reads as the total; ${has}`
  return invalid([{ field: '--use-map', message }], 'name the total: --map "<header>=total"')
}

/** Which amounts a file has, and where its GST is; `inside` is what --gst says of a file without columns of GST. */
export function shapeOf({ places, others, ledger }: InvoiceFile, inside: boolean): Shape {
  const has = (field: MoneyField): boolean => places.has(field)
  const taxed = has('gst') || has('igst') || has('cgst') || has('sgst')
  return {
    whole: !ledger && !partFields.some(has),
    rto: ledger || has('rto'),
    cod: has('cod_fee'),
    fuel: has('fuel'),
    other: has('other') || others.length > 0,
    gst: taxed ? 'columns' : inside ? 'inside' : 'none',
  }
}

/** The rows of a file; a sheet whose weights could be either unit is `unit_doubtful`. */
export async function* rowsOf({ sheet }: InvoiceFile): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield* sheet.rows
  } catch (error) {
    const doubtful = error instanceof ShipxError && error.code === 'invalid_input' && error.message.includes('no unit')
    if (!doubtful) throw error
    throw new ShipxError('unit_doubtful', error.message, {
      details: error.details,
      hint: 'say the unit of the column: --unit kg or --unit g',
      cause: error,
    })
  }
}
