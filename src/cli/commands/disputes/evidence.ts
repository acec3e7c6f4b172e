// `shipx disputes evidence`: attaches photographs to a parcel, and says what the policy of its courier still wants.
import { basename } from 'node:path'
import { counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { statusAt } from '../../../domain/money/disputes.ts'
import { proofs, proofsInName, proofsOf, type Proof } from '../../../domain/money/proofs.ts'
import { disputesOfAwbs, type Dispute } from '../../../engine/money/disputes.ts'
import { evidenceOf, keepEvidence, type Evidence } from '../../../engine/money/evidence.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { flag, someOf } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { evidenceKind, putEvidence, readEvidence } from '../../files/evidencefiles.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { besideOf, decider, type BesidePlace } from '../../source/beside.ts'
import { disputesMeant } from '../../source/disputenames.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { recorder } from './record.ts'

interface FileRecord extends Record<string, unknown> {
  readonly awb: string
  readonly name: string
}

const view = plainView<FileRecord>(['file', 'files'], ({ name }) => name, ['awb', 'name', 'shows', 'bytes', 'sha256'])

const shown = ({ awb, name, shows, bytes, sha256 }: Evidence): FileRecord => ({ awb, name, shows, bytes, sha256 })

/** The longest name of a file that is kept, characters. */
const longestName = 200

/** A file of the command line with what it shows. */
interface Given {
  readonly bytes: Uint8Array
  readonly evidence: Evidence
}

/** Reads the files. Throws `invalid_input` with a fault for each that cannot be one. */
function givenFiles(context: Context, awb: string, shows: readonly Proof[] | undefined): readonly Given[] {
  const faults: Fault[] = []
  const now = context.io.host.now()
  const given = context.args.slice(1).flatMap((path): readonly Given[] => {
    try {
      const { bytes, sha256 } = readEvidence(path)
      if (bytes.length === 0) faults.push({ field: safe(path), message: 'it is empty' })
      else if (evidenceKind(bytes) === undefined)
        faults.push({ field: safe(path), message: 'it is no picture, film or PDF, by its first bytes' })
      const name = [...basename(path)].slice(-longestName).join('')
      const proof = (shows ?? proofsInName(name)).join(',')
      return [
        {
          bytes,
          evidence: { awb, sha256, name, shows: proof, bytes: bytes.length, added_at: now, added_by: decider(context) },
        },
      ]
    } catch (error) {
      if (!(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
      faults.push(...(error.details.length === 0 ? [{ field: safe(path), message: error.message }] : error.details))
      return []
    }
  })
  refuse(context, faults)
  // The same content twice on one line is one file.
  return [...new Map(given.map((one) => [one.evidence.sha256, one])).values()]
}

/** The parcel of a name, and its disputes. Throws `not_found`. */
async function parcelNamed({ database, account }: BesidePlace, name: string): Promise<readonly Dispute[]> {
  const found = await database.read(function* () {
    const [one] = yield* disputesMeant(database.dialect, account, [name])
    const awb = one !== undefined && 'id' in one ? one.awb : name.trim()
    return yield* disputesOfAwbs(database.dialect, account, [awb])
  })
  if (found.length > 0) return found
  throw new ShipxError('not_found', `there is no dispute about ${safe(name.slice(0, 60), 'id')}`, {
    hint: 'shipx disputes create',
  })
}

const evidence = verb({ shows: someOf(proofs, 'proof'), dry_run: flag }, async (context, { shows, dry_run: dry }) => {
  const [name, ...paths] = context.args
  refuse(context, [
    ...(name === undefined ? [missingArgument(context, 'awb')] : []),
    ...(shows !== undefined && paths.length === 0 ? [{ field: '--shows', message: 'goes with files' }] : []),
  ])
  checkShape(context, view)
  const use = dry || paths.length === 0 ? 'read' : 'write'
  return withSource(context, use === 'read' ? 'read' : 'beside', async (source) => {
    const place = await besideOf(context, source, use)
    try {
      if (place === undefined) throw new ShipxError('not_found', 'no disputes yet', { hint: 'shipx disputes create' })
      const { database, account } = place
      const disputes = await parcelNamed(place, name!)
      const { awb } = disputes[0]!
      const given = givenFiles(context, awb, shows)
      if (dry)
        return await wouldDo(context, `attach ${counted(given.length, ['file', 'files'])} to ${safe(awb, 'id')}`, {
          attach: given.map((one) => shown(one.evidence)),
        })
      // The files first: a row without its file would promise what is not there.
      for (const { evidence: one, bytes } of given) putEvidence(context.io, one.sha256, bytes)
      if (given.length > 0)
        await database.write(() =>
          keepEvidence(
            account,
            given.map((one) => one.evidence),
          ),
        )
      const all = await database.read(() => evidenceOf(account, [awb]))
      await printList(context, view, all.map(shown), 'Nothing is attached to this parcel yet.')
      if (given.length > 0) await done(context, `Attached ${counted(given.length, ['file', 'files'])} to ${awb}`)
      for (const { evidence: one } of given)
        if (proofsOf(one.shows).length === 0)
          await context.warn(`What ${safe(one.name)} shows is not known: --shows ${proofs.join(',')}`)
      await tellMissing(context, place, disputes)
      return 0
    } finally {
      await place?.close()
    }
  })
})

/** Says what the policy still wants for each dispute of the parcel. */
async function tellMissing(context: Context, place: BesidePlace, disputes: readonly Dispute[]): Promise<void> {
  const { database, account } = place
  const now = context.io.host.now()
  const policies = await database.read(() => listPolicies(account), 'single')
  for (const { id, reason, missing } of await recorder(place, policies, now)(disputes)) {
    if (missing.length > 0) await context.note(`${id} (${reason}) still wants: ${missing.join(', ')}`)
    else if (
      statusAt(
        disputes.find((one) => one.id === id)!,
        now,
      ) === 'found'
    )
      await context.note(`${id} (${reason}) has all that it wants`)
  }
}

export const verbs = { 'disputes evidence': evidence }
