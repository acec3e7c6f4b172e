// A rate request from flags and questions; its faults name the flags.
import type { Fault } from '../../../domain/errors.ts'
import type { Context } from '../../command/context.ts'
import { flagFor } from '../../command/faults.ts'
import { rawInput, type RawRead } from '../../args/input.ts'
import { couldBeInches } from '../../../domain/read/sides.ts'
import { text } from '../../command/flags.ts'
import { safe } from '../../terminal/safe.ts'
import { flag, grams, rupees, size } from '../../args/kinds.ts'
import { optionsOf } from '../../args/options.ts'
import { databaseThere, refuseMissing } from '../../config/paths.ts'
import { lenientInput, type Lenient } from '../../listings/unknownvalues.ts'
import { defaultOrigin } from '../../config/profiles.ts'

/** A command line with its checked request, and all faults by flag. */
interface ParsedRequest {
  readonly context: Context
  readonly parsed: Lenient<'getRates'>
  readonly faults: readonly Fault[]
  /** What shipx converted, such as inches. */
  readonly said: readonly string[]
}

/**
 * The request of a command line; on a terminal, asks for what is missing, unless other flags are at fault (`others`).
 * Throws `not_found` for a missing `--db`.
 */
export async function rateRequest(context: Context, others: readonly Fault[] = []): Promise<ParsedRequest> {
  if (context.flags.has('db')) refuseMissing(context)
  const requestOf = async (one: Context): Promise<ParsedRequest> => {
    const own = await parsedRequest(one)
    return { ...own, faults: [...own.faults, ...others] }
  }
  const first = await requestOf(context)
  if (first.faults.length === 0) return first
  const [{ askMissing }, { rateQuestions }] = await Promise.all([
    import('../../ask/missing.ts'),
    import('../../ask/questions.ts'),
  ])
  const answered = await askMissing(context, rateQuestions, async (more) => (await requestOf(more)).faults)
  return answered === context ? first : requestOf(answered)
}

async function parsedRequest(context: Context): Promise<ParsedRequest> {
  const { value: raw, faults, said } = rawRequest(context)
  const parsed = await lenientInput(context, 'getRates', raw, (pincode) => inContract(context, pincode))
  const flagsAtFault = new Set(faults.map(({ field }) => field))
  const contractFaults = parsed.faults
    .filter((fault) => !flagsAtFault.has(fault.field) && !(flagsAtFault.has('--size') && isMissingSide(fault)))
    .map((fault) => friendlier(fault, context))
  return { context, parsed, faults: [...faults, ...contractFaults], said }
}

/** Whether the zones of the card of `--card`, or of the card in use, name a pincode that India Post does not list. */
async function inContract(context: Context, pincode: string): Promise<boolean> {
  const named = text(context.flags, 'card')
  const sheet = text(context.flags, 'card-sheet')
  if (named === undefined && !databaseThere(context)) return false
  const [{ givenVersions, usedCard }, { namesPincode }] = await Promise.all([
    import('../ratecards/cards.ts'),
    import('../../../domain/rates/zonetables.ts'),
  ])
  const cards =
    named === undefined ? [await usedCard(context)] : await givenVersions(context, named, { field: '--card', sheet })
  return cards.some((card) => namesPincode(card.zone_tables ?? [], pincode))
}

/** The flags of a parcel in their friendly forms. */
const parcelOptions = {
  forward: flag,
  return: flag,
  weight: grams,
  size,
  cod: rupees,
  prepaid: flag,
  no_qc: flag,
}

/** The sides in the order of `--size`. */
const sides = ['length', 'width', 'height'] as const

/** The request from the flags, and the faults of the friendly flags. */
function rawRequest(context: Context): RawRead {
  const { value: options, faults: wrong } = optionsOf(context, parcelOptions)
  const { value: raw, faults: unread, said: converted } = rawInput(context, ['weight', 'cod'])
  const [faults, said] = [
    [...wrong, ...unread],
    [...(options.size?.said ?? []), ...converted],
  ]
  if (options.weight !== undefined) raw['dead_weight'] = options.weight
  const written = text(context.flags, 'size')?.trim() ?? ''
  if (options.size !== undefined && couldBeInches(written, options.size.sides, Number(options.weight)))
    said.push(`Size ${safe(written)} is read as cm; for inches write ${safe(written)}in.`)
  for (const [i, side] of sides.entries()) if (options.size !== undefined) raw[side] = options.size.sides[i]
  raw['journey_type'] ??= options.return ? 'return' : 'forward'
  const home = raw['journey_type'] === 'return' ? 'destination_pincode' : 'origin_pincode'
  raw[home] ??= defaultOrigin(context.io, context.flags)
  if (options.no_qc) raw['qc_applicable'] = false
  if (options.prepaid) raw['payment_method'] = 'prepaid'
  if (options.cod !== undefined) {
    raw['payment_method'] = 'cod'
    raw['shipment_value'] = options.cod
  }
  if (typeof raw['payment_method'] === 'string') raw['payment_method'] = raw['payment_method'].toLowerCase()
  // With both journeys given, each of these flags goes with one of them.
  if (options.forward && options.return) return { value: raw, faults, said }
  return { value: raw, faults: [...faults, ...otherJourney(context, raw['journey_type'])], said }
}

/** The faults of flags that belong to the other journey: the service would ignore them. */
function otherJourney({ flags }: Context, journey: unknown): readonly Fault[] {
  const [names, message] =
    journey === 'return'
      ? [['cod', 'prepaid', 'payment-method', 'shipment-value'], 'goes with a forward parcel; a return has no payment']
      : [['no-qc', 'qc-applicable'], 'goes with --return; a forward parcel is not quality checked']
  return names.filter((name) => flags.has(name)).map((name) => ({ field: `--${name}`, message }))
}

const isSide = (field: string | null): boolean => sides.some((side) => field === `--${side}`)

/** A faulty --size sets no sides, so the contract misses them too. */
const isMissingSide = ({ field, message }: Fault): boolean => isSide(field) && message === 'is required'

/**
 * The fault of a missing value, which names the friendly flag. Reads the contract's sentences, because a fault has no
 * code. The terminal scripts show each of these faults.
 */
function friendlier(fault: Fault, context: Context): Fault {
  const { command, flags } = context
  if (fault.message.startsWith('is required for a forward journey'))
    return { field: '--prepaid', message: 'or --cod <rupees> is required for a forward parcel' }
  if (fault.field === flagFor(command, flags, 'shipment_value') && fault.message.startsWith('is required'))
    return { field: '--cod', message: 'needs the shipment value, for example --cod 1499' }
  if (fault.message !== 'is required') return fault
  if (fault.field === '--weight') return { ...fault, message: 'is required, for example --weight 500g' }
  if (isSide(fault.field) && !sides.some((side) => flags.has(side)))
    return { field: '--size', message: 'is required, for example --size 20x15x10' }
  const own = command.flags.find(({ name }) => `--${name}` === fault.field)
  return { ...fault, message: `is required: ${own?.help.replace(/^./, (letter) => letter.toLowerCase()) ?? ''}` }
}
