// The packed artefact, in a clean folder and with an empty home: it holds what it should, runs without TypeScript or a
// build, and does without the native module what needs none.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodesWithSqlite, olderSqlite } from '../../src/engine/database/sqliteversion.ts'
import { root } from '../support/checkout.ts'
import { first } from '../support/size.ts'

/** Packed by test/support/build.setup.ts. */
const tarball = process.env['SHIPX_TEST_TARBALL']!
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipx-pack-'))
  execFileSync('tar', ['xzf', tarball, '-C', folder])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the packed command in an empty home. */
function run(...argv: readonly string[]) {
  return runBy({ node: process.execPath, own: join(folder, 'package') }, ...argv)
}

interface Installed {
  /** The Node that runs it. */
  readonly node: string
  readonly own: string
  readonly env?: Readonly<Record<string, string>>
}

/** The same with a copy of the package, another Node, and more of an environment. */
function runBy({ node, own, env: more = {} }: Installed, ...argv: readonly string[]) {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const env = { PATH: process.env['PATH']!, HOME: home, SHIPX_NOW: '2026-09-29T08:30:00Z', ...more }
  return spawnSync(node, [join(own, 'bin', 'shipx.js'), ...argv], { encoding: 'utf8', cwd: home, env })
}

/** What helps everywhere, whatever the command. */
const others = `(may need Python, make and a C++ compiler); or use ${nodesWithSqlite}; or PostgreSQL: SHIPX_DATABASE_URL`

/** A Node whose SQLite shipx may use: this one, or that of `SHIPX_TEST_NODE`. */
const nodeWithSqlite = [process.execPath, process.env['SHIPX_TEST_NODE']].find((node) => {
  if (node === undefined) return false
  const version = execFileSync(node, ['-p', 'process.versions.sqlite ?? "0"'], { encoding: 'utf8' }).trim()
  return !olderSqlite(version)
})

const rates = ['rates', '--from', '400001', '--to', '560001', '--weight', '500g', '--size', '20x15x10', '--prepaid']

describe('without any installed package', () => {
  test('the tarball holds the build and the papers and no source, test or map', () => {
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    const outside = files.filter(
      (file) =>
        !/^package\/(bin|dist|completions|man)\/|^package\/(package\.json|LICENSE|\w+\.md|docs\/([\w-]+\/)?[\w-]+\.md)$/.test(
          file,
        ),
    )
    expect(outside).toEqual([])
    expect(files).toContain('package/dist/LICENSES.txt')
    expect(files.filter((file) => /\.(cache|code)$/.test(file))).toEqual([])
    expect(files.filter((file) => file.endsWith('.map') || file.endsWith('.ts'))).toEqual([])
    // It catches what must not be shipped: a picture, a second copy of a library. 0.62 MB are fonts of labels, 0.11 MB the
    // protocol of assistants.
    expect(statSync(tarball).size).toBeLessThan(4_100_000)
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

  // What each command does where npm left the module out, or ran no script, was tried with npm 11.
  test.each(
    first(1, [
      ['of a project', ['package.json'], 'cd $ && npm install better-sqlite3@12.11.1'],
      ['for everybody', [], 'npm install -g better-sqlite3@12.11.1'],
      ['of a project, with the folder', ['package.json', 'better-sqlite3'], 'cd $ && npm rebuild better-sqlite3'],
      ['for everybody, with the folder', ['better-sqlite3'], 'npm rebuild -g better-sqlite3'],
      ['of a clone', undefined, 'cd $ && npm install --foreground-scripts'],
    ]),
  )(
    'a module that was left out, in an installation %s: the command that helps there, Node or PostgreSQL',
    { tags: ['full'] },
    (_, there, command) => {
      const host = mkdtempSync(join(folder, 'host-'))
      const own = there === undefined ? host : join(host, 'node_modules', 'shipx')
      cpSync(join(folder, 'package'), own, { recursive: true })
      if (there?.includes('package.json') === true) writeFileSync(join(host, 'package.json'), '{}')
      if (there?.includes('better-sqlite3') === true) {
        mkdirSync(join(host, 'node_modules', 'better-sqlite3'))
        writeFileSync(join(host, 'node_modules', 'better-sqlite3', 'package.json'), '{"main":"index.js"}')
      }
      // Without Node's own SQLite.
      const installed = { node: process.execPath, own, env: { SHIPX_SQLITE: 'better' } }
      const [line, doctor] = [runBy(installed, 'stores', 'list'), runBy(installed, 'doctor', '--json')]
      const hint = command.replace('$', realpathSync(host))
      expect([line.status, line.stdout, line.stderr.split('\n')]).toEqual([
        1,
        '',
        [expect.stringMatching(/^✗ data on this computer needs better-sqlite3, wh/), `→ ${hint} ${others}`, ''],
      ])
      const { data } = JSON.parse(doctor.stdout) as { data: { checks: readonly { id: string; hint: string }[] } }
      expect(data.checks.find(({ id }) => id === 'native_module')?.hint).toBe(`${hint} ${others}`)
    },
  )

  test.skipIf(nodeWithSqlite === undefined)(
    `without the module, Node's own SQLite seeds, lists and quotes, and warns of nothing${
      nodeWithSqlite === undefined ? ` (SHIPX_TEST_NODE names no ${nodesWithSqlite})` : ''
    }`,
    { tags: ['full'] },
    () => {
      const data = join(folder, 'withnode')
      const installed = { node: nodeWithSqlite!, own: join(folder, 'package'), env: { SHIPX_DATA_DIR: data } }
      const [seeded, listed, asked, quoted, doctor] = [
        runBy(installed, 'local', 'seed', '--quiet'),
        runBy(installed, 'shipments', 'list', '--json'),
        runBy(installed, 'sql', 'select count(*) as n from shipments'),
        runBy(installed, ...rates, '--json'),
        runBy(installed, 'doctor', '--json'),
      ]
      expect([seeded, listed, asked, quoted, doctor].map(({ status, stderr }) => [status, stderr])).toEqual(
        Array.from({ length: 5 }, () => [0, '']),
      )
      expect((JSON.parse(listed.stdout) as { meta: { total: number } }).meta.total).toBe(500)
      expect(asked.stdout).toBe('500\n')
      expect(JSON.parse(quoted.stdout)).toMatchObject({ status: 'SUCCESS' })
      const { checks } = (JSON.parse(doctor.stdout) as { data: { checks: readonly { id: string; found: string }[] } })
        .data
      expect(checks.find(({ id }) => id === 'native_module')?.found).toBe(
        'node:sqlite, since better-sqlite3 is not installed',
      )
    },
  )

  test('no script of shipx runs where it is installed, and npm warns of none', () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>
    }
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
    // A clone is built by `npm install` and `npm ci` all the same, and before `npm pack`.
    expect([scripts['preprepare'], scripts['prepack']]).toEqual([scripts['build'], scripts['build']])
  })

  test('every link of the pages leads to a page that is installed, and `shipx help docs` says where they are', () => {
    const own = join(folder, 'package')
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    const pages = files.filter((file) => file.endsWith('.md')).map((file) => file.slice('package/'.length))
    const dead = pages.flatMap((page) =>
      // Pictures are left out: the text says what they show.
      [...readFileSync(join(own, page), 'utf8').matchAll(/(?<!!)\]\((?!https?:|#)([^)#]+)/g)]
        .map((match) => join(own, dirname(page), match[1]!))
        .filter((path) => !path.endsWith('.png') && !existsSync(path))
        .map((path) => [page, path]),
    )
    expect(dead).toEqual([])
    const { status, stdout } = run('help', 'docs')
    expect([status, stdout]).toEqual([0, expect.stringContaining(`\n  ${join(realpathSync(own), 'docs')}\n`)])
    const named = [...stdout.matchAll(/^ {2}((?:guides|reference)\/\S+\.md) {2}/gm)].map((match) => `docs/${match[1]!}`)
    expect(named.toSorted()).toEqual(pages.filter((page) => /^docs\/(guides|reference)\//.test(page)).toSorted())
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
