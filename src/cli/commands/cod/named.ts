// A remittance or statement by its number.
import { ShipxError } from '../../../domain/errors.ts'
import { guessText, nearestName } from '../../../domain/nearest.ts'
import { documentsNumbered, listDocuments, type Document, type DocumentKind } from '../../../engine/money/documents.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { safe } from '../../terminal/safe.ts'

/** The document of a number, of a courier where one is named. Throws `not_found`. */
export async function codDocument(
  place: BesidePlace | undefined,
  number: string,
  courier: string | undefined,
  kinds: readonly DocumentKind[],
): Promise<Document> {
  const all = (await place?.database.read(() => documentsNumbered(place.account, number, kinds), 'single')) ?? []
  const found = all.find((one) => courier === undefined || one.courier.toLowerCase() === courier.toLowerCase())
  if (found !== undefined) return found
  const known = (await place?.database.read(() => listDocuments(place.account, kinds), 'single')) ?? []
  const near = nearestName(
    number,
    known.map((one) => one.number),
  )
  throw new ShipxError('not_found', `there is no remittance ${safe(number.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: 'shipx cod list',
  })
}
