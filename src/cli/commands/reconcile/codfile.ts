// A courier's COD remittance, opened by its form: which one it is, and where its columns are.
import { invalid } from '../../../domain/errors.ts'
import { codColumns, codForms, type CodField, type CodForm, type CodFormName } from '../../../domain/money/codforms.ts'
import { courierForms, partFields, type MoneyField } from '../../../domain/money/forms.ts'
import { ownColumns } from '../../../domain/money/owncolumns.ts'
import type { Context } from '../../command/context.ts'
import { folded } from '../../files/headers.ts'
import { shownHeader, shownHeaders } from '../../files/shownheaders.ts'
import type { Maps } from '../../files/mapped.ts'
import type { Sheet } from '../../files/sheet.ts'
import { chosenForm, fieldsOf, formsAmong, namesOf, noSuchForm, openFormed, placesOf, unreadIn } from './formfile.ts'
import { statementIn } from './statements.ts'

/** Whether the one amount of a line is what was collected, or what is left of it after deductions. */
export type Amounts = 'gross' | 'net'

/** What a remittance is opened with. */
export interface CodOpening {
  readonly path: string
  readonly maps: Maps
  readonly sheet: string | undefined
  readonly format: CodFormName | undefined
  readonly amounts: Amounts | undefined
}

/** A remittance that is open. */
export interface CodFile {
  readonly sheet: Sheet
  /** The form; undefined for a file that is read by our own names. */
  readonly form: CodForm | undefined
  readonly name: CodFormName
  readonly places: ReadonlyMap<CodField, number>
  readonly amounts: Amounts | undefined
  readonly unread: readonly string[]
}

const ownFields = namesOf(codColumns)
const invoiceFields = namesOf(ownColumns)
const invoices = courierForms.map(({ title, signs }) => ({ title, signs: [signs] }))

/** Columns that invoices have, and no remittance has with these names. */
const ofInvoice: ReadonlySet<string> = new Set<MoneyField>([
  ...partFields,
  'weight',
  'zone',
  'gross',
  'gst',
  'igst',
  'cgst',
])
const paid: readonly (CodField | string | undefined)[] = ['remitted', 'net', 'cod_amount']

/** Whether a row of a sheet is the header of a remittance. */
export function isRemittance(headers: readonly string[], maps: Maps): boolean {
  if (formsAmong(codForms, headers).length > 0) return true
  const fields = fieldsOf(headers, maps, ownFields)
  return fields.includes('awb') && fields.some((field) => paid.includes(field))
}

/** Why a file with these headers is no remittance; undefined for any other. */
export function refusedRemittance(headers: readonly string[]): string | undefined {
  if (formsAmong(codForms, headers).length > 0) return undefined
  const [invoice] = formsAmong(invoices, headers)
  if (invoice !== undefined) return `this sheet is ${invoice.title}: shipx reconcile invoice <file>`
  const bank = statementIn(headers)
  if (bank !== undefined) return `this sheet is ${bank}: name it with --bank, next to a remittance`
  const fields = headers.map((header) => ownFields.get(folded(header)))
  if (fields.includes('utr') || fields.includes('date')) return undefined
  const sign = headers.find((header) => ofInvoice.has(invoiceFields.get(folded(header)) ?? ''))
  return sign === undefined
    ? undefined
    : `this sheet is an invoice, for it has "${shownHeader(sign)}": shipx reconcile invoice <file>`
}

const wayOut = 'shipx reconcile formats; name columns with --map "<header>=<column>"'
const nothing = 'no COD remittance'

/**
 * Opens a remittance. Throws `unknown_form` for a file that is none, and `invalid_input` for a header that two forms
 * fit or whose amount could mean two things.
 */
export async function openRemittance({ io }: Context, opening: CodOpening): Promise<CodFile> {
  const { path, maps, sheet: named, format } = opening
  const own = format === 'cod'
  const sheet = await openFormed(
    { io },
    {
      field: '<file>',
      path,
      sheet: named,
      maps,
      columns: codColumns,
      nothing,
      wayOut,
      meant: (headers) => isRemittance(headers, maps),
      formed: (headers) => !own && formsAmong(codForms, headers).length > 0,
      refused: own ? () => undefined : refusedRemittance,
    },
  )
  try {
    return placed(sheet, own ? undefined : chosenForm(sheet, codForms, format, { wayOut }), opening)
  } catch (error) {
    sheet.close()
    throw error
  }
}

/** What a form does not name, and a file may have all the same. */
const besideForm: readonly CodField[] = ['utr', 'net', 'fee', 'freight', 'tds', 'adjusted']

function placed(sheet: Sheet, form: CodForm | undefined, { maps, amounts }: CodOpening): CodFile {
  const places = new Map(placesOf(sheet, form?.columns))
  if (form !== undefined && form.items !== true)
    for (const [at, header] of sheet.headers.entries()) {
      const field = ownFields.get(folded(header))
      if (field !== undefined && besideForm.includes(field) && !places.has(field)) places.set(field, at)
    }
  const has = (field: CodField): boolean => places.has(field)
  if (!has('awb') || !(has('remitted') || has('net') || has('cod_amount'))) {
    const lacks = has('awb') ? 'an amount (remitted, or net)' : 'an AWB'
    throw noSuchForm({ nothing, wayOut }, `its header lacks ${lacks}; it has: ${shownHeaders(sheet.headers)}`)
  }
  const deductions = (['fee', 'freight', 'tds', 'adjusted'] as const).filter(has)
  if (deductions.length > 0 && amounts === undefined && has('remitted') && !has('net') && !has('cod_amount')) {
    const header = shownHeader(sheet.headers[places.get('remitted')!]!)
    const taken = shownHeader(sheet.headers[places.get(deductions[0]!)!]!)
    const message = `say whether "${header}" is before "${taken}" (gross) or after it (net)`
    throw invalid([{ field: '--amounts', message }])
  }
  return {
    sheet,
    form,
    name: form?.name ?? 'cod',
    places,
    amounts,
    unread: form === undefined ? unreadIn(sheet, maps) : [],
  }
}
