// Node for each target, from its package at npm: downloaded once, and checked against its hash each time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import hashes from './nodes.json' with { type: 'json' }
import type { NodePackage } from './targets.ts'

/** A Node that is unpacked: its program and its licence, which the packages for Windows lack. */
export interface UnpackedNode {
  readonly program: string
  readonly licence: string
}

/** Gets a Node into a folder. Throws where npm cannot be reached, and for other bytes than expected. */
export function nodeOf(wanted: NodePackage, folder: string): UnpackedNode {
  mkdirSync(folder, { recursive: true })
  const name = wanted.replace('@', '-')
  const tarball = join(folder, `${name}.tgz`)
  if (!existsSync(tarball)) {
    // npm installs no package for another system, but packs any.
    const args = ['pack', wanted, '--silent', '--pack-destination', folder]
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 })
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (found !== hashes[wanted]) {
    rmSync(tarball)
    throw new Error(`${wanted} has other bytes than nodes.json says: ${found}`)
  }
  const unpacked = join(folder, name)
  if (!existsSync(unpacked)) {
    const half = `${unpacked}.${process.pid}`
    mkdirSync(half)
    execFileSync('tar', ['xzf', tarball, '-C', half, '--exclude=package/include'])
    renameSync(half, unpacked)
  }
  const program = join(unpacked, 'package', 'bin', wanted.startsWith('node-win-') ? 'node.exe' : 'node')
  return { program, licence: join(unpacked, 'package', 'LICENSE') }
}
