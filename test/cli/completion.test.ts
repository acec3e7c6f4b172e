// Defends completion: what is offered for a line, on real shells after `shipx completion install`, without a network or a
// database, and that names of one account are not offered for another.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { scripts } from '../../src/cli/help/scripts.ts'
import { completionState } from '../../src/cli/help/installplace.ts'
import { systemIo } from '../../src/cli/terminal/io.ts'
import { sandbox } from '../support/sandbox.ts'
import { keys, programOn, type Terminal } from '../support/pty.ts'

const box = sandbox()
afterAll(() => box.remove())

/** Runs a program of the system, which is none of the project's. */
const run = (program: string, args: readonly string[], { input = '' } = {}) =>
  spawnSync(program, args, { env: { ...box.env }, cwd: box.folder, encoding: 'utf8', input })

/** Whether a program is on this machine: shells that are not are tested where they are. */
const installed = (program: string): boolean => run('which', [program]).status === 0

const values = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0]!)

/** What is offered for the last of some words. */
async function offered(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { stdout, stderr, exit } = await box.shipx(['complete', '--', ...words], { env })
  expect([stderr, exit]).toEqual(['', 0])
  return values(stdout)
}

beforeAll(async () => {
  expect((await box.shipx(['local', 'seed', '--shipments', '20', '--returns', '5'])).exit).toBe(0)
})

describe('what is offered', () => {
  test('commands, then the words of a group, with what they are for', async () => {
    expect(await offered(['sto'])).toEqual(['stores'].filter((name) => name.startsWith('sto')))
    expect(await offered(['stores', ''])).toEqual([
      'list',
      'get',
      'create',
      'update',
      'disconnect',
      'connect',
      'import',
      'export',
    ])
    expect((await box.shipx(['complete', '--', 'stores', 'li'])).stdout).toBe('list\tList the connected stores\n')
  })

  test('flags that are shown in help and not used yet; those that add up again', async () => {
    const rates = await offered(['rates', '--from', '400001', '--json', '--'])
    expect(rates).toContain('--to')
    for (const gone of ['--from', '--json', '--csv', '--origin-pincode', '--dead-weight'])
      expect(rates).not.toContain(gone)
    expect(await offered(['orders', 'create', '--item', 'a:1:2:b', '--it'])).toEqual(['--item'])
    expect(await offered(['shipments', 'list', '-q', '--qui'])).toEqual([])
  })

  test('no flag that a typed one excludes', async () => {
    const all = await offered(['shipments', 'list', '--all', '--'])
    expect(all).toContain('--zone')
    expect(all).not.toContain('--page')
    expect(await offered(['shipments', 'list', '--page', '2', '--al'])).toEqual([])
  })

  test('flags and values after a short verb: stores ls', async () => {
    expect(await offered(['stores', 'ls', '--lim'])).toEqual(['--limit'])
    expect(await offered(['shipments', 'ls', '--zone', 'zone_'])).toContain('zone_a')
  })

  test('values of lists after each comma, also after an equals sign and in the pieces that bash makes of it', async () => {
    expect(await offered(['shipments', 'list', '--zone', 'zone_a,zone_b,'])).toEqual([
      'zone_a,zone_b,zone_c',
      'zone_a,zone_b,zone_d',
      'zone_a,zone_b,zone_e',
    ])
    expect(await offered(['shipments', 'list', '--status=del'])).toEqual(['--status=delivered'])
    expect(await offered(['shipments', 'list', '--status', '=', 'del'])).toEqual(['--status=delivered'])
    expect(await offered(['shipments', 'list', '--status', '='])).toContain('--status=pending')
    expect(await offered(['shipments', 'list', '--is-cod', ''])).toEqual(['true', 'false'])
  })

  test('a value of a flag is no word of the command', async () => {
    expect(await offered(['--account', 'stores', 'shipments', ''])).toContain('summary')
    expect(await offered(['shipments', 'list', '--search', 'returns', '--date-field', 'order'])).toEqual(['order_date'])
  })

  test('stores, couriers and warehouses that were seen', { tags: ['full'] }, async () => {
    expect(await offered(['shipments', 'list', '--store', 'coromandel-toys,j'])).toEqual([
      'coromandel-toys,jaipur-farms',
    ])
    expect(await offered(['stores', 'get', '"neem'])).toEqual(['neem-kitchen'])
    expect(await offered(['local', 'warehouse', 'remove', 'WHB'])).toEqual(['WHBLR2'])
    expect((await box.shipx(['complete', '--', 'shipments', 'list', '--carrier-id', 'CAR3'])).stdout).toBe(
      'CAR3DECCAN4P7\tDeccan Parcel\n',
    )
    await box.shipx(['stores', 'create', '--name', 'acme-kids'])
    expect(await offered(['orders', 'create', '--store', 'acme'])).toEqual(['acme-kids'])
    await box.shipx(['stores', 'update', 'acme-kids', '--name', 'acme-juniors', '--yes'])
    expect(await offered(['orders', 'create', '--store', 'acme'])).toEqual(['acme-juniors'])
  })

  test('profiles, and the pincode that they start from', { tags: ['full'] }, async () => {
    await box.shipx(['profile', 'set', 'acme.origin', '560001'])
    await box.shipx(['profile', 'set', 'acme.warehouse.south', 'WHBLR2'])
    expect(await offered(['profile', 'use', ''])).toEqual(['acme'])
    expect(await offered(['--profile', 'acme', 'rates', '--from', ''])).toEqual(['560001'])
    expect(await offered(['orders', 'import', '--profile', 'acme', '--warehouse', 'so'])).toEqual(['south'])
  })

  test('the saved maps of files', { tags: ['full'] }, async () => {
    box.file('mapped.csv', 'Shop\nacme-mapped\n')
    const map = ['--map', 'Shop=store_name', '--save-map', 'my-shop']
    await box.shipx(['stores', 'import', 'mapped.csv', '--yes', ...map])
    expect(await offered(['orders', 'import', 'orders.csv', '--use-map', 'm'])).toEqual(['my-shop'])
    expect(await offered(['map', 'show', ''])).toEqual(['my-shop'])
  })

  test('paths where a path is meant, and nothing where nothing can be known', { tags: ['full'] }, async () => {
    expect(await offered(['stores', 'import', ''])).toEqual([':files'])
    expect(await offered(['rates', '--file', 'p'])).toEqual([':files'])
    expect(await offered(['stores', 'export', '--logos', ''])).toEqual([':folders'])
    expect(await offered(['rates', '--weight', ''])).toEqual([])
    expect(await offered(['shipments', 'list', '--nonsense', ''])).toEqual([])
    expect(await offered(['help', 'exit'])).toEqual(['exit-codes'])
  })

  test('names of one account are not offered for another', { tags: ['full'] }, async () => {
    const ask = ['shipments', 'list', '--store', '']
    expect(await offered(ask)).toContain('neem-kitchen')
    expect(await offered([...ask.slice(0, 2), '--db', 'other.sqlite', ...ask.slice(2)])).toEqual([])
    expect(await offered(['--account', 'other', ...ask])).toEqual([])
    expect(await offered(ask, { SHIPX_BASE_URL: 'https://api.example.com' })).toEqual([])
    expect(await offered(ask, { SHIPX_BASE_URL: 'https://api.example.com', SHIPX_API_KEY: 'key-of-another' })).toEqual(
      [],
    )
    expect(await offered(['--db', join(box.folder, 'data', 'shipx.sqlite'), ...ask])).toContain('neem-kitchen')
  })

  test(
    'a broken file of names, a broken file of profiles and a strange name offer nothing and say nothing',
    { tags: ['full'] },
    async () => {
      const folder = join(box.folder, 'data', 'names')
      const path = join(folder, readdirSync(folder)[0]!)
      const before = readFileSync(path, 'utf8')
      try {
        for (const text of ['', '{', 'null', '[]', '{"stores":7}', 'x'.repeat(3_000_000)]) {
          writeFileSync(path, text)
          expect(await offered(['stores', 'get', ''])).toEqual([])
        }
        const stores = ['$(touch${IFS}owned)', '`id`', '-rf', 'a b', "a'b", 'a\nb', 'a;b', 'good', 'a\u202eb', ':files']
        writeFileSync(path, JSON.stringify({ stores, couriers: [{ id: 'X1', name: 'Evil\u001b]0;x\u0007\t$(id)' }] }))
        expect(await offered(['stores', 'get', ''])).toEqual(['good'])
      } finally {
        writeFileSync(path, before)
      }
      const config = join(box.folder, 'broken')
      mkdirSync(config)
      writeFileSync(join(config, 'config.json'), '{', { mode: 0o600 })
      expect(await offered(['stores', 'get', ''], { SHIPX_CONFIG_DIR: config })).toEqual([])
    },
  )

  test('the files of names are for the user alone, small, and written only when something is new', async () => {
    const folder = join(box.folder, 'data', 'names')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const before = readdirSync(folder).map((name) => statSync(join(folder, name)))
    for (const { mode, size } of before) expect([mode & 0o777, size < 200_000]).toEqual([0o600, true])
    await box.shipx(['stores', 'list', '--json'])
    await box.shipx(['stores', 'list', '--json'])
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
    const settled = readdirSync(folder).map((name) => statSync(join(folder, name)).ino)
    await box.shipx(['stores', 'list'])
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).ino)).toEqual(settled)
  })

  test('many stores: two thousand are kept', { tags: ['full'] }, async () => {
    const rows = Array.from({ length: 2500 }, (_, i) => `many-${String(i).padStart(4, '0')}`)
    box.file('many.csv', `store_name\n${rows.join('\n')}\n`)
    expect((await box.shipx(['stores', 'import', 'many.csv', '--db', 'many.sqlite', '--yes'])).exit).toBe(0)
    expect(await offered(['--db', 'many.sqlite', 'stores', 'get', 'many-'])).toHaveLength(2000)
  })

  test(
    'neither a place that cannot be written nor one that cannot be read disturbs a command',
    { tags: ['full'] },
    async () => {
      const env = { SHIPX_DATA_DIR: join(box.folder, 'file.txt'), SHIPX_DB: join(box.folder, 'data', 'shipx.sqlite') }
      box.file('file.txt', 'no folder')
      const { exit, stderr } = await box.shipx(['stores', 'list', '--json'], { env })
      expect([exit, stderr]).toEqual([0, ''])
      expect(await offered(['stores', 'get', ''], env)).toEqual([])
    },
  )
})

describe('completion install', { tags: ['full'] }, () => {
  const home = join(box.folder, 'home')
  const io = (shell: string) =>
    systemIo({ ...process, env: { ...box.env, SHELL: shell }, platform: 'linux' } as unknown as NodeJS.Process)
  const stateOf = (shell: string) => completionState({ ...io(`/bin/${shell}`), home })

  test.each(['bash', 'zsh', 'fish'])(
    '%s: puts the script where the shell looks, again without a change, and away',
    async (shell) => {
      const completion = (...args: readonly string[]) =>
        box.shipx(['completion', ...args], { env: { SHELL: `/usr/bin/${shell}` } })
      expect(stateOf(shell)).toMatchObject({ shell, installed: false, current: false })
      const startup = join(home, `.${shell}rc`)
      const had = shell === 'fish' ? undefined : '# mine\nalias ll="ls -l"\n'
      if (had !== undefined) writeFileSync(startup, had, { mode: 0o640 })
      const dry = await completion('install', '--dry-run')
      expect(dry.exit).toBe(0)
      expect(stateOf(shell)).toMatchObject({ installed: false })
      // Nobody can be asked: the file is there, the startup file as it was.
      const first = await completion('install')
      expect([first.exit, stateOf(shell)!.current, stateOf(shell)!.installed]).toEqual([0, true, shell === 'fish'])
      if (had !== undefined) expect(readFileSync(startup, 'utf8')).toBe(had)
      if (had !== undefined) expect(first.stderr).toContain(`add to ${startup}`)
      expect((await completion('install', '--yes')).exit).toBe(0)
      expect(stateOf(shell)).toMatchObject({ installed: true, current: true })
      const once = had === undefined ? '' : readFileSync(startup, 'utf8')
      expect((await completion('install', shell, '--yes')).exit).toBe(0)
      if (had !== undefined) expect(readFileSync(startup, 'utf8')).toBe(once)
      if (had !== undefined) expect([statSync(startup).mode & 0o777, once.startsWith(had)]).toEqual([0o640, true])
      writeFileSync(stateOf(shell)!.path, 'of an older shipx')
      expect(stateOf(shell)).toMatchObject({ installed: true, current: false })
      expect((await completion('uninstall', '--yes')).exit).toBe(0)
      expect([existsSync(stateOf(shell)!.path), stateOf(shell)!.installed]).toEqual([false, false])
      if (had !== undefined) expect(readFileSync(startup, 'utf8')).toBe(had)
      if (had !== undefined) rmSync(startup)
      expect((await completion('uninstall')).exit).toBe(0)
    },
  )

  test('a shell that is not known is asked for by name', async () => {
    const { exit, stderr } = await box.shipx(['completion', 'install'], { env: { SHELL: '/bin/ksh' } })
    expect([exit, stderr]).toEqual([2, '✗ <shell>: is required: bash, zsh, fish, powershell\n'])
  })

  test('powershell: a line in its profile', async () => {
    expect((await box.shipx(['completion', 'install', 'powershell', '--yes'])).exit).toBe(0)
    const profile = join(home, '.config', 'powershell', 'Microsoft.PowerShell_profile.ps1')
    expect(readFileSync(profile, 'utf8')).toContain(`. '${join(box.folder, 'data', 'completion', 'shipx.ps1')}'`)
    await box.shipx(['completion', 'uninstall', 'powershell', '--yes'])
    expect(readFileSync(profile, 'utf8')).toBe('')
  })

  // Where PowerShell is not at hand its script can only be looked at.
  test.skipIf(!installed('pwsh'))('powershell reads its script', () => {
    const script =
      '$tokens = $null; $errors = $null; [void][System.Management.Automation.Language.Parser]::ParseInput([Console]::In.ReadToEnd(), [ref]$tokens, [ref]$errors); exit $errors.Count'
    expect(run('pwsh', ['-NoProfile', '-Command', script], { input: scripts['powershell']! }).status).toBe(0)
  })

  test('the script of powershell closes what it opens', () => {
    const text = scripts['powershell']!.replace(/'[^'\n]*'|"[^"\n]*"|#.*/g, '')
    for (const [open, close] of ['{}', '()', '[]'])
      expect([open, text.split(open!).length]).toEqual([open, text.split(close!).length])
  })
})

describe('on a real shell', { tags: ['full'] }, () => {
  const home = join(box.folder, 'home')
  let server: Server
  let connections = 0
  let terminal: Terminal | undefined

  beforeAll(async () => {
    server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    box.file('parcels-of-today.csv', 'ref\n')
  })
  afterAll(() => server.close())
  afterEach(() => terminal?.kill())

  const shells = {
    bash: ['-i'],
    zsh: ['-i'],
    fish: ['-i', '-C', 'function fish_prompt; echo "ready> "; end'],
  } as const

  for (const [shell, args] of Object.entries(shells)) {
    // Not every machine has every shell; those that build shipx for others have.
    test.skipIf(!installed(shell))(
      `${shell}: commands, flags, values, lists, stores and files with Tab; nothing is opened`,
      async () => {
        // A prompt that can be waited for, whatever the system's own startup files say.
        if (shell !== 'fish') writeFileSync(join(home, `.${shell}rc`), "PS1='ready> '\n")
        const done = await box.shipx(['completion', 'install', shell, '--yes'])
        expect(done.exit).toBe(0)
        // A database that cannot be opened without a trace: reading from it would hang, and beside it nothing may appear.
        const trap = join(box.folder, `trap-${shell}`)
        mkdirSync(trap)
        const fifo = join(trap, 'shipx.sqlite')
        expect(run('mkfifo', [fifo]).status).toBe(0)
        const { port } = server.address() as AddressInfo
        const url = `http://127.0.0.1:${port}`
        const remote = { SHIPX_BASE_URL: url, SHIPX_API_KEY: 'a-key-for-nobody' }
        const env = { ...remote, HOME: home, SHELL: shell, fish_greeting: '' }
        terminal = programOn(box, shell, args, { env: { ...env, SHIPX_DB: fifo }, columns: 120 })
        const shown = terminal
        await shown.shows('ready>')
        const came = (what: string | RegExp, patience: number): Promise<boolean> =>
          shown.shows(what, patience).then(
            () => true,
            () => false,
          )
        // What is typed while the shell is still at the line before may be thrown away, by Ctrl-C or as a whole: the new prompt is
        // waited for (bash shows it with the next key), and a key that was lost all the same is pressed again.
        const typed = async (line: string, expected: string | RegExp): Promise<void> => {
          let seen = false
          for (let tries = 1; !seen && tries <= 4; tries++) {
            shown.type(`${line}${keys.tab}`)
            seen = await came(expected, 6000)
            for (let presses = 1; presses <= 5; presses++) {
              shown.type(keys.interrupt)
              if (await came(/(ready>|\^C)\s*$/, 2000)) break
            }
            await new Promise((resolve) => setTimeout(resolve, 300))
          }
          expect([line, seen, shown.screen()]).toEqual([line, true, expect.any(String)])
        }
        await typed('shipx servicea', 'shipx serviceability')
        await typed('shipx shipments list --atte', 'shipx shipments list --attempts-count-')
        await typed('shipx returns list --status canc', 'shipx returns list --status cancelled')
        await typed(
          'shipx shipments list --zone=zone_a,zone_b,zone_c,zone_d,',
          /--zone=zone_a,zone_b,zone_c,zone_d,zone_e/,
        )
        await typed('shipx rates --file parcels-of-t', 'shipx rates --file parcels-of-today.csv')
        await typed('shipx stores import parcels-of-t', 'shipx stores import parcels-of-today.csv')
        // The stores of the embedded engine's database, which is asked for by name.
        await typed(`shipx stores get --db ${join(box.folder, 'data', 'shipx.sqlite')} jaipur-f`, /jaipur-farms/)
        // Bash shows values alone, the others what they are for.
        await typed('shipx stores ', shell === 'bash' ? 'shipx stores' : 'List the connected stores')
        // Of the deployment nothing is known, and it is not asked either.
        shown.type(`shipx stores get ${keys.tab}`)
        await new Promise((resolve) => setTimeout(resolve, 2000))
        expect(connections).toBe(0)
        expect(readdirSync(trap)).toEqual(['shipx.sqlite'])
        await box.shipx(['completion', 'uninstall', shell, '--yes'])
      },
    )
  }

  // strace is not everywhere; where it is, it tells what was opened.
  test.skipIf(!installed('strace'))('opens no database and no socket', () => {
    const trace = join(box.folder, 'trace')
    const words = ['complete', '--', 'stores', 'get', '']
    const traced = run('strace', ['-f', '-o', trace, '-e', 'trace=openat,connect,socket', 'shipx', ...words])
    if (traced.status !== 0) return expect(traced.stderr).toMatch(/ptrace|Operation not permitted/)
    expect(values(traced.stdout)).toContain('neem-kitchen')
    const text = readFileSync(trace, 'utf8')
    expect(text).not.toMatch(/shipx\.sqlite|AF_INET|better_sqlite3/)
  })
})
