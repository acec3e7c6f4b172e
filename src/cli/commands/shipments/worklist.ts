// What work lists share: they print their rows as a list, or as a sheet for each courier.
import { count, counted } from '../../../domain/count.ts'
import type { Context } from '../../command/context.ts'
import { courierSheets, showSheets, type Split } from '../../listings/couriersheets.ts'
import type { View } from '../../output/columns.ts'
import { hiddenColumns, printer } from '../../output/printer.ts'

/** How many records are shown, and of how many: `5 of 1,200 parcels`. */
export const ofAll = <R>(shown: number, all: number, { noun }: View<R>): string =>
  `${shown === all ? '' : `${count(shown)} of `}${counted(all, noun)}`

/** Rows in one batch of a printer. */
const atOnce = 1000

/** Prints the first `limit` rows; `sentence` says for people what they are. */
export async function listed<R>(
  context: Context,
  view: View<R>,
  found: readonly R[],
  limit: number,
  sentence: (shown: number) => string,
): Promise<void> {
  const rows = found.slice(0, limit)
  const out = printer(context, view)
  for (let at = 0; at < rows.length; at += atOnce)
    await out.batch(rows.slice(at, at + atOnce).map((row) => JSON.stringify(row)))
  await out.end()
  if (context.screen.tty || found.length === 0) await context.note(sentence(rows.length))
  if (out.hidden().length > 0) await context.note(hiddenColumns(out.hidden()))
}

/** Writes the first `limit` rows as one sheet for each courier, and prints what was written. */
export async function listedInSheets<R extends { readonly courier: string | null }>(
  context: Context,
  view: View<R>,
  found: readonly R[],
  limit: number,
  split: Split,
): Promise<void> {
  const sheets = courierSheets(context, view, split)
  try {
    for (const row of found.slice(0, limit)) await sheets.add(row.courier, [JSON.stringify(row)])
    await showSheets(context, view, await sheets.finish())
  } finally {
    sheets.close()
  }
}
