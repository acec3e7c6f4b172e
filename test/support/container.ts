// An empty root for one program: the libraries that it links, a place for files, and nothing else of this system.
import { execFileSync, spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A root with a program in it. */
export interface Container {
  /** The root, seen from outside. */
  readonly root: string
  /** The libraries inside. */
  readonly libraries: readonly string[]
  /** Starts the program with words, with its files in /work. */
  readonly begin: (words: readonly string[], env?: Readonly<Record<string, string>>) => ChildProcessWithoutNullStreams
  readonly remove: () => void
}

const inside = ['--map-root-user', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Whether this system gives a process a root of its own. */
export const canContain =
  process.platform === 'linux' && spawnSync('unshare', [...inside, 'true'], { stdio: 'ignore' }).status === 0

/** The libraries that a program links, with the one that loads them. */
function linkedBy(program: string): readonly string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path]) => path!).toSorted()
}

/** Makes a root with a program as /bin/shipx. */
export function containerOf(program: string): Container {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-root-')))
  const libraries = linkedBy(program)
  for (const path of libraries) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
  for (const folder of ['bin', 'proc', 'tmp', 'work']) mkdirSync(join(root, folder))
  copyFileSync(program, join(root, 'bin', 'shipx'))
  chmodSync(join(root, 'bin', 'shipx'), 0o755)
  return {
    root,
    libraries,
    begin: (words, env = {}) =>
      spawn('unshare', [...inside, `--root=${root}`, '--wd=/work', '/bin/shipx', ...words], {
        env: { HOME: '/work', TZ: 'UTC', SHIPX_DATA_DIR: '/work/data', SHIPX_NOW: '2026-09-29T08:30:00Z', ...env },
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
