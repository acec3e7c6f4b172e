// Defends kept code: it is the user's own, of this very bundle, whole, and never in the way.
// @module-tag full: each test starts the program several times
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expected, line, ownCopy, plant, stolen, type OwnCopy } from '../support/plantedcode.ts'

const root = process.getuid?.() === 0
let copy: OwnCopy
beforeEach(() => {
  copy = ownCopy()
})
afterEach(() => copy.remove())

const shipx: OwnCopy['run'] = (words, env) => copy.run(words, env)
const files = (): readonly string[] => (existsSync(copy.code) ? readdirSync(copy.code) : [])
const inode = (): bigint => statSync(copy.file, { bigint: true }).ino

test('the first run keeps it, for the user alone, and the next one uses it as it is', () => {
  expect(shipx(line).stdout).toMatch(expected)
  expect(files()).toEqual([basename(copy.file)])
  expect([statSync(copy.code).mode & 0o777, statSync(copy.file).mode & 0o777]).toEqual([0o700, 0o600])
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

test('a run that changes flags of V8 made its code anew at every run', () => {
  const parcels = join(copy.folder, 'parcels.csv')
  writeFileSync(parcels, 'ref,from,to,weight,length,width,height,payment\nA-1,400001,560001,500,20,15,10,prepaid\n')
  const words = `rates --file ${parcels} --csv`
  expect(shipx(words)).toMatchObject({ status: 0 })
  const path = join(copy.code, files()[0]!)
  const before = statSync(path, { bigint: true }).ino
  expect(shipx(words)).toMatchObject({ status: 0 })
  expect(statSync(path, { bigint: true }).ino).toBe(before)
})

describe('code that somebody else may have written', () => {
  test("would run if it were the user's own: the tests below do test something", () => {
    plant(copy)
    expect(shipx(line).stdout).toBe(stolen)
  })

  test.skipIf(!root)('is not run when another user owns it', () => {
    plant(copy)
    chownSync(copy.file, 65_534, 65_534)
    expect(shipx(line).stdout).toMatch(expected)
    expect(statSync(copy.file).uid).toBe(0)
  })

  test.skipIf(process.platform === 'win32')('is not run when others may write it', () => {
    plant(copy)
    chmodSync(copy.file, 0o666)
    expect(shipx(line).stdout).toMatch(expected)
  })

  test.skipIf(process.platform === 'win32')('is not run behind a symbolic link', () => {
    plant(copy)
    renameSync(copy.file, join(copy.folder, 'elsewhere'))
    symlinkSync(join(copy.folder, 'elsewhere'), copy.file)
    expect(shipx(line).stdout).toMatch(expected)
  })

  test.skipIf(!root)('is not kept in a folder of another user', () => {
    mkdirSync(copy.code, { recursive: true })
    chownSync(copy.code, 65_534, 65_534)
    expect(shipx(line).stdout).toMatch(expected)
    expect(files()).toEqual([])
  })

  test('is not looked for in a temporary folder, whatever Node would do', () => {
    const temporary = join(copy.folder, 'tmp')
    mkdirSync(temporary)
    expect(shipx(line, { TMPDIR: temporary }).stdout).toMatch(expected)
    expect(readdirSync(temporary)).toEqual([])
  })
})

test('a sentence changed in the bundle is what runs, also when its length and time are as before', () => {
  shipx('pincode 999999 --json')
  shipx(line)
  const { bundle } = copy
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
  const whole = readFileSync(copy.file)
  for (let n = 0; n < 20; n++) {
    const damaged = Buffer.from(whole)
    const at = Math.floor(((whole.length - 4096) * n) / 19)
    damaged.fill(n % 2 === 0 ? 0 : 0xa5, at, at + 4096)
    writeFileSync(copy.file, n % 5 === 4 ? damaged.subarray(0, at) : damaged)
    const { stdout, status } = shipx(line)
    expect([n, status, stdout]).toEqual([n, 0, expect.stringMatching(expected)])
  }
  // What was cut or garbled was replaced each time.
  expect(shipx(line).status).toBe(0)
  expect(readFileSync(copy.file).length).toBeGreaterThan(100_000)
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
  expect(existsSync(join(copy.home, 'code'))).toBe(false)
})

test('many first runs at once leave one whole file', async () => {
  // prettier-ignore
  const exits = await Promise.all(
    Array.from({ length: 12 }, () =>
      new Promise((resolve) => {
        const env = { PATH: process.env['PATH'], HOME: copy.home }
        spawn(process.execPath, [join(dirname(copy.bundle), '..', 'bin', 'shipx.js'), ...line.split(' ')], { env, stdio: 'ignore' }).on('exit', resolve)
      }),
    ),
  )
  expect(exits).toEqual(Array.from({ length: 12 }, () => 0))
  expect(files()).toEqual([basename(copy.file)])
  expect(shipx(line).stdout).toMatch(expected)
})

test('files that nobody has written for a month are swept', () => {
  mkdirSync(copy.code, { recursive: true })
  const old = join(copy.code, 'rates-v18.0.0-x64.code')
  writeFileSync(old, 'x')
  utimesSync(old, 1, 1)
  writeFileSync(join(copy.code, 'mine.txt'), 'x')
  utimesSync(join(copy.code, 'mine.txt'), 1, 1)
  shipx(line)
  expect(files().toSorted()).toEqual(['mine.txt', basename(copy.file)])
})
