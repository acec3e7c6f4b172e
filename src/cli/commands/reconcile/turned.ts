// Lines of kept invoices that say something else, because another one was kept, replaced or removed: the sums of their
// invoices follow, and the user hears of it.
import { counted } from '../../../domain/count.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Dialect, Work } from '../../../engine/database/port.ts'
import { creditedIn } from '../../../engine/money/claims.ts'
import { listDocuments, saveSums, type Document } from '../../../engine/money/documents.ts'
import { linesOf } from '../../../engine/money/lines.ts'
import { turns, type Turn, type TurnedLines } from '../../../engine/money/waitinglines.ts'
import type { Context } from '../../command/context.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { reasonsOf } from './explain.ts'
import { totalsOf } from './keptterms.ts'
import { countLine, sumsOf, tallyOf } from './tally.ts'

/** Lines that are read at a time. */
const piece = 500

/** Adds up a kept invoice again, whose lines say something else. */
function* tallyAgain(dialect: Dialect, account: number, document: Document): Work<void> {
  const { id, number, card } = document
  const { terms, wrong } = totalsOf(document)
  const tally = tallyOf({ detailed: false, accrual: false }, card === noCard)
  tally.wrong.push(...wrong)
  for (let after = 0; ;) {
    const lines = yield* linesOf(account, id, after, piece)
    for (const line of lines) countLine(tally, line, reasonsOf(line), number, undefined)
    after += lines.length
    if (lines.length < piece) break
  }
  tally.credited = yield* creditedIn(dialect, account, id)
  yield* saveSums(account, id, sumsOf(tally, terms))
}

/** Adds up the invoices of lines that turned. */
export function* tallyTurned(dialect: Dialect, account: number, turned: readonly TurnedLines[]): Work<void> {
  if (turned.length === 0) return
  const ids = new Set(turned.map(({ document }) => document))
  for (const one of yield* listDocuments(account)) if (ids.has(one.id)) yield* tallyAgain(dialect, account, one)
}

const texts: Readonly<Record<Turn, (lines: string, several: boolean) => string>> = {
  gone: (lines, several) => `${lines} ${several ? 'were' : 'was'} billed before in what is gone, and cannot be judged`,
  again: (lines, several) => `${lines} ${several ? 'are' : 'is'} billed before again`,
  credit: (lines, several) =>
    `${lines} that came before ${several ? 'their bills count' : 'its bill counts'} as credit`,
}

/** The most invoices that are named. */
const most = 3

/** Says which lines of other invoices turned, and how those are judged anew whose bill before is gone. */
export async function noteTurned(context: Context, turned: readonly TurnedLines[]): Promise<void> {
  for (const turn of turns) {
    const all = turned.filter((one) => one.turn === turn)
    for (const { number, lines } of all.slice(0, most)) {
      const name = safe(number, 'id')
      const way = `; judge it anew: shipx reconcile invoice ${quoted(`<file of ${name}>`)} --replace`
      const said = texts[turn](counted(lines, ['line', 'lines']), lines > 1)
      await context.note(`Invoice ${name}: ${said}${turn === 'gone' ? way : '.'}`)
    }
    if (all.length > most)
      await context.note(`${counted(all.length - most, ['more invoice', 'more invoices'])} likewise.`)
  }
}

/** Says which credits pay no dispute, because those about their parcels are with other couriers. */
export async function noteStrange(context: Context, awbs: readonly string[]): Promise<void> {
  if (awbs.length === 0) return
  const named = `${awbs
    .slice(0, most)
    .map((awb) => safe(awb))
    .join(', ')}${awbs.length > most ? ' and others' : ''}`
  const pay = counted(awbs.length, ['credit pays', 'credits pay'])
  await context.note(`${pay} no dispute: those about the same parcel are with another courier (${named}).`)
}
