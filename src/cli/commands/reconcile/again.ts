// Prints a kept invoice from what is kept of it, and changes nothing. Only the accrual is counted anew.
import { ShipxError } from '../../../domain/errors.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { tariffsOf } from '../../../domain/money/tariffs.ts'
import type { Document } from '../../../engine/money/documents.ts'
import { creditedIn } from '../../../engine/money/claims.ts'
import { linesOf } from '../../../engine/money/lines.ts'
import { parcelPlace } from '../../../engine/money/parcelplace.ts'
import type { Context } from '../../command/context.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { versionsNamed } from '../ratecards/cards.ts'
import { accrualOf, type Accrual, type BilledParcels } from './accrual.ts'
import { cardChanged } from './cardchanges.ts'
import { reasonsOf } from './explain.ts'
import { isCourierOf } from './billers.ts'
import { groupsOf, type Grouping } from './groups.ts'
import { namedIn } from './named.ts'
import type { InvoiceOptions } from './options.ts'
import { outputOf, type Output } from './output.ts'
import { otherTerms, totalsOf } from './keptterms.ts'
import { overCommand } from './overcommand.ts'
import { warnTotals } from './notices.ts'
import type { RecordTerms } from './records.ts'
import type { Shown } from './shown.ts'
import { countLine, tallyOf } from './tally.ts'
import { warehousesHere } from './warehouses.ts'

/** Lines that are read at a time. */
const piece = 500

/** Prints a kept document as it was printed when it was read. Throws `document_exists` where flags name another. */
export async function printAgain(
  context: Context,
  place: BesidePlace,
  known: Document,
  options: InvoiceOptions,
  shown: Shown,
): Promise<number> {
  if ((await namesOf(place, known, options)).length > 0) {
    const of = known.courier === '' ? '' : ` of ${safe(known.courier)}`
    throw new ShipxError('document_exists', `this file is kept as invoice ${safe(known.number)}${of}`, {
      hint: `shipx invoices remove ${quoted(known.number)}, then read it again`,
    })
  }
  const { wrong } = totalsOf(known)
  const others = await termsOf(context, known, options)
  if (others.length > 0)
    await context.warn(
      `shipx ignored ${others.join(', ')}: this invoice keeps its first judgement. Judge it again: --replace.`,
    )
  if (!others.includes('--card') && (await cardChanged(context, known)))
    await context.warn(
      `The rate card ${safe(known.card)} changed since this invoice was judged by it: it keeps its first judgement. ` +
        'Judge it again: --replace.',
    )
  await context.note(`This file is kept as invoice ${safe(known.number)} already; nothing was changed.`)
  await warnTotals(context, { wrong })
  await printKept(context, place, known, { out: outputOf(context, options), by: options.by, shown })
  return 0
}

/** The flags that name another number or courier than that of a kept document. */
const namesOf = async (
  place: BesidePlace,
  known: Document,
  { number, courier }: InvoiceOptions,
): Promise<readonly string[]> => [
  ...(number === undefined || number === known.number ? [] : ['--number']),
  ...(courier === undefined || (await isCourierOf(place, known.courier, courier)) ? [] : ['--courier']),
]

const termsOf = async (context: Context, known: Document, options: InvoiceOptions): Promise<readonly string[]> =>
  otherTerms(known, totalsOf(known).terms, options, await namedIn(context, options), (flag) => context.flags.has(flag))

/** The flags of a run by which a kept document was not judged. */
export const otherFlags = async (
  context: Context,
  place: BesidePlace,
  known: Document,
  options: InvoiceOptions,
): Promise<readonly string[]> => [
  ...(await namesOf(place, known, options)),
  ...(await termsOf(context, known, options)),
]

/** How a kept document is shown. */
interface Showing {
  readonly out: Output
  readonly by: Grouping | undefined
  readonly shown: Shown
}

/** Prints the lines of a kept document, and then what they add up to. */
export async function printKept(
  context: Context,
  place: BesidePlace,
  known: Document,
  { out, by, shown }: Showing,
): Promise<void> {
  const { database, account } = place
  const { id, number, gst, dispute_by: disputeBy } = known
  const courier = known.courier === '' ? undefined : known.courier
  const terms: RecordTerms = { gst, courier, disputeBy: disputeBy ?? undefined }
  keepHeapSmall(60)
  const { terms: judgedBy, wrong, credited } = totalsOf(known)
  const tally = tallyOf(shown, known.card === noCard)
  tally.wrong.push(...wrong)
  tally.credited = credited ?? (await database.read(() => creditedIn(database.dialect, account, id)))
  const groups = groupsOf(by, place)
  for (let after = 0; ;) {
    const lines = await database.read(() => linesOf(account, id, after, piece), 'single')
    if (lines.length === 0) break
    await groups?.look(lines.map(({ awb }) => awb))
    for (const line of lines) {
      countLine(tally, line, reasonsOf(line), number, groups?.of)
      out.add(line, number, terms)
    }
    await out.flush()
    after += lines.length
  }
  await out.end()
  const facts = {
    courier,
    number,
    day: known.day ?? undefined,
    form: known.form,
    card: known.card,
    gst: gst === 'included',
    terms: judgedBy,
    disputeBy: disputeBy ?? undefined,
    by: by ?? 'reason',
    accrual: tally.parcels === undefined ? undefined : await accrualAgain(context, place, known, tally.parcels),
    command: overCommand(context),
  }
  await shown.finish(tally, facts)
  await out.finish(tally, facts)
}

/** What is still to come, by the card of the document where it is there. */
async function accrualAgain(
  context: Context,
  { database, account }: BesidePlace,
  { card }: Document,
  parcels: BilledParcels,
): Promise<Accrual | undefined> {
  const warehouses = await warehousesHere(context)
  const place = await database.read(() => parcelPlace(database.dialect, account, warehouses), 'single')
  let tariff
  try {
    tariff = tariffsOf(await versionsNamed(context, card))
  } catch (error) {
    // The card was a file, or is gone: the parcels are counted without a price.
    if (!(error instanceof ShipxError) || error.code !== 'not_found') throw error
  }
  return accrualOf({ database, place, tariff }, parcels)
}
