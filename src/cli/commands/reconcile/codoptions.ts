// The options of `shipx reconcile cod`.
import type { Fault } from '../../../domain/errors.ts'
import { bankFormNames, codFormNames } from '../../../domain/money/codforms.ts'
import { codWords, notInBank } from '../../../domain/money/codjudge.ts'
import { readWindow, type Window } from '../../../domain/money/deadlines.ts'
import { paiseOf } from '../../../domain/money.ts'
import { utrsIn } from '../../../domain/money/utr.ts'
import { readRupees } from '../../../domain/read/money.ts'
import { day, faulty, flag, list, moment, oneOf, optionKind, someOf, sound, word } from '../../args/kinds.ts'
import { mapFaults, mapOptions } from '../../args/maps.ts'
import type { Format } from '../../command/flags.ts'
import type { OptionsOf } from '../../args/options.ts'

/** A window of time after the delivery: `7wd`, `2d`, `48h`. */
export const cycleOption = optionKind<Window | undefined, Window | undefined>(undefined, (given, name) => {
  const read = readWindow(given)
  return 'fault' in read ? faulty(undefined, name, read.fault) : sound(read.value)
})

const paise = optionKind<number, number>(0, (given, name) => {
  const read = readRupees(given)
  const value = 'fault' in read ? undefined : paiseOf(read.rupees)
  return value === undefined || value < 0 ? faulty(0, name, 'is an amount of 0 or more') : sound(value)
})

const utr = optionKind<string | undefined, string | undefined>(undefined, (given, name) => {
  const [one] = utrsIn(given)
  return one === undefined ? faulty(undefined, name, 'is the UTR of the transfer') : sound(one)
})

export const codOptions = {
  courier: word,
  format: oneOf(codFormNames, 'form'),
  sheet: word,
  number: word,
  date: day,
  utr,
  amounts: oneOf(['gross', 'net'] as const, 'answer'),
  cycle: cycleOption,
  since: moment,
  as_of: day,
  tolerance: paise,
  bank: word,
  bank_format: oneOf(bankFormNames, 'form'),
  bank_sheet: word,
  map_bank: list,
  out_bank: word,
  only: someOf(codWords, 'verdict'),
  mail: flag,
  dry_run: flag,
  replace: flag,
  force: flag,
  ...mapOptions,
}
export type CodOptions = OptionsOf<typeof codOptions>

/** The fault of `--only not_in_bank` for a file that is neither kept nor read with a statement. */
export const noStatement = (options: CodOptions): readonly Fault[] =>
  options.only?.includes(notInBank) === true && options.bank === undefined
    ? [
        {
          field: '--only',
          message:
            'not_in_bank needs a statement: add --bank <file>. ' +
            'Of all kept ones: shipx cod due --parcels --only not_in_bank',
        },
      ]
    : []

/** The faults of --mail. */
export const codMailFaults = ({ mail, only }: CodOptions, format: Format): readonly Fault[] =>
  mail && (format !== 'plain' || only !== undefined)
    ? [
        {
          field: '--mail',
          message: 'prints a text; the sheet of the parcels is another command: --only overdue,short --excel',
        },
      ]
    : []

/** The faults of the options together. */
export function codFaults(options: CodOptions, path: string, format: Format): readonly Fault[] {
  const ofBank = (['bank_format', 'bank_sheet', 'map_bank', 'out_bank'] as const).find(
    (name) => options[name] !== undefined,
  )
  return [
    ...(path === '' ? [{ field: '<file>', message: 'is a COD remittance, or - for standard input' }] : []),
    ...(path === '-' && !options.dry_run
      ? [{ field: '<file>', message: 'to keep a remittance, name its file; standard input goes with --dry-run' }]
      : []),
    ...(ofBank !== undefined && options.bank === undefined
      ? [{ field: `--${ofBank.replace('_', '-')}`, message: 'goes with --bank' }]
      : []),
    ...(options.bank === '-' ? [{ field: '--bank', message: 'name the file of the statement' }] : []),
    ...(options.out_bank !== undefined && !/\.(?:csv|jsonl)$/i.test(options.out_bank)
      ? [{ field: '--out-bank', message: 'writes <file.csv> or <file.jsonl>' }]
      : []),
    ...codMailFaults(options, format),
    ...mapFaults(options),
  ]
}
