// Packs the program once before the tests and unpacks it as npm would install it: tests run what users get, and not what
// lies in the checkout. Code is kept in a folder of the run, and code that V8 rejects lies beside it (test/program.ts).
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Command lines whose code is kept before the tests; what else they need they keep themselves. */
const usual = [
  'local seed --shipments 20 --returns 4',
  'shipments list',
  'stores list',
  'rates --from 400001 --to 560001 -w 500g -s 20x15x10 --prepaid',
  'orders template',
]

export default function setup(): () => void {
  execFileSync(process.execPath, [join(root, 'src', 'build', 'bundle.js')], { stdio: 'inherit' })
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-installed-')))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  execFileSync('tar', ['xzf', join(folder, tarball), '-C', modules])
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
  process.env['SHIPX_TEST_TARBALL'] = join(folder, tarball)
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
