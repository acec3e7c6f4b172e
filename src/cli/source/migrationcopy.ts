// The copy of a database that shipx keeps before it updates the schema.
import { closeSync, openSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Backups } from '../../engine/database/sqliteupdate.ts'
import { sweepBeside, syncFile, syncFolder } from '../files/durable.ts'
import { renameOver } from '../files/openelsewhere.ts'
import type { Io } from '../terminal/io.ts'

/**
 * Copies next to a database, readable by their owner alone and named `<file>.schema-<n>.bak`. `onKept` receives that
 * name.
 */
export function copiesBeside({ host }: Pick<Io, 'host'>, onKept: (kept: string) => void): Backups {
  return {
    make: (file, schema) => {
      // Only one process at a time makes a copy, so an unfinished one comes from a process that died.
      const start = `${basename(file)}.schema-`
      sweepBeside(file, (name) => name.startsWith(start) && /\.tmp(?:-journal)?$/.test(name))
      const copy = `${file}.schema-${schema}.${host.uuid()}.tmp`
      closeSync(openSync(copy, 'wx', 0o600))
      return copy
    },
    keep: (copy, file, schema) => {
      const kept = `${file}.schema-${schema}.bak`
      syncFile(copy)
      renameOver(copy, kept)
      syncFolder(dirname(file))
      onKept(kept)
    },
    drop: (copy) => {
      for (const end of ['', '-journal']) rmSync(`${copy}${end}`, { force: true })
    },
  }
}
