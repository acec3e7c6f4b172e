// Defends the documentation: every command in the README and in docs runs, and what the README shows is what it prints
// (UPDATE=1 writes the output anew).
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { tree } from '../src/cli/program.ts'
import { readFlags, readWords } from '../src/cli/words.ts'
import { png } from './pictures.ts'

const root = join(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'shipx-readme-'))
const bin = join(home, 'bin')
mkdirSync(bin)
writeFileSync(join(bin, 'shipx'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/shipx.js')}' "$@"\n`)
chmodSync(join(bin, 'shipx'), 0o755)
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a line of the shell as a reader would, in an empty home that the lines of one document share. */
function run(line: string) {
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    SHIPX_NOW: '2026-09-29T08:30:00Z',
    SHIPX_FORCE_TTY: '100',
  }
  return spawnSync('bash', ['-c', line], { encoding: 'utf8', cwd: home, env })
}

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!)

describe('README.md', () => {
  const path = join(root, 'README.md')
  const text = readFileSync(path, 'utf8')

  test('shows what its commands print', () => {
    const [block] = blocks(text, 'console')
    const commands = block!.split('\n').filter((line) => line.startsWith('$ '))
    let printed = ''
    for (const line of commands) {
      const { status, stdout, stderr } = run(line.slice(2))
      expect([line, status, stderr]).toEqual([line, 0, expect.any(String)])
      const settled = stdout.replace(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
        '6f0c2b9e-2f0a-4c57-9d52-3c1e8a7f0e21',
      )
      printed += `${line}\n${settled}${settled === '' ? '' : '\n'}`
    }
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        path,
        text.replace(block!, () => printed.trimEnd() + '\n'),
      )
    else expect(block!.trimEnd()).toBe(printed.trimEnd())
    expect(commands.length).toBeGreaterThan(5)
  })

  test('the service answers every line of its block', { timeout: 100_000 }, async () => {
    const [block] = blocks(text, 'bash')
    const folder = join(home, 'service')
    mkdirSync(folder)
    writeFileSync(join(folder, 'logo.png'), png())
    const port = await freePort()
    const script = block!.replaceAll('8787', String(port)).replace('shipx serve', `shipx serve --port ${port}`)
    const lines = script.split('\n').filter((line) => /^(curl|id=|shipx|api=|export)/.test(line))
    // Each line as a reader types it, with a mark behind it that tells how it ended.
    const marked = lines.map((line, i) => (line.endsWith('&') ? line : `${line}\necho "|$?|${i}"`)).join('\n')
    const { stdout } = run(`cd '${folder}'; export SHIPX_DATA_DIR='${folder}'; ${marked}\nkill %1; wait`)
    for (const [i, line] of lines.entries()) {
      if (line.endsWith('&')) continue
      expect([line, stdout.includes(`|0|${i}\n`)]).toEqual([line, true])
      const before = stdout
        .slice(0, stdout.indexOf(`|0|${i}\n`))
        .split(/\|0\|\d+\n/)
        .at(-1)!
      if (line.startsWith('curl'))
        expect([line, before]).toEqual([line, expect.stringMatching(/^\{"(data|status":("SUCCESS"|1|"ok"))/)]) // prettier-ignore
      else if (/^shipx (rates|shipments)/.test(line)) expect([line, before.length > 20]).toEqual([line, true])
    }
    expect(lines.filter((line) => /^(curl|id=)/.test(line))).toHaveLength(11)
  })

  test('begins with the two commands, of which the second is the test command of the package', () => {
    const [first] = blocks(text, 'sh')
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const [quote, tests] = first!.trim().split('\n')
    expect(quote).toBe(
      'npm install && npx shipx rates --forward --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid',
    )
    expect([tests, scripts['test']]).toEqual(['npm test', 'vitest run'])
    const { status, stdout } = run(quote!.replace('npm install && npx ', ''))
    expect(status).toBe(0)
    expect(stdout).toContain('zone_c')
    expect(stdout).toContain('charged on 600 g')
    expect(stdout.split('\n').filter((line) => /^[A-Z].*₹\d/.test(line)).length).toBeGreaterThanOrEqual(5)
  })
})

describe('every page', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]

  test.each(pages)('%s links to files that are there', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => join(root, dirname(page), match[1]!))
    for (const target of targets) expect(() => readFileSync(target)).not.toThrow()
    expect(text.length).toBeGreaterThan(200)
  })

  test.each(pages)('%s names only commands and flags that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const lines = [...text.matchAll(/(?:^|`|\$ |&& |\| )(shipx [a-z][^`\n|&<>…]*)/gm)].map((match) => match[1]!.trim())
    // `shipx complete` is for completion scripts alone and no command of the tree.
    for (const line of lines.filter((other) => other !== 'shipx complete'))
      expect([line, faultsIn(line)]).toEqual([line, []])
  })
})

describe('the examples of every command', () => {
  const examples = tree.commands.flatMap((command) => command.examples.map((example) => example.line))
  test.each(examples)('%s is understood', (line) => {
    for (const part of line.split(/ \| |&& /).filter((text) => /^(source <\()?shipx /.test(text))) {
      expect(faultsIn(part.replace(/^source <\(|\)$/g, ''))).toEqual([])
    }
  })
})

/** What the parser says against a command line as documents write it. */
function faultsIn(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map((match) => (match[1] ?? match[2] ?? match[3])!)
    .slice(1)
  try {
    return readFlags(readWords(tree, words).given).faults.map((fault) => fault.message)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
