// Places in which little works: a full disk, few open files, an input without an end, a home that is no folder, and a module that
// is not there. A command says what is wrong, ends, and does without what it does not need.
// @module-tag full: full disks, few open files, inputs without an end
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canMount, smallDiskAt, unmount } from '../support/mounts.ts'
import { parcelFlags } from '../support/requests.ts'
import { sandbox, type Sandbox, type Outcome } from '../support/sandbox.ts'
import { root } from '../support/checkout.ts'

const unix = process.platform !== 'win32'
let box: Sandbox
beforeEach(() => {
  box = sandbox()
})
afterEach(() => box.remove())

/** The failure that is told as JSON, in the last line. */
const failureOf = ({
  exit,
  stderr,
}: Outcome): {
  readonly exit: unknown
  readonly code: string
  readonly message: string
  readonly hint: string | null
} => ({
  exit,
  ...(
    JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: { code: string; message: string; hint: string | null } }
  ).error,
})

const limited = { code: 'too_many_files', hint: 'raise the limit of open files (ulimit -n)' }

const rowsOf = (count: number): string =>
  `store_name,brand_name\n${Array.from({ length: count }, (_, n) => `store-${n},Brand ${n}\n`).join('')}`

describe.skipIf(!canMount)('on a full disk', () => {
  test.each([16, 200, 600, 1000])('of %i KB an import says that it is full', async (kb) => {
    const disk = join(box.folder, 'disk')
    mkdirSync(disk)
    expect(smallDiskAt(disk, kb)).toBe(true)
    try {
      box.file('stores.csv', rowsOf(8000))
      const outcome = await box.shipx(['stores', 'import', 'stores.csv', '--yes', '--json'], {
        env: { SHIPX_DATA_DIR: join(disk, 'data') },
      })
      const { code, exit } = failureOf(outcome)
      expect([exit, ['database_full', 'output_failed'].includes(code), code]).toEqual([1, true, code])
      expect(outcome.stderr).not.toContain('something went wrong inside')
    } finally {
      unmount(disk)
    }
  })
})

describe.skipIf(!unix)('with few open files', () => {
  test.each(['new', 'there'])('an import into a database that is %s says so, or is done', async (state) => {
    box.file('stores.csv', rowsOf(3))
    for (let most = 20; most <= 26; most += 2) {
      const folder = join(box.folder, `data-${most}`)
      if (state === 'there') await box.shipx(['local', 'init', '--quiet'], { env: { SHIPX_DATA_DIR: folder } })
      const outcome = await box.bash(`ulimit -n ${most}; shipx stores import stores.csv --yes --json`, {
        env: { SHIPX_DATA_DIR: folder },
      })
      expect(outcome.stderr).not.toContain('something went wrong inside')
      if (outcome.exit !== 0) expect(failureOf(outcome)).toMatchObject({ exit: 1, ...limited })
    }
  })

  const remote = { SHIPX_BASE_URL: 'http://127.0.0.1:9', SHIPX_API_KEY: 'abcdefghij' }
  test.each([
    ['shipments list', {}],
    ["sql 'select 1'", {}],
    ['stores import stores.csv --dry-run', {}],
    ['local check', {}],
    ['local backup copy.sqlite --force', {}],
    ['shipments list', remote],
  ])('%s %o says so with its hint, or is done', async (command, env) => {
    box.file('stores.csv', rowsOf(3))
    await box.shipx(['local', 'seed', '--shipments', '5', '--quiet'])
    let told = 0
    for (let most = 18; most <= 28; most++) {
      const outcome = await box.bash(`ulimit -n ${most}; shipx ${command} --json`, { env })
      // With fewer files Node itself cannot read the program.
      if (outcome.exit === 0 || !outcome.stderr.includes('{"error"')) continue
      const failure = failureOf(outcome)
      if (env === remote && failure.code === 'unavailable') break
      expect(failure).toMatchObject({ exit: 1, ...limited })
      told++
    }
    expect(told).toBeGreaterThan(0)
  })
})

describe.skipIf(!unix)('an input without an end', () => {
  const spooled = (): readonly string[] => {
    const folder = join(box.folder, 'data', 'imports')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('spool')) : []
  }

  test.each([
    ['stores import /dev/zero', '--yes'],
    ['stores import - < /dev/zero', '--yes'],
    ['orders import - < /dev/zero', '--yes'],
    ['local track --file - < /dev/zero', '--yes'],
    ['local import stores /dev/zero', ''],
    ['local import stores - < /dev/zero', ''],
    ['rates --file - < /dev/zero', ''],
    ['sql - < /dev/zero', ''],
    ['shipments get --file - < /dev/zero', ''],
  ])('shipx %s is refused', async (line, more) => {
    const outcome = await box.bash(
      `ulimit -f 200000; timeout 60 shipx ${line.replace(' <', ` ${more} --json <`)}${line.includes('<') ? '' : ` ${more} --json`}`,
    )
    const { exit, code } = failureOf(outcome)
    expect([exit, ['invalid_file', 'invalid_input'].includes(code), code]).toEqual([2, true, code])
    expect(spooled()).toEqual([])
  })

  test.each([
    'yes a,b | shipx stores import -',
    'shipx stores import <(yes a,b)',
    `yes '{"a":1}' | shipx stores import -`,
    "yes | tr -d '\\n' | shipx orders import -",
  ])('%s: a wrong header is refused before the rest comes', async (line) => {
    // Files of more than 5 MB cannot be written here.
    const outcome = await box.bash(`ulimit -f 5000; ${line} --yes --json`)
    const { exit, message } = failureOf(outcome)
    expect([exit, message]).toEqual([
      2,
      expect.stringMatching(/the header lacks store_name|line 1 has more than 10,00,000 characters/),
    ])
    expect(spooled()).toEqual([])
  })

  test('a good header from a pipe is read once and every row behind it comes', async () => {
    box.file('stores.csv', rowsOf(5000))
    for (const line of [
      'cat stores.csv | shipx stores import -',
      'shipx stores import <(cat stores.csv)',
      '(head -c 5 stores.csv; sleep 0.2; tail -c +6 stores.csv) | shipx stores import -',
    ]) {
      const outcome = await box.bash(`${line} --dry-run --json`)
      expect(JSON.parse(outcome.stdout)).toMatchObject({ dry_run: { rows: 5000, create: 5000, bad: 0 } })
    }
  })

  test('a line of a gigabyte is refused after 4 MB of it', async () => {
    // Files of more than 50 MB cannot be written here: it is not put aside whole.
    const outcome = await box.bash(
      `ulimit -f 50000; (echo store_name; head -c 1000000000 /dev/zero | tr '\\0' x) | timeout 60 shipx stores import - --yes --json`,
    )
    expect(failureOf(outcome)).toMatchObject({ exit: 2, code: 'invalid_file', message: 'a line is longer than 4 MB' })
  })
})

describe('a database that is nowhere', () => {
  test('the address of a server after --db made a folder with its password in the name', async () => {
    const args = ['stores', 'create', '--name', 'x', '--db', 'postgres://shipx:geheim@127.0.0.1:5/shop', '--json']
    const outcome = await box.shipx(args)
    expect(failureOf(outcome)).toMatchObject({ exit: 2, code: 'invalid_input' })
    expect(outcome.stderr).toContain('goes with --database')
    expect(outcome.stderr).not.toContain('geheim')
    expect(readdirSync(box.folder).toSorted()).toEqual(['bin', 'home'])
  })

  test.each([':memory:', 'shipx.sqlite ', ' shipx.sqlite'])(
    '--db "%s" is refused, since it would keep nothing or go by another name',
    async (name) => {
      for (const args of [
        ['stores', 'create', '--name', 'x'],
        ['stores', 'list'],
        ['local', 'init'],
      ]) {
        const outcome = await box.shipx([...args, '--db', name, '--json'])
        expect(failureOf(outcome)).toMatchObject({ exit: 2, code: 'invalid_input' })
      }
      expect(readdirSync(box.folder).toSorted()).toEqual(['bin', 'home'])
    },
  )
})

describe.skipIf(!unix)('a home that is no folder', () => {
  const quote = ['rates', ...parcelFlags, '--prepaid', '--json']

  test.each(['/dev/null', '/proc', '/nowhere/at/all'])('%s: a quote needs none', async (home) => {
    const outcome = await box.shipx(quote, { env: { HOME: home, SHIPX_DATA_DIR: '' } })
    expect([outcome.exit, outcome.stderr]).toEqual([0, ''])
    expect(outcome.stdout).toContain('serviceable_couriers')
  })

  test.each(['/dev/null', ...(process.platform === 'linux' ? ['/proc'] : [])])(
    '%s: what writes ends and says so',
    async (home) => {
      const env = { HOME: home, SHIPX_DATA_DIR: '' }
      expect(failureOf(await box.shipx(['stores', 'create', '--name', 'x', '--json'], { env }))).toMatchObject({
        exit: 1,
        code: 'database_read_only',
      })
      expect(failureOf(await box.shipx(['profile', 'set', 'x.origin', '400001', '--json'], { env })).exit).toBe(1)
      box.file('stores.csv', rowsOf(3))
      expect((await box.shipx(['stores', 'import', 'stores.csv', '--yes', '--json'], { env })).exit).toBe(1)
    },
  )
})

test('a message of an invented order is shown without the SQLite module where there is no database', async () => {
  // The program as it is installed where optional packages are left out.
  const bare = join(box.folder, 'bare')
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(bare, name), { recursive: true })
  const run = (args: string): Promise<Outcome> =>
    box.bash(`SHIPX_SQLITE=better '${process.execPath}' '${join(bare, 'bin', 'shipx.js')}' ${args}`)
  const shown = await run('messages preview --step shipped --text')
  expect([shown.exit, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toContain('shipped')
  expect(failureOf(await run('messages preview --step shipped --store acme --json'))).toMatchObject({
    exit: 1,
    code: 'native_module',
  })
})
