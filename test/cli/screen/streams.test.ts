// Defends what happens around a command: pipes, full disks, colours, terminals, signals, and databases that other
// processes use at the same time, all with the built command in real processes.
import { spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeEnv, program as start, writeLauncher } from '../../support/program.ts'
import { orderRequest } from '../../support/requests.ts'

const driver = createRequire(import.meta.url).resolve('better-sqlite3')
const escape = String.fromCharCode(27)
const unix = process.platform !== 'win32'

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
  /** How long it took, ms. */
  readonly took: number
}

let tmp: string
/** A folder with `shipx` in it, for bash. */
let bin: string
/** A database of some megabytes that tests only read. */
let big: string

beforeAll(async () => {
  tmp = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-streams-')))
  chmodSync(tmp, 0o755)
  bin = join(tmp, 'bin')
  mkdirSync(bin)
  writeLauncher(bin)
  big = join(tmp, 'big.sqlite')
  const seeded = await shipx(['local', 'seed', '--shipments', '2600', '--returns', '10', '--stores', '5', '--db', big])
  expect(seeded.exit).toBe(0)
})
afterAll(() => rmSync(tmp, { recursive: true, force: true }))

const environment = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: join(tmp, 'home'),
  ...codeEnv(),
  TZ: 'UTC',
  LC_ALL: 'C.UTF-8',
  TERM: 'xterm',
  SHIPX_NOW: '2026-09-29T08:30:00Z',
  SHIPX_DATA_DIR: join(tmp, 'data'),
  ...over,
})

/** A process that has been started, and what it comes to. */
function begin(
  command: string,
  args: readonly string[],
  { env = {}, input, ...options }: SpawnOptions & { env?: Record<string, string>; input?: string } = {},
) {
  const began = performance.now()
  const child = spawn(command, args, { cwd: tmp, ...options, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<Outcome>((resolve, reject) => {
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ stdout, stderr, exit: code ?? String(signal), took: performance.now() - began }),
    )
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  return { child, ended }
}

const shipx = (args: readonly string[], options?: Parameters<typeof begin>[2]): Promise<Outcome> =>
  begin(process.execPath, [start, ...args], options).ended

const bash = (line: string, env?: Record<string, string>): Promise<Outcome> =>
  begin('bash', ['-c', line], env === undefined ? {} : { env }).ended

/** A line run on a pseudo terminal of so many columns: everything that it shows, with line feeds for line ends. */
async function onTerminal(line: string, columns: number, env?: Record<string, string>): Promise<string> {
  const { stdout } = await bash(`script -qec ${quote(`stty cols ${columns}; ${line}`)} /dev/null < /dev/null`, env)
  return stdout.replaceAll('\r\n', '\n')
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
/** The program of util-linux that gives a command a pseudo terminal. */
const terminal = 'script'
const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0

const idsIn = async (kind: 'shipments' | 'stores', db: string): Promise<readonly string[]> => {
  const { stdout } = await shipx([kind, 'list', '--all', '--ids', '--db', db])
  return stdout.split('\n').filter((line) => line !== '')
}

describe.skipIf(!unix)('a pipe', () => {
  test.each(['--json', '--jsonl', '--csv', '--columns awb'])(
    'whose reader leaves after a byte is quiet: %s',
    async (flags) => {
      const { stdout, stderr } = await bash(
        `shipx shipments list --all -q ${flags} --db big.sqlite | head -c 1; echo " \${PIPESTATUS[0]}"`,
      )
      expect(stdout).toMatch(/^. 0\n$/)
      expect(stderr).toBe('')
    },
  )

  test('whose reader takes one line of many is quiet, however it is read', async () => {
    const { stdout, stderr } = await bash(
      'shipx shipments list --all -q --db big.sqlite | head -1 | cut -f2; echo "${PIPESTATUS[0]}"',
    )
    expect([stdout.split('\n').length, stdout.endsWith('\n0\n'), stderr]).toEqual([3, true, ''])
    const counted = await bash('shipx shipments list --all --csv -q --db big.sqlite | (sleep 1; wc -l)')
    expect([Number(counted.stdout) > 2600, counted.stderr]).toEqual([true, ''])
  })

  test.each(['--version', 'complete -- st', '--help', 'commands --json'])(
    'that nobody reads is quiet also where no command is loaded: %s',
    async (words) => {
      const { stdout, stderr } = await bash(`(sleep 0.3; shipx ${words}; echo $? > status) | true; cat status`)
      expect([stdout, stderr]).toEqual(['0\n', ''])
    },
  )

  test('3 MB arrive whole, however slowly they are read', { tags: ['full'] }, async () => {
    const { stdout } = await bash('shipx shipments list --all --json --db big.sqlite | (sleep 0.7; cat)')
    expect(stdout.length).toBeGreaterThan(3_000_000)
    const { data, meta } = JSON.parse(stdout) as { data: { id: string }[]; meta: { total: number } }
    expect([data.length, meta.total, new Set(data.map(({ id }) => id)).size]).toEqual([2600, 2600, 2600])
  })

  test.each([
    'stores list --db big.sqlite',
    'shipments list --all --json --db big.sqlite',
    'rates --from 400001 --to 560001 -w 500 -s 20x15x10 --prepaid',
    '--help',
    'commands --json',
    'completion bash',
    '--version',
    'complete -- st',
    'doctor',
    'shipments get $(shipx shipments list --limit 1 --ids --db big.sqlite) --db big.sqlite',
  ])('into a full disk is one error and never a success: %s', async (words) => {
    if (!existsSync('/dev/full')) return
    const { stderr, exit } = await bash(`shipx ${words}${/^(--version|complete)/.test(words) ? '' : ' -q'} > /dev/full`)
    expect(exit).toBe(1)
    expect(stderr).toMatch(/^(✗ |\{"error":\{"code":"output_failed",).*could not be written.*\n$/)
  })

  test('with a closed standard input asks for nothing and hangs on nothing', { tags: ['full'] }, async () => {
    const rates = await bash('shipx rates --from 400001 --to 560001 -w 500 -s 20x15x10 --prepaid --limit 1 -q <&-')
    expect([rates.exit, rates.stdout.split('\t')[0], rates.stderr]).toEqual([0, 'Peepal Post', ''])
    const order = await bash('shipx orders create --file - <&-')
    expect([order.exit, order.stderr]).toEqual([
      2,
      '✗ --file: standard input is empty; it must hold an order as JSON\n',
    ])
    const reset = await bash('shipx local reset --db big.sqlite <&-')
    expect([reset.exit, existsSync(big)]).toEqual([8, true])
    expect(reset.stderr).toContain('add --yes')
  })

  test.each([
    [['shipments', 'list', '--status', 'transit', '--json'], 2],
    [['rates', '--json'], 2],
    [['stores', 'get', 'nobody', '--jsonl'], 3],
    [['local', 'reset', '--json'], 8],
    [['stores', 'lst', '--jsonl'], 2],
    [['stores', 'list', '--jsn', '--json'], 2],
    [['local', 'import', 'shipments', '-', '--json'], 2],
  ] as const)(
    'under --json and --jsonl holds nothing but data, and the error is one line of JSON: %j',
    async (args, exit) => {
      const { stdout, stderr, exit: status } = await shipx([...args, '--db', big], { input: '{"broken\n' })
      expect([status, stdout]).toEqual([exit, ''])
      expect(stderr.split('\n')).toHaveLength(2)
      const { error } = JSON.parse(stderr) as { error: Record<string, unknown> }
      expect(Object.keys(error)).toEqual([
        'code',
        'message',
        'status',
        'details',
        'hint',
        'retryable',
        'retry_after_ms',
        'exit_code',
      ])
      expect(error['exit_code']).toBe(exit)
    },
  )

  test.each([
    [['rates', '--csv'], 2],
    [['shipments', 'list', '--excel', '--status', 'ndr'], 2],
    [['local', 'reset', '--ids'], 8],
    [['stores', 'lst', '--tsv'], 2],
    [['stores', 'list', '--jsn', '--excel'], 2],
    [['stores', 'get', 'nobody', '--table'], 3],
  ] as const)('an error of those who read CSV, ids or a table is text: %j', async (args, exit) => {
    for (const env of [{}, { SHIPX_FORMAT: 'json' }]) {
      const told = await shipx([...args, '--db', big], { env })
      expect([told.exit, told.stdout, told.stderr.includes('✗ '), told.stderr.includes('{')]).toEqual([
        exit,
        '',
        true,
        false,
      ])
    }
  })

  test.each([
    ['json', true],
    ['jsonl', true],
    ['csv', false],
    ['excel', false],
    ['ids', false],
    ['table', false],
  ] as const)('SHIPX_FORMAT=%s and a profile of that format: an error is JSON: %j', async (format, inJson) => {
    const config = join(tmp, `config-${format}`)
    mkdirSync(config, { recursive: true, mode: 0o700 })
    writeFileSync(join(config, 'config.json'), JSON.stringify({ current: 'own', profiles: { own: { format } } }), {
      mode: 0o600,
    })
    const own = { SHIPX_CONFIG_DIR: config }
    for (const env of [{ SHIPX_FORMAT: format }, own]) {
      const { exit, stdout, stderr } = await shipx(['stores', 'get', 'nobody', '--db', big], { env })
      expect([exit, stdout, stderr.startsWith('{"error"')]).toEqual([3, '', inJson])
    }
    const back = await shipx(['stores', 'list', '--limit', '1', '--table', '--db', big], { env: own })
    expect(back.stdout.split('\t').length).toBeGreaterThan(3)
  })

  test('a clock that is no time is one line of JSON as well', async () => {
    const { stdout, stderr, exit } = await shipx(['stores', 'list', '--json'], { env: { SHIPX_NOW: 'yesterday' } })
    expect([exit, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid_input', exit_code: 2 } })
  })
})

describe('colour', { tags: ['full'] }, () => {
  const both = async (env: Record<string, string>, ...flags: string[]): Promise<[boolean, boolean]> => {
    const good = await shipx(['shipments', 'list', '--limit', '3', '--db', big, ...flags], { env })
    const bad = await shipx(['shipments', 'list', '--status', 'transit', '--db', big, ...flags], { env })
    expect([good.exit, bad.exit]).toEqual([0, 2])
    expect(good.stdout.split('\n').length).toBeGreaterThan(1)
    return [good.stdout.includes(escape), bad.stderr.includes(escape)]
  }
  const table = { SHIPX_FORCE_TTY: '100' }

  test('NO_COLOR and --color never leave no escape, on either stream', async () => {
    expect(await both({ ...table, NO_COLOR: '1' })).toEqual([false, false])
    expect(await both({ ...table, FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, '--color', 'never')).toEqual([false, false])
    expect(await both({ ...table, NO_COLOR: '1', FORCE_COLOR: '1' })).toEqual([false, false])
  })

  test('--color always, FORCE_COLOR and CLICOLOR_FORCE colour, the flag above NO_COLOR', async () => {
    expect(await both({ ...table, NO_COLOR: '1' }, '--color', 'always')).toEqual([true, true])
    expect(await both({ ...table, FORCE_COLOR: '1' })).toEqual([true, true])
    expect(await both({ ...table, CLICOLOR_FORCE: '1' })).toEqual([true, true])
  })

  test('TERM=dumb has none, and data in a pipe never has any', async () => {
    expect(await both({ ...table, TERM: 'dumb' })).toEqual([false, false])
    expect(await both({})).toEqual([false, false])
    for (const format of ['--json', '--csv', '--tsv', '--ids', '--columns=awb'])
      expect(await both({ FORCE_COLOR: '1' }, format)).toEqual([false, format !== '--json'])
  })
})

describe.skipIf(!hasScript)('a real terminal (needs `script` of util-linux)', { tags: ['full'] }, () => {
  test('gets a table, and a pipe the same records with tabs', async () => {
    const shown = await onTerminal('shipx shipments list --limit 3 --db big.sqlite', 100)
    const lines = shown.split('\n')
    expect(lines.find((line) => line.includes('AWB'))).toContain(`${escape}[1m`)
    expect(lines).toContain('Showing 3 of 2,600 shipments')
    expect(lines.at(-2)).toMatch(/^Next: shipx shipments list --db big\.sqlite --page 2 --per-page 3/)
    expect(shown).not.toContain('\t')
    const { stdout } = await shipx(['shipments', 'list', '--limit', '3', '--db', big])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows.map((row) => row.length)).toEqual([8, 8, 8])
    for (const [awb] of rows) expect(shown).toContain(awb)
    expect(stdout).not.toContain(escape)
  })

  test('that has not been told its size is not taken for one of no columns', async () => {
    const { stdout } = await bash(
      "script -qec 'stty cols 0; shipx stores list -q --db big.sqlite' /dev/null < /dev/null",
    )
    expect(stdout).toContain('coromandel-toys')
    expect(stdout).toContain('STORE')
  })

  test('shows an escape sequence in a name as text, and JSON escapes it', async () => {
    const hidden = [escape, '\u009b', '\u202e', '\u0007']
    const evil = `Asha${escape}[31m\u009b2J\u202eRao`
    const record = {
      id: 'E-1', type: 'shipment',
      attributes: { tracking_number: '34810000000001', status: 'delivered', created_at: '2026-09-28T04:30:00Z', shipping_address: { name: evil, city: `Pune${escape}]0;owned\u0007` } },
    } // prettier-ignore
    const imported = await shipx(['local', 'import', 'shipments', '-', '--db', 'evil.sqlite'], {
      input: `${JSON.stringify(record)}\n`,
    })
    expect(imported.exit).toBe(0)
    const env = { NO_COLOR: '1' }
    for (const line of [
      'shipx shipments list --columns customer,to --db evil.sqlite',
      'shipx shipments get E-1 --db evil.sqlite',
    ]) {
      const shown = await onTerminal(line, 120, env)
      expect(shown).toContain('Asha\\u{1b}[31m\\u{9b}2J\\u{202e}Rao')
      expect(shown).toContain('Pune\\u{1b}]0;owned\\u{7}')
      for (const char of hidden) expect(shown).not.toContain(char)
    }
    const missing = await onTerminal(`shipx stores get "$(printf 'x\\033[31my')" --db evil.sqlite`, 120, env)
    expect(missing).toContain('there is no store x\\u{1b}[31my')
    expect(missing).not.toContain(escape)
    const { stdout } = await shipx(['shipments', 'list', '--json', '--db', 'evil.sqlite'])
    expect(stdout).toContain('Asha\\u001b[31m\\u009b2J\\u202eRao')
    for (const char of hidden) expect(stdout).not.toContain(char)
    const { data } = JSON.parse(stdout) as { data: (typeof record)[] }
    expect(data[0]!.attributes.shipping_address.name).toBe(evil)
  })

  test('is asked before a store is renamed, and a no changes nothing', async () => {
    await shipx(['stores', 'create', '--name', 'asked', '--db', 'asked.sqlite'])
    // Typed once the question is there, as a person would: keys pressed before it belong to nobody.
    const answer = (word: string): Promise<Outcome> =>
      bash(
        `(sleep 2; printf '${word}\\r'; sleep 1) | ${terminal} -qec 'shipx stores update asked --name renamed --db asked.sqlite' /dev/null`,
      )
    const no = await answer('n')
    expect(no.stdout).toContain('Renaming asked to renamed (in every linked shipment and return)?')
    expect(no.stdout).toContain('Cancelled, nothing was changed.')
    expect((await shipx(['stores', 'list', '--columns', 'store', '--db', 'asked.sqlite'])).stdout).toBe('asked\n')
    const yes = await answer('y')
    expect([yes.exit, yes.stdout.includes('Changed store renamed')]).toEqual([0, true])
  })
})

describe.skipIf(!unix)('an interrupt', { tags: ['full'] }, () => {
  test('during a long import ends it within a second with 130, tears nothing, and the same command completes', async () => {
    const total = 40_000
    const record = (i: number): string =>
      JSON.stringify({
        id: `L-${i}`,
        type: 'shipment',
        attributes: {
          tracking_number: `9${i}`,
          status: 'pending',
          created_at: '2026-09-28T04:30:00Z',
          shipping_address: { name: `Customer ${i}`, city: 'Pune' },
        },
      })
    writeFileSync(join(tmp, 'long.jsonl'), Array.from({ length: total }, (_, i) => `${record(i)}\n`).join(''))
    const db = join(tmp, 'long.sqlite')
    const args = ['local', 'import', 'shipments', 'long.jsonl', '--db', db]
    const { child, ended } = begin(process.execPath, [start, ...args])
    // As soon as some chunks are in.
    while (child.exitCode === null && (!existsSync(`${db}-wal`) || statSync(`${db}-wal`).size < 2_000_000))
      await wait(5)
    const sent = performance.now()
    child.kill('SIGINT')
    const { exit, stdout, stderr } = await ended
    expect(performance.now() - sent).toBeLessThan(1000)
    expect([exit, stdout]).toEqual([130, ''])
    const said =
      /stopped after line ([\d,]+) \(([\d,]+) created, 0 updated, 0 unchanged\)\n→ run the same command again/.exec(
        stderr,
      )
    const applied = Number(said?.[1]!.replaceAll(',', ''))
    expect(applied).toBeGreaterThan(0)
    expect(applied).toBeLessThan(total)
    expect(said?.[2]).toBe(said?.[1])
    expect(await idsIn('shipments', db)).toHaveLength(applied)
    expect((await shipx(['local', 'check', '--db', db])).exit).toBe(0)
    const again = await shipx([...args, '--json'])
    expect([again.exit, JSON.parse(again.stdout)]).toEqual([
      0,
      { data: { created: total - applied, updated: 0, unchanged: applied } },
    ])
    expect(new Set(await idsIn('shipments', db)).size).toBe(total)
  })
})

describe('one database', { tags: ['full'] }, () => {
  test('that four processes write to at once, from its first moment on, loses nothing and is never locked', async () => {
    const db = join(tmp, 'shared.sqlite')
    const order = (id: string): string => JSON.stringify(orderRequest({ order_id: id, order_date: '2026-09-29 10:30' }))
    const lane = async (name: string): Promise<readonly Outcome[]> => {
      const outcomes = [await shipx(['local', 'warehouse', 'set', 'WH1', '400001', '--db', db])]
      for (let i = 0; i < 25; i++) {
        outcomes.push(
          i % 2 === 0
            ? await shipx(['stores', 'create', '--name', `${name}-${i}`, '--db', db])
            : await shipx(['orders', 'create', '--file', '-', '--db', db], { input: order(`${name}-${i}`) }),
        )
      }
      return outcomes
    }
    const outcomes = (await Promise.all(['a', 'b', 'c', 'd'].map(lane))).flat()
    expect(outcomes.filter(({ exit }) => exit !== 0)).toEqual([])
    expect(outcomes.filter(({ stderr }) => /lock|busy|held by/i.test(stderr))).toEqual([])
    const shipments = await shipx(['shipments', 'list', '--all', '--jsonl', '--fields', 'tracking_number', '--db', db])
    expect(new Set(shipments.stdout.trimEnd().split('\n')).size).toBe(4 * 12)
    expect(await idsIn('stores', db)).toHaveLength(4 * 13)
    expect((await shipx(['local', 'check', '--db', db])).exit).toBe(0)
  })

  test('that another process holds is waited for, then told with exit 6, while reading goes on', async () => {
    const held = join(tmp, 'held.sqlite')
    const shut = join(tmp, 'shut.sqlite')
    for (const db of [held, shut])
      expect((await shipx(['stores', 'create', '--name', 'first', '--db', db])).exit).toBe(0)
    const hold = (db: string, before: string) => {
      const code = `const d = new (require(${JSON.stringify(driver)}))(process.argv[1]); d.exec(process.argv[2] + 'begin exclusive'); console.log('held'); setTimeout(() => {}, 30000)`
      const { child, ended } = begin(process.execPath, ['-e', code, db, before])
      return { child, ended, ready: new Promise((resolve) => child.stdout.once('data', resolve)) }
    }
    const holders = [hold(held, ''), hold(shut, 'pragma locking_mode = exclusive; ')]
    try {
      await Promise.all(holders.map(({ ready }) => ready))
      const [read, write, shutRead] = await Promise.all([
        shipx(['stores', 'list', '--columns', 'store', '--db', held]),
        shipx(['stores', 'create', '--name', 'second', '--json', '--db', held]),
        shipx(['stores', 'list', '--db', shut]),
      ])
      expect([read.exit, read.stdout]).toEqual([0, 'first\n'])
      expect([write.exit, write.stdout]).toEqual([6, ''])
      expect(JSON.parse(write.stderr)).toMatchObject({
        error: { code: 'database_locked', retryable: true, exit_code: 6 },
      })
      expect(write.took).toBeGreaterThan(4500)
      expect([shutRead.exit, shutRead.stdout]).toEqual([6, ''])
      expect(shutRead.stderr).toBe(
        `✗ ${shut} is held by another process\n→ try again when the other command has ended\n`,
      )
    } finally {
      for (const { child } of holders) child.kill('SIGKILL')
      await Promise.all(holders.map(({ ended }) => ended))
    }
    expect((await shipx(['stores', 'create', '--name', 'second', '--db', held])).exit).toBe(0)
    expect(await idsIn('stores', held)).toHaveLength(2)
  })

  test('that may not be written is read, and a write names it and changes nothing', async (context) => {
    // Root may write everything, so root tries it as nobody.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (!unix) context.skip('file permissions of another kind')
    const able = await shipx(['--version'], user).catch(() => undefined)
    if (able?.exit !== 0) context.skip('another user cannot run this checkout or this Node')
    const folder = join(tmp, 'sealed')
    mkdirSync(folder)
    const copy = join(folder, 'copy.sqlite')
    expect((await shipx(['local', 'backup', copy, '--db', big])).exit).toBe(0)
    // As a database lies after its last command: in WAL mode, which SQLite cannot read without writing beside it.
    const live = join(folder, 'live.sqlite')
    copyFileSync(big, live)
    for (const path of [copy, live]) chmodSync(path, 0o444)
    chmodSync(folder, 0o555)
    try {
      const read = await shipx(['stores', 'list', '--ids', '--db', copy], user)
      expect([read.exit, read.stdout.trim().split('\n').length]).toEqual([0, 5])
      for (const args of [
        ['stores', 'create', '--name', 'acme', '--db', copy],
        ['stores', 'list', '--db', live],
      ]) {
        const refused = await shipx(args, user)
        expect([refused.exit, refused.stdout]).toEqual([1, ''])
        expect(refused.stderr).toContain(`✗ ${args.at(-1)!} cannot be written`)
        expect(refused.stderr).toContain('→ check the permissions of the file and its folder')
      }
    } finally {
      chmodSync(folder, 0o755)
      for (const path of [copy, live]) chmodSync(path, 0o644)
    }
    expect(await idsIn('stores', copy)).toHaveLength(5)
  })
})

test('a Node that is too old is told so in one line', async () => {
  const preload = join(tmp, 'old.cjs')
  for (const version of ['18.20.4', '20.18.3', '12.0.0']) {
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })\n`,
    )
    const { exit, stdout, stderr } = await begin(process.execPath, ['-r', preload, start, 'stores', 'list']).ended
    expect([exit, stdout, stderr]).toEqual([1, '', `shipx needs Node 20.19 or newer; this is Node ${version}\n`])
  }
})
