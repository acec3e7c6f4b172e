// Packs the program once before the tests and unpacks it as npm would install it: tests run what users get, and not what
// lies in the checkout. Code is kept in a folder of the run, and code that V8 rejects lies beside it (test/support/program.ts).
// What has not changed since the last run is not built again.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf, isBuilt } from '../../src/build/made.js'
import { root } from './checkout.ts'

/** Command lines whose code is kept before the tests; what else they need they keep themselves. */
const usual = [
  'local seed --shipments 20 --returns 4',
  'shipments list',
  'stores list',
  'rates --from 400001 --to 560001 -w 500g -s 20x15x10 --prepaid',
  'orders template',
]

/** What the tarball is made of and with: another byte in any of it, and it is made anew. */
// prettier-ignore
const ingredients = [
  'src', 'bin', 'completions', 'man', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json', 'LICENSE',
  'README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs', 'test/support/build.setup.ts',
]

/** Builds and packs, or takes the last tarball where it was made of the same and `dist` is still what was built then. */
function packInto(folder: string): string {
  const last = join(root, 'node_modules', '.cache', 'shipx-tests')
  const [tarball, state] = [join(last, 'shipx.tgz'), join(last, 'state.json')]
  const made = digestOf(ingredients)
  const packed = join(folder, 'shipx.tgz')
  if (existsSync(state) && existsSync(tarball)) {
    const before = JSON.parse(readFileSync(state, 'utf8')) as Readonly<Record<string, string>>
    if (before['made'] === made && before['dist'] === digestOf(['dist'])) {
      copyFileSync(tarball, packed)
      return packed
    }
  }
  rmSync(state, { force: true })
  if (!isBuilt()) execFileSync(process.execPath, [join(root, 'src', 'build', 'bundle.js')], { stdio: 'inherit' })
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  renameSync(
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
    ),
    packed,
  )
  mkdirSync(last, { recursive: true })
  copyFileSync(packed, tarball)
  // Last, so that a run that is stopped in between leaves nothing that would be believed.
  writeFileSync(state, JSON.stringify({ made, dist: digestOf(['dist']) }))
  return packed
}

export default function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-installed-')))
  const tarball = packInto(folder)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  execFileSync('tar', ['xzf', tarball, '-C', modules])
  execFileSync('mv', [join(modules, 'package'), join(modules, 'shipx')])
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  const program = join(modules, 'shipx', 'bin', 'shipx.js')
  const [kept, rejected] = [join(folder, 'kept'), join(folder, 'rejected')]
  for (const path of [kept, rejected]) mkdirSync(path, { mode: 0o700 })
  const env = { PATH: process.env['PATH'], HOME: folder, SHIPX_DATA_DIR: join(folder, 'data'), SHIPX_CODE_CACHE: kept }
  for (const line of usual) execFileSync(process.execPath, [program, ...line.split(' ')], { env, stdio: 'ignore' })
  for (const name of readdirSync(kept)) writeFileSync(join(rejected, name), foreign(readFileSync(join(kept, name))))
  process.env['SHIPX_TEST_PROGRAM'] = program
  process.env['SHIPX_TEST_TARBALL'] = tarball
  process.env['SHIPX_TEST_KEPT'] = kept
  // For programs that get the environment as it is.
  process.env['SHIPX_CODE_CACHE'] = kept
  process.env['SHIPX_TEST_REJECTED'] = rejected
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The same file as if another version of V8 had made it: the second number of V8's own head, in both copies. */
function foreign(bytes: Buffer): Buffer {
  const [head, version] = [1024, 4]
  for (const copy of [head, (head + bytes.length) / 2]) bytes.writeUInt32LE(0x5eed, copy + version)
  return bytes
}
