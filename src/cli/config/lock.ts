// A lock between processes: a file that only one of them can create, and that another takes over when its owner is
// dead.
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { openElsewhere as passing, removeFile } from '../files/openelsewhere.ts'
import { safe } from '../terminal/safe.ts'

/** How long to wait for another process, ms. */
const patience = 10_000
/** No work under the lock takes this long, ms. An older lock was left behind, whichever process made it. */
const oldest = 60_000
/**
 * A process writes a lock right after it creates the file, ms. An older empty file means that the process died in
 * between.
 */
const unwritten = 5000

/** A lock file as it was found: its identity, its owner, and its age in ms. */
interface Seen {
  readonly identity: string
  readonly pid: number | undefined
  readonly host: string | undefined
  readonly age: number
}

/** The content of a lock file. */
const form = /^(\d+) ([0-9a-f-]{36}) (.*)$/

/** Locks that this process holds. An earlier process may have had the same process id. */
const held = new Set<string>()

/**
 * Runs `work` while no other process runs work under the same path. Waits up to 10 s, then throws `unavailable`; throws
 * `output_failed` when it cannot create a file there. Call `stillOurs` right before a change: it throws when this
 * process slept so long that another took the lock.
 */
export async function locked<T>(path: string, pid: number, work: (stillOurs: () => void) => Promise<T>): Promise<T> {
  let [mine, waited] = [take(path, pid), 0]
  for (let pause = 4; mine === undefined; pause = Math.min(pause * 1.5, 50)) {
    if (waited > patience) {
      const holder = look(path)?.pid
      throw new ShipxError(
        'unavailable',
        `${safe(path)} is held by ${holder === undefined ? 'another shipx' : `process ${holder}`}`,
        {
          hint: 'try again; when no shipx is running, delete that file',
        },
      )
    }
    // The random part keeps waiting processes from retrying all at once.
    const began = performance.now()
    await wait(1 + Math.random() * pause)
    // A process that was stopped meanwhile has not waited.
    waited += Math.min(performance.now() - began, 200)
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
    if (look(path)?.identity === ours) letGo(path)
  }
}

/**
 * Creates the lock or takes over a dead one. Returns its identity, or undefined when another process holds it. It never
 * simply deletes a dead lock: between the look and the delete, a living process could have replaced it. Instead it
 * creates a second lock, named after this one dead file. Its owner alone may replace the dead lock, by moving the
 * second one into its place.
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
  letGo(right)
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
  // This process cannot check a process on another machine or in another container.
  if (host !== hostname()) return false
  return pid === own ? !held.has(identity) : !running(pid)
}

/** Whether a process runs on this machine. */
export function running(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The work is done. A lock that cannot be removed is dead as soon as this process has ended. */
function letGo(path: string): void {
  try {
    removeFile(path)
  } catch {
    // Windows, where another program holds the file.
  }
}

const cannot = (path: string, error: unknown): ShipxError =>
  new ShipxError('output_failed', `${safe(path)} cannot be made: ${messageOf(error)}`, { cause: error })
