// Opens the database of what the merchant keeps beside the records, such as answers to failed deliveries and SKUs: the
// engine's own, or the mirror of the deployment. No deployment has an endpoint for them (docs/guides/worklists.md).
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { accountNamed, findAccount } from '../../engine/accounts/settings.ts'
import type { Database } from '../../engine/database/port.ts'
import type { Change } from '../../engine/money/disputes.ts'
import { handovers, type Handover } from '../../engine/orders/prints.ts'
import { lastAnswers } from '../../engine/records/ndranswers.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { undeliveredOf } from '../../domain/parcels/worklists.ts'
import type { Context } from '../command/context.ts'
import type { AnswerOf } from '../output/ndranswer.ts'
import { variable } from '../terminal/io.ts'
import { openFile } from './engine.ts'
import { mirrorPlace } from './mirrorpath.ts'
import { here } from './place.ts'
import { mirrorAccount } from './mirrorstate.ts'
import type { Source } from './source.ts'

/** Where such things are kept. */
export interface BesidePlace {
  readonly database: Database
  readonly account: number
  readonly close: () => Promise<void>
}

/**
 * The place of what is kept beside a source's records. To read, undefined where there is none yet; to write, the
 * mirror is made. Throws what `openFile` throws.
 */
export async function besideOf(
  context: Context,
  { engine }: Source,
  use: 'read' | 'write' | 'bulk',
): Promise<BesidePlace | undefined> {
  if (engine !== undefined) return { database: engine.database, account: engine.account, close: async () => undefined }
  const place = mirrorPlace(context)
  if (place === undefined || (use === 'read' && !existsSync(place.path))) return undefined
  const database = await openFile(context, place.path, use)
  try {
    const known = await database.read(() => findAccount(mirrorAccount), 'single')
    if (known === undefined && use === 'read') {
      await database.close()
      return undefined
    }
    const account = known ?? (await database.write(() => accountNamed(mirrorAccount, context.io.host.now())))
    return { database, account, close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The last answer about a shipment, where its delivery ever failed, and whether it still counts. Throws what
 * `openFile` throws.
 */
export async function answerAbout(context: Context, source: Source, record: Shipment): Promise<AnswerOf | undefined> {
  const { status, ndr_reason, attempt_count } = record.attributes
  if (status !== 'ndr_raised' && ndr_reason == null && (attempt_count ?? 0) === 0) return undefined
  const place = await besideOf(context, source, 'read')
  if (place === undefined) return undefined
  try {
    const answers = await place.database.read(() => lastAnswers(place.account, [record.id]), 'single')
    const kept = answers.get(record.id)
    if (kept === undefined) return undefined
    return { kept, counts: undeliveredOf(record, context.io.host.now(), kept).answer !== null }
  } finally {
    await place.close()
  }
}

/** What the last list of a pickup said about a shipment, where one has its AWB. Throws what `openFile` throws. */
export async function handoverAbout(context: Context, source: Source, record: Shipment): Promise<Handover | undefined> {
  const awb = record.attributes.tracking_number?.trim() ?? ''
  const place = awb === '' ? undefined : await besideOf(context, source, 'read')
  if (place === undefined) return undefined
  try {
    const said = await place.database.read(() => handovers(place.account, [awb]), 'single')
    const last = said.get(awb)
    return last?.shipment === record.id ? last : undefined
  } finally {
    await place.close()
  }
}

/** Where such things are kept, in words: `acme on this computer`. */
export function besidePlace(context: Context, { remote, mirror }: Source): string {
  if (remote === undefined && mirror === undefined) return here(context)
  return `${mirrorPlace(context)?.name ?? 'the copy'} on this computer`
}

/** Who decides in this run: the user of the computer, with the profile if one applies. */
export function decider({ io, profile }: Pick<Context, 'io' | 'profile'>): string {
  const user = ['LOGNAME', 'USER', 'USERNAME'].flatMap((name) => variable(io, name) ?? [])[0] ?? accountName()
  const name = profile()?.name
  return name === undefined ? user : `${user} (profile ${name})`
}

/** A change of disputes that this run makes now, by a command, file or invoice. */
export const changeBy = (context: Pick<Context, 'io' | 'profile'>, source: string): Change => ({
  at: context.io.host.now(),
  by: decider(context),
  source,
  uuid: context.io.host.uuid,
})

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // Some containers run a number that no file of users has.
    return 'unknown user'
  }
}
