// M5: no text of a deployment, a database or a file reaches a terminal as a control sequence, whatever the command and format.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn } from '@lydell/node-pty'
import driver from 'better-sqlite3'
import { tree } from '../../src/cli/commands/table.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { atOnce, sample, summed, timed, type Finding, type Size } from './row.ts'

/** A title, a colour, a move of the cursor, C1, DEL, both ways of turning text round, a line separator, NUL. */
const hostile =
  '\u001b]0;owned\u0007\u001b[31;7mX\u001b[9;9H\u009b31m\u009d0;y\u009c\u007f\u202e\u2066\u200f\u2028\u0000\r'

/** What only a hostile text can have brought; what shipx itself sends to a terminal is removed first. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const raw = /[\u0000-\u0006\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200f\u2028-\u202e\u2066-\u2069]/
// oxlint-disable-next-line no-control-regex -- as above
const ownSequences = /\u001b\[(\d+G|\d*[AKGJ]|H|\d+;1H|\?(25|1049|2026)[hl])/g

/** The first character that only a hostile text can have brought to a terminal, as `U+001b`. */
export function rawIn(text: string): string | undefined {
  const found = raw.exec(text.replace(ownSequences, ''))
  return found === null ? undefined : `U+${found[0].codePointAt(0)!.toString(16).padStart(4, '0')}`
}

/** Values that a program goes by: times, numbers, ids, words of the API. */
const plain = /^[\w.:+-]*$/

/** A JSON value with the hostile text behind every string, or behind those alone that people wrote. */
const poisoned = (value: unknown, every: boolean): unknown => {
  if (typeof value === 'string') return every || !plain.test(value) ? `${value}${hostile}` : value
  if (Array.isArray(value)) return value.map((one) => poisoned(one, every))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, poisoned(inner, every)]))
}

/** A deployment between which and its client every text becomes hostile; cursors always do. */
async function hostileDeployment(to: string, every: boolean): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) }
      fetch(`${to}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
        ...body,
      })
        .then(async (answer) => {
          const value = poisoned(JSON.parse(await answer.text()), every) as { meta?: { next_search_after?: unknown[] } }
          if (Array.isArray(value.meta?.next_search_after))
            value.meta.next_search_after = [`1${hostile}`, `x${hostile}`]
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
        })
        .catch(() => response.writeHead(502).end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Every byte that a line of bash writes to a terminal, and whether it had to be stopped. */
function written(box: Sandbox, line: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', line], {
      cols: 120,
      rows: 40,
      cwd: box.folder,
      env: { ...box.env, TERM: 'xterm-256color', NO_COLOR: '1', SHIPX_NO_INPUT: '1', ...env },
    })
    let text = ''
    const stop = setTimeout(() => child.kill('SIGKILL'), 20_000)
    const ask = setTimeout(() => child.kill('SIGTERM'), 6000)
    child.onData((data) => (text += data))
    child.onExit(() => {
      clearTimeout(stop)
      clearTimeout(ask)
      resolve(text)
    })
  })
}

const formats = ['--table', '--json', '--jsonl', '--csv', '--tsv', '--excel', '--ids', '--wide'] as const

/** Commands that go on until they are stopped, or ask a server of their own. */
const left = /^shipx (serve|local (init|copy)|messages deliver)/

/** Lists of everything, which examples narrow. */
const whole = [
  'shipments list --limit 4',
  'shipments list --all',
  'returns list --limit 4',
  'shipments summary --by store',
  'shipments summary --by city',
  'shipments ndr',
  'shipments stuck --days 0',
  'sql "select * from shipments limit 4"',
]

/** A line to run for each command: an example without a pipe, else the command alone. */
const lines = [
  ...tree.commands.map(
    ({ path, examples }) =>
      examples.map(({ line }) => line).find((line) => !/[|>;&]/.test(line)) ?? `shipx ${path.join(' ')}`,
  ),
  ...whole.map((words) => `shipx ${words}`),
].filter((line) => !left.test(line))

/** M5: every command in every format, asked of a deployment and of a database in which every text is hostile. */
export const m5 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const [standIn, box] = [await startStandIn({ authorization: 'any' }), sandbox()]
    const [every, people] = await Promise.all([
      hostileDeployment(standIn.url, true),
      hostileDeployment(standIn.url, false),
    ])
    const faults: string[] = []
    let [harmless, total] = [0, 0]
    try {
      for (const kind of ['shipments', 'returns'] as const)
        box.file(
          `${kind}.jsonl`,
          [...standIn.texts(kind).values()].map((text) => JSON.stringify(poisoned(JSON.parse(text), false))).join('\n'),
        )
      await box.shipx(['stores', 'create', '--name', 'acme-kids'])
      await box.shipx(['stores', 'create', '--name', 'acme'])
      for (const kind of ['shipments', 'returns'] as const) await box.shipx(['local', 'import', kind, `${kind}.jsonl`])
      const database = new driver(`${box.folder}/data/shipx.sqlite`)
      database.prepare('update stores set brand_name = ?, doc = null').run(`Acme ${hostile}`)
      database.close()
      const id = [...standIn.texts('shipments').keys()][0]!
      box.file('awbs.txt', `${id}\nx${hostile}\n`)
      box.file('pins.txt', `560001\n1${hostile}\n`)
      box.file('page.json', `{"id":"x${JSON.stringify(hostile).slice(1)}}\n`)
      box.file('stores.csv', `store_name,brand_name\nacme-mini,"Acme ${hostile.replace('\r', '')}"\n"b${hostile}",B\n`)
      box.file('scans.csv', `awb,status,date\n"${id}","x${hostile}",2026-09-29 13:05\n`)
      box.file(
        'parcels.csv',
        `ref,from,to,weight,length,width,height,payment\n"A${hostile}",400001,560001,500g,20,15,10,prepaid\n`,
      )
      const remote = (url: string) => ({ SHIPX_BASE_URL: url, SHIPX_API_KEY: standIn.key, SHIPX_TIMEOUT: '5s' })
      const places = { 'every text': remote(every.url), 'names alone': remote(people.url), 'a database': {} }
      // Formats begin at another one for each command, so that a sample has all of them.
      const runs = lines.flatMap((line, n) =>
        formats.flatMap((_, i) =>
          Object.entries(places).map(([place, env], j) => ({
            line,
            place,
            env,
            format: formats[(n + i + j) % formats.length]!,
          })),
        ),
      )
      const chosen = sample(runs, size, lines.length)
      total = chosen.length
      await atOnce(3, chosen, async ({ line, place, env, format }) => {
        // A database of its own would be written by commands side by side; it is copied for each run.
        const data = `data-${Math.random().toString(36).slice(2)}`
        const own = `cp -r data ${data}; SHIPX_DATA_DIR=$PWD/${data} ${line.replaceAll('14344940012345', id)} ${line.includes(format) ? '' : format}; rm -rf ${data}`
        const text = await written(box, own, env)
        if (/\\u\{?0?0?(9b|1b)|\\u202e/.test(text)) harmless++
        const found = rawIn(text)
        if (found !== undefined) faults.push(`${found} from ${place}: ${line} ${format}`)
      })
    } finally {
      await standIn.close()
      every.close()
      people.close()
      box.remove()
    }
    // A run that shows nothing hostile proves nothing.
    if (harmless < total / 20) faults.push(`only ${harmless} of ${total} runs showed the hostile text at all`)
    return {
      row: 'M5',
      what: `${lines.length} command lines x ${formats.length} formats on a terminal, with escapes, C1 and bidi controls in every text of a deployment, a database and files`,
      tried: total,
      result: `${faults.length} of ${total} runs wrote a raw control; ${harmless} showed the text as visible escapes`,
      target: '0 raw controls',
      faults: summed(faults),
    }
  })
