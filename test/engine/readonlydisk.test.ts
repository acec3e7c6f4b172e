// A database that lies where nothing can be written is read all the same; what would write to it says so.
// @module-tag full: mounts file systems
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canMount, readOnlyAt, unmount } from '../support/mounts.ts'
import { sandbox, type Sandbox, type Outcome } from '../support/sandbox.ts'
import { root } from '../support/checkout.ts'

const bash = (line: string, ...words: readonly string[]): boolean =>
  spawnSync('bash', ['-c', line, ...words]).status === 0

let bench: Sandbox
let folder: string

beforeAll(async () => {
  bench = sandbox()
  folder = join(bench.folder, 'data')
  await bench.shipx(['local', 'seed', '--shipments', '40', '--quiet'])
  // A service that is cut off leaves a log and an index; a command that writes takes them away.
  await bench.shipx(['stores', 'create', '--name', 'last', '--quiet'])
  expect(readdirSync(folder).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([])
  mkdirSync(join(bench.folder, 'tmp'))
  if (canMount) readOnlyAt(folder)
})

afterAll(() => {
  if (canMount) unmount(folder)
  bench.remove()
})

const shipx = (...args: readonly string[]): Promise<Outcome> =>
  bench.shipx(args, { env: { TMPDIR: join(bench.folder, 'tmp') } })
const codeOf = ({ stderr }: Outcome): string => (JSON.parse(stderr) as { error: { code: string } }).error.code
/** What commands left in the temporary folder; not what Node keeps there for itself. */
const left = (): readonly string[] => readdirSync(join(bench.folder, 'tmp')).filter((name) => name.startsWith('shipx'))

describe.skipIf(!canMount)('on a file system that cannot be written', () => {
  test.each([
    ['shipments list --json', '"total":40'],
    ['stores list --jsonl', '"last"'],
    ['rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid --json', '"serviceable_couriers":[{'],
    ['shipments summary --json', '"shipments":'],
    ['local check --json', '"faults":[]'],
    ['local path --json', '"exists":true'],
    ['ratecard list --json', '"data":['],
  ])('shipx %s', async (line, told) => {
    const outcome = await shipx(...line.split(' '))
    expect([outcome.exit, outcome.stderr]).toEqual([0, ''])
    expect(outcome.stdout).toContain(told)
    expect(left()).toEqual([])
  })

  test('a query in SQL, and a backup', async () => {
    expect((await shipx('sql', 'select count(*) as n from shipments', '--json')).stdout).toBe('{"data":[{"n":40}]}\n')
    const copy = join(bench.folder, 'copy.sqlite')
    expect((await shipx('local', 'backup', copy, '--quiet')).exit).toBe(0)
    expect((await shipx('local', 'check', '--db', copy)).exit).toBe(0)
    expect(left()).toEqual([])
  })

  test('what writes is refused', async () => {
    for (const line of [
      'stores create --name more',
      'local reset --yes',
      `local restore ${join(bench.folder, 'copy.sqlite')} --yes`,
    ]) {
      const outcome = await shipx(...line.split(' '), '--json')
      expect([line, outcome.exit, codeOf(outcome)]).toEqual([line, 1, 'database_read_only'])
    }
  })

  test('without room for a copy it says what it needs', async () => {
    const outcome = await bench.shipx(['stores', 'list', '--json'], { env: { TMPDIR: join(bench.folder, 'nowhere') } })
    expect([outcome.exit, codeOf(outcome)]).toEqual([1, 'database_read_only'])
    expect(outcome.stderr).toContain('TMPDIR')
  })

  test('with a log that is not in the file yet it is refused, since it would show what is old', async () => {
    const other = join(bench.folder, 'logged')
    const path = join(other, 'shipx.sqlite')
    mkdirSync(other)
    await bench.shipx(['local', 'backup', path, '--quiet'])
    await bench.shipx(['stores', 'create', '--name', 'one', '--db', path])
    const db = new driver(path)
    db.exec("update stores set brand_name = 'new'")
    bash('cp "$0-wal" "$0-kept"', path)
    db.close()
    bash('mv "$0-kept" "$0-wal"', path)
    expect([statSync(`${path}-wal`).size > 0, readOnlyAt(other)]).toEqual([true, true])
    try {
      const outcome = await shipx('stores', 'list', '--json', '--db', path)
      expect([outcome.exit, codeOf(outcome)]).toEqual([1, 'database_read_only'])
      expect(outcome.stderr).toContain(`its latest changes are in ${path}-wal`)
    } finally {
      unmount(other)
    }
  })
})

describe.skipIf(!canMount)('in a folder of another user', () => {
  test('a file that may be read is read', async () => {
    const other = join(bench.folder, 'theirs')
    mkdirSync(other)
    const path = join(other, 'shipx.sqlite')
    await bench.shipx(['local', 'backup', path, '--quiet'])
    await bench.shipx(['stores', 'create', '--name', 'theirs', '--db', path])
    chmodSync(bench.folder, 0o755)
    chmodSync(path, 0o644)
    chmodSync(other, 0o555)
    const own = join(bench.folder, 'own')
    mkdirSync(own)
    bash('chown 65534:65534 "$0"', own)
    const outcome = await bench.bash(
      `setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v node)" '${join(root, 'bin', 'shipx.js')}' stores list --jsonl --db '${path}'`,
      { env: { HOME: own, SHIPX_DATA_DIR: own, TMPDIR: own } },
    )
    expect([outcome.exit, outcome.stderr]).toEqual([0, ''])
    expect(outcome.stdout).toContain('"theirs"')
    expect(readdirSync(own).filter((name) => name.startsWith('shipx-read'))).toEqual([])
    expect(existsSync(`${path}-shm`)).toBe(false)
  })
})
