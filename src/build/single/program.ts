// Makes the program of a target: Node with the build inside (a single executable application).
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject as postject } from 'postject'
import { signed } from './machosign.ts'
import { unsign } from './pesign.ts'
import { ownTarget, programName, type Target } from './targets.ts'

/** What a program is made of: the build, the target's Node, and the same Node for this computer. */
export interface Ingredients {
  readonly assets: Readonly<Record<string, string>>
  readonly node: string
  readonly maker: string
}

/** The text in Node that says whether something is inside; postject turns its last digit from 0 to 1. */
export const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The bytes before V8's in a file of kept code (bin/start.js). */
const headBytes = 1024

/** Command lines whose code comes with the program, by their first words; a run of another kind keeps its own. */
const usual: readonly string[] = [
  'rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid',
  'local seed --shipments 20 --returns 4',
  'init --sample',
  'pincode 560001',
  'shipments list',
  'shipments list --json',
  'shipments summary --by status',
  'returns list',
  'stores list',
  'orders template',
  'track #1500',
  'stuck',
  'ndr',
  'report --since 90d --out report.html',
  'sql select_1',
  'doctor',
]

/** Writes the program of a target into a folder, and returns its path. The same ingredients make the same bytes. */
export async function programOf(target: Target, ingredients: Ingredients, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const output = join(folder, programName(target))
  await inject(target, ingredients, output)
  if (target === ownTarget(process)) {
    const code = codeOf(output, join(folder, 'code'))
    await inject(target, { ...ingredients, assets: { ...ingredients.assets, ...code } }, output)
  }
  if (target.format === 'pe') writeFileSync(output, unsign(readFileSync(output)))
  if (target.format === 'macho') writeFileSync(output, signed(readFileSync(output), 'shipx'))
  return output
}

/** Writes the target's Node with the assets inside. */
async function inject(target: Target, { assets, node, maker }: Ingredients, output: string): Promise<void> {
  const [config, blob] = [`${output}.json`, `${output}.blob`]
  const contents = {
    main: assets['main.cjs'],
    output: blob,
    disableExperimentalSEAWarning: true,
    // V8's code belongs to one processor and one Node: it cannot be made for another computer.
    useCodeCache: target === ownTarget(process),
    assets,
  }
  writeFileSync(config, JSON.stringify(contents))
  execFileSync(maker, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  copyFileSync(node, output)
  chmodSync(output, 0o755)
  const macho = target.format === 'macho' ? { machoSegmentName: 'NODE_SEA' } : {}
  await postject(output, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse, ...macho })
  for (const path of [config, blob]) rmSync(path)
}

/** Runs the usual commands, and returns the code that V8 made of them, by the name that it has inside. */
function codeOf(program: string, folder: string): Readonly<Record<string, string>> {
  const [home, kept] = [join(folder, 'home'), join(folder, 'kept')]
  for (const path of [home, kept]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const env = { HOME: home, SHIPX_CODE_CACHE: kept, SHIPX_NOW: '2026-09-29T08:30:00Z', PATH: process.env['PATH'] }
  for (const line of usual) {
    const words = line.split(' ').map((word) => word.replaceAll('_', ' '))
    spawnSync(program, words, { env, cwd: home, stdio: 'ignore' })
  }
  const assets: Record<string, string> = {}
  for (const name of readdirSync(kept)) {
    const bytes = readFileSync(join(kept, name))
    const path = join(folder, name)
    // The file has V8's bytes twice against damage, from which the program's own sum keeps these.
    writeFileSync(path, bytes.subarray(0, (headBytes + bytes.length) / 2))
    assets[`code/${name.slice(0, name.indexOf('-'))}`] = path
  }
  return assets
}
