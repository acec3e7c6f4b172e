// The files of evidence that go with a database: next to its copy, in the folder `<copy>.evidence`, each under its
// SHA-256. They are copied before the database that names them, one by one and each whole, so that a copy which is
// there has them all (docs/guides/disputes.md, Evidence).
import { join } from 'node:path'
import { counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { evidenceNamed, type NamedEvidence } from '../../../engine/database/sqliteevidence.ts'
import type { Context } from '../../command/context.ts'
import { running } from '../../config/lock.ts'
import { sweepBeside, syncFolder } from '../../files/durable.ts'
import { evidenceFolder, evidenceState, keepIn, keptIn } from '../../files/evidencefiles.ts'
import { safe } from '../../terminal/safe.ts'

/** The folder of evidence next to a copy of a database. */
export const evidenceBeside = (copy: string): string => `${copy}.evidence`

/** What came of copying evidence. */
export interface Carried {
  /** Files that are whole at the target now. */
  readonly files: number
  /** Files that neither the source nor the target has whole. */
  readonly missing: readonly NamedEvidence[]
}

/** Copies the evidence that a database file names from a folder to another one. Throws `output_failed`. */
export function carryEvidence(database: string, from: string, to: string): Carried {
  const named = evidenceNamed(sqliteDriver(process), database)
  const missing: NamedEvidence[] = []
  if (named.length > 0) sweepBeside(join(to, 'any'), leftBehind)
  for (const one of named) {
    if (evidenceState(to, one.sha256) === 'whole') continue
    const bytes = keptIn(from, one.sha256)
    if (bytes === undefined) missing.push(one)
    else keepIn(to, one.sha256, bytes)
  }
  if (named.length > missing.length) syncFolder(to)
  return { files: named.length - missing.length, missing }
}

/** Whether a name is that of a temporary file whose process has ended. */
function leftBehind(name: string): boolean {
  const [, maker] = /^\.shipx-(\d+)-\d+\.tmp$/.exec(name) ?? []
  return maker !== undefined && !running(Number(maker))
}

/** The part of a sentence about a copied database that counts its evidence; it names `folder` where there is one. */
export const withEvidence = ({ files }: Carried, folder?: string): string =>
  files === 0
    ? ''
    : `, with ${counted(files, ['file', 'files'])} of evidence${folder === undefined ? '' : ` in ${safe(folder)}`}`

const nameOf = ({ awb, name }: NamedEvidence): string => `${safe(name)} of ${safe(awb, 'id')}`

/** Files that a warning names. */
const mostNamed = 5

/** Warns of evidence that is not in the copy. */
export async function warnMissing(context: Context, { missing }: Carried): Promise<void> {
  if (missing.length === 0) return
  const named = missing.slice(0, mostNamed).map(nameOf)
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : ''
  const what = `${counted(missing.length, ['file', 'files'])} of evidence`
  await context.warn(`${what} cannot be found whole on this computer: ${named.join(', ')}${more}`)
}

/** Throws `partial` with the evidence of a database that is missing or changed; `quick` does not read the files. */
export function checkEvidence({ io }: Context, database: string, quick: boolean): number {
  const folder = evidenceFolder(io)
  const named = evidenceNamed(sqliteDriver(process), database)
  const faults = named.flatMap((one) => {
    const state = evidenceState(folder, one.sha256, quick)
    return state === 'whole' ? [] : [{ field: null, message: `${nameOf(one)} is ${state} (${one.sha256})` }]
  })
  if (faults.length === 0) return named.length
  throw new ShipxError(
    'partial',
    `the database is sound, but ${counted(faults.length, ['file', 'files'])} of evidence in ${safe(folder)} ` +
      `${faults.length === 1 ? 'is' : 'are'} missing or changed`,
    { details: faults, hint: 'copy the files from <copy>.evidence of a backup, or attach them again' },
  )
}
