// What the flags of a run name beside their values: files by their content, and maps. A kept document remembers them.
import { mapsOf } from '../../args/maps.ts'
import type { Context } from '../../command/context.ts'
import { isFile } from '../ratecards/cards.ts'
import type { InvoiceFile } from './invoicefile.ts'
import { contentOf } from './keeper.ts'
import type { Named, Reading } from './keptterms.ts'
import type { InvoiceOptions } from './options.ts'

/** What the flags name. Throws `invalid_input` for a file that cannot be read. */
export async function namedIn(context: Context, options: InvoiceOptions): Promise<Named> {
  const { card, card_sheet, parcels } = options
  return {
    card: card === undefined || !isFile(card) ? undefined : await contentOf(card, '--card'),
    card_sheet,
    parcels: parcels === undefined || parcels === '-' ? undefined : await contentOf(parcels, '--parcels'),
    maps: mapsOf(context, options),
  }
}

/** How an open file is read and judged; `alone` says that no parcel is looked for. */
export const readingOf = (named: Named, { unit, sheet: { tab } }: InvoiceFile, alone: boolean): Reading => ({
  ...named,
  alone,
  unit,
  tab,
})
