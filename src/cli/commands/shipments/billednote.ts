// What a summary with --billed says below its table.
import { keepsAny } from '../../../engine/money/documents.ts'
import type { Context } from '../../command/context.ts'
import { billedTotal, type SummaryRow } from '../../listings/summaryview.ts'
import type { Source } from '../../source/source.ts'

/** Says what couriers billed in all, or that no invoice is kept. */
export async function billedNote(context: Context, source: Source, rows: readonly SummaryRow[]): Promise<void> {
  const { database, account } = source.engine!
  if (await database.read(() => keepsAny(account), 'single')) await context.note(billedTotal(rows, context.screen))
  else await context.note('No invoices yet: shipx reconcile invoice <file>')
}
