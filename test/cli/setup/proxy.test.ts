// Defends the way through a proxy, of the program as it is installed: in its build, undici has only the parts that shipx uses.
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate, privateKey } from '../../support/certificate.ts'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
const servers: { readonly close: () => unknown; readonly closeAllConnections: () => void }[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  box.remove()
})

const listening = async <S extends HttpServer>(server: S): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Whom the proxy was asked for, with which name and password. */
const asked: string[] = []
let ports: { readonly plain: number; readonly secure: number }

beforeAll(async () => {
  const page = { data: [], meta: { current_page: 1, per_page: 20, total: 0, next_search_after: [] } }
  const service = await listening(
    createHttpsServer({ key: privateKey, cert: certificate }, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page)),
    ),
  )
  const proxying = <S extends HttpServer>(proxy: S): S =>
    proxy.on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
      const onward = connect(service, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      })
      for (const one of [socket, onward]) one.on('error', () => undefined)
    })
  ports = {
    plain: await listening(proxying(createHttpServer())),
    secure: await listening(proxying(createHttpsServer({ key: privateKey, cert: certificate }))),
  }
})

test.each([
  ['stores list', 'plain'],
  ['shipments list --all', 'plain'],
  ['stores list', 'secure'],
] as const)('%s goes through a proxy, which is reached by %s HTTP', async (command, how) => {
  asked.length = 0
  const at = `${how === 'plain' ? 'http' : 'https'}://ravi:s%40cret@127.0.0.1:${ports[how]}`
  const env = {
    SHIPX_BASE_URL: 'https://api.example.com',
    SHIPX_API_KEY: 'sxk_test',
    SHIPX_CA_FILE: box.file('authority.pem', certificate),
    https_proxy: at,
  }
  const { stdout, exit, stderr } = await box.shipx([...command.split(' '), '--json'], { env })
  // Node warns of a secure proxy that has no name but an address.
  expect([exit, stderr.replace(/^\(node:.*ServerName[^]*/, '')]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ data: [] })
  const given = `Basic ${Buffer.from('ravi:s@cret').toString('base64')}`
  expect(new Set(asked)).toEqual(new Set([`api.example.com:443 ${given}`]))
})
