// The options of `shipx reconcile invoice`.
import type { Fault } from '../../../domain/errors.ts'
import { paiseOf } from '../../../domain/money.ts'
import { formNames } from '../../../domain/money/forms.ts'
import { lineWords, type Terms } from '../../../domain/money/billed.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import { readRupees } from '../../../domain/read/money.ts'
import { readGrams } from '../../../domain/read/weight.ts'
import { day, faulty, flag, list, oneOf, optionKind, someOf, sound, word } from '../../args/kinds.ts'
import { mapFaults, mapOptions } from '../../args/maps.ts'
import type { OptionsOf } from '../../args/options.ts'
import type { Format } from '../../command/flags.ts'
import { groupings } from './groups.ts'

/** An amount in rupees as paise. */
const rupees = (usual: number) =>
  optionKind(usual, (given, name) => {
    const read = readRupees(given)
    if ('fault' in read) return faulty(usual, name, read.fault)
    const paise = paiseOf(read.rupees)!
    return paise >= 0 ? sound(paise) : faulty(usual, name, 'must be 0 or more')
  })

const noTolerance: Terms['weightTolerance'] = { units: 0, share: 0 }

/** `50g`, or `5%` of our weight. */
const weightTolerance = optionKind(noTolerance, (given, name) => {
  if (/^0+(?:\.0+)?\s*(?:k?g|%)?$/i.test(given.trim())) return sound(noTolerance)
  const share = /^(\d{1,2}(?:\.\d{1,2})?)\s*%$/.exec(given.trim())?.[1]
  if (share !== undefined) return sound({ units: 0, share: Number(share) / 100 })
  const read = readGrams(given, { unit: 'g', certain: false })
  if ('fault' in read) return faulty(noTolerance, name, `${read.fault}, or a share such as 5%`)
  return sound({ units: Math.round(read.grams * 100), share: 0 })
})

export const invoiceOptions = {
  courier: word,
  card: word,
  card_sheet: word,
  no_card: flag,
  no_parcels: flag,
  infer_card: word,
  format: oneOf(formNames, 'form'),
  sheet: word,
  unit: oneOf(['g', 'kg'] as const, 'unit'),
  gst: oneOf(['included', 'none'] as const, 'answer'),
  order: oneOf(['zone', 'weight'] as const, 'part'),
  parcels: word,
  number: word,
  date: day,
  tolerance: rupees(100),
  weight_tolerance: weightTolerance,
  only: someOf<string>(lineWords, 'verdict or reason', reasonName),
  by: oneOf(groupings, 'key'),
  explain: list,
  mail: flag,
  out: word,
  dry_run: flag,
  replace: flag,
  force: flag,
  ...mapOptions,
}
export type InvoiceOptions = OptionsOf<typeof invoiceOptions>

/** The faults of the options together. */
export function invoiceFaults(options: InvoiceOptions, path: string | undefined, format: Format): readonly Fault[] {
  return [
    ...(path === undefined || path === ''
      ? [{ field: '<file>', message: 'is an invoice, or - for standard input' }]
      : []),
    ...(options.card_sheet !== undefined && options.card === undefined
      ? [{ field: '--card-sheet', message: 'goes with --card' }]
      : []),
    ...(path === '-' && (options.no_card || options.infer_card !== undefined)
      ? [
          {
            field: '<file>',
            message: `--${options.no_card ? 'no' : 'infer'}-card reads the file twice: save standard input as a file`,
          },
        ]
      : []),
    ...(options.no_parcels && !options.no_card ? [{ field: '--no-parcels', message: 'goes with --no-card' }] : []),
    ...(path === '-' && !options.dry_run
      ? [{ field: '<file>', message: 'to keep an invoice, name its file; standard input goes with --dry-run' }]
      : []),
    ...mailFaults(options, format),
    ...outFaults(options, format),
    ...byFaults(options, format),
    ...mapFaults(options),
  ]
}

/** The faults of --mail. */
export const mailFaults = ({ mail }: Pick<InvoiceOptions, 'mail'>, format: Format): readonly Fault[] =>
  mail && format !== 'plain'
    ? [{ field: '--mail', message: 'prints a text; the sheet of the lines is another command: --only over --excel' }]
    : []

/** The faults of --out. */
export function outFaults(
  { out, ...others }: Partial<Pick<InvoiceOptions, 'out' | 'only' | 'explain' | 'mail'>>,
  format: Format,
): readonly Fault[] {
  if (out === undefined) return []
  const field = '--out'
  if (/\.xlsx$/i.test(out)) return [{ field, message: 'writes an HTML page; a workbook is --xlsx <file.xlsx>' }]
  const prints = format !== 'plain' || others.only !== undefined || others.explain !== undefined || others.mail === true
  return out === '-' && prints ? [{ field, message: 'and the lines both go to standard output; name a file' }] : []
}

/** What of a command is printed in place of the page. */
type Instead = Partial<Pick<InvoiceOptions, 'only' | 'explain' | 'mail'>> & { readonly lines?: boolean | undefined }

/** The flag that prints something in place of the page, and what it prints. */
function insteadOf({ only, explain, mail, lines }: Instead, format: Format): readonly [string, string] | undefined {
  if (format === 'xlsx') return undefined
  if (format !== 'plain') return [`--${format}`, 'records']
  if (mail === true) return ['--mail', 'a text']
  if (explain !== undefined) return ['--explain', 'lines']
  return only === undefined && lines !== true ? undefined : [lines === true ? '--lines' : '--only', 'lines']
}

/** The faults of --by: what is printed in place of the page has no groups, but the pages beside it do. */
export function byFaults(
  { by, out, ...others }: Partial<Pick<InvoiceOptions, 'by' | 'out'>> & Instead,
  format: Format,
): readonly Fault[] {
  const instead = by === undefined || out !== undefined ? undefined : insteadOf(others, format)
  if (instead === undefined) return []
  const [flag, what] = instead
  const message = `adds up the page, and ${flag} prints ${what} without it: leave one of the two out`
  return [{ field: '--by', message: `${message}, or write the groups with --xlsx <file.xlsx>` }]
}
