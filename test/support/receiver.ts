// A receiver of posts as merchants run them: a real server on loopback that verifies signatures with the official library.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A post as it came. */
export interface Post {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly id: string
  readonly body: string
  readonly json: { readonly type?: string; readonly event?: string; readonly data: Record<string, unknown> }
}

/** How a post is answered; nothing given is 200. */
export type Behaviour = (post: Post, answer: ServerResponse, n: number) => void | Promise<void>

/** A running receiver. */
export interface Receiver {
  readonly url: string
  readonly posts: readonly Post[]
  /** The ids of posts that came more than once. */
  readonly repeated: () => readonly string[]
  readonly behave: (behaviour: Behaviour) => void
  /** Throws when a post is not signed with the secret. */
  readonly verify: (post: Post, secret: string) => void
  readonly close: () => Promise<void>
}

/** Starts a receiver. */
export async function startReceiver(first: Behaviour = (_, answer) => void answer.end('ok')): Promise<Receiver> {
  let behaviour = first
  const posts: Post[] = []
  const server = createServer((request, answer) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('error', () => undefined)
    answer.on('error', () => undefined)
    request.on('end', () => {
      const { headers, url = '' } = request
      const json = JSON.parse(body) as Post['json']
      const post = { path: url, headers, id: String(headers['webhook-id']), body, json }
      posts.push(post)
      void behaviour(post, answer, posts.length)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/messages`,
    posts,
    repeated: () => {
      const ids = posts.map(({ id }) => id)
      return [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))]
    },
    behave: (other) => {
      behaviour = other
    },
    verify: ({ body, headers }, secret) => {
      new Webhook(secret).verify(body, headers as Record<string, string>)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a status. */
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Behaviour =>
  (_, answer) =>
    void answer.writeHead(status, headers).end(body)
