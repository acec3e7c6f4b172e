// `shipx ratecard create`: a contract typed from its paper, question by question.
import { ShipxError } from '../../../domain/errors.ts'
import { cardOfSmall } from '../../../domain/rates/smallcard.ts'
import { zoneHeaders, type SmallSheet } from '../../../domain/rates/smallform.ts'
import { readCardCell } from '../../../domain/rates/cardcells.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import { zones } from '../../../domain/rates/zones.ts'
import { day, flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { askerOf } from '../../ask/ask.ts'
import type { Asker } from '../../ask/asker.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import { refuse } from '../../command/faults.ts'
import { words } from '../../output/display.ts'
import { here } from '../../source/place.ts'
import { safe } from '../../terminal/safe.ts'
import { baseOf, cardNamed, inGrams, sound, type ReadCard } from './cards.ts'
import { sayFilled, saveAs, validFrom } from './import.ts'
import { showCard } from './show.ts'

/** A question about a column of the small form. */
interface Asked {
  readonly column: string
  readonly message: string
  readonly suggestion?: string
  /** An empty line leaves it out. */
  readonly optional?: true
  /** The column that says how the answer is read. */
  readonly as?: string
}

const zoned = (key: 'first' | 'step', message: (zone: string) => string): readonly Asked[] =>
  zones.map((zone) => ({
    column: zoneHeaders(zone)[key],
    message: message(words(zone)),
    as: `${key}_price`,
    optional: true,
  }))

/** The questions about the prices of one courier. */
const questions: readonly Asked[] = [
  { column: 'first_weight', message: 'Weight of the first slab', suggestion: '500g' },
  ...zoned('first', (zone) => `First slab, ${zone}, rupees (Enter: not served)`),
  { column: 'step_weight', message: 'Weight of each further slab', suggestion: '500g' },
  ...zoned('step', (zone) => `Each further slab, ${zone}, rupees`),
  { column: 'rto_percent', message: 'RTO, percent of the freight', suggestion: '100' },
  { column: 'cod_fixed', message: 'COD, least fee in rupees (Enter: no COD)', optional: true },
  { column: 'cod_percent', message: 'COD, percent of the value', suggestion: '0' },
  { column: 'fuel_percent', message: 'Fuel surcharge, percent', suggestion: '0' },
  { column: 'divisor', message: 'Divisor of the volumetric weight', suggestion: '5000' },
]

const options = { base: word, valid_from: day, use: flag, dry_run: flag }

const create = verb(options, async (context, { base: named, valid_from: from, use, dry_run: dry }) => {
  refuse(context, [])
  if (!context.attended || !canAsk(context))
    throw new ShipxError('needs_answer', 'ratecard create asks for prices, so it needs a terminal', {
      hint: 'fill in a sheet: shipx ratecard template --out contract.csv',
    })
  const asker = await askerOf(context)
  const name =
    context.args[0] ??
    (await asker.line({ message: 'Name of the rate card', fault: nameFault, suggestion: 'contract' }))
  const wrong = await nameFault(name)
  refuse(context, wrong === undefined ? [] : [{ field: '<name>', message: wrong }])
  const base = named === undefined ? await baseOf(context, name.trim()) : await cardNamed(context, named)
  const read = await cardAsked(asker, name.trim(), base)
  const dated = sound(from === undefined ? read.card : validFrom(read.card, from))
  await showCard(context, dated)
  await sayFilled(context, { ...read, card: dated })
  if (!dry) await confirm(context, `Save rate card ${safe(dated.name)} ${here(context)}`)
  return saveAs(context, dated, { use, dry, words: ['Saved', 'save'] })
})

const nameFault = async (typed: string): Promise<string | undefined> => {
  if (typed.trim() === 'sample') return 'sample is the built-in card; choose another name'
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(typed.trim())) return undefined
  return 'must be 1 to 64 letters, digits, dots, dashes or underscores'
}

/** Asks for couriers until there is no other, and makes the card of the answers. */
async function cardAsked(asker: Asker, name: string, base: RateCard): Promise<ReadCard> {
  const headers = ['courier', ...questions.map(({ column }) => column), 'gst_percent']
  const lines: string[][] = []
  const gst = await answer(asker, {
    column: 'gst_percent',
    message: 'GST, percent',
    suggestion: String(base.gst_percent),
  })
  do {
    const taken = lines.map(([courier]) => courier!.toLowerCase())
    const courier = await asker.line({
      message: 'Name of the courier',
      fault: async (typed) =>
        typed.trim() === ''
          ? 'is empty'
          : taken.includes(typed.trim().toLowerCase())
            ? `${typed.trim()} is in the card already`
            : undefined,
    })
    lines.push([courier.trim(), ...(await pricesAsked(asker)), gst])
  } while (await asker.agree('Another courier?'))
  const sheet: SmallSheet = {
    headers,
    headLine: 1,
    counts: 'line',
    grouped: true,
    lines: lines.map((cells, i) => ({ at: i + 2, cells })),
  }
  const made = cardOfSmall(sheet, { base, name, zones: new Map() })
  if ('faults' in made) throw new ShipxError('invalid_input', made.faults[0]!.message, { details: made.faults })
  return { ...made, card: inGrams(made.card) }
}

/** The answers about the prices of a courier, in the order of the questions. */
async function pricesAsked(asker: Asker): Promise<readonly string[]> {
  const cells = new Map<string, string>()
  for (const question of questions) {
    const first = question.as === 'step_price' ? question.column.replace(/_step$/, '') : undefined
    // A zone without a first price is not served, and needs no further one.
    if (first !== undefined && cells.get(first) === '') cells.set(question.column, '')
    else if (question.column === 'cod_percent' && cells.get('cod_fixed') === '') cells.set('cod_percent', '')
    else
      cells.set(
        question.column,
        await answer(asker, first === undefined ? question : { ...question, optional: undefined }),
      )
    const served = zones.some((zone) => (cells.get(zone) ?? '') !== '')
    if (question.column === zones.at(-1) && !served)
      throw new ShipxError('invalid_input', 'no zone has a price: a courier serves at least one')
  }
  return questions.map(({ column }) => cells.get(column)!)
}

const answer = async (
  asker: Asker,
  {
    column,
    message,
    suggestion,
    optional,
    as = column,
  }: Omit<Asked, 'optional'> & { readonly optional?: true | undefined },
): Promise<string> => {
  const typed = await asker.line({
    message,
    fault: async (cell) => {
      if (cell.trim() === '') return optional === true ? undefined : 'is empty'
      const read = readCardCell(as, cell, { grouped: true, weights: new Map() })
      return 'fault' in read ? read.fault : undefined
    },
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return typed.trim()
}

export const verbs = { 'ratecard create': create }
