// The packed artefact, in a clean folder and with an empty home: it holds what it should, runs without TypeScript or a
// build, and does without the native module what needs none.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support/checkout.ts'

/** Packed by test/support/build.setup.ts. */
const tarball = process.env['SHIPX_TEST_TARBALL']!
let folder: string
let shipx: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipx-pack-'))
  execFileSync('tar', ['xzf', tarball, '-C', folder])
  shipx = join(folder, 'package', 'bin', 'shipx.js')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the packed command in an empty home. */
function run(...argv: readonly string[]) {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const env = { PATH: process.env['PATH']!, HOME: home, SHIPX_NOW: '2026-09-29T08:30:00Z' }
  return spawnSync(process.execPath, [shipx, ...argv], { encoding: 'utf8', cwd: home, env })
}

const rates = ['rates', '--from', '400001', '--to', '560001', '--weight', '500g', '--size', '20x15x10', '--prepaid']

describe('without any installed package', () => {
  test('the tarball holds the build and the papers and no source, test or map', () => {
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    const outside = files.filter(
      (file) =>
        !/^package\/(bin|dist|completions|man)\/|^package\/(package\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md)$/.test(
          file,
        ),
    )
    expect(outside).toEqual([])
    expect(files).toContain('package/dist/LICENSES.txt')
    expect(files.filter((file) => /\.(cache|code)$/.test(file))).toEqual([])
    expect(files.filter((file) => file.endsWith('.map') || file.endsWith('.ts'))).toEqual([])
    expect(statSync(tarball).size).toBeLessThan(3_000_000)
  })

  test('whatever the umask of the checkout, everybody may read each file, and its owner alone may write', () => {
    const rights = execFileSync('tar', ['tvzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    expect(rights.filter((line) => !/^(-rw-r--r--|-rwxr-xr-x) /.test(line))).toEqual([])
  })

  test('the version, help and a quote need no native module', () => {
    expect(run('--version').stdout).toMatch(/^shipx \d+\.\d+\.\d+\n$/)
    expect(run('--help').stdout).toContain('shipx <command>')
    const quoted = run(...rates, '--json')
    expect([quoted.status, JSON.parse(quoted.stdout)]).toMatchObject([0, { status: 'SUCCESS' }])
  })

  test('a command that needs the native module says so in one line with the way out', () => {
    const { status, stdout, stderr } = run('stores', 'list')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^✗ data on this computer needs better-sqlite3.*\n→ npm install.*\n$/)
  })
})

describe('with better-sqlite3 beside it', () => {
  beforeAll(() => {
    const modules = join(folder, 'package', 'node_modules')
    mkdirSync(modules, { recursive: true })
    for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
      cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true, dereference: true })
    }
  })

  test('it seeds, lists and quotes', () => {
    expect(run('local', 'seed').status).toBe(0)
    const listed = run('shipments', 'list', '--json')
    expect([listed.status, (JSON.parse(listed.stdout) as { meta: { total: number } }).meta.total]).toEqual([0, 500])
    expect(
      run(...rates)
        .stdout.trim()
        .split('\n').length,
    ).toBeGreaterThanOrEqual(5)
    expect(existsSync(join(folder, 'home', '.local', 'share', 'shipx', 'shipx.sqlite'))).toBe(true)
  })

  test('the database and its folder are for the user alone', () => {
    const data = join(folder, 'home', '.local', 'share', 'shipx')
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
    expect((statSync(join(data, 'shipx.sqlite')).mode & 0o777).toString(8)).toBe('600')
  })
})
