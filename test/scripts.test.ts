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
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('scripts/', import.meta.url))
const start = fileURLToPath(new URL('../bin/shipx.js', import.meta.url))
const updating = process.env['UPDATE'] === '1'

// A script has, in this order: files (`-- name --` and their lines, up to the first `$` or `#` line), then commands:
//   # a remark; `# tty 100` lays the next command out for a terminal of 100 columns
//   $ a bash command line, in which `shipx` is the built command; lines `> …` right below it go on with it
//   its standard output; `2> ` before each line of its standard error; `[exit 2]` when that is not 0
// <uuid>, <digits> and <tmp> stand for what differs from run to run. A backslash in front of an output line that would read
// as one of the above, `<empty>` for an empty line at the end, `[no newline]` for a last line that has none.

interface Command {
  /** The lines from `$` to the last `>`, as they stand. */
  readonly typed: readonly string[]
  readonly columns: string | undefined
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
    commands.push({ typed, columns, expected: expected.slice(0, gap), before })
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
  const told = split(stderr).map((line) => `2> ${line}`.trimEnd())
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
    return parts(line).map((part, at) => (part === again[at] ? part : part.length === 36 ? '<uuid>' : '<digits>')).join('') // prettier-ignore
  })
}

let bin: string

beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), 'shipx-bin-'))
  writeFileSync(join(bin, 'shipx'), `#!/bin/sh\nexec '${process.execPath}' '${start}' "$@"\n`)
  // `sql <file> <statement>`: what another program does to a database.
  const driver = JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))
  writeFileSync(
    join(bin, 'sql'),
    `#!/usr/bin/env node\nnew (require(${driver}))(process.argv[2]).exec(process.argv[3])\n`,
  )
  for (const name of ['shipx', 'sql']) chmodSync(join(bin, name), 0o755)
  // Without a build every script would fail alike, and UPDATE=1 would write that down.
  const { stdout } = await run('shipx --version', bin, { PATH: `${bin}:${process.env['PATH']!}` })
  expect(stdout).toMatch(/^shipx \d/)
})
afterAll(() => rmSync(bin, { recursive: true, force: true }))

/** What each command of a script prints, run one after the other in a folder of their own. */
async function session({ files, commands }: Script): Promise<readonly (readonly string[])[]> {
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-script-')))
  const printed: string[][] = []
  try {
    mkdirSync(join(tmp, '.home'))
    for (const [name, content] of files) writeFileSync(join(tmp, name), content)
    for (const { typed, columns } of commands) {
      const outcome = await run(typed.map((line) => line.slice(2)).join('\n'), tmp, {
        PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        HOME: join(tmp, '.home'),
        TZ: 'UTC',
        LC_ALL: 'C.UTF-8',
        SHIPX_NOW: '2026-09-29T08:30:00Z',
        SHIPX_DATA_DIR: join(tmp, 'data'),
        // Colours have tests of their own; here they would only hide the words.
        ...(columns === undefined ? {} : { SHIPX_FORCE_TTY: columns, NO_COLOR: '1' }),
      })
      printed.push(linesOf(outcome, tmp))
    }
    return printed
  } finally {
    rmSync(tmp, { recursive: true, force: true })
  }
}

describe.skipIf(process.platform === 'win32').concurrent('terminal sessions', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const path = join(folder, file)
    const script = parseScript(readFileSync(path, 'utf8'))
    const { top, commands, after } = script
    test(
      `${file}: ${commands.length} commands`,
      { timeout: updating ? 600_000 : 110_000 },
      async ({ expect: check }) => {
        let printed = await session(script)
        if (updating) {
          const again = await session(script)
          printed = printed.map((lines, i) => agreed(lines, again[i]!))
        }
        printed = printed.map((lines, i) => settled(commands[i]!.expected, lines))
        const lines = commands.flatMap(({ before, typed }, i) => [...before, ...typed, ...printed[i]!])
        if (updating) return writeFileSync(path, `${[...top, ...lines, ...after].join('\n')}\n`)
        const differing = commands
          .map((_, i) => i)
          .filter((i) => printed[i]!.join('\n') !== commands[i]!.expected.join('\n'))
        const shown = (side: (i: number) => readonly string[]): string =>
          differing.flatMap((i) => [...commands[i]!.before, ...commands[i]!.typed, ...side(i)]).join('\n')
        check(commands.length).toBeGreaterThan(0)
        check(shown((i) => printed[i]!)).toBe(shown((i) => commands[i]!.expected))
      },
    )
  }
})
