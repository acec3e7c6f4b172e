// L9: what a deployment can make the command hold in memory: answers of 19 MB that are nothing but brackets, values or long
// numbers, and a walk by page through more than a million records.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { watched } from './r13.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** Bytes of an answer at full size, records of the walk, and the most memory that each may take, MB. */
const [bytes, records, mostAnswer, mostWalk] = [19_000_000, 1_100_000, 200, 150]

/** Answers by what they are full of: what stands before, again and again, and at the end. */
const crowds: Readonly<Record<string, readonly [head: string, one: string, tail: string]>> = {
  lists: ['{"data":[', '[],', '[]]}'],
  objects: ['{"data":[', '{},', '{}]}'],
  'lists inside a record': ['{"data":[{"id":"1","attributes":{"a":[', '[],', '[]]}}],"meta":{}}'],
  ids: ['{"data":[', '{"id":1},', '{"id":1}]}'],
  'empty text': ['{"data":[{"id":"1","a":[', '"",', '""]}]}'],
  numbers: ['{"data":[{"id":"1","a":[', '1.5,', '1]}]}'],
  'long numbers': ['{"data":[{"id":"1","a":[', '12345678901234567,', '1]}]}'],
}

const lists: readonly (readonly string[])[] = [
  ['shipments', 'list', '--json'],
  ['shipments', 'list', '--all', '--jsonl'],
  ['returns', 'list'],
]

/** The row: answers and walk at so much of their size. A sample has one command for each answer, in turn. */
export const l9 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const [long, many] = [share(size, bytes, 6_000_000), share(size, records, 5000)]
    const faults: string[] = []
    let [most, walked, tried] = [0, 0, 0]
    for (const [n, [what, [head, one, tail]]] of Object.entries(crowds).entries()) {
      const answer = head + one.repeat(Math.ceil(long / one.length)) + tail
      await answering(
        () => answer,
        async (url) => {
          for (const args of size === 1 ? lists : [lists[n % lists.length]!]) {
            const { rss, exit, stderr } = await watched(args, url, { patience: '60s' })
            tried++
            most = Math.max(most, rss)
            if (rss > mostAnswer) faults.push(`${args.join(' ')}: ${what} took ${rss} MB`)
            if (exit !== 6 || !/answered with more values|listed something that is not a record/.test(stderr))
              faults.push(`${args.join(' ')}: ${what} ended with ${exit}: ${stderr.slice(0, 200)}`)
          }
        },
      )
    }
    await answering(
      (body) => pageOf(many, body),
      async (url) => {
        const { rss, exit, lines, stderr } = await watched(['shipments', 'list', '--all', '--jsonl'], url, {
          most: 1_800_000,
          patience: '60s',
        })
        tried++
        walked = rss
        if (rss > mostWalk) faults.push(`a walk through ${many} records took ${rss} MB`)
        if (exit !== 0 || lines !== many)
          faults.push(`a walk through ${many} records ended with ${exit} after ${lines}: ${stderr.slice(0, 200)}`)
      },
    )
    return {
      row: 'L9',
      what: `${Object.keys(crowds).length} answers of ${Math.round(long / 1e6)} MB full of values, and a walk by page through ${many.toLocaleString('en-IN')} records`,
      tried,
      result: `${most} MB at most for an answer, ${walked} MB for the walk`,
      target: `refused, within ${mostAnswer} MB; each record once, within ${mostWalk} MB`,
      faults: summed(faults),
    }
  })

/** A page of small records, as deployments without cursors send it. */
function pageOf(count: number, body: string): string {
  const { page = 1, per_page: size = 20 } = JSON.parse(body === '' ? '{}' : body) as {
    page?: number
    per_page?: number
  }
  const from = (page - 1) * size
  const shown = Array.from(
    { length: Math.max(0, Math.min(count, from + size) - from) },
    (_, n) => `{"id":"SHI${String(from + n).padStart(10, '0')}","attributes":{"created_at":"2026-09-21T10:00:00Z"}}`,
  )
  return `{"data":[${shown.join(',')}],"meta":{"current_page":${page},"per_page":${size},"total":${count}}}`
}

/** Runs work against a server that lists no stores and answers everything else so. */
async function answering(answer: (body: string) => string, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(request.url?.includes('client-stores') === true ? '{"data":[]}' : answer(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
