// The types of lazytree.js, which the build runs before TypeScript is available.
import type { Tree } from '../cli/command/tree.ts'

export function lazyTree(tree: Tree): string
