// `shipx reconcile formats`: the forms of invoices, remittances and statements, the headers of one, and which one a
// file has.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import {
  bankColumns,
  bankFormNames,
  bankForms,
  codColumns,
  codFormNames,
  codForms,
} from '../../../domain/money/codforms.ts'
import type { Billed } from '../../../domain/money/billed.ts'
import { courierForms, formNames, refusedForms } from '../../../domain/money/forms.ts'
import { ownColumns } from '../../../domain/money/owncolumns.ts'
import { notOneOf } from '../../../domain/values.ts'
import { word } from '../../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { Maps } from '../../files/mapped.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import type { Sheet } from '../../files/sheet.ts'
import { openBank } from './bankfile.ts'
import { openRemittance } from './codfile.ts'
import { looked, refuseUnit } from './doubts.ts'
import { openInvoice, rowsOf, type InvoiceFile } from './invoicefile.ts'
import { lineReader } from './linereader.ts'

interface ShownForm extends Record<string, unknown> {
  readonly form: string
  readonly title: string
  readonly shape: string
  readonly weights: string
  readonly note: string
}

const formView = plainView<ShownForm>(['form', 'forms'], ({ form }) => form, [
  'form',
  'title',
  'shape',
  'weights',
  'note',
])

const own: readonly ShownForm[] = [
  {
    form: 'generic',
    title: 'a sheet with a row for each AWB',
    shape: 'wide',
    weights: 'as its header or --unit says',
    note: 'read by our own names and by --map; GST where it has columns of GST',
  },
  {
    form: 'ledger',
    title: 'a sheet with a row for each charge',
    shape: 'ledger',
    weights: 'as its header or --unit says',
    note: 'awb, entry, debit, credit; the rows of an AWB are folded into one line',
  },
]

const shownForms = (): readonly ShownForm[] => [
  ...courierForms.map(({ name, title, shape, unit, note }) => ({
    form: name,
    title,
    shape,
    weights: unit ?? '-',
    note,
  })),
  ...own,
  ...codForms.map(({ name, title, note }) => ({ form: name, title, shape: 'remittance', weights: '-', note })),
  {
    form: 'cod',
    title: 'any other COD remittance',
    shape: 'remittance',
    weights: '-',
    note: 'read by our own names and by --map; before or after deductions as --amounts says',
  },
  ...bankForms.map(({ name, title, note }) => ({ form: name, title, shape: 'statement', weights: '-', note })),
  {
    form: 'bank',
    title: 'any other bank statement',
    shape: 'statement',
    weights: '-',
    note: 'read by our own names and by --map-bank',
  },
  ...refusedForms.map(({ name, why }) => ({ form: name, title: 'refused', shape: '-', weights: '-', note: why })),
]

interface ShownColumn extends Record<string, unknown> {
  readonly header: string
  readonly field: string
}

const columnView = plainView<ShownColumn>(['column', 'columns'], ({ header }) => header, ['header', 'field'])

const formsKnown = [...formNames, ...codFormNames, ...bankFormNames] as const
type KnownForm = (typeof formsKnown)[number]

/** The headers of a form with what they mean; of our own names with their other spellings. */
function columnsOf(name: KnownForm): readonly ShownColumn[] {
  const money = [...codForms, ...bankForms].find((one) => one.name === name)
  if (money !== undefined) return Object.entries(money.columns).map(([header, field]) => ({ header, field }))
  const plain = name === 'cod' ? codColumns : name === 'bank' ? bankColumns : undefined
  if (plain !== undefined)
    return plain.flatMap(({ name: field, aliases = [] }) => [field, ...aliases].map((header) => ({ header, field })))
  const form = courierForms.find((one) => one.name === name)
  if (form !== undefined)
    return [
      ...Object.entries(form.columns).map(([header, field]) => ({ header, field })),
      ...(form.others === undefined ? [] : [{ header: `${form.others}…`, field: 'other, by its name' }]),
    ]
  return ownColumns.flatMap(({ name: field, aliases = [] }) =>
    [field, ...(field === 'weight' ? ['weight_g', 'weight_kg'] : []), ...aliases].map((header) => ({ header, field })),
  )
}

/** A file to be checked. */
interface Checked {
  readonly path: string
  readonly maps: Maps
  readonly sheet: string | undefined
}

/** A file of any form, with what each of its headers means. */
interface Known {
  readonly sheet: Sheet
  readonly said: string
  readonly fieldAt: ReadonlyMap<number, string>
}

/** The unit of the weights of a file; where its first lines do not tell it, what reading it as an invoice says. */
async function weightsSaid(file: InvoiceFile): Promise<string> {
  if (!file.places.has('weight')) return 'no weights'
  const reader = lineReader(file, '', false)
  const lines: Billed[] = []
  try {
    for await (const rows of rowsOf(file)) {
      for (const row of rows) if (reader.footer(row) === undefined) lines.push(reader.read(row))
      if (lines.length >= looked) break
    }
    refuseUnit(lines, file)
  } catch (error) {
    // What else is wrong with the lines is for `reconcile invoice` to say.
    if (error instanceof ShipxError && error.code === 'unit_doubtful')
      return `weights in g or kg: shipx reconcile invoice asks for --unit (${error.message})`
  }
  return `weights in ${file.unit}`
}

async function asInvoice(context: Context, checked: Checked): Promise<Known> {
  const file = await openInvoice(context, { ...checked, format: undefined, unit: undefined })
  const title = file.form?.title ?? own.find(({ form }) => form === file.name)!.title
  return {
    sheet: file.sheet,
    said: `${file.name}: ${title}, by its header; ${await weightsSaid(file)}.`,
    fieldAt: new Map<number, string>([
      ...[...file.places].flatMap(([field, places]) => places.map((at) => [at, field] as const)),
      ...file.others.map(({ name, at }) => [at, `other (${name})`] as const),
    ]),
  }
}

/** A file of another kind than invoices. */
function ofPlaces(
  {
    sheet,
    name,
    places,
  }: { readonly sheet: Sheet; readonly name: string; readonly places: ReadonlyMap<string, number> },
  command: string,
): Known {
  const title = shownForms().find(({ form }) => form === name)!.title
  return {
    sheet,
    said: `${name}: ${title}, by its header; read by ${command}.`,
    fieldAt: new Map([...places].map(([field, at]) => [at, field])),
  }
}

const asRemittance = async (context: Context, checked: Checked): Promise<Known> =>
  ofPlaces(
    await openRemittance(context, { ...checked, format: undefined, amounts: 'gross' }),
    'shipx reconcile cod <file>',
  )

const asStatement = async (context: Context, checked: Checked): Promise<Known> =>
  ofPlaces(await openBank(context, { ...checked, format: undefined }), 'shipx reconcile cod … --bank <file>')

/** Opens a file as the first kind that it is. Throws what opening it as an invoice throws, where it is none. */
async function openAny(context: Context, checked: Checked): Promise<Known> {
  let first: unknown
  for (const open of [asInvoice, asRemittance, asStatement])
    try {
      return await open(context, checked)
    } catch (error) {
      first ??= error
      if (!(error instanceof ShipxError) || (error.code !== 'unknown_form' && error.code !== 'invalid_input'))
        throw error
    }
  throw first
}

/** Prints which form a file has, and what each of its headers means in it. */
async function check(context: Context, checked: Checked): Promise<number> {
  const { sheet, said, fieldAt } = await openAny(context, checked)
  try {
    const columns = sheet.headers.map((header, at) => ({ header, field: fieldAt.get(at) ?? 'not read' }))
    await context.note(`Form ${said}`)
    await printList(context, columnView, columns)
    return 0
  } finally {
    sheet.close()
  }
}

const formats = verb({ check: word, sheet: word, ...mapOptions }, async (context, { check: path, sheet, ...given }) => {
  const [name] = context.args
  const mapped =
    path === undefined &&
    ['sheet', 'map', 'map-value', 'ignore', 'use-map', 'save-map'].find((one) => context.flags.has(one))
  refuse(context, [
    ...(typeof mapped === 'string' ? [{ field: `--${mapped}`, message: 'goes with --check' }] : []),
    ...mapFaults(given),
  ])
  if (path === undefined && name === undefined) checkShape(context, formView)
  else checkShape(context, columnView)
  if (path !== undefined) {
    const maps = mapsOf(context, given)
    const exit = await check(context, { path, maps, sheet })
    await keepMaps(context, given.save_map, maps)
    return exit
  }
  if (name === undefined) {
    await printList(context, formView, shownForms())
    return 0
  }
  const known = formsKnown.find((one) => one === name)
  if (known === undefined) throw invalid([{ field: '<form>', message: notOneOf(name, formsKnown, 'form') }])
  await printList(context, columnView, columnsOf(known))
  return 0
})

export const verbs = { 'reconcile formats': formats }
