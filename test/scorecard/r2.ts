// R2 and R5: an import that dies, or whose disk fails, at each single write or sync that it makes (strace puts that in).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { deskOf, storesCsv, storesOf, type Desk } from '../support/imports.ts'
import { sample, summed, timed, type Finding, type Size } from './row.ts'

/** Whether strace is there and may do it. */
export const canTrace = (): boolean =>
  spawnSync('bash', ['-c', 'strace -qq -e trace=write -o /dev/null true']).status === 0

const calls = ['pwrite64', 'write', 'fsync', 'fdatasync'] as const
type Call = (typeof calls)[number]

const rows = 200
const args = ['stores', 'import', 'stores.csv', '--yes', '--quiet', '--json']

function withFile(): Desk {
  const desk = deskOf()
  desk.write('stores.csv', storesCsv(rows))
  return desk
}

/** How often the import makes each call, in the thread that makes it most. */
async function countCalls(): Promise<ReadonlyMap<Call, number>> {
  const desk = withFile()
  try {
    const under = ['strace', '-f', '-qq', '-e', `trace=${calls.join(',')}`, '-o', desk.path('trace')]
    await desk.run(args, { under })
    const counts = new Map<string, number>()
    for (const line of desk.read('trace').split('\n')) {
      const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? []
      if (call !== undefined) counts.set(`${thread} ${call}`, (counts.get(`${thread} ${call}`) ?? 0) + 1)
    }
    const most = (call: Call): number =>
      Math.max(0, ...[...counts].filter(([key]) => key.endsWith(` ${call}`)).map(([, n]) => n))
    return new Map(calls.map((call) => [call, most(call)]))
  } finally {
    desk.clear()
  }
}

/** Does something at so many of the calls, one at a time; gives how many there are and how often it took effect. */
async function atEach(
  size: Size,
  faults: string[],
  what: readonly string[],
): Promise<{ readonly points: number; readonly hit: number }> {
  const counts = await countCalls()
  const all = [...counts].flatMap(([call, n]) => Array.from({ length: n }, (_, i) => [call, i + 1] as const))
  const points = sample(all, size, 12).flatMap((point) => what.map((effect) => [...point, effect] as const))
  let hit = 0
  for (const [call, nth, effect] of points) {
    const desk = withFile()
    try {
      const under = [
        'strace',
        '-f',
        '-qq',
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${call}:${effect}:when=${nth}`,
        '-o',
        desk.path('trace'),
      ]
      const place = `${effect} at ${call} ${nth}`
      const ran = await desk.run(args, { under })
      if (effect.startsWith('signal') ? ran.exit !== 0 : readFileSync(desk.path('trace'), 'utf8').includes('INJECTED'))
        hit++
      if (desk.there('data/shipx.sqlite')) {
        if (desk.sound() !== 'ok') faults.push(`${place}: damaged`)
        if (ran.exit === 0 && desk.stores().length !== rows)
          faults.push(`${place}: exit 0 with ${desk.stores().length} rows`)
      }
      if (typeof ran.exit === 'number' && ![0, 1, 2, 6, 7, 137].includes(ran.exit))
        faults.push(`${place}: exit ${ran.exit}`)
      if (ran.stderr.includes('    at ')) faults.push(`${place}: a stack trace`)
      const again = await desk.run(args)
      if (again.exit !== 0)
        faults.push(`${place}: the next run ended with ${again.exit}: ${again.stderr.slice(0, 150)}`)
      else if (JSON.stringify(desk.stores()) !== JSON.stringify(storesOf(rows)))
        faults.push(`${place}: not the rows of the file`)
    } finally {
      desk.clear()
    }
  }
  return { points: points.length, hit }
}

/** R2: a kill at so many of the writes and syncs. */
export const r2 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const { points, hit } = await atEach(size, faults, ['signal=KILL'])
    if (hit < points / 2) faults.push(`only ${hit} of ${points} kills took effect`)
    return {
      row: 'R2',
      what: `an import of ${rows} rows, killed at a write or sync`,
      tried: points,
      result: `${hit} of ${points} points were reached; each recovers`,
      target: 'every point recovers, integrity ok',
      faults: summed(faults),
    }
  })

/** R5: a failing disk, and a full one, at so many of the writes and syncs. */
export const r5 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const { points, hit } = await atEach(size, faults, ['error=EIO', 'error=ENOSPC'])
    if (hit < points / 2) faults.push(`only ${hit} of ${points} errors took effect`)
    return {
      row: 'R5',
      what: `an import of ${rows} rows, EIO or ENOSPC at a write or sync`,
      tried: points,
      result: `${hit} of ${points} errors took effect`,
      target: '0 corrupt, 0 rows reported saved that are missing',
      faults: summed(faults),
    }
  })
