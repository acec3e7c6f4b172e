// The kinds of questions that several commands share: a line, a pincode, a weight, a size, a payment. The command
// judges the answers.
import { standardDivisor, volumetricWeight } from '../../domain/rates/measures.ts'
import { couldBeEither, readWeight, readGrams } from '../../domain/read/weight.ts'
import { readSize } from '../../domain/read/sides.ts'
import { nearestPincodes, placeOf } from '../../domain/pincodes.ts'
import { pincodeFault, readPincode } from '../../domain/read/pincode.ts'
import type { Context } from '../command/context.ts'
import { showWeight } from '../output/display.ts'
import { text, type FlagValues } from '../command/flags.ts'
import { bareWeight } from '../args/kinds.ts'
import type { Asker } from './asker.ts'
import type { Asking, Question } from './missing.ts'

/** Options of a question. */
interface More {
  /** Other flags that mean the same. */
  readonly also?: readonly string[]
  readonly optional?: true
  readonly hint?: (typed: string) => string
  readonly suggestion?: (context: Context) => string | undefined
}

/** A flag whose value the user types. */
export function typed(flag: string, message: string, { also = [], optional, hint, suggestion }: More = {}): Question {
  return {
    about: [flag, ...also],
    ...(optional === undefined ? {} : { optional }),
    ask: async ({ asker, context, fault }) => {
      const offered = suggestion?.(context)
      const answer = await asker.line({
        message,
        fault: async (value) => (optional === true && value.trim() === '' ? undefined : fault({ [flag]: value })),
        ...(hint === undefined ? {} : { hint }),
        ...(offered === undefined ? {} : { suggestion: offered }),
      })
      return answer.trim() === '' && optional === true ? {} : { [flag]: answer }
    },
  }
}

/** The place of a pincode; once the pincode is complete, also that it does not exist. */
export function pincodeHint(typedText: string): string {
  const pincode = readPincode(typedText)
  const place = placeOf(pincode)
  if (place !== undefined) return place.city === place.state ? place.city : `${place.city}, ${place.state}`
  if (pincode.length < 6) return ''
  const near = nearestPincodes(pincode)
  return near.length > 0 ? `nearest: ${near.join(', ')}` : (pincodeFault(pincode) ?? '')
}

export const pincode = (flag: string, message: string, also: readonly string[]): Question =>
  typed(flag, message, { also, hint: pincodeHint })

/** The weight with its unit. When a bare number could be grams or kilograms, the user chooses. */
export function weight(also: readonly string[]): Question {
  const question = typed('weight', 'Weight (500g, 0.5kg)', { also, hint: weightHint })
  return {
    ...question,
    unclear: ({ flags }) => eitherIn(flags) !== undefined,
    ask: async (asking) => {
      const number = eitherIn(asking.context.flags)
      if (number === undefined) return question.ask(asking)
      const choices = ['kg', 'g'].map((unit) => ({ value: `${number}${unit}`, name: `${number} ${unit}` }))
      return { weight: await asking.asker.choice(`The weight ${number} has no unit`, choices) }
    },
  }
}

/** The number of a weight flag that could be grams or kilograms. */
function eitherIn(flags: FlagValues): string | undefined {
  const written = readWeight(text(flags, 'weight') ?? '')
  return written !== undefined && couldBeEither(written, bareWeight) ? written.number : undefined
}

function weightHint(given: string): string {
  const weight = readGrams(given, bareWeight)
  return 'fault' in weight ? '' : showWeight(weight.grams)
}

/** The three sides. `flags` are those that set one side each. */
export const size = (sides: readonly string[]): Question =>
  typed('size', 'Size in cm, length x width x height (20x15x10)', { also: sides, hint: sizeHint })

function sizeHint(given: string): string {
  const size = readSize(given)
  if ('fault' in size) return ''
  const volumetric = `volumetric ${showWeight(volumetricWeight(...size.value, standardDivisor))}`
  return size.said === undefined ? volumetric : `${size.said}, ${volumetric}`
}

/** Prepaid or cash on delivery, and the amount to collect. */
export const payment = (also: readonly string[], amount: string): Question => ({
  about: ['prepaid', 'cod', ...also],
  ask: async ({ asker, fault }) => {
    const how = await asker.choice('Payment', [
      { value: 'prepaid', name: 'Prepaid' },
      { value: 'cod', name: 'Cash on delivery' },
    ])
    if (how === 'prepaid') return { prepaid: true }
    return { cod: await asker.line({ message: amount, fault: (value) => fault({ cod: value }) }) }
  },
})

/** A choice from a list, or another value that the user types. With an empty list the user always types. */
export async function pickOr(
  asker: Asker,
  {
    message,
    known,
    other,
    fault,
  }: {
    readonly message: string
    readonly known: readonly { readonly value: string; readonly name: string }[]
    readonly other: string
    readonly fault: (value: string) => ReturnType<Asking['fault']>
  },
): Promise<string> {
  if (known.length === 0) return asker.line({ message, fault })
  const picked = await asker.choice(message, [...known, { value: '', name: other }])
  return picked === '' ? asker.line({ message, fault }) : picked
}
