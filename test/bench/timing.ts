// Clocks and medians: two pieces of work timed in turn, programs timed from start to end, and their memory watched.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** A piece of work to time; what it gives is thrown away. */
export type Timed = () => unknown

/** Two pieces of work timed side by side: the medians in ms and how often each was run. */
export interface Pair {
  readonly ours: number
  readonly theirs: number
  readonly runs: number
}

/** The middle of a list of numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * One run takes at least about this many ms: what is shorter is repeated within the run. Two that are compared take longer
 * ones, so that a collection of garbage, which takes a ms or two, does not decide which is faster.
 */
const leastRun = { alone: 5, beside: 20 } as const
const mostRepeats = 1000

const repeatsFor = (ms: number, least: number = leastRun.alone): number =>
  Math.min(mostRepeats, Math.max(1, Math.ceil(least / Math.max(ms, 0.001))))

/** What time is read from, in ms. */
export type Clock = () => number

const wall: Clock = () => performance.now()

/** The processor's time of this process: for work that another program on the same cores must not lengthen. */
export const processor: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function runOf(work: Timed, repeats: number, clock = wall): Promise<number> {
  const from = clock()
  for (let i = 0; i < repeats; i++) {
    const given = work()
    if (given instanceof Promise) await given
  }
  return (clock() - from) / repeats
}

/** The medians of two pieces of work run in turn (A B A B …), after one run of each that does not count. */
export async function sideBySide(runs: number, ours: Timed, theirs: Timed, clock = wall): Promise<Pair> {
  await runOf(ours, 1)
  await runOf(theirs, 1)
  const [oursRepeats, theirsRepeats] = [
    repeatsFor(await runOf(ours, 1, clock), leastRun.beside),
    repeatsFor(await runOf(theirs, 1, clock), leastRun.beside),
  ]
  const [a, b]: [number[], number[]] = [[], []]
  for (let i = 0; i < runs; i++) {
    a.push(await runOf(ours, oursRepeats, clock))
    b.push(await runOf(theirs, theirsRepeats, clock))
  }
  return { ours: median(a), theirs: median(b), runs }
}

/** The median of one piece of work, in ms, after one run that does not count. */
export async function alone(runs: number, work: Timed, clock = wall): Promise<number> {
  await runOf(work, 1)
  const repeats = repeatsFor(await runOf(work, 1, clock))
  const times: number[] = []
  for (let i = 0; i < runs; i++) times.push(await runOf(work, repeats, clock))
  return median(times)
}

/** The times in ms of several pieces of synchronous work, each run once in every round. */
export function inTurn(rounds: number, works: readonly (() => unknown)[]): readonly number[] {
  const once = (work: () => unknown, repeats: number): number => {
    const from = processor()
    for (let i = 0; i < repeats; i++) work()
    return (processor() - from) / repeats
  }
  const repeats = works.map((work) => repeatsFor(once(work, 1)))
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, work] of works.entries()) times[i]!.push(once(work, repeats[i]!))
  return times.map(median)
}

/**
 * How a program ended: its time and the processor's in ms, the latter right where no other program of ours ran, and,
 * where the system tells, the most memory it held, in MB.
 */
export interface Ended {
  readonly ms: number
  readonly cpuMs: number
  readonly peakMb: number | undefined
}

/** How to start a program. */
export interface Start {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** File descriptor for standard output; without it the output is thrown away. */
  readonly stdout?: number
  /** Whether to watch its memory. */
  readonly watch?: boolean
}

/** Between two looks at a program's memory, in ms: its peak is kept by the system, so only its very end can be missed. */
const lookEvery = 10

function peakOf(pid: number): number | undefined {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found === null ? undefined : Number(found[1]) / 1024
  } catch {
    return undefined
  }
}

/** A tick of the processor's clock, ms. */
const tick = 10

/** The processor's time of all programs that ended, ms; NaN where the system does not tell. */
function endedCpu(): number {
  try {
    // After the name in brackets: the state, then the fields from the fourth on.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[13]) + Number(fields[14])) * tick
  } catch {
    return NaN
  }
}

/** Runs a program to its end. Throws with the end of its stderr when it fails. */
export function runProgram({ command, args, env, stdout, watch = false }: Start): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [from, cpu] = [performance.now(), endedCpu()]
    const child = spawn(command, args, { env: env ?? process.env, stdio: ['ignore', stdout ?? 'ignore', 'pipe'] })
    let said = ''
    let peakMb: number | undefined
    const look = (): void => {
      if (child.pid !== undefined) peakMb = peakOf(child.pid) ?? peakMb
    }
    const timer = watch ? setInterval(look, lookEvery) : undefined
    child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString('utf8')).slice(-2000)
    })
    child.on('error', (error) => {
      clearInterval(timer)
      reject(error)
    })
    child.on('exit', (code) => {
      const ms = performance.now() - from
      clearInterval(timer)
      if (code === 0) resolve({ ms, cpuMs: endedCpu() - cpu, peakMb })
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${said}`))
    })
  })
}

/** Runs a program with a file as its standard output. */
export async function runToFile(start: Start, file: string): Promise<Ended> {
  const stdout = openSync(file, 'w')
  try {
    return await runProgram({ ...start, stdout })
  } finally {
    closeSync(stdout)
  }
}
