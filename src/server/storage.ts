// Whether the service can save: the file is still the one that was opened, and the disk accepts writes.
import { statSync } from 'node:fs'
import { ShipxError, type Code } from '../domain/errors.ts'
import type { Database } from '../engine/database/port.ts'
import { writeNothing } from '../engine/accounts/settings.ts'

/** The storage of a service. */
export interface Storage {
  /**
   * The database; its writes throw `unavailable` when its file has been moved or replaced, and when there is no room.
   */
  readonly database: Database
  /** Throws `unavailable` while nothing can be saved. */
  readonly check: () => Promise<void>
}

/** How soon a client may try again to save, ms. */
const againMs = 10_000

/**
 * Watches a database. `path` is its file, where it is one: it must stay the file that was opened, since changes in a
 * file that was deleted or replaced are lost. `report` gets a sentence when saving becomes impossible, and when it
 * works again.
 */
export function storageOf(database: Database, path: string | undefined, report: (sentence: string) => void): Storage {
  const opened = path === undefined ? undefined : fileAt(path)
  let trouble: string | undefined
  /** Until when a write that failed counts: a small one may find room where an order found none. */
  let failedUntil = 0
  const become = (sentence: string | undefined): void => {
    if (sentence === trouble) return
    trouble = sentence
    report(sentence ?? 'saving works again')
  }
  const refuse = (sentence: string, cause?: unknown): ShipxError => {
    become(sentence)
    return new ShipxError('unavailable', sentence, { retry_after_ms: againMs, cause })
  }
  const checkFile = (): void => {
    if (path === undefined || opened === undefined || fileAt(path) === opened) return
    throw refuse('the database file was moved or replaced: put it back, or start the service again')
  }
  const write: Database['write'] = async (work) => {
    checkFile()
    try {
      const result = await database.write(work)
      // Replaced meanwhile: the change is in a file that has lost its name.
      checkFile()
      if (trouble !== undefined && performance.now() >= failedUntil) become(undefined)
      return result
    } catch (error) {
      const code = error instanceof ShipxError ? error.code : undefined
      const sentence = code === undefined ? undefined : troubles[code]
      if (sentence === undefined) throw error
      failedUntil = performance.now() + againMs
      throw refuse(sentence, error)
    }
  }
  return {
    database: { ...database, write },
    check: async () => {
      checkFile()
      if (trouble === undefined) return
      if (performance.now() < failedUntil) throw refuse(trouble)
      await write(writeNothing)
    },
  }
}

/** What keeps the database from being written, as the service reports it. */
const troubles: Readonly<Partial<Record<Code, string>>> = {
  database_full: 'the disk of the database is full or failing',
  database_read_only: 'the database cannot be written',
  too_many_files: 'the service may open no more files',
}

/** What distinguishes the file at a path from any other one; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}
