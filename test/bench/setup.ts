// What every part of the benchmark is given: how much data, how many runs, and the built program as it was at the start.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How the benchmark is run. */
export interface Setup {
  readonly folder: string
  readonly rows: number
  readonly runs: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))

let copied: string | undefined

/** The built `bin/shipx.js`, in a copy that a build going on meanwhile cannot touch. */
export function program({ folder }: Setup): string {
  const copy = join(folder, 'program')
  if (copied === undefined) {
    execFileSync(process.execPath, ['src/build/bundle.js'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy, { recursive: true })
    for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    copied = join(copy, 'bin', 'shipx.js')
  }
  return copied
}

/** The environment of a started program: a home of its own, and nothing that steers shipx. */
export function environment({ folder }: Setup): NodeJS.ProcessEnv {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const own = Object.entries(process.env).filter(([name]) => !/^(SHIPX_|XDG_|NODE_)/.test(name))
  return { ...Object.fromEntries(own), HOME: home, USERPROFILE: home }
}

/** Whether a program of the system answers. */
export function installed(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
