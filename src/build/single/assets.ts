// What is inside the one file: the build, with each file of code wrapped as a module.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

/** The files of the build that the program reads; the others go into the archive. */
const read = /^(?:(?:packages\/)?\w+\.cjs|jq\.wasm|docs\/.+|fonts\/.+)$/

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

/**
 * Writes the files into a folder. Returns the path of each by its name inside; `main.cjs` is the main script and the
 * code of each thread.
 */
export async function assetsOf(root: string, folder: string): Promise<Readonly<Record<string, string>>> {
  const dist = join(root, 'dist')
  const assets: Record<string, string> = {
    'package.json': join(root, 'package.json'),
    'pages.md': join(root, 'docs', 'README.md'),
  }
  for (const path of filesIn(dist)) {
    const name = relative(dist, path).replaceAll('\\', '/')
    if (!read.test(name)) continue
    assets[name] = path
    // The build has wrapped shipx.cjs: bin/start.js runs it like this too.
    if (!name.endsWith('.cjs') || name === 'shipx.cjs') continue
    assets[name] = join(folder, name)
    mkdirSync(dirname(assets[name]), { recursive: true })
    writeFileSync(assets[name], Module.wrap(readFileSync(path, 'latin1')), 'latin1')
  }
  assets['main.cjs'] = join(folder, 'main.cjs')
  await build({
    entryPoints: [join(root, 'src', 'build', 'single', 'main.js')],
    outfile: assets['main.cjs'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    minify: true,
    charset: 'ascii',
    logLevel: 'warning',
    // bin/start.js names them where it starts the package that npm installs.
    external: ['../package.json', '../dist/quick.cjs'],
  })
  return assets
}
