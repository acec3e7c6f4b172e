// The sources as JavaScript that Node runs as it is: a module for each of them, with nothing but the types taken out, as tsx
// does it anew in every process.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { root } from './checkout.ts'

const tree = join('src', 'cli', 'tree.json')

/** Writes them into a folder of the checkout, where they find its packages; gives the folder and the program in it. */
export async function plainSources(): Promise<{ readonly folder: string; readonly program: string }> {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'shipx-sources-'))
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts', 'test/support/source.ts'],
    outbase: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    write: false,
  })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const { path, text } of outputFiles)
    write(
      path,
      text
        .replace(/(\bfrom |\bimport\(|\bimport )"(\.[^"]+)\.ts"/g, '$1"$2.mjs"')
        .replace(/(\bfrom )"(\.[^"]+\.json)"(?: with \{ type: "json" \})?/g, '$1"$2.mjs"'),
    )
  write(join(folder, `${tree}.mjs`), `export default ${readFileSync(join(root, tree), 'utf8')}`)
  return { folder, program: join(folder, 'test', 'support', 'source.mjs') }
}
