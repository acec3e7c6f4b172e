// The kept document that a file is, and the one that it takes the place of.
import { documentOf, documentsNumbered, type Document } from '../../../engine/money/documents.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { InvoiceOptions } from './options.ts'
import type { Titled } from './titles.ts'

/** The document with this content; undefined where none is kept. */
export const knownOf = ({ database, account }: BesidePlace, sha256: string): Promise<Document | undefined> =>
  database.read(() => documentOf(account, sha256), 'single')

/** The document that --replace takes the place of: the one with the content of the file, else with its number. */
export async function replacedBy(
  place: BesidePlace | undefined,
  { replace, number }: InvoiceOptions,
  sha256: string | undefined,
  titled: Titled,
): Promise<Document | undefined> {
  if (!replace || place === undefined) return undefined
  const same = sha256 === undefined ? undefined : await knownOf(place, sha256)
  const name = number ?? titled.number
  if (same !== undefined || name === undefined) return same
  const { database, account } = place
  const all = await database.read(() => documentsNumbered(account, name), 'single')
  const left = all.filter(({ superseded_at: gone }) => gone === null)
  return left.length === 1 ? left[0] : undefined
}
