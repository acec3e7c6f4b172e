// What makes files last and folders tidy: syncs, and the removal of what was left next to a place.
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Syncs a file that nothing has open. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Syncs what a folder lists, where the system lets a folder be opened. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Windows and some network disks do it by themselves, or not at all.
  }
}

/** Removes the files next to a place whose names say that they are left over. */
export function sweepBeside(place: string, leftOver: (name: string) => boolean): void {
  const folder = dirname(place)
  try {
    for (const name of readdirSync(folder)) if (leftOver(name)) rmSync(join(folder, name), { force: true })
  } catch {
    // What cannot be swept stays; the next write there reports it.
  }
}
