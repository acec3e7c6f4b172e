// The kept invoice, remittance or bank statement that a user means by its number.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { guessText, nearestName } from '../../../domain/nearest.ts'
import {
  billingKinds,
  documentNoun,
  documentsNumbered,
  listDocuments,
  type Document,
  type DocumentKind,
} from '../../../engine/money/documents.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { namesMeant } from './wantedcouriers.ts'

/** What a user may mean: documents of some kinds, of a courier where one is named. */
interface Wanted {
  readonly courier: string | undefined
  /** Those of invoices where they are left out; the first names them in an error. */
  readonly kinds?: readonly DocumentKind[]
  /** The command that lists them. */
  readonly list: string
}

/** The document of a number. Throws `not_found`, and `invalid_input` where several couriers have it. */
export async function documentNamed(
  place: BesidePlace | undefined,
  number: string,
  { courier, kinds = billingKinds, list }: Wanted,
): Promise<Document> {
  const all = (await place?.database.read(() => documentsNumbered(place.account, number, kinds), 'single')) ?? []
  const ofAll = all.map((one) => one.courier)
  const meant = courier === undefined ? ofAll : namesMeant(courier, ofAll)
  const named = all.filter((one) => meant.includes(one.courier))
  // What was replaced is in nobody's way.
  const live = named.filter((one) => one.superseded_at === null)
  const own = live.length > 0 ? live : named
  const [first] = own
  const couriers = new Map(own.map((one) => [one.courier.toLowerCase(), one.courier]))
  if (couriers.size > 1) {
    const ways = [...couriers.values()].map((one) => `--courier ${one === '' ? '""' : quoted(safe(one))}`)
    throw invalid([{ field: '--courier', message: `say whose it is: ${ways.join(', or ')}` }])
  }
  if (first !== undefined) return first
  const known = (await place?.database.read(() => listDocuments(place.account, kinds), 'single')) ?? []
  const near = nearestName(
    number,
    known.map((one) => one.number),
  )
  const noun = documentNoun(kinds[0]!)
  if (all.length > 0) {
    const whose = ofAll.map((one) => (one === '' ? 'no courier' : safe(one))).join(' and of ')
    const shown = safe(number.slice(0, 60), 'id')
    const message = `there is no ${noun} ${shown} of "${safe(courier!)}"; there is one of ${whose}`
    throw new ShipxError('not_found', message, { hint: list })
  }
  throw new ShipxError('not_found', `there is no ${noun} ${safe(number.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: list,
  })
}
