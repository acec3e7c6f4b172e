// R32: the packed program runs no script where it is installed and brings no native module, and its remote
// commands work with every line of Node, byte for byte alike.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeOf } from '../../src/build/single/nodes.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { nodesFolder, releases } from '../nodes/releases.ts'
import { root } from '../support/checkout.ts'
import { testNow } from '../support/engine.ts'
import { png } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { orderLine } from './r26.ts'
import { summed, timed, type Finding, type Size } from './row.ts'

/** A Node that is there, and its version. */
interface Node {
  readonly program: string
  readonly name: string
}

/** The Nodes that are there, this one first, and those that are not; those of npm are fetched at full size alone. */
function nodesOf(size: Size): { readonly there: readonly Node[]; readonly absent: readonly string[] } {
  const [there, absent] = [[] as Node[], [] as string[]]
  const add = (program: string): void => {
    const name = `Node ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1)}`
    if (!there.some((node) => node.name === name)) there.push({ program, name })
  }
  add(process.execPath)
  const other = process.env['SHIPX_TEST_NODE']
  if (other !== undefined) add(other)
  const here = process.platform === 'linux' && process.arch === 'x64'
  for (const release of releases) {
    const version = release.slice(release.indexOf('@') + 1)
    try {
      if (!here || (size < 1 && !existsSync(join(nodesFolder, release.replace('@', '-'))))) throw new Error()
      add(nodeOf(release, nodesFolder).program)
    } catch {
      absent.push(version)
    }
  }
  return { there, absent }
}

/** Unpacks the program as `npm pack` packs it, and gives its folder; no package lies beside it. */
function unpackedIn(folder: string): string {
  let tarball = process.env['SHIPX_TEST_TARBALL']
  if (tarball === undefined) {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      cwd: root,
      stdio: 'ignore',
    })
    tarball = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
    )
  }
  execFileSync('tar', ['xzf', tarball, '-C', folder])
  return join(folder, 'package')
}

/** What would run where the package is installed, and what of it a Node of another version could not load. */
function nativeIn(own: string): readonly string[] {
  const { scripts, dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly scripts?: Readonly<Record<string, string>>
    readonly dependencies?: Readonly<Record<string, string>>
  }
  const files = readdirSync(own, { recursive: true, encoding: 'utf8' })
  return [
    ...Object.keys(scripts ?? {})
      .filter((name) => /^((pre|post)?install|(pre|post)?prepare)$/.test(name) && name !== 'preprepare')
      .map((name) => `the script ${name} would run`),
    ...Object.keys(dependencies ?? {}).map((name) => `it cannot be without ${name}`),
    ...files.filter((name) => /\.(node|so|dylib|dll|gyp)$|^node_modules/.test(name)).map((name) => `it brings ${name}`),
  ]
}

/** Remote commands, in their order; a blank inside a word is `~`. At a small size every third of them runs. */
const tour: readonly string[] = [
  'shipments list --all --csv',
  'stores create --name acme --brand Acme --logo logo.png --json',
  'stores import stores.csv --yes --json',
  'returns list --limit 20 --json',
  'auth status --json',
  'shipments list --status delivered --limit 5 --table',
  'stores list --jsonl',
  orderLine('F-1', '499.05'),
  'shipments summary --by status --json',
  'serviceability --from 400001 560001 411001 --json',
  'rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --cod 1499 --json',
  'shipments list --search kumar --ids',
  'returns list --all --jsonl',
  'shipments list --all --jsonl',
  'shipments get NO-SUCH-ONE --json',
]

/** What a command came to, without what differs from run to run. */
type Outcome = readonly [exit: number | string, stdout: string, stderr: string]

const plain = (text: string): string =>
  text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>').replace(/\bORD[\dA-Z]{10}\b/g, '<order>')

/** The tour with one Node, signed in to an account of its own that has the records of all. */
async function tourWith(node: Node, own: string, service: TestService, lines: readonly string[]) {
  const folder = mkdtempSync(join(dirname(own), 'tour-'))
  const engine = await service.engine.as(node.name)
  const plan = { shipments: 120, returns: 30, stores: 4, days: 30, seed: 32, now: testNow }
  await engine.save('shipment', seedShipments(plan))
  await engine.save('return', seedReturns(plan))
  await engine.database.write(() => setWarehouse(engine.account, 'WH1', '400001'))
  const { key } = await service.keyFor(node.name)
  const env = {
    PATH: dirname(node.program),
    HOME: folder,
    TZ: 'UTC',
    SHIPX_NOW: '2025-11-21T11:00:00Z',
    SHIPX_CODE_CACHE: 'off',
    SHIPX_BASE_URL: service.url,
    SHIPX_API_KEY: key,
  }
  writeFileSync(join(folder, 'logo.png'), png())
  writeFileSync(join(folder, 'stores.csv'), 'store_name,brand_name\nbeta,Beta\ngamma,Gamma\n')
  const outcomes: Outcome[] = []
  for (const line of lines) {
    const words = line.split(' ').map((word) => word.replaceAll('~', ' '))
    const [exit, stdout, stderr] = await ran(node.program, [join(own, 'bin', 'shipx.js'), ...words], { env, folder })
    const told = (text: string): string =>
      plain(text.replaceAll(folder, '<tmp>').replaceAll(key, '<key>').replaceAll(node.name, '<account>')).replaceAll(
        `"key_ending":"${key.slice(-4)}"`,
        '"key_ending":"<end>"',
      )
    outcomes.push([exit, told(stdout), told(stderr).replace(/ {3}in [\d,.]+ m?s/g, '')])
  }
  return outcomes
}

const ran = (
  program: string,
  args: readonly string[],
  { env, folder }: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve([code ?? String(signal), stdout, stderr]))
  })

/** R32: the remote commands with each Node that is there. */
export const r32 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const { there, absent } = nodesOf(size)
    const lines = tour.filter((_, n) => size >= 0.5 || n % 3 === 1)
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-r32-')))
    const service = await startService()
    const faults: string[] = []
    try {
      mkdirSync(join(folder, 'own'))
      const own = unpackedIn(join(folder, 'own'))
      faults.push(...nativeIn(own))
      const usual = await tourWith(there[0]!, own, service, lines)
      for (const [n, [exit, stdout, stderr]] of usual.entries())
        if (exit !== (lines[n]!.includes('NO-SUCH') ? 3 : 0) || (stdout === '' && exit === 0))
          faults.push(`${there[0]!.name}: ${lines[n]!}: exit ${String(exit)} ${stderr.slice(0, 200)}`)
      for (const node of there.slice(1))
        for (const [n, outcome] of (await tourWith(node, own, service, lines)).entries())
          if (JSON.stringify(outcome) !== JSON.stringify(usual[n]))
            faults.push(
              `${node.name}: ${lines[n]!}: not as with ${there[0]!.name}: ${JSON.stringify(outcome).slice(0, 200)}`,
            )
    } finally {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    }
    const without = absent.length === 0 ? '' : `; left out, since not there: Node ${absent.join(', ')}`
    return {
      row: 'R32',
      what: `the packed program alone, ${lines.length} remote commands with ${there.map(({ name }) => name).join(', ')}`,
      tried: lines.length * there.length,
      result: `${faults.length} differ or fail${without}`,
      target: 'no install scripts, no native module; remote commands work with Node 20, 22, 24 and 26',
      faults: summed(faults),
    }
  })
