// Defends what people see: every script in test/scripts is a terminal session of the built command, and each line of its
// output, its errors and its exit codes must be exactly as written there (UPDATE=1 writes them anew).
import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../support/testdatabase.ts'
import { codeEnv, codeMode, program as start, writeLauncher } from '../support/program.ts'
import { root } from '../support/checkout.ts'
import { opener } from '../support/sqlite.ts'

const folder = join(root, 'test', 'scripts')
const updating = process.env['UPDATE'] === '1'

// A script has, in this order: files (`-- name --` and their lines, up to the first `$` or `#` line), then commands:
//   # a remark; `# tty 100` lays the next command out for a terminal of 100 columns
//   $ a bash command line, in which `shipx` is the built command; lines `> …` right below it go on with it
//   its standard output; `2> ` before each line of its standard error; `[exit 2]` when that is not 0
// Every script runs twice: with the embedded engine, and with the same database behind `shipx serve`, where whatever the
// specification has an endpoint for goes over HTTP and must print the same bytes (but for the words for the place). A remark
// `# embedded: why` above a command, or at the top of a script before its first command, says that the specification has no
// way for it; it is then asked of the embedded engine in both.
// <uuid>, <digits> and <tmp> stand for what differs from run to run. A backslash in front of an output line that would read
// as one of the above, `<empty>` for an empty line at the end, `[no newline]` for a last line that has none.

interface Command {
  /** The lines from `$` to the last `>`, as they stand. */
  readonly typed: readonly string[]
  readonly columns: string | undefined
  /** Why the specification has no way for it, when it has none. */
  readonly embedded: string | undefined
  readonly expected: readonly string[]
  /** Remarks and empty lines before it. */
  readonly before: readonly string[]
}

interface Script {
  readonly files: ReadonlyMap<string, string>
  /** The lines of the files, as they stand. */
  readonly top: readonly string[]
  readonly commands: readonly Command[]
  readonly after: readonly string[]
}

function parseScript(text: string): Script {
  const lines = text.replace(/\n$/, '').split('\n')
  let at = lines.findIndex((line) => /^[$#]/.test(line))
  const top = lines.slice(0, at)
  const files = new Map<string, string>()
  let name: string | undefined
  for (const line of top) {
    const opened = /^-- (\S+) --$/.exec(line)?.[1]
    if (opened !== undefined) files.set((name = opened), '')
    else if (name !== undefined) files.set(name, `${files.get(name)!}${line}\n`)
  }
  for (const [path, content] of files) files.set(path, content.replace(/\n+$/, '\n'))
  const commands: Command[] = []
  let before: string[] = []
  while (at < lines.length) {
    if (!lines[at]!.startsWith('$ ')) {
      before.push(lines[at++]!)
      continue
    }
    const typed = [lines[at++]!]
    while (lines[at]?.startsWith('> ') === true) typed.push(lines[at++]!)
    const expected: string[] = []
    while (at < lines.length && !/^(\$ |# )/.test(lines[at]!)) expected.push(lines[at++]!)
    let gap = expected.length
    while (gap > 0 && expected[gap - 1] === '') gap--
    const columns = before.map((line) => /^# tty (\d+)$/.exec(line)?.[1]).find((value) => value !== undefined)
    const embedded = before.map((line) => /^# embedded: (.+)$/.exec(line)?.[1]).find((value) => value !== undefined)
    commands.push({ typed, columns, embedded, expected: expected.slice(0, gap), before })
    before = expected.slice(gap)
  }
  return { files, top, commands, after: before }
}

interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: string
}

function run(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ stdout, stderr, exit: String(code ?? signal) }))
  })
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** What a command printed as the lines that a script expects. */
function linesOf({ stdout, stderr, exit }: Outcome, tmp: string): string[] {
  const split = (text: string): string[] =>
    text === '' ? [] : text.replaceAll(tmp, '<tmp>').replace(/\n$/, '').split('\n')
  const printed = split(stdout).map((line) => (/^(\$ |# |2> |> |\[|\\|<empty>$)/.test(line) ? `\\${line}` : line))
  for (let i = printed.length - 1; i >= 0 && printed[i] === ''; i--) printed[i] = '<empty>'
  if (stdout !== '' && !stdout.endsWith('\n')) printed.push('[no newline]')
  // How long a bulk run took is told from two seconds on, which a busy machine may need.
  const told = split(stderr).map((line) => `2> ${line.replace(/ {3}in [\d,]+ s$/, '')}`.trimEnd())
  return [...printed, ...told, ...(exit === '0' ? [] : [`[exit ${exit}]`])]
}

function matches(expected: string, line: string): boolean {
  const pattern = expected
    .split(/(<uuid>|<digits>)/)
    .map((part) =>
      part === '<uuid>' ? uuid : part === '<digits>' ? '[\\d,]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
  return expected === line || new RegExp(`^${pattern.join('')}$`).test(line)
}

/** The printed lines, each as the script has it where that line fits: what is left differs. */
const settled = (expected: readonly string[], printed: readonly string[]): string[] =>
  printed.map((line, i) => [expected[i]!, ...expected].find((old) => old !== undefined && matches(old, line)) ?? line)

/** The lines of two runs of one command with a placeholder wherever they differ in an id or a number. */
function agreed(one: readonly string[], other: readonly string[]): string[] {
  const parts = (line: string): string[] => line.split(new RegExp(`(${uuid}|\\d[\\d,]*)`))
  return one.map((line, i) => {
    const again = parts(other[i] ?? '')
    if (parts(line).length !== again.length) return line
    return parts(line)
      .map((part, at) => (part === again[at] ? part : part.length === 36 ? '<uuid>' : '<digits>'))
      .join('')
  })
}

let bin: string

beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), 'shipx-bin-'))
  writeLauncher(bin)
  // `sql <file> <statement>`: what another program does to a database.
  writeFileSync(join(bin, 'sql'), `#!/usr/bin/env node\n${opener}(process.argv[2]).exec(process.argv[3])\n`)
  chmodSync(join(bin, 'sql'), 0o755)
  // Without a build every script would fail alike, and UPDATE=1 would write that down.
  const { stdout } = await run('shipx --version', bin, { ...codeEnv(), PATH: `${bin}:${process.env['PATH']!}` })
  expect(stdout).toMatch(/^shipx \d/)
})
afterAll(() => rmSync(bin, { recursive: true, force: true }))

/** Whether what answers is in the same process or behind a served address. */
type Way = 'embedded' | 'HTTP' | 'PostgreSQL' | 'HTTP, PostgreSQL'

/** A served database: what a command needs to ask it. */
interface Served {
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Serves the database of a script, with a key for its account. */
async function serve(tmp: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const made = await run('shipx keys create default -q', tmp, env)
  const child = spawn(process.execPath, [start, 'serve', '--port', '0', '--json', '--quiet', '--rate-limit', '0'], {
    cwd: tmp,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (said.includes('\n')) resolve(said)
    })
    child.on('exit', () => reject(new Error(`shipx serve ended: ${said}`)))
  })
  const { url } = JSON.parse(line) as { readonly url: string }
  return {
    env: { SHIPX_BASE_URL: url, SHIPX_API_KEY: made.stdout.trim() },
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit').on('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** What the specification has endpoints for. */
const served = /(?:^|[\s;&|("$])shipx (?:rates|serviceability|stores (?!connect|disconnect)|shipments|returns|orders)\b/

/** Whether a command is asked of the service when there is one. */
const overHttp = ({ typed, embedded }: Pick<Command, 'typed' | 'embedded'>): boolean =>
  embedded === undefined && served.test(typed.join('\n'))

/** What is about a file and nothing else: its path, its copies, its damage, other files. */
const ofFile = /--db\b|\blocal (?:path|check|backup|restore|reset|init)\b|\bdata\b|\bls\b|(?:^|[;& $])sql /

/** Whether a command says the same on a database of another kind. */
const onAnyDatabase = ({ typed }: Pick<Command, 'typed'>): boolean =>
  /\bshipx (?:rates|serviceability|stores|shipments|returns|orders|local|ratecard|keys)\b/.test(typed.join('\n')) &&
  !ofFile.test(typed.join('\n'))

/** What each command of a script prints, run one after the other in a folder of their own. */
async function session(
  { files, commands }: Script,
  way: Way,
  database?: string,
): Promise<readonly (readonly string[])[]> {
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-script-')))
  const printed: string[][] = []
  let behind: Served | undefined
  try {
    mkdirSync(join(tmp, '.home'))
    const base = {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(tmp, '.home'),
      // Who did something is printed.
      USER: 'asha',
      ...codeEnv(),
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      SHIPX_NOW: '2026-09-29T08:30:00Z',
      SHIPX_DATA_DIR: join(tmp, 'data'),
    }
    const inDatabase = database === undefined ? base : { ...base, SHIPX_DATABASE_URL: database }
    if (way.startsWith('HTTP')) behind = await serve(tmp, inDatabase)
    for (const [name, content] of files) writeFileSync(join(tmp, name), content)
    for (const { typed, columns, embedded } of commands) {
      const outcome = await run(typed.map((line) => line.slice(2)).join('\n'), tmp, {
        ...inDatabase,
        // Colours have tests of their own; here they would only hide the words.
        ...(columns === undefined ? {} : { SHIPX_FORCE_TTY: columns, NO_COLOR: '1' }),
        ...(overHttp({ typed, embedded }) ? behind?.env : {}),
      })
      printed.push(linesOf(outcome, tmp))
    }
    return printed
  } finally {
    await behind?.stop()
    rmSync(tmp, { recursive: true, force: true })
  }
}

/** Lines that say where answers and names come from. */
const whence = /^2> (?:Nothing is saved on this computer yet|--courier \w+: .*, of the couriers that shipx has seen at)/

/** Differences between what a script has and what was printed, as two texts. */
function differences(
  commands: readonly Command[],
  expected: readonly (readonly string[])[],
  printed: readonly (readonly string[])[],
): readonly [string, string] {
  const differing = commands.map((_, i) => i).filter((i) => printed[i]!.join('\n') !== expected[i]!.join('\n'))
  const shown = (side: readonly (readonly string[])[]): string =>
    differing.flatMap((i) => [...commands[i]!.before, ...commands[i]!.typed, ...side[i]!]).join('\n')
  return [shown(printed), shown(expected)]
}

/** A script up to the last of the commands that are asked for: what comes after it brings about nothing that is compared. */
const upToLast = (script: Script, asked: readonly boolean[]): Script => ({
  ...script,
  commands: script.commands.slice(0, asked.lastIndexOf(true) + 1),
})

/** The commands that are asked for, without the line that says where answers come from, as scripts have them and as printed. */
function comparedTo(
  commands: readonly Command[],
  printed: readonly (readonly string[])[],
  asked: readonly boolean[],
): readonly [string, string] {
  const plain = (lines: readonly string[]): readonly string[] => lines.filter((line) => !whence.test(line))
  const compared = commands.filter((_, i) => asked[i])
  const expected = compared.map((command) => plain(command.expected))
  const found = printed.filter((_, i) => asked[i]).map((lines, i) => settled(expected[i]!, plain(lines)))
  return differences(compared, expected, found)
}

/** Names of the place, as scripts have them. */
const namesOf = (database: string | undefined) => {
  const shown = database?.replace(/\/\/[^/@]*@/, '//').replace(/\?.*$/, '')
  return (line: string): string => {
    const plain = line.replace(/at 127\.0\.0\.1:\d+/, 'on this computer')
    if (shown === undefined) return plain
    return plain.replaceAll(`at ${shown}`, 'on this computer').replaceAll(shown, '<tmp>/data/shipx.sqlite')
  }
}

/** Scripts of the nouns that the specification has: each of them runs over HTTP, and on PostgreSQL without it. */
const nouns: ReadonlySet<string> = new Set(
  ['rates', 'serviceability', 'stores', 'shipments', 'returns', 'orders'].map((noun) => `${noun}.txt`),
)

/** Whether HTTP and PostgreSQL have a session each; the others run over HTTP on PostgreSQL. SHIPX_ORACLE=all: every script. */
const apart = (file: string): boolean => nouns.has(file) || process.env['SHIPX_ORACLE'] === 'all'

/** What `npm test` types; the other nouns have other tests there. The other scripts, and what is wrong, take their time. */
const soon: ReadonlySet<string> = new Set(['rates.txt'])

describe.skipIf(process.platform === 'win32').concurrent('terminal sessions', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const path = join(folder, file)
    const script = parseScript(readFileSync(path, 'utf8'))
    const { top, commands, after } = script
    test(
      `${file}: ${commands.length} commands`,
      { timeout: updating ? 600_000 : 240_000, tags: soon.has(file) ? [] : ['full'] },
      async ({ expect: check }) => {
        let printed = await session(script, 'embedded')
        if (updating) {
          const again = await session(script, 'embedded')
          printed = printed.map((lines, i) => agreed(lines, again[i]!))
        }
        printed = printed.map((lines, i) => settled(commands[i]!.expected, lines))
        const lines = commands.flatMap(({ before, typed }, i) => [...before, ...typed, ...printed[i]!])
        if (updating) return writeFileSync(path, `${[...top, ...lines, ...after].join('\n')}\n`)
        const [found, wanted] = differences(
          commands,
          commands.map(({ expected }) => expected),
          printed,
        )
        check(commands.length).toBeGreaterThan(0)
        check(found).toBe(wanted)
      },
    )
    const whole = commands[0]!.before.some((line) => line.startsWith('# embedded, all of it: '))
    // Where an answer comes from does not depend on the kept code: with kept code all three places are compared.
    const here = updating || whole || codeMode !== 'kept'
    const [anywhere, asked] = [commands.map(onAnyDatabase), commands.map(overHttp)]
    /** Runs it in another place, and compares what is said there. */
    const elsewhere = (where: string, compared: readonly boolean[], way: Way): void => {
      if (here || !compared.includes(true)) return
      test(`${file}: the same bytes ${where}`, { tags: ['full'] }, async ({ expect: check }) => {
        const { url, drop } = way === 'HTTP' ? { url: undefined, drop: async () => undefined } : await testDatabase()
        try {
          const printed = await session(upToLast(script, compared), way, url)
          const [found, wanted] = comparedTo(
            commands,
            printed.map((lines) => lines.map(namesOf(url))),
            compared,
          )
          check(found).toBe(wanted)
        } finally {
          await drop()
        }
      })
    }
    if (apart(file)) {
      elsewhere('on PostgreSQL', anywhere, 'PostgreSQL')
      elsewhere('over HTTP', asked, 'HTTP')
    } else {
      elsewhere(
        'over HTTP and on PostgreSQL',
        commands.map((_, i) => anywhere[i]! || asked[i]!),
        'HTTP, PostgreSQL',
      )
    }
  }
})
