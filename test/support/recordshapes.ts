// A deployment that answers with whatever it is given, to the byte, and the command line in this process: for records, offers,
// stores and orders of every shape.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runnerIn } from './inprocess.ts'

/** What the deployment answers: records and stores as JSON texts, the other answers whole. A test changes it while it runs. */
export interface Sent {
  shipments: readonly string[]
  returns: readonly string[]
  stores: readonly string[]
  rates: string
  order: string
  /** Statuses that paths are refused with. */
  refused: Readonly<Record<string, number>>
  /** Pages from this one on are refused with 500. */
  lastPage: number
}

/** A running deployment. */
export interface Shapes {
  readonly url: string
  readonly sent: Sent
  /** Bodies of listings, in their order. */
  readonly asked: readonly Record<string, unknown>[]
  readonly close: () => Promise<void>
}

/** Starts it on a free port of 127.0.0.1. It finds records by their id alone, and knows no other filter. */
export async function startShapes(over: Partial<Sent> = {}): Promise<Shapes> {
  const sent: Sent = {
    shipments: [],
    returns: [],
    stores: [],
    rates: '{}',
    order: '{}',
    refused: {},
    lastPage: Infinity,
    ...over,
  }
  const asked: Record<string, unknown>[] = []
  const page = (records: readonly string[], body: Record<string, unknown>): string => {
    const [number, size] = [Number(body['page'] ?? 1), Number(body['per_page'] ?? 20)]
    const found = records.filter(
      (text) => body['search'] === undefined || text.includes(JSON.stringify(body['search']).slice(1, -1)),
    )
    return `{"data":[${found.slice((number - 1) * size, number * size).join(',')}],"meta":{"current_page":${number},"per_page":${size},"total":${found.length}}}`
  }
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const [path, id] = (request.url ?? '').replace('/custom/api/v1/', '').split('/') as [string, string?]
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
      const listing = path === 'shipments' || path === 'returns'
      if (listing) asked.push(body)
      const status = sent.refused[path] ?? (listing && Number(body['page'] ?? 1) > sent.lastPage ? 500 : 200)
      const answer = (): string => {
        if (status !== 200) return '{"message":"not for this key"}'
        if (listing) return page(sent[path], body)
        if (path === 'client-stores')
          return id === undefined ? `{"data":[${sent.stores.join(',')}]}` : `{"data":${sent.stores.at(-1)!}}`
        return path === 'rates' ? sent.rates : sent.order
      }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(answer())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    asked,
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** What a command came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

/** The command line in this process, in a home of its own; `columns` makes its output a terminal of that width. */
export interface Line {
  readonly home: string
  readonly shipx: (args: readonly string[], columns?: number) => Promise<Ran>
  readonly remove: () => void
}

/** The key of every line. */
export const key = 'k3y-0f-shapes-9b1c'

export function lineTo({ url }: Pick<Shapes, 'url'>): Line {
  const home = mkdtempSync(join(tmpdir(), 'shipx-shapes-'))
  const env = { SHIPX_BASE_URL: url, SHIPX_API_KEY: key, SHIPX_TIMEOUT: '30s' }
  const terminal = (columns: number) => ({ SHIPX_FORCE_TTY: String(columns), NO_COLOR: '1' })
  const here = runnerIn(home, env)
  return {
    home,
    shipx: (args, columns) => here(args, columns === undefined ? {} : terminal(columns)),
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
