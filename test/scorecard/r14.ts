// R14: a key that is a canary, through every command that knows of deployments, in every output, while 25 things go wrong:
// it is in nothing that is printed and in no file that is written.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badAnswers, startBadServer } from '../support/badanswers.ts'
import { atOnce, summed, timed, type Finding, type Size } from './row.ts'
import { shipx, orderOf, type Ran } from './serving.ts'

/** With what base64, URLs and JSON write differently. */
const canary = 'Canary+/k3y=%41"\\7f3a9c51d2e84b60&x'

/** The canary in every dress that could give it away; the longest part of base64 that does not hang on its neighbours. */
const dresses: readonly string[] = [
  canary,
  encodeURIComponent(canary),
  encodeURI(canary),
  JSON.stringify(canary).slice(1, -1),
  Buffer.from(canary).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(canary).toString('base64url').slice(0, -1),
  Buffer.from(`Bearer ${canary}`).toString('base64').slice(10, -4),
  Buffer.from(`x:${canary}`).toString('base64').slice(4, -4),
  Buffer.from(`xx:${canary}`).toString('base64').slice(4, -4),
  Buffer.from(canary).toString('hex'),
  // Enough of it to find the rest.
  '7f3a9c51d2e84b60',
]

/** What goes wrong: the environment of a command, and flags. */
interface Failure {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

/** A server that gives the key back in one way or another. */
type Echo = (said: string, response: ServerResponse, request: IncomingMessage) => void

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

// prettier-ignore
const echoes: Readonly<Record<string, Echo>> = {
  'a message with the header': (said, response) => json(response, 401, { message: `Invalid credential: ${said}` }),
  'a rejection with the key': (said, response) => json(response, 422, { errors: [`no ${said}`, { detail: said.slice(7) }] }),
  'a message with the key in base64': (said, response) => json(response, 400, { error: { message: Buffer.from(said.slice(7)).toString('base64') } }),
  'a message with the key for URLs': (said, response) => json(response, 403, { message: `see /login?token=${encodeURIComponent(said.slice(7))}` }),
  'a page with the key': (said, response) => { response.writeHead(502, { 'content-type': 'text/html' }); response.end(`<html><title>502</title><!-- ${said} --><p>${said}</p>`) },
  'text with the key': (said, response) => { response.writeHead(500, { 'content-type': 'text/plain' }); response.end(`Error: ${said}\n    at handler (/srv/${said.slice(7)}.js:1:1)`) },
  'an echo of the request': (said, response, request) => json(response, 500, { message: 'boom', headers: request.headers, raw: request.rawHeaders, said }),
  'a redirect with the key in it': (said, response) => { response.writeHead(302, { location: `https://elsewhere.example/?k=${encodeURIComponent(said)}` }); response.end() },
  'a redirect with the key as user': (said, response) => { response.writeHead(307, { location: `https://${encodeURIComponent(said.slice(7))}@elsewhere.example/` }); response.end() },
  'headers with the key': (said, response) => json(response, 429, { message: 'slow down' }, { 'retry-after': '0', 'x-echo': encodeURIComponent(said), 'www-authenticate': `Bearer realm="${Buffer.from(said).toString('base64')}"`, 'set-cookie': `k=${encodeURIComponent(said)}` }),
  'a refusal with 200': (said, response) => json(response, 200, { status: 0, message: `key ${said} is not enabled` }),
  'records with the key': (said, response) => json(response, 200, { status: 'SUCCESS', said, data: 'none', result: said, [said]: said }),
}

/** Bad answers that end by themselves. */
const bad = [
  'an HTML page with 200',
  'a gzip bomb of 1 GB',
  'a connection that is reset',
  'a status line of garbage',
  'JSON that stops in the middle',
  '500 with a stack trace',
  'redirects to itself',
]

/** The command lines, by the command tree of the service: each endpoint, and what looks after keys. */
const commands: readonly (readonly string[])[] = [
  ['rates', '--from', '400001', '--to', '560001', '-w', '500', '-s', '20x15x10', '--prepaid'],
  ['stores', 'list'],
  ['stores', 'get', '5b6cde10-0000-4000-8000-000000000000'],
  ['stores', 'create', '--name', 'r14', '--logo', 'logo.png'],
  ['stores', 'update', '5b6cde10-0000-4000-8000-000000000000', '--brand', 'R14'],
  ['shipments', 'list', '--all'],
  ['shipments', 'get', '34812010700125'],
  ['returns', 'list'],
  ['returns', 'get', 'RT-1'],
  ['orders', 'create', '--file', 'order.json'],
  ['orders', 'create', '--file', 'order.json', '--no-assign'],
  ['auth', 'status'],
  ['auth', 'login', '--with-token'],
  ['auth', 'logout'],
  ['profile', 'list'],
  ['profile', 'show'],
  ['local', 'path'],
]

const voices: readonly (readonly string[])[] = [[], ['--json'], ['--debug'], ['--debug', '--curl', '--json']]

/** R14: every command x every voice x every failure; the size takes some of the combinations. */
export const r14 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const folder = mkdtempSync(join(tmpdir(), 'shipx-r14-'))
    let echo: Echo = echoes['a message with the header']!
    let carried = 0
    const made: { close: () => Promise<void> }[] = []
    const echoing = async (how: Echo): Promise<string> => {
      const server = createServer((request, response) => {
        const said = request.headers.authorization ?? ''
        if (said.includes(canary)) carried++
        request.resume().on('end', () => how(said, response, request))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      made.push({
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    try {
      const failures: Failure[] = []
      for (const [name, how] of Object.entries(echoes))
        failures.push({ name, env: { SHIPX_BASE_URL: await echoing(how) } })
      for (const name of bad) {
        const server = await startBadServer(badAnswers.find((one) => one.name === name)!.play)
        made.push(server)
        failures.push({ name, env: { SHIPX_BASE_URL: server.url } })
      }
      echo = echoes['a refusal with 200']!
      const fair = await echoing((said, response, request) => echo(said, response, request))
      // prettier-ignore
      failures.push(
        { name: 'nobody listens', env: { SHIPX_BASE_URL: 'http://127.0.0.1:9' } },
        { name: 'an address with the key as user', env: { SHIPX_BASE_URL: `http://${encodeURIComponent(canary)}@127.0.0.1:9` } },
        { name: 'an address with the key in its query', env: { SHIPX_BASE_URL: `http://127.0.0.1:9/?key=${encodeURIComponent(canary)}` } },
        { name: 'a key with a line end', env: { SHIPX_BASE_URL: fair, SHIPX_API_KEY: `${canary}\n` } },
        { name: 'a key with a letter that is not ASCII', env: { SHIPX_BASE_URL: fair, SHIPX_API_KEY: `${canary}é` } },
        { name: 'a proxy with the key as password', env: { SHIPX_BASE_URL: 'https://shipx.invalid', https_proxy: `http://user:${encodeURIComponent(canary)}@127.0.0.1:9` } },
        { name: 'a CA file that is none', env: { SHIPX_BASE_URL: fair, SHIPX_CA_FILE: 'order.json' } },
      )
      const all = commands.flatMap((command) =>
        voices.flatMap((voice) => failures.map((failure) => ({ command, voice, failure }))),
      )
      // Spread so that a sample meets every failure, every voice and every command.
      const mixed = all.toSorted((a, b) => orderOfMix(a) - orderOfMix(b))
      const runs = size >= 1 ? mixed : mixed.slice(0, Math.max(30, Math.round(mixed.length * size)))
      await atOnce(5, runs, async ({ command, voice, failure }, n) => {
        const home = join(folder, String(n))
        mkdirSync(home)
        writeFileSync(join(home, 'order.json'), JSON.stringify(orderOf('R14-1')))
        writeFileSync(join(home, 'logo.png'), onePixel)
        const ran = await run([...command, ...voice], home, failure, command.includes('--with-token'))
        const shown = `shipx ${[...command, ...voice].join(' ')}, ${failure.name}`
        const stored = command.includes('login') && ran.exit === 0
        for (const [where, text] of [
          ['stdout', ran.stdout],
          ['stderr', ran.stderr],
          ...(stored ? [] : filesIn(home)),
        ] as const)
          for (const dress of dresses)
            if (text.includes(dress)) {
              faults.push(`${shown}: in ${where}, ${around(text, dress)}`)
              break
            }
        if (/\n\s+at .*:\d+:\d+/.test(ran.stderr) && !voice.includes('--debug'))
          faults.push(`${shown}: a stack without --debug`)
        if (ran.exit < 0) faults.push(`${shown}: did not end in time`)
        rmSync(home, { recursive: true, force: true })
      })
      // The one command that shows the key is the proof that a key in an output is seen.
      const shown = await run(['auth', 'token'], folder, { name: '', env: { SHIPX_BASE_URL: fair } }, false)
      if (!dresses.some((dress) => shown.stdout.includes(dress)))
        faults.push(`a key that is printed was not seen: ${shown.stderr}`)
      if (carried === 0) faults.push('the key was never sent, so that nothing was tried')
      return {
        row: 'R14',
        what: `a canary for a key through ${commands.length} commands x ${voices.length} voices x ${failures.length} failures`,
        tried: runs.length,
        result: `${faults.filter((fault) => fault.includes(': in ')).length} hits in ${runs.length} runs; the key was sent ${carried} times`,
        target: '0 hits in output and files',
        faults: summed(faults),
      }
    } finally {
      await Promise.all(made.map((server) => server.close()))
      rmSync(folder, { recursive: true, force: true })
    }
  })

/** A number that mixes combinations: the same at each run. */
function orderOfMix({
  command,
  voice,
  failure,
}: {
  readonly command: readonly string[]
  readonly voice: readonly string[]
  readonly failure: Failure
}): number {
  let hash = 7
  for (const letter of `${command.join(' ')}|${voice.join(' ')}|${failure.name}`)
    hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) | 0
  return Math.imul(hash, 0x9e3779b1) >>> 0
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

function run(args: readonly string[], home: string, { env }: Failure, token: boolean): Promise<Ran> {
  return shipx(args, {
    cwd: home,
    timeout: 30_000,
    env: { HOME: home, SHIPX_API_KEY: canary, SHIPX_TIMEOUT: '1s', SHIPX_DATA_DIR: join(home, 'data'), ...env },
    ...(token ? { input: `${env['SHIPX_API_KEY'] ?? canary}\n` } : {}),
  })
}

/** Every file below a folder with its name, except those that were put there. */
function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path !== 'order.json' && path !== 'logo.png')
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => [`the file ${path.slice(folder.length)}`, `${path}\n${readFileSync(path, 'latin1')}`] as const)
}

const around = (text: string, dress: string): string => {
  const at = text.indexOf(dress)
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))
}
