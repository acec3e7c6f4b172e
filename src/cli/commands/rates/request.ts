// A rate request from flags and questions; its faults name the flags.
import type { Fault } from '../../../domain/errors.ts'
import type { Context } from '../../command/context.ts'
import { flagFor } from '../../command/faults.ts'
import { quoting, rawInput, readAmounts, type Raw } from '../../args/input.ts'
import { flag, grams, size, word } from '../../args/kinds.ts'
import { optionsOf } from '../../args/options.ts'
import { lenientInput, type Lenient } from '../../listings/unknownvalues.ts'
import { defaultOrigin } from '../../config/profiles.ts'

/** A command line, its request, and all its faults by flag. */
interface Judged {
  readonly context: Context
  readonly parsed: Lenient<'getRates'>
  readonly faults: readonly Fault[]
}

/** The request; on a terminal, asks for what is missing. */
export async function judged(context: Context): Promise<Judged> {
  const first = await judgedAsTyped(context)
  if (first.faults.length === 0) return first
  const [{ askMissing }, { rateQuestions }] = await Promise.all([
    import('../../ask/missing.ts'),
    import('../../ask/questions.ts'),
  ])
  const answered = await askMissing(context, rateQuestions, async (more) => (await judgedAsTyped(more)).faults)
  return answered === context ? first : judgedAsTyped(answered)
}

async function judgedAsTyped(context: Context): Promise<Judged> {
  const { raw, faults } = request(context)
  const parsed = await lenientInput(context, 'getRates', raw)
  const named = new Set(faults.map((fault) => fault.field))
  const asked = parsed.faults
    .filter((fault) => !named.has(fault.field) && !covered(fault, faults))
    .map((fault) => friendlier(fault, context))
  return { context, parsed, faults: [...faults, ...asked] }
}

/** The flags of a parcel in their friendly forms. */
const parcelOptions = {
  forward: flag,
  return: flag,
  journey_type: word,
  weight: grams,
  size,
  cod: word,
  prepaid: flag,
  no_qc: flag,
}

/** The request from the flags, and the faults of the friendly flags. */
export function request(context: Context): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { value: options, faults: wrong } = optionsOf(context, parcelOptions)
  const faults = [...wrong]
  const raw = rawInput(context, ['weight', 'cod'])
  if (options.weight !== undefined) raw['dead_weight'] = options.weight
  if (options.size !== undefined) [raw['length'], raw['width'], raw['height']] = options.size
  raw['journey_type'] ??= options.return ? 'return' : 'forward'
  const home = raw['journey_type'] === 'return' ? 'destination_pincode' : 'origin_pincode'
  raw[home] ??= defaultOrigin(context.io, context.flags)
  if (options.forward && options.journey_type === 'return')
    faults.push({ field: '--journey-type', message: 'and --forward exclude each other' })
  if (options.no_qc) {
    if (raw['journey_type'] === 'return') raw['qc_applicable'] = false
    else faults.push({ field: '--no-qc', message: 'goes with --return; a forward parcel is not quality checked' })
  }
  if (options.prepaid) raw['payment_method'] = 'prepaid'
  if (options.cod !== undefined) {
    raw['payment_method'] = 'cod'
    raw['shipment_value'] = options.cod
  }
  readAmounts(raw)
  if (raw['journey_type'] === 'return' && !options.forward) {
    for (const name of ['cod', 'prepaid'])
      if (context.flags.has(name))
        faults.push({ field: `--${name}`, message: 'goes with a forward parcel; a return has no payment' })
  }
  return { raw, faults }
}

/** A faulty --size sets the sides, so they are not missing as well. */
function covered(fault: Fault, faults: readonly Fault[]): boolean {
  const named = (flag: string): boolean => faults.some((other) => other.field === flag)
  if (['--length', '--width', '--height'].includes(fault.field ?? ''))
    return named('--size') && fault.message === 'is required'
  return (fault.field === '--weight' || fault.field === '--dead-weight') && named('--weight')
}

/** The fault of a missing value, which names the friendly flag. */
function friendlier(fault: Fault, context: Context): Fault {
  if (fault.message.startsWith('is required for a forward journey'))
    return { field: '--prepaid', message: 'or --cod <rupees> is required for a forward parcel' }
  if (
    fault.field === flagFor(context.command, context.flags, 'shipment_value') &&
    fault.message.startsWith('is required')
  ) {
    return { field: '--cod', message: 'needs the shipment value, for example --cod 1499' }
  }
  if (fault.field === '--weight' && fault.message === 'is required')
    return { ...fault, message: 'is required, for example --weight 500g' }
  if (fault.message === 'is required') {
    const flag = context.command.flags.find((other) => `--${other.name}` === fault.field)
    if (
      ['length', 'width', 'height'].includes(flag?.name ?? '') &&
      !['length', 'width', 'height'].some((side) => context.flags.has(side))
    ) {
      return { field: '--size', message: 'is required, for example --size 20x15x10' }
    }
    return { ...fault, message: `is required: ${flag?.help.replace(/^./, (letter) => letter.toLowerCase()) ?? ''}` }
  }
  return quoting(fault, context)
}
