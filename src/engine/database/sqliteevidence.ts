// Which files of evidence a database names, read straight from its file: also of a copy, and of an older schema.
import { guarded } from './sqliteerrors.ts'
import type { Driver } from './sqlitedriver.ts'
import { busyTimeout } from './sqlitewait.ts'

/** A file of evidence as a database names it. */
export interface NamedEvidence {
  readonly sha256: string
  readonly awb: string
  readonly name: string
}

/** The files of evidence of all accounts, each content once; none in a schema without them. Throws database errors. */
export function evidenceNamed(driver: Driver, path: string): readonly NamedEvidence[] {
  return guarded(path, () => {
    const db = new driver(path, { readonly: true, fileMustExist: true, timeout: busyTimeout })
    try {
      const there = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'evidence'").get()
      if (there === undefined) return []
      return db
        .prepare('select sha256, min(awb) as awb, min(name) as name from evidence group by sha256 order by awb, name')
        .all() as readonly NamedEvidence[]
    } finally {
      db.close()
    }
  })
}
