// Runs the packed program with several releases of Node, and prints a table of what differs from the first one that can
// save data. `npm run nodes` runs it, on Linux x64. npm installs the tarball with each Node and runs no script, as for
// users who forbid them: better-sqlite3 has no built file then. A second run has the file of this checkout.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { nodeOf } from '../../src/build/single/nodes.ts'
import { root } from '../support/checkout.ts'
import { nodesFolder, releases } from './releases.ts'

/** What doctor says of the module for SQLite. */
const moduleLine = 'doctor --json --jq .data.checks[]|select(.id=="native_module").found'

/** Ten commands, in their order; a blank inside a word is `~`. */
const tour: readonly string[] = [
  '--version',
  'rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --cod 1499',
  moduleLine,
  'local seed --quiet',
  'shipments list --limit 5',
  'shipments summary --by courier --since 30d',
  'sql select~status,count(*)~from~shipments~group~by~1~order~by~1',
  'stores create --name acme --brand Acme --quiet',
  'report --since 30d --out report.html',
  'local check',
]

/** What a command came to. */
interface Outcome {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The outcomes of the tour with one Node and one module for SQLite. */
interface Run {
  readonly name: string
  readonly outcomes: readonly Outcome[]
}

/** Installs the tarball with a Node, and returns the folder of the package. */
function installed(node: string, tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']!}` }
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['install', ...flags, '--prefix', folder, tarball], { env, stdio: 'inherit' })
  return join(folder, 'node_modules', 'shipx')
}

function tourWith(node: string, own: string, folder: string): readonly Outcome[] {
  mkdirSync(folder, { recursive: true })
  const env = {
    PATH: dirname(node),
    HOME: folder,
    SHIPX_DATA_DIR: join(folder, 'data'),
    SHIPX_NOW: '2026-09-29T08:30:00Z',
    TZ: 'UTC',
  }
  return tour.map((line) => {
    const words = line.split(' ').map((word) => word.replaceAll('~', ' '))
    const { status, stdout, stderr } = spawnSync(node, [join(own, 'bin', 'shipx.js'), ...words], {
      env,
      cwd: folder,
      encoding: 'utf8',
    })
    // Folders and the ids of new records differ from run to run.
    const plain = (text: string): string =>
      text
        .replaceAll(folder, '~')
        .replaceAll(dirname(dirname(own)), '.')
        .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    return { exit: status, stdout: plain(stdout), stderr: plain(stderr) }
  })
}

/** The commands that came to something else than usual, with their exit codes. */
const differing = (usual: Run, { outcomes }: Run): readonly string[] =>
  tour.flatMap((line, i) => {
    const [one, other] = [usual.outcomes[i]!, outcomes[i]!]
    if (line === moduleLine || (one.exit === other.exit && one.stdout === other.stdout && one.stderr === other.stderr))
      return []
    return [`${line.split(' ').slice(0, 2).join(' ')} (exit ${String(other.exit)})`]
  })

/** A row for each run: its module for SQLite, and what differs from the first run in which every command succeeded. */
function tableOf(runs: readonly Run[]): string {
  const usual = runs.find(({ outcomes }) => outcomes.every(({ exit }) => exit === 0)) ?? runs[0]!
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const rows = runs.map((run) => {
    const { stdout } = run.outcomes[tour.indexOf(moduleLine)]!
    return row([run.name, stdout.trim(), differing(usual, run).join(', ') || 'nothing'])
  })
  return row(['Node', 'SQLite module (doctor)', 'What differs']) + row(['---', '---', '---']) + rows.join('')
}

const folder = mkdtempSync(join(tmpdir(), 'shipx-nodes-'))
try {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { version } = JSON.parse(
    execFileSync('npm', ['pkg', 'get', 'version', 'name', '--json'], { cwd: root, encoding: 'utf8' }),
  ) as {
    readonly version: string
  }
  const tarball = join(folder, `shipx-${version}.tgz`)
  const runs = releases.flatMap((release): readonly Run[] => {
    const node = nodeOf(release, nodesFolder).program
    const place = join(folder, release.slice(release.indexOf('@') + 1))
    const own = installed(node, tarball, place)
    const name = `Node ${basename(place)}`
    const bare = { name: `${name}, no built file`, outcomes: tourWith(node, own, join(place, 'bare')) }
    const built = join('better-sqlite3', 'build')
    const there = join(root, 'node_modules', built)
    if (!existsSync(there)) return [bare]
    cpSync(there, join(place, 'node_modules', built), { recursive: true, dereference: true })
    return [
      bare,
      { name: `${name}, a file for Node ${process.versions.node}`, outcomes: tourWith(node, own, join(place, 'file')) },
    ]
  })
  process.stdout.write(tableOf(runs))
  const refused = runs.flatMap(({ outcomes }) => outcomes.filter(({ exit }) => exit !== 0).map(({ stderr }) => stderr))
  for (const text of new Set(refused)) process.stdout.write(`\n${text}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
