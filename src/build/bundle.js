// Makes dist/: one small entry and a chunk for each command, everything bundled but the native module, with the licences
// of what is inside. Plain JavaScript, so that `npm install` needs nothing but esbuild.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  charset: 'utf8',
  chunkNames: 'chunks/[name]-[hash]',
  // The native file is the one thing that cannot be inside; bindings looks for it, which we do ourselves (src/cli/connect.ts).
  external: ['bindings', '*.node'],
  define: { SHIPX_VERSION: JSON.stringify(version) },
  // Packages written for CommonJS ask for Node's own modules by require.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'warning',
})

/** The packages that went into the bundle, with the text of their licences. */
const folders = new Set(
  Object.keys(metafile.inputs)
    .map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((folder) => folder !== undefined),
)
const notices = [...folders].toSorted().map((folder) => {
  const path = join(root, folder)
  const { name, version: number, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const file = readdirSync(path).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(path, file), 'utf8').trim()
  return `${name} ${number}\n\n${text}\n`
})
const licences = `The packages inside this build and their licences.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`

// What is there already and the same stays untouched, so that a build never disturbs a shipx that is running.
const wanted = new Map(outputFiles.map((file) => [file.path, file.text]))
wanted.set(join(root, 'dist', 'LICENSES.txt'), licences)
mkdirSync(join(root, 'dist', 'chunks'), { recursive: true })
for (const [path, text] of wanted) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
for (const entry of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const path = join(root, 'dist', entry)
  if (!wanted.has(path) && statSync(path).isFile()) rmSync(path)
}
