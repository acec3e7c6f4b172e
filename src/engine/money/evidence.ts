// What was attached to disputes: which file shows what of which parcel. The files themselves lie in the data folder.
import sql from 'sql-template-tag'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'

/** A file about the parcel of an AWB; `shows` is a list of proofs, `length,label`. */
export interface Evidence {
  readonly awb: string
  readonly sha256: string
  /** The name that the user's file had. */
  readonly name: string
  readonly shows: string
  readonly bytes: number
  readonly added_at: number
  readonly added_by: string
}

interface EvidenceRow extends Evidence, Record<string, unknown> {}

/** The files about AWBs, in the order in which they came. */
export function* evidenceOf(account: number, awbs: readonly string[]): Work<readonly Evidence[]> {
  const found: Evidence[] = []
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<EvidenceRow>(
        sql`select awb, sha256, name, shows, bytes, added_at, added_by from evidence
          where account_id = ${account} and awb in (${list}) order by awb, added_at, name, id`,
      )),
    )
  return found
}

/** Keeps what files show; the same file of the same parcel again changes what it shows. */
export function* keepEvidence(account: number, all: readonly Evidence[]): Work<void> {
  for (const one of all)
    yield* rows(
      sql`insert into evidence (account_id, id, awb, sha256, name, shows, bytes, added_at, added_by)
        values (${account}, ${`${one.sha256}:${one.awb}`}, ${one.awb}, ${one.sha256}, ${one.name}, ${one.shows},
          ${one.bytes}, ${one.added_at}, ${one.added_by})
        on conflict (account_id, id) do update set shows = excluded.shows`,
    )
}
