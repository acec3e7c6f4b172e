// Requests as a program of nobody's making sends them: node:http, kept connections, every answer whole with its time.
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** An answer. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly ms: number
}

/** Somebody who asks a service. */
export interface Asker {
  /** Sends a request; `key` is the whole Authorization header, or undefined for none. Throws when no answer comes in 30 s. */
  readonly ask: (
    method: string,
    path: string,
    key: string | undefined,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answered>
  readonly close: () => void
}

const base = '/custom/api/v1'

/** Somebody with so many connections to a service. */
export function askerOf(url: string, connections = 16): Asker {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: (method, path, key, body, more = {}) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
        // prettier-ignore
        const sent = request(
          {
            hostname,
            port,
            agent,
            method,
            path: path.startsWith('!') ? path.slice(1) : base + path,
            timeout: 30_000,
            headers: {
              ...(key === undefined ? {} : { authorization: key }),
              ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
              ...more,
            },
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: Buffer.concat(chunks).toString(),
                ms: performance.now() - began,
              }),
            )
          },
        )
        sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')))
        sent.on('error', reject)
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}

/** A client that asks again and again, 4 at a time with a breath of so many ms between: the ms of each answer. */
export async function asking(
  { ask }: Asker,
  key: string,
  seconds: number,
  faults: string[],
  breath = 5,
): Promise<readonly number[]> {
  const until = performance.now() + seconds * 1000
  const times: number[] = []
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      try {
        const { status, ms } = await ask('POST', '/shipments', key, { per_page: 20 })
        times.push(ms)
        if (status !== 200) faults.push(`a client that does no harm got ${status}`)
      } catch (error) {
        faults.push(`a client that does no harm got ${error instanceof Error ? error.message : String(error)}`)
      }
      await wait(breath)
    }
  }
  await Promise.all([one(), one(), one(), one()])
  return times
}
