// Makes dist/ and src/cli/tree.json. dist/ has the whole command line in one file (without the native module), the
// manual page, the licences of its packages and the bill of materials. The same commit makes the same bytes. Plain
// JavaScript, so that `npm install` runs it with Node alone.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { asciiProgram } from './ascii.js'
import { fontPackages, packFonts, shaperPackage } from './fonts.js'
import { lazyTree } from './lazytree.js'
import { forgetBuild, rememberBuild } from './made.js'
import { billOfMaterials } from './materials.js'
import { programOf } from './parts.js'
import { without } from './without.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
forgetBuild()

/** Commander loads this module at its start, but needs it only for a kind of command that shipx does not have. */
const withoutChildProcess = without('child_process', (importer) => importer.includes('node_modules/commander/'))

/** shipx speaks HTTP/1.1. undici itself goes on with these contents where Node has no such module. */
const withoutHttp2 = without(
  'http2',
  (importer) => importer.includes('node_modules/undici/'),
  'module.exports = { constants: {} }',
)

/**
 * The native package is optional. If its installation failed, the build continues without its JavaScript, and commands
 * that need a database say how to install it (src/cli/source/engine.ts).
 */
const withoutNative = without(
  'better-sqlite3',
  () => !existsSync(join(root, 'node_modules', 'better-sqlite3', 'package.json')),
)

/** Large packages that few commands need, each in a file of its own: otherwise every command would read them. */
const packages = {
  fastify: 'fastify',
  multipart: '@fastify/multipart',
  undici: 'undici',
  conf: 'conf',
  ora: 'ora',
  pg: 'pg',
  nodemailer: 'nodemailer',
  yauzl: 'yauzl',
  yazl: 'yazl',
  saxes: 'saxes',
}
/** Those of which a part is built, by the file that names it. */
const inPart = { undici: 'src/build/undici.cjs' }
/** The same for packages that one of our files wraps, by that file. */
const picked = {
  inquirer: 'src/cli/ask/inquirer.ts',
  echarts: 'src/cli/pages/echarts.ts',
  liquid: 'src/delivery/liquid.ts',
  html: 'src/delivery/html.ts',
  parquet: 'src/cli/parquet/library.ts',
  mcp: 'src/cli/commands/mcp/library.ts',
}

/** The entries of both tables that something imports. */
const met = new Set()

const apart = {
  name: 'packages apart',
  setup(plugin) {
    const external = (entries, wanted) => {
      const name = Object.keys(entries).find((key) => entries[key] === wanted)
      if (name === undefined) return undefined
      met.add(name)
      return { path: `./packages/${name}.cjs`, external: true }
    }
    plugin.onResolve({ filter: /^[@\w]/ }, ({ path }) => external(packages, path))
    plugin.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) =>
      external(picked, relative(root, resolve(resolveDir, path)).replaceAll('\\', '/')),
    )
  },
}

/**
 * The command tree and the manual page, from the table of commands, and what Node's own SQLite has to be: bundles the
 * modules and runs them.
 */
async function fromTable() {
  const contents = `
    export { tree } from './src/cli/commands/table.ts'
    export { manPage } from './src/build/manpage.ts'
    export { nodesWithSqlite, olderSqlite } from './src/engine/database/sqliteversion.ts'`
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  })
  const { tree, manPage, ...sqlite } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  )
  return { tree: `${JSON.stringify(tree, null, 2)}\n`, manual: manPage(tree, about.version), sqlite }
}

/** Writes a file unless it already has these bytes, so that a running shipx is not disturbed. */
function write(path, content) {
  const bytes = Buffer.from(content)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  writeFileSync(path, bytes)
}

/** The command tree in parts that are parsed when something asks for them. */
const treeInParts = {
  name: 'tree in parts',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]src[\\/]cli[\\/]tree\.json$/ }, ({ path }) => ({
      contents: lazyTree(JSON.parse(readFileSync(path, 'utf8'))),
      loader: 'js',
    }))
  },
}

/** What is the same for every text that esbuild writes. */
const written = {
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // The loader in bin/start.js provides `require` but no `import()`.
  supported: { 'dynamic-import': false },
  charset: 'ascii',
}

const common = {
  ...written,
  absWorkingDir: root,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  metafile: true,
  write: false,
  // Only the native file cannot be inside. `bindings` would look for it; we find it ourselves
  // (src/cli/source/engine.ts).
  external: ['bindings', '*.node', 'pg-native', 'pg-cloudflare'],
  define: { 'import.meta.url': 'shipxFile.url' },
  inject: [join(root, 'src', 'build', 'here.js')],
  logLevel: 'warning',
}

const { tree, manual, sqlite } = await fromTable()
// Written before the bundles, which contain it.
write(join(root, 'src', 'cli', 'tree.json'), tree)

const { conf, ora, ...classic } = packages
// One file; each command's part runs when first needed. Separate files were slower (docs/inside/performance.md).
const program = await build({
  ...common,
  entryPoints: { shipx: 'src/cli/main.ts' },
  outExtension: undefined,
  format: 'esm',
  supported: {},
  splitting: true,
  outdir: join(root, 'dist'),
  plugins: [withoutChildProcess, withoutNative, apart, treeInParts],
})
const others = await Promise.all([
  build({
    ...common,
    // Next to the program: the answers that need only the command tree, the server's reader thread, the thread that
    // reads large files of records, the process of `shipx sql`, the thread of --jq, and the one that writes long output.
    entryPoints: {
      reader: 'src/server/reader.ts',
      records: 'src/cli/imports/recordthread.ts',
      sql: 'src/cli/commands/sql/process.ts',
      jq: 'src/cli/output/jqworker.ts',
      write: 'src/cli/terminal/writethread.ts',
    },
    outdir: join(root, 'dist'),
    plugins: [withoutChildProcess, withoutNative, apart, treeInParts],
  }),
  build({ ...common, entryPoints: { quick: 'src/cli/quick.ts' }, outdir: join(root, 'dist'), plugins: [treeInParts] }),
  build({
    ...common,
    entryPoints: { ...classic, ...inPart, ...picked },
    outdir: join(root, 'dist', 'packages'),
    plugins: [withoutHttp2],
  }),
  // ES modules: `require` should return their only, default export.
  build({
    ...common,
    entryPoints: { conf, ora },
    outdir: join(root, 'dist', 'packages'),
    footer: { js: 'module.exports = module.exports.default;' },
  }),
])
const built = [program, ...others]
const outputFiles = [
  { path: join(root, 'dist', 'shipx.cjs'), text: await programOf(program.outputFiles, 'shipx.js', written) },
  ...others.flatMap((result) => result.outputFiles),
]

const unmet = [...Object.keys(packages), ...Object.keys(picked)].filter((name) => !met.has(name))
if (unmet.length > 0) throw new Error(`nothing imports what is to be a file of its own: ${unmet.join(', ')}`)

/** The packages inside the bundle, with the text of their licences. */
const folders = new Set(
  built
    .flatMap((result) => Object.keys(result.metafile.inputs))
    .map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((folder) => folder !== undefined),
)
/** The API page's files (src/server/docs.ts), copied unchanged; their package is not part of the bundle. */
const swagger = relative(root, dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))))
const pageFiles = ['swagger-ui-bundle.js', 'swagger-ui.css']
folders.add(swagger)
/** Files of labels (src/cli/labels/shaper.ts) that are packed, and no code. */
for (const name of [...fontPackages, shaperPackage]) folders.add(`node_modules/${name}`)

/** The packages of package.json that are inside. It lists them under "bundled", where a reviewer sees a change. */
const inside = Object.keys(about.devDependencies).filter((name) => folders.has(`node_modules/${name}`))
const differing = [
  ...inside.filter((name) => !about.bundled.includes(name)).map((name) => `${name} is inside and not named`),
  ...about.bundled.filter((name) => !inside.includes(name)).map((name) => `${name} is named and not inside`),
]
if (differing.length > 0) throw new Error(`"bundled" in package.json: ${differing.join('; ')}`)

/** jq itself, which its package loads from a file next to the code. */
const wasm = join(root, 'node_modules', 'jq-wasm', 'dist', 'build', 'jq.wasm')

/** Licences that a package has in addition to its own; jq-wasm ships none of jq's, so that they are here. */
const more = {
  'swagger-ui-dist': ['swagger-ui-bundle.js.LICENSE.txt'],
  echarts: ['licenses/LICENSE-d3'],
  'jq-wasm': ['../../src/build/jq-notices.txt'],
  [shaperPackage]: ['../../src/build/harfbuzz-notice.txt'],
  ...Object.fromEntries(fontPackages.map((name) => [name, ['LICENSE_FONT']])),
}
const notices = [...folders].toSorted().map((folder) => {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const file = readdirSync(path).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const parts = [file, ...(existsSync(join(path, 'NOTICE')) ? ['NOTICE'] : []), ...(more[name] ?? [])]
    .filter((entry) => entry !== undefined)
    .map((entry) => readFileSync(join(path, entry), 'utf8').trim())
  const text = parts.length === 0 ? `Licence: ${license}` : parts.join('\n\n')
  return `${name} ${version}\n\n${text}\n`
})
/** The attribution that the licence of the pincode table asks for: the second paragraph of its file's head. */
const table = readFileSync(join(root, 'src', 'domain', 'pincodes.data.ts'), 'utf8')
const attribution = /^\/\/\n((?:\/\/ .*\n)+)/m.exec(table)[1].replace(/^\/\/ /gm, '')
const parts = [...notices, `The table of pincodes\n\n${attribution}`]
const licences = `The packages inside this build and their licences.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`

mkdirSync(join(root, 'dist', 'packages'), { recursive: true })
for (const { path, text } of outputFiles) {
  const name = basename(path)
  const code = asciiProgram(text, name)
  // bin/start.js runs this one as it is: wrapping 1.8 MB at each start would copy it.
  write(path, name === 'shipx.cjs' ? Module.wrap(code) : code)
}
write(join(root, 'dist', 'LICENSES.txt'), licences)
write(join(root, 'dist', 'shipx.1'), manual)
write(join(root, 'dist', 'sbom.cdx.json'), billOfMaterials(root, [...folders].toSorted()))
const page = join(root, 'dist', 'docs')
mkdirSync(page, { recursive: true })
for (const name of pageFiles) write(join(page, name), readFileSync(join(root, swagger, name)))
for (const entry of readdirSync(page)) {
  if (!pageFiles.includes(entry)) rmSync(join(page, entry), { recursive: true })
}
write(join(root, 'dist', 'jq.wasm'), readFileSync(wasm))
packFonts(join(root, 'dist', 'fonts'))
const bundles = ['shipx.cjs', 'quick.cjs', 'reader.cjs', 'records.cjs', 'sql.cjs', 'jq.cjs', 'write.cjs', 'jq.wasm']
const wanted = new Set([...bundles, 'LICENSES.txt', 'sbom.cdx.json', 'shipx.1', 'docs', 'packages', 'fonts'])
for (const entry of readdirSync(join(root, 'dist'))) {
  if (!wanted.has(entry)) rmSync(join(root, 'dist', entry), { recursive: true })
}

/** The files below a path of the repository. */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((entry) => filesIn(join(path, entry)))
}

// npm packs the rights of files as they are, and those of a checkout depend on the umask of whoever made it.
for (const path of [...about.files, 'package.json'].flatMap((name) => filesIn(join(root, name)))) {
  const { mode } = statSync(path)
  const wanted = (mode & 0o100) === 0 ? 0o644 : 0o755
  if ((mode & 0o777) !== wanted) chmodSync(path, wanted)
}

rememberBuild()

// npm says nothing when it leaves an optional package out. Where shipx is installed, no script runs: shipx says it.
const builtFile = join(root, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node')
if (!existsSync(builtFile) && sqlite.olderSqlite(process.versions.sqlite ?? '0')) {
  process.stderr.write(
    `shipx can save no data here: npm left out better-sqlite3, and this Node has no SQLite that shipx can use. Install
Python, make and a C++ compiler (npm install --foreground-scripts shows what fails), or use
${sqlite.nodesWithSqlite}, or PostgreSQL (SHIPX_DATABASE_URL).\n`,
  )
}
