// A mirror in this process, and the deployment that it is pulled from; both are gone after the test.
import { onTestFinished } from 'vitest'
import { newState, type PullState, type Wish } from '../../src/cli/source/mirrorstate.ts'
import type { Pulled } from '../../src/cli/commands/pull/pullrun.ts'
import { pullRecords } from '../../src/cli/commands/pull/run.ts'
import type { RemoteService } from '../../src/client/service.ts'
import type { SentKind } from '../../src/domain/foreign/records.ts'
import { pullStates } from '../../src/engine/transfer/mirror.ts'
import { openEngine, type TestEngine } from './engine.ts'
import { clientOf } from '../scorecard/clients.ts'
import { startStandIn, type StandIn, type StandInOptions } from './foreigndeployment.ts'

/** The time at which mirrors are filled. */
export const clock = Date.parse('2026-10-01T06:00:00Z')
export const hour = 3_600_000

/** A deployment that is not ours, until the end of the test. */
export async function standIn(options?: StandInOptions): Promise<StandIn> {
  const remote = await startStandIn(options)
  onTestFinished(() => remote.close())
  return remote
}

/** A mirror in this process. */
export interface Mirror {
  readonly engine: TestEngine
  /** Pulls one kind; `stopAt` ends it at the so-many-th page that is saved. */
  readonly pull: (kind: SentKind, wish?: Partial<Wish>, stopAt?: number) => Promise<Pulled>
  readonly docs: (kind: SentKind) => Promise<ReadonlyMap<string, string>>
  readonly state: (kind: SentKind) => Promise<PullState>
}

/** Makes an empty mirror of a deployment, until the end of the test. */
export async function mirrorOf(
  remote: { readonly url: string; readonly key: string },
  now = () => clock,
): Promise<Mirror> {
  const engine = await openEngine()
  const client: RemoteService = clientOf({ base_url: remote.url, key: remote.key, sleep: async () => undefined })
  onTestFinished(async () => {
    await client.close()
    await engine.close()
  })
  const { database, account } = engine
  const stateOf = async (kind: SentKind): Promise<PullState | undefined> => {
    const row = (await database.read(() => pullStates(account), 'single')).find((one) => one.kind === kind)
    return row === undefined ? undefined : (JSON.parse(row.state) as PullState)
  }
  let pulls = 0
  return {
    engine,
    state: async (kind) => (await stateOf(kind))!,
    docs: async (kind) => {
      const page = await engine.service[kind === 'shipments' ? 'walkShipments' : 'walkReturns']({})
      const found = new Map<string, string>()
      for await (const { records } of page.batches)
        for (const record of records) found.set(String((JSON.parse(record) as { id: unknown }).id), record)
      return found
    },
    pull: async (kind, wish = {}, stopAt = Infinity) => {
      const stop = new AbortController()
      await client.listStores({})
      let pages = 0
      return pullRecords(
        {
          kind,
          remote: client,
          database,
          account,
          now,
          ticks: () => performance.now(),
          owner: `pull ${++pulls}`,
          stop: stop.signal,
          advance: async () => {
            if (++pages >= stopAt) stop.abort()
          },
          warn: async () => undefined,
          partly: async () => undefined,
          *beside() {},
        },
        { ...((await stateOf(kind)) ?? newState('key')), capabilities: [...client.capabilities()!] },
        { since: 0, full: false, ...wish },
      )
    },
  }
}

/** Ends what such a deployment does by itself. */
export const quiet = (remote: StandIn): void => void (remote.switches.trouble = () => undefined)
