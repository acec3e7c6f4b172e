// Programs for tests that run a module of this repository in many processes: one file each, which starts in an instant.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './checkout.ts'

/** Bundles a module, named from the root of the repository, into a file that Node runs; gives the path of that file. */
export async function bundled(module: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [join(root, module)],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'silent',
    // The file lies elsewhere: modules are looked for from the root.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'package.json')).href) },
  })
  return outfile
}
