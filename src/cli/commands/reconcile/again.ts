// The same invoice again: printed from what is kept of it, to the byte, and nothing is changed.
import { ShipxError } from '../../../domain/errors.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Document } from '../../../engine/money/documents.ts'
import { linesOf } from '../../../engine/money/lines.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { safe } from '../../terminal/safe.ts'
import { reasonsOf } from './explain.ts'
import type { InvoiceOptions } from './options.ts'
import { outputOf } from './output.ts'
import type { RecordTerms } from './records.ts'
import { tell } from './reconcile.ts'
import { countLine, tallyOf, type Grouping, type Tally } from './tally.ts'

/** The flags that a document was judged by; they change nothing of one that is kept. */
const judging = 'card card-sheet order gst unit tolerance weight-tolerance parcels no-card no-parcels'.split(' ')

/** Lines that are read at a time. */
const piece = 2000

/** Prints a kept document as it was printed when it was read. Throws `document_exists` where flags name another. */
export async function printAgain(
  context: Context,
  place: BesidePlace,
  known: Document,
  options: InvoiceOptions,
): Promise<number> {
  const { number, courier } = options
  if ((number !== undefined && number !== known.number) || (courier !== undefined && courier !== known.courier))
    throw new ShipxError(
      'document_exists',
      `this file is kept as invoice ${safe(known.number)} of ${safe(known.courier)}`,
      {
        hint: `shipx invoices remove ${safe(known.number)}, then read it again`,
      },
    )
  const terms = judging.filter((name) => context.flags.has(name)).map((name) => `--${name}`)
  if (terms.length > 0)
    await context.warn(
      `${terms.join(', ')}: what is shown was judged when it was kept. To judge it anew: shipx invoices remove ` +
        `${safe(known.number)}, or --replace.`,
    )
  await context.note(`This file is kept as invoice ${safe(known.number)} already; nothing was changed.`)
  const tally = await printKept(context, place, known, options)
  await tell(context, tally, {
    courier: known.courier === '' ? undefined : known.courier,
    number: known.number,
    day: known.day ?? undefined,
    form: known.form,
    card: known.card,
    gst: known.gst === 'included',
    order: undefined,
    disputeBy: known.dispute_by ?? undefined,
    wrong: [],
    by: options.by ?? 'reason',
  })
  return 0
}

/** Prints the lines of a kept document, and returns their sums. */
export async function printKept(
  context: Context,
  { database, account }: BesidePlace,
  { id, number, courier, gst, card, dispute_by: disputeBy }: Document,
  options: Pick<InvoiceOptions, 'only' | 'explain'> & { readonly by?: Grouping | undefined },
): Promise<Tally> {
  const terms: RecordTerms = {
    gst,
    courier: courier === '' ? undefined : courier,
    disputeBy: disputeBy ?? undefined,
  }
  const out = outputOf(context, options)
  const tally = tallyOf(card === noCard)
  for (let after = 0; ;) {
    const lines = await database.read(() => linesOf(account, id, after, piece), 'single')
    if (lines.length === 0) break
    for (const line of lines) countLine(tally, line, reasonsOf(line), number, options.by ?? 'reason')
    await out.again(lines, number, terms)
    after += lines.length
  }
  await out.end()
  return tally
}
