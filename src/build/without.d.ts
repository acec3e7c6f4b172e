// The types of without.js, which the build runs before TypeScript is available.
import type { Plugin } from 'esbuild'

export function without(module: string, where: (importer: string) => boolean, contents?: string): Plugin
