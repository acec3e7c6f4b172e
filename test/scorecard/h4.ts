// H4: connections that say nothing, or stop in their headers or their body, or send half a body with the key of an account, and never
// close: another client is served meanwhile, and every descriptor is free again.
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf } from './asking.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { descriptorsOf, startServing } from './serving.ts'

const body = (authorization = ''): string =>
  `POST /custom/api/v1/rates HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\ncontent-length: 50\r\n\r\n{`

const silent = ['', 'GET /live HTTP/1.1\r\nho', body()]

/** H4: 600 connections of nobody and 400 of one account against 400 descriptors, watched for so many of 60 s. */
export const h4 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const [nobody, known] = [600, 400]
    const count = nobody + known
    const seconds = share(size, 60, 4)
    const faults: string[] = []
    const serving = await startServing(['--quiet', '--rate-limit', '0'], 200, { under: 'ulimit -n 400' })
    const sockets: Socket[] = []
    try {
      const { key } = await serving.keyOf('default')
      const half = body(`authorization: ${(await serving.keyOf('slow')).key}\r\n`)
      const descriptors = descriptorsOf(serving.pid)
      const { port, hostname } = new URL(serving.url)
      const begin = (text: string): void => {
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => undefined)
        socket.resume().write(text)
        sockets.push(socket)
      }
      for (let n = 0; n < nobody; n++) begin(silent[n % silent.length]!)
      for (let n = 0; n < known; n++) {
        begin(half)
        // Each has shown its key before the next one comes, and is closed for nobody then.
        await wait(5)
      }
      await wait(500)
      let [asked, most, longest] = [0, 0, 0]
      for (const until = performance.now() + seconds * 1000; performance.now() < until; asked++) {
        // A connection of its own each time: that is what there is too little of.
        const asker = askerOf(serving.url, 1)
        try {
          const { status, ms } = await asker.ask('POST', '/shipments', key, { per_page: 20 })
          longest = Math.max(longest, ms)
          if (status !== 200) faults.push(`another client got ${status}`)
        } catch (error) {
          faults.push(`another client got ${error instanceof Error ? error.message : String(error)}`)
        }
        asker.close()
        most = Math.max(most, descriptorsOf(serving.pid))
        await wait(100)
      }
      // Headers may take 10 s, and connections are looked at each second.
      const left = descriptorsOf(serving.pid) - descriptors
      if (seconds > 40 && left > 4) faults.push(`${left} descriptors are still held after ${seconds} s`)
      if (longest > 5000) faults.push(`another client waited ${Math.round(longest)} ms`)
      return {
        row: 'H4',
        what: `${nobody} connections that say nothing, stop in headers or body, ${known} of one account that stop in the body; none closes; 400 descriptors`,
        tried: count,
        result: `${asked} other clients served, the slowest after ${Math.round(longest)} ms; ${most} descriptors at most${seconds > 40 ? `, ${left} more than before at the end` : ''}`,
        target: 'every other client served, all descriptors free after the timeouts',
        faults: summed(faults),
      }
    } finally {
      for (const socket of sockets) socket.destroy()
      await serving.close()
    }
  })
