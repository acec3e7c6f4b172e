// Runs everyday commands of the bundle in this process and keeps the code that V8 made of them (bin/start.js loads it).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import vm from 'node:vm'

const [file, cache] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'shipx-build-'))

/** The process as the bundle sees it: a folder of its own. */
process.env = { PATH: process.env.PATH, HOME: folder, SHIPX_DATA_DIR: folder }
const commands = [
  ['stores', '--help'],
  ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--prepaid', '--json'],
  ['rates', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10', '--cod', '1499', '--json'],
  ['stores', 'list', '--json'],
  ['shipments', 'list', '--json', '--status', 'delivered'],
  ['returns', 'list', '--since', '7d'],
  ['pincode', '560001'],
]

// Data for them, made by another process: the code that makes it is not worth keeping. Without the native module it fails,
// and so do the commands that need a database: what ran until then is kept.
const seeded = [join(dirname(file), '..', 'bin', 'shipx.js'), 'local', 'seed', '--shipments', '50', '--returns', '5']
spawnSync(process.execPath, seeded, { env: process.env, stdio: 'ignore' })

const script = new vm.Script(Module.wrap(readFileSync(file, 'latin1')), { filename: file })
const module = { exports: {} }
script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
try {
  for (const argv of commands) {
    process.argv = [process.execPath, file, ...argv]
    await module.exports.main(process)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = 0
// Beside it first: a shipx that starts meanwhile must not read half a file.
writeFileSync(`${cache}.tmp`, script.createCachedData())
renameSync(`${cache}.tmp`, cache)
