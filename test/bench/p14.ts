// P14: a thousand messages to a gateway that takes 50 ms for each, 16 at once, against what that takes by itself.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import { messageMaker } from '../../src/engine/messages/outbox.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { track } from '../../src/engine/tracking.ts'
import { testHost } from '../support/engine.ts'
import { parcel } from '../support/deliveries.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const [messages, concurrency, takes] = [1000, 16, 50] as const
const goal = 1.3

/** A file with so many messages that are due. */
async function fill(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  const host = { ...testHost(Date.now()), uuid: () => crypto.randomUUID() }
  const database = openSqlite(driver, { path })
  const account = await database.write(() => accountNamed('default', host.now()))
  const parcels = Array.from({ length: messages }, (_, n) => parcel(`p${n}`))
  await database.write(() => saveRecords(database.dialect, account, 'shipment', parcels))
  const scans = parcels.map(
    ({ id }) =>
      ({
        tracking: `AWB${id}`,
        id,
        event: 'picked_up',
        at: host.now(),
        reason: null,
        location: null,
        description: null,
      }) as const,
  )
  await database.write(() => track(database.dialect, account, host, scans, messageMaker(account, host)))
  await database.close()
}

/** The time of nothing but the posts, by Node's own client. */
async function bare(url: string): Promise<number> {
  const from = performance.now()
  let left = messages
  const one = async (): Promise<void> => {
    while (left-- > 0) await (await fetch(url, { method: 'POST', body: '{}' })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return performance.now() - from
}

export async function p14(setup: Setup): Promise<readonly Figure[]> {
  say('P14: delivery of 1,000 messages')
  let came = 0
  const server = createServer((request, answer) => {
    came++
    request.resume()
    setTimeout(() => answer.end(), takes)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    const path = join(setup.folder, 'messages.sqlite')
    const env = { ...environment(setup), SHIPX_DB: path }
    const args = [
      program(setup),
      'messages',
      'deliver',
      '--gateway',
      url,
      '--allow-private',
      '--ignore-quiet-hours',
      '-q',
    ]
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let run = 0; run < setup.runs; run++) {
      await fill(path)
      came = 0
      ours.push((await runProgram({ command: process.execPath, args, env })).ms)
      if (came !== messages) throw new Error(`${came} posts for ${messages} messages`)
      theirs.push(await bare(url))
    }
    const ideal = (messages / concurrency) * takes
    const [mine, posts] = [median(ours), median(theirs)]
    const common = {
      item: 'P14',
      work: 'delivery of 1,000 messages, 16 at once',
      unit: 'x',
      runs: setup.runs,
      ours: mine,
    } as const
    return [
      {
        ...common,
        against: '1000 / 16 x 50 ms',
        value: mine / ideal,
        goal,
        theirs: ideal,
        note: 'with the start of the process',
      },
      { ...common, against: 'the posts alone', value: mine / posts, theirs: posts },
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
