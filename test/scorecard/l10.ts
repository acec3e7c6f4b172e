// L10: headers that count once sent twice, in all spellings and orders, and bad framing: 400, with a request id and nosniff.
import { connect } from 'node:net'
import { atOnce, summed, timed, type Finding } from './row.ts'
import { startServing } from './serving.ts'

/** All that comes back on a connection until it is closed, 5 s at most. */
const raw = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let said = ''
    const end = (): void => {
      clearTimeout(late)
      socket.destroy()
      resolve(said)
    }
    const late = setTimeout(end, 5000)
    socket
      .on('data', (chunk) => (said += chunk.toString('latin1')))
      .on('error', end)
      .on('close', end)
    socket.write(bytes)
  })

const spellings = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  name.replace(/^./, (letter) => letter.toUpperCase()),
]

function* shapes(key: string): Generator<readonly [what: string, bytes: string, status: number]> {
  const once = { host: 'host: a', authorization: `authorization: ${key}` }
  const lines = (...list: readonly string[]): string =>
    `GET /custom/api/v1/client-stores HTTP/1.1\r\n${[...list, 'connection: close'].join('\r\n')}\r\n\r\n`
  yield ['one of each', lines(once.host, once.authorization), 200]
  yield ['no host', lines(once.authorization), 400]
  for (const name of ['host', 'authorization'] as const) {
    const other = name === 'host' ? once.authorization : once.host
    for (const first of spellings(name))
      for (const second of spellings(name))
        for (const value of [once[name].slice(name.length + 2), 'x', '']) {
          const twice = [`${first}: ${once[name].slice(name.length + 2)}`, `${second}: ${value}`]
          yield [`two ${name}`, lines(...twice, other), 400]
          yield [`two ${name} around another`, lines(twice[1]!, other, twice[0]!), 400]
        }
  }
  yield ['garbage', 'GARBAGE\r\n\r\n', 400]
  yield ['two lengths', 'POST /live HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello', 400]
  yield ['a folded line', 'GET /live HTTP/1.1\r\nhost: a\r\n x: folded\r\n\r\n', 400]
  yield ['large headers', `GET /live HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431]
}

/** L10: all shapes, whatever the size: they take a second. */
export const l10 = (): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const serving = await startServing(['--rate-limit', '0', '--quiet'])
    let tried = 0
    try {
      const all = [...shapes((await serving.keyOf('default')).key)]
      await atOnce(4, all, async ([what, bytes, status]) => {
        tried++
        const said = await raw(serving.url, bytes)
        const got = Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1])
        if (got !== status) faults.push(`${what}: ${got} and not ${status}`)
        if (!/\r\nx-request-id: [0-9a-f-]{36}\r\n/i.test(said)) faults.push(`${what}: no request id`)
        if (!/\r\nx-content-type-options: nosniff\r\n/i.test(said)) faults.push(`${what}: no nosniff`)
      })
    } finally {
      await serving.close()
    }
    return {
      row: 'L10',
      what: 'Host or Authorization twice in all spellings and orders, none, and bad framing',
      tried,
      result: `${tried} requests, 400 or 431 for all that are wrong, each with a request id and nosniff`,
      target: '400, never the first of two',
      faults: summed(faults),
    }
  })
