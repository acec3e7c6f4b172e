// The first reading of a bill whose lines are compared with each other: it counts the lines of each kind.
import type { Shape } from '../../../domain/money/billed.ts'
import { comparedAs } from '../../../domain/money/judge.ts'
import { billCounts, type BillCounts, type CodSample } from '../../../domain/money/kinds.ts'
import type { Context } from '../../command/context.ts'
import { progress } from '../../output/progress.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { interrupted } from '../rates/many/stream.ts'
import { openInvoice, rowsOf, shapeOf, type InvoiceFile, type Opening } from './invoicefile.ts'
import { ledgerOf } from './ledger.ts'
import { match, type Matcher, type Matching } from './judging.ts'
import { lineReader } from './linereader.ts'
import { isFootnote } from './footerrows.ts'
import type { InvoiceOptions } from './options.ts'

/** The counts of a file, and which amounts it has. */
export interface Counted {
  readonly counts: BillCounts
  readonly shape: Shape
}

/** Reads a file to its end and counts its lines by kind. Throws what `openInvoice` throws. */
export async function countsOf(
  context: Context,
  opening: Opening,
  { gst, courier }: Pick<InvoiceOptions, 'gst' | 'courier'>,
): Promise<Counted> {
  keepHeapSmall()
  const file = await openInvoice(context, opening)
  const stop = { asked: false }
  const quiet = context.io.onInterrupt(() => {
    stop.asked = true
  })
  const bar = await progress(context, 'Comparing lines', undefined)
  let lines = 0
  try {
    return await counted(file, shapeOf(file, gst === 'included'), courier ?? file.form?.courier, async (n) => {
      lines += n
      await bar?.advance(n)
      if (stop.asked) throw interrupted(lines, ['line', 'lines'])
    })
  } finally {
    await bar?.end()
    quiet()
    file.sheet.close()
  }
}

async function counted(
  file: InvoiceFile,
  shape: Shape,
  courier: string | undefined,
  read: (lines: number) => Promise<void>,
): Promise<Counted> {
  const reader = lineReader(file, '', true)
  const ledger = file.ledger ? ledgerOf(reader, shape) : undefined
  const counts = billCounts(shape)
  let below = false
  for await (const rows of rowsOf(file)) {
    for (const row of rows) {
      if (reader.footer(row) !== undefined) {
        below = true
        continue
      }
      if (isFootnote(row, below)) continue
      if (ledger !== undefined) {
        ledger.add(row)
        continue
      }
      const line = reader.read(row)
      counts.add(line, comparedAs(line, courier))
    }
    await read(rows.length)
  }
  if (ledger === undefined) return { counts, shape }
  const folded = ledger.done()
  const own = billCounts(folded.shape)
  for (const line of folded.lines) own.add(line, comparedAs(line, courier))
  return { counts: own, shape: folded.shape }
}

/** What a file lacks of what makes lines alike, in sentences. */
export function blankWarnings({ blank }: BillCounts): readonly string[] {
  if (blank.lines === 0) return []
  return (['zone', 'weight'] as const).flatMap((what) =>
    blank[what] < blank.lines
      ? []
      : [
          `No line names a ${what}: without it, lines cannot be compared. ` +
            `If a column has it, name it with --map "<header>=${what}".`,
        ],
  )
}

/** Parcels that are looked up in one statement. */
const piece = 512

/** Fills in what was collected of COD lines that do not say it, from the parcels. */
export async function fillCollected(fees: readonly CodSample[], matching: Matching): Promise<void> {
  const open = fees.filter(({ collected }) => collected === undefined)
  for (let at = 0; at < open.length; at += piece) {
    const some = open.slice(at, at + piece)
    const found = await match(
      some.map(({ line }) => line),
      matching,
      anyCourier,
    )
    for (const [n, { parcel }] of found.entries()) some[n]!.collected = parcel?.collected
  }
}

const anyCourier: Matcher = { courier: undefined, sameCourier: () => true, dayOf: () => undefined }
