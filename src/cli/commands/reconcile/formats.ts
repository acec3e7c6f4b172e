// `shipx reconcile formats`: the forms of invoices, the headers of one, and which one a file has.
import { invalid } from '../../../domain/errors.ts'
import { courierForms, formNames, ownColumns, refusedForms, type FormName } from '../../../domain/money/forms.ts'
import { notOneOf } from '../../../domain/values.ts'
import { word } from '../../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../../args/maps.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { Maps } from '../../files/mapped.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { openInvoice } from './invoicefile.ts'

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
  ...refusedForms.map(({ name, why }) => ({ form: name, title: 'refused', shape: '-', weights: '-', note: why })),
]

interface ShownColumn extends Record<string, unknown> {
  readonly header: string
  readonly field: string
}

const columnView = plainView<ShownColumn>(['column', 'columns'], ({ header }) => header, ['header', 'field'])

/** The headers of a form with what they mean; of our own names with their other spellings. */
function columnsOf(name: FormName): readonly ShownColumn[] {
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

/** Prints which form a file has, and what each of its headers means in it. */
async function check(context: Context, path: string, maps: Maps): Promise<number> {
  const file = await openInvoice(context, { path, maps, sheet: undefined, format: undefined, unit: undefined })
  try {
    const fields = new Map([...file.places].flatMap(([field, places]) => places.map((at) => [at, field] as const)))
    const named = new Map(file.others.map(({ name, at }) => [at, `other (${name})`] as const))
    const columns = file.sheet.headers.map((header, at) => ({
      header,
      field: fields.get(at) ?? named.get(at) ?? 'not read',
    }))
    const title = file.form?.title ?? own.find(({ form }) => form === file.name)!.title
    await context.note(`Form ${file.name}: ${title}, by its header; weights in ${file.unit}.`)
    await printList(context, columnView, columns)
    return 0
  } finally {
    file.sheet.close()
  }
}

const formats = verb({ check: word, ...mapOptions }, async (context, { check: path, ...given }) => {
  const [name] = context.args
  const mapped =
    path === undefined && ['map', 'map-value', 'ignore', 'use-map', 'save-map'].find((one) => context.flags.has(one))
  refuse(context, [
    ...(typeof mapped === 'string' ? [{ field: `--${mapped}`, message: 'goes with --check' }] : []),
    ...mapFaults(given),
  ])
  if (path === undefined && name === undefined) checkShape(context, formView)
  else checkShape(context, columnView)
  if (path !== undefined) {
    const maps = mapsOf(context, given)
    const exit = await check(context, path, maps)
    await keepMaps(context, given.save_map, maps)
    return exit
  }
  if (name === undefined) {
    await printList(context, formView, shownForms())
    return 0
  }
  const known = formNames.find((one) => one === name)
  if (known === undefined) throw invalid([{ field: '<form>', message: notOneOf(name, formNames, 'form') }])
  await printList(context, columnView, columnsOf(known))
  return 0
})

export const verbs = { 'reconcile formats': formats }
