// A lock between processes: a file that only one of them can make, taken over when its maker is dead; knows nothing of
// what it guards.
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { safe } from '../terminal/safe.ts'

/** How long to wait for another process, ms. */
const patience = 10_000
/** No work under the lock takes this long, ms: an older lock was left behind, whatever process made it. */
const oldest = 60_000
/**
 * A lock is written right after it is made, ms: an empty one that is older was left by a process that died in between.
 */
const unwritten = 5000

/**
 * A lock file as it was found: what distinguishes it from any other of the same path, whose it is, and its age in ms.
 */
interface Seen {
  readonly identity: string
  readonly pid: number | undefined
  readonly host: string | undefined
  readonly age: number
}

/** What a lock file says. */
const form = /^(\d+) ([0-9a-f-]{36}) (.*)$/

/** Locks that this very process holds: another one may have had its number before. */
const held = new Set<string>()

/**
 * Does work while no other process does work under the same path. Waits for up to 10 s, then throws `unavailable`;
 * throws `output_failed` when no file can be made there. `stillOurs` throws when this process slept until others went
 * on without it: to be asked right before something is changed.
 */
export async function locked<T>(path: string, pid: number, work: (stillOurs: () => void) => Promise<T>): Promise<T> {
  const until = performance.now() + patience
  let mine = take(path, pid)
  for (let pause = 4; mine === undefined; pause = Math.min(pause * 1.5, 50)) {
    if (performance.now() > until) {
      const holder = look(path)?.pid
      throw new ShipxError(
        'unavailable',
        `${safe(path)} is held by ${holder === undefined ? 'another shipx' : `process ${holder}`}`,
        {
          hint: 'try again; when no shipx is running, delete that file',
        },
      )
    }
    // Chance keeps waiting processes from coming back all at once.
    await wait(1 + Math.random() * pause)
    mine = take(path, pid)
  }
  const ours = mine
  held.add(ours)
  try {
    return await work(() => {
      if (look(path)?.identity !== ours)
        throw new ShipxError('unavailable', `${safe(path)} was taken over by another process; nothing was changed`)
    })
  } finally {
    held.delete(ours)
    if (look(path)?.identity === ours) rmSync(path, { force: true })
  }
}

/**
 * Makes the lock, or takes a dead one over; returns its identity, or undefined when another process has it. A lock is
 * never simply deleted for being dead: between looking and deleting it could be another, living one. Instead a second
 * lock, named after this one dead file, is the right to replace it, and is then moved into its place.
 */
function take(path: string, pid: number): string | undefined {
  const made = make(path, pid)
  if (made !== undefined) return made
  const seen = look(path)
  if (seen === undefined || !dead(seen, pid)) return undefined
  const right = `${path}.${seen.identity}`
  const mine = take(right, pid)
  if (mine === undefined) return undefined
  try {
    if (look(path)?.identity === seen.identity) {
      renameSync(right, path)
      return mine
    }
  } catch (error) {
    if (!passing(error) && codeOf(error) !== 'ENOENT') throw cannot(path, error)
  }
  rmSync(right, { force: true })
  return undefined
}

function make(path: string, pid: number): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || passing(error)) return undefined
    throw cannot(path, error)
  }
  try {
    const identity = crypto.randomUUID()
    writeSync(descriptor, `${pid} ${identity} ${hostname()}`)
    return identity
  } catch (error) {
    rmSync(path, { force: true })
    throw cannot(path, error)
  } finally {
    closeSync(descriptor)
  }
}

function look(path: string): Seen | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || passing(error)) return undefined
    throw cannot(path, error)
  }
  try {
    const [, pid, identity, host] = form.exec(readFileSync(descriptor, 'utf8')) ?? []
    const { ino, mtimeMs } = fstatSync(descriptor)
    const age = Date.now() - mtimeMs
    return identity === undefined
      ? { identity: `${ino}-${mtimeMs}`, pid: undefined, host: undefined, age }
      : { identity, pid: Number(pid), host, age }
  } catch (error) {
    throw cannot(path, error)
  } finally {
    closeSync(descriptor)
  }
}

function dead({ identity, pid, host, age }: Seen, own: number): boolean {
  if (age > oldest) return true
  if (pid === undefined) return age > unwritten
  // A process of another machine or container cannot be asked.
  if (host !== hostname()) return false
  return pid === own ? !held.has(identity) : !running(pid)
}

/** Whether a process of this machine is there. */
export function running(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Windows refuses for a moment what another process is just closing or deleting. */
const passing = (error: unknown): boolean =>
  process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))

const cannot = (path: string, error: unknown): ShipxError =>
  new ShipxError('output_failed', `${safe(path)} cannot be made: ${messageOf(error)}`, { cause: error })
