// Defends the documentation: every command in the README and in docs exists, those of the pages for users run, and what these
// pages show is what is printed (UPDATE=1 writes the output anew).
import { codeMode } from '../support/program.ts'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { tree } from '../../src/cli/commands/table.ts'
import { readFlags, readWords } from '../../src/cli/args/parse.ts'
import { blocks, emptyHome, follow, freePort } from '../support/pages.ts'
import { png } from '../support/pictures.ts'
import { root, trackedFiles } from '../support/checkout.ts'

const home = emptyHome()
const { run } = home
afterAll(home.remove)

/** Follows a page and compares what it shows. A command may fail only where the next one tells how it ended. */
async function expectTrue(page: string, languages?: Parameters<typeof follow>[1]): Promise<void> {
  const path = join(root, page)
  const text = readFileSync(path, 'utf8')
  const followed = await follow(text, languages)
  for (const [i, { line, status, printed }] of followed.ran.entries()) {
    const told = followed.ran[i + 1]?.line === '$ echo $?'
    expect([line, status, printed]).toEqual([line, told ? expect.any(Number) : 0, printed])
  }
  if (process.env['UPDATE'] === '1') writeFileSync(path, followed.page)
  else expect(followed.page).toBe(text)
}

describe('README.md', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')

  test('shows what its commands print', async () => {
    await expectTrue('README.md', ['console'])
    expect(blocks(text, 'console').join('').split('\n$ ').length).toBeGreaterThan(3)
  })

  test('says which command tests the package', () => {
    const develop = blocks(text, 'sh').at(-1)!
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    expect([develop, scripts['test']]).toEqual(['npm install\nnpm test\n', 'vitest run --mode quick'])
  })
})

test('docs/guides/service.md: the service answers every command of the page', { tags: ['full'] }, async () => {
  const text = readFileSync(join(root, 'docs', 'guides', 'service.md'), 'utf8')
  const folder = join(home.path, 'service')
  mkdirSync(folder)
  writeFileSync(join(folder, 'logo.png'), png())
  const port = await freePort()
  const script = blocks(text, 'bash')
    .join('')
    .replaceAll('8787', String(port))
    .replace('shipx serve', `shipx serve --port ${port}`)
  const commands = script.trim().split(/\n(?=curl |id=|shipx |api=|export )/)
  // Each command as a reader types it, with a mark behind it that shows how it ended.
  const marked = commands.map((line, i) => (line.endsWith('&') ? line : `${line}\necho "|$?|${i}"`)).join('\n')
  const { stdout } = run(`cd '${folder}'; export SHIPX_DATA_DIR='${folder}'; ${marked}\nkill %1; wait`)
  for (const [i, line] of commands.entries()) {
    if (line.endsWith('&')) continue
    expect([line, stdout.includes(`|0|${i}\n`)]).toEqual([line, true])
    const before = stdout
      .slice(0, stdout.indexOf(`|0|${i}\n`))
      .split(/\|0\|\d+\n/)
      .at(-1)!
    if (line.startsWith('curl'))
      expect([line, before]).toEqual([line, expect.stringMatching(/^\{"(data|status":("SUCCESS"|1|"ok"))/)])
    else if (/^shipx (rates|shipments)/.test(line)) expect([line, before.length > 20]).toEqual([line, true])
  }
  expect(commands.filter((line) => /^(curl|id=)/.test(line))).toHaveLength(11)
})

describe('the pages for users', () => {
  // What a page shows does not depend on the kept code; the scripts are run with each kind.
  const followed =
    codeMode === 'kept'
      ? 'tour ops sheets worklists ci faq rates contracts cost settings money cod returns whatif'.split(' ')
      : []
  test.each(followed.map((name) => `docs/guides/${name}.md`))(
    '%s runs from top to bottom and shows what is printed',
    { tags: ['full'] },
    (page) => expectTrue(page),
  )

  test.each(['docs/guides/ci.md', 'docs/guides/powershell.md'])(
    '%s has no command in its blocks that does not exist',
    (page) => {
      const text = readFileSync(join(root, page), 'utf8')
      const inside = [...blocks(text, 'yaml'), ...blocks(text, 'powershell')].join('\n')
      const lines = commandsIn(inside, '^\\s*|[|(=;{] ?|run: |- |\\| ')
      expect(lines.length).toBeGreaterThan(4)
      for (const line of lines) expect([line, faultsIn(line)]).toEqual([line, []])
    },
  )
})

describe('every page', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...trackedFiles('docs').filter((path) => /^docs\/.+\.md$/.test(path)),
  ]

  /** The anchors of a page's headings, as GitHub makes them. */
  const anchors = (text: string): readonly string[] =>
    [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    )

  test.each(pages)('%s links to files and headings that are there', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    expect(text.length).toBeGreaterThan(200)
    for (const [link, path = '', heading] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = readFileSync(path === '' ? join(root, page) : join(root, dirname(page), path), 'utf8')
      if (heading !== undefined) expect([link, anchors(target)]).toEqual([link, expect.arrayContaining([heading])])
    }
  })

  test.each(pages)('%s names only commands and flags that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    // Only inside code: a sentence or a cell of a table may begin with shipx.
    const inline = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)]
    const code = [
      ...[...text.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map((match) => match[1]!),
      ...inline.map((match) => match[1]!.replaceAll('\n', ' ')),
    ]
    const lines = commandsIn(code.join('\n'), '^|\\$ |&& |\\| |\\$\\(')
    // `shipx complete` is for completion scripts alone and no command of the tree; a page may make aliases.
    const own = new Set([...text.matchAll(/shipx alias set (\S+)/g)].map((match) => match[1]))
    for (const line of lines.filter((other) => other !== 'shipx complete' && !own.has(other.split(' ')[1])))
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

/** Commands at the start of a line or behind something else; what is in quotes belongs to them, whatever it is. */
const commandsIn = (text: string, behind: string): readonly string[] =>
  [
    ...text.matchAll(new RegExp(`(?:${behind})(shipx [a-z](?:"[^"\\n]*"|'[^'\\n]*'|[^\`\\n\\\\|&<>…;"'(){}])*)`, 'gm')),
  ].map((match) => match[1]!.trim())

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
