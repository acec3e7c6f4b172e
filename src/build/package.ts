// Makes shipx as one file for each kind of computer, and what a release needs beside them, in the folder release/:
//   npm run package                        for this computer
//   npm run package -- --all               for every target of single/targets.ts
//   npm run package -- --url https://...   the folder that the archives will be downloaded from
// docs/inside/singlefile.md says how.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { assetsOf } from './single/assets.ts'
import { tarGz, zip, type Entry } from './single/archive.ts'
import { nodeOf } from './single/nodes.ts'
import { filled, formula, scoop, sumsOf, type Archive, type Release } from './single/papers.ts'
import { programOf } from './single/program.ts'
import { makerFor, ownTarget, programName, targets, type Target } from './single/targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version, description, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly description: string
  readonly homepage?: string
}
const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    url: { type: 'string', default: `https://downloads.example.com/shipx/v${version}` },
    out: { type: 'string', default: join(root, 'release') },
  },
})
const out = values.out
const work = join(out, 'work')

/** What lies beside the program in each archive, by its path there. */
function papersOf(licence: string): readonly (readonly [string, string])[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  const doc = 'share/doc/shipx'
  return [
    ['share/man/man1/shipx.1', 'dist/shipx.1'],
    ['share/bash-completion/completions/shipx', 'completions/shipx.bash'],
    ['share/zsh/site-functions/_shipx', 'completions/_shipx'],
    ['share/fish/vendor_completions.d/shipx.fish', 'completions/shipx.fish'],
    [`${doc}/shipx.ps1`, 'completions/shipx.ps1'],
    [`${doc}/LICENSE`, 'LICENSE'],
    [`${doc}/LICENSES.txt`, 'dist/LICENSES.txt'],
    [`${doc}/sbom.cdx.json`, 'dist/sbom.cdx.json'],
    [`${doc}/CHANGELOG.md`, 'CHANGELOG.md'],
    ...pages.toSorted().map((name) => [`${doc}/${name.replaceAll('\\', '/')}`, join('docs', name)] as const),
  ]
    .map(([name, path]) => [name!, join(root, path!)] as const)
    .concat([[`${doc}/LICENSE.node`, licence]])
}

async function archiveOf(target: Target, program: string, licence: string): Promise<Archive> {
  const name = `shipx-${version}-${target.name}`
  const entries: readonly Entry[] = [
    { name: `${name}/bin/${programName(target)}`, path: program, runs: true },
    ...papersOf(licence).map(([path, source]) => ({ name: `${name}/${path}`, path: source, runs: false })),
  ]
  const bytes = target.archive === 'zip' ? await zip(entries) : await tarGz(entries)
  const file = `${name}.${target.archive}`
  writeFileSync(join(out, file), bytes)
  return { target, file, sum: createHash('sha256').update(bytes).digest('hex') }
}

async function main(): Promise<void> {
  const own = ownTarget(process)
  if (own === undefined) throw new Error(`no program is made on ${process.platform} ${process.arch}`)
  execFileSync(process.execPath, [join(root, 'src', 'build', 'bundle.js')], { stdio: 'inherit' })
  rmSync(out, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const nodes = join(root, 'node_modules', '.cache', 'shipx-nodes')
  const assets = await assetsOf(root, join(work, 'assets'))
  const archives: Archive[] = []
  for (const target of values.all === true ? targets : [own]) {
    const { program: node } = nodeOf(target.node, nodes)
    const { program: maker, licence } = nodeOf(makerFor(target, own), nodes)
    const program = await programOf(target, { assets, node, maker }, join(work, target.name))
    const placed = join(out, target.name, programName(target))
    mkdirSync(dirname(placed))
    cpSync(program, placed)
    archives.push(await archiveOf(target, program, licence))
  }
  writePapers({ version, about: description, homepage: homepage ?? values.url, url: values.url, archives })
  rmSync(work, { recursive: true })
}

function writePapers(release: Release): void {
  const template = (name: string): string =>
    filled(readFileSync(join(root, 'src', 'build', 'single', name), 'utf8'), release)
  const manifest = scoop(release)
  const papers: readonly (readonly [string, string])[] = [
    ['shipx.rb', formula(release)],
    ...(manifest === undefined ? [] : [['shipx.json', manifest] as const]),
    ['install.sh', template('install.sh')],
    ['Dockerfile', template('Dockerfile')],
    ['sbom.cdx.json', readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8')],
  ]
  for (const [file, text] of papers) writeFileSync(join(out, file), text)
  chmodSync(join(out, 'install.sh'), 0o755)
  const others = papers.map(([file, text]) => ({ file, sum: createHash('sha256').update(text).digest('hex') }))
  writeFileSync(join(out, 'SHA256SUMS'), sumsOf([...release.archives, ...others]))
}

await main()
