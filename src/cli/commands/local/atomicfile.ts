// Writes a file atomically: creates it next to its place for its owner alone, syncs it and renames it. The next write
// removes what dead processes left there.
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ShipxError, messageOf } from '../../../domain/errors.ts'
import { sweepBeside, syncFile, syncFolder } from '../../files/durable.ts'
import { renameOver } from '../../files/openelsewhere.ts'
import type { Io } from '../../terminal/io.ts'
import { running } from '../../config/lock.ts'
import { safe } from '../../terminal/safe.ts'

/** A file that is not in its place yet. */
export interface Beside {
  readonly path: string
  /** Writes the content to the disk. Throws `output_failed`. */
  readonly sync: () => void
  /** Renames the file into its place and syncs the folder. Throws `output_failed`. */
  readonly put: () => void
  /** Removes the file, unless it is in its place. */
  readonly drop: () => void
}

/** A file of another machine without a write for this long was left behind, ms. */
const silence = 3_600_000

/** Temporary files of this process. An earlier process may have had the same process id. */
const own = new Set<string>()

/** Creates an empty file next to a place. Throws `output_failed`. */
export function besideOf({ pid, host }: Pick<Io, 'pid' | 'host'>, place: string, folder = false): Beside {
  const machine = host.digest(hostname()).slice(0, 8)
  sweepBeside(place, (name) => leftBehind(name, place, machine, pid) || (folder && leftIn(name, machine, pid)))
  const path = `${place}.shipx-${machine}-${pid}-${host.uuid()}.tmp`
  const failing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      drop()
      throw new ShipxError('output_failed', `${safe(place)} could not be written: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
  const drop = (): void => {
    rmSync(path, { force: true })
    rmSync(`${path}-journal`, { force: true })
    own.delete(basename(path))
  }
  own.add(basename(path))
  failing(() => closeSync(openSync(path, 'wx', 0o600)))
  return {
    path,
    sync: () => failing(() => syncFile(path)),
    put: () =>
      failing(() => {
        renameOver(path, place)
        own.delete(basename(path))
        syncFolder(dirname(place))
      }),
    drop,
  }
}

const form = /^([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}\.tmp$/

/** Whether a name is that of a temporary file for the place, or of its journal, whose process no longer runs. */
function leftBehind(name: string, place: string, machine: string, pid: number): boolean {
  const start = `${basename(place)}.shipx-`
  if (!name.startsWith(start)) return false
  const file = name.replace(/-journal$/, '')
  const [, where, maker] = form.exec(file.slice(start.length)) ?? []
  if (maker === undefined) return false
  // This process cannot check a process on another machine or in another container.
  if (where !== machine)
    return Date.now() - (statSync(join(dirname(place), name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > silence
  return Number(maker) === pid ? !own.has(file) : !running(Number(maker))
}

/** Whether a name is that of a temporary file for any place, made on this machine by a process that has ended. */
function leftIn(name: string, machine: string, pid: number): boolean {
  const at = name.lastIndexOf('.shipx-')
  const [, where, maker] = form.exec(name.slice(at + '.shipx-'.length).replace(/-journal$/, '')) ?? []
  return at > 0 && where === machine && Number(maker) !== pid && !running(Number(maker))
}
