// A copy of the program that may be changed, and code planted where it keeps its own: what another user of a machine would try.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from './program.ts'

/** A copy of the installed program, with a home of its own. */
export interface OwnCopy {
  readonly folder: string
  readonly home: string
  readonly bundle: string
  /** The folder of kept code, and the file of `line`. */
  readonly code: string
  readonly file: string
  readonly run: (
    line: string,
    env?: Readonly<Record<string, string>>,
  ) => { readonly stdout: string; readonly stderr: string; readonly status: number | null }
  readonly remove: () => void
}

/** A command line that needs nothing, and what it prints. */
export const line = 'pincode 560001 --json'
export const expected = /"pincode":"560001"/

/** What planted code prints. */
export const stolen = 'STOLEN\n'

export function ownCopy(node = process.execPath): OwnCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-kept-')))
  const [own, home] = [join(folder, 'shipx'), join(folder, 'home')]
  for (const path of [own, home]) mkdirSync(path)
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(program, '..', '..', part), join(own, part), { recursive: true })
  const code = join(home, '.cache', 'shipx', 'code')
  const [version, arch] = spawnSync(node, ['-p', 'process.version + " " + process.arch'], { encoding: 'utf8' })
    .stdout.trim()
    .split(' ')
  return {
    folder,
    home,
    bundle: join(own, 'dist', 'shipx.cjs'),
    code,
    file: join(code, `pincode-${version}-${arch}.code`),
    run: (words, env = {}) => {
      const { stdout, stderr, status } = spawnSync(node, [join(own, 'bin', 'shipx.js'), ...words.split(' ')], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: home, SHIPX_NOW: '2026-09-29T08:30:00Z', ...env },
      })
      return { stdout, stderr, status }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

// Made by a Node of its own: V8 rejects code of a process whose flags differ, and tests before this one may have set some.
const plantProgram = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const { wrap } = require('node:module')
  const [bundle, file, stolen] = process.argv.slice(1)
  const evil = 'require("node:fs").writeSync(1,' + JSON.stringify(stolen) + ');module.exports={main:async()=>{}};'
  const length = readFileSync(bundle, 'latin1').length - wrap('').length
  const script = new (require('node:vm').Script)(wrap(evil.padEnd(length)), { filename: bundle })
  script.runInThisContext()({}, () => ({ writeSync: () => 0 }), { exports: {} }, bundle, '')
  const bytes = script.createCachedData()
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 1024), bytes, bytes]))`

/** Puts a program of the bundle's length where the code of `line` is kept, in the form in which shipx keeps its own. */
export function plant(copy: OwnCopy, node = process.execPath): void {
  copy.run(line)
  execFileSync(node, ['-e', plantProgram, copy.bundle, copy.file, stolen])
}
