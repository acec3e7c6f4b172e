// Defends delivery for all accounts of a database: who is warned of what, and how often.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliverAll } from '../../src/delivery/accounts.ts'
import { channelsOf } from '../../src/delivery/channels.ts'
import { posterOf } from '../../src/delivery/post.ts'
import { systemResolve } from '../../src/delivery/publicaddress.ts'
import { openEngine, type TestEngine } from '../support/engine.ts'
import { render } from '../support/deliveries.ts'

describe('delivery for all accounts', () => {
  let engine: TestEngine
  beforeEach(async () => {
    engine = await openEngine(':memory:')
  })
  afterEach(() => engine.close())

  /** Runs for a number of checks; returns the warnings about settings and the failures. */
  async function checked(checks: number, unreadable = false) {
    const stop = new AbortController()
    const poster = posterOf({ resolve: systemResolve, allowPrivate: false, connections: 1, ca: undefined })
    const [faults, failures]: [string[], (string | undefined)[]] = [[], []]
    const { database, host } = engine
    const read = unreadable ? () => Promise.reject(new Error('the disk is away')) : database.read
    let left = checks
    await deliverAll(
      {
        database: { ...database, read },
        host,
        concurrency: 1,
        quiet: true,
        stop: stop.signal,
        ticks: () => 0,
        random: () => 0.5,
        sleep: async () => {
          if (--left === 0) stop.abort()
        },
        warn: async () => undefined,
        failed: async (_, account) => void failures.push(account),
      },
      (account) =>
        channelsOf(
          {
            database,
            poster,
            resolve: systemResolve,
            allowPrivate: false,
            connections: 1,
            ca: undefined,
            clock: () => 0,
            ticks: () => 0,
            render: async () => render,
            // A gateway without a secret: no channel of the account works.
            over: { gateway: 'https://gateway.example.com/' },
            fault: (message) => faults.push(message),
          },
          account,
        ),
    )
    await poster.close()
    return { faults, failures }
  }

  test('a setting that cannot be used is reported once, however often shipx looks at the account', async () => {
    expect(await checked(4)).toEqual({ faults: ['there is no secret to sign messages to the gateway'], failures: [] })
  })

  test('accounts that cannot be read are a failure without the name of an account', async () => {
    expect(await checked(2, true)).toEqual({ faults: [], failures: [undefined, undefined] })
  })
})
