// A user's home with the file of profiles, empty before each test, and deployments that take the user's key.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { sandbox, type Outcome, type Run } from '../../support/sandbox.ts'

/** Whether files have modes. */
export const unix = process.platform !== 'win32'

/** The key that must never be seen: its end may. */
export const key = 'canary/key+0123456789/Zz9+end4'
export const otherKey = 'another-key-of-another-account'

/** A deployment that takes the key alone and not behind Bearer, and remembers what it was sent. */
interface Deployment {
  readonly url: string
  readonly sent: (string | undefined)[]
  readonly server: Server
}

/** Starts a deployment, which may answer some requests in its own way. */
export async function deployment(
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<Deployment> {
  const sent: (string | undefined)[] = []
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization)
    if (answer?.(request, response) === true) return
    const taken = [key, otherKey].includes(request.headers.authorization ?? '')
    response.writeHead(taken ? 200 : 401, { 'content-type': 'application/json' })
    response.end(taken ? '{"data":[]}' : '{"status":"ERROR","message":"Unauthorized","errors":["Unauthorized"]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, server }
}

export const box = sandbox()
/** The user's home: empty before each test. */
export const home = box.env['HOME']!
/** The file of profiles. */
export const config = join(home, '.config', 'shipx', 'config.json')
export const service = await deployment()
/** A deployment that the user's key is not for. */
export const thief = await deployment()

beforeEach(() => {
  rmSync(home, { recursive: true })
  mkdirSync(home)
  service.sent.length = 0
  thief.sent.length = 0
})
afterAll(() => {
  for (const { server } of [service, thief]) server.close()
  box.remove()
})

export const environment = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...box.env,
  TERM: 'xterm',
  SHIPX_DATA_DIR: join(home, 'data'),
  ...over,
})

/** Runs a command in the user's home; a word of it holds no space. */
export const shipx = (line: string, { env, ...run }: Run = {}): Promise<Outcome> =>
  box.shipx(
    line.split(' ').filter((word) => word !== ''),
    { cwd: home, env: environment(env), ...run },
  )

/** Signs in at the deployment, with the key on standard input. */
export const login = (line = '', options: Run = {}): Promise<Outcome> =>
  shipx(`auth login --with-token --base-url ${service.url} ${line}`, { input: `${key}\n`, ...options })

/** What the file of profiles holds. */
export interface Stored {
  current?: string
  profiles: Record<string, Record<string, unknown>>
}

export const stored = (): Stored => JSON.parse(readFileSync(config, 'utf8')) as Stored
export function store(value: Stored): void {
  mkdirSync(join(config, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(config, JSON.stringify(value), { mode: 0o600 })
}

export const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A profile that is signed in at a deployment. */
export const signedIn = (url = service.url, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  base_url: url,
  auth_scheme: 'bare',
  key,
  key_origin: url,
  key_place: 'file',
  ...over,
})
