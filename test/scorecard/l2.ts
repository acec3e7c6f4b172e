// L2: a service whose disk fills up: writes are 503 with a time to come again, /ready says so, reads go on, and once there is room
// everything that was acknowledged is there. Needs the right to mount a small disk.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf } from './asking.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

const run = (line: string, ...words: readonly string[]): boolean =>
  spawnSync('bash', ['-c', line, ...words]).status === 0

/** L2: so many of 900 orders to a full disk, in up to 3 rounds of filling and making room. */
export const l2 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const refusals = share(size, 900, 30)
    const rounds = share(size, 3, 1)
    const faults: string[] = []
    const disk = mkdtempSync(join(tmpdir(), 'shipx-disk-'))
    if (!run('mount -t tmpfs -o size=64m tmpfs "$0"', disk)) throw new Error('no disk can be mounted')
    const statuses: Record<string, number> = {}
    try {
      const serving = await startServing(['--quiet', '--rate-limit', '0'], 200, { within: disk })
      const asker = askerOf(serving.url, 4)
      const made: string[] = []
      let next = 0
      try {
        const { key } = await serving.keyOf('default')
        await serving.local('local', 'warehouse', 'set', 'WH1', '400001')
        const order = async () => {
          const id = `L2-${next++}`
          const answer = await asker.ask('POST', '/forward-order', key, orderOf(id))
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
          if (answer.status === 200) made.push(id)
          else if (answer.status !== 503 || answer.headers['retry-after'] === undefined)
            faults.push(`an order was answered ${answer.status} ${answer.text.slice(0, 200)}`)
          return answer.status
        }
        const ready = async () => (await asker.ask('GET', '!/ready', undefined)).status
        for (let round = 0; round < rounds; round++) {
          for (let n = 0; n < refusals; n++) await order()
          // All the room that is left.
          run('head -c 64m /dev/zero > "$0" 2>/dev/null', join(disk, 'filler'))
          for (let tries = 0, refused = 0; refused < refusals / rounds && tries < 2000; tries++)
            if ((await order()) !== 200) refused++
          if ((await ready()) !== 503) faults.push(`/ready is ${await ready()} on a full disk`)
          const listed = await asker.ask('POST', '/shipments', key, { per_page: 1 })
          if (listed.status !== 200) faults.push(`a listing is ${listed.status} on a full disk`)
          rmSync(join(disk, 'filler'))
          for (let n = 0; n < 150 && (await ready()) !== 200; n++) await wait(100)
          if ((await ready()) !== 200) faults.push('/ready stays 503 with room')
          if ((await order()) !== 200) faults.push('an order is refused with room')
        }
        const listed = await serving.local('shipments', 'list', '--all', '--json')
        for (const id of made)
          if (!listed.stdout.includes(`"${id}"`)) faults.push(`the acknowledged order ${id} is not there`)
        if (serving.log().includes('"status":500')) faults.push('500 in the log')
      } finally {
        asker.close()
        await serving.close()
      }
      return {
        row: 'L2',
        what: `a service on a full disk of 64 MB, ${rounds} times`,
        tried: next,
        result: `${statuses['503'] ?? 0} of ${next} orders 503 with Retry-After, all ${made.length} acknowledged are there; /ready 503, and 200 with room`,
        target: '0 answers of 500, /ready true, nothing lost',
        faults: summed(faults),
      }
    } finally {
      run('umount "$0"', disk)
      rmSync(disk, { recursive: true, force: true })
    }
  })
