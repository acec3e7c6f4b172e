// What the lines of a file of parcels say that its reader should know: unknown pincodes, conversions, light parcels.
import { count } from '../../../../domain/count.ts'
import type { Context } from '../../../command/context.ts'

/** What receives a line's news. */
export interface Listener {
  /** A well-formed pincode that shipx does not know. */
  readonly unknown: (pincode: string) => void
  /** A conversion, such as that of inches. */
  readonly said: (sentence: string) => void
  /** A parcel that is lighter than usual ones, in the words of its file: `line 3 weighs 5 g`. */
  readonly light: (sentence: string) => void
  /** A size in centimetres that could be inches. */
  readonly small: (sentence: string) => void
}

/** Grams below which shipx names a weight: its unit may be another one. */
export const lightest = 10

/** How many unknown pincodes are listed. */
const mostNamed = 10

/** The first sentence of a kind, and how many more there were. */
interface First {
  first: string
  more: number
}

/** The news of the lines so far. */
export interface Heard extends Listener {
  readonly pincodes: ReadonlySet<string>
  readonly converted: Readonly<First>
  readonly lights: Readonly<First>
  readonly smalls: Readonly<First>
}

export function listening(): Heard {
  const pincodes = new Set<string>()
  const [converted, lights, smalls] = [firstOf(), firstOf(), firstOf()]
  return {
    pincodes,
    converted,
    lights,
    smalls,
    unknown: (pincode) => {
      if (pincodes.size < mostNamed) pincodes.add(pincode)
    },
    said: (sentence) => add(converted, sentence),
    light: (sentence) => add(lights, sentence),
    small: (sentence) => add(smalls, sentence),
  }
}

const firstOf = (): First => ({ first: '', more: 0 })

function add(to: First, sentence: string): void {
  if (to.first === '') to.first = sentence
  else to.more++
}

/** Notes what was heard; `asked` says that a service gives the prices. */
export async function noteHeard(context: Context, heard: Heard, asked: boolean): Promise<void> {
  const { pincodes, converted, lights, smalls } = heard
  if (pincodes.size > 0) {
    const more = pincodes.size === mostNamed ? ' and perhaps more' : ''
    const names = `${[...pincodes].join(', ')}${more}`
    await context.warn(asked ? `shipx does not know ${names}; sent as written` : `India Post does not list ${names}`)
  }
  if (converted.first !== '') {
    const more = converted.more === 0 ? '' : `; ${count(converted.more)} more sides in inches or millimetres`
    await context.note(`${converted.first}${more}`)
  }
  if (smalls.first !== '') {
    const more = smalls.more === 0 ? '' : `; ${count(smalls.more)} more sizes could be inches`
    await context.note(`${smalls.first}${more}`)
  }
  if (lights.first !== '') {
    const more = lights.more === 0 ? '' : `; so are ${count(lights.more)} more`
    await context.warn(`${lights.first}, less than ${lightest} g${more}. Is its unit right?`)
  }
}

/** The warning that a file has no column of sides. */
export const flatWarning = 'the file has no sides: parcels are priced on dead weight alone'
