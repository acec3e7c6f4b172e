// P10: every record over HTTP through the client of the command line, against curl getting the same bytes one by one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { headers, linesType, nextFrom } from '../../src/domain/wire.ts'
import { databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { served } from './served.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const rows = 100_000
const goal = 1.3

export async function p10(setup: Setup): Promise<readonly Figure[]> {
  const common = {
    item: 'P10',
    work: '--all --jsonl of 1,00,000 over HTTP',
    against: 'curl of the same bytes',
    unit: 'x',
    goal,
  } as const
  if (!installed('curl')) return [{ ...common, value: undefined, runs: 0, note: 'curl is not installed' }]
  say('P10: everything over HTTP')
  const path = await databaseOf(setup.folder, rows)
  const service = await served(setup, path)
  try {
    const url = `${service.url}/custom/api/v1/shipments`
    const bodies = await bodiesOf(url, service.key)
    // One process of curl over one connection, with the cursor of each page known beforehand.
    const config = join(setup.folder, 'curl.txt')
    const header = [
      'authorization: Bearer ' + service.key,
      'content-type: application/json',
      'accept: application/jsonl',
    ]
      .map((line) => `header = "${line}"\n`)
      .join('')
    writeFileSync(
      config,
      bodies
        .map((body) => `url = "${url}"\n${header}data = ${JSON.stringify(body)}\noutput = "/dev/null"\n`)
        .join('next\n'),
      { mode: 0o600 },
    )
    const env = { ...environment(setup), SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    const ours = {
      command: process.execPath,
      args: [program(setup), 'shipments', 'list', '--all', '--jsonl', '-q'],
      env,
    }
    const theirs = { command: 'curl', args: ['-s', '--config', config] }
    const [a, b]: [number[], number[]] = [[], []]
    let peak = 0
    for (let i = 0; i <= setup.runs; i++) {
      // To watch the memory takes time. So only the first run is watched, which does not count.
      const [one, other] = [await runProgram({ ...ours, watch: i === 0 }), await runProgram(theirs)]
      if (i === 0) {
        peak = one.peakMb ?? 0
        continue
      }
      a.push(one.ms)
      b.push(other.ms)
    }
    const [mine, curls] = [median(a), median(b)]
    return [
      {
        ...common,
        value: mine / curls,
        runs: setup.runs,
        ours: mine,
        theirs: curls,
        note: `${bodies.length} requests`,
      },
      { item: 'P10', work: 'its memory', against: 'peak RSS', value: peak, unit: 'MB', goal: 150, runs: 1 },
    ]
  } finally {
    await service.stop()
  }
}

/** The bodies that ask for every piece of the walk, each with the cursor of the one before. */
async function bodiesOf(url: string, key: string): Promise<readonly string[]> {
  const bodies: string[] = []
  let next: ReturnType<typeof nextFrom> | undefined
  for (let n = 0; n < 1000; n++) {
    const body = JSON.stringify(next === undefined ? {} : { search_after: next.next })
    bodies.push(body)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json', accept: linesType },
      body,
    })
    await answer.arrayBuffer()
    next = nextFrom(answer.headers.get(headers.next) ?? undefined)
    if (next === undefined) throw new Error('the service did not answer in lines')
    if (next.ended) return bodies
  }
  throw new Error('the walk does not end')
}
