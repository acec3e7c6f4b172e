// R15: the ways to lead a key to another host: redirects, addresses that look like another, names of the environment. No
// request that carries the key may arrive where it was not given for.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect as dial, createServer as createTcp, type AddressInfo } from 'node:net'
import type { ShippingService } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { clientOf } from './clients.ts'
import { summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, shipx } from './serving.ts'

const key = 'k3y-Canary_7f3a9c51d2e84b60'

/** A server that writes down everything that it hears, as bytes, and answers like a service. */
interface Listener {
  readonly port: number
  readonly heard: () => string
  readonly connections: () => number
  readonly close: () => Promise<void>
}

const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port

async function listen(host = '127.0.0.1'): Promise<Listener> {
  let [heard, connections] = ['', 0]
  const server = createTcp((socket) => {
    connections++
    socket.on('error', () => undefined)
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      if (heard.includes('\r\n\r\n'))
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{"data":[]}',
        )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: portOf(server),
    heard: () => heard,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A service that answers everything as the test says. */
async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The calls that are led astray: a read that is GET, one that is POST, and a write. */
const calls: readonly ((client: ShippingService) => Promise<unknown>)[] = [
  (client) => client.listStores({}),
  (client) => client.listShipments({}),
  (client) => client.createForwardOrder(parseInput('createForwardOrder', orderOf('R15-1'))),
]

/** What the key looks like on the way, in any dress. */
const dresses = [
  key,
  encodeURIComponent(key),
  Buffer.from(key).toString('base64').slice(0, 30),
  Buffer.from(`:${key}`).toString('base64').slice(4, 30),
  Buffer.from(`x:${key}`).toString('base64').slice(4, 30),
]

/** R15. It is small as it is: the size changes nothing. */
export const r15 = (_size: Size): Promise<Finding> =>
  timed(async () => {
    const wrong = await listen()
    const faults: string[] = []
    let ways = 0
    const judge = (way: string, before: number): void => {
      ways++
      const heard = wrong.heard().slice(before)
      if (dresses.some((dress) => heard.includes(dress))) faults.push(`${way}: the key arrived`)
      if (/^(authorization|cookie|proxy-authorization):/im.test(heard)) faults.push(`${way}: a credential arrived`)
    }
    const led = async (way: string, status: number, location: (own: string) => string): Promise<void> => {
      const right = await answering((_, response) => {
        // Straight to the socket, since node refuses to write some of these.
        const to = location(right.url)
        response.socket?.end(
          `HTTP/1.1 ${status} Moved\r\nlocation: ${to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
        )
      })
      const before = wrong.heard().length
      for (const call of calls) {
        const client = clientOf({ base_url: right.url, key })
        await call(client).then(
          () => faults.push(`${way}: succeeded`),
          (error: unknown) => {
            if (!(error instanceof ShipxError)) faults.push(`${way}: ${String(error)}`)
            else if (`${error.message} ${error.hint ?? ''}`.includes(key))
              faults.push(`${way}: the key is in the message`)
          },
        )
        await client.close()
      }
      judge(way, before)
      await right.close()
    }
    const at = `127.0.0.1:${wrong.port}`
    for (const status of [301, 302, 303, 307, 308])
      await led(`${status} to another port`, status, () => `http://${at}/custom/api/v1/client-stores`)
    const path = '/custom/api/v1/shipments'
    await led('//host', 302, () => `//${at}${path}`)
    await led('/\\host', 302, () => `/\\${at}${path}`)
    await led('\\\\host', 307, () => `\\\\${at}${path}`)
    await led('https:host', 302, () => `https:${at}${path}`)
    await led('userinfo that looks like the host', 302, (own) => `${own}@${at}${path}`)
    await led('credentials in the Location', 302, () => `http://user:password@${at}${path}`)
    await led('the same host under another name', 307, () => `http://localhost:${wrong.port}${path}`)
    await led('another spelling of the host', 308, () => `http://2130706433:${wrong.port}${path}`)
    await led('a tab in the middle', 302, () => `ht\ttp://${at}${path}`)
    await led('another scheme', 302, () => `ftp://${at}${path}`)
    await led('Refresh-like text', 302, () => ` http://${at}${path} `)

    // Addresses that are not what they look like: refused before a byte is sent.
    // prettier-ignore
    const nowhere = [
      `http://user:pass@${at}`, `http://${at}@127.0.0.1:1`, `http://127.0.0.1.nip.io:${wrong.port}`, `http://localhost.evil:${wrong.port}`,
      `http://evil.localhost.example:${wrong.port}`, `http:\\\\${at}`, `http:/\\${at}`, `http://127.0.0.1\\@${at}`, `http://0.0.0.0:${wrong.port}`,
      `http://127.0.0.1:1\r\nhost: ${at}`, `http://127.0.0.1:1/?x=http://${at}`, `http://127.0.0.1:1/#@${at}`, `http://[::ffff:127.0.0.1]:${wrong.port}`,
      `http://localhost.:${wrong.port}`, `//${at}`, at, `ftp://${at}`, `http://127.0.0.1%00.evil.example:${wrong.port}`, `http://127.0.0.1。nip。io:${wrong.port}`, `http://ⓛocalhost.evil:${wrong.port}`,
    ]
    for (const base_url of nowhere) {
      const before = wrong.heard().length
      try {
        const client = clientOf({ base_url, key })
        await client.listStores({}).catch(() => undefined)
        await client.close()
        faults.push(`an address was taken: ${base_url}`)
      } catch (error) {
        if (!(error instanceof ShipxError)) faults.push(`${base_url}: ${String(error)}`)
        else if (error.message.includes(key)) faults.push(`${base_url}: the key is in the message`)
      }
      judge(base_url, before)
    }

    // Proxies of the environment: never for this machine, and the key never in a CONNECT.
    const proxied = {
      http_proxy: `http://${at}`,
      HTTP_PROXY: `http://${at}`,
      https_proxy: `http://${at}`,
      HTTPS_PROXY: `http://${at}`,
      all_proxy: `http://${at}`,
      ALL_PROXY: `http://${at}`,
      no_proxy: '',
      NODE_USE_ENV_PROXY: '1',
    }
    const right = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          data: [{ id: '1', store_name: 'a', logo_url: `http://${at}/logo.png`, links: { self: `http://${at}/self` } }],
          next: `http://${at}/page2`,
        }),
      )
    })
    const direct = wrong.connections()
    let before = wrong.heard().length
    const plain = clientOf({ base_url: right.url, key, env: proxied })
    await plain
      .listStores({})
      .catch((error: unknown) => faults.push(`with a proxy in the environment: ${String(error)}`))
    await plain.close()
    if (wrong.connections() !== direct) faults.push('a proxy was asked for this machine')
    judge('a proxy for this machine', before)
    before = wrong.heard().length
    const secure = clientOf({ base_url: 'https://api.shipx-nowhere.example', key, env: proxied })
    await secure.listStores({}).catch(() => undefined)
    await secure.close()
    if (!wrong.heard().slice(before).startsWith('CONNECT ')) faults.push('the proxy was not asked for another machine')
    judge('a proxy for another machine', before)

    // A key with what ends a header, and values that end one: never sent, or sent as what they are.
    before = wrong.heard().length
    for (const evil of [`${key}\r\nhost: ${at}`, `${key}\nx: y`, ` ${key}`, `${key}\u0000`, `${key}é`, `${key} x`]) {
      try {
        const client = clientOf({ base_url: right.url, key: evil })
        await client.listStores({})
        await client.close()
        faults.push(`a key was taken: ${JSON.stringify(evil)}`)
      } catch (error) {
        if (!(error instanceof ShipxError)) faults.push(`a key: ${String(error)}`)
        else if (error.message.includes(key)) faults.push('a refused key is in the message')
      }
    }
    judge('a key that ends its header', before)
    // An id that would be another path, or another host.
    before = wrong.heard().length
    for (const id of [
      `//${at}/x`,
      `../../../..//${at}`,
      `http://${at}`,
      `a\r\nhost: ${at}`,
      '.',
      '..',
      `@${at}`,
      `\\\\${at}`,
    ]) {
      const client = clientOf({ base_url: right.url, key })
      await client.getStore({ id }).catch(() => undefined)
      await client.close()
    }
    judge('ids that are addresses', before)
    // The command itself, whose environment and answers lead elsewhere.
    for (const args of [
      ['stores', 'list', '--json'],
      ['stores', 'get', '1', '--json'],
      ['shipments', 'list', '--all'],
    ]) {
      before = wrong.heard().length
      await shipx(args, { env: { ...proxied, SHIPX_BASE_URL: right.url, SHIPX_API_KEY: key }, timeout: 20_000 })
      judge(`shipx ${args.join(' ')}`, before)
    }
    await right.close()

    // And the listener hears what is really sent to it.
    const heard = await new Promise<boolean>((resolve) => {
      const socket = dial(wrong.port, '127.0.0.1', () =>
        socket.write(`GET / HTTP/1.1\r\nauthorization: ${key}\r\n\r\n`),
      )
      socket
        .on('error', () => resolve(false))
        .on('close', () => resolve(wrong.heard().includes(key)))
        .resume()
    })
    if (!heard) faults.push('the listener is deaf')
    await wrong.close()
    return {
      row: 'R15',
      what: `${ways} ways to lead a key to another host`,
      tried: ways,
      result: `${faults.filter((fault) => fault.endsWith('arrived')).length} requests carried it, ${faults.length} faults`,
      target: '0 requests carrying it',
      faults: summed(faults),
    }
  })
