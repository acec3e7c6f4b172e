// What the flags of a run name beside their values: files by their content, and maps. A kept document remembers them.
import { mapsOf } from '../../args/maps.ts'
import type { Context } from '../../command/context.ts'
import type { Versions } from '../../../domain/rates/cardversions.ts'
import { isFile } from '../ratecards/cards.ts'
import { versionSums } from './cardchanges.ts'
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

/** What an open file is judged by: its card where there is one, and whether no parcel is looked for. */
interface JudgedBy {
  readonly versions: Versions | undefined
  readonly alone: boolean
}

/** How an open file is read and judged. */
export const readingOf = (named: Named, { unit, sheet: { tab } }: InvoiceFile, by: JudgedBy): Reading => ({
  ...named,
  versions: named.card !== undefined || by.versions === undefined ? undefined : versionSums(by.versions),
  alone: by.alone,
  unit,
  tab,
})
