// L13: a key that was pasted into the path of the base URL, in every form that a URL takes: no command repeats it, whatever it is
// asked to tell, nothing is sent, and no file keeps it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOf } from '../../src/domain/keys.ts'
import { atOnce, sample, summed, timed, type Finding, type Size } from './row.ts'
import { shipx } from './serving.ts'

/** Keys: of another deployment, a signed token, and one of our own service. */
const keys = [
  'L13-canary+key/9b1c=7f',
  'eyJ0eXAiOiJKV1QifQ.bDEzLWNhbmFyeQ.c2lnbmF0dXJl',
  keyOf('L13canary'.padEnd(43, 'x')),
]

/** How a key gets into a path. */
// prettier-ignore
const forms: readonly ((key: string) => string)[] = [
  (key) => encodeURIComponent(key),
  (key) => `v2/${encodeURIComponent(key)}/api`,
  (key) => encodeURIComponent(key).toLowerCase().includes('%') ? encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()) : `x/${key}`,
  (key) => Buffer.from(key).toString('base64url'),
]

const lane = ['--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid']
// prettier-ignore
const lines: readonly (readonly string[])[] = [
  ['shipments', 'list'], ['shipments', 'list', '--all', '--jsonl'], ['shipments', 'get', 'X-1'], ['shipments', 'summary'], ['shipments', 'ndr'],
  ['returns', 'list'], ['stores', 'list'], ['stores', 'create', '--name', 'acme'], ['rates', ...lane], ['serviceability', '560001', '--from', '400001'],
  ['pull'], ['auth', 'status'], ['auth', 'login', '--with-token'], ['profile', 'show'], ['doctor'], ['shipments', 'list', '--local'],
]
const telling: readonly (readonly string[])[] = [[], ['--debug'], ['--debug', '--json'], ['--curl']]

/** The row: so many of all combinations. */
export const l13 = (size: Size): Promise<Finding> =>
  timed(async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"meta":{"total":0}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const folder = mkdtempSync(join(tmpdir(), 'shipx-l13-'))
    const faults: string[] = []
    // Each command tells in each way about each key, the forms by turns.
    const told = keys.flatMap((key) =>
      lines.flatMap((words) => telling.map((more) => ({ key, args: [...words, ...more] }))),
    )
    const all = told.map((one, n) => ({ ...one, place: forms[n % forms.length]!(one.key) }))
    const tried = sample(all, size, 24)
    try {
      await atOnce(4, tried, async ({ key, place, args }, n) => {
        const home = join(folder, String(n))
        const address = `http://127.0.0.1:${port}/${place}`
        const signsIn = args[1] === 'login'
        const env = {
          HOME: home,
          SHIPX_DATA_DIR: join(home, 'data'),
          SHIPX_BASE_URL: address,
          ...(signsIn ? {} : { SHIPX_API_KEY: key }),
        }
        const { stdout, stderr, exit } = await shipx(args, { env, input: signsIn ? key : '' })
        const shown = args.join(' ')
        const needles = [key, place, encodeURIComponent(key)]
        for (const text of [stdout, stderr])
          if (needles.some((needle) => text.includes(needle))) faults.push(`${shown}: the key is repeated`)
        if (exit === 0 && !['profile', 'doctor'].includes(args[0]!)) faults.push(`${shown}: ended with 0`)
        for (const text of filesIn(home))
          if (needles.some((needle) => text.includes(needle))) faults.push(`${shown}: a file keeps the key`)
      })
    } finally {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    }
    if (requests > 0) faults.push(`${requests} requests were sent`)
    return {
      row: 'L13',
      what: `${tried.length} commands with a key in the path of the base URL`,
      tried: tried.length,
      result: faults.length === 0 ? 'repeated nowhere, nothing sent, nothing kept' : `${faults.length} times not so`,
      target: 'repeated by no output and no file, 0 requests',
      faults: summed(faults),
    }
  })

/** The content of every file below a folder, which need not be there. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  } catch {
    return []
  }
}
