// Defends kept code: it is the user's own, of this very bundle, whole, and never in the way.
import { spawnSync } from 'node:child_process'
import {
  chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync,
  statSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs' // prettier-ignore
import Module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { program } from './program.ts'

const installed = join(program, '..', '..')
const root = process.getuid?.() === 0
let folder: string
/** A copy of the installed program that a test may change. */
let own: string
let code: string
let home: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-kept-')))
  own = join(folder, 'shipx')
  home = join(folder, 'home')
  code = join(home, '.cache', 'shipx', 'code')
  mkdirSync(home)
  mkdirSync(own)
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(installed, part), join(own, part), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function shipx(line: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(own, 'bin', 'shipx.js'), ...line.split(' ')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, SHIPX_NOW: '2026-09-29T08:30:00Z', ...env },
  })
  return { stdout, stderr, status }
}

const line = 'pincode 560001 --json'
const expected = /"pincode":"560001"/
const files = (): readonly string[] => (existsSync(code) ? readdirSync(code) : [])
const keptFile = (): string => join(code, `pincode-${process.version}-${process.arch}.code`)
const inode = (): bigint => statSync(keptFile(), { bigint: true }).ino

test('the first run keeps it, for the user alone, and the next one uses it as it is', () => {
  expect(shipx(line).stdout).toMatch(expected)
  expect(files()).toEqual([`pincode-${process.version}-${process.arch}.code`])
  expect([statSync(code).mode & 0o777, statSync(keptFile()).mode & 0o777]).toEqual([0o700, 0o600])
  const before = inode()
  expect(shipx(line).stdout).toMatch(expected)
  expect(inode()).toBe(before)
})

test('another kind of run of the same command adds to it, and a run that fails or only helps keeps nothing', () => {
  shipx('pincode 560001')
  const before = inode()
  shipx('pincode 999999')
  shipx('pincode --help')
  shipx('nosuch 560001')
  expect([inode(), files().length]).toEqual([before, 1])
  expect(shipx(line).stdout).toMatch(expected)
  expect(inode()).not.toBe(before)
})

/** A program of the bundle's length, and what V8 makes of it, in a file as shipx keeps it: what a thief would plant. */
function plant(): void {
  shipx(line)
  const bundle = join(own, 'dist', 'shipx.cjs')
  const text = readFileSync(bundle, 'latin1')
  const evil = 'require("node:fs").writeSync(1,"STOLEN\\n");module.exports={main:async()=>{}};'
  const script = new vm.Script(Module.wrap(evil.padEnd(text.length)), { filename: bundle })
  script.runInThisContext()({}, () => ({ writeSync: () => 0 }), { exports: {} }, bundle, own)
  const bytes = script.createCachedData()
  const head = readFileSync(keptFile()).subarray(0, 1024)
  writeFileSync(keptFile(), Buffer.concat([head, bytes, bytes]))
}

describe('code that somebody else may have written', () => {
  test("would run if it were the user's own: the tests below do test something", () => {
    plant()
    expect(shipx(line).stdout).toBe('STOLEN\n')
  })

  test.skipIf(!root)('is not run when another user owns it', () => {
    plant()
    chownSync(keptFile(), 65_534, 65_534)
    expect(shipx(line).stdout).toMatch(expected)
    expect(statSync(keptFile()).uid).toBe(0)
  })

  test.skipIf(process.platform === 'win32')('is not run when others may write it', () => {
    plant()
    chmodSync(keptFile(), 0o666)
    expect(shipx(line).stdout).toMatch(expected)
  })

  test.skipIf(process.platform === 'win32')('is not run behind a symbolic link', () => {
    plant()
    renameSync(keptFile(), join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), keptFile())
    expect(shipx(line).stdout).toMatch(expected)
  })

  test.skipIf(!root)('is not kept in a folder of another user', () => {
    mkdirSync(code, { recursive: true })
    chownSync(code, 65_534, 65_534)
    expect(shipx(line).stdout).toMatch(expected)
    expect(files()).toEqual([])
  })

  test('is not looked for in a temporary folder, whatever Node would do', () => {
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    expect(shipx(line, { TMPDIR: temporary }).stdout).toMatch(expected)
    expect(readdirSync(temporary)).toEqual([])
  })
})

test('a sentence changed in the bundle is what runs, also when its length and time are as before', () => {
  shipx('pincode 999999 --json')
  shipx(line)
  const bundle = join(own, 'dist', 'shipx.cjs')
  const { atime, mtime } = statSync(bundle)
  const text = readFileSync(bundle, 'latin1')
  const changed = text.replaceAll('a pincode has', 'A PINCODE HAS')
  expect(changed).not.toBe(text)
  writeFileSync(bundle, changed, 'latin1')
  utimesSync(bundle, atime, mtime)
  expect(shipx('pincode 12345 --json').stderr).toContain('A PINCODE HAS')
  expect(shipx(line).stdout).toMatch(expected)
})

test('damage is found, and the code made again', () => {
  shipx(line)
  const whole = readFileSync(keptFile())
  for (let n = 0; n < 20; n++) {
    const damaged = Buffer.from(whole)
    const at = Math.floor(((whole.length - 4096) * n) / 19)
    damaged.fill(n % 2 === 0 ? 0 : 0xa5, at, at + 4096)
    writeFileSync(keptFile(), n % 5 === 4 ? damaged.subarray(0, at) : damaged)
    const { stdout, status } = shipx(line)
    expect([n, status, stdout]).toEqual([n, 0, expect.stringMatching(expected)])
  }
  // What was cut or garbled was replaced each time.
  expect(shipx(line).status).toBe(0)
  expect(readFileSync(keptFile()).length).toBeGreaterThan(100_000)
})

test.each([
  ['switched off', { SHIPX_CODE_CACHE: 'off' }],
  ['in a folder that is not named whole', { SHIPX_CODE_CACHE: 'code' }],
  ['at home in a device', { HOME: '/dev/null' }],
  ['at home where nobody may write', { HOME: '/proc' }],
  ['on a full disk', { SHIPX_CODE_CACHE: '/dev/full/code' }],
])('%s, nothing is kept and everything works', (_, env) => {
  const { stdout, status } = shipx(line, env)
  expect([status, stdout]).toEqual([0, expect.stringMatching(expected)])
  expect(files()).toEqual([])
  expect(existsSync(join(home, 'code'))).toBe(false)
})

test('many first runs at once leave one whole file', async () => {
  const { spawn } = await import('node:child_process')
  const exits = await Promise.all(
    Array.from({ length: 12 }, () =>
      new Promise((resolve) => {
        const env = { PATH: process.env['PATH'], HOME: home }
        spawn(process.execPath, [join(own, 'bin', 'shipx.js'), ...line.split(' ')], { env, stdio: 'ignore' }).on('exit', resolve)
      }),
    ),
  ) // prettier-ignore
  expect(exits).toEqual(Array.from({ length: 12 }, () => 0))
  expect(files()).toEqual([`pincode-${process.version}-${process.arch}.code`])
  expect(shipx(line).stdout).toMatch(expected)
})

test('files that nobody has written for a month are swept', () => {
  mkdirSync(code, { recursive: true })
  const old = join(code, 'rates-v18.0.0-x64.code')
  writeFileSync(old, 'x')
  utimesSync(old, 1, 1)
  writeFileSync(join(code, 'mine.txt'), 'x')
  utimesSync(join(code, 'mine.txt'), 1, 1)
  shipx(line)
  expect(files().toSorted()).toEqual(['mine.txt', `pincode-${process.version}-${process.arch}.code`])
})
