// An open pull: the mirror of a deployment, the client that reads it, and the limit of requests, for one round or many.
import type { RemoteService } from '../../../client/service.ts'
import { pause } from '../../../client/wait.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { accountNamed } from '../../../engine/accounts/settings.ts'
import { pullStates } from '../../../engine/transfer/mirror.ts'
import type { Context } from '../../command/context.ts'
import { openFile } from '../../source/engine.ts'
import { keyMark, pullTarget } from '../../source/mirrorpath.ts'
import { mirrorAccount } from '../../source/mirrorstate.ts'
import { patience_ms } from '../../source/pace.ts'
import { remoteFor } from '../../source/remote.ts'
import { pullBudget, type Spent } from './budget.ts'
import type { PullRequest, Run } from './round.ts'

/** A deployment and its mirror. */
export type MirroredTarget = NonNullable<Awaited<ReturnType<typeof pullTarget>>>

/** The deployment of a command that writes its mirror. Throws `not_supported` where none is named. */
export async function mirroredTarget(context: Context): Promise<MirroredTarget> {
  const found = await pullTarget(context)
  if (found !== undefined) return found
  const name = context.command.path[0]!
  throw new ShipxError('not_supported', `${name} copies your account, and shipx knows no address of it`, {
    hint: 'shipx auth login, or set SHIPX_BASE_URL and SHIPX_API_KEY',
  })
}

/** The faults of flags that name data on this computer. */
export const ownDataFaults = ({ flags, command }: Context): readonly Fault[] =>
  ['account', 'db', 'database', 'local']
    .filter((name) => flags.has(name))
    .map((name) => ({
      field: `--${name}`,
      message: `is for data on this computer; ${command.path[0]!} copies an account`,
    }))

/** A pull that is ready to run. */
export interface OpenPull {
  readonly run: Run
  readonly close: () => Promise<void>
}

/** Opens the mirror and the client; `stop` ends every request. Throws as `openFile` and `remoteFor`. */
export async function openPull(
  context: Context,
  asked: PullRequest,
  { target, place }: MirroredTarget,
  stop: AbortSignal,
): Promise<OpenPull> {
  const { now } = context.io.host
  const database = await openFile(context, place.path, 'write')
  let remote: RemoteService | undefined
  const close = async (): Promise<void> => {
    await Promise.all([remote?.close().catch(() => undefined), database.close()])
  }
  try {
    const account = await database.write(() => accountNamed(mirrorAccount, now()))
    const rows = await database.read(() => pullStates(account), 'single')
    const spent = JSON.parse(rows.find(({ kind }) => kind === 'requests')?.state ?? '[]') as Spent
    const sleep = (ms: number): Promise<void> => pause(ms, stop)
    const announced = (): ReadonlySet<unknown> | undefined => remote?.capabilities()
    const pace = pullBudget({ per_second: asked.per_second, spent, now, sleep, announced })
    const client = (remote = remoteFor(context, target, { budget: pace.budget, patience_ms, sleep }))
    stop.addEventListener('abort', () => void client.close().catch(() => undefined))
    const key = keyMark(context, target)
    return {
      run: { context, asked, database, account, remote: client, stop, key, spent: pace.spent, refused: [] },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
