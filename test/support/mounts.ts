// Small disks and folders that can only be read, mounted for a test where this system lets it; nothing where it does not.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bash = (line: string, ...words: readonly string[]): boolean =>
  process.platform === 'linux' && spawnSync('bash', ['-c', line, ...words]).status === 0

/** Mounts a disk of so many KB at a folder; whether that worked. */
export const smallDiskAt = (folder: string, kb: number): boolean =>
  bash('mount -t tmpfs -o size="$1"k tmpfs "$0"', folder, String(kb))

/** Lets a folder be read only; whether that worked. */
export const readOnlyAt = (folder: string): boolean =>
  bash('mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"', folder)

/** Takes away what was mounted at a folder. */
export const unmount = (folder: string): boolean => bash('umount "$0"', folder)

function works(mount: (folder: string) => boolean): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'shipx-mount-'))
  const done = mount(probe)
  if (done) unmount(probe)
  rmdirSync(probe)
  return done
}

/** Whether both can be mounted here. */
export const canMount = works((folder) => smallDiskAt(folder, 64)) && works(readOnlyAt)
